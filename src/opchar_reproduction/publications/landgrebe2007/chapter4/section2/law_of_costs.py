"""Which laws of random costs would make the printed cost matrix of Sec. 4.2.5."""

from typing import Any

import numpy as np

from opchar.multiclass.cost_weights.problem import Floats
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import random_costs
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

COSTS = settings(__file__, "../costs.csv")
LABEL, UNIFORM, ROWS = "text-4.2.5-law", "uniform entries", "rows of different size"


@study("costs-law", kind="costs", nothing_open="a test of one printed matrix")
def law_of_costs(
    *,
    spawn: Spawn,
    costs: list[list[float]] = COSTS,
    draws: int = 20000,
    steps: int = 200,
) -> Results:
    """Compare laws by the likelihood of the printed cost matrix, and uniform draws with it.

    `costs`: The printed matrix, true classes in rows.
    `draws`: Matrices of uniform entries, for the share that is as unlike that law.
    `steps`: Of the limits and scales on which a likelihood is largest.
    """
    results = Results()
    printed = np.array(costs)
    found = log_likelihoods(printed[None], steps)
    for law, (value,) in found.items():
        results.number(LABEL, law, "log likelihood", value, unit="nats", basis="exact")
    drawn = random_costs("uniform", draws, len(printed), spawn("uniform"))
    likely = log_likelihoods(drawn, steps, (UNIFORM, ROWS))
    unlike = likely[ROWS] - likely[UNIFORM] >= found[ROWS][0] - found[UNIFORM][0]
    share = (unlike.sum() + 1) / (draws + 1)
    about: dict[str, Any] = {"unit": "fraction", "n": draws, "basis": "simulation"}
    results.number(LABEL, "uniform costs", "share of draws as unlike it", share, **about)
    return results


def log_likelihoods(
    costs: Floats, steps: int = 4000, laws: tuple[str, ...] | None = None
) -> dict[str, Floats]:
    """Return how likely laws of random costs make matrices, each at its likeliest scale.

    For `ROWS`: of a row with largest entry m among C - 1, and limits a uniform up to A, the density
    is ``(m^-(C-2) - A^-(C-2)) / ((C-2) A)``.

    Shapes: `costs` (M, C, C); returned, by law (M,).
    """
    c = costs.shape[1]
    entries = np.maximum(costs[:, ~np.eye(c, dtype=bool)], 0.0005 / 2)
    most, mean, number = entries.max(axis=1), entries.mean(axis=1), c * (c - 1)
    limits = np.geomspace(1 + 1e-9, 100, steps)[:, None] * most
    scales = np.geomspace(0.01, 100, steps)[:, None] * mean

    def lines(axis: int) -> Floats:
        largest = costs.max(axis=axis)
        best = np.full(len(costs), -np.inf)
        for limit in limits[:, :, None]:
            inside = largest ** -(c - 2.0) - limit ** -(c - 2.0)
            with np.errstate(divide="ignore"):
                density = np.log(inside / ((c - 2) * limit)).sum(axis=1)
            best = np.maximum(best, density)
        return best

    def products() -> Floats:
        density = np.log(entries) - np.log(limits[:, :, None])
        return np.asarray(np.log(-density / limits[:, :, None]).sum(axis=2).max(axis=0))

    square = (entries**2).mean(axis=1)
    found = {
        UNIFORM: lambda: -number * np.log(most),
        ROWS: lambda: lines(2),
        "columns of different size": lambda: lines(1),
        "products of two uniform numbers": products,
        "exponential entries": lambda: (-number * (np.log(scales) + mean / scales)).max(axis=0),
        "absolute values of Gaussian entries": lambda: (
            number * (np.log(2) - 0.5 * np.log(2 * np.pi * square) - 0.5)
        ),
    }
    return {law: np.asarray(found[law]()) for law in laws or found}
