"""Scores of one or more models on the same objects, from the tables that people have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.numbers import count_text
from opchar.analysis.tables.absent_classes import refuse_absent_classes
from opchar.analysis.tables.cells import WORDS, beyond_limits, is_percent, label_text
from opchar.analysis.tables.columns import (
    Columns,
    by_number,
    class_columns,
    class_of,
    positive_class,
    positive_reason,
    roles,
    single_scores,
)
from opchar.analysis.tables.counted import whole_tables
from opchar.analysis.tables.further import costs_of, unlabelled_scores
from opchar.analysis.tables.groups import check_one_class, doubts_of, groups_of
from opchar.analysis.tables.joining import find_names, joined_rows, with_labels
from opchar.analysis.tables.no_scores import (
    are_logits,
    check_confidences,
    check_decided,
    predicted_column,
    refuse_codes,
    turned_scores,
)
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.analysis.tables.shapes import without_vectors
from opchar.analysis.tables.table import Table
from opchar.analysis.tables.values import not_negative, numbers_of, refuse_cell, sizes_text
from opchar.errors import ScoresError, nearest
from opchar.statistics.calibration import LARGEST

MEASURED = 20  # different classes that need not be looked at twice


def read_models(
    paths: Sequence[Path | str],
    columns: Columns | None = None,
    positive: str | None = None,
    *,
    drop_missing: bool = False,
    unlabelled: Sequence[Path | str] = (),
    detection_limit: bool = False,
    counted: bool = False,
    by_counts: bool = False,
) -> ScoredSample:
    """Read the scores of any number of models on the same objects.

    `paths`: a file a model, as `opchar.analysis.tables.files.read_table` reads them; with two
    classes, one file may have several models, a column each, or their rows below each other with a
    column ``model``; ``-`` is standard input. Parquet files of a folder, or called ``part-...``,
    are one table.
    `columns`: names of columns; found by usual names when not given.
    `positive`: one of two classes; else as `opchar.analysis.tables.columns.positive_class` says.
    `drop_missing`: whether rows without a class or a score are left out; else they are refused.
    `unlabelled`: for each of `paths` in its order a file with the same columns of scores, of
    objects where the models will be used.
    `detection_limit`: whether cells as ``<0.5`` are ties below all measured numbers.
    `counted`: whether the tables count ``positives`` and ``negatives`` by ``score``.
    `by_counts`: whether objects of one class and score may be one row, where there are many.

    A `ScoresError` names the file, the column or row, and what to do, in one line.
    """
    wanted = columns or Columns()
    if not paths:
        raise ScoresError("give one or more files of scores")
    tables = [
        _with_roles(without_vectors(frame, where), where, name, wanted, detection_limit, times)
        for where, name, frame, times in with_labels(
            whole_tables(
                [Path(path) for path in paths], wanted, counted, by_counts and not unlabelled
            ),
            wanted,
        )
    ]
    for table in tables:
        _find_scores(table, wanted, positive)
    find_names(tables)
    left_out = _without_missing(tables) if drop_missing else []
    for table in tables:
        empty = "empty; --drop-missing leaves such rows out"
        refuse_cell(table.frame, table.where, table.label, table.labels == "", empty)
        if not wanted.scores:
            refuse_codes(table.frame, table.where, table.columns or table.single)
    first = tables[0]
    if len({table.classes for table in tables}) > 1:
        others = next(table for table in tables if table.classes != first.classes)
        raise ScoresError(
            f"{others.where}: classes {list(others.classes)} and those of {first.where}, "
            f"{list(first.classes)}, differ"
        )
    rows = joined_rows(
        [(t.where, t.labels.to_numpy(), t.keys(t.identity), t.keys(t.found.fold)) for t in tables]
    )
    models: dict[str, NDArray[np.float64]] = {}
    for table, order in zip(tables, rows, strict=True):
        for name, values in _scores_of(table, positive).items():
            models[name] = values[order]
    found = _to_scored(tables, models, positive, left_out)
    if not unlabelled:
        return found
    new, new_notes = unlabelled_scores(
        [(table.name, table.columns, table.single) for table in tables],
        unlabelled,
        drop_missing=drop_missing,
    )
    return replace(found, unlabelled=new, notes=(*found.notes, *new_notes))


def _to_scored(
    tables: list[Table],
    models: dict[str, NDArray[np.float64]],
    positive: str | None,
    left_out: list[str],
) -> ScoredSample:
    """Join the tables into one sample."""
    first = tables[0]
    y = first.y
    chosen = first.score_class if positive is None else positive
    index = positive_class(first.classes, y, chosen, first.times)
    notes = [*left_out, *(note for table in tables for note in _notes_of(table))]
    if len(first.classes) == 2:
        notes.append(positive_reason(first.classes, index, positive, first.score_class is not None))
    fold = unit = None
    weight = None if first.times is None else first.times.astype(float)
    if first.found.fold is not None:
        fold = _ranks(first, first.found.fold)
        if int(fold.max()) == 0:
            fold = None
            notes.append(f"column '{first.found.fold}' has one fold only: folds are drawn")
    if first.identity is not None:
        unit = _ranks(first, first.identity)
        if int(unit.max()) + 1 == len(unit):
            unit = None
        else:
            check_one_class(first.frame, first.where, first.identity, unit, y)
    if first.found.weight is not None:
        weight = numbers_of(first.frame, first.where, first.found.weight)
        not_negative(weight, first.frame, first.where, first.found.weight, "a weight")
        below = (weight > 0) & (weight < 1 / LARGEST)
        small = "below 1e-150; multiply all by one number"
        refuse_cell(first.frame, first.where, first.found.weight, below, small)
    costs = costs_of(first.frame, first.where, first.found.costs)
    return ScoredSample(
        first.classes, y, models, index, fold, weight, unit, costs, {}, tuple(notes),
        source=", ".join(dict.fromkeys(
            Path(t.where.removesuffix(f", {t.name}")).name for t in tables)),
        by=groups_of(first.frame, first.where, first.by), counted=first.times is not None,
        percent=frozenset(name for table in tables for name in table.in_percent),
        columns={k: v for table in tables for k, v in table.names_of_models.items()},
        doubts=doubts_of(first, models, y, unit is not None),
    )  # fmt: skip


def _with_roles(
    frame: pd.DataFrame,
    where: str,
    name: str,
    wanted: Columns,
    detection_limit: bool,
    times: NDArray[np.int64] | None,
) -> Table:
    """Return a table with the roles of all columns other than scores."""
    ties = {}
    for column in frame.columns if detection_limit else ():
        try:
            frame[column], number = beyond_limits(frame[column])
        except ValueError as error:
            row, why = error.args
            cell = frame[column].iloc[row]
            raise ScoresError(f"{where}: row {row + 1}, column '{column}': {cell} {why}") from None
        if number:
            ties[column] = number
    for key in WORDS["not pooled"]:
        number = 1 if key not in frame or key == wanted.by else frame[key].nunique()
        alone = key in WORDS["not pooled"][2:] and number > len(frame) // 2  # a seed a row
        if number > 1 and not alone:
            raise ScoresError(
                f"{where}: column '{key}': one analysis wants one of the {number} in the table"
            )
    found = roles(frame, where, wanted)
    guessed = wanted.weight is None
    return Table(where, name, frame, found, wanted.by, ties, times, weight_guessed=guessed)


def _find_scores(table: Table, wanted: Columns, positive: str | None) -> None:
    """Find the classes and the columns of scores."""
    known = table.labels[table.labels != ""]
    present = sorted(known.unique(), key=by_number)
    if len(present) < 2:
        raise ScoresError(
            f"{table.where}: column '{table.label}' has only the class "
            f"'{present[0] if present else ''}'; an analysis needs objects of two"
        )
    rest = table.found.rest
    if wanted.scores:
        missing = [name for name in wanted.scores if name not in table.frame]
        if missing:
            hint = nearest(missing[0], rest)
            raise ScoresError(f"{table.where}: no column '{missing[0]}'{hint}; it has {rest}")
        rest = list(dict.fromkeys(wanted.scores))
    by_class = class_columns(rest, present, table.label)
    if len(by_class) == len(present):
        if not wanted.scores:
            refuse_absent_classes(table.frame, table.where, rest, by_class)
        _check_one_model(table, rest, present)
        table.classes = tuple(sorted(by_class, key=lambda name: rest.index(by_class[name])))
        table.columns = tuple(by_class[name] for name in table.classes)
        if wanted.label is None:
            check_decided(table.frame, table.where, table.label, by_class)
        return
    if len(present) > max(MEASURED, len(known) // 2) and not by_class:
        raise ScoresError(
            f"{table.where}: column '{table.label}' has {count_text(len(present), 'value')} in "
            f"{count_text(len(known), 'row')}, as measured numbers or names of objects do; name "
            "the column of true classes by --label"
        )
    if len(present) > 2:
        missing = [name for name in present if name not in by_class]
        raise ScoresError(
            f"{table.where}: no column of scores for class '{missing[0]}' of {len(present)}; "
            f"columns are {rest}, classes {sizes_text(table.labels, present)}; give a column for "
            f"each class, or rows of two classes{_alike(present)}"
        )
    table.classes = tuple(present)
    table.named = bool(wanted.scores)
    table.single = tuple(rest) if table.named else single_scores(table.frame, table.where, rest)
    if len(table.single) == 1 and len(by_class) == 1:
        table.score_class = next(iter(by_class))
        if positive is not None and label_text(positive) != table.score_class:
            raise ScoresError(
                f"{table.where}: scores are of class '{table.score_class}', not of "
                f"'{label_text(positive)}'"
            )


def _check_one_model(table: Table, rest: list[str], present: list[str]) -> None:
    """Refuse two columns of different scores that are called after one class."""
    named = [(name, class_of(name, present)) for name in rest]
    for name in present:
        own = [column for column, of in named if of == name]
        if len(own) > 1 and any(not table.frame[own[0]].equals(table.frame[each]) for each in own):
            raise ScoresError(
                f"{table.where}: columns {own} are all called after class '{name}'; name the "
                "columns of one model by --scores, or of one class for several models"
            )


def _alike(classes: list[str]) -> str:
    """Return which classes differ in small and capital letters only."""
    pairs = (pair for pair in combinations(classes, 2) if len({*map(str.lower, pair)}) == 1)
    return "".join(f"; write '{one}' and '{two}' alike if they are one" for one, two in pairs)


def _without_missing(tables: list[Table]) -> list[str]:
    """Leave rows out that lack a class or a number, and objects that a file then lacks."""
    lacks = [table.missing_rows() for table in tables]
    by_id = all(table.found.identity for table in tables)
    if not by_id and len({len(each) for each in lacks}) == 1:
        lacks = [np.any(lacks, axis=0)] * len(tables)
    for table, rows in zip(tables, lacks, strict=True):
        table.keep(~rows)
    if by_id and len(tables) > 1:
        keys = [pd.Index(table.frame[table.found.identity].astype(str)) for table in tables]
        common = keys[0]
        for key in keys[1:]:
            common = common.intersection(key)
        for table, key in zip(tables, keys, strict=True):
            table.keep(key.isin(common))
    return [
        f"{table.name}: {count_text(number, 'row')} with a missing value left out"
        for table in tables
        if (number := table.whole - len(table.frame))
    ]


def _scores_of(table: Table, positive: str | None) -> dict[str, NDArray[np.float64]]:
    """Return the scores by model."""
    if table.columns:
        by_class = [numbers_of(table.frame, table.where, name) for name in table.columns]
        if len(by_class) == 2:
            at = positive_class(table.classes, table.y, positive)
            table.differences = are_logits(by_class[at], by_class[1 - at])
            if table.differences:
                return {table.name: (by_class[at] - by_class[1 - at])[:, None]}
        return {table.name: np.column_stack(by_class)}
    found = {name: numbers_of(table.frame, table.where, name) for name in table.single}
    if len(found) == 1:
        classes, (numbers,) = list(table.classes), found.values()
        predicted = predicted_column(table.frame, table.label, table.single, classes)
        if predicted is not None and table.score_class is None:
            taken = classes[positive_class(table.classes, table.y, positive)]
            if (own := turned_scores(numbers, predicted[1], taken)) is not None:
                table.turned_by, numbers = predicted[0], own
            else:
                table.predicted = predicted
        found = {table.name: numbers}
    if table.turned_by is None and table.score_class is None and not table.named:
        check_confidences(found, table.where, table.single)
    return {name: numbers[:, None] for name, numbers in found.items()}


def _ranks(table: Table, column: str) -> NDArray[np.intp]:
    """Return the rank of the fold or id of each row."""
    return pd.factorize(pd.Series(table.keys(column)), sort=True)[0].astype(np.intp)


def _notes_of(table: Table) -> list[str]:
    """Return a sentence for each column, with its role."""
    scores = table.columns or table.single
    unused = [name or "row numbers" for name in table.other_columns]
    classes = f"one column per class ({', '.join(scores)})" if table.columns else ", ".join(scores)
    notes = [f"{table.name}: true classes in '{table.label}', scores in {classes}"]
    for role, column in (
        ("folds", table.found.fold),
        ("weights", table.found.weight),
        ("costs of each object", ", ".join(table.found.costs) or None),
        ("objects told apart by", table.identity),
    ):
        notes[0] += f", {role} {'' if 'by' in role else 'in '}'{column}'" if column else ""
    if in_percent := [name for name in scores if is_percent(table.frame[name])]:
        notes.append(f"{table.name}: {', '.join(in_percent)} in percent, as are all thresholds")
    if table.differences:
        notes.append(
            f"{table.name}: the score of the other class is taken from that of the positive class"
        )
    if table.turned_by:
        notes.append(
            f"{table.name}: {scores[0]} is the confidence of the class in '{table.turned_by}'; "
            "where this is the other class, the score is 100 % less the confidence"
        )
    for name, number in table.ties.items():
        cells = count_text(number, "cell")
        notes.append(f"{table.name}: {cells} of {name} beyond a limit are ties")
    if guessed := table.frame.attrs.get("encoding"):
        notes.append(f"{table.name}: read as {guessed}; names with accents show whether it is")
    notes += [f"{table.name}: {each}" for each in table.frame.attrs.get("said", [])]
    if unused:
        notes.append(f"{table.name}: not used: {', '.join(unused)}")
    return notes
