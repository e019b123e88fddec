"""The main answers in sentences, and numbers for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from opchar.analysis.run import Answers

MOST = 12


def in_short(answers: Answers) -> list[str]:
    """Return what a reader wants to know first, a sentence each.

    Parameters
    ----------
    answers : Answers

    Returns
    -------
    list of str
        Which threshold reaches what at the conditions that were asked for, which model is better,
        and the volumes and costs of more than two classes; at most a dozen.
    """
    tables = answers.tables
    found: list[str] = []
    if "thresholds" in tables:
        for _, rows in tables["thresholds"].groupby(["aim", "prior"], sort=False):
            found.append(_best(rows.to_dict("records")))
    for row in (
        tables["area-differences"].to_dict("records") if "area-differences" in tables else []
    ):
        found.append(_difference(row))
    for row in tables["volumes"].to_dict("records") if "volumes" in tables else []:
        found.append(f"{row['model']}: {row['measure']}: {_with_interval(row)}.")
    for row in tables["weights"].to_dict("records") if "weights" in tables else []:
        found.append(
            f"{row['model']}: an object costs {number_text(row['without weights'])}, and "
            f"{number_text(row['with weights'])} with class weights, on folds that these were not "
            f"chosen on; no weights cost less than {number_text(row['no weights below'])} here."
        )
    return found[:MOST]


def _best(rows: list[dict[Any, Any]]) -> str:
    """Tell which model does best at one condition, with which threshold."""
    costs = str(rows[0]["aim"]).startswith("cost")
    best = min(rows, key=lambda row: row["value"] if costs else -row["value"])
    which = f"{best['model']} does best" if len(rows) > 1 else str(best["model"])
    trivial = f"accepting all or none {'costs' if costs else 'reaches'}"
    return (
        f"{best['aim']}, prior {best['prior']:.4g}: {which} with the threshold "
        f"{threshold_text(best['threshold'])}, {_with_interval(best)} on other folds; {trivial} "
        f"{number_text(best['trivial'])}."
    )


def _difference(row: dict[Any, Any]) -> str:
    """Tell which of two models orders the objects better, if that can be told."""
    value, low, high = (float(row[name]) for name in ("difference of AUC", "low", "high"))
    one, two = (row["model"], row["other model"])[:: 1 if value >= 0 else -1]
    said = f"AUC {number_text(abs(value))} larger"
    ends = sorted((low, high) if value >= 0 else (-low, -high))
    interval = f"({number_text(ends[0])} to {number_text(ends[1])})"
    if low <= 0 <= high:
        return (
            f"Whether {one} or {two} orders {row['class']} better cannot be told: {said} {interval}"
            f" for {one}."
        )
    return f"{one} orders {row['class']} better than {two}: {said} {interval}."


def _with_interval(row: dict[Any, Any]) -> str:
    ends = f"{number_text(row['low'])} to {number_text(row['high'])}"
    return f"{number_text(row['value'])} ({ends})"


def number_text(value: float) -> str:
    """Return a number for people.

    Parameters
    ----------
    value : float

    Returns
    -------
    str
        To three digits after the point.

    Examples
    --------
    >>> number_text(0.91234), number_text(0.00001), number_text(float("inf")), number_text(312.0)
    ('0.912', '1.00e-05', '∞', '312')
    """
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) < 1e7:
        return str(int(value))
    if abs(value) < 1e-3 or abs(value) >= 1e7:
        return f"{value:.2e}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def threshold_text(value: float) -> str:
    """Return a threshold for people, so that it is not taken for a score that it is not.

    Parameters
    ----------
    value : float

    Returns
    -------
    str
        To six digits; what would round to one and is not, as of posteriors, says how far off it is.

    Examples
    --------
    >>> threshold_text(0.9123456), threshold_text(1 - 3.45e-12), threshold_text(float("-inf"))
    ('0.912346', '1 − 3.45e-12', '−∞')
    """
    if not np.isfinite(value):
        return number_text(value)
    if f"{value:.6g}" == "1" != f"{value:.17g}":
        return f"1 {'−' if value < 1 else '+'} {abs(1 - value):.2e}"
    return f"{value:.6g}"
