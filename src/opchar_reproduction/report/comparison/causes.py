"""Whether a cause explains its lines: the share that the variant behind it brings within."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from opchar_reproduction.report.comparison.published_values import first_fitting
from opchar_reproduction.report.comparison.verdicts import LIMIT

# z of lines under variants, and which claims hold under which.
Shown = tuple[Mapping[tuple[str, str], float], Collection[tuple[str, str]]]
# At least this share of the lines makes a cause, and at least this one a part of a cause.
WHOLE, PART = 0.8, 0.5
LOOKED_FOR = "looked for"
UNLIKE = ("differs", "fails")
PARTLY = "partly"


def proven(
    causes: Sequence[Mapping[Any, Any]],
    lines: Sequence[Mapping[Any, Any]],
    verdicts: Mapping[str, str],
    cells: Mapping[tuple[str, str], float],
    holding: Collection[tuple[str, str]] = (),
) -> list[dict[Any, Any]]:
    """Return causes with the share of differing lines that their variants explain."""
    ids: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        fitting = first_fitting(line, causes)
        ids[next((at for at, one in enumerate(causes) if one is fitting), -1)].append(line["id"])
    return [
        _evidence_shown(entry, ids[index], verdicts, cells, holding)
        if entry["kind"] == "computed" and entry["variant"]
        else dict(entry)
        for index, entry in enumerate(causes)
    ]


def _evidence_shown(
    entry: Mapping[Any, Any],
    ids: Sequence[str],
    verdicts: Mapping[str, str],
    cells: Mapping[tuple[str, str], float],
    holding: Collection[tuple[str, str]],
) -> dict[Any, Any]:
    variant = str(entry["variant"])
    unlike = [name for name in ids if verdicts[name] in UNLIKE]
    if not unlike:
        return dict(entry)
    back = sum(
        (name, variant) in holding or abs(cells.get((name, variant), float("inf"))) <= LIMIT + 1e-9
        for name in unlike
    )
    lost = sum(
        verdicts[name] == "agrees" and abs(cells.get((name, variant), 0.0)) > LIMIT + 1e-9
        for name in ids
    )
    share = (back - lost) / len(unlike)
    kind = "computed" if share >= WHOLE else PARTLY if share >= PART else LOOKED_FOR
    others = f", and {lost} other{'s do' if lost > 1 else ' does'} not" if lost else ""
    said = f"the variant '{variant}'" if kind == LOOKED_FOR else entry["cause"]
    text = f"{said}; under it {back} of {len(unlike)} lines fit the print{others}"
    return {**entry, "kind": kind, "cause": text}


def shown_by(cells: pd.DataFrame, statements: pd.DataFrame) -> Shown:
    """Return z by line and variant, and the claims that hold by variant, for `proven`."""
    z = {
        (str(name), str(variant)): float(value)
        for name, variant, value in zip(cells["id"], cells["variant"], cells["z"], strict=True)
    }
    held = statements[statements["holds"] == "holds"]
    return z, set(zip(held["id"].astype(str), held["variant"].astype(str), strict=True))
