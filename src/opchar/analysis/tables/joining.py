"""Rows of several files, matched by object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.numbers import count_text
from opchar.analysis.tables.columns import IDS, Columns, has_label, is_score, roles, usual_columns
from opchar.analysis.tables.table import Table
from opchar.errors import ScoresError

Whole = tuple[str, str, pd.DataFrame, NDArray[np.int64] | None]
Keys = NDArray[Any] | None
Rows = tuple[str, NDArray[Any], Keys, Keys]


def with_labels(tables: Iterable[Whole], wanted: Columns) -> Iterator[Whole]:
    """Yield tables, with true classes by id from the one that has them where others lack them.

    A table of true classes without a column that is called as scores are is no model.
    """
    given = list(tables)
    have = [has_label(frame, wanted) for _, _, frame, _ in given]
    if all(have) or not any(have):
        yield from given
        return
    at, _, truth, _ = given[have.index(True)]
    named = ("fold", "weight", "identity", "by")
    here: dict[str, Any] = {name: None for name in named if getattr(wanted, name) not in truth}
    found = roles(truth, at, replace(wanted, **here))
    if found.identity is None:
        raise ScoresError(f"{at}: no column 'id', by which other files find their true classes")
    key = pd.Index(truth[found.identity].astype(str))
    if not key.is_unique:
        raise ScoresError(f"{at}: object {key[key.duplicated()][0]} is there twice")
    kept = [
        name
        for name in (found.label, found.fold, found.weight, *found.costs, wanted.by)
        if name in truth
    ]
    for (where, name, frame, times), labelled in zip(given, have, strict=True):
        if labelled:
            if any(is_score(column) or column in wanted.scores for column in found.rest):
                yield where, name, frame, times
            continue
        column = wanted.identity or next(iter(usual_columns(list(frame.columns), IDS)), None)
        if column is None or column not in frame:
            raise ScoresError(f"{where}: no true classes, and no column 'id' to find them in {at}")
        rows = key.get_indexer(pd.Index(frame[column].astype(str)))
        if (rows < 0).any():
            missing = frame[column].iloc[int((rows < 0).argmax())]
            raise ScoresError(f"{where}: object {missing} is not in {at}, which has true classes")
        more = truth[[each for each in kept if each not in frame]].iloc[rows]
        yield where, name, frame.join(more.set_index(frame.index)), times


def find_names(tables: list[Table]) -> None:
    """Find the column that names objects which lie in another order in some of the tables.

    It has each value once and the same values in all tables. Rows of one value have one true class.
    """
    first, *others = tables
    if not others or any(table.identity for table in tables):
        return
    for name in first.other_columns:
        if any(name not in table.other_columns for table in others):
            continue
        keys = [pd.Index(table.frame[name]) for table in tables]
        if not all(key.is_unique and len(key) == len(keys[0]) for key in keys):
            continue
        orders = [key.get_indexer(keys[0]) for key in keys[1:]]
        if all((order == np.arange(len(order))).all() for order in orders):
            continue
        labels = first.labels.to_numpy()
        if all(
            (order >= 0).all() and (table.labels.to_numpy()[order] == labels).all()
            for table, order in zip(others, orders, strict=True)
        ):
            for table in tables:
                table.found = replace(table.found, identity=name)
            return


def joined_rows(tables: list[Rows]) -> list[NDArray[np.intp]]:
    """Return for each file the order of rows that puts its objects in the order of the first.

    Objects are matched by id where all files have one, within folds where ids repeat; else the
    files must have their rows in one order, which equal labels make plausible.
    """
    where, labels, ids, _ = tables[0]
    orders = [np.arange(len(labels))]
    for other, other_labels, _, _ in tables[1:]:
        if len(other_labels) != len(labels):
            raise ScoresError(
                f"{other}: {len(other_labels)} rows, but {where} has {len(labels)}; models are "
                "compared on the same objects"
            )
    alike = ids is not None and all(
        np.array_equal(table[2], ids) for table in tables if table[2] is not None
    )
    if ids is None or alike or any(table[2] is None for table in tables):
        orders += [orders[0]] * (len(tables) - 1)
        by = "in the same order? A column 'id' in all files tells them apart"
    else:
        keys = _object_keys(tables)
        orders += [_matching_rows(tables, keys, number) for number in range(1, len(tables))]
        by = "the same in both files?"
    for (other, other_labels, _, _), order in zip(tables[1:], orders[1:], strict=True):
        differ = other_labels[order] != labels
        if differ.any():
            row = int(differ.argmax())
            raise ScoresError(
                f"{other}: row {int(order[row]) + 1} has class '{other_labels[order][row]}', but "
                f"row {row + 1} of {where} has '{labels[row]}'; are the objects {by}"
            )
    return orders


def _object_keys(tables: list[Rows]) -> list[pd.Index]:
    """Return keys that are unique in each file: ids, or ids within folds."""
    keys: list[pd.Index] = [pd.Index(np.asarray(table[2])) for table in tables]
    if len(tables) > 1 and not all(key.is_unique for key in keys):
        if all(table[3] is not None for table in tables):
            keys = [
                pd.MultiIndex.from_arrays([np.asarray(table[3]), np.asarray(table[2])])
                for table in tables
            ]
        for (where, _, _, _), key in zip(tables, keys, strict=True):
            if not key.is_unique:
                raise ScoresError(
                    f"{where}: object {key[key.duplicated()][0]} is there twice; number repeats in "
                    "a column 'fold'"
                )
    return keys


def _matching_rows(tables: list[Rows], keys: list[pd.Index], number: int) -> NDArray[np.intp]:
    """Return where a file has the objects of the first."""
    if keys[0].dtype != keys[number].dtype and not isinstance(keys[0], pd.MultiIndex):
        keys = [key.astype(str) for key in keys]
    order = keys[number].get_indexer(keys[0])
    if (order < 0).any():
        missing = keys[0][int((order < 0).argmax())]
        lacking = count_text((order < 0).sum(), "object")
        raise ScoresError(
            f"{tables[number][0]}: lacks {lacking} of {tables[0][0]}, the first is "
            f"{missing}; models are compared on the same objects"
        )
    return order
