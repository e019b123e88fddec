"""Matrices, loss, utility and the searches for weights, step by step (Secs. 4.2.2 to 4.2.6)."""

from typing import Any

import numpy as np

from opchar.multiclass.cost_weights.algorithms import default, greedy, naive, pairwise
from opchar.multiclass.cost_weights.line_search import LineSearch, Search
from opchar.multiclass.cost_weights.pairs import kept_pairs, pair_auc, pair_weights
from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    Floats,
    confusion_counts,
    losses,
    mean_subjective_utilities,
)
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import of_set, scenarios
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

COSTS = settings(__file__, "../costs.csv")

SEARCH: Search = "grid and present"


@study(
    "costs-worked-algorithms",
    kind="costs",
    basis="illustration",
    scores=["prtools8 | shuffled-half-10-own | qdc"],
)
def worked_algorithms(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    costs: list[list[float]] = COSTS,
    profit: float = 0.05,
    restarts: int = 3,
) -> Results:
    """Follow each definition and algorithm of Sec. 4.2 on one split and one cost matrix.

    `profit`: On the whole diagonal, for the loss with profits.
    """
    (table,) = scores.values()
    matrix = np.array(costs, dtype=float)
    _, part = next(table.folds())
    problem = scenarios(part, matrix[None], priors="balanced").judged
    results = Results()
    counts = confusion_counts(problem, np.zeros(len(matrix)))
    rates = counts / counts.sum(axis=1, keepdims=True)
    cells(results, "table-4.1", rates, "rate", n=len(of_set(part, "test").y))
    cells(results, "table-4.2", matrix, "cost", basis="input")
    with_profits = matrix + profit * np.eye(len(matrix))
    gaining = scenarios(part, with_profits[None], priors="balanced").judged
    _loss(results, "no profits", rates, matrix, problem)
    _loss(results, f"profits of {profit:g}", rates, with_profits, gaining)
    _utility(results, rates, problem)
    _naive(results, problem)
    _greedy(results, problem, restarts, spawn)
    _pairwise(results, problem, restarts, spawn)
    return results


def cells(results: Results, artefact: str, matrix: Floats, unit: str, **about: Any) -> None:
    """Add the cells of a matrix over true and assigned classes."""
    for (i, j), value in np.ndenumerate(matrix):
        row, column = f"true class {i + 1}", f"assigned class {j + 1}"
        results.number(artefact, row, column, float(value), unit=unit, **about)


def _loss(results: Results, row: str, rates: Floats, costs: Floats, problem: CostProblem) -> None:
    """Add Eq. 4.6 term by term, its profits on the diagonal, and the loss of the library."""
    prior = 1 / len(rates)
    errors = rates * costs * (1 - np.eye(len(rates)))
    profits = np.diag(rates) * np.diag(costs)
    results.number("eq-4.6", row, "costs of errors", prior * errors.sum(), unit="loss")
    results.number("eq-4.6", row, "profits", prior * profits.sum(), unit="loss")
    printed = prior * errors.sum() - prior * profits.sum()
    results.number("eq-4.6", row, "L, Eq. 4.6", printed, unit="loss")
    ours = float(losses(problem, np.zeros((1, len(rates))))[0])
    results.number("eq-4.6", row, "L, this library", ours, unit="loss")


def _utility(results: Results, rates: Floats, problem: CostProblem) -> None:
    """Add MSU over all cells, and over the errors alone as Eq. 4.18 is printed.

    The constants follow from Eq. 4.19: with them chance has the utility zero and no error one.
    """
    c = len(rates)
    costs = problem.prices[0] * problem.class_sizes()[:, None] * c
    chance, perfect = costs.sum() / c**2, np.trace(costs) / c
    scaled = (chance - costs) / (chance - perfect)
    found = {
        "no error": np.eye(c),
        "equal weights": rates,
        "chance": np.full((c, c), 1 / c),
        "always the dearest class": np.eye(c)[costs.argmax(axis=1)],
    }
    for row, outputs in found.items():
        loss = float((outputs * costs).sum() / c)
        utility = float(mean_subjective_utilities(problem, [loss])[0])
        results.number("eq-4.18", row, "loss", loss, unit="loss")
        results.number("eq-4.18", row, "MSU, this library", utility, unit="score")
        whole = round(float((outputs * scaled).sum() / c), 12)
        results.number("eq-4.18", row, "all cells", whole + 0.0, unit="score")
        errors = outputs * scaled * (1 - np.eye(c))
        results.number("eq-4.18", row, "errors alone, as printed", errors.sum(), unit="score")


def _naive(results: Results, problem: CostProblem) -> None:
    """Add the weight of each class found alone, and what all of them lose together."""
    start = np.zeros(problem.n_classes)
    for moving in range(problem.n_classes):
        line = LineSearch(problem, start, SEARCH)
        loss, row = line.move([moving]), f"class {moving + 1} alone"
        weight = float(np.exp(line.log_weights[moving]))
        results.number("algorithm-naive", row, "weight", weight, unit="weight")
        results.number("algorithm-naive", row, "loss", loss, unit="loss")
    for row, found in {
        "equal weights": default(problem),
        "all these weights": naive(problem, search=SEARCH),
    }.items():
        results.number("algorithm-naive", row, "loss", found.losses[0], unit="loss")


def _greedy(results: Results, problem: CostProblem, restarts: int, spawn: Spawn) -> None:
    """Add each move of each repetition, and the loss of the repetition that is kept."""
    (orders,) = spawn("greedy").spawn(1)
    for repetition in range(restarts):
        line = LineSearch(problem, np.zeros(problem.n_classes), SEARCH)
        for move, moving in enumerate(orders.permutation(problem.n_classes).tolist()):
            loss = line.move([moving])
            row = f"repetition {repetition + 1}, move {move + 1}: class {moving + 1}"
            weight = float(np.exp(line.log_weights[moving]))
            results.number("algorithm-greedy", row, "weight", weight, unit="weight")
            results.number("algorithm-greedy", row, "loss", loss, unit="loss")
    kept = greedy(problem, spawn("greedy"), restarts=restarts, search=SEARCH)
    results.number("algorithm-greedy", "repetition kept", "loss", kept.losses[0], unit="loss")


def _pairwise(results: Results, problem: CostProblem, restarts: int, spawn: Spawn) -> None:
    """Add area and weights of each pair, and the loss after calibration and the greedy end."""
    for first, second in kept_pairs(problem):
        row = f"classes {first + 1} and {second + 1}"
        area = pair_auc(problem, (first, second))
        weights = np.exp(pair_weights(problem, (first, second), search=SEARCH)[0])
        results.number("algorithm-pairwise", row, "AUC", area, unit="AUC")
        ratio = float(weights[0] / weights[1])
        results.number("algorithm-pairwise", row, "ratio of weights", ratio, unit="ratio")
    for row, end in {"best matching, calibrated": False, "greedy end": True}.items():
        found = pairwise(
            problem, spawn("pairs"), end_greedily=end, restarts=restarts, search=SEARCH
        )
        results.number("algorithm-pairwise", row, "loss", found.losses[0], unit="loss")
