"""The score table: the waist between trained models and everything that judges them.

A table has the columns ``fold, index, y`` and a column of scores for each class, as Parquet (or CSV
for a user's own). A sidecar ``<name>.json`` states its origin. Where the scores are scaled decision
values, columns ``<class> (raw)`` keep these. Further columns: ``test_set`` (one training, several
test sets), ``member`` (of a pool of classifiers), ``detector`` (its score).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.errors import ScoresError, first_line
from opchar.files import read_json, write_json, write_parquet

KEYS = ["fold", "index", "y"]
FURTHER = ["test_set", "member", "detector"]
RAW = " (raw)"
_COLUMNS = ["fold", "index", "y", "scores", "decisions", *FURTHER]


@dataclass(frozen=True)
class ScoreTable:
    """Scores of one model on the test objects of one or more folds.

    Parameters
    ----------
    fold : ndarray of int, shape (n,)
        Which repetition or fold a line belongs to.
    index : ndarray of int, shape (n,)
        The object's row in the feature table.
    y : ndarray of int, shape (n,)
        True class as an index into `classes`.
    scores : ndarray of float, shape (n, C)
        One column per class; higher means more likely. Rows need not sum to one.
    classes : tuple of str, length C
        Class names in column order.
    provenance : dict
        Data set, its provider or stand-in, model, protocol, seed, versions.
    decisions : ndarray of float, shape (n, C), optional
        Raw decision values of the classes; minus infinity for a class that was not trained on.
    test_set : ndarray of str, shape (n,), optional
        Which test set of its fold a line belongs to.
    member : ndarray of int, shape (n,), optional
        Which member of a pool of classifiers scored a line, from 0.
    detector : ndarray of float, shape (n,), optional
        Score of the detector of a two-stage system; higher means more likely a target.
    """

    fold: np.ndarray
    index: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    classes: tuple[str, ...]
    provenance: dict[str, Any] = field(default_factory=dict)
    decisions: np.ndarray | None = None
    test_set: np.ndarray | None = None
    member: np.ndarray | None = None
    detector: np.ndarray | None = None

    @property
    def data(self) -> str:
        """The data that results from this table must name: the data set, or its stand-in."""
        return str(self.provenance.get("data", "scores given by the user"))

    def folds(self) -> Iterator[tuple[int, ScoreTable]]:
        """Yield ``(fold, table of that fold)`` in ascending order of the fold."""
        for number in np.unique(self.fold):
            yield int(number), self.where(self.fold == number)

    def test_sets(self) -> Iterator[tuple[str | None, ScoreTable]]:
        """Yield ``(name, table of that test set)`` in the order of the table.

        A table without the key yields itself once, under the name None.
        """
        if self.test_set is None:
            yield None, self
            return
        for name in dict.fromkeys(self.test_set.tolist()):
            yield str(name), self.where(self.test_set == name)

    def members(self) -> Iterator[tuple[int | None, ScoreTable]]:
        """Yield ``(member, table of that member)`` in ascending order of the member.

        A table without the key yields itself once, as the member None.
        """
        if self.member is None:
            yield None, self
            return
        for number in np.unique(self.member):
            yield int(number), self.where(self.member == number)

    def where(self, keep: np.ndarray) -> ScoreTable:
        """Return the lines for which `keep`, shape (n,), is true, or which it numbers."""
        columns = {name: getattr(self, name) for name in _COLUMNS}
        kept: dict[str, Any] = {
            name: None if values is None else values[keep] for name, values in columns.items()
        }
        return replace(self, **kept)

    def binary(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, score of the positive class)`` for a two-class analysis.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
            Whether each object is of the positive class.
        score : ndarray of float, shape (n,)
            Larger means more likely positive.

        Raises
        ------
        ScoresError
            If the table has no such class.
        """
        if positive not in self.classes:
            raise ScoresError(
                f"no class '{positive}' in the score table; it has {list(self.classes)}"
            )
        column = self.classes.index(positive)
        return self.y == column, self.scores[:, column]

    def decision(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, raw decision value of the positive class)``.

        For thresholds in the model's own units, and where the scaling to [0, 1] has made distinct
        values equal.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
            Whether each object is of the positive class.
        decision : ndarray of float, shape (n,)
            Larger means more likely positive.

        Raises
        ------
        ScoresError
            If the table has no such class, or no decision values.
        """
        is_positive, _ = self.binary(positive)
        if self.decisions is None:
            raise ScoresError(
                f"{self.data}: no raw decision values; the model gives posteriors only"
            )
        return is_positive, self.decisions[:, self.classes.index(positive)]

    def log_odds(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, log odds of the positive class)``.

        They order objects as the posterior does, but also where it is one to machine precision:
        only the small posteriors of the other classes tell such objects apart.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
            Whether each object is of the positive class.
        score : ndarray of float, shape (n,)
            Infinite where the score of one class is 0.

        Raises
        ------
        ScoresError
            If the table has no such class, or negative scores.
        """
        is_positive, posterior = self.binary(positive)
        if (self.scores < 0).any():
            raise ScoresError(
                f"{self.data}: log odds need posteriors, and some scores are negative"
            )
        others = np.delete(self.scores, self.classes.index(positive), axis=1).sum(axis=1)
        least = np.finfo(float).tiny
        return is_positive, np.log(np.maximum(posterior, least)) - np.log(np.maximum(others, least))


