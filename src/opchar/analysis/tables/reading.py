"""Scores of one or more models on the same objects, from the tables that people have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.joining import joined_rows
from opchar.errors import ScoresError, nearest

LABELS = ("y", "y_true", "ytrue", "label", "labels", "target", "class", "true", "truth",
          "true_class", "true_label", "actual", "ground_truth", "outcome", "diagnosis")  # fmt: skip
SCORES = ("score", "scores", "y_score", "yscore", "y_prob", "y_proba", "y_pred_proba", "prob",
          "proba", "probability", "p", "decision", "decision_function", "prediction", "y_hat",
          "yhat", "pred")  # fmt: skip
FOLDS = ("fold", "folds", "cv_fold")
WEIGHTS = ("weight", "weights", "sample_weight")
IDS = ("id", "index", "object", "object_id", "sample_id", "row_id", "uid")
PREFIXES = ("score_", "scores_", "proba_", "prob_", "p_", "y_score_", "y_proba_")
POSITIVE = ("1", "true", "yes", "positive", "pos", "+", "+1")
NOT_POOLED = ("test_set", "member")
RAW = " (raw)"


@dataclass(frozen=True)
class Columns:
    """Names of columns that the user gives; what is None is found by usual names.

    Attributes
    ----------
    label, fold, weight, identity : str, optional
    scores : tuple of str
        With two classes, columns of scores of the positive class, each of its own model; with
        more, the columns of the classes.
    """

    label: str | None = None
    fold: str | None = None
    weight: str | None = None
    identity: str | None = None
    scores: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scored:
    """Models scored on the same objects.

    Attributes
    ----------
    classes : tuple of str, length C
    y : ndarray of int, shape (n,)
        Places in `classes`.
    models : dict of str to ndarray
        By model the scores, shape (n, C); shape (n, 1) where there is one score, of the positive
        class, for two classes.
    positive : int
        With two classes, the place of the positive one.
    fold : ndarray of int, shape (n,), optional
        From 0 without gaps.
    weight : ndarray of float, shape (n,), optional
    unit : ndarray of int, shape (n,), optional
        Which object a row belongs to, where an object has several rows.
    notes : tuple of str
        What was taken for what, and what was not used, a sentence each.
    """

    classes: tuple[str, ...]
    y: NDArray[np.intp]
    models: dict[str, NDArray[np.float64]]
    positive: int
    fold: NDArray[np.intp] | None = None
    weight: NDArray[np.float64] | None = None
    unit: NDArray[np.intp] | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Whether an object is of the positive class, shape (n,)."""
        return self.y == self.positive

    def against(self, column: int) -> dict[str, NDArray[np.float64]]:
        """Return the score of one class by model; of the positive one where it is the only."""
        return {
            name: scores[:, 0 if scores.shape[1] == 1 else column]
            for name, scores in self.models.items()
        }


@dataclass
class _Table:
    """One file, its columns told apart."""

    place: str
    name: str
    frame: pd.DataFrame
    label: str
    fold: str | None
    weight: str | None
    identity: str | None
    labels: pd.Series = field(init=False)
    classes: tuple[str, ...] = ()
    single: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        codes, values = pd.factorize(self.frame[self.label], use_na_sentinel=False)
        self.labels = pd.Series(np.array([label_text(value) for value in values], object)[codes])


