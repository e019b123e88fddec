"""Experiments 4.1 and 4.2: what is chosen where, from what, and what is said about it."""

from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import opchar_reproduction.publications.soleymani2020.section4.adaptive_ensembles.measure as adaptive  # noqa: E501
from opchar.combination.pools import chosen_rules, selections, with_mean
from opchar.combination.selection import apply_rules
from opchar.datasets.features import FeatureTable
from opchar.errors import ConfigError
from opchar.models.training import train
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar.spaces.compare import Ranges
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import operating_points
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.publications.soleymani2020.section4.adaptive_ensembles.draw import (
    CHOSEN_BY_TEST,
)
from opchar_reproduction.publications.soleymani2020.section4.adaptive_evidence import (
    REFERENCE_MARK,
    Measured,
    better_below,
    report,
)
from opchar_reproduction.publications.soleymani2020.section4.best_thresholds import (
    by_grid,
    choose_thresholds,
    differ_in,
    exact,
    near_origin_up_to,
)
from opchar_reproduction.publications.soleymani2020.section4.three_classifiers.measure import (
    alike_up_to,
    leads_up_to,
    three_classifiers,
    trials_of,
    without_flat_runs,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared

ROOT = Path(__file__).parents[3]
PRIORS = np.arange(1, 20) / 20
COARSE = np.arange(1, 51) / 100


def videos(persons: int = 12, regions: int = 6, apart: float = 1.5) -> FeatureTable:
    """Persons with their own means, the same in both videos; regions scatter about them."""
    means = apart * np.random.default_rng(0).normal(size=(persons, 4))
    y = np.tile(np.repeat(np.arange(persons), regions), 2)
    X = means[y] + np.random.default_rng(1).normal(size=(len(y), 4))
    names = tuple(f"{number:02d}" for number in range(persons))
    groups = {"video": np.repeat(np.array(["one", "two"], object), persons * regions)}
    return FeatureTable(X, y, names, ("a", "b", "c", "d"), {"data": "made up"}, groups)


@cache
def configuration() -> Config:
    return load(ROOT, check=False)


def scores(name: str, filmed: FeatureTable, **changes) -> dict[tuple[str, str], ScoreTable]:
    """The score tables of an experiment, trained in the tiny profile with some changes."""
    config = configuration()
    (group,) = config.experiment(f"soleymani2020/{name}", "tiny")["scores"]
    entry = config.protocol(group["protocol"], "tiny")
    entry = entry | {"parameters": entry["parameters"] | changes}
    spawn = spawner(1, group["data"], group["protocol"])
    models = [model.replace("bagsvm20", "bagsvm4") for model in group["models"]]
    return {
        (group["data"], model): train(filmed, model, config.models, entry, spawn)
        for model in models
    }


def run(name: str, function, filmed: FeatureTable, tables=None, given=None, **changes) -> Results:
    """Run an experiment in the tiny profile, on score tables that were made already or on new."""
    entry = configuration().experiment(f"soleymani2020/{name}", "tiny")
    made = {"scores": tables or scores(name, filmed, **changes)}
    if name == "adaptive-ensembles":
        made |= {"spawn": spawner(1, name), "shared": Shared()}
    return function(**entry["parameters"] | made | (given or {}))


@pytest.fixture(scope="module")
def classifiers() -> Results:
    return run("three-classifiers", three_classifiers, videos())


@pytest.fixture(scope="module")
def ensembles() -> Results:
    return run("adaptive-ensembles", adaptive.adaptive_ensembles, videos())


def sample(seed: int, positives: int = 8, negatives: int = 40, members: int = 3):
    rng = np.random.default_rng(seed)
    labels = np.arange(positives + negatives) < positives
    scores = {f"m{e}": rng.normal(size=len(labels)) + labels for e in range(members)}
    return scores, labels


def test_random_numbers_carry_spread_and_repeats(classifiers) -> None:
    numbers = classifiers.frame().query("kind == 'number' and column != 'persons'")
    assert (numbers["n"] == 2).all() and numbers["std"].notna().all()


def test_nothing_about_test_labels_reaches_the_choice(monkeypatch) -> None:
    chosen: list[list[str]] = []
    choose, divide = adaptive.choose, adaptive.rounds

    def remembered(validation, priors, alpha, **options):
        choice = choose(validation, priors, alpha, **options)
        rules = [rule for rules in choice.rules.values() for rule in rules]
        rules += [rule for kept in choice.kept.values() for rule in kept]
        chosen.append([str(rule) for rule in rules])
        return choice

    def shuffled(fold):
        for samples in divide(fold):
            given, labels = samples["test"]
            labels = np.random.default_rng(len(chosen)).permutation(labels)
            yield samples | {"test": (given, labels)}

    monkeypatch.setattr(adaptive, "choose", remembered)
    first = run("adaptive-ensembles", adaptive.adaptive_ensembles, videos(), folds=3)
    true_labels = list(chosen)
    chosen.clear()
    monkeypatch.setattr(adaptive, "rounds", shuffled)
    second = run("adaptive-ensembles", adaptive.adaptive_ensembles, videos(), folds=3)
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
    assert CHOSEN_BY_TEST == REFERENCE_MARK


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
    values = table.pivot_table("value", "row", "column")
    assert np.allclose(values["optimism"], values["F on validation"] - values["F on test"])
    rounds = table["n"].unique().tolist()
    assert rounds == [2 * 2 * 2]
    mean = values.filter(regex="; pairwise; all", axis=0).mean()
    assert mean["F on validation"] > mean["F on test"]


def test_each_setting_has_its_share_of_positives_and_nested_others() -> None:
    filmed = videos()
    ((_, table),) = scores("adaptive-ensembles", filmed).items()
    found = adaptive.settings(table)
    assert [share for share, _, _ in found] == [0.2] * 4 + [0.1] * 4
    for share, target, fold in found:
        is_positive, _ = fold.binary("target")
        assert is_positive.mean() == pytest.approx(share)
        assert set(filmed.y[fold.index[is_positive]]) == {target}
        assert len(set(filmed.groups["video"][fold.index])) == 1
    narrow, wide = ([fold for one, _, fold in found if one == share] for share in (0.2, 0.1))
    for few, many in zip(narrow, wide, strict=True):
        assert set(filmed.y[few.index]) < set(filmed.y[many.index])


def test_each_part_validates_once_and_tests_otherwise() -> None:
    ((_, table),) = scores("adaptive-ensembles", videos(), folds=3).items()
    _, _, fold = adaptive.settings(table)[0]
    made = list(adaptive.rounds(fold))
    assert len(made) == 3
    one = next(member for _, member in fold.members())
    parts = dict(one.test_sets())
    for samples, part in zip(made, parts.values(), strict=True):
        given, labels = samples["validation"]
        assert list(given) == ["svm01", "svm02", "svm03", "svm04"]
        assert np.array_equal(given["svm01"], part.decision("target")[1])
        assert np.array_equal(labels, part.binary("target")[0])
        rest, others = samples["test"]
        assert len(labels) + len(others) == len(one.y)
        every = np.concatenate([given["svm01"], rest["svm01"]])
        assert np.array_equal(np.sort(every), np.sort(one.decision("target")[1]))


def test_a_table_without_members_or_parts_is_refused_in_one_line() -> None:
    ((_, table),) = scores("adaptive-ensembles", videos()).items()
    for missing in ({"member": None}, {"test_set": None}, {"provenance": {}}):
        with pytest.raises(ConfigError, match="as under the protocol cox-9-24"):
            adaptive.settings(replace(table, **missing))


def test_naive_bayes_is_ranked_by_log_odds() -> None:
    tables = scores("three-classifiers", videos(apart=40.0))
    bayes, *others = tables.values()
    assert len(np.unique(bayes.scores)) < len(np.unique(bayes.decisions))
    for trial, (_, fold) in zip(trials_of([bayes, *others]), bayes.folds(), strict=True):
        is_positive, decision = fold.decision("target")
        expected = operating_points(is_positive, decision)
        assert trial.points[0].tpr.tolist() == expected.tpr.tolist()
        assert trial.prior == is_positive.mean()


def test_classifiers_make_do_with_the_persons_there_are() -> None:
    few = run("three-classifiers", three_classifiers, videos(), targets=50, others=99)
    frame = few.frame().set_index(["artefact", "row", "column"]).sort_index()
    assert frame.loc[("text-4.1", "sample", "persons"), "value"] == 12
    areas = frame.loc["text-4.1"].xs("AUC", level="column")
    assert (areas["n"] == 12).all()


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


def test_a_tie_after_a_lead_may_end_it() -> None:
    edges = np.array([0.0, 0.1, 0.3, 0.6, 1.0])
    order = Ranges(edges, np.array([0, 1, 0, -1]))
    assert leads_up_to(order) == 0.6
    assert leads_up_to(order, "until a tie") == 0.3
    assert leads_up_to(Ranges(edges, np.array([0, 1, -1, 0])), "until a tie") == 0.3
    assert leads_up_to(Ranges(edges, np.array([0, -1, 1, 0])), "until a tie") == 0.0


def test_variants_of_ensembles_that_share_are_those_that_do_not() -> None:
    changes = {
        "last": {"ties": "last of the listing"},
        "test": {"envelope": "test"},
        "both": {"ties": "last of the listing", "envelope": "test"},
    }
    tables = scores("adaptive-ensembles", videos(), folds=3)
    measure = partial(run, "adaptive-ensembles", adaptive.adaptive_ensembles, videos(), tables)
    found, shared = {}, Shared()
    for name, change in changes.items():
        alone = measure(change)
        found[name] = measure(change | {"shared": shared, "beyond": False})
        frames = [made.curves["f-of-targets"] for made in (found[name], alone)]
        pd.testing.assert_frame_equal(*frames)
        lines = alone.frame().query("artefact == 'figure-11'").drop(columns="note")
        made = found[name].frame().drop(columns="note")
        pd.testing.assert_frame_equal(made, lines.reset_index(drop=True))
    first, best = (found[name].curves["f-of-targets"] for name in ("last", "test"))
    assert (best["f"] >= first["f"] - 1e-12).mean() > 0.9


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


def optima(positives: float, few: int, many: int) -> dict:
    """Frames of a classifier of two scores: `few` sure positives, or a share for `many` errors."""
    labels = np.repeat([True, False], [100, 1000])
    score = np.zeros(1100)
    score[: int(100 * positives)] = 1
    score[:few] = 2
    score[100 : 100 + many] = 1
    results = Results()
    choose_thresholds(
        results,
        {7: operating_points(labels, score)},
        conditions=[0.015, 0.285],
        coarse=np.arange(1, 31) / 100,
        alpha=0.5,
        near=0.1,
    )
    return results.curves


def test_where_optima_lie_is_measured_by_target() -> None:
    # 5 sure positives, or 90 of 100 at the price of 60 of 1000: cost takes the latter from 0.066
    near = optima(0.9, 5, 60)["near-origin"].iloc[0]
    assert 0.03 < near["cost"] < 0.09 and near["F"] == near["start"] == 0.01
    assert optima(0.9, 60, 60)["near-origin"].iloc[0]["cost"] == 0.01
    differ = optima(0.9, 5, 60)["differ"]
    assert (differ["target"] == 7).all() and (differ["low"] < differ["high"]).all()
    assert sorted(optima(0.9, 5, 60)["interpolated"]["panel"]) == ["a", "b", "c", "d"]


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


def test_gains_are_measured_by_target_and_setting() -> None:
    results = Results()
    gains = {0.1: (0.3, -0.1), 0.04: (0.0, -0.1)}
    report(results, measured(gains), [0.5], 50, np.random.default_rng(0))
    frame = results.frame().set_index(["artefact", "row", "column"]).sort_index()
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
    f = results.curves["f-of-targets"]
    assert f.groupby(["setting", "way"])["target"].nunique().tolist() == [3] * 4
    mine = f[(f["setting"] == 0.1) & (f["target"] == 1) & (f["way"] == "score average")]
    assert mine["f"].to_numpy() == pytest.approx(0.58)


@pytest.mark.parametrize(
    ("gain", "expected"),
    [([1, 1, -1, 1], 0.15), ([-1, 1, 1, 1], 0.0), ([1, 1, 1, 1], 1.0), ([1, 0, 1, 1], 0.1)],
)
def test_below_what_there_is_a_gain(gain, expected) -> None:
    assert better_below(PRIORS[:4], np.array(gain)) == pytest.approx(expected)


def test_targets_are_means_of_their_rounds() -> None:
    one = measured({0.1: (0.3, -0.1)})[0.1]
    values = one.by_target(np.arange(6.0))
    assert values.tolist() == [0.5, 2.5, 4.5]


def test_error_bars_are_variances_over_rounds(ensembles) -> None:
    curve = ensembles.curves["f"]
    line = curve[(curve["way"] == "pairwise") & (curve["sample"] == "test")]
    assert (line["rounds"] == 8).all() and (line["variance"] <= 0.25).all()
    values = ensembles.frame().query("row == 'P = 0.2; pairwise; P(+) = 0.5'")
    tested = values[values["column"] == "F on test"].iloc[0]
    drawn = line[(line["setting"] == 0.2) & (line["prior"] == 0.5)].iloc[0]
    assert drawn["mean"] == pytest.approx(tested["value"])
    assert drawn["variance"] == pytest.approx(tested["std"] ** 2)


def test_figure_11_states_the_printed_priors_below_which_ibc_is_better() -> None:
    given = configuration().artefacts["soleymani2020/figure-11"]["parameters"]["better_below"]
    assert given == {
        f"P_train=P_val=P_test={share}": end for share, end in ((0.1, 0.25), (0.04, 0.4))
    }
