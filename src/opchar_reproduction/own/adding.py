"""Entry of a user's data sets, with their analyses, and of extension files."""

import csv
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from opchar.errors import ConfigError, DataError
from opchar_reproduction.own.entries import FILE, fill, read_entries, write
from opchar_reproduction.project.configuration.extensions import read_extension

MODELS = ("sc ldc", "sc knnc3")
PROTOCOL = "holdout-10"
SEPARATORS = ",;\t|"


def add_data(
    file: Path,
    target: str,
    *,
    taken: list[str],
    name: str | None = None,
    models: list[str] | None = None,
    protocol: str = PROTOCOL,
) -> list[str]:
    """Enter a table of one's own as a data set with its analyses."""
    name = name or re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise ConfigError(f"'{name}' cannot name a data set: small letters, digits and dashes")
    if name in taken:
        raise ConfigError(f"there is a data set '{name}' already; choose another by --name")
    entry = table_entry(file, target, name)
    user_entries = read_entries()
    user_entries["folders"][name] = str(file.resolve().parent)
    user_entries["datasets"][name] = entry
    given = {"protocol": json.dumps(protocol), "models": json.dumps(list(models or MODELS))}
    for kind, added in yaml.safe_load(fill("analyses", name=name, **given)).items():
        user_entries[kind] |= added
    write(user_entries)
    n, d = entry["shape"]
    return [
        f"added: {name}, {n} objects, {d} features, "
        + ", ".join(f"{count} {label}" for label, count in entry["classes"].items()),
        f"written: {FILE}; its analyses: opchar run own/{name}-spaces own/{name}-summary",
    ]


def add_extension(file: Path, listed: list[str]) -> list[str]:
    """List a Python file of one's own, so that what it marks can be used."""
    here = Path.cwd().resolve()
    if not file.resolve().is_relative_to(here):
        raise ConfigError(f"{file}: not in the folder of the project, {here}; copy it there first")
    name = file.resolve().relative_to(here).as_posix()
    if name in listed:
        raise ConfigError(f"'{name}' is listed already")
    found = read_extension(here, name)
    user_entries = read_entries()
    user_entries["extensions"].append(name)
    write(user_entries)
    said = [f"added: {name}; {found.summary_line()}", f"written: {FILE}"]
    if made := found.studies.artefacts or found.studies.experiments:
        said.append(f"to make them: opchar run {' '.join(made)}")
    return said


def table_entry(file: Path, target: str, name: str) -> dict[str, Any]:
    """Return the entry of a table as ``config/datasets.yaml`` has them."""
    import numpy as np

    from opchar.datasets.text_readers import headed

    try:
        content = file.read_bytes()
        first = content.decode("utf-8-sig").splitlines()[0]
    except OSError:
        raise DataError(f"{file}: no such file") from None
    except (UnicodeDecodeError, IndexError):
        raise DataError(f"{file}: not a table in UTF-8 text with a header") from None
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", file.name):
        raise DataError(f"{file}: name the file with letters, digits, '_', '-' and '.' only")
    try:
        separator = csv.Sniffer().sniff(first, SEPARATORS).delimiter
    except csv.Error:
        raise DataError(f"{file}: no separator in its first line; use one of , ; tab |") from None
    options = {"target": target, "separator": separator}
    table = headed([file], **options)
    if not len(table.X):
        raise DataError(f"{file}: no objects below its header")
    if (lost := np.argwhere(~np.isfinite(table.X))).size:
        row, column = lost[0]
        raise DataError(
            f"{file}: row {row + 1}, column '{table.names[column]}': no finite number; write one, "
            "or remove the row"
        )
    labels = table.labels.tolist()
    classes = {str(label): labels.count(label) for label in sorted(set(labels))}
    if len(classes) < 2:
        raise DataError(f"{file}: column '{target}' has only the class '{labels[0]}'")
    if few := [label for label, count in classes.items() if count < 2]:
        raise DataError(f"{file}: class '{few[0]}' of column '{target}' has one object only")
    return {
        "title": name,
        "own": True,
        "files": {file.name: {"size": len(content), "sha256": sha256(content).hexdigest()}},
        "licence": "yours",
        "citation": "yours",
        "reader": "opchar.datasets.readers:headed",
        "options": options,
        "shape": [len(table.X), table.X.shape[1]],
        "classes": classes,
    }
