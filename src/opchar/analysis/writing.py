"""Answers as a folder: a CSV a question, figures, and one page that opens from disk."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from opchar.analysis.page import page
from opchar.analysis.run import Answers
from opchar.errors import ScoresError
from opchar.figures.own import calibration, differences, four_spaces
from opchar.figures.style import save, styled
from opchar.files import write_csv, write_text

FORMATS = ("svg", "pdf", "png")


def check_folder(folder: Path) -> None:
    """Make the folder, before any work is done.

    Raises
    ------
    ScoresError
        One line, if it cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ScoresError(
            f"{folder}: cannot be written to ({error.strerror}); name a folder by --output"
        ) from None


def write_answers(answers: Answers, folder: Path) -> list[Path]:
    """Write all answers.

    Parameters
    ----------
    answers : Answers
    folder : pathlib.Path

    Returns
    -------
    list of pathlib.Path
        What was written, the page first.

    Raises
    ------
    ScoresError
        One line, if the folder cannot be written to.
    """
    check_folder(folder)
    written = []
    for name, table in answers.tables.items():
        write_csv(table, folder / f"{name}.csv")
        written.append(folder / f"{name}.csv")
    drawn: dict[str, str] = {}
    with styled():
        for name, figure in _figures(answers).items():
            files = {kind: folder / f"{name}.{kind}" for kind in FORMATS}
            save(figure, files)
            drawn[name] = files["svg"].read_text(encoding="utf-8")
            written += files.values()
    write_text(page(answers, drawn), folder / "index.html")
    return [folder / "index.html", *written]


def _figures(answers: Answers) -> dict[str, Figure]:
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
