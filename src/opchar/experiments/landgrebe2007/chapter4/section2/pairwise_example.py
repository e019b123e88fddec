"""The pairwise algorithm on eight classes with the printed costs (Sec. 4.2.5, Figure 4.4)."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.experiments.landgrebe2007.chapter4.scenarios import (
    Law,
    Scenarios,
    TunedOn,
    mean_error,
    of_set,
    random_costs,
    scenarios,
)
from opchar.experiments.landgrebe2007.chapter4.section3.boundaries import (
    quadratic_log_scores,
    regions,
)
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
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn

MATRIX, TEXT, WEIGHTS, UTILITIES = "text-4.2.5-cost-matrix", "text-4.2.5", "eq-4.17", "text-4.2.6"
OTHERS = "eq-4.17-matrices"
Matching = Literal["best", "printed"]
PRINTED_PAIRS = [(0, 1), (2, 3), (4, 5), (6, 7)]
HALF_STEP = 1 / 160
ROWS = {
    "Default": "PRTools8 / Default",
    "Pairs": "PRTools8 / Pairs (no post-processing)",
    "Naive": "PRTools8 / Naive",
    "Greedy": "PRTools8 / Greedy",
}


def eight_classes(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    costs: list[list[float]],
    search: Search,
    tuned_on: TunedOn,
    competitors: Competitors,
    matching: Matching,
    exchanged: list[list[int]],
    transposed: bool,
    others: int,
    printed: list[float],
    step: float,
) -> Results:
    """Find weights for the printed cost matrix on each split of the eight classes.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table with the test sets ``train`` and ``test``.
    features : dict of str to FeatureTable
        The objects, for the drawing.
    spawn : callable
        Generators by name.
    costs : list of list of float
        The printed matrix, true classes in rows.
    search : {"grid", "exact"}
    tuned_on : {"test", "train"}
        The objects on which weights are found.
    competitors : {"all", "none"}
        Whether the other classes compete while a pair of classes is looked at.
    matching : {"best", "printed"}
        Whether the pairs are those with the lowest loss, or those of which the printed weights sum
        to one.
    exchanged : list of list of int
        Pairs of classes, from 1, that have each other's numbers.
    transposed : bool
        Whether the rows of the printed matrix are the assigned classes.
    others : int
        Random cost matrices of each law, whose weights stand beside the printed ones.
    printed : list of float
        The printed weights, whose loss stands beside those of the weights found.
    step : float
        Of the grid on which the boundaries are drawn.

    Returns
    -------
    Results
        Lines of text-4.2.5-cost-matrix, text-4.2.5, eq-4.17, eq-4.17-matrices and text-4.2.6;
        frames ``example``, ``objects`` and ``regions``.
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
        found = _found(case.tuned, search, competitors, matching, spawn, fold)
        weights.append(found["Pairs"].weights[0][order])
        at_print = np.log(printed)[order][None]
        found["Printed weights"] = Weighting(at_print, losses(case.judged, at_print))
        _measured(results, fold, case, found, mean_error(of_set(part, "test")))
        if fold == 0:
            _regions(results, objects, part, found["Pairs"], step)
    _losses(results)
    _weights(results, np.array(weights))
    _bound(results, matrix)
    _flatness(results)
    _, part = next(table.folds())
    _other_matrices(results, part, matrix, np.array(printed), others, search, spawn)
    return results


