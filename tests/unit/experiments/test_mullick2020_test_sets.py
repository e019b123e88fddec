"""Indices over test sets by RRT: counted, averaged and divided into distortion and sampling."""

import inspect
from functools import partial

import numpy as np
import pandas as pd
import pytest

from checkout import configured
from measuring import entries, under_variants
from opchar.datasets.features import FeatureTable
from opchar.datasets.images.deep import deep_features
from opchar.datasets.text_readers import keel_sets
from opchar.errors import DataError
from opchar.metrics import g_mean, precision
from opchar.models.splits.protocols import splits
from opchar.models.splits.representatives import TEST_SETS, drawn_problems, paired_classes
from opchar.models.training import train
from opchar.seeds import spawner
from opchar_reproduction.publications.mullick2020 import problems
from opchar_reproduction.publications.mullick2020.deviations import (
    deviations,
    least_values,
    mean_performances,
    performances,
    record_order,
    with_threshold,
)
from opchar_reproduction.publications.mullick2020.test_sets import judge
from opchar_reproduction.publications.mullick2020.test_sets import measure as experiments
from opchar_reproduction.study import Shared

VOCABULARY = configured("models")
ENTRIES = entries("experiments", "mullick2020")
PROBLEMS = {
    "function": "opchar.models.splits.representatives:drawn_problems",
    "parameters": {"sizes": [2, 2], "ratios": [5.0, 8.0], "folds": 2, "repeats": 1},
}
MANY = PROBLEMS | {"parameters": PROBLEMS["parameters"] | {"sizes": [3, 10]}}
MODELS = ENTRIES["mullick2020/two-class"]["parameters"]["classifiers"]
PRIMARY = {
    "classifiers": MODELS,
    "threshold": "as published",
    "zero_division": 0.0,
    "averaging": "pooled",
    "divisor": "n - 1",
}
TREES = {
    f"{trees} trees": {
        "classifiers": {
            model.replace("rusboost10", f"rusboost10 {trees}"): name
            for model, name in MODELS.items()
        }
    }
    for trees in ("stumps", "full")
}


@pytest.fixture(scope="module")
def features():
    X, y = deep_features([42] * 10, np.random.default_rng(0), d=8, intrinsic=6)
    names = tuple(f"x{number}" for number in range(8))
    classes = tuple("abcdefghij")
    return FeatureTable(X.astype(float), y, classes, names, {"data": "stand-in for flowers"})


def scores(features, protocol):
    trained = partial(train, features, vocabulary=VOCABULARY, protocol=protocol)
    models = [*MODELS, *("sc rusboost10 stumps", "sc rusboost10 full")]
    return {("set", model): trained(model, spawn=spawner(1, "set")) for model in models}


@pytest.fixture(scope="module")
def two(features):
    return scores(features, PROBLEMS)


@pytest.fixture(scope="module")
def many(features):
    return scores(features, MANY)


def measured(function, tables, **changes):
    settings = PRIMARY | {"draws": 5}
    if function is experiments.multi_class:
        settings["least_of"] = "mean performances"
    return function(tables, spawner(2, "experiment"), Shared(), **settings | changes)


def test_problems_of_the_protocol_are_drawn_once_for_all_models(features):
    made = list(splits(PROBLEMS, features.y, spawner(1, "set")))
    assert [one.fold for one in made] == [fold for fold in range(4) for _ in TEST_SETS]
    assert {one.about["problem"] for one in made} == {"1", "2"}
    for one in made:
        sizes = np.bincount(one.y[one.train])
        assert sizes.tolist() == one.about["training"] and sizes[0] < sizes[1]
        assert (one.y[one.test] >= 0).all() and not set(one.train) & set(one.test)
    first = list(drawn_problems(features.y, spawner(1, "set"), first=1, **PROBLEMS["parameters"]))
    assert [one.fold for one in first] == [0] * 5 + [2] * 5
    assert all(
        np.array_equal(a.train, b.train)
        for a, b in zip(first, [m for m in made if m.fold % 2 == 0], strict=True)
    )


def test_too_few_classes_are_refused(features):
    few = features.y % 3
    with pytest.raises(DataError, match="problem 2: 10 classes are wanted and the set has 3"):
        list(drawn_problems(few, spawner(1), **MANY["parameters"]))


