"""Judging statements: verdict, negative control, and support over resamples."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from opchar.functions import import_function
from opchar.seeds import Spawn
from opchar_reproduction.results import basis_of
from opchar_reproduction.statements.measurements import Finding, Measurements

NUMBERS = ("holds", "control_fails", "support", "resamples")


class Judged(NamedTuple):
    """One judged statement; the fields are `COLUMNS`."""

    id: str
    function: str
    holds: bool
    evidence: str
    basis: str
    data: str
    criterion_set: str
    criterion: str
    control: str
    control_fails: bool
    control_evidence: str
    support: float
    resamples: int
    units: str
    elsewhere: str
    leaves: str


COLUMNS = list(Judged._fields)


def judge(
    identifier: str,
    entry: Mapping[str, Any],
    measured: Measurements,
    spawn: Spawn,
    resamples: int,
    also: Mapping[str, Measurements] | None = None,
) -> Judged:
    """Judge one statement on its measurements, on its negative control and on resamples."""
    parameters = entry.get("parameters", {})
    function: Callable[..., Finding] = import_function(entry["function"])
    found = find(entry, measured)
    control = entry["control"]
    on_controls = [
        (each["says"], function(_apply_control(measured, each), **parameters))
        for each in (control, *entry.get("leaf_controls", []))
    ]
    on_control = on_controls[0][1]
    data = found.data or "; ".join(sorted(set(measured.lines["data"])))
    units = entry.get("units", "")

    def resampled_support(given: Measurements, *names: str) -> float:
        """Return the share of resamples in which it holds."""
        drawn = (
            given.resample(units, spawn(identifier, *names, number))
            for number in range(resamples if units else 0)
        )
        holds = [function(again, **parameters).holds for again in drawn]
        return float(np.mean(holds)) if holds else float("nan")

    def line_of(name: str, given: Measurements) -> str:
        other = function(given, **parameters)
        firmly = f", support {resampled_support(given, name):.2f}" if units else ""
        return f"{name}: {'holds' if other.holds else 'fails'}{firmly}: {other.evidence}"

    return Judged(
        id=identifier,
        function=entry["function"],
        holds=bool(found.holds),
        evidence=found.evidence,
        basis=basis_of(entry["basis"], data),
        data=data,
        criterion_set=entry["criterion_set"],
        criterion=entry["criterion"],
        control=control["says"],
        control_fails=not on_control.holds,
        control_evidence=on_control.evidence,
        support=resampled_support(measured),
        resamples=resamples if units else 0,
        units=units,
        elsewhere="; ".join(line_of(name, given) for name, given in (also or {}).items()),
        leaves=_with_controls(found.leaves, on_controls),
    )


def find(entry: Mapping[str, Any], measured: Measurements) -> Finding:
    """Return what a statement finds of its measurements."""
    function: Callable[..., Finding] = import_function(entry["function"])
    return function(measured, **entry.get("parameters", {}))


def _apply_control(measured: Measurements, control: Mapping[str, Any]) -> Measurements:
    changed: Measurements
    changed = import_function(control["function"])(measured, **control.get("parameters", {}))
    return changed


def _with_controls(leaves: Mapping[str, bool], controls: Sequence[tuple[str, Finding]]) -> str:
    """Return the parts of a claim as JSON, each with the control on which it fails."""
    parts = [
        {"says": part, "holds": holds}
        | {"fails_on": next((says for says, found in controls if not found.leaves[part]), "")}
        for part, holds in leaves.items()
    ]
    return json.dumps(parts, ensure_ascii=False) if parts else ""


def read_leaves(text: str) -> list[dict[str, Any]]:
    """Return the parts of a judged claim: ``says``, ``holds``, ``fails_on``."""
    parts: list[dict[str, Any]] = json.loads(text) if text else []
    return parts


def read_judged(path: Path | str) -> pd.DataFrame:
    """Read a table of judged statements; empty texts stay empty strings."""
    texts = [name for name in COLUMNS if name not in NUMBERS]
    frame = pd.read_csv(path, dtype=dict.fromkeys(texts, str))
    frame[texts] = frame[texts].fillna("")
    return frame
