"""What if prior or costs change: one chart of all models, and the numbers that follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from opchar.analysis.answered import Answered
from opchar.analysis.numbers import threshold_text

POINTS = 400
LINES = ("value", "low", "high", "band low", "band high", "tpr", "fpr")


def what_if(answers: Answered) -> str:
    """Return the chart and its controls, which the script of the page fills, as HTML."""
    found = answers.decision
    if found is None:
        return ""
    ratio = found.cost_fn / found.cost_fp
    prior = min(max(found.prior, 1e-4), 0.9999)
    controls = "".join(
        f'<div class="dial"><label for="{name}">{text}</label> <input type="range" id="{name}" '
        f'min="{low}" max="{high}" step="0.01" value="{at:.4f}"> <label class="hidden" '
        f'for="{name}-number">{text}, as a number</label><input type="number" id="{name}-number" '
        f'min="{least}" max="{most}" step="any" value="{value:.6g}"></div>'
        for name, text, low, high, at, least, most, value in (
            ("prior", "Share of positives in use", -4, 4, np.log10(prior / (1 - prior)), 0.0001,
             0.9999, prior),
            ("ratio", "A miss costs … times a false alarm", -3, 3,
             np.log10(np.clip(ratio, 1e-3, 1e3)), 0.001, 1000, ratio),
        )
    )  # fmt: skip
    shown = _radio("show", "cost", "cost", True), _radio("show", "benefit", "net benefit", False)
    over = (
        _radio("over", "prior", "share of positives", True),
        _radio("over", "ratio", "cost of a miss", False),
    )
    choices = "".join(
        f"<fieldset><legend>{legend}</legend>{''.join(buttons)}</fieldset>"
        for legend, buttons in (("Show", shown), ("Over", over))
    )
    return (
        '<section class="explorer" hidden aria-labelledby="what-if">\n'
        '<h2 class="section" id="what-if">What if the prevalence or the costs change?</h2>\n'
        f'<div class="dials">{controls}{choices}</div>\n'
        '<p id="said" class="said" role="status" aria-live="polite"></p>\n'
        '<figure><div id="chart"></div><ul class="legend" id="legend"></ul></figure>\n'
        '<div class="scroll" role="region" aria-label="Numbers at these conditions" tabindex="0">'
        f"{_table_head(found.base)}</div>\n"
        '<p class="aside">Thresholds are the best for these objects. All else is judged on '
        f"held-out folds, which chose no threshold, at {_conditions(answers)} conditions and "
        "interpolated between them. Shaded bands hold at all conditions at once, intervals in "
        "tables at one.</p>\n</section>"
    )


def _table_head(base: int) -> str:
    return (
        '<table class="numbers"><caption class="hidden">Numbers at these conditions</caption>'
        '<thead><tr><th scope="col" class="name">model</th><th scope="col">score at or above</th>'
        f'<th scope="col">found, of {base:,}</th><th scope="col">missed</th>'
        '<th scope="col">false alarms</th><th scope="col">precision</th>'
        f'<th scope="col">cost of {base:,} objects, in false alarms</th>'
        '<th scope="col">interval</th></tr></thead><tbody id="explored"></tbody></table>'
    )


def _conditions(answers: Answered) -> int:
    table = answers.tables["envelopes"]
    return int(table.loc[table["space"] == "cost", "condition"].nunique())


def _radio(group: str, name: str, text: str, checked: bool) -> str:
    return (
        f'<span><input type="radio" name="{group}" id="{group}-{name}"'
        f'{" checked" if checked else ""}> <label for="{group}-{name}">{text}</label></span> '
    )


def what_if_data(answers: Answered) -> dict[str, Any]:
    """Return for the script the cost of each model over PC(+), and its best thresholds."""
    if answers.decision is None:
        return {}
    curves = answers.tables["envelopes"]
    curves = curves[curves["space"] == "cost"]
    every = answers.tables["every-threshold"]
    every = every[every["space"] == "cost"]
    models, pc = {}, np.array([])
    for model, part in curves.groupby("model", sort=False):
        pc = np.concatenate([[0.0], part["condition"], [1.0]])
        lines = {}
        for name in LINES:
            # Nothing is accepted where false alarms alone count, and all where misses do.
            ends = (0.0, 1.0) if name in ("tpr", "fpr") else (0.0, 0.0)
            values = np.concatenate([[ends[0]], part[name], [ends[1]]])
            lines[name] = [round(float(value), 9) for value in values]
        rows = every[every["model"] == model].head(POINTS)
        points = [
            [threshold_text(float(threshold)), round(float(end), 9)]
            for threshold, end in rows[["threshold", "to"]].to_numpy(dtype=float)
        ]
        models[str(model)] = {"thresholds": points, **lines}
    return {
        "models": models,
        "pc": [round(float(at), 9) for at in pc],
        "positive": answers.decision.class_phrase,
        "base": answers.decision.base,
    }
