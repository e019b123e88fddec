"""Reject options, hidden classes and two-stage systems, from small trained score tables."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem, t
from sklearn.metrics import roc_auc_score

from checkout import configured
from leads import printed_table
from measuring import entries, under_variants
from opchar.datasets.features import FeatureTable
from opchar.models.classifiers.one_class import GaussianDescription
from opchar.models.training import train
from opchar.reject.two_stage.design import TwoStageScores
from opchar.reject.two_stage.known_system import published_example
from opchar.seeds import spawner
from opchar.statistics.resampling import mean_of_holdouts
from opchar_reproduction.project.variants import variant_changes
from opchar_reproduction.publications.landgrebe2007.chapter5.case_study.measure import case_study
from opchar_reproduction.publications.landgrebe2007.chapter5.illustrations.measure import (
    example,
    unseen_class,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    after_rejection,
    area,
    by_test_set,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.sequential.measure import sequential
from opchar_reproduction.publications.landgrebe2007.chapter5.validation.measure import validation
from opchar_reproduction.publications.landgrebe2007.chapter6.known_example.measure import (
    known_example,
)
from opchar_reproduction.publications.landgrebe2007.chapter6.systems.designs import (
    ByClass,
    even_weights,
    log_densities,
)
from opchar_reproduction.publications.landgrebe2007.chapter6.systems.measure import systems
from opchar_reproduction.publications.studies.reject_curves import measure_curves as curves
from opchar_reproduction.publications.studies.two_stage_gain import gain
from opchar_reproduction.publications.studies.vuc_and_loss import AHEAD, predictions, vuc_and_loss
from opchar_reproduction.study import Shared

MODELS = configured("models")
ENTRIES = entries("experiments", "landgrebe2007")
SPAWN = spawner(3, "set", "protocol")
KINDS = ("target", "outlier", "unseen")
PLACES = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 8.0]])


def table_of(sizes, classes=KINDS, seed=0, **groups):
    rng = np.random.default_rng(seed)
    y = np.repeat(range(len(sizes)), sizes)
    X = PLACES[y] + rng.normal(size=(len(y), 2))
    return FeatureTable(X, y, classes[: len(sizes)], ("a", "b"), {"data": "set"}, groups)


def scored(features, protocol, *models, **parameters):
    entry = {"function": protocol, "parameters": parameters}
    return {("set", m): train(features, m, MODELS, entry, SPAWN) for m in models}


@pytest.fixture(scope="module")
def folds():
    return scored(
        table_of([90, 90]),
        "opchar.reject.unseen:artificial_folds",
        "reject qdc",
        "socmc gauss + qdc",
        folds=3,
        artificial=60,
    )


@pytest.fixture(scope="module")
def hidden():
    protocol = "opchar.reject.unseen:hidden_class"
    return scored(table_of([90, 90, 60]), protocol, "reject qdc", repeats=2, artificial=60)


@pytest.fixture(scope="module")
def stages():
    features = table_of([60, 60, 60], ("one", "two", "outlier"))
    protocol = "opchar.models.splits.protocols:holdout"
    return features, scored(
        features, protocol, "two-stage gauss + ldc", repeats=2, test=0.3, own=True
    )


def test_areas_are_those_of_the_library(folds):
    tests = by_test_set(next(folds["set", "reject qdc"].folds())[1])
    known = tests["known"]
    odds = known.log_odds("target")[1]
    assert area(odds[known.y == 0], odds[known.y == 1]) == pytest.approx(
        roc_auc_score(known.y == 0, odds)
    )
    kept = after_rejection(known, tests["training targets"], 0.05)
    assert area(kept[known.y == 0], kept[known.y == 1]) == pytest.approx(
        roc_auc_score(known.y == 0, kept)
    )
    own = after_rejection(tests["training targets"], tests["training targets"], 0.05)
    rejected = own == own.min()
    assert rejected.sum() == int(0.05 * 60)


def test_rejection_raises_what_tells_artificial_outliers_apart(folds):
    entry = {"data": "set", "reject": "reject qdc", "socmc": "socmc gauss + qdc"}
    names = {"base": "QDC", "detector": "Gauss"}
    results = sequential(folds, problems={"Mfeat A": entry | names}, same_model=entry, share=0.05)
    frame = results.curves["areas"]
    assert len(frame) == 3 * 3 * 3
    means = frame.groupby(["classifier", "measure"])["area"].mean()
    assert means["R", "rej1"] > means["M", "rej1"] + 0.1
    assert means["S", "rej1"] > means["M", "rej1"] + 0.1
    lines = results.frame("set").set_index(["artefact", "row", "column"])
    assert lines.loc[("table-5.1", "Mfeat A", "Base algorithm"), "basis"] == "input"
    printed = lines.loc[("figure-5.6", "Mfeat A / M (nearest mean)", "clf AUC"), "value"]
    assert printed == pytest.approx(100 * means["M", "clf"])
    posterior = lines.loc[("figure-5.6-variants", "Mfeat A / R by the posterior", "rej1 AUC")]
    assert posterior["value"] == pytest.approx(100 * means["M", "rej1"], abs=3)


def test_a_far_hidden_class_is_rejected(hidden):
    parameters = ENTRIES["landgrebe2007/reject-validation"]["parameters"]
    row = {"row": "A / QDC", "data": "set", "model": "reject qdc", "t_d": 0.005}
    results = validation(
        hidden,
        shared=Shared(),
        **parameters | {"rows": [row], "restricted": {"A": "A / QDC"}, "grid": [20, 10]},
    )
    frame = results.curves["validation"]
    assert (frame["gain"] > 3).all()
    assert frame["vuc"].between(0.5, 1).all()
    lines = results.frame("set").set_index(["artefact", "column"])["value"]
    others = lines["table-5.3-variants"]
    assert others["VUC, resampled"] == pytest.approx(frame["vuc"].mean(), abs=0.1)
    assert others["largest density of a training target"] < 1 / (2 * np.pi * 0.5)
    assert results.curves["restricted"]["restricted"].le(frame["vuc"] + 1e-12).all()
    tight = validation(
        hidden,
        shared=Shared(),
        **parameters | {"rows": [row | {"t_d": 0.9}], "restricted": {}, "grid": [20, 10]},
    )
    assert (tight.curves["validation"]["gain"] < frame["gain"] - 15).all()


def test_variants_that_share_give_what_the_validation_gives_under_each(hidden):
    entry = ENTRIES["landgrebe2007/reject-validation"]
    row = {"row": "A / QDC", "data": "set", "model": "reject qdc", "t_d": 0.005}
    given = {"rows": [row], "restricted": {"A": "A / QDC"}, "grid": [20, 10]}
    changed = variant_changes(entry["variants"] | {"combine": "single"})
    parameters = entry["parameters"] | given | {"scores": hidden}
    found = under_variants(validation, changed, **parameters | {"beyond": False})
    frames = {}
    for name, changes in changed.items():
        own = validation(**parameters | changes, shared=Shared())
        lines = own.frame("set")
        printed = lines[lines["artefact"] != "table-5.3-variants"].reset_index(drop=True)
        pd.testing.assert_frame_equal(found[name].frame("set"), printed)
        for frame in entry["variants"]["frames"]:
            pd.testing.assert_frame_equal(found[name].curves[frame], own.curves[frame])
        frames[name] = pd.concat([own.curves[frame] for frame in entry["variants"]["frames"]])
    same = [name for name, frame in frames.items() if frame.equals(frames["primary"])]
    others = ("lists of outliers: numbers of classes", "middle in size", "largest")
    assert same == ["primary", others[0], *[f"unseen cluster: {name}" for name in others[1:]]]


def test_bands_hold_their_curve_and_rates_are_monotone(hidden):
    results = curves(hidden, spawner(1, "x"), shares=[0.0, 0.1, 0.5], resamples=30, level=0.95)
    frame = results.curves["curves"]
    assert (frame["low"] <= frame["high"]).all()
    for kind, sign in (("targets missed", 1), ("hidden class accepted", -1)):
        rates = frame[frame["kind"] == kind]["rate"].to_numpy()
        assert (sign * np.diff(rates) >= 0).all()


def test_correlations_have_data_sets_as_units():
    models = ("reject nmc", "reject ldc", "reject qdc", "reject mogc 2")
    tables = {}
    for name, seed in (("one", 1), ("other", 2)):
        given = table_of([60, 60, 60], seed=seed)
        near = FeatureTable(
            given.X - 0.6 * PLACES[given.y], given.y, KINDS, ("a", "b"), {"data": name}
        )
        found = scored(
            near, "opchar.reject.unseen:leave_class_out", *models, artificial=40, most=60
        )
        tables |= {(name, model): table for (_, model), table in found.items()}
    results = vuc_and_loss(tables, share=0.1, level=0.9)
    frame = results.frame("set")
    means = frame[frame["row"] == "mean over data sets"]
    assert (means["n"] == 2).all()
    own = frame[(frame["column"] == "VUC and loss") & frame["row"].isin(["one", "other"])]
    expected = []
    for _, part in results.curves["vuc and loss"].groupby("data set"):
        ranks = part.groupby("model")[["vuc", "loss"]].mean().rank()
        expected.append(ranks.corr().iloc[0, 1])
    assert own["value"].tolist() == pytest.approx(expected)
    assert len(results.curves["vuc and loss"]) == 2 * 4 * 3
    lines = frame.set_index(["row", "column"])["value"]
    for name in ("one", "other"):
        both = lines[name, "VUC and loss"] + lines[name, "error on known classes and loss"]
        assert lines[name, AHEAD] == pytest.approx(-both)


def models_of_sets(volumes, errors):
    """Return models whose losses rise, on as many data sets as there are orders of the volume."""
    rows = [
        (f"set {place}", f"model {number}", 0, volume, number, 0.0, error)
        for place, both in enumerate(zip(volumes, errors, strict=True))
        for number, (volume, error) in enumerate(zip(*both, strict=True))
    ]
    names = ["data set", "model", "fold", "vuc", "loss", "vuc unseen", "known error"]
    return pd.DataFrame(rows, columns=names).assign(**{"vuc unseen": lambda f: -f["loss"]})


def answers(volumes, errors):
    lines = predictions(models_of_sets(volumes, errors), 0.95).frame("set")
    said = lines[lines["kind"] == "text"]["note"]
    return [text.split(".")[0] for text in said]


FALLING = ["43210", "43201", "42310", "43210", "34210", "43120"]
MIXED = ["31420", "13024", "20431", "02413", "41302", "24130"]


def test_the_answer_follows_the_effect():
    falling, mixed = ([[int(d) for d in one] for one in text] for text in (FALLING, MIXED))
    rising = [[-d for d in one] for one in falling]
    assert answers(falling, mixed) == ["yes", "yes"]
    assert answers(mixed, mixed)[0] == "not settled"
    assert answers(mixed, rising) == ["not settled", "no, it predicts worse"]
    assert answers(falling, rising) == ["yes", "not settled"]
    wrong = ["no, larger volumes go with larger losses", "no, it predicts worse"]
    assert answers(rising, mixed) == wrong
    assert answers([[1] * 5] * 6, rising) == ["not settled", "not settled"]


def test_the_answer_tells_the_interval_of_the_mean_over_data_sets():
    mixed = [[int(d) for d in one] for one in MIXED]
    lines = predictions(models_of_sets(mixed, mixed), 0.9).frame("set").set_index(["row", "column"])
    correlations = [np.corrcoef(one, range(5))[0, 1] for one in mixed]
    low, high = t.interval(0.9, 5, np.mean(correlations), sem(correlations))
    said = lines.loc[("mean over data sets", "VUC and loss"), "note"]
    assert said == f"90% interval of the mean over data sets: {low:.2f} to {high:.2f}"
    answer = lines.loc[lines["artefact"] == "reject-vuc-and-loss-answers", "note"].iloc[0]
    assert answer.endswith(f"mean {np.mean(correlations):.2f} over 6 data sets, {said}.")


def test_planar_examples_measure_what_is_called_target():
    sizes = [60, 60, 60]
    groups = {"draw": np.zeros(180, int), "part": np.tile(["train", "test"], 90)}
    features = table_of(sizes, KINDS, **groups)
    known = FeatureTable(
        features.X,
        features.y,
        KINDS,
        ("a", "b"),
        {"data": "set"},
        groups | {"part": np.where(features.y == 2, "test", groups["part"])},
    )
    protocol = "opchar.reject.unseen:drawn_and_grid"
    plain = unseen_class(scored(known, protocol, "qdc", grid=9), {"set": known})
    shares = plain.curves["accepted"].set_index("class")["accepted"]
    assert shares["target"] > 0.8
    assert shares["outlier"] < 0.3
    names = {"linear": "reject ldc", "SOCMC": "socmc gauss + ldc"}
    results = example(
        scored(known, protocol, *names.values(), grid=9),
        {"set": known},
        models=names,
        object_a=[0.0, 0.0],
        share=0.05,
    )
    frame = results.curves["performance"].set_index("model")
    assert (frame["A accepted"] == 1).all()
    assert (frame["unseen accepted"] < 0.1).all()
    assert len(results.curves["boundary"]) == 2 * 81


def test_the_case_study_compares_models_with_and_without_rejection():
    part = np.where(np.arange(240) % 2, "train", "independent 0")
    features = table_of([80, 80, 80], KINDS, part=part)
    names = {"LDC": "reject ldc", "MOGC": "reject mogc 1"}
    tables = scored(features, "opchar.reject.unseen:case_study", *names.values(), repeats=2, grid=9)
    given = {"t_d": 0.005, "at_fpr": 0.25, "grid": [20, 10], "surface": [9, 5]}
    results, other = (
        case_study(tables, {"set": features}, models=names, chosen_on=objects, **given)
        for objects in ("train", "test")
    )
    # Both classes have as many objects in the set, so that the least error is that of the mean.
    gained = results.curves["errors"]["known"] - other.curves["errors"]["known"]
    assert (gained >= 0).all()
    assert (gained > 0).any()
    errors = results.curves["errors"]
    assert (errors["eps_rej"] < errors["eps_norej"]).all()
    assert results.curves["volumes"]["vuc"].between(0.5, 1).all()
    assert (results.curves["operating points"]["fpr"] <= 0.25).all()
    # As a density 0.2 exceeds all there are; as a share of the largest one it rejects few targets.
    strict, mild = (
        case_study(tables, {"set": features}, models=names, unit=unit, **given | {"t_d": 0.2})
        for unit in ("density", "relative")
    )
    assert (strict.curves["errors"]["tpr"] == 0).all()
    assert mild.curves["errors"]["tpr"].between(0.5, 0.99).all()


def test_holistic_design_never_loses_more_where_it_is_chosen(stages):
    features, tables = stages
    problem = {
        "title": "Banana",
        "data": "set",
        "outlier": "outlier",
        "basis": "data",
        "systems": {"Gauss + LDC": "two-stage gauss + ldc"},
        "costs": {"Cost 1": [1, 1, 1], "Cost 2": [5, 1, 1]},
        "thresholds": [20, 20],
        "printed": {"Gauss + LDC": {"I": [0.9, -0.01], "H": [0.9, 0.5]}},
    }
    entry = ENTRIES["landgrebe2007/two-stage-systems"]
    parameters = entry["parameters"] | {"problems": [problem]}
    parameters |= {"scores": tables, "features": {"set": features}}
    results = systems(**parameters, shared=Shared())
    table = results.curves["losses"].pivot_table(
        index=["costs", "fold"], columns="design", values="loss"
    )
    assert (table["holistic"] <= table["independent"] + 1e-12).all()
    frame = results.frame("set").set_index(["artefact", "row", "column"])["value"]
    row = "Banana / Gauss + LDC H"
    given_up = frame["table-6.1", "Banana / rejecting all"]
    # A third of the objects is in each class, and each target that is missed costs what it costs.
    assert given_up.to_dict() == pytest.approx({"Cost 1": (1 + 1) / 3, "Cost 2": (5 + 1) / 3})
    exact = frame["table-6.1-variants", f"{row} / Cost 1", "exact, all thresholds"]
    assert exact <= frame["table-6.1", row, "Cost 1"] + 1e-12
    scaled = frame["table-6.1-variants", f"{row} / Cost 2", "costs divided by their sum"]
    assert scaled == pytest.approx(frame["table-6.1", row, "Cost 2"] / 7)
    for priors in ("sample", "equal", "none"):
        bound, least, most = (
            frame["table-6.1-bounds", "Banana / Gauss + LDC / Cost 1", f"{name}, priors: {priors}"]
            for name in ("lower bound of any design", "least loss found", "loss of rejecting all")
        )
        assert 0 <= bound <= least + 1e-12 and least <= most
        assert most == pytest.approx({"sample": 2 / 3, "equal": 2 / 3, "none": 2}[priors])
    assert least == pytest.approx(
        3 * frame["table-6.1-variants", f"{row} / Cost 1", "exact, all thresholds"]
    )
    counts = frame["table-6.1-possible", "Banana / priors: sample; costs as printed"]
    assert counts["printed losses"] == 4
    assert counts["below the bound of any design"] == 1
    assert counts["holistic, above the loss of rejecting all"] == 1
    assert counts["independent, above the loss of rejecting all"] == 1
    assert counts["between both"] == 1
    changed = variant_changes(entry["variants"] | {"combine": "single"})
    found = under_variants(systems, changed, **parameters | {"beyond": False})
    assert len({tuple(one.frame("set")["value"]) for one in found.values()}) > 3
    for name in ("priors: none in the loss", "thresholds chosen on: training objects"):
        own = systems(**parameters | changed[name], shared=Shared())
        pd.testing.assert_frame_equal(found[name].curves["losses"], own.curves["losses"])


def test_a_density_for_each_class_accepts_by_that_of_the_class_assigned():
    """Eqs. 6.8 and 6.9 by loops over objects and thresholds, densities by the library's model."""
    rng = np.random.default_rng(3)
    names = np.array(["A", "B", "outlier"], dtype=object)[np.arange(90) % 3]
    X = rng.normal(size=(90, 2)) + 2.0 * (names == "A")[:, np.newaxis]
    label, posterior = np.where(names == "outlier", -1, names == "B"), rng.uniform(size=90)
    outputs = np.stack([posterior, 1 - posterior], axis=1)
    found = log_densities(X, names, ["A", "B"], 0, np.arange(60))
    normal = []
    for name in "AB":
        own = GaussianDescription().fit(X[:60][names[:60] == name])
        volume = np.linalg.slogdet(2 * np.pi * own.covariance_).logabsdet
        normal.append((own.score_samples(X) - volume) / 2)
    assert found == pytest.approx(np.stack(normal, axis=1))
    costs, weights = np.array([1.0, 2.0, 4.0]), even_weights(7)
    system = ByClass(TwoStageScores(label, np.zeros(90), outputs), found)
    best = system.best([*weights], 11, costs, None, None)
    losses = []
    for theta, weight in product(np.linspace(found.max(axis=1).min(), found.max(), 11), weights):
        loss = 0.0
        for own, scores, density in zip(label, outputs, found, strict=True):
            called = int((scores * weight).argmax())
            passes = density[called] >= theta
            wrong = passes if own < 0 else not passes or called != own
            loss += costs[own] * wrong / 90
        losses.append(loss)
    assert best.loss == pytest.approx(min(losses))
    judged = system.with_classes(best.theta_c).design(best.theta_d, best.theta_c, costs)
    assert judged.loss == pytest.approx(best.loss)
    alone = system.best([*weights], 11, costs, None, "summed")
    judged = system.with_classes(alone.theta_c).design(alone.theta_d, alone.theta_c, costs)
    assert judged.loss >= best.loss - 1e-12


