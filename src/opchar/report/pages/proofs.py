"""The page of proofs: theorems and lemmas step by step, and what the search found against them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from opchar.pipeline.plan import PROOFS, Plan
from opchar.report.pages.parts.lines import Line
from opchar.report.pages.parts.mathml import mathml
from opchar.results import read_curves

STEPS = PROOFS[0]
PAPER = STEPS.partition("/")[0]


def read_proofs(plan: Plan, profile: str) -> dict[str, pd.DataFrame]:
    """Return the frames of the page, by name; none where the run makes no proofs.

    Parameters
    ----------
    plan : Plan
    profile : str
        Whose results.

    Returns
    -------
    dict of str to pandas.DataFrame
        ``proofs`` and ``definitions``, and ``invariance`` of the search where that was run, too.
    """
    made = [name for name in PROOFS if name in plan.shown(profile)]
    if STEPS not in made:
        return {}
    frames: dict[str, pd.DataFrame] = {}
    for name in made:
        frames |= read_curves(Path(plan.experiment_files(profile, name)[1]))
    return {
        name: frames[name] for name in ("proofs", "definitions", "invariance") if name in frames
    }


def proved(
    frames: Mapping[str, pd.DataFrame], lines: Mapping[tuple[str, str], Sequence[Line]]
) -> list[dict[str, Any]]:
    """Return the theorems and lemmas with their steps.

    Parameters
    ----------
    frames : mapping of str to pandas.DataFrame
        As `read_proofs` returns them.
    lines : mapping
        Ledger lines by work and published label (`opchar.report.pages.parts.lines.by_label`).

    Returns
    -------
    list of dict
        In the order of the ledger: ``label``, ``claims`` (ledger lines) and ``parts``, one an
        index, with its ``index``, its ``definition`` (MathML, or empty), ``steps`` (``of``,
        ``what``, ``left``, ``right`` and ``rest`` as MathML, ``equal``, and ``zeros``, where the
        difference vanishes) and ``example``.
    """
    steps = frames["proofs"]
    defined = frames["definitions"]
    formulas = dict(zip(defined["index"], defined["formula"], strict=True))
    order = {label: place for place, (_, label) in enumerate(lines)}
    labels = sorted(set(steps["label"]), key=lambda label: (order.get(label, len(order)), label))
    found = []
    for label in labels:
        own = steps[steps["label"] == label]
        parts = [
            {
                "index": str(index),
                "definition": mathml(formulas[index]) if index in formulas else "",
                "steps": [_step(step) for step in part.to_dict("records")],
                "example": _example(str(index), frames) if "Condition 1" in set(part["of"]) else [],
            }
            for index, part in own.groupby("index", sort=False)
        ]
        found.append({"label": label, "claims": lines.get((PAPER, label), []), "parts": parts})
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
