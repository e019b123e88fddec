"""The worked examples (tharwat2018, slides 21 and 36 to 40)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opchar.metrics.combined import (
    adjusted_g_mean,
    balanced_accuracy,
    f1,
    g_mean,
    jaccard,
    markedness,
    mcc,
    optimisation_precision,
    youden,
)
from opchar.metrics.counts import one_vs_rest
from opchar.metrics.multiclass import overall_accuracy
from opchar.metrics.rates import (
    accuracy,
    diagnostic_odds_ratio,
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

IN_THE_EXAMPLE: dict[str, Callable[..., Any]] = {
    "Acc": accuracy,
    "TPR": tpr,
    "TNR": tnr,
    "PPV": precision,
    "NPV": npv,
    "Err": error_rate,
    "BCR": balanced_accuracy,
    "FPR": fpr,
    "FNR": fnr,
    "F-measure": f1,
    "OP": optimisation_precision,
    "LR+": positive_likelihood,
    "LR-": negative_likelihood,
    "DOR": diagnostic_odds_ratio,
    "YI": youden,
    "Jaccard": jaccard,
}
BESIDE_IT: dict[str, Callable[..., Any]] = {
    "GM": g_mean,
    "AGM": adjusted_g_mean,
    "MCC": mcc,
    "MK": markedness,
}
SAID_TO_CHANGE = {"Acc", "PPV", "NPV", "Err", "OP", "F-measure", "Jaccard"}


def two_classes(*, balanced: dict[str, int], enlarged: dict[str, int]) -> Results:
    """Compute all indices of the two-class example, balanced and with ten times the negatives.

    Parameters
    ----------
    balanced, enlarged : dict of str to int
        The counts ``tp``, ``fn``, ``fp`` and ``tn`` of slides 36 and 37.

    Returns
    -------
    Results
        ``example-binary`` and ``example-imbalanced``.
    """
    results = Results()
    before = _example(results, "example-binary", "A positive, B negative", balanced)
    after = _example(results, "example-imbalanced", "B enlarged to 1000", enlarged)
    moved = {name for name in IN_THE_EXAMPLE if abs(before[name] - after[name]) > 1e-9}
    stayed = set(IN_THE_EXAMPLE) - moved
    beside = ", ".join(f"{name} {before[name]:.4f} -> {after[name]:.4f}" for name in BESIDE_IT)
    results.claim(
        "example-imbalanced",
        "what changes",
        moved == SAID_TO_CHANGE,
        f"change: {', '.join(sorted(moved))}; stay: {', '.join(sorted(stayed))}; "
        f"not in the example: {beside}",
    )
    return results


def _example(results: Results, artefact: str, row: str, counts: dict[str, int]) -> dict[str, float]:
    for name in ("tp", "tn", "fp", "fn"):
        results.number(artefact, row, f"{name.upper()} (input)", counts[name], unit="count")
    values = {name: float(index(**counts)) for name, index in (IN_THE_EXAMPLE | BESIDE_IT).items()}
    for name, value in values.items():
        results.number(artefact, row, name, value)
    return values


def three_classes(*, classes: list[str], matrix: list[list[int]]) -> Results:
    """Compute the three-class example from its confusion matrix.

    Parameters
    ----------
    classes : list of str
        Names of the classes.
    matrix : list of list of int, shape (C, C)
        As the slide shows it: one row a predicted class, one column a true class.

    Returns
    -------
    Results
        ``example-multiclass``.
    """
    results = Results()
    artefact = "example-multiclass"
    for predicted, row in zip(classes, matrix, strict=True):
        for true, count in zip(classes, row, strict=True):
            results.number(
                artefact, f"predicted {predicted}", f"true {true} (input)", count, unit="count"
            )
    counts = one_vs_rest(matrix, true_class="columns")
    for name, values in (("FN", counts.fn), ("FP", counts.fp), ("TN", counts.tn)):
        for label, value in zip(classes, values, strict=True):
            results.number(artefact, "derived", f"{name}_{label}", value, unit="count")
    results.number(artefact, "result", "accuracy", float(overall_accuracy(np.transpose(matrix))))
    for name, values in (("sensitivity", tpr(*counts)), ("specificity", tnr(*counts))):
        for label, value in zip(classes, values, strict=True):
            results.number(artefact, "result", f"{name} {label}", value)
    return results


def two_tests(*, sensitivity: list[float], specificity: list[float]) -> Results:
    """Compute Youden's index of tests that differ in kind, not in its value (slide 21).

    Parameters
    ----------
    sensitivity, specificity : list of float
        One number a test, in [0, 1].

    Returns
    -------
    Results
        ``text-youden``.
    """
    results = Results()
    values = youden(
        np.array(sensitivity), 1 - np.array(sensitivity), 1 - np.array(specificity), specificity
    )
    for test, (plus, minus, value) in enumerate(
        zip(sensitivity, specificity, values, strict=True), start=1
    ):
        row = f"test {test}"
        results.number("text-youden", row, "sensitivity (input)", plus, unit="fraction")
        results.number("text-youden", row, "specificity (input)", minus, unit="fraction")
        results.number("text-youden", row, "YI", value)
    spread = float(values.max() - values.min())
    results.claim(
        "text-youden",
        "one value for different tests",
        spread < 1e-12,
        f"YI differs by {spread:.1e} between sensitivities {sensitivity}",
    )
    return results