def sidecar(path: Path | str) -> Path:
    """Return the file with the provenance of a score or feature table.

    Parameters
    ----------
    path : path-like
        Of the table.

    Returns
    -------
    pathlib.Path
        Beside the table.
    """
    return Path(path).with_suffix(".json")


def write_scores(table: ScoreTable, path: Path | str) -> None:
    """Write a score table as Parquet and its provenance beside it.

    Parameters
    ----------
    table : ScoreTable
        What to write; it is validated first.
    path : path-like
        Ending in ``.parquet``.

    Raises
    ------
    ScoresError
        One line, if the table is not as `read_scores` wants it.
    """
    if taken := sorted({*KEYS, *FURTHER} & set(table.classes)):
        raise ScoresError(f"{path}: no class can be called '{taken[0]}'; the column has a meaning")
    columns: dict[str, np.ndarray] = {"fold": table.fold}
    columns |= {key: getattr(table, key) for key in FURTHER[:2] if getattr(table, key) is not None}
    columns["index"] = table.index
    columns["y"] = np.asarray(table.classes, dtype=object)[table.y]
    if table.detector is not None:
        columns["detector"] = table.detector
    columns |= {name: table.scores[:, column] for column, name in enumerate(table.classes)}
    if table.decisions is not None:
        for column, name in enumerate(table.classes):
            columns[name + RAW] = table.decisions[:, column]
    frame = pd.DataFrame(columns)
    _validate(frame, str(path))
    write_json(table.provenance | {"classes": list(table.classes)}, sidecar(path))
    write_parquet(frame, path)


def read_scores(path: Path | str) -> ScoreTable:
    """Read and validate a score table.

    Parameters
    ----------
    path : path-like
        Parquet or CSV with the columns ``fold, index, y`` and one per class. In a CSV, ``fold`` and
        ``index`` may be missing: then there is one fold and objects are numbered. Columns of raw
        decision values ``<class> (raw)``: for all classes or for none. The columns ``test_set``,
        ``member`` and ``detector`` are those of `ScoreTable`, not classes.

    Returns
    -------
    ScoreTable
        The table that the file holds.

    Raises
    ------
    ScoresError
        One line that names file, row and column.
    """
    path = Path(path)
    try:
        frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    except FileNotFoundError:
        raise ScoresError(f"{path}: no such score table") from None
    except Exception as error:
        raise ScoresError(
            f"{path}: not a readable score table ({first_line(error)}); give CSV or Parquet with "
            "the columns fold, index, y and one column of scores a class"
        ) from None
    if path.suffix == ".csv":
        frame = frame.assign(
            fold=frame.get("fold", 0), index=frame.get("index", pd.Series(range(len(frame))))
        )
    _validate(frame, str(path))
    classes, raw = _columns(frame)
    provenance = read_json(sidecar(path)) if sidecar(path).exists() else {}
    return ScoreTable(
        frame["fold"].to_numpy(dtype=np.int64),
        frame["index"].to_numpy(dtype=np.int64),
        pd.Categorical(frame["y"].astype(str), categories=classes).codes.astype(np.int64),
        frame[list(classes)].to_numpy(dtype=float),
        classes,
        provenance,
        frame[raw].to_numpy(dtype=float) if raw else None,
        frame["test_set"].astype(str).to_numpy(dtype=object) if "test_set" in frame else None,
        frame["member"].to_numpy(dtype=np.int64) if "member" in frame else None,
        frame["detector"].to_numpy(dtype=float) if "detector" in frame else None,
    )


