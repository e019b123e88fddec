"""What if prior or costs change: one chart of all models, and the numbers that follow."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

from opchar.analysis.answered import Answered
from opchar.analysis.numbers import threshold_text
from opchar.analysis.sections import AT_MEANS

POINTS = 400
LINES = ("value", "low", "high", "band low", "band high", "tpr", "fpr")


def what_if(answers: Answered) -> str:
    """Return the chart and its controls, which the script of the page fills, as HTML."""
    found = answers.decision
    if found is None:
        return ""
    ratio = found.cost_fn / found.cost_fp
    prior = min(max(found.prior, 1e-4), 0.9999)
    curves = answers.tables["envelopes"]
    text = (files("opchar.analysis") / "what_if.html").read_text(encoding="utf-8").rstrip("\n")
    # A line that begins with blanks goes on with the one above it.
    return text.replace("\n  ", "").format(
        prior=prior,
        prior_at=np.log10(prior / (1 - prior)),
        ratio=ratio,
        ratio_at=np.log10(np.clip(ratio, 1e-3, 1e3)),
        base=found.base,
        means="" if found.each_object is None else f" {AT_MEANS}",
        conditions=curves.loc[curves["space"] == "cost", "condition"].nunique(),
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
