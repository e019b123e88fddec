"""Definitions and algorithms of chapters 4 to 6, followed step by step."""

from itertools import pairwise

import numpy as np
import pytest

from measuring import entries
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.worked_algorithms import (
    worked_algorithms,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.worked_decomposition import (
    worked_decomposition,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.worked_rules import worked_rules
from opchar_reproduction.publications.landgrebe2007.chapter6.worked_rules import (
    worked_rules as two_stages,
)

COSTS = [[0.0, 0.2, 0.9, 0.1], [0.5, 0.0, 0.1, 0.3], [0.1, 0.4, 0.0, 0.7], [0.6, 0.2, 0.3, 0.0]]


def table():
    rng = np.random.default_rng(4)
    y = np.arange(240) % 4
    scores = np.exp(1.5 * np.eye(4)[y] + rng.normal(size=(240, 4)))
    scores /= scores.sum(axis=1, keepdims=True)
    fold = np.zeros(len(y), dtype=int)
    return ScoreTable(fold, np.arange(240), y, scores, tuple("abcd"), {"data": "four"})


def lines(found):
    return found.frame().set_index(["artefact", "row", "column"])["value"].sort_index()


@pytest.fixture(scope="module")
def algorithms():
    scores = {("four", "m"): table()}
    return lines(
        worked_algorithms(scores=scores, spawn=spawner(1, "t"), costs=COSTS, profit=0.3, restarts=3)
    )


def test_rates_and_loss_follow_from_the_scores(algorithms):
    rates = algorithms["table-4.1"].to_numpy().reshape(4, 4)
    given = table()
    called = given.scores.argmax(axis=1)
    for i in range(4):
        own = called[given.y == i]
        np.testing.assert_allclose(rates[i], np.bincount(own, minlength=4) / len(own))
    expected = (rates * COSTS).sum() / 4
    assert algorithms["eq-4.6", "no profits", "L, Eq. 4.6"] == pytest.approx(expected)
    for row in ("no profits", "profits of 0.3"):
        ours = algorithms["eq-4.6", row, "L, this library"]
        assert ours == pytest.approx(algorithms["eq-4.6", row, "L, Eq. 4.6"])
    gained = algorithms["eq-4.6", "profits of 0.3", "profits"]
    assert gained == pytest.approx(0.3 * np.trace(rates) / 4)


def test_the_utility_needs_all_cells(algorithms):
    utility = algorithms["eq-4.18"]
    for row in ("no error", "equal weights", "chance", "always the dearest class"):
        assert utility[row, "all cells"] == pytest.approx(utility[row, "MSU, this library"])
    assert utility["no error", "all cells"] == 1 and utility["chance", "all cells"] == 0
    assert utility["no error", "errors alone, as printed"] == 0


def test_the_moves_end_where_the_algorithms_do(algorithms):
    greedy = algorithms["algorithm-greedy"]
    last = [greedy[f"repetition {n}, move 4: class {c}", "loss"]
            for n in (1, 2, 3) for c in range(1, 5)
            if (f"repetition {n}, move 4: class {c}", "loss") in greedy.index]  # fmt: skip
    assert len(last) == 3
    assert greedy["repetition kept", "loss"] == pytest.approx(min(last))
    naive = algorithms["algorithm-naive"]
    alone = [naive[f"class {c} alone", "loss"] for c in range(1, 5)]
    # The grid has no step at one, so that a class alone may lose a little by it.
    assert min(alone) < naive["equal weights", "loss"]
    pairs = algorithms["algorithm-pairwise"]
    assert len([row for row, column in pairs.index if column == "AUC"]) == 6


def test_the_decomposition_falls_apart_as_the_threshold_rises():
    entry = entries("experiments", "landgrebe2007")["landgrebe2007/costs-worked-decomposition"]
    parameters = entry["parameters"] | {"costs": COSTS, "r": 16}
    found = worked_decomposition(
        scores={("four", "m"): table()}, spawn=spawner(1, "t"), **parameters
    )
    values = lines(found)
    weights = [values["algorithm-simple", f"class {c}", "weight"] for c in range(1, 5)]
    np.testing.assert_allclose(weights, np.sum(COSTS, axis=1) / 4)
    np.testing.assert_allclose(values["table-4.6"].to_numpy().reshape(4, 4).sum(axis=1), 1)
    named = [
        line["note"] for line in found.lines
        if line["artefact"] == "algorithm-decomp" and line["column"] == "groups"
    ]  # fmt: skip
    parts = [[set(group.split()) for group in text.split("; ")] for text in named]
    assert len(parts) == len(parameters["thresholds"])
    for coarse, fine in pairwise(parts):
        assert all(any(small <= large for large in coarse) for small in fine)


@pytest.fixture(scope="module")
def rules():
    entry = entries("experiments", "landgrebe2007")["landgrebe2007/reject-worked-rules"]
    small = {"grids": [11, 41], "objects": [50, 400]}
    return worked_rules(spawn=spawner(1, "t"), **(entry["parameters"] | small))


def test_rates_in_closed_form_are_the_integrals(rules):
    values = lines(rules)["eq-5.12"].unstack()
    for name in ("TP_r", "FP_r^o", "FP_r^r"):
        np.testing.assert_allclose(values[name], values[f"{name}, integral"], atol=2e-4)
        np.testing.assert_allclose(values[f"{name}, priors 1/3 as printed"], values[name] / 3)
    values = lines(rules)["eq-5.16"].unstack()
    # With all costs one the loss is the mean error.
    np.testing.assert_allclose(values["loss at these costs"], values["eps_rej"])


def test_the_sequential_classifier_calls_target_what_both_stages_do(rules):
    said = {
        (line["row"], line["column"]): line["note"]
        for line in rules.lines
        if line["kind"] == "text"
    }
    rows = {row for row, _ in said}
    assert len(rows) == 6
    for row in rows:
        both = said[row, "D_MCC, Eq. 5.2"] == said[row, "D_OCC, Eq. 5.3"] == "target"
        assert (said[row, "D_SOCMC, Eq. 5.7"] == "target") == both
        assert (said[row, "with distance reject"] == "target") == both
    stages = lines(rules)["algorithm-socmc"]
    assert stages["D_OCC alone", "TP_r"] == pytest.approx(0.95)
    sequence = stages["SOCMC, D_MCC of all objects"]
    for column in ("TP_r", "FP_r^o", "FP_r^r"):
        alone = min(stages[row, column] for row in ("D_OCC alone", "D_MCC alone"))
        assert sequence[column] <= alone + 1e-12


def test_both_thresholds_at_once_lose_no_more(rules):
    steps = lines(rules)["algorithm-5.3.3"].unstack()
    assert (steps["loss, both at once"] <= steps["loss, theta first"] + 1e-12).all()
    volumes = lines(rules)["eq-5.15"].unstack()
    assert volumes["area of the patch"].between(0, 1).all()


def test_the_two_stage_errors_are_the_integrals_of_the_rules_turned_round():
    values = lines(two_stages(points=[[0.01, 0.0], [0.05, -0.405], [0.13, 0.5]]))
    found = values["eq-6.8"].unstack()
    for name in ("eps_I", "eps_II", "FP_r^o", "L"):
        np.testing.assert_allclose(found[name], found[f"{name}, integral"], atol=1e-3)
    assert (found["eps_I, Eq. 6.7 as printed"] > 0.5).all()