def read_models(
    paths: Sequence[Path | str], columns: Columns | None = None, positive: str | None = None
) -> Scored:
    """Read the scores of any number of models on the same objects.

    Parameters
    ----------
    paths : sequence of path-like
        A file a model, as `opchar.analysis.tables.files.read_table` reads them; with two classes,
        one file may have several models, whose columns are named.
    columns : Columns, optional
        Names of columns; found by usual names when not given.
    positive : str, optional
        The positive one of two classes. When not given: 1, true, yes or positive; else the rarer.

    Returns
    -------
    Scored

    Raises
    ------
    ScoresError
        One line that names the file, the column or row, and what to do.
    """
    wanted = columns or Columns()
    if not paths:
        raise ScoresError("give one or more files of scores")
    names = _model_names([Path(path) for path in paths])
    tables = [
        _told_apart(read_table(path), str(path), name, wanted)
        for path, name in zip(paths, names, strict=True)
    ]
    for table in tables:
        _find_scores(table, wanted, positive)
    first = tables[0]
    if len({table.classes for table in tables}) > 1:
        others = next(table for table in tables if table.classes != first.classes)
        raise ScoresError(
            f"{others.place}: classes {list(others.classes)} and those of {first.place}, "
            f"{list(first.classes)}, differ"
        )
    rows = joined_rows(
        [(t.place, t.labels.to_numpy(), _keys(t, t.identity), _keys(t, t.fold)) for t in tables]
    )
    models: dict[str, NDArray[np.float64]] = {}
    for table, order in zip(tables, rows, strict=True):
        for name, values in _scores_of(table).items():
            models[name] = values[order]
    return _scored(tables, models, positive)


def label_text(value: object) -> str:
    """Return a label as text, so that 1, 1.0 and "1" are one class.

    Examples
    --------
    >>> label_text(1.0), label_text(True), label_text(" a"), label_text("2.0")
    ('1', 'True', 'a', '2')
    """
    text = str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text


def _scored(
    tables: list[_Table], models: dict[str, NDArray[np.float64]], positive: str | None
) -> Scored:
    """Put what all files share into numbers."""
    first = tables[0]
    y = pd.Categorical(first.labels, categories=list(first.classes)).codes.astype(np.intp)
    place = _positive_class(first, y, positive)
    notes = [note for table in tables for note in _said_of(table)]
    fold = unit = weight = None
    if first.fold is not None:
        fold = _numbered(first, first.fold)
        if int(fold.max()) == 0:
            fold = None
            notes.append(f"column '{first.fold}' has one fold only: folds are drawn")
    if first.identity is not None:
        unit = _numbered(first, first.identity)
        if int(unit.max()) + 1 == len(unit):
            unit = None
        else:
            _check_one_class_a_unit(first, unit, y)
    if first.weight is not None:
        weight = _numbers(first, first.weight)
        if (weight < 0).any():
            row = int((weight < 0).argmax())
            raise ScoresError(
                f"{first.place}: row {row + 1}, column '{first.weight}': a weight is not negative"
            )
    return Scored(first.classes, y, models, place, fold, weight, unit, tuple(notes))


def _check_one_class_a_unit(table: _Table, unit: NDArray[np.intp], y: NDArray[np.intp]) -> None:
    order = np.lexsort((y, unit))
    changes = (np.diff(unit[order]) == 0) & (np.diff(y[order]) != 0)
    if changes.any():
        row = int(order[1:][changes][0])
        raise ScoresError(
            f"{table.place}: row {row + 1}, column '{table.identity}': object "
            f"{table.frame[table.identity].iloc[row]} has another class in another row"
        )


def _positive_class(table: _Table, y: NDArray[np.intp], positive: str | None) -> int:
    """Return the place of the positive class, which a column of scores of its own may name."""
    if positive is None and len(table.classes) == 2 and len(table.single) == 1:
        own = _class_of(table.single[0], list(table.classes))
        positive = own or None
    return positive_class(table.classes, y, positive)


def positive_class(
    classes: tuple[str, ...], y: NDArray[np.intp], positive: str | None = None
) -> int:
    """Return the place of the positive class of two; of more, of the one that is named.

    Parameters
    ----------
    classes : tuple of str
    y : ndarray of int, shape (n,)
        Places in `classes`.
    positive : str, optional
        When not given: of two classes 1, true, yes or positive; else the rarest.

    Returns
    -------
    int

    Raises
    ------
    ScoresError
        If there is no such class.
    """
    if positive is not None:
        if label_text(positive) not in classes:
            hint = nearest(positive, list(classes))
            raise ScoresError(f"no class '{positive}'{hint}; there are {list(classes)}")
        return classes.index(label_text(positive))
    if len(classes) == 2:
        for number, name in enumerate(classes):
            if name.lower() in POSITIVE:
                return number
    return int(np.argmin(np.bincount(y, minlength=len(classes))))


