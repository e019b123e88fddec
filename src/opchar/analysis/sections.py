"""The answers to all questions, each folded under one sentence that sums it up."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from opchar.analysis.answered import SAID, TEXTS, Answered
from opchar.analysis.answers.limits import ANEW
from opchar.analysis.answers.summary import aim_text, difference_text
from opchar.analysis.numbers import (
    class_text,
    count_text,
    interval_text,
    number_text,
    share_text,
    threshold_text,
)

SHOWN = 30
# Questions that are answered for mean costs where each object has its own.
OF_MEANS = ("thresholds", "rules", "threshold-costs", "cost-differences", "better")
AT_MEANS = "Costs are those at the mean costs of the objects."
WHOLE = ("in-use", "errors", "confusion", "areas", "priors", "object-costs", "thresholds",
         "limits", "rejecting", "area-differences", "better", "volumes", "weights", "needed",
         "rules", "promises")  # fmt: skip
HEADS: dict[str, str] = TEXTS["heads"]
# Beside an optimistic figure, rates are those of thresholds that other folds chose.
OF_FOLDS = {name: HEADS[name] + ", on held-out folds" for name in ("tpr", "fpr")}
OF_FOLDS["value"] = "on held-out folds"
LEFT = ' class="name"'
FIGURES = {
    "four-spaces": "envelopes",
    "differences": "cost-differences",
    "calibration": "calibration",
}
WORDS: dict[str, str] = TEXTS["words"]
WORDS |= {name: WORDS[name] + ANEW for name in ("promises", "limits")}
# Columns that a table of the page lacks where all its rows have one value.
CONSTANT = ("class", "promised of", "model", "threshold", "by", "same objects as", "applied to",
            "points in all")  # fmt: skip


def section(
    answers: Answered, name: str, drawn: dict[str, str], formats: Sequence[str] = ("svg",)
) -> str:
    """Return the folded answer to one question, as HTML."""
    table = answers.tables[name]
    parts = [
        f'<details class="fold" id="{name}"><summary><h3>{escape(SAID[name])}</h3> '
        f"<span>{escape(sentence(answers, name))}</span></summary>"
    ]
    if name in WORDS:
        parts.append(f'<p class="aside">{WORDS[name]}</p>')
    for figure, of in FIGURES.items():
        if of == name and figure in drawn:
            links = [f'<a href="{figure}.{kind}">{kind.upper()}</a>' for kind in formats]
            coded = b64encode(drawn[figure].encode()).decode()
            parts.append(
                f'<figure><img alt="{escape(SAID[name])}" src="data:image/svg+xml;base64,{coded}">'
                f"<figcaption>{', '.join(links)}</figcaption></figure>"
            )
    whole = name in WHOLE
    shown = table.head(SHOWN) if whole else _even(table)
    if name == "object-thresholds":
        shown = shown.assign(threshold=[float(f"{at:.6g}") for at in shown["threshold"]])
    constant = [each for each in CONSTANT if each in shown and len(set(shown[each])) < 2]
    said = "; ".join(f"{HEADS.get(each, each)}: {shown[each].iloc[0]}" for each in constant
                     if len(shown) and shown[each].iloc[0] != "")  # fmt: skip
    if said:
        parts.append(f'<p class="aside">In all rows: {escape(said)}.</p>')
    if len(shown):
        parts.append(_table(shown.drop(columns=constant), SAID[name]))
    rows = count_text(len(table), "row")
    if len(shown) < len(table):
        rows = f"{len(shown)} of {len(table):,} rows, evenly chosen, are above"
    parts.append(f'<p class="aside"><a href="{name}.csv">{name}.csv</a> ({rows})</p></details>')
    return "\n".join(parts)


def _even(table: pd.DataFrame, most: int = 12) -> pd.DataFrame:
    """Return some rows, evenly spaced."""
    if len(table) <= most:
        return table
    return table.iloc[np.unique(np.linspace(0, len(table) - 1, most).round().astype(int))]


def sentence(answers: Answered, name: str) -> str:
    """Return the finding of one question in a sentence, and whether its costs are means."""
    table = answers.tables[name]
    if len(table) == 0 and name != "better":
        return "There is nothing to say."
    decided = answers.decision
    differ = decided is not None and decided.each_object is not None
    return _SENTENCES[name](table) + (f" {AT_MEANS}" if differ and name in OF_MEANS else "")


def _best_area(table: pd.DataFrame) -> str:
    areas = table[table["measure"] == "AUC"]
    row = areas.iloc[int(areas["value"].argmax())]
    one = f"{row['model']}, {class_text(row['class'])}: AUC {interval_text(row)}"
    return f"Best is {one}." if len(areas) > 1 else f"{one}."


def _best_thresholds(table: pd.DataFrame) -> str:
    aims = ", ".join(aim_text(str(aim)) for aim in table["aim"].unique())
    priors = " and ".join(share_text(prior) for prior in table["prior"].unique())
    of = class_text(table["class"].iloc[0], positive=True)
    return f"Thresholds for {aims} at {priors} {of}, for each model."


def _rules(table: pd.DataFrame) -> str:
    rules = []
    chosen = table[table["chosen"] & (table["prior"] == table["prior"].iloc[0])]
    row = chosen.loc[chosen["value"].idxmin()]
    of = class_text(row["class"], positive=True)
    at = table[(table["model"] == row["model"]) & (table["prior"] == row["prior"])]
    for each in at.to_dict("records"):
        text, cost = threshold_text(float(each["threshold"])), number_text(float(each["value"]))
        rules.append(f"{each['rule']} {text}, cost of an object {cost}")
    return (
        f"{row['model']} at {share_text(row['prior'])} {of}: {'; '.join(rules)}. Fixed "
        f"beforehand: {row['rule']} ({row['why']})."
    )


def _priors(table: pd.DataFrame) -> str:
    row = table[table["used"]].iloc[0]
    ends = f"{share_text(row['low'])} to {share_text(row['high'])}"
    of = class_text(row["class"], positive=True)
    return f"{share_text(row['prior'])} {of} ({ends}), by the scores of {row['model']}."


def _object_costs(table: pd.DataFrame) -> str:
    row = table.iloc[int(table["value"].argmin())]
    trivial = f"the cheaper of accepting all and none costs {number_text(row['trivial'])}"
    return f"{row['model']}, {row['rule']}: {interval_text(row)} an object; {trivial}."


def _promises(table: pd.DataFrame) -> str:
    whole = table[table["limits"] == table["limits"].iloc[-1]]
    if not whole["kept"].any():
        return f"No threshold keeps {whole['limits'].iloc[0]}, with these objects."
    best = whole[whole["kept"]].sort_values("found").iloc[-1]
    return (
        f"{best['model']}: score at or above {threshold_text(float(best['threshold']))} keeps "
        f"{best['limits']}, and finds {share_text(best['found'])}."
    )


def _alike(table: pd.DataFrame) -> str:
    others = table[(table["low"] != 0) | (table["high"] != 0)]
    same = (~others["distinguishably more"]).sum()
    return (
        f"{same} of {len(others)} other thresholds do not cost clearly more than the recommended "
        "one."
    )


def _ranges(table: pd.DataFrame) -> str:
    ranges = count_text(len(table), "range")
    return f"{ranges} of conditions, each with its own best threshold."


def _points(table: pd.DataFrame) -> str:
    """Where all are accepted, precision is the prior."""
    priors = table.groupby("class", sort=False)["precision"].last()
    shares = ", ".join(f"{share_text(prior)} {class_text(name)}" for name, prior in priors.items())
    return f"The ROC curve of each model. Precision is at {shares}, as in these scores."


def _limits(table: pd.DataFrame) -> str:
    sure = np.isfinite(table["promised threshold"]).sum()
    exceeded = count_text(int(table["error exceeds limit"].sum()), "limit")
    return (
        f"{sure} of {len(table)} limits can be guaranteed with these objects. On held-out folds, "
        f"thresholds without a guarantee exceed {exceeded}."
    )


def _calibration_table(table: pd.DataFrame) -> str:
    sentences = []
    for model, part in table.groupby("model", sort=False):
        inside = ((part["mean score"] >= part["low"]) & (part["mean score"] <= part["high"])).sum()
        sentences.append(f"{model}: {inside} of {len(part)} groups agree with their scores")
    return "; ".join(sentences) + "."


def _rejecting(table: pd.DataFrame) -> str:
    first = table.groupby("model", sort=False).first()
    last = table.groupby("model", sort=False).last()
    model = str(last["errors of the accepted"].idxmin())
    rejected = share_text(float(last["rejected"][model]))
    before, after = (share_text(float(t["errors of the accepted"][model])) for t in (first, last))
    return f"{model}: rejecting {rejected} changes the share of errors from {before} to {after}."


def _differences(table: pd.DataFrame) -> str:
    return difference_text(table.iloc[int(table["difference of AUC"].abs().argmax())].to_dict())


def _cost_differences(table: pd.DataFrame) -> str:
    row = table.iloc[int(table["difference of cost"].abs().argmax())]
    less, more = ("model", "other model")[:: 1 if row["difference of cost"] < 0 else -1]
    return (
        f"At most {number_text(abs(row['difference of cost']))} (normalised cost), where "
        f"{row[less]} costs less than {row[more]}, at PC(+) {number_text(row['pc'])}."
    )


def _better(table: pd.DataFrame) -> str:
    if table.empty:
        return "Nowhere: the band contains zero at all conditions, for all pairs."
    row = table.iloc[int((table["to pc"] - table["from pc"]).argmax())]
    return (
        f"{row['better']} is, for PC(+) from {number_text(row['from pc'])} to "
        f"{number_text(row['to pc'])}."
    )


def _volumes(table: pd.DataFrame) -> str:
    row = table.iloc[0]
    return f"{row['model']}: {row['measure']} {interval_text(row)}."


def _weights(table: pd.DataFrame) -> str:
    row = table.iloc[int(table["with weights"].argmin())]
    return (
        f"{row['model']}: {number_text(row['with weights'])} per object with class weights, "
        f"{number_text(row['without weights'])} without."
    )


def _sizes_table(table: pd.DataFrame) -> str:
    empty = int(table["empty"].sum())
    return f"For {empty} of {len(table)} statements." if empty else "For none of those asked here."


def _in_use(table: pd.DataFrame) -> str:
    pairs = table[["model", "threshold"]].drop_duplicates().itertuples(index=False)
    each = [f"{model} at or above {threshold_text(float(at))}" for model, at in pairs]
    return f"{'; '.join(each)}."


def _groups(table: pd.DataFrame) -> str:
    part = table[(table["measure"] == "tpr") & (table["model"] == table["model"].iloc[0])]
    low, high = (share_text(float(each)) for each in (part["value"].min(), part["value"].max()))
    return f"Of {count_text(len(part), 'group')} of {part['by'].iloc[0]}: TPR from {low} to {high}."


def _errors(table: pd.DataFrame) -> str:
    row = table[table["measure"] == "error rate"].nsmallest(1, "value").iloc[0]
    return f"Least for {row['model']}: {share_text(float(row['value']))}."


_SENTENCES: dict[str, Any] = {
    "in-use": _in_use,
    "by-group": _groups,
    "errors": _errors,
    "confusion": lambda table: "Objects of each true class by the class of the largest score.",
    "areas": _best_area,
    "thresholds": _best_thresholds,
    "priors": _priors,
    "object-costs": _object_costs,
    "object-thresholds": lambda table: (
        f"{count_text(table['threshold'].nunique(), 'different threshold')}."
    ),
    "rules": _rules,
    "promises": _promises,
    "threshold-costs": _alike,
    "every-threshold": _ranges,
    "envelopes": lambda table: "Each model's cost and F over all priors and costs, with bands.",
    "points": _points,
    "limits": _limits,
    "calibration": _calibration_table,
    "rejecting": _rejecting,
    "area-differences": _differences,
    "cost-differences": _cost_differences,
    "better": _better,
    "volumes": _volumes,
    "surfaces": lambda table: f"{count_text(len(table), 'combination')} of class weights.",
    "weights": _weights,
    "needed": _sizes_table,
}


def _table(table: pd.DataFrame, caption: str) -> str:
    heads = HEADS | (OF_FOLDS if "optimistic" in table else {})
    head = "".join(
        f'<th scope="col"{"" if is_numeric_dtype(table[name]) else LEFT}>'
        f"{escape(heads.get(str(name), str(name)))}</th>"
        for name in table.columns
    )
    rows = "\n".join(
        "<tr>" + "".join(map(_cell, table.columns, row)) + "</tr>"
        for row in table.itertuples(index=False)
    )
    return (
        f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0">'
        f'<table class="numbers"><caption class="hidden">{escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(column: object, value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, float | np.floating):
        text = threshold_text if "threshold" in str(column) else number_text
        return f'<td class="number">{escape(text(float(value)))}</td>'
    if isinstance(value, int | np.integer):
        return f'<td class="number">{value:,}</td>'
    text_of = aim_text(str(value)) if column in ("aim", "space") else str(value)
    return f'<td class="name">{escape(text_of)}</td>'