def _columns(frame: pd.DataFrame) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns of scores and those of raw decision values."""
    names = [str(name) for name in frame.columns if name not in (*KEYS, *FURTHER)]
    raw = [name for name in names if name.endswith(RAW) and name.removesuffix(RAW) in names]
    return tuple(name for name in names if name not in raw), raw


def _validate(frame: pd.DataFrame, place: str) -> None:
    """Raise `ScoresError` unless the columns, labels and numbers are as the contract says."""
    if missing := [name for name in KEYS if name not in frame.columns]:
        raise ScoresError(
            f"{place}: column '{missing[0]}' is missing; it has {list(frame.columns)}"
        )
    if frame.empty:
        raise ScoresError(f"{place}: the table has no rows")
    frame = frame.rename(columns=str)
    classes, raw = _columns(frame)
    if len(classes) < 2:
        raise ScoresError(
            f"{place}: {len(classes)} score column(s); give one a class, at least two"
        )
    if raw and raw != [name + RAW for name in classes]:
        raise ScoresError(
            f"{place}: raw decision values of {len(raw)} of {len(classes)} classes; give them for "
            "all, in the order of the classes, or for none"
        )
    further = [name for name in ("member", "detector") if name in frame]
    for name in ["fold", "index", *further, *classes, *raw]:
        _check_numbers(frame[name], place, may_be_minus_infinity=name in (*raw, "detector"))
    for name in ["fold", "index", *further[: further.count("member")]]:
        _check_whole(frame[name], place, least=0 if name == "member" else None)
    _check_labels(frame, classes, place)


def _check_numbers(column: pd.Series, place: str, may_be_minus_infinity: bool) -> None:
    if not pd.api.types.is_numeric_dtype(column):
        row = next((at for at, value in enumerate(column) if not _is_number(value)), 0)
        raise ScoresError(
            f"{place}: row {row + 1}, column '{column.name}': '{column.iloc[row]}' is no number"
        )
    values = column.to_numpy(dtype=float, na_value=np.nan)
    finite = np.isfinite(values) | ((values == -np.inf) & may_be_minus_infinity)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ScoresError(
            f"{place}: row {row + 1}, column '{column.name}': {column.iloc[row]} is not finite"
        )


def _is_number(value: object) -> bool:
    try:
        return bool(np.isfinite(float(value)))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def _check_whole(column: pd.Series, place: str, least: int | None) -> None:
    values = column.to_numpy(dtype=float)
    right = (values == np.floor(values)) & (least is None or values >= least)
    if not right.all():
        row = int(np.argmin(right))
        wanted = "a whole number" + (f" from {least}" if least is not None else "")
        raise ScoresError(
            f"{place}: row {row + 1}, column '{column.name}': {column.iloc[row]} is not {wanted}"
        )


def _check_labels(frame: pd.DataFrame, classes: tuple[str, ...], place: str) -> None:
    if "test_set" in frame and frame["test_set"].isna().any():
        row = int(frame["test_set"].isna().to_numpy().argmax())
        raise ScoresError(
            f"{place}: row {row + 1}, column 'test_set': empty; name the test set of every row"
        )
    labels = frame["y"].astype(str)
    known = labels.isin([str(name) for name in classes]).to_numpy()
    if not known.all():
        row = int(np.argmin(known))
        raise ScoresError(
            f"{place}: row {row + 1}, column 'y': label '{labels.iloc[row]}' is none of the score "
            f"columns {list(classes)}"
        )
    if labels.nunique() < 2:
        raise ScoresError(f"{place}: column 'y' has only the class '{labels.iloc[0]}'; give both")


def rejecting_threshold(scores: np.ndarray, share: float) -> float:
    """Return the threshold that rejects a share of scores, halfway between two of them.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Higher means more like the class; in any order.
    share : float
        In [0, 1): ``floor(share * n)`` scores lie below the threshold, ties aside.

    Returns
    -------
    float
        The smallest score when none shall be rejected.
    """
    ordered = np.sort(scores)
    rejected = int(share * len(ordered))
    return float(ordered[max(rejected - 1, 0) : rejected + 1].mean())
