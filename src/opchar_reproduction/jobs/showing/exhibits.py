"""Draw the figures of a study and write its tables, each in three formats."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from opchar.functions import import_function
from opchar_reproduction.formats import FORMATS


def run(
    figures: Mapping[str, Mapping[str, Any]],
    tables: Mapping[str, Mapping[str, Any]],
    *,
    results: Path,
    curves: Path,
    published: Sequence[Path],
    folder: Path,
) -> None:
    """Write the exhibits of a study into its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for address, given in figures.items():
        files = _files(folder, address, "figure")
        _run("figure")(**given, results=results, curves=curves, files=files)
    for address, given in tables.items():
        files = _files(folder, address, "table")
        _run("table")(**given, results=results, published=published, files=files)


def _run(kind: str) -> Callable[..., None]:
    """Import what writes a kind of exhibit: the task of a study names the kinds that it has.

    So a study of tables neither loads the code that draws nor depends on it.
    """
    return import_function(f"opchar_reproduction.jobs.showing.{kind}:run")


def _files(folder: Path, address: str, kind: str) -> list[Path]:
    label = address.split("/")[1]
    return [folder / f"{label}.{format_}" for format_ in FORMATS[kind]]