def _model_names(paths: list[Path]) -> list[str]:
    """Return the names of models: of files, with folders where these are the same."""
    names = [path.name.split(".")[0] or path.name for path in paths]
    if len(set(names)) < len(names):
        names = [
            f"{path.resolve().parent.name}/{name}" for path, name in zip(paths, names, strict=True)
        ]
    if len(set(names)) < len(names):
        raise ScoresError(f"two files are both '{names[0]}'; give each model once")
    return names


def _told_apart(frame: pd.DataFrame, place: str, name: str, wanted: Columns) -> _Table:
    """Find the columns that are no scores."""
    for key in NOT_POOLED:
        if key in frame and (number := frame[key].nunique()) > 1:
            raise ScoresError(
                f"{place}: column '{key}': one analysis wants one of the {number} in the table"
            )
    label = _named(frame, place, wanted.label, LABELS, "--label")
    if label is None:
        raise ScoresError(
            f"{place}: no column is called {', '.join(LABELS[:6])} or the like; name the column of "
            f"true classes by --label, one of {list(frame.columns)}"
        )
    return _Table(
        place,
        name,
        frame,
        label,
        _named(frame, place, wanted.fold, FOLDS, "--fold"),
        _named(frame, place, wanted.weight, WEIGHTS, "--weight"),
        _named(frame, place, wanted.identity, IDS, "--id"),
    )


def _named(
    frame: pd.DataFrame, place: str, given: str | None, usual: tuple[str, ...], option: str
) -> str | None:
    """Return the column that is named, or the one with a usual name."""
    if given is not None:
        if given not in frame:
            hint = nearest(given, [str(name) for name in frame.columns])
            raise ScoresError(f"{place}: no column '{given}'{hint}; it has {list(frame.columns)}")
        return given
    found = [name for word in usual for name in frame.columns if str(name).lower() == word]
    if option == "--label" and len(found) > 1:
        raise ScoresError(f"{place}: columns {found} may all be true classes; choose by {option}")
    return str(found[0]) if found else None


def _find_scores(table: _Table, wanted: Columns, positive: str | None) -> None:
    """Find the classes and the columns of scores."""
    present = sorted(table.labels.unique(), key=_natural)
    if empty := [name for name in present if name == ""]:
        row = int((table.labels == empty[0]).to_numpy().argmax())
        raise ScoresError(f"{table.place}: row {row + 1}, column '{table.label}': empty")
    if len(present) < 2:
        raise ScoresError(
            f"{table.place}: column '{table.label}' has only the class '{present[0]}'; an analysis "
            "needs objects of two"
        )
    taken = {table.label, table.fold, table.weight, table.identity}
    rest = [name for name in table.frame.columns if name not in taken]
    if wanted.scores:
        missing = [name for name in wanted.scores if name not in table.frame]
        if missing:
            hint = nearest(missing[0], rest)
            raise ScoresError(f"{table.place}: no column '{missing[0]}'{hint}; it has {rest}")
        rest = list(wanted.scores)
    by_class = {name: column for column in rest if (name := _class_of(column, present))}
    if len(by_class) == len(present):
        table.classes = tuple(sorted(by_class, key=lambda name: rest.index(by_class[name])))
        table.columns = tuple(by_class[name] for name in table.classes)
        return
    if len(present) > 2:
        missing = [name for name in present if name not in by_class]
        raise ScoresError(
            f"{table.place}: no column of scores for class '{missing[0]}' of {len(present)}; "
            f"columns are {rest}"
        )
    table.classes = tuple(present)
    table.single = tuple(wanted.scores) or _single(table, rest)
    if len(table.single) == 1 and len(by_class) == 1:
        own = next(iter(by_class))
        if positive is not None and label_text(positive) != own:
            raise ScoresError(
                f"{table.place}: scores are of class '{own}', not of '{label_text(positive)}'"
            )


