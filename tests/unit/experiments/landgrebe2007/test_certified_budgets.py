"""What branch and bound gives for each budget."""

from dataclasses import replace

import numpy as np
import pytest

from opchar.multiclass.cost_weights import algorithms
from opchar.multiclass.cost_weights.line_search import swept
from opchar.multiclass.cost_weights.pairs import pair_weights
from opchar.multiclass.cost_weights.problem import cost_problem
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar_reproduction.publications.studies.certified_budgets.draw import (
    certified_budgets as drawn,
)
from opchar_reproduction.publications.studies.certified_budgets.measure import (
    ABOVE,
    EFFORT,
    PROVEN,
    certified_budgets,
    searches_of_pairs,
)

LADDER = [1, 10, 100, 100_000]


def scored(classes=4, objects=160, seed=3):
    rng = np.random.default_rng(seed)
    y = np.arange(objects) % classes
    scores = rng.dirichlet(np.ones(classes), objects) + 0.5 * np.eye(classes)[y]
    scores /= scores.sum(axis=1, keepdims=True)
    fold, names = np.zeros(objects, dtype=int), tuple("abcdefgh"[:classes])
    return ScoreTable(fold, np.arange(objects), y, scores, names, {"data": "drawn"})


def measured(table, **changes):
    given = {"matrices": 3, "law": "uniform", "search": "grid", "cap": 9, "nodes": LADDER}
    sets = [{"data": "drawn", "row": "Drawn"} | changes]
    return certified_budgets(
        scores={("drawn", "model"): table}, spawn=spawner(1, "t"), sets=sets, **given
    )


def test_more_nodes_never_prove_or_find_less_and_the_last_budget_finds_the_optimum():
    found = measured(scored())
    budgets = found.curves["budgets"].sort_values(["scenario", "budget"])
    for column in ("gap", "above"):
        steps = budgets.groupby("scenario")[column].diff().dropna()
        assert (steps <= 1e-9).all() and budgets[column].min() >= 0
    last = budgets[budgets["budget"] == LADDER[-1]]
    assert last["gap"].tolist() == last["above"].tolist() == [0, 0, 0]
    first = budgets[budgets["budget"] == 1]
    assert (first["gap"] > 0).all() and (first["nodes"] == 1).all()
    assert (found.curves["algorithms"]["above"] >= 0).all()
    lines = found.frame().set_index(["row", "column"])
    assert lines.loc[("Drawn / 1 nodes", PROVEN), "value"] == pytest.approx(first["gap"].mean())
    assert lines.loc[("Drawn / 100000 nodes", "proven"), "note"] == "3 of 3 optimal"
    assert lines.loc[("Drawn / Greedy", EFFORT), "value"] == 12
    assert lines.loc[("Drawn / Default", EFFORT), "value"] == 0


def test_dear_sets_stop_at_the_budget_that_is_given():
    budgets = measured(scored(), most=10).curves["budgets"]
    assert sorted(set(budgets["budget"])) == [1, 10]


def test_nothing_is_above_a_best_loss_of_zero():
    table = scored(objects=40)
    lines = measured(replace(table, scores=np.eye(4)[table.y] + 0.01)).frame()
    said = lines[lines["column"] == ABOVE]["note"]
    assert set(said) == {"the best loss is zero"}


@pytest.mark.parametrize(
    ("classes", "number", "cap"), [(4, 6, 9), (5, 4, 9), (6, 15, 7), (2, 1, 9)]
)
def test_line_searches_of_pairs_are_those_that_are_made(monkeypatch, classes, number, cap):
    table = scored(classes)
    costs = np.random.default_rng(0).uniform(size=(1, classes, classes))
    problem = cost_problem(table.y, table.scores, costs)
    made = []

    def counted(problem, start, matrices, units, orders, *rest):
        made.append(int((orders >= 0).sum()))
        return swept(problem, start, matrices, units, orders, *rest)

    def weights(*given, **options):
        made.append(1)
        return pair_weights(*given, **options)

    monkeypatch.setattr(algorithms, "swept", counted)
    monkeypatch.setattr(algorithms, "pair_weights", weights)
    algorithms.pairwise(problem, np.random.default_rng(5), number=number, cap=cap)
    rng = np.random.default_rng(5)
    assert searches_of_pairs(problem, rng, number=number, cap=cap) == sum(made)


def test_each_set_has_a_panel_with_both_lines_and_the_algorithms():
    found = measured(scored())
    figure = drawn(found.frame(), found.curves)
    (panel,) = figure.axes
    assert len(panel.lines) == 5
    assert panel.lines[0].get_ydata()[-1] == panel.lines[1].get_ydata()[-1] == 0
