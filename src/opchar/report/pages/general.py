"""The page of general claims: the outcome of each on each of the public sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.results import named_stand_ins

SHOWN = ("holds", "fails", "test cannot fail here")
COLUMNS = [
    *("set", "data", "classes", "models"),
    *("claim", "says", "holds", "support", "evidence", "needs"),
]


def read_general(files: Sequence[str], datasets: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return the general claims on each set; no rows where the run asks none.

    Parameters
    ----------
    files : sequence of str
        The table of judged claims, if the run asks any.
    datasets : mapping of str to mapping
        Entries of data sets by name.

    Returns
    -------
    pandas.DataFrame
        The columns `COLUMNS`, and ``title`` of the set.
    """
    if not files:
        return pd.DataFrame(columns=[*COLUMNS, "title"])
    found = pd.read_csv(Path(files[0]), keep_default_na=False, na_values={"support": [""]})
    titles = {name: _title(datasets, name) for name in found["set"].unique()}
    return found.assign(title=found["set"].map(titles))


def _title(datasets: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Return how people call a set; of a part of one, what the part is called besides."""
    entry = origin = datasets[name]
    while "view_of" in origin:
        origin = datasets[origin["view_of"]]
    return str(entry["title"]) if "title" in entry else f"{origin['title']} ({name})"


def tables(general: pd.DataFrame, statements: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table for two classes and one for more: a row per claim, a column per set.

    Parameters
    ----------
    general : pandas.DataFrame
        As `read_general` returns it.
    statements : pandas.DataFrame
        The judged statements of the run, on the data of the publications.

    Returns
    -------
    list of dict
        ``name``; ``sets`` (``title``, ``stand_in``, ``models``); ``rows`` (``id``, ``says``,
        ``needs``, ``held``, ``asked``, ``there``, which is what was found on the publication's
        data or None where the run does not judge it, and ``cells``: a cell a set, None where it is
        not asked).
    """
    there = _there(statements)
    found = []
    for name, of_some in (
        ("Two classes", general[general["classes"] == 2]),
        ("Three or more classes", general[general["classes"] > 2]),
    ):
        asked = of_some[of_some["holds"].isin(SHOWN)]
        if len(asked):
            found.append({"name": name, "sets": _sets(asked), "rows": _rows(asked, there)})
    return found


def _sets(asked: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {
            "key": line["set"],
            "title": line["title"],
            "stand_in": bool(named_stand_ins(line["data"])),
            "classes": line["classes"],
            "models": line["models"].split("; "),
        }
        for line in asked.drop_duplicates("set").to_dict("records")
    ]


def _there(statements: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return what each statement found on the publication's data, by its id."""
    return {
        line["id"]: {
            "holds": "holds" if line["holds"] else "fails",
            "support": None if pd.isna(line["support"]) else float(line["support"]),
            "stand_in": bool(named_stand_ins(line["data"])),
        }
        for line in statements.to_dict("records")
    }


def _rows(asked: pd.DataFrame, there: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    names = list(asked["set"].unique())
    rows = []
    for (identifier, says), lines in asked.groupby(["claim", "says"], sort=False):
        by_set = {line["set"]: line for line in lines.to_dict("records")}
        rows.append(
            {
                "id": identifier,
                "says": says,
                "needs": lines["needs"].iloc[0],
                "held": int((lines["holds"] == "holds").sum()),
                "asked": len(lines),
                "there": there.get(str(identifier)),
                "cells": [by_set.get(name) for name in names],
            }
        )
    return rows
