import numpy as np
import pytest

from opchar.experiments.landgrebe2007.introduction import design_chain, weighted_outputs
from opchar.experiments.landgrebe2007.skew import accuracy_and_precision
from opchar.seeds import spawner


def outputs(weights):
    return weighted_outputs(
        spawn=spawner(1, "test"),
        means=[[0.0, 0.0], [2.5, 0.5], [1.0, 3.0]],
        covariances=[np.eye(2).tolist()] * 3,
        objects=50,
        test_objects=300,
        weights=weights,
        nodes=21,
    )


def claim(results):
    return results.frame().query("kind == 'claim'").iloc[0]


def test_weights_move_the_boundary_and_equal_ones_do_not():
    moved, still = outputs([1.0, 0.3, 0.8]), outputs([1.0, 1.0, 1.0])
    assert claim(moved)["value"] == 1
    assert claim(still)["value"] == 0
    assert claim(still)["note"].startswith("0.0 % of 900")
    value = moved.frame().set_index(["row", "column"])["value"]
    before, after = (
        value[f"class 2, {series}", "recognised"] for series in ("equal weights", "weighted")
    )
    assert after < before


def test_margins_are_zero_on_the_boundaries():
    grid = outputs([1.0, 0.3, 0.8]).curves["decisions"]
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


def skewed(**changed):
    parameters = {
        "objects": 500,
        "test_objects": 2000,
        "positive": 1,
        "skews": [1.0, 1000.0],
        "steps": 31,
        "negligible": 0.01,
    }
    return accuracy_and_precision(spawn=spawner(1, "test"), **(parameters | changed))


@pytest.mark.parametrize("positive", [1, 2])
def test_accuracy_goes_to_the_majority_and_precision_to_nothing(positive):
    found = skewed(positive=positive)
    assert claim(found)["value"] == 1
    rate = found.frame().set_index(["row", "column"])["value"]
    tpr, tnr = (rate["linear discriminant", name] for name in ("TP_r", "TN_r"))
    curve = found.curves["skew"]
    assert curve["accuracy"].iloc[0] == pytest.approx((tpr + tnr) / 2)
    assert curve["accuracy"].iloc[-1] == pytest.approx(tnr, abs=1e-3)
    expected = tpr / (tpr + curve["skew"] * (1 - tnr))
    assert curve["precision"].to_numpy() == pytest.approx(expected.to_numpy())


def test_without_skew_the_statement_fails():
    assert claim(skewed(skews=[1.0, 2.0]))["value"] == 0
