"""Tables from JSON: records in a list or a line each, columns, and the nested forms of services."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from opchar.errors import ScoresError

WANTED = "give a list of records, a record a line, or CSV"
NAMES = ("label", "class", "classname", "class_name", "displayname", "display_name", "value")
NUMBERS = ("score", "prob", "probability", "confidence")
# Names and numbers of classes side by side, as Vertex AI has them.
LISTS = tuple((f"{name}{ending}", f"{number}s") for name in NAMES for ending in ("s", "es")
              for number in ("score", "prob", "confidence"))  # fmt: skip


def json_table(text: str, where: str) -> pd.DataFrame:
    """Read a table from JSON, nested objects as columns of their own."""
    try:
        found = _table_in(_content_of(text, where))
    except RecursionError:
        raise ScoresError(f"{where}: JSON is nested too deeply; {WANTED}") from None
    if found is None:
        raise ScoresError(f"{where}: JSON without a table of records; {WANTED}")
    return found if isinstance(found, pd.DataFrame) else records_table(found)


def records_table(records: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Return a row for each record, its columns called by their last names where these differ."""
    rows = [dict(_flat(record)) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    times = Counter(name[-1] for name in names)
    short = {name: name[-1] if times[name[-1]] == 1 else ".".join(name) for name in names}
    return pd.DataFrame({short[name]: [row.get(name) for row in rows] for name in names})


def cell_record(cell: object) -> dict[str, Any] | None:
    """Return the record that a cell of text holds, if it does."""
    if isinstance(cell, str) and cell.lstrip().startswith(("{", "[{")):
        for text in (cell, cell.replace("'", '"').replace("None", "null")):
            try:
                cell = json.loads(text)
            except (ValueError, RecursionError):
                continue
            break
    if isinstance(cell, list | np.ndarray):
        cell = _by_class(list(cell))
    return cell if isinstance(cell, dict) else None


def _content_of(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(json.loads(line))
            except ValueError:
                raise ScoresError(f"{where}: line {number} is no JSON; {WANTED}") from None
    return found


def _table_in(content: Any) -> pd.DataFrame | list[dict[str, Any]] | None:
    """Return the table or the records that JSON has."""
    if isinstance(content, list):
        return content if content and all(isinstance(row, dict) for row in content) else None
    if not isinstance(content, dict):
        return None
    if {"columns", "data"} <= set(content):
        return pd.DataFrame(content["data"], columns=content["columns"])
    values = list(content.values())
    if all(isinstance(each, dict) for each in values) and values:
        return pd.DataFrame(content).reset_index(drop=True)
    lists = all(isinstance(each, list) for each in values)
    if lists and len(values) > 1 and len({len(each) for each in values}) == 1:
        return pd.DataFrame(content)
    tables = [found for each in values if (found := _table_in(each)) is not None]
    return tables[0] if len(tables) == 1 else None


def _flat(record: dict[str, Any], above: tuple[str, ...] = ()) -> Iterable[tuple[Any, Any]]:
    """Yield the values of a record and of those within, by their names."""
    for names, numbers in LISTS:
        lower = {name.lower(): name for name in record}
        if names in lower and numbers in lower:
            pairs = zip(record[lower[names]], record[lower[numbers]], strict=False)
            record = {k: v for k, v in record.items() if k not in (lower[names], lower[numbers])}
            yield from ((("prob_" + str(name),), number) for name, number in pairs)
            break
    for name, value in record.items():
        if (by_class := _by_class(value)) is not None:
            yield from (((each,), number) for each, number in by_class.items())
        elif isinstance(value, dict):
            yield from _flat(value, (*above, str(name)))
        else:
            yield (*above, str(name)), value


def _by_class(value: Any) -> dict[str, Any] | None:
    """Return numbers by class from a list that names each class beside its number."""
    if not isinstance(value, list) or not value:
        return None
    found = {}
    for each in value:
        if not isinstance(each, dict) or len(each) != 2:
            return None
        lower = {name.lower(): content for name, content in each.items()}
        name = next((lower[key] for key in NAMES if key in lower), None)
        number = next((lower[key] for key in NUMBERS if key in lower), None)
        if name is None or number is None:
            return None
        found[f"prob_{name}"] = number
    return found
