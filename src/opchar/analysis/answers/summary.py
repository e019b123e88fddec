"""The main answers in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opchar.analysis.numbers import class_text, interval_text, number_text, rule_text, share_text

if TYPE_CHECKING:
    import pandas as pd

    from opchar.analysis.answered import Answered

MOST = 12


def in_short(answers: Answered) -> list[str]:
    """Return what a reader wants to know first, a sentence each.

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
    if "area-differences" in tables:
        found += _area_differences(tables["area-differences"])
    for row in tables["volumes"].to_dict("records") if "volumes" in tables else []:
        found.append(f"{row['model']}: {row['measure']}: {interval_text(row)}.")
    for row in tables["weights"].to_dict("records") if "weights" in tables else []:
        found.append(
            f"{row['model']}: an object costs {number_text(row['without weights'])} on average, "
            f"in the unit of the costs, and {number_text(row['with weights'])} with class weights "
            "that were chosen on other folds. On these objects no weights cost less than "
            f"{number_text(row['no weights below'])}."
        )
    return found[:MOST]


def _area_differences(table: pd.DataFrame) -> list[str]:
    """Say for each pair of models for which classes their order is certain, and for which not."""
    found = []
    for (one, other), rows in table.groupby(["model", "other model"], sort=False):
        open_ = (rows["low"] <= 0) & (rows["high"] >= 0)
        known = rows if open_.sum() < 2 else rows[~open_]
        found += [difference_text(row) for row in known.to_dict("records")]
        if len(known) < len(rows):
            largest = number_text(float(rows[open_]["difference of AUC"].abs().max()))
            found.append(
                f"Whether {one} or {other} orders {open_.sum()} of {len(rows)} classes better "
                f"cannot be told: their AUCs differ by {largest} at most."
            )
    return found


def _best(rows: list[dict[Any, Any]]) -> str:
    """Tell which model does best at one condition, with which threshold."""
    aim = str(rows[0]["aim"])
    costs = aim.startswith("cost")
    best = min(rows, key=lambda row: row["value"] if costs else -row["value"])
    which = f"{best['model']} does best" if len(rows) > 1 else str(best["model"])
    trivial = "accepting all or none costs" if costs else "accepting all reaches"
    of = class_text(best["class"], positive=True)
    what = "cost of an object" if costs else aim_text(aim)
    return (
        f"At {share_text(best['prior'])} {of}, {which}: {rule_text(best['threshold'])}; "
        f"{what} {interval_text(best)} on other folds, where {trivial} "
        f"{number_text(best['trivial'])}."
    )


def aim_text(aim: str) -> str:
    """Return the usual name of an aim.

    Parameters
    ----------
    aim : str
        As in a table of thresholds.

    Examples
    --------
    >>> aim_text("F, alpha 0.5"), aim_text("F, alpha 0.2"), aim_text("F, alpha 0.3")
    ('F1', 'F2', 'F, alpha 0.3')
    """
    if not aim.startswith("F, alpha"):
        return aim
    alpha = float(aim.split()[-1])
    beta = (1 / alpha - 1) ** 0.5 if alpha > 0 else 0.0
    return f"F{round(beta)}" if beta >= 1 and abs(beta - round(beta)) < 1e-9 else aim


def difference_text(row: dict[Any, Any]) -> str:
    """Say which of two models orders the objects better, if that is certain."""
    value, low, high = (float(row[name]) for name in ("difference of AUC", "low", "high"))
    one, two = (row["model"], row["other model"])[:: 1 if value >= 0 else -1]
    difference = f"AUC {number_text(abs(value))} larger"
    ends = sorted((low, high) if value >= 0 else (-low, -high))
    of = class_text(row["class"])
    interval = f"({number_text(ends[0])} to {number_text(ends[1])})"
    if low <= 0 <= high:
        return (
            f"Whether {one} or {two} orders {of} better cannot be told: {difference} {interval}"
            f" for {one}."
        )
    return f"{one} orders {of} better than {two}: {difference} {interval}."
