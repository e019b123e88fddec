"""Whether a cause explains its lines: the share that the reading behind it brings within."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from opchar.report.comparison.published import first_fitting
from opchar.report.comparison.verdicts import LIMIT

# z of lines under readings, and which claims hold under which.
Shown = tuple[Mapping[tuple[str, str], float], Collection[tuple[str, str]]]
# At least this share of the lines makes a cause, and at least this one a part of a cause.
WHOLE, PART = 0.8, 0.5
LOOKED_FOR = "looked for"
PARTLY = "partly"


def proven(
    causes: Sequence[Mapping[Any, Any]],
    differing: Sequence[Mapping[Any, Any]],
    cells: Mapping[tuple[str, str], float],
    holding: Collection[tuple[str, str]] = (),
) -> list[dict[Any, Any]]:
    """Return causes with what their readings show of the lines that differ.

    Parameters
    ----------
    causes : sequence of mapping
        Rows of `opchar.report.comparison.published.CAUSES`, special ones first.
    differing : sequence of mapping
        Published lines that differ or fail.
    cells : mapping of (str, str) to float
        Of the id of a line and a reading, z under that reading.
    holding : collection of (str, str)
        Ids of claims, and readings under which they hold.

    Returns
    -------
    list of dict
        Of a computed cause with a reading the ``kind`` follows from the share of its lines that
        lie within two standard errors, or hold, under this reading: ``computed`` from `WHOLE`,
        `PARTLY` from `PART`, else `LOOKED_FOR`; ``cause`` says how many do. Others are unchanged.

    Examples
    --------
    >>> named = {"paper": "p", "artefact": "t", "row": "*", "column": "*"}
    >>> cause = named | {"kind": "computed", "reading": "A", "cause": "the law", "evidence": ""}
    >>> lines = [named | {"id": name, "row": "x"} for name in ("1", "2")]
    >>> found = proven([cause], lines, {("1", "A"): 0.3, ("2", "A"): 4.0})
    >>> found[0]["kind"], found[0]["cause"]
    ('partly', 'the law; 1 of 2 lines')
    """
    lines: dict[int, list[str]] = defaultdict(list)
    for line in differing:
        fitting = first_fitting(line, causes)
        place = next((at for at, entry in enumerate(causes) if entry is fitting), None)
        if place is not None:
            lines[place].append(str(line["id"]))
    found = []
    for place, entry in enumerate(causes):
        told = dict(entry)
        reading, ids = str(entry["reading"]), lines[place]
        if entry["kind"] == "computed" and reading and ids:
            back = sum(
                (name, reading) in holding
                or abs(cells.get((name, reading), float("inf"))) <= LIMIT + 1e-9
                for name in ids
            )
            share = back / len(ids)
            told["kind"] = "computed" if share >= WHOLE else PARTLY if share >= PART else LOOKED_FOR
            told["cause"] = f"{entry['cause']}; {back} of {len(ids)} lines"
        found.append(told)
    return found


def shown_by(cells: pd.DataFrame, statements: pd.DataFrame) -> Shown:
    """Return what `proven` asks of the readings that were weighed.

    Parameters
    ----------
    cells, statements : pandas.DataFrame
        Of `opchar.report.weighed.Weighed`.
    """
    z = {
        (str(name), str(reading)): float(value)
        for name, reading, value in zip(cells["id"], cells["reading"], cells["z"], strict=True)
    }
    held = statements[statements["holds"] == "holds"]
    return z, set(zip(held["id"].astype(str), held["reading"].astype(str), strict=True))