def test_pairs_of_classes_are_problems_smallest_class_first():
    y = np.repeat([0, 1, 2, 3], [40, 10, 6, 60])
    made = list(paired_classes(y, spawner(1), folds=3, repeats=1))
    assert len(made) == 2 * 3 * 5
    assert set(y[made[0].train][made[0].y[made[0].train] == 0]) == {1}
    assert set(y[made[-1].train][made[-1].y[made[-1].train] == 0]) == {2}
    assert len(list(paired_classes(y, spawner(1), folds=3, repeats=1, most=50))) == 3 * 5


def test_a_mean_performance_is_over_the_folds(two):
    table = two["set", "sc rusboost10"]
    called = table.scores.argmax(axis=1)
    means = []
    for name in TEST_SETS:
        values = []
        for fold in range(2):
            rows = (table.fold == fold) & (table.test_set == name)
            truth, guess = table.y[rows] == 0, called[rows] == 0
            tp, fn = (truth & guess).sum(), (truth & ~guess).sum()
            fp, tn = (~truth & guess).sum(), (~truth & ~guess).sum()
            values.append(float(g_mean(tp, fn, fp, tn)))
        means.append(np.mean(values))
    counted = problems.counted_problems({("set", "sc rusboost10"): table}, MODELS)
    found = mean_performances(performances(counted, {"GMean": experiments.TWO["GMean"]}))
    first = found[found["problem"] == "2 classes, 1"]
    assert first["value"].to_numpy() == pytest.approx(np.array(means))


STEPS = np.array([0.0, 0.1, 0.2, 0.1, 0.0])


def means_of(levels, names=("GMean",)):
    """Return means of one problem: each classifier at its level, with the same steps."""
    return pd.DataFrame(
        [
            ("p", 2, model, name, test_set, base + step)
            for model, base in levels.items()
            for name in names
            for test_set, step in zip(TEST_SETS, STEPS, strict=True)
        ],
        columns=["problem", "classes", "classifier", "index", "test set", "value"],
    )


def test_both_ways_of_averaging():
    table = means_of({"NBSVM": 0.0, "RUSBoost": 0.6, problems.UNSHIFTED: 0.6})

    def found(threshold, averaging, divisor="n"):
        chosen = with_threshold(table, threshold)
        return float(deviations(chosen, averaging=averaging, divisor=divisor)["deviation"].iloc[0])

    assert found("as published", "per classifier") == pytest.approx(STEPS.std())
    assert found("as published", "pooled") == pytest.approx(np.sqrt(STEPS.var() + 0.3**2))
    assert found("without its shift", "pooled") == pytest.approx(STEPS.std())
    sample = found("as published", "per classifier", "n - 1")
    assert sample == pytest.approx(STEPS.std(ddof=1))
    with pytest.raises(ValueError, match="averaging is one of pooled, per classifier"):
        found("as published", "by hand")


def test_each_kind_of_least_value():
    means = means_of({"NBSVM": 0.1, "RUSBoost": 0.5})
    single = pd.concat([means.assign(value=means["value"] + shift) for shift in (-0.05, 0.05)])
    kinds = {
        kind: float(least_values(means, single, least_of=kind)["minimum"].iloc[0])
        for kind in ("mean performances", "single folds", "test sets", "classifiers")
    }
    assert kinds == pytest.approx(
        {
            "mean performances": 0.1,
            "single folds": 0.05,
            "test sets": 0.3,
            "classifiers": 0.1 + STEPS.mean(),
        }
    )
    with pytest.raises(ValueError, match="least_of is one of"):
        least_values(means, single, least_of="all")


def test_the_order_of_the_indices_is_counted_over_problems():
    rows = [("p", "a", 0.3), ("p", "b", 0.2), ("p", "c", 0.1), ("q", "a", 0.1), ("q", "b", 0.2)]
    table = pd.DataFrame([*rows, ("q", "c", 0.0)], columns=["problem", "index", "deviation"])
    results = experiments.Results()
    record_order(results, "some", table)
    found = results.frame().set_index(["row", "column"])["value"]
    assert found["a", "b"] == 0.5 and found["a", "c"] == 1 and found["c", "b"] == 0
    assert found["a", "all others"] == 0.5 and found["c", "all others"] == 0


SETTINGS = {
    "averaged": {"averaging": "per classifier"},
    "not shifted": {"threshold": "without its shift", "divisor": "n"},
    "left out": {"zero_division": None},
    **TREES,
}


