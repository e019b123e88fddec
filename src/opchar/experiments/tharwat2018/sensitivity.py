"""Which indices are sensitive to imbalance (tharwat2018, slides 10 to 32)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opchar.metrics.combined import (
    adjusted_g_mean,
    balanced_accuracy,
    balanced_error_rate,
    discriminant_power,
    f1,
    g_mean,
    jaccard,
    markedness,
    mcc,
    optimisation_precision,
    youden,
)
from opchar.metrics.counts import Array, Counts
from opchar.metrics.rates import (
    accuracy,
    error_rate,
    fnr,
    fpr,
    negative_likelihood,
    npv,
    positive_likelihood,
    precision,
    tnr,
    tpr,
)
from opchar.results import Results

ARTEFACT = "text-sensitivity"
UNCHANGED = 1e-9
Index = Callable[..., Any]
STATED: list[tuple[str, dict[str, Index], bool]] = [
    ("Acc, Err", {"Acc": accuracy, "Err": error_rate}, True),
    ("TPR, TNR", {"TPR": tpr, "TNR": tnr}, False),
    ("FPR, FNR", {"FPR": fpr, "FNR": fnr}, False),
    ("PPV, NPV", {"PPV": precision, "NPV": npv}, True),
    ("LR+, LR-", {"LR+": positive_likelihood, "LR-": negative_likelihood}, False),
    ("MCC", {"MCC": mcc}, True),
    ("DP", {"DP": discriminant_power}, False),
    ("MK", {"MK": markedness}, True),
    ("BCR, BER", {"BCR": balanced_accuracy, "BER": balanced_error_rate}, False),
    ("GM", {"GM": g_mean}, False),
    ("AGM", {"AGM": adjusted_g_mean}, True),
    ("OP", {"OP": optimisation_precision}, True),
    ("Jaccard", {"Jaccard": jaccard}, True),
]


def enlarged_negatives(
    *, grid: list[int], factors: list[int], example: dict[str, int], factor: int
) -> Results:
    """Enlarge the negative class while the classifier keeps its rates, and see what moves.

    Parameters
    ----------
    grid : list of int
        Each of the four counts takes each of these values: ``len(grid)**4`` matrices.
    factors : list of int
        The alphas by which FP and TN are multiplied.
    example : dict of str to int
        The counts of slide 36, for the numbers in the table.
    factor : int
        The alpha of slide 37, for the numbers in the table.

    Returns
    -------
    Results
        ``text-sensitivity``: a claim for each statement of the tutorial.
    """
    results = Results()
    axes = np.meshgrid(*[np.array(grid, float)] * 4, indexing="ij")
    counts = Counts(*(axis.ravel() for axis in axes))
    worked = Counts(**{name: np.array(float(count)) for name, count in example.items()})
    for row, indices, sensitive in STATED:
        moves = {name: largest_change(index, counts, factors) for name, index in indices.items()}
        holds = all((move > UNCHANGED) == sensitive for move in moves.values())
        values = {name: _pair(index, worked, factor) for name, index in indices.items()}
        results.claim(ARTEFACT, row, holds, _evidence(moves, values, factor))
        _numbers(results, values, factor)
    _youden(results, counts, worked, factors, factor)
    _f_measure(results, counts, worked, factors, factor)
    _both_columns(results, counts, factors)
    return results


def with_negatives(counts: Counts, alpha: float) -> Counts:
    """Return the counts with `alpha` times the negatives, at the same rates (slide 11)."""
    return Counts(counts.tp, counts.fn, alpha * counts.fp, alpha * counts.tn)


def largest_change(index: Index, counts: Counts, factors: list[int]) -> float:
    """Return the largest relative change of an index over matrices and factors.

    Parameters
    ----------
    index : callable
        Of ``tp, fn, fp, tn``.
    counts : Counts
        The matrices.
    factors : list of int
        The alphas.

    Returns
    -------
    float
        ``max |f(alpha) - f(1)| / max(1, |f(1)|)``.
    """
    before = index(*counts)
    changes = (np.abs(index(*with_negatives(counts, alpha)) - before) for alpha in factors)
    return max(float((change / np.maximum(1, np.abs(before))).max()) for change in changes)


def f_as_printed(counts: Counts, alpha: float) -> Array:
    """Return slide 25's F-measure under alpha times the negatives, 2TP / (2TP + aFP + aFN)."""
    tp, fn, fp, _ = counts
    return 2 * tp / (2 * tp + alpha * fp + alpha * fn)


def _youden(
    results: Results, counts: Counts, worked: Counts, factors: list[int], factor: int
) -> None:
    move = largest_change(youden, counts, factors)
    values = youden(*counts)
    in_unit = bool((values >= 0).all() and (values <= 1).all())
    results.claim(
        ARTEFACT,
        "YI",
        move <= UNCHANGED and in_unit,
        f"largest change {move:.1e}: not sensitive; but its values over the grid reach from "
        f"{values.min():.2f} to {values.max():.2f}, and a test that is always wrong has "
        f"{float(youden(0, 1, 1, 0)):.0f}",
    )
    results.claim(ARTEFACT, "YI is not sensitive", move <= UNCHANGED, f"largest change {move:.1e}")
    _numbers(results, {"YI": _pair(youden, worked, factor)}, factor)


def _f_measure(
    results: Results, counts: Counts, worked: Counts, factors: list[int], factor: int
) -> None:
    move = largest_change(f1, counts, factors)
    true = f1(*with_negatives(worked, factor))
    printed = f_as_printed(worked, factor)
    gap = max(
        float(np.abs(f1(*with_negatives(counts, a)) - f_as_printed(counts, a)).max())
        for a in factors
    )
    results.claim(
        ARTEFACT,
        "F-measure",
        move > UNCHANGED and gap <= UNCHANGED,
        f"sensitive (largest change {move:.2g}), but FN belongs to the positives and gets no "
        f"alpha: at alpha = {factor} the example has {float(true):.4f}, the printed form "
        f"{float(printed):.4f}; largest gap over the grid {gap:.2g}",
    )
    results.claim(
        ARTEFACT, "F-measure is sensitive", move > UNCHANGED, f"largest change {move:.2g}"
    )
    _numbers(results, {"F-measure": _pair(f1, worked, factor)}, factor)


def _both_columns(results: Results, counts: Counts, factors: list[int]) -> None:
    free = {"LR+": positive_likelihood, "YI": youden, "DP": discriminant_power, "GM": g_mean}
    moves = {name: largest_change(index, counts, factors) for name, index in free.items()}
    results.claim(
        ARTEFACT,
        "both columns imply sensitive",
        all(move > UNCHANGED for move in moves.values()),
        "slide 10 says so and takes it back: "
        + ", ".join(f"{name} uses both columns and moves by {m:.1e}" for name, m in moves.items()),
    )


def _pair(index: Index, counts: Counts, factor: int) -> tuple[float, float]:
    return float(index(*counts)), float(index(*with_negatives(counts, factor)))


def _evidence(moves: dict[str, float], values: dict[str, tuple[float, float]], factor: int) -> str:
    return "; ".join(
        f"{name} {values[name][0]:.5g} -> {values[name][1]:.5g} at alpha = {factor}, largest "
        f"change {moves[name]:.2g}"
        for name in moves
    )


def _numbers(results: Results, values: dict[str, tuple[float, float]], factor: int) -> None:
    for name, (before, after) in values.items():
        results.number(ARTEFACT, f"{name} of the example", "alpha = 1", before)
        results.number(ARTEFACT, f"{name} of the example", f"alpha = {factor}", after)
