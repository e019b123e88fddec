"""The page of proofs: theorems and lemmas step by step, and what the search found against them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from opchar_reproduction.report.pages.parts.lines import Line
from opchar_reproduction.report.pages.parts.mathml import mathml
from opchar_reproduction.results import read_curves

FRAMES = ("proofs", "definitions", "invariance")


def read_proofs(files: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    """Return the frames of the page, by name; none where the run makes no proofs."""
    found: dict[str, list[pd.DataFrame]] = {}
    for address, file in files.items():
        frames = read_curves(Path(file))
        for name in (name for name in FRAMES if name in frames):
            made = frames[name].assign(paper=address.partition("/")[0])
            found.setdefault(name, []).append(made)
    whole = {name: pd.concat(found[name], ignore_index=True) for name in FRAMES if name in found}
    return whole if "proofs" in whole else {}


def theorem_entries(
    frames: Mapping[str, pd.DataFrame], lines: Mapping[tuple[str, str], Sequence[Line]]
) -> list[dict[str, Any]]:
    """Return the theorems and lemmas with their steps."""
    steps = frames["proofs"]
    defined = frames["definitions"]
    formulas = dict(zip(defined["index"], defined["formula"], strict=True))
    order = {key: number for number, key in enumerate(lines)}
    keys = sorted(
        set(zip(steps["paper"], steps["label"], strict=True)),
        key=lambda key: (order.get(key, len(order)), key),
    )
    found = []
    for paper, label in keys:
        of_label = steps[(steps["paper"] == paper) & (steps["label"] == label)]
        parts = [
            {
                "index": str(index),
                "definition": mathml(formulas[index]) if index in formulas else "",
                "steps": [_step(step) for step in part.to_dict("records")],
                "example": _example(str(index), frames) if "Condition 1" in set(part["of"]) else [],
            }
            for index, part in of_label.groupby("index", sort=False)
        ]
        found.append({"label": label, "claims": lines.get((paper, label), []), "parts": parts})
    return found


def _step(step: Mapping[Any, Any]) -> dict[str, Any]:
    zeros = [f"{mathml(each)} = 0" for each in str(step["zeros"] or "").split("; ") if each]
    return {
        "of": step["of"],
        "what": step["what"],
        "left": mathml(step["left"]),
        "right": mathml(step["right"]),
        "rest": mathml(step["difference"]),
        "equal": bool(step["equal"]),
        "zeros": Markup(" or ").join(map(Markup, zeros)),
    }


def _example(index: str, frames: Mapping[str, pd.DataFrame]) -> list[Markup]:
    """Return the smallest two matrices of equal class rates that an index tells apart."""
    search = frames.get("invariance")
    if search is None:
        return []
    given = search[(search["index"] == index) & (search["gap"] > 0)]
    if not len(given):
        return []
    smallest = given.sort_values("classes").iloc[0]
    return [_matrix(str(smallest[side])) for side in ("first", "second")]


def _matrix(written: str) -> Markup:
    """Return a matrix as MathML from ``1 0; 2 3``."""
    rows = r" \\ ".join(" & ".join(row.split()) for row in written.split("; "))
    return mathml(rf"\left(\matrix{{{rows}}}\right)")
