"""The page on which a reader moves an operating point: its scripts and its score tables."""

import json
from collections.abc import Mapping
from typing import Any

from opchar_reproduction.figures.model_words import in_words
from opchar_reproduction.report.explorer.tables import offered_tables, opening_place
from opchar_reproduction.report.pages.rendering import DRAWING, EXPLORER, Report

LIBRARY = "assets/plotly.js"
SCORES = f"assets/{EXPLORER}/scores.js"
COMPUTING = ("two-classes.js", "three-classes.js")
CHARTS = {
    "roc": "ROC: every threshold, their convex hull, the chosen one",
    "pr": "Precision over recall at the share of positives that is set",
    "p-roc": "Over the share of positives: area under precision-recall, and precision of the "
    "chosen threshold",
    "cost": "Normalised expected cost over PC(+): lower envelope, and line of the chosen threshold",
    "brier": "The same with the cost of scores believed as probabilities (Brier curve)",
    "f": "F-measure over the share of positives: upper envelope, and the chosen threshold",
}


def with_model_in_words(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a score table with its model in words, where these are known."""
    code, blank, protocol = str(table["model"]).partition(" (")
    return {**table, "model": f"{in_words(code) or code}{blank}{protocol}"}


def write(report: Report, explored: Mapping[str, Any]) -> None:
    """Write the page on which an operating point is moved, its scripts and its score tables."""
    kept: dict[str, Any] = {
        kind: [with_model_in_words(table) for table in explored[kind]] for kind in ("two", "three")
    }
    kept["opening"] = opening_place(explored)
    text = json.dumps(kept, separators=(",", ":"), ensure_ascii=False)
    report.file(SCORES, f'"use strict";\nwindow.OPCHAR_TABLES = {text};\n')
    scripts = [report.script(name) for name in COMPUTING]
    scripts += [DRAWING, report.script("explorer.js")]
    report.page(
        EXPLORER,
        scores=SCORES,
        scripts=scripts,
        charts=CHARTS.items(),
        three=bool(explored["three"]),
        offered=offered_tables(explored),
    )