def _single(table: _Table, rest: list[str]) -> tuple[str, ...]:
    """Return the one column of scores of two classes."""
    usual = [name for word in SCORES for name in rest if name.lower() == word]
    numeric = [name for name in rest if pd.api.types.is_numeric_dtype(table.frame[name])]
    if len(usual) == 1 or (usual and len(numeric) != 1):
        return (usual[0],)
    if len(numeric) == 1:
        return (numeric[0],)
    if not numeric and len(rest) == 1:
        return (rest[0],)
    raise ScoresError(
        f"{table.place}: which column has the scores? Name one, or one a model, by --scores: "
        f"{', '.join(numeric or rest) or 'there is none'}"
    )


def _class_of(column: str, classes: list[str]) -> str | None:
    """Return the class that a column is called after."""
    for text in (column, *(column.removeprefix(p) for p in PREFIXES if column.startswith(p))):
        if label_text(text) in classes:
            return label_text(text)
    return None


def _scores_of(table: _Table) -> dict[str, NDArray[np.float64]]:
    """Return the scores by model."""
    if table.columns:
        return {table.name: np.column_stack([_numbers(table, name) for name in table.columns])}
    if len(table.single) == 1:
        return {table.name: _numbers(table, table.single[0])[:, None]}
    return {name: _numbers(table, name)[:, None] for name in table.single}


def _numbers(table: _Table, column: str) -> NDArray[np.float64]:
    """Return a column of finite numbers."""
    values = table.frame[column]
    try:
        parsed = pd.to_numeric(values, errors="coerce")
    except OverflowError:  # a whole number beyond all floats; as text it is infinite
        parsed = pd.to_numeric(values.astype(str), errors="coerce")
    numbers = parsed.to_numpy(dtype=float, na_value=np.nan)
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax())
        said = "is not finite" if isinstance(values.iloc[row], float | int) else "is no number"
        raise ScoresError(
            f"{table.place}: row {row + 1}, column '{column}': '{values.iloc[row]}' {said}"
        )
    return numbers


def _keys(table: _Table, column: str | None) -> NDArray[Any] | None:
    """Return folds or ids; whole numbers, or texts."""
    if column is None:
        return None
    values = table.frame[column]
    if pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        right = (numbers == np.floor(numbers)) & (np.abs(numbers) < 2**53)
        if column == table.fold:
            right &= numbers >= 0
        if not right.all():
            row = int((~right).argmax())
            raise ScoresError(
                f"{table.place}: row {row + 1}, column '{column}': {values.iloc[row]} is not a "
                "whole number" + (" from 0" if column == table.fold else "")
            )
        return numbers.astype(np.int64)
    return values.astype(str).to_numpy()


def _numbered(table: _Table, column: str) -> NDArray[np.intp]:
    """Return the places of folds or ids in their order."""
    return pd.factorize(pd.Series(_keys(table, column)), sort=True)[0].astype(np.intp)


def _said_of(table: _Table) -> list[str]:
    """Return what was taken for what."""
    scores = table.columns or table.single
    used = {table.label, table.fold, table.weight, table.identity, *scores}
    kept = [name for name in table.frame.columns if name not in used]
    unused = [name for name in kept if not name.endswith(RAW)]
    classes = f"one column a class ({', '.join(scores)})" if table.columns else ", ".join(scores)
    said = [f"{table.name}: true classes in '{table.label}', scores in {classes}"]
    for role, column in (
        ("folds", table.fold),
        ("weights", table.weight),
        ("objects told apart by", table.identity),
    ):
        said[0] += f", {role} {'' if 'by' in role else 'in '}'{column}'" if column else ""
    if unused:
        said.append(f"{table.name}: not used: {', '.join(unused)}")
    return said


def _natural(name: str) -> tuple[int, float, str]:
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, 0.0, name)