def test_gains_have_intervals_and_the_loss_of_rejecting_all_beside_them(stages):
    given = {"first_costs": [0.001, 4.0], "outlier_priors": [0.5, 0.99], "steps": 3, "level": 0.95}
    saved = gain(stages[1], outlier="outlier", **given)
    frame = saved.curves["gain"]
    assert (frame["on training objects"] >= -1e-12).all()
    lines = saved.frame("set").set_index(["row", "column"])["value"]
    for cost, prior in product(given["first_costs"], given["outlier_priors"]):
        row = lines[f"set / gauss + ldc / c_t1 = {cost:g}, p(w_o) = {prior:g}"]
        own = frame[(frame["c_t1"] == cost) & (frame["prior"] == prior)]
        mean, low, high = mean_of_holdouts(100 * own["on test objects"], 0.3 / 0.7)
        assert row["on test objects"] == pytest.approx(mean, abs=1e-9)
        ends = [row[f"on test objects, 95% interval, {end}"] for end in ("low", "high")]
        assert ends == pytest.approx([low, high], abs=1e-9)
        assert row["loss of rejecting all"] == pytest.approx((cost + 1) * (1 - prior) / 2)
        words = "hold-outs in which the holistic design rejects all"
        assert row[words] == own["rejects all"].sum()