def _found(
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


def _measured(
    results: Results,
    fold: int,
    case: Scenarios,
    found: dict[str, Weighting],
    error: float,
) -> None:
    """Add loss and utility of each algorithm on one split."""
    for name, weighting in found.items():
        loss = case.losses(weighting)
        results.curve(
            "example",
            {
                "fold": [fold],
                "algorithm": name,
                "loss": loss,
                "MSU": mean_subjective_utilities(case.judged, loss),
                "mean error": error,
            },
        )


def _losses(results: Results) -> None:
    """Add means and spreads of loss and utility over the splits."""
    table = results.curves["example"].pivot(index="fold", columns="algorithm")
    about: dict[str, Any] = {"n": len(table)}
    for name, row in ROWS.items():
        loss = table["loss"][name]
        results.number(
            TEXT, row, "loss", loss.mean(), std=float(loss.std(ddof=1)), unit="loss", **about
        )
    utility = table["MSU"]
    for name in ("Default", "Pairs"):
        results.number(
            UTILITIES,
            f"PRTools8 / {name}",
            "MSU",
            utility[name].mean(),
            std=float(utility[name].std(ddof=1)),
            unit="score",
            **about,
        )
    gain = 100 * (utility["Pairs"] - utility["Default"])
    results.number(
        UTILITIES,
        "PRTools8 / Pairs vs Default",
        "MSU improvement",
        gain.mean(),
        std=float(gain.std(ddof=1)),
        unit="% points",
        **about,
    )


def _weights(results: Results, weights: Floats) -> None:
    """Add the weights of the printed pairs, each pair scaled to the sum one as printed."""
    pairs = weights.reshape(len(weights), -1, 2)
    scaled = (pairs / pairs.sum(axis=2, keepdims=True)).reshape(weights.shape)
    for place, values in enumerate(scaled.T):
        results.number(
            WEIGHTS,
            "Phi*",
            f"phi_{place + 1}",
            values.mean(),
            std=float(values.std(ddof=1)),
            n=len(values),
            unit="weight",
            note="the two weights of a printed pair, scaled to the sum one",
        )


def _other_matrices(
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
        for place, share in enumerate(reached.mean(axis=0).tolist()):
            column = f"phi_{2 * place + 1} as far from equal as printed"
            results.number(OTHERS, row, column, share, n=len(costs), unit="fraction")
        every = float(reached.all(axis=1).mean())
        results.number(OTHERS, row, "all four", every, n=len(costs), unit="fraction")


def _bound(results: Results, matrix: Floats) -> None:
    """Add what the printed matrix allows: the largest loss, and that of a classifier at chance."""
    largest, chance = matrix.max(axis=1), matrix.sum(axis=1) / len(matrix)
    for name, priors in (("1/8", np.full(8, 1 / 8)), ("1", np.ones(8))):
        row = f"priors of {name}"
        results.number(
            "text-4.2.5-bounds", row, "largest loss", priors @ largest, unit="loss", basis="exact"
        )
        results.number(
            "text-4.2.5-bounds", row, "loss of chance", priors @ chance, unit="loss", basis="exact"
        )


def _flatness(results: Results) -> None:
    """Add what each algorithm loses, and what the printed weights lose as they stand."""
    table = results.curves["example"].pivot(index="fold", columns="algorithm", values="loss")
    for name, loss in table.items():
        results.number(
            "text-4.2.5-bounds",
            f"loss of {name}",
            "mean over the splits",
            loss.mean(),
            std=float(loss.std(ddof=1)),
            n=len(loss),
            unit="loss",
        )


def _regions(
    results: Results,
    objects: FeatureTable,
    part: ScoreTable,
    found: Weighting,
    step: float,
) -> None:
    """Add the test objects, and the regions of the classes with equal and with found weights."""
    coefficients = quadratic_log_scores(objects.X[part.index], part.scores)
    test = of_set(part, "test")
    x = objects.X[test.index]
    results.curve("objects", {"x": x[:, 0], "y": x[:, 1], "class": test.y + 1.0})
    for name, log_weights in (("equal weights", np.zeros(8)), ("Pairs", found.log_weights[0])):
        grid = regions(coefficients, log_weights, x, step=step, margin=0.5)
        results.curve("regions", grid.assign(series=name))
        assigned = (test.scores * np.exp(log_weights - log_weights.max())).argmax(axis=1)
        results.curve("assigned", {"object": test.index, "class": assigned + 1.0, "series": name})
