"""The pairwise algorithm on eight classes with the printed costs (Sec. 4.2.5, Figure 4.4)."""

from typing import Literal, get_args

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.algorithms import default, greedy, naive, pairwise
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.pairs import Competitors
from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    Floats,
    Weighting,
    losses,
    mean_subjective_utilities,
)
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    TunedOn,
    mean_error,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.boundaries import (
    quadratic_log_scores,
    regions,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

COSTS = settings(__file__, "../../costs.csv")

MATRIX, TEXT, WEIGHTS, UTILITIES = "text-4.2.5-cost-matrix", "text-4.2.5", "eq-4.17", "text-4.2.6"
Matching = Literal["best", "printed"]

OTHERS, BOUNDS = "eq-4.17-matrices", "text-4.2.5-bounds"
PRINTED_PAIRS = [(0, 1), (2, 3), (4, 5), (6, 7)]
HALF_STEP = 1 / 160

ROWS = {
    "Default": "PRTools8 / Default",
    "Pairs": "PRTools8 / Pairs (no post-processing)",
    "Naive": "PRTools8 / Naive",
    "Greedy": "PRTools8 / Greedy",
}


@study(
    "costs-pairwise-example",
    kind="costs",
    basis="simulation",
    scores=["prtools8 | shuffled-half-10-own | qdc"],
    features=["prtools8"],
    profiles={"tiny": {"step": 0.5, "others": 20}},
    variants={
        "combine": "pairs",
        "pairs": [
            ["pairs that are joined", "curve of a pair"],
            ["pairs that are joined", "weights found on"],
        ],
        "frames": ["example", "assigned"],
    },
)
def eight_classes(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    costs: list[list[float]] = COSTS,
    search: Search = "grid and present",
    tuned_on: TunedOn = "test",
    competitors: Competitors = "all",
    matching: Matching = "best",
    exchanged: list[list[int]] = [],
    transposed: bool = False,
    others: int = 1000,
    printed: list[float] = [0.1, 0.9, 0.7875, 0.2125, 0.925, 0.075, 0.7875, 0.2125],
    step: float = 0.04,
) -> Results:
    """Find weights for the printed cost matrix on each split of the eight classes.

    `costs`: The printed matrix, true classes in rows.
    `tuned_on`: The objects on which weights are found.
    `competitors`: Whether the other classes compete while a pair of classes is looked at.
    `matching`: Whether the pairs are those with the lowest loss, or those of which the printed
    weights sum to one.
    `exchanged`: Pairs of classes, from 1, that have each other's numbers.
    `transposed`: Whether the rows of the printed matrix are the assigned classes.
    `others`: Random cost matrices of each law, whose weights stand beside the printed ones.
    `printed`: The printed weights, whose loss stands beside those of the weights found.
    """
    (table,) = scores.values()
    (objects,) = features.values()
    matrix = np.array(costs)
    results = Results()
    for (i, j), cost in np.ndenumerate(matrix):
        column = f"assigned class {j + 1}"
        results.number(MATRIX, f"true class {i + 1}", column, cost, unit="cost", basis="input")
    used = matrix.T if transposed else matrix
    order = np.arange(8)
    for first, second in exchanged:
        order[[first - 1, second - 1]] = second - 1, first - 1
    weights = []
    for fold, part in table.folds():
        case = scenarios(part, used[order][:, order][None], priors="balanced", tuned_on=tuned_on)
        found = _find_weights(case.tuned, search, competitors, matching, spawn, fold)
        weights.append(found["Pairs"].weights[0][order])
        at_print = np.log(printed)[order][None]
        found["Printed weights"] = Weighting(at_print, losses(case.judged, at_print))
        error = mean_error(of_set(part, "test"))
        for name, weighting in found.items():
            loss = case.losses(weighting)
            utility = mean_subjective_utilities(case.judged, loss)
            columns = {"algorithm": name, "loss": loss, "MSU": utility, "mean error": error}
            results.add_frame("example", {"fold": [fold]} | columns)
        if fold == 0:
            _regions(results, objects, part, found["Pairs"], step)
    by_fold = {
        name: results.curves["example"].pivot_table(name, index="fold", columns="algorithm")
        for name in ("loss", "MSU")
    }
    _add_losses(results, by_fold["loss"], by_fold["MSU"])
    _add_weights(results, np.array(weights))
    _add_bounds(results, matrix)
    # The printed weights stand among them as they are.
    for algorithm, values in by_fold["loss"].items():
        where = BOUNDS, f"loss of {algorithm}", "mean over the splits"
        add_mean(results, *where, values, unit="loss", kept=False)
    _, part = next(table.folds())
    add_other_matrices(results, part, matrix, np.array(printed), others, search, spawn)
    return results


def _find_weights(
    problem: CostProblem,
    search: Search,
    competitors: Competitors,
    matching: Matching,
    spawn: Spawn,
    fold: int,
) -> dict[str, Weighting]:
    """Return what each algorithm finds."""
    return {
        "Default": default(problem),
        "Pairs": pairwise(
            problem,
            spawn("Pairs", fold),
            pairs=PRINTED_PAIRS if matching == "printed" else None,
            search=search,
            competitors=competitors,
        ),
        "Naive": naive(problem, search=search),
        "Greedy": greedy(problem, spawn("Greedy", fold), restarts=3, search=search),
    }


def _add_losses(results: Results, losses: pd.DataFrame, utility: pd.DataFrame) -> None:
    """Add means and spreads of loss and utility over the splits."""
    for name, row in ROWS.items():
        add_mean(results, TEXT, row, "loss", losses[name], unit="loss")
    for name in ("Default", "Pairs"):
        add_mean(results, UTILITIES, f"PRTools8 / {name}", "MSU", utility[name], unit="score")
    gain = 100 * (utility["Pairs"] - utility["Default"])
    row = "PRTools8 / Pairs vs Default"
    add_mean(results, UTILITIES, row, "MSU improvement", gain, unit="% points")


def _add_weights(results: Results, weights: Floats) -> None:
    """Add the weights of the printed pairs, each pair scaled to the sum one as printed."""
    pairs = weights.reshape(len(weights), -1, 2)
    scaled = (pairs / pairs.sum(axis=2, keepdims=True)).reshape(weights.shape)
    note = "the two weights of a printed pair, scaled to the sum one"
    for index, values in enumerate(scaled.T):
        column = f"phi_{index + 1}"
        add_mean(results, WEIGHTS, "Phi*", column, values, unit="weight", note=note)


def _regions(
    results: Results, objects: FeatureTable, part: ScoreTable, found: Weighting, step: float
) -> None:
    """Add the test objects, and the regions of the classes with equal and with found weights."""
    coefficients = quadratic_log_scores(objects.X[part.index], part.scores)
    test = of_set(part, "test")
    x = objects.X[test.index]
    results.add_frame("objects", {"x": x[:, 0], "y": x[:, 1], "class": test.y + 1.0})
    for name, log_weights in (("equal weights", np.zeros(8)), ("Pairs", found.log_weights[0])):
        grid = regions(coefficients, log_weights, x, step=step, margin=0.5)
        results.add_frame("regions", grid.assign(series=name))
        assigned = (test.scores * np.exp(log_weights - log_weights.max())).argmax(axis=1)
        results.add_frame(
            "assigned", {"object": test.index, "class": assigned + 1.0, "series": name}
        )


def add_other_matrices(
    results: Results,
    part: ScoreTable,
    matrix: Floats,
    printed: Floats,
    others: int,
    search: Search,
    spawn: Spawn,
) -> None:
    """Add how often cost matrices give a pair weights at least as uneven as printed, each way."""
    drawn = {
        f"random, {law} costs": random_costs(law, others, len(matrix), spawn("others", law))
        for law in get_args(Law)
    }
    wanted = printed.reshape(-1, 2)[:, 0]
    for row, costs in {
        "printed": matrix[None],
        "printed, transposed": matrix.T[None],
        **drawn,
    }.items():
        problem = scenarios(part, costs, priors="balanced").tuned
        found = pairwise(problem, spawn("others", row), pairs=PRINTED_PAIRS, search=search)
        pairs = found.weights.reshape(len(costs), -1, 2)
        first = pairs[:, :, 0] / pairs.sum(axis=2)
        # Half a step of the 80 of a pair.
        reached = np.where(wanted > 0.5, first >= wanted - HALF_STEP, first <= wanted + HALF_STEP)
        for index, share in enumerate(reached.mean(axis=0).tolist()):
            column = f"phi_{2 * index + 1} as far from equal as printed"
            results.number(OTHERS, row, column, share, n=len(costs), unit="fraction")
        every = float(reached.all(axis=1).mean())
        results.number(OTHERS, row, "all four", every, n=len(costs), unit="fraction")


def _add_bounds(results: Results, matrix: Floats) -> None:
    """Add what the printed matrix allows: the largest loss, and that of a classifier at chance."""
    largest, chance = matrix.max(axis=1), matrix.sum(axis=1) / len(matrix)
    for name, priors in (("1/8", np.full(8, 1 / 8)), ("1", np.ones(8))):
        for column, losses_by_class in (("largest loss", largest), ("loss of chance", chance)):
            loss = priors @ losses_by_class
            results.number(BOUNDS, f"priors of {name}", column, loss, unit="loss", basis="exact")
