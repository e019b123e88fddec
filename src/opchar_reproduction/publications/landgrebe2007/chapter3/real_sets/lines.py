"""Lines of Table 3.5, of its analyses of variance and of its ranges of weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from opchar.multiclass.roc.bounds import pair_areas
from opchar.scores import ScoreTable
from opchar.statistics.variance import anova, f_spread
from opchar_reproduction.publications.landgrebe2007.chapter3.real_sets.volumes import (
    JUDGED,
    MEASURES,
    Grid,
    fold_volume,
)
from opchar_reproduction.results import Results, keep_repeats

DEVIATION = "standard deviation"


ANALYSES = "table-3.5-anova"


RANGES = "table-3.5-weights"


def add_report(
    scores: Mapping[tuple[str, str], ScoreTable],
    problems: Sequence[Mapping[str, Any]],
    measured: Sequence[pd.DataFrame],
    misplaced: Mapping[str, str],
    printed_spread: str,
    relabelled: Mapping[str, str] | None,
) -> Results:
    """Return both tables and the frame ``measured``."""
    results = Results()
    rows: list[Row] = []
    for problem, found in zip(problems, measured, strict=True):
        tables = [table for (name, _), table in scores.items() if name == problem["data"]]
        named = dict(zip(problem["models"], tables, strict=True))
        given = str(found["data"].iloc[0])
        results.add_frame("measured", found)
        rows += [
            Row(problem["artefact"], f"{problem['title']} / {model}", given, lines, named[model])
            for model, lines in found.groupby("model", sort=False)
        ]
    add_table(results, relabel_rows(rows, relabelled or {}), misplaced, printed_spread)
    return results


@dataclass(frozen=True)
class Row:
    """One printed row: where it stands, what its measures are and which scores are behind them."""

    artefact: str
    name: str
    data: str
    lines: pd.DataFrame
    table: ScoreTable


def relabel_rows(rows: Sequence[Row], relabelled: Mapping[str, str]) -> list[Row]:
    """Return the printed rows, some with the measures of another one."""
    by_name = {row.name: row for row in rows}
    meant = [(row, by_name[relabelled.get(row.name, row.name)]) for row in rows]
    return [replace(other, artefact=row.artefact, name=row.name) for row, other in meant]


def bound_note(table: ScoreTable) -> str:
    """Say which two classes bound the volume, over all folds together."""
    area, first, second = min(pair_areas(table.y, table.scores))
    names = f"{table.classes[first]} against {table.classes[second]}"
    return f"no volume exceeds the AUC of {names}, {area:.3f} on all folds"


def variance_note(row: Row, measure: str, rows: Mapping[str, Row], other: str | None) -> str:
    """Return what is known about a printed cell."""
    if other is not None and measure in JUDGED:
        there = rows[other].lines[measure]
        return (
            f"as {other} it is {there.mean():.3f} ({there.std():.3f}), so that the printed row may "
            "belong there"
        )
    return bound_note(row.table) if measure == "VUS" else ""


def add_table(
    results: Results, rows: Sequence[Row], misplaced: Mapping[str, str], printed_spread: str
) -> None:
    """Add the cells of both tables, with what is known about printed rows in their notes."""
    by_name = {row.name: row for row in rows}
    for row in rows:
        count = len(row.lines)
        shares, n = (1, count) if printed_spread == DEVIATION else (np.sqrt(count), 1)
        for measure in MEASURES:
            results.number(
                row.artefact,
                row.name,
                measure,
                float(row.lines[measure].mean()),
                std=float(row.lines[measure].std() / shares),
                n=n,
                unit="fraction",
                data=row.data,
                note=variance_note(row, measure, by_name, misplaced.get(row.name)),
            )
            keep_repeats(results, row.artefact, row.name, measure, row.lines[measure])


def add_printed_f(
    results: Results, artefact: str, row: str, design: pd.DataFrame, data: str
) -> None:
    """Add the F-value of the volumes of all models, as the text's analysis of variance has them."""
    test = anova(design)
    within, residual = test.df("model")
    results.number(
        artefact,
        row,
        "F-value",
        test.F("model"),
        std=f_spread(design),
        n=1,
        unit="F",
        data=data,
        note=f"all models of the table, df {within}, {residual}, p = {test.p('model'):.2g}; "
        "spread by leaving out one fold at a time",
    )


def add_ranges(
    results: Results,
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    data: str,
    folds: int,
    grids: Sequence[Grid],
) -> None:
    """Add the volumes of the models of one data set on several grids of weights."""
    for (name, model), each in scores.items():
        if name != data:
            continue
        parts = [part for _, part in each.folds()][:folds]
        for low, high, r in grids:
            volumes = [fold_volume(part, [low, high, r]) for part in parts]
            results.number(
                RANGES,
                f"{low:g} to {high:g}, r = {int(r)}",
                model,
                float(np.mean(volumes)),
                unit="volume",
                data=each.data,
            )
