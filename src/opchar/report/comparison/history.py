"""What changed in the ledger since the last completed run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.files import write_csv

CHANGES = [
    "id",
    "paper",
    "artefact",
    "row",
    "column",
    "published",
    "verdict_before",
    "verdict",
    "reproduced_before",
    "reproduced",
]
LATEST, PREVIOUS, FILE = "latest.csv", "previous.csv", "changes.csv"
SHOWN = 10
GONE = "gone"
NEW = "new"
_SAME = 1e-9


def keep(ledger: Path) -> list[str]:
    """Compare the ledger with that of the last completed run, and keep both.

    Beside the folder of the ledger, ``history/`` gets ``latest.csv``; when something changed also
    ``previous.csv``, the ledger before, and ``changes.csv``. Nothing is written when nothing
    changed. The folder is the output of no rule: a first run has no history, and two first runs
    give the same files.
    """
    folder = ledger.parent.parent / "history"
    after = _read_table(ledger)
    if not (folder / LATEST).exists():
        write_csv(after, folder / LATEST)
        return []
    before = _read_table(folder / LATEST)
    if before.equals(after):
        return []
    changed = changes(before, after)
    if len(changed):
        write_csv(before, folder / PREVIOUS)
        write_csv(changed, folder / FILE)
    write_csv(after, folder / LATEST)
    return describe(changed, str(folder / FILE))


def changes(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """Return the lines whose verdict or reproduced number changed, is new or is gone."""
    names = ["verdict", "reproduced"]
    both = after[CHANGES[:6] + names].merge(
        before[CHANGES[:6] + names], on="id", how="outer", suffixes=("", "_before"), sort=False
    )
    for name in CHANGES[1:6]:
        both[name] = both[name].fillna(both[f"{name}_before"])
    both["verdict"] = both["verdict"].fillna(GONE)
    both["verdict_before"] = both["verdict_before"].fillna(NEW)
    both = both[CHANGES].fillna("")
    different = [
        line["verdict"] != line["verdict_before"]
        or not _same(line["reproduced"], line["reproduced_before"])
        for line in both.to_dict("records")
    ]
    return both[different].reset_index(drop=True)


def describe(changed: pd.DataFrame, file: str) -> list[str]:
    """Return counts of changes, the first of them, and where all of them are."""
    if not len(changed):
        return []
    steps = zip(changed["verdict_before"], changed["verdict"], strict=True)
    kinds = Counter(f"{one} -> {other}" if one != other else "other value" for one, other in steps)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    listed = [f"changed since the last run: {len(changed)} lines ({counted})"]
    judged = changed["verdict"] != changed["verdict_before"]
    first = pd.concat([changed[judged], changed[~judged]]).head(SHOWN)
    listed += [f"  {_place(line)}: {_step(line)}" for line in first.to_dict("records")]
    return [*listed, f"  all of them: {file}"]


def _step(line: Mapping[Any, str]) -> str:
    numbers = f"{line['reproduced_before']} -> {line['reproduced']}"
    if line["verdict"] == line["verdict_before"]:
        return numbers
    verdicts = f"{line['verdict_before']} -> {line['verdict']}"
    both = line["reproduced_before"] and line["reproduced"]
    moved = line["reproduced_before"] != line["reproduced"]
    return f"{verdicts} ({numbers})" if both and moved else verdicts


def _place(line: Mapping[Any, str]) -> str:
    artefact = f"{line['paper']}/{line['artefact']}"
    return " | ".join(part for part in (artefact, line["row"], line["column"]) if part)


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=_SAME)
    except ValueError:
        return False


def _read_table(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False)
