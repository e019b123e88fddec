"""Answers as a folder: a CSV for each question, figures, and one page that opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from errno import ENOTDIR
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from opchar.analysis.answered import SAID, Answered
from opchar.analysis.options import FORMATS
from opchar.analysis.page import page
from opchar.errors import ScoresError
from opchar.figures.own import calibration, differences, four_spaces
from opchar.figures.style import figure_style, save
from opchar.files import replacing, replacing_folder, write_csv, write_text

FIGURES = ("four-spaces", "differences", "calibration")
PAGE = "index.html"
ANSWERS = "answers.json"


def check_folder(folder: Path) -> None:
    """Check that an analysis can be put there, before any work is done."""
    try:
        if folder.is_dir():
            _check_replaceable(folder)
        elif folder.exists():
            raise NotADirectoryError(ENOTDIR, "is a file")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(_WritableError), replacing(folder.parent / f"{folder.name}.writable"):
            raise _WritableError
    except OSError as error:
        raise ScoresError(
            f"{folder}: cannot be written to ({error.strerror}); name a folder by --output"
        ) from None


class _WritableError(Exception):
    """Raised on purpose: a file could be made in the folder, and is not to be kept."""


def _check_replaceable(folder: Path) -> None:
    """Refuse a folder with files that no analysis has written."""
    known = {f"{name}.csv" for name in SAID} | {PAGE, ANSWERS}
    known |= {f"{name}.{kind}" for name in FIGURES for kind in FORMATS}
    others = sorted(path.name for path in folder.iterdir() if path.name not in known)
    if others:
        raise ScoresError(
            f"{folder}: holds '{others[0]}', which is no part of an analysis; the folder would be "
            "replaced as a whole: name another by --output"
        )


def write_answers(
    answers: Answered, folder: Path, formats: Sequence[str] = FORMATS[:1]
) -> list[Path]:
    """Write all answers; the folder of an earlier analysis is replaced whole or not at all."""
    check_folder(folder)
    try:
        with replacing_folder(folder) as new:
            names = _write(answers, new, formats)
    except OSError as error:
        raise ScoresError(
            f"{folder}: cannot be written to ({error.strerror}); nothing was changed there"
        ) from None
    return [folder / name for name in names]


def _write(answers: Answered, folder: Path, formats: Sequence[str]) -> list[str]:
    """Write all files into an empty folder, and return their names."""
    names = [PAGE, ANSWERS]
    for name, table in answers.tables.items():
        write_csv(table, folder / f"{name}.csv")
        names.append(f"{name}.csv")
    kinds = tuple(dict.fromkeys(["svg", *formats]))
    drawn: dict[str, str] = {}
    with figure_style():
        for name, figure in _figures(answers).items():
            files = {kind: folder / f"{name}.{kind}" for kind in kinds}
            save(figure, files)
            drawn[name] = files["svg"].read_text(encoding="utf-8")
            names += [path.name for path in files.values()]
    write_text(page(answers, drawn, kinds), folder / PAGE)
    write_text(answers.to_json() + "\n", folder / ANSWERS)
    return names


def _figures(answers: Answered) -> dict[str, Figure]:
    tables = answers.tables
    found: dict[str, Figure] = {}
    if "envelopes" in tables:
        found["four-spaces"] = four_spaces(tables["points"], tables["envelopes"])
    if "cost-differences" in tables:
        found["differences"] = differences(tables["cost-differences"])
    if "calibration" in tables:
        found["calibration"] = calibration(_by_class(tables["calibration"]))
    return found


def _by_class(table: pd.DataFrame) -> pd.DataFrame:
    """Name lines by model and class where there are several classes."""
    if len(set(table["class"])) == 1:
        return table
    return table.assign(model=table["model"] + ": " + table["class"])
