"""The main answers in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opchar.analysis.numbers import class_text, interval_text, number_text, rule_text, share_text

if TYPE_CHECKING:
    import pandas as pd

    from opchar.analysis.answered import Answered

MOST = 12


def in_short(answers: Answered) -> list[str]:
    """Return what a reader wants to know first, a sentence each."""
    tables = answers.tables
    found: list[str] = []
    if "errors" in tables:
        found += _errors(tables["errors"], tables["confusion"], advise=not answers.class_costs)
    if "thresholds" in tables:
        for (aim, prior), rows in tables["thresholds"].groupby(["aim", "prior"], sort=False):
            decided = answers.decision
            if decided is None or prior != decided.prior or not str(aim).startswith("cost"):
                found.append(_best(rows.to_dict("records"), answers))
    if "area-differences" in tables:
        found += _area_differences(tables["area-differences"])
    for row in tables["volumes"].to_dict("records") if "volumes" in tables else []:
        found.append(f"{row['model']}: {row['measure']}: {interval_text(row)}.")
    ordered = tables["weights"].to_dict("records") if "weights" in tables else []
    ordered.sort(key=lambda row: min(row["without weights"], row["with weights"]))
    weights = [_weights(row) for row in ordered]
    if answers.class_costs:
        found = weights + found
    else:
        found += weights
    return found[:MOST]


def _errors(errors: pd.DataFrame, confusion: pd.DataFrame, *, advise: bool) -> list[str]:
    """Say how often each model is wrong, the best first, and which classes it confuses most."""
    found: list[str] = []
    rows = errors[errors["measure"] == "error rate"].to_dict("records")
    unsure = [str(row["model"]) for row in rows[1:] if row["more low"] <= 0]
    for row in rows:
        ends = f"{share_text(row['low'])} to {share_text(row['high'])}"
        text = f"{row['model']}: error rate {share_text(row['value'])} ({ends})"
        own = confusion[confusion["model"] == row["model"]].set_index("true class")
        names = [str(name) for name in own.index]
        cells = own[[f"taken for {name}" for name in names]].to_numpy(dtype=float)
        wrong = cells - np.diag(np.diag(cells))
        if wrong.max() > 0:
            true, taken = np.unravel_index(int(wrong.argmax()), wrong.shape)
            number = f"{number_text(wrong.max())} of {number_text(cells[true].sum())}"
            text += (
                f"; most confused: {class_text(names[true])} taken for {names[taken]} ({number})"
            )
        if not found and advise and len(rows) > 1:
            others = f"{len(unsure)} others" if len(unsure) > 2 else " or ".join(unsure)
            doubt = f"{row['model']} or {others} (no clear difference). " if unsure else ""
            text = f"Use {doubt}{text}"
        elif found:
            ends = f"{share_text(row['more low'])} to {share_text(row['more high'])}"
            text += (
                f"; {share_text(row['more'])} of all objects more than {rows[0]['model']} ({ends})"
            )
        found.append(f"{text}.")
    return found


def _weights(row: dict[Any, Any]) -> str:
    """Say whether class weights lower the cost on held-out folds."""
    without, tuned = row["without weights"], row["with weights"]
    helps = "lower the cost" if row["saved, low"] > 0 else "do not clearly lower the cost"
    helps = helps if tuned < without else "do not lower the cost"
    return (
        f"{row['model']}: tuned class weights {helps} ({number_text(tuned)} per object on held-out "
        f"folds, {number_text(without)} without)."
    )


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
                f"{one} and {other}: no clear difference in AUC for {open_.sum()} of {len(rows)} "
                f"classes ({largest} at most)."
            )
    return found


def _best(rows: list[dict[Any, Any]], answers: Answered) -> str:
    """Tell the best value at one condition, by which model and with which threshold."""
    aim = str(rows[0]["aim"])
    costs = aim.startswith("cost")
    best = min(rows, key=lambda row: row["value"] if costs else -row["value"])
    trivial = "the cheaper of accepting all and none costs" if costs else "accepting all reaches"
    of = class_text(best["class"], positive=True)
    scored = answers.scored
    mine = scored.y == scored.classes.index(best["class"])
    share = float(np.average(mine, weights=scored.weight))
    of += ", as in these scores" if abs(share - best["prior"]) < 1e-9 else ""
    what = "least cost of an object" if costs else f"best {aim_text(aim)}"
    if costs and answers.decision is not None and answers.decision.each_object is not None:
        what += " at mean costs"
    return (
        f"At {share_text(best['prior'])} {of}: {what} {interval_text(best)} on held-out folds, "
        f"{best['model']}, {rule_text(best['threshold'])}; {trivial} "
        f"{number_text(best['trivial'])}."
    )


def aim_text(aim: str) -> str:
    """Return the usual name of an aim."""
    if not aim.startswith("F, alpha"):
        return aim
    alpha = float(aim.split()[-1])
    beta = (1 / alpha - 1) ** 0.5 if alpha > 0 else 0.0
    return f"F{round(beta)}" if beta >= 1 and abs(beta - round(beta)) < 1e-9 else aim


def difference_text(row: dict[Any, Any]) -> str:
    """Say which of two models orders the objects better, if that is certain."""
    value, low, high = (float(row[name]) for name in ("difference of AUC", "low", "high"))
    of = class_text(row["class"])
    one, two = row["model"], row["other model"]
    if low <= 0 <= high:
        return (
            f"{one} and {two}: no clear difference in AUC for {of} "
            f"({number_text(value)}, {number_text(low)} to {number_text(high)})."
        )
    one, two = (one, two)[:: 1 if value >= 0 else -1]
    difference = f"AUC {number_text(abs(value))} larger"
    ends = sorted((low, high) if value >= 0 else (-low, -high))
    interval = f"({number_text(ends[0])} to {number_text(ends[1])})"
    return f"{one} orders {of} better than {two}: {difference} {interval}."
