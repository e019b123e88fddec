"""The page on which a reader moves an operating point: its scripts and its score tables."""

import json
from collections.abc import Mapping
from typing import Any

from opchar_reproduction.figures.model_words import in_words
from opchar_reproduction.report.explorer.tables import opening_place
from opchar_reproduction.report.pages.rendering import DRAWING, EXPLORER, Report

LIBRARY = "assets/plotly.js"
SCORES = f"assets/{EXPLORER}/scores.js"
COMPUTING = ("two-classes.js", "three-classes.js")


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
        three=bool(explored["three"]),
        offered=explored,
    )