def test_the_printed_losses_that_are_held_against_bounds_are_those_of_the_table():
    table = printed_table("landgrebe2007", "table-6.1")
    problems = ENTRIES["landgrebe2007/two-stage-systems"]["parameters"]["problems"]
    held = [
        (f"{problem['title']} / {name} {design}", column, value)
        for problem in problems
        for name, designs in problem["printed"].items()
        for design, values in designs.items()
        for column, value in zip(problem["costs"], values, strict=True)
    ]
    assert len(held) == table.notna().sum().sum() == 48
    assert all(table.loc[row, column] == value for row, column, value in held)


def example_of(**changed):
    """Return the parameters of the example in small, with so many thresholds of the detector."""
    given = ENTRIES["landgrebe2007/two-stage-example"]["parameters"]
    return given | {"thetas": 11, "other_costs": [0.0, 1.0, 3]} | changed


def test_variants_that_share_give_what_the_example_gives_under_each():
    entry = ENTRIES["landgrebe2007/two-stage-example"]
    # The losses for a few thresholds are the same under all variants, and in none of these.
    parameters = example_of(numbers=[], beyond=False)
    changed = {
        "likelier target": {"density": "either", "criterion": "equal error"},
        "difference": {"rule": "difference", "acceptance": "by stage", "classifier": "error"},
        "ten of the likelier": {"detectors": 10, "density": "either"},
    }
    found = under_variants(known_example, changed, **parameters)
    for name, changes in changed.items():
        own = known_example(**parameters | changes, shared=Shared())
        pd.testing.assert_frame_equal(found[name].frame(), own.frame())
        for frame in entry["variants"]["frames"]:
            pd.testing.assert_frame_equal(found[name].curves[frame], own.curves[frame])
    designs = published_example().independent()
    for name, design in (
        ("likelier target", "either; equal error; costs; by class"),
        ("difference", "merged; costs; error; by stage"),
    ):
        independent, _ = found[name].frame()["value"].tolist()[-2:]
        assert independent == pytest.approx(designs[design].loss, abs=1e-6)
