"""Weights under other cost matrices, and bounds of the loss, beside the printed ones."""

from typing import get_args

import numpy as np

from opchar.multiclass.cost_weights.algorithms import pairwise
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import Floats
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    random_costs,
    scenarios,
)
from opchar_reproduction.results import Results

OTHERS = "eq-4.17-matrices"
PRINTED_PAIRS = [(0, 1), (2, 3), (4, 5), (6, 7)]
HALF_STEP = 1 / 160


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


def add_bounds(results: Results, matrix: Floats) -> None:
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


def add_flatness(results: Results) -> None:
    """Add the loss of each algorithm, and of the printed weights as they stand."""
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
