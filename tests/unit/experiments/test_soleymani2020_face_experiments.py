"""Experiments 4.1 and 4.2: what is chosen where, from what, and what is said about it."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wilcoxon

import opchar.experiments.soleymani2020.adaptive_ensembles as adaptive
from opchar.combination.functions import NAMES, decide
from opchar.combination.selection import apply_rules
from opchar.config import load
from opchar.datasets.features import FeatureTable, write_features
from opchar.errors import ConfigError, DataError
from opchar.experiments.soleymani2020.adaptive_evidence import (
    REFERENCE_MARK,
    Measured,
    better_below,
    report,
    signed_rank_p,
)
from opchar.experiments.soleymani2020.best_thresholds import (
    by_grid,
    choose_thresholds,
    differ_in,
    exact,
    near_origin_up_to,
)
from opchar.experiments.soleymani2020.ensembles import (
    chosen_rules,
    ratio_rules,
    selections,
    with_mean,
)
from opchar.experiments.soleymani2020.face_videos import (
    held_out,
    held_out_faces,
    rounds_of,
    training_faces,
)
from opchar.experiments.soleymani2020.three_classifiers import (
    alike_up_to,
    leads_up_to,
    three_classifiers,
    without_flat_runs,
)
from opchar.figures.soleymani2020 import face_experiments as figures
from opchar.figures.style import plt, styled
from opchar.jobs import main
from opchar.results import Results, read_results
from opchar.seeds import spawner
from opchar.spaces.compare import Ranges
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import operating_points

ROOT = Path(__file__).parents[3]
PRIORS = np.arange(1, 20) / 20
COARSE = np.arange(1, 51) / 100


def video(seed: int, persons: int = 12, regions: int = 6, apart: float = 1.5) -> FeatureTable:
    """Persons with their own means, the same in every video; regions scatter about them."""
    means = apart * np.random.default_rng(0).normal(size=(persons, 4))
    y = np.repeat(np.arange(persons), regions)
    X = means[y] + np.random.default_rng(seed).normal(size=(len(y), 4))
    names = tuple(f"{number:02d}" for number in range(persons))
    frames = np.tile(np.arange(regions), persons)
    return FeatureTable(X, y, names, ("a", "b", "c", "d"), {"data": "made up"}, frames)


@pytest.fixture(scope="module")
def videos() -> dict[str, FeatureTable]:
    return {"one": video(1), "two": video(2)}


def protocol(name: str, **changes) -> dict:
    """The entry of a protocol in the tiny profile, with some parameters changed."""
    entry = load(ROOT, check=False).protocol(name, "tiny")
    return entry | {"parameters": entry["parameters"] | changes}


def run(name: str, function, videos: dict[str, FeatureTable], changes=None, **split) -> Results:
    """Run an experiment in the tiny profile; `changes` by protocol, `split` for all of them."""
    address = f"soleymani2020/{name}"
    entry = load(ROOT, check=False).experiment(address, "tiny")
    protocols = {
        each: protocol(each, **((changes or {}).get(each, {}) | split))
        for each in entry["protocols"]
    }
    made = {"features": videos, "protocols": protocols, "spawn": spawner(1, name)}
    return function(**entry["parameters"], **made)


@pytest.fixture(scope="module")
def classifiers(videos) -> Results:
    return run("three-classifiers", three_classifiers, videos)


@pytest.fixture(scope="module")
def ensembles(videos) -> Results:
    return run("adaptive-ensembles", adaptive.adaptive_ensembles, videos)


def sample(seed: int, positives: int = 8, negatives: int = 40, members: int = 3):
    rng = np.random.default_rng(seed)
    labels = np.arange(positives + negatives) < positives
    scores = {f"m{e}": rng.normal(size=len(labels)) + labels for e in range(members)}
    return scores, labels


def published(*artefacts: str) -> set[tuple[str, ...]]:
    with (ROOT / "data/published/soleymani2020.csv").open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["artefact"] in artefacts]
    return {(line["artefact"], line["row"], line["column"], line["kind"]) for line in lines}


def test_every_published_line_has_one_of_the_same_kind(videos, classifiers) -> None:
    full = {"cox-9": {"others": 9}, "cox-24": {"others": 24}}
    many = {name: video(number, persons=25, regions=3) for number, name in enumerate(videos)}
    both = run("adaptive-ensembles", adaptive.adaptive_ensembles, many, full)
    for results, labels in ((classifiers, ("figure-9", "figure-10")), (both, ("figure-11",))):
        frame = results.frame()
        made = set(
            zip(frame["artefact"], frame["row"], frame["column"], frame["kind"], strict=True)
        )
        assert published(*labels) <= made
        claims = frame[frame["kind"] == "claim"]
        assert claims["note"].str.contains(r"\d").all()
    assert len(published("figure-9", "figure-10", "figure-11")) == 14


def test_random_numbers_carry_spread_and_repeats(classifiers) -> None:
    numbers = classifiers.frame().query("kind == 'number' and column != 'persons'")
    assert (numbers["n"] == 2).all() and numbers["std"].notna().all()


def test_same_seed_same_results(videos, ensembles) -> None:
    again = run("adaptive-ensembles", adaptive.adaptive_ensembles, videos)
    assert again.frame().equals(ensembles.frame())


def test_nothing_about_test_labels_reaches_the_choice(videos, ensembles, monkeypatch) -> None:
    chosen: list[list[str]] = []
    choose, divide = adaptive.choose, adaptive.samples_of

    def remembered(validation, priors, alpha):
        choice = choose(validation, priors, alpha)
        rules = [rule for rules in choice.rules.values() for rule in rules]
        rules += [rule for kept in choice.kept.values() for rule in kept]
        chosen.append([str(rule) for rule in rules])
        return choice

    def shuffled(pool, one):
        samples = divide(pool, one)
        scores, labels = samples["test"]
        labels = np.random.default_rng(len(chosen)).permutation(labels)
        return samples | {"test": (scores, labels)}

    monkeypatch.setattr(adaptive, "choose", remembered)
    settings = {"folds": 3, "targets": 2}
    first = run("adaptive-ensembles", adaptive.adaptive_ensembles, videos, **settings)
    true_labels = list(chosen)
    chosen.clear()
    monkeypatch.setattr(adaptive, "samples_of", shuffled)
    second = run("adaptive-ensembles", adaptive.adaptive_ensembles, videos, **settings)
    assert len(chosen) == 2 * 2 * 2 * 3
    assert chosen == true_labels
    seen, other = (made.curves["f"].query("sample == 'test'")["mean"] for made in (first, second))
    assert (seen.mean() - other.mean()) > 0.05


def test_rules_reproduce_what_validation_promised() -> None:
    scores, labels = sample(3)
    found = selections(scores, labels)
    for selection in found.values():
        tpr, fpr = apply_rules(selection.rules, with_mean(scores), labels)
        assert tpr.tolist() == selection.points.hull.tpr.tolist()
        assert fpr.tolist() == selection.points.hull.fpr.tolist()
    choice = adaptive.choose((scores, labels), PRIORS, 0.5)
    f = adaptive.judge(choice, (scores, labels), PRIORS, 0.5)
    for way, selection in found.items():
        np.testing.assert_allclose(f[way], upper_envelope(selection.points, 0.5)(PRIORS))
    for way, name in adaptive.REFERENCES.items():
        np.testing.assert_allclose(f[name], f[way])


def test_test_labels_choose_better_among_the_kept_rules() -> None:
    choice = adaptive.choose(sample(1), PRIORS, 0.5)
    f = adaptive.judge(choice, sample(2), PRIORS, 0.5)
    for way, name in adaptive.REFERENCES.items():
        assert (f[name] >= f[way] - 1e-12).all()
        assert (f[name] > f[way]).any()
        assert name == f"{way}, {REFERENCE_MARK}"
    assert figures.CHOSEN_BY_TEST == REFERENCE_MARK


@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_ratio_beats_every_function_of_the_same_two_decisions(seed: int) -> None:
    scores, labels = sample(seed, members=2)
    for prior, rule in zip(PRIORS.tolist(), ratio_rules(scores, labels, PRIORS, 0.5), strict=True):
        tpr, fpr = apply_rules([rule], scores, labels)
        f = f_measure(tpr, fpr, prior, 0.5)[0]
        a, b = (member.decide(scores) for member in rule.detectors())
        made = [a, b, *(decide(name, a, b) for name in NAMES)]
        every = [f_measure(d[labels].mean(), d[~labels].mean(), prior, 0.5) for d in made]
        assert f >= max(every) - 1e-12


def test_ratio_rules_can_be_read_and_take_unseen_outcomes() -> None:
    scores, labels = sample(0)
    (rule,) = ratio_rules(scores, labels, np.array([0.3]), 0.5)
    assert f"{rule:.2f}".startswith("LR(m0 >= ")
    new = {name: np.array([-9.0, 9.0]) for name in scores}
    assert rule.decide(new).tolist() == [False, True]


def test_one_positive_twins_and_constants_in_validation() -> None:
    scores, _ = sample(4, positives=1)
    labels = np.arange(41) < 1
    twin = {"m0": scores["m0"], "m1": scores["m0"].copy()}
    dull = {"m0": np.zeros(41), "m1": np.zeros(41)}
    for given in (scores, twin, dull):
        choice = adaptive.choose((given, labels), PRIORS, 0.5)
        f = adaptive.judge(choice, (given, labels), PRIORS, 0.5)
        assert all(((values > 0) & (values <= 1)).all() for values in f.values())
        assert (f["pairwise"] >= f["single member"] - 1e-12).all()
    np.testing.assert_allclose(f["iterative"], f_measure(1.0, 1.0, PRIORS, 0.5))
    found = chosen_rules(selections(twin, labels), twin, labels, PRIORS, 0.5)
    names = {d.classifier for rule in found["single member"] for d in rule.detectors()}
    assert names == {"m0"}


def test_optimism_is_the_difference_of_the_two_samples(ensembles) -> None:
    table = ensembles.frame().query("artefact == 'text-4.2' and kind == 'number'")
    values = table.set_index(["row", "column"])["value"].unstack()
    assert np.allclose(values["optimism"], values["F on validation"] - values["F on test"])
    rounds = table["n"].unique().tolist()
    assert rounds == [2 * 2 * 2]
    mean = values.filter(regex="; pairwise; all", axis=0).mean()
    assert mean["F on validation"] > mean["F on test"]


def test_each_setting_has_its_share_of_positives(videos) -> None:
    spawn = spawner(1, "made up")
    settings = adaptive.by_share(
        {name: rounds_of(videos, protocol(name), spawn) for name in ("cox-9", "cox-24")}
    )
    assert list(settings) == [0.2, 0.1]
    for share, made in settings.items():
        assert len(made) == 2 * 2 * 2
        for one in made:
            trained, tested = training_faces(videos, one), held_out_faces(videos, one)
            assert trained.prior == tested.prior == pytest.approx(share)
            names = ("one", "two") if one.video == 0 else ("two", "one")
            tables = [videos[name] for name in names]
            assert np.array_equal(trained.X, tables[0].X[one.train])
            assert np.array_equal(tested.X, tables[1].X[held_out(one)])
            positive = tables[1].y[held_out(one)][tested.is_positive]
            assert set(positive) == {one.target}
    wide, narrow = (settings[share][0].persons.tolist() for share in (0.1, 0.2))
    assert wide[:5] == narrow


def test_a_pool_is_trained_once_for_its_folds_and_divided_by_round(videos, monkeypatch) -> None:
    trained, divided = [], []
    train, divide = adaptive.pool_scores, adaptive.samples_of

    def counted(features, one, members, rng):
        trained.append((one.target, len(one.persons), one.video))
        return train(features, one, members, rng)

    def remembered(pool, one):
        samples = divide(pool, one)
        divided.append((pool, one, samples))
        return samples

    monkeypatch.setattr(adaptive, "pool_scores", counted)
    monkeypatch.setattr(adaptive, "samples_of", remembered)
    run("adaptive-ensembles", adaptive.adaptive_ensembles, videos, folds=3)
    assert len(trained) == len(set(trained)) == 2 * 2 * 2
    assert len(divided) == 3 * len(trained)
    for (scores, labels), one, samples in divided:
        rows = {"validation": one.validation, "test": one.test}
        for name, (part, positive) in samples.items():
            where = np.searchsorted(held_out(one), rows[name])
            assert np.array_equal(positive, labels[where])
            assert all(np.array_equal(part[member], scores[member][where]) for member in scores)
    for _, folds in groupby(divided, lambda each: id(each[0])):
        assert len({held_out(one).tobytes() for _, one, _ in folds}) == 1


def test_a_job_takes_the_protocols_of_its_profile(
    videos, tmp_path, monkeypatch, classifiers
) -> None:
    monkeypatch.chdir(ROOT)
    paths = [tmp_path / f"{name}.parquet" for name in videos]
    for path, table in zip(paths, videos.values(), strict=True):
        write_features(table, path)
    made = [tmp_path / "results.csv", tmp_path / "curves.parquet"]
    words = ["experiment", "--name", "soleymani2020/three-classifiers", "--profile", "tiny"]
    words += ["--seed", "1", "--features", *map(str, paths)]
    assert main([*words, "--table", str(made[0]), "--curves", str(made[1])]) == 0
    table = read_results(made[0]).set_index(["row", "column"]).sort_index()
    assert (table.xs("AUC", level="column")["n"] == 2).all()
    assert table.loc[("sample", "persons"), "value"] == 10
    assert sorted(table.index) == sorted(classifiers.frame().set_index(["row", "column"]).index)


def test_classifiers_make_do_with_the_persons_there_are(videos) -> None:
    few = run("three-classifiers", three_classifiers, videos, targets=50, others=99)
    frame = few.frame().set_index(["artefact", "row", "column"]).sort_index()
    assert frame.loc[("text-4.1", "sample", "persons"), "value"] == 12
    areas = frame.loc["text-4.1"].xs("AUC", level="column")
    assert (areas["n"] == 12).all()


def test_videos_that_do_not_fit_are_refused_in_one_line(videos) -> None:
    spawn = spawner(1, "made up")
    renamed = replace(videos["two"], classes=tuple("abcdefghijkl"))
    with pytest.raises(DataError, match="one and two show different persons"):
        rounds_of({"one": videos["one"], "two": renamed}, protocol("cox-9"), spawn)
    with pytest.raises(DataError, match=r"^one and two: 12 persons have 2 face.*wants 25;"):
        rounds_of(videos, protocol("cox-24", others=24), spawn)


def test_settings_that_cannot_be_told_apart_are_refused_in_one_line(videos) -> None:
    for split in ({"others": 4}, {"folds": 0}):
        with pytest.raises(ConfigError, match=r"cox-9, cox-24: .* wants folds"):
            run("adaptive-ensembles", adaptive.adaptive_ensembles, videos, **split)


@pytest.mark.parametrize(
    ("edges", "better", "expected"),
    [
        ([0, 0.2, 1], [1, -1], 0.2),
        ([0, 0.1, 0.3, 1], [0, 1, -1], 0.3),
        ([0, 0.1, 0.4, 1], [-1, 1, 0], 0.0),
        ([0, 0.1, 0.4, 1], [0, -1, 1], 0.0),
        ([0, 0.4, 1], [1, 0], 1.0),
        ([0, 1], [0], 0.0),
    ],
)
def test_where_a_lead_ends(edges, better, expected) -> None:
    assert leads_up_to(Ranges(np.array(edges), np.array(better))) == expected


def test_up_to_where_two_curves_look_alike() -> None:
    at = np.linspace(0, 1, 5)
    assert alike_up_to(at, np.array([1.0, 0.01, 0.02, 0.03, 0.0]), 0.02) == 0.5
    assert alike_up_to(at, np.zeros(5), 0.02) == 1
    assert alike_up_to(at, np.array([0.0, 0.1, 0, 0, 0]), 0.02) == 0


@pytest.mark.parametrize("seed", range(3))
def test_exact_optima_equal_a_search_over_all_thresholds(seed: int) -> None:
    scores, labels = sample(seed)
    points = operating_points(labels, scores["m0"])
    cost, f = lower_envelope(points), upper_envelope(points, 0.5)
    for prior in (0.015, 0.285, 0.7):
        best = exact(f, prior)
        every = f_measure(points.tpr, points.fpr, prior, 0.5)
        assert f_measure(best.tpr, best.fpr, prior, 0.5) == pytest.approx(every.max())
        cheap = exact(cost, prior)
        costs = expected_cost(points.tpr, points.fpr, prior)
        assert expected_cost(cheap.tpr, cheap.fpr, prior) == pytest.approx(costs.min())
        accepted = scores["m0"] >= best.threshold
        assert accepted[labels].mean() == pytest.approx(best.tpr)
        assert accepted[~labels].mean() == pytest.approx(best.fpr)


def two_thresholds():
    """A sample whose cost optimum changes from threshold 3 to threshold 1 at P(+) = 0.2."""
    labels = np.array([True, True, False, False, False, False, False, False, False, False])
    score = np.array([3.0, 1.0, 1.0, 0, 0, 0, 0, 0, 0, 0])
    points = operating_points(labels, score)
    envelope = lower_envelope(points)
    assert envelope.breakpoints[1] == pytest.approx(0.2)
    return points, envelope


def test_the_grid_shares_a_threshold_or_interpolates() -> None:
    points, envelope = two_thresholds()
    below = by_grid(envelope, points, 0.155, COARSE)
    assert (below.threshold, below.neighbours) == (3.0, ())
    coarse = np.array([0.1, 0.3])
    between = by_grid(envelope, points, 0.15, coarse)
    assert between.threshold == pytest.approx(0.75 * 3 + 0.25 * 1)
    assert (between.tpr, between.fpr) == (0.5, 0.0)
    assert [end[0] for end in between.neighbours] == [3.0, 1.0]
    for prior, threshold in ((0.1, 3.0), (0.3, 1.0)):
        on_grid = by_grid(envelope, points, prior, coarse)
        assert (on_grid.threshold, on_grid.neighbours) == (threshold, ())
    with pytest.raises(ValueError, match="outside the grid"):
        by_grid(envelope, points, 0.6, COARSE)


@pytest.mark.parametrize("seed", range(4))
def test_ranges_of_optima_equal_a_fine_search(seed: int) -> None:
    scores, labels = sample(seed, positives=6, negatives=60)
    points = operating_points(labels, scores["m0"])
    cost, f = lower_envelope(points), upper_envelope(points, 0.5)
    fine = np.linspace(0.01, 0.5, 4903)[1:-1]
    differ = np.not_equal(cost.rates(fine), f.rates(fine)).any(axis=0)
    ranges = differ_in(cost, f, 0.01, 0.5)
    inside = np.any([(fine > low) & (fine < high) for low, high in ranges], axis=0)
    assert (inside == differ).mean() > 0.999
    distance = np.hypot(*cost.rates(fine))
    for near in (0.2, 0.5):
        end = near_origin_up_to(cost, near, 0.01)
        assert (distance[fine < end] <= near).all()
        assert end >= 0.5 or (distance[(fine > end) & (fine < end + 2e-4)] > near).all()


@pytest.mark.parametrize("seed", range(4))
def test_f_leaves_every_vertex_at_lower_odds_than_cost(seed: int) -> None:
    scores, labels = sample(seed, positives=10, negatives=80)
    points = operating_points(labels, scores["m0"])
    cost, f = lower_envelope(points), upper_envelope(points, 0.5)
    odds = {
        (tpr, fpr): end / (1 - end)
        for tpr, fpr, end in zip(
            cost.points.tpr, cost.points.fpr, cost.breakpoints[1:-1], strict=False
        )
    }
    vertices = zip(f.points.tpr, f.points.fpr, f.breakpoints[1:-1], strict=False)
    for tpr, fpr, end in vertices:
        expected = tpr * odds[tpr, fpr] - fpr
        assert end / (1 - end) == pytest.approx(expected)
        assert expected < odds[tpr, fpr]


def made_statements(*thresholds: tuple[float, float, float], high: float = 0.3):
    """Judge classifiers given as (score of positives) samples: one score per group of objects."""
    results = Results()
    groups = []
    for positives, few, many in thresholds:
        labels = np.repeat([True, False], [100, 1000])
        score = np.zeros(1100)
        score[: int(100 * positives)] = 1
        score[:few] = 2
        score[100 : 100 + int(many)] = 1
        groups.append(operating_points(labels, score))
    choose_thresholds(
        results,
        groups,
        conditions=[0.015, 0.285],
        coarse=np.arange(1, round(100 * high) + 1) / 100,
        alpha=0.5,
        near=0.1,
        limits=[0.03, 0.09],
    )
    return results.frame().query("artefact == 'figure-10'").set_index("row")["value"]


def test_statements_on_optima_hold_and_fail() -> None:
    # 5 sure positives, or 90 of 100 at the price of 60 of 1000: cost takes the latter from 0.066
    holds = made_statements((0.9, 5, 60.0))
    assert holds["P(+)<0.03"] == 1
    assert 0.03 < holds["cost optimum near (0,0) below P(+)"] < 0.09
    fails = made_statements((0.9, 60, 60.0))
    assert fails["P(+)<0.03"] == 0
    assert fails["cost optimum near (0,0) below P(+)"] == 0.01
    assert holds["interpolation"] == 0


def test_flat_runs_change_no_envelope() -> None:
    scores, labels = sample(5)
    points = operating_points(labels, scores["m1"])
    fewer = without_flat_runs(points)
    assert len(fewer) < len(points)
    assert fewer.hull.tpr.tolist() == points.hull.tpr.tolist()
    assert fewer.hull.fpr.tolist() == points.hull.fpr.tolist()
    at = np.linspace(0, 1, 101)
    drawn = [np.interp(at, each.fpr + 1e-9 * each.tpr, each.tpr) for each in (points, fewer)]
    np.testing.assert_allclose(*drawn)


def measured(gains: dict[float, tuple[float, float]]) -> dict[float, Measured]:
    """Rounds in which the pairwise combination gains below some P(+) and loses above it."""
    made = {}
    for share, (end, loss) in gains.items():
        made[share] = Measured(PRIORS)
        for target in (5, 5, 8, 8, 2, 2):
            base = np.full(len(PRIORS), 0.5) + 0.01 * target
            better = base + np.where(end > PRIORS, 0.1, loss)
            f = dict.fromkeys(("score average", "iterative", "likelihood ratio"), base)
            f |= {"single member": base + 0.01, "pairwise": better}
            f |= {f"{way}, {REFERENCE_MARK}": f[way] for way in ("score average", "pairwise")}
            made[share].add("validation", target, {way: values + 0.2 for way, values in f.items()})
            made[share].add("test", target, f)
    return made


@pytest.mark.parametrize(
    ("gains", "holds"),
    [
        ({0.1: (0.3, -0.1), 0.04: (0.6, -0.1)}, 1),
        ({0.1: (0.6, -0.1), 0.04: (0.3, -0.1)}, 0),
        ({0.1: (0.3, -0.1), 0.04: (0.0, -0.1)}, 0),
        ({0.1: (0.3, -0.1), 0.04: (0.3, -0.1)}, 0),
    ],
)
def test_the_statement_on_ranges_holds_and_fails(gains, holds) -> None:
    results = Results()
    report(results, measured(gains), [0.5], 50, np.random.default_rng(0))
    frame = results.frame().set_index(["artefact", "row", "column"]).sort_index()
    assert frame.loc[("figure-11", "IBC vs Bagging", ""), "value"] == holds
    for share, (end, _) in gains.items():
        row = f"P_train=P_val=P_test={share:g}"
        value = frame.loc[("figure-11", row), "value"].item()
        assert value == pytest.approx(end)
        gain = frame.loc["text-4.2-tests"].xs("gain of F, targets", level="column")
        everywhere = gain.loc[f"P = {share:g}; pairwise against score average; all P(+)"]
        expected = np.where(end > PRIORS, 0.1, -0.1).mean()
        assert everywhere["value"] == pytest.approx(expected) and everywhere["n"] == 3
        same = f"P = {share:g}; iterative against score average; P(+) = 0.5"
        p = frame.loc[("text-4.2-tests", same)]["value"]
        assert p["p (Wilcoxon, targets)"] == 1 and np.isnan(p["p (t, targets)"])


@pytest.mark.parametrize(
    ("gain", "expected"),
    [([1, 1, -1, 1], 0.15), ([-1, 1, 1, 1], 0.0), ([1, 1, 1, 1], 1.0), ([1, 0, 1, 1], 0.1)],
)
def test_below_what_there_is_a_gain(gain, expected) -> None:
    assert better_below(PRIORS[:4], np.array(gain)) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 2, 9, 30])
def test_signed_ranks_equal_scipy_without_ties(n: int) -> None:
    gain = np.random.default_rng(n).normal(0.3, 1, n)
    expected = wilcoxon(gain, method="exact").pvalue
    assert signed_rank_p(gain) == pytest.approx(expected)
    assert signed_rank_p(np.append(gain, [0.0, 1e-16])) == pytest.approx(expected)


def test_signed_ranks_with_ties_count_all_signs() -> None:
    gain = np.array([0.1, 0.1, -0.1, 0.2, 0.3, 0.3])
    ranks = np.array([2, 2, 2, 4, 5.5, 5.5])
    signs = (np.arange(64)[:, np.newaxis] >> np.arange(6)) & 1
    sums = signs @ ranks
    tail = (sums >= ranks[gain > 0].sum()).mean()
    assert signed_rank_p(gain) == pytest.approx(2 * tail)
    assert signed_rank_p(-gain) == pytest.approx(2 * tail)
    assert signed_rank_p(np.zeros(5)) == 1


def test_targets_are_means_of_their_rounds() -> None:
    one = measured({0.1: (0.3, -0.1)})[0.1]
    values = one.by_target(np.arange(6.0))
    assert values.tolist() == [0.5, 2.5, 4.5]


def test_figures_draw_every_series(classifiers, ensembles) -> None:
    frame = classifiers.frame()
    with styled():
        nine = figures.three_classifiers(frame, classifiers.curves)
        ten = figures.best_thresholds(frame, classifiers.curves)
        eleven = figures.adaptive_ensembles(ensembles.frame(), ensembles.curves)
    assert [len(panel.lines) for panel in nine.axes] == [3] * 6
    assert len(ten.axes) == 12
    for row in range(4):
        cost, f, roc = ten.axes[3 * row : 3 * row + 3]
        for panel in (cost, f):
            shown = [line.get_label() for line in panel.lines]
            assert "exact optimum" in shown and "by grid and interpolation" in shown
        assert len(roc.lines) == 5
    titles = [panel.get_title(loc="left")[:3] for panel in ten.axes]
    assert titles[:6] == ["(a)", "(e)", "(i)", "(b)", "(f)", "(j)"]
    assert [len(panel.containers) for panel in eleven.axes] == [2, 2, 0, 0]
    names = [text.get_text() for text in eleven.axes[2].get_legend().get_texts()]
    assert names == [*figures.WAYS.values(), "on validation"]
    plt.close("all")


def test_error_bars_are_variances_over_rounds(ensembles) -> None:
    curve = ensembles.curves["f"]
    line = curve[(curve["way"] == "pairwise") & (curve["sample"] == "test")]
    assert (line["rounds"] == 8).all() and (line["variance"] <= 0.25).all()
    values = ensembles.frame().query("row == 'P = 0.2; pairwise; P(+) = 0.5'")
    tested = values[values["column"] == "F on test"].iloc[0]
    drawn = line[(line["setting"] == 0.2) & (line["prior"] == 0.5)].iloc[0]
    assert drawn["mean"] == pytest.approx(tested["value"])
    assert drawn["variance"] == pytest.approx(tested["std"] ** 2)
