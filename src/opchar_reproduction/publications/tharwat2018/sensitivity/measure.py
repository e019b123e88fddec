"""Which indices are sensitive to imbalance (tharwat2018, slides 10 to 32)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from opchar.metrics.counts import Array, Counts, enlarge_negatives
from opchar.metrics.indices.composite import f1
from opchar_reproduction.publications.tharwat2018.indices import INDICES
from opchar_reproduction.results import Results
from opchar_reproduction.study import study

ARTEFACT = "text-sensitivity"
Index = Callable[..., Any]

# The tutorial says of all but these whether they are sensitive.
NAMES = [name for name in INDICES if name not in ("FDR", "FOR", "DOR", "AGF")]


@study("enlarged-negatives", basis="exact")
def enlarged_negatives(
    *,
    grid: list[int] = [1, 2, 3, 5, 8, 13, 40],
    factors: list[int] = [2, 3, 10, 100],
    example: dict[str, int] = {"tp": 70, "fn": 30, "fp": 20, "tn": 80},
    factor: int = 10,
) -> Results:
    """Enlarge the negative class while the classifier keeps its rates, and see what moves.

    grid: Each of the four counts takes each of these values: ``len(grid)**4`` matrices.
    factors: The alphas by which FP and TN are multiplied.
    example: The counts of slide 36, for the numbers in the table.
    factor: The alpha of slide 37, for the numbers in the table.
    """
    results = Results()
    axes = np.meshgrid(*[np.array(grid, float)] * 4, indexing="ij")
    counts = Counts(*(axis.ravel() for axis in axes))
    worked = Counts(**{name: np.array(float(count)) for name, count in example.items()})
    for name in NAMES:
        index = INDICES[name]
        before = float(index(*worked))
        after = float(index(*enlarge_negatives(worked, factor)))
        results.number(ARTEFACT, f"{name} of the example", "alpha = 1", before)
        results.number(ARTEFACT, f"{name} of the example", f"alpha = {factor}", after)
        values, change = index(*counts), largest_change(index, counts, factors)
        span = {"least": float(values.min()), "most": float(values.max())}
        example_of = {"example before": before, "example after": after}
        who = {"index": [name], "largest change": change}
        results.add_frame("changes", who | span | example_of)
    _f_under_alpha(results, counts, factors)
    return results


def largest_change(index: Index, counts: Counts, factors: list[int]) -> float:
    """Return the largest relative change of an index over matrices and factors."""
    before = index(*counts)
    changes = (np.abs(index(*enlarge_negatives(counts, alpha)) - before) for alpha in factors)
    return max(float((change / np.maximum(1, np.abs(before))).max()) for change in changes)


def f_as_printed(counts: Counts, alpha: float) -> Array:
    """Return slide 25's F-measure under alpha times the negatives, 2TP / (2TP + aFP + aFN)."""
    tp, fn, fp, _ = counts
    return 2 * tp / (2 * tp + alpha * fp + alpha * fn)


def _f_under_alpha(results: Results, counts: Counts, factors: list[int]) -> None:
    for alpha in factors:
        found = {
            "alpha": alpha,
            "unchanged": f1(*counts),
            "by counting": f1(*enlarge_negatives(counts, alpha)),
            "as printed": f_as_printed(counts, alpha),
        }
        results.add_frame("f under alpha", counts._asdict() | found)