@pytest.mark.check
def test_variants_that_share_are_those_that_do_not(two, many):
    """A variant gives what the experiment gives when its parameters are replaced."""
    for function, tables, settings in (
        (experiments.two_class, two, SETTINGS),
        (experiments.multi_class, many, TREES | {"folds": {"least_of": "single folds"}}),
    ):
        given = PRIMARY | {"scores": tables, "spawn": spawner(2, "experiment"), "beyond": False}
        found = under_variants(function, settings, **given)
        for name, changes in settings.items():
            alone = measured(function, tables, beyond=False, **changes)
            for frame, kept in found[name].curves.items():
                pd.testing.assert_frame_equal(kept, alone.curves[frame])
        stumps, full = (
            found[f"{trees} trees"].curves["deviations"] for trees in ("stumps", "full")
        )
        assert not stumps.equals(full)


def test_what_is_undefined_counts_as_said(two):
    shares = {}
    for value in (0.0, None):
        found = measured(experiments.two_class, two, zero_division=value).frame()
        rows = found["row"].str.startswith("share of test sets")
        shares[value] = found.loc[rows].set_index("column")["value"].to_dict()
    as_zero, left_out = shares.values()
    assert as_zero == left_out and set(as_zero) == set(experiments.TWO)
    assert np.isnan(precision(0, 3, 0, 9)) and precision(0, 3, 0, 9, 0.0) == 0


def test_every_experiment_measures_and_draws_the_same_again(two, many):
    for function, tables in (
        (experiments.two_class, two),
        (experiments.second_witness, two),
        (experiments.multi_class, many),
    ):
        once = measured(function, tables)
        assert once.frame("stand-in for flowers")["basis"].eq("stand-in").all()
        assert (once.curves["deviations"]["deviation"] >= 0).all()
        assert once.curves["rank stability"]["tau"].dropna().between(-1, 1).all()
        assert once.curves["power"]["power"].between(0, 1).all()
    again = measured(experiments.multi_class, many)
    pd.testing.assert_frame_equal(once.frame(), again.frame())
    spread = once.curves["sampling spread"]
    distortion = spread.groupby("index")["distortion"].max()
    assert distortion[["GMean", "ACSA", "mAURPC-OVA"]].max() < 1e-9
    assert distortion[["nAUROC-OVA", "AURPC-OVA"]].min() > 1e-6
    minima = once.frame()
    ten = minima[minima["row"] == "one ten-class dataset"]
    assert ten["column"].tolist() == ["minimum GMean"]


def test_parameters_of_the_configuration_are_those_of_the_functions():
    for name in ("two-class", "multi-class", "second-witness"):
        entry = ENTRIES[f"mullick2020/{name}"]
        function = getattr(experiments, entry["function"].split(":")[1])
        wanted = set(inspect.signature(function).parameters) - {"scores", "spawn", "shared"}
        assert wanted == set(entry["parameters"])
        models = {model for group in entry["scores"] for model in group["models"]}
        trees = entry["variants"]["dimensions"].get("trees of RUSBoost", {"values": {}})["values"]
        others = {m for values in trees.values() for m in values.get("instead", {}).values()}
        assert models == {*entry["parameters"]["classifiers"], *others}


def test_several_keel_files_become_one_table(tmp_path):
    head = "@relation x\n@attribute Sex {M, F}\n@attribute Length real [0, 1]\n"
    tail = "@attribute Class {positive, negative}\n@inputs a\n@outputs Class\n@data\n"
    (tmp_path / "one.dat").write_text(f"{head}{tail}F, 0.5, positive\nM, 0.25,negative\n")
    short = "@relation y\n@attribute W real [0, 1]\n"
    (tmp_path / "two.dat").write_text(f"{short}{tail}0.75, negative\n")
    table = keel_sets([tmp_path / "one.dat", tmp_path / "two.dat"])
    assert table.X.tolist() == [[1, 0.5], [0, 0.25], [0.75, 0]]
    assert table.labels.tolist() == ["one positive", "one negative", "two negative"]
    (tmp_path / "two.dat").write_text(f"{head}{tail}X, 0.5, positive\n")
    with pytest.raises(DataError, match=r"two\.dat"):
        keel_sets([tmp_path / "two.dat"])
    (tmp_path / "two.dat").write_text("nothing")
    with pytest.raises(DataError, match="no @data line"):
        keel_sets([tmp_path / "two.dat"])


@pytest.mark.parametrize("rows", [[], [[0.0, 0.0]]])
def test_problems_without_deviations_are_said_in_words(rows):
    """The evidence was "median ratio nan"."""
    found = judge._slightly_more(pd.DataFrame(rows, columns=["a", "b"]), "a", "b", 0.5, 2.0)
    assert not found.holds
    assert found.evidence == "there is no problem on which a or b varies"
