"""What a publication lists in tables, not in marks: words on exhibits, criteria, choices left open.

A row of ``exhibits.csv`` has the title, caption and choices of a figure or table, and what else its
mark may leave out. A table in the usual layout needs no mark. A row of ``statements.csv`` has the
criterion of a claim. A row that names its function (``by``) needs no mark, either. A row of
``variants.csv`` is a value of a protocol variant. So a caption that changes draws nothing again.
"""

import ast
import csv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError
from opchar_reproduction.project.configuration.entries import (
    Mark,
    Studies,
    add_listed_mark,
    add_variant,
    made_control,
    mark_arguments,
)
from opchar_reproduction.project.configuration.model import lookup
from opchar_reproduction.publication import PACKAGE, file, from_here
from opchar_reproduction.study import cell


def read_listed(found: Studies, owner: str, folder: Path) -> None:
    """Read what is listed of exhibits and claims, for the marks of the publication to find."""
    for place, row in rows_of(folder, "exhibits"):
        for key in {"lines", "choices"} & set(row):
            row[key] = [] if row[key] == "none" else row[key].splitlines()
        if "sample" in row:
            row["sample"] = row["sample"] == "yes"
        _add_row(found, f"{owner}/", "label", place, row)
    for place, row in rows_of(folder, "statements"):
        for key in {"control", "leaf_controls"} & set(row):
            controls = [_control(text, place) for text in row[key].splitlines()]
            row[key] = controls if key == "leaf_controls" else controls[0]
        _add_row(found, f"{owner}:", "number", place, row)


def _add_row(found: Studies, owner: str, key: str, place: str, row: dict[str, Any]) -> None:
    """Add a row to those that marks look up by what `key` says."""
    if key not in row:
        raise ConfigError(f"{place}: '{key}' is missing")
    if "parameters" in row:
        pairs = (line.partition(" = ") for line in row["parameters"].splitlines())
        row["parameters"] = {name: cell(text) for name, _, text in pairs}
    if "by" in row and not row["by"].startswith("opchar"):
        row["by"] = f"{PACKAGE}.{row['by']}"
    name = f"{owner}{row[key]}"
    if name in found.listed:
        raise ConfigError(f"{place}: '{name}' is listed already, at {found.listed[name][0]}")
    found.listed[name] = place, row


def _control(text: str, place: str) -> dict[str, Any]:
    """Return the control that a row writes as a call of a function of `exchange`."""
    with suppress(SyntaxError, ValueError):
        if isinstance(call := ast.parse(text, mode="eval").body, ast.Call):
            return made_control(ast.unparse(call.func), call, ast.literal_eval, place)
    raise ConfigError(f"{place}: '{text}' is no call of a function of statements.exchange")


def add_listed(found: Studies, owner: str, folder: Path) -> None:
    """Add what is listed and not marked: choices, exhibits and claims."""
    for place, given in _variants(folder):
        mark = Mark("variant", mark_arguments("variant", given, place), "", {}, place)
        for name in given["study"]:
            add_variant(lookup(found.experiments, f"{owner}/{name}", "study", place), mark)
    for place, row in list(found.listed.values()):
        name = row.get("study", "")
        lookup(found.experiments, f"{owner}/{name}", "study", place)
        key, usual = ("label", "table") if "label" in row else ("number", "statement")
        kind, function = row.pop("kind", usual), row.pop("by", "")
        if not function and kind != "table":
            raise ConfigError(f"{place}: no function is marked with '{row[key]}'; or write by")
        add_listed_mark(found, Mark(kind, {key: row[key]}, function, {}, place), owner, [name])
    _add_sections(found, owner, folder)


def printed_numbers(folder: Path, label: str, place: str) -> dict[str, float]:
    """Return the printed numbers of an artefact by row, for a study somewhere below the folder."""
    home = next(
        (each for each in (folder, *folder.parents) if file(each, "about").is_file()), folder
    )
    lines = [row for _, row in rows_of(home, "values") if row.get("artefact") == label]
    found = {row["row"]: float(row["value"]) for row in lines if row["kind"] == "number"}
    if not found:
        raise ConfigError(f"{place}: values.csv has no numbers of '{label}'")
    return found


def rows_of(folder: Path | str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the rows of a table say, if there is one, each with its place.

    A cell of `lines` and `choices` has a line for each, or says none; `sample` says yes where the
    profile ``tiny`` makes the exhibit. Any cell may say "as above".
    """
    path, above = file(folder, name), dict[str, str]()
    if path.is_file():
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            for number, row in enumerate(csv.DictReader(lines, restkey="more cells"), start=1):
                place = f"{from_here(path)}, row {number}"
                above = {k: above.get(k, "") if v == "as above" else v for k, v in row.items()}
                yield place, {key: cell for key, cell in above.items() if cell}


def _variants(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the choices left open: a first row names the studies, further ones add values.

    A value changes a parameter, or none; a further row without a name changes one more.
    """
    given: dict[str, Any] = {}
    where = ""
    for place, row in rows_of(folder, "variants"):
        value, parameter, setting = (row.pop(key, "") for key in ("value", "parameter", "setting"))
        if row:
            if given:
                yield where, given
            given, where = row | {"study": row.get("study", "").split("; "), "values": {}}, place
        if not given or not (value or given["values"]):
            raise ConfigError(f"{place}: write study, dimension, why and a value first")
        changed = given["values"].setdefault(value or list(given["values"])[-1], {})
        if parameter:
            changed[parameter] = cell(setting)
    if given:
        yield where, given


def _add_sections(found: Studies, owner: str, folder: Path) -> None:
    """Add the sections that marks do not name.

    A figure or table has that of the catalogue, a variant that of all figures and tables of its
    study.
    """
    with suppress(csv.Error):
        for _, row in rows_of(folder, "catalogue"):
            entry = found.artefacts.get(f"{owner}/{row.get('artefact')}", {})
            if "section" in row:
                entry.setdefault("section", row["section"])
    shown: dict[str, set[str]] = {}
    for entry in found.artefacts.values():
        shown.setdefault(entry["experiment"], set()).add(entry.get("section", ""))
    for name, entry in found.experiments.items():
        for dimension, said in entry.get("variants", {}).get("dimensions", {}).items():
            if said["section"] is None:
                if len(sections := shown.get(name, set())) != 1:
                    place = found.places["experiments", name]
                    raise ConfigError(f"{place}: variant '{dimension}': 'section' is missing")
                (said["section"],) = sections
