"""`opchar analyse`: from the command line to the folder, and what is said at the end."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from opchar.analysis.answers.summary import number_text, threshold_text
from opchar.analysis.asking import Asked
from opchar.analysis.progress import Progress
from opchar.analysis.run import Answers, analyse, default_folder
from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.columns import Columns, label_text
from opchar.analysis.tables.reading import Scored, read_models
from opchar.analysis.writing import check_folder, write_answers
from opchar.errors import ScoresError


def run(arguments: argparse.Namespace) -> int:
    """Read the files, ask all questions, write the answers and print the first of them."""
    asked = Asked(
        priors=tuple(arguments.prior),
        cost=tuple(arguments.cost),
        alphas=tuple(dict.fromkeys(arguments.alpha or [0.5])),
        limits=tuple(arguments.limit or (0.01, 0.05, 0.1)),
        level=arguments.level,
        resamples=arguments.resamples,
        unit=arguments.resample,
        folds=arguments.folds,
        seed=arguments.seed,
    )
    scored = read(arguments)
    folder = arguments.output or default_folder(arguments.scores)
    check_folder(folder)
    costs = _costs(arguments.costs, scored) if arguments.costs else None
    progress = Progress()
    answers = analyse(scored, asked, positive=arguments.positive, costs=costs, progress=progress)
    written = write_answers(answers, folder)
    print("\n".join([*scored.notes, *said(answers), f"the page: {written[0]}"]))
    return 0


def read(arguments: argparse.Namespace) -> Scored:
    """Read the score files that a command line names."""
    return read_models(arguments.scores, named_columns(arguments), arguments.positive)


def named_columns(arguments: argparse.Namespace) -> Columns:
    """Return the columns that a command line names."""
    return Columns(
        arguments.label,
        arguments.fold,
        arguments.weight,
        arguments.id,
        tuple(arguments.scores_in.split(",")) if arguments.scores_in else (),
    )


def said(answers: Answers) -> list[str]:
    """Return the main answers as lines of text, cautions first."""
    lines = [f"! {caution}" for caution in answers.cautions]
    tables = answers.tables
    for row in tables["areas"].to_dict("records"):
        if row["measure"] == "AUC":
            lines.append(f"{row['model']:20} {row['class']}: AUC {_with_interval(row)}")
    for row in tables.get("thresholds", pd.DataFrame()).to_dict("records"):
        lines.append(
            f"{row['model']:20} {row['aim']} at prior {row['prior']:.4g}: threshold "
            f"{threshold_text(row['threshold'])}, {_with_interval(row)} on other folds, optimistic "
            f"{number_text(row['optimistic'])}"
        )
    for row in tables.get("area-differences", pd.DataFrame()).to_dict("records"):
        value = {"value": row["difference of AUC"], "low": row["low"], "high": row["high"]}
        lines.append(
            f"{row['model']} less {row['other model']}, {row['class']}: AUC {_with_interval(value)}"
        )
    for row in tables.get("volumes", pd.DataFrame()).to_dict("records"):
        lines.append(f"{row['model']:20} {row['measure']}: {_with_interval(row)}")
    for row in tables.get("weights", pd.DataFrame()).to_dict("records"):
        lines.append(
            f"{row['model']:20} cost of an object {number_text(row['without weights'])}, with "
            f"class weights {number_text(row['with weights'])} on other folds, optimistic "
            f"{number_text(row['optimistic'])}; no weights below "
            f"{number_text(row['no weights below'])} ({row['certificate']})"
        )
    return lines


def _with_interval(row: dict) -> str:
    ends = f"{number_text(row['low'])} to {number_text(row['high'])}"
    return f"{number_text(row['value'])} ({ends})"


def _costs(path: Path, scored: Scored) -> np.ndarray:
    """Read costs of taking a class (row) for another (column)."""
    table = read_table(path)
    names = [label_text(name) for name in table.iloc[:, 0]]
    columns = [label_text(name) for name in table.columns[1:]]
    if sorted(names) != sorted(scored.classes) or sorted(columns) != sorted(scored.classes):
        raise ScoresError(
            f"{path}: rows and columns must be the classes {list(scored.classes)}, the first "
            "column their names"
        )
    values = table.iloc[:, 1:].apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)
    if not np.isfinite(values).all():
        raise ScoresError(f"{path}: every cost must be a number")
    frame = pd.DataFrame(values, index=names, columns=columns)
    return frame.loc[list(scored.classes), list(scored.classes)].to_numpy()
