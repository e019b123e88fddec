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
    near = {name for (name, one), z in cells.items() if one == variant and abs(z) <= LIMIT + 1e-9}
    back = {name for name in unlike if name in near or (name, variant) in holding}
    lost = sum(
        verdicts[name] == "agrees" and abs(cells.get((name, variant), 0.0)) > LIMIT + 1e-9
        for name in ids
    )
    share = (len(back) - lost) / len(unlike)
    kind = "computed" if share >= WHOLE else PARTLY if share >= PART else LOOKED_FOR
    found = f"reproduces {len(back)} of {len(unlike)} lines"
    found += f" and loses {lost} that agree" if lost else ""
    if kind == LOOKED_FOR:
        return {**entry, "kind": kind, "cause": f"the variant '{variant}', which {found}"}
    text = f"{entry['cause']}; its variant {found}"
    return {**entry, "kind": kind, "cause": text, "reproduced": back}


def shown_by(cells: pd.DataFrame, statements: pd.DataFrame) -> Shown:
    """Return z by line and variant, and the claims that hold by variant, for `proven`."""
    z = {
        (str(name), str(variant)): float(value)
        for name, variant, value in zip(cells["id"], cells["variant"], cells["z"], strict=True)
    }
    held = statements[statements["holds"] == "holds"]
    return z, set(zip(held["id"].astype(str), held["variant"].astype(str), strict=True))
