"""Which laws of random costs would make the printed cost matrix of Sec. 4.2.5."""

from typing import get_args

import numpy as np

from opchar.multiclass.cost_weights.problem import Floats
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import Law, random_costs
from opchar_reproduction.results import Results

ARTEFACT = "text-4.2.5-law"


def spread_of_rows(costs: Floats) -> Floats:
    """Return the standard deviation of the row sums of cost matrices over their mean.

    Shapes: `costs` (M, C, C); returned (M,).
    """
    sums = costs.sum(axis=2)
    return np.asarray(sums.std(axis=1, ddof=1) / sums.mean(axis=1))


def add_laws(results: Results, printed: Floats, draws: int, spawn: Spawn) -> None:
    """Add how often each law gives rows as different as those of the printed matrix."""
    for row, value in log_likelihoods(printed).items():
        results.number(ARTEFACT, row, "log likelihood", value, unit="nats", basis="exact")
    spread = float(spread_of_rows(printed[None])[0])
    name = "spread of the row sums"
    results.number(ARTEFACT, "printed matrix", name, spread, unit="of the mean", basis="exact")
    for law in get_args(Law):
        drawn = spread_of_rows(random_costs(law, draws, len(printed), spawn("law", law)))
        row = f"{law} costs"
        results.number(
            ARTEFACT,
            row,
            name,
            drawn.mean(),
            std=float(drawn.std(ddof=1)),
            n=draws,
            basis="simulation",
        )
        share = float((drawn >= spread).mean())
        column = "share of matrices with the printed spread or more"
        results.number(ARTEFACT, row, column, share, n=draws, unit="fraction", basis="simulation")


def log_likelihoods(costs: Floats, steps: int = 4000) -> dict[str, float]:
    """Return how likely laws of random costs make a matrix, each at its likeliest scale.

    For the law "rows" of `random_costs`: of a row with largest entry m among C - 1, and limits a
    uniform up to A, the density is ``(m^-(C-2) - A^-(C-2)) / ((C-2) A)``.

    Shapes: `costs` (C, C).
    """
    c = len(costs)
    off = ~np.eye(c, dtype=bool)
    entries = np.maximum(costs[off], 0.0005 / 2)
    limits = np.geomspace(entries.max() * (1 + 1e-9), 100 * entries.max(), steps)
    scales = np.geomspace(entries.mean() / 100, 100 * entries.mean(), steps)

    def lines(largest: Floats) -> float:
        inside = largest ** -(c - 2.0) - limits[:, None] ** -(c - 2.0)
        with np.errstate(divide="ignore"):
            return float((np.log(inside / ((c - 2) * limits[:, None]))).sum(axis=1).max())

    product = -np.log(entries / limits[:, None]) / limits[:, None]
    square = (entries**2).mean()
    with np.errstate(divide="ignore"):
        products = float(np.log(product).sum(axis=1).max())
    return {
        "uniform entries": float(-len(entries) * np.log(entries.max())),
        "rows of different size": lines(costs.max(axis=1)),
        "columns of different size": lines(costs.max(axis=0)),
        "products of two uniform numbers": products,
        "exponential entries": float(
            (-len(entries) * np.log(scales) - entries.sum() / scales).max()
        ),
        "absolute values of Gaussian entries": float(
            len(entries) * (np.log(2) - 0.5 * np.log(2 * np.pi * square) - 0.5)
        ),
    }
