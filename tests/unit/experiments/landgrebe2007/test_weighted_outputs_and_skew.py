import numpy as np
import pytest

from drawn import drawn
from measuring import entries, named, parts_that_cannot_fail
from opchar.models.classifiers.gaussian import qdc
from opchar_reproduction.publications.landgrebe2007.chapter1.design_chain.measure import (
    design_chain,
)
from opchar_reproduction.publications.landgrebe2007.chapter1.weighted_outputs import (
    weighted_outputs,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.skew.measure import (
    accuracy_and_precision,
)
from opchar_reproduction.statements.measurements import Measurements


def judged_by_parts(number, results, parts):
    """Each of so many parts holds, and fails on a control."""
    entry = entries("statements", "landgrebe2007")[f"landgrebe2007:{number}"]
    measured = Measurements(results.frame(), results.curves)
    leaves = named(entry["function"])(measured).leaves
    return list(leaves.values()) == [True] * parts and not parts_that_cannot_fail(entry, measured)


@pytest.fixture(scope="module")
def three_classes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    return drawn("three-gaussians", "qdc", "drawn", folder, train=50, test=300, plane=2000)


def outputs(three_classes, weights):
    scores, features = three_classes
    return weighted_outputs(scores=scores, features=features, weights=weights, nodes=21)


def test_weights_reassign_objects_and_equal_ones_do_not(three_classes):
    moved = outputs(three_classes, [1.0, 0.3, 0.8])
    still = outputs(three_classes, [1.0, 1.0, 1.0])
    assert len(moved.curves["objects"]) == 150
    counts, none = moved.curves["reassigned"], still.curves["reassigned"]
    assert counts["objects"].sum() == none["objects"].sum() == 900
    assert (none["before"] == none["after"]).all()
    assert counts.loc[counts["before"] != counts["after"], "objects"].sum() > 0
    value = moved.frame().set_index(["row", "column"])["value"]
    before, after = (
        value[f"class 2, {series}", "recognised"] for series in ("equal weights", "weighted")
    )
    assert after < before
    assert judged_by_parts("1067", moved, 2)


def test_margins_are_zero_on_the_boundaries(three_classes):
    grid = outputs(three_classes, [1.0, 0.3, 0.8]).curves["decisions"]
    assert not grid["margin_1"].isna().any()
    assert grid["series"].unique().tolist() == ["equal weights", "weighted"]
    first, others = grid["margin_1"], grid["margin_23"]
    assert (others.isna() == (first > 0)).all()
    equal, weighted = (grid[grid["series"] == name] for name in grid["series"].unique())
    assert (weighted["margin_1"] > 0).sum() > (equal["margin_1"] > 0).sum()
    both = weighted["margin_23"].to_numpy() - equal["margin_23"].to_numpy()
    assert both[~np.isnan(both)] == pytest.approx(np.log(0.3 / 0.8))


def test_the_chain_keeps_its_order_and_marks_where_characteristics_serve():
    found = design_chain(stages=[["a", "first", ""], ["b", "then", "ROC"]])
    assert found.curves["stages"]["name"].tolist() == ["a", "b"]
    texts = found.frame().set_index(["row", "column"])["note"]
    assert texts["1. a", "operating characteristics"] == "-"
    assert texts["2. b", "operating characteristics"] == "ROC"


def test_margins_on_the_grid_are_those_of_the_classifier(three_classes):
    _, features = three_classes
    grid = outputs(three_classes, [1.0, 1.0, 1.0]).curves["decisions"].iloc[: 21 * 21]
    (objects,) = features.values()
    trained = objects.groups["part"] == "train"
    classifier = qdc().fit(objects.X[trained], objects.y[trained])
    one, two, three = np.log(classifier.predict_proba(grid[["x1", "x2"]].to_numpy())).T
    margin = one - np.maximum(two, three)
    near = np.abs(margin) < 3
    assert near.sum() > 50
    assert np.abs(grid["margin_1"].to_numpy() - margin)[near].max() < 0.1


@pytest.fixture(scope="module")
def highleyman_scores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("highleyman")
    return drawn("highleyman-skew", "ldc", "drawn", folder, train=500, test=2000)[0]


@pytest.mark.parametrize("positive", ["w1", "w2"])
def test_accuracy_goes_to_the_majority_and_precision_to_nothing(highleyman_scores, positive):
    found = accuracy_and_precision(
        scores=highleyman_scores, positive=positive, skews=[1.0, 1000.0], steps=31
    )
    rate = found.frame().set_index(["row", "column"])["value"]
    tpr, tnr = (rate["linear discriminant", name] for name in ("TP_r", "TN_r"))
    (table,) = highleyman_scores.values()
    right = table.scores.argmax(axis=1) == table.y
    assert tpr == right[table.y == table.classes.index(positive)].mean()
    curve = found.curves["skew"]
    assert curve["accuracy"].iloc[0] == pytest.approx((tpr + tnr) / 2)
    assert curve["accuracy"].iloc[-1] == pytest.approx(tnr, abs=1e-3)
    expected = tpr / (tpr + curve["skew"] * (1 - tnr))
    assert curve["precision"].to_numpy() == pytest.approx(expected.to_numpy())
    assert positive == "w2" or judged_by_parts("0091", found, 3)
