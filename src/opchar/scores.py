"""The score table: the waist between trained models and everything that judges them.

A table has the columns ``fold, index, y`` and one column of scores a class, as Parquet (or CSV for
a user's own), with a sidecar ``<name>.json`` that says where it came from. Where the scores are
scaled decision values, columns ``<class> (raw)`` keep these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.errors import ScoresError
from opchar.files import read_json, write_json, write_parquet

KEYS = ["fold", "index", "y"]
RAW = " (raw)"


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
        One column a class; higher means more likely. Rows need not sum to one.
    classes : tuple of str, length C
        Class names in column order.
    provenance : dict
        Data set, its provider or stand-in, model, protocol, seed, versions.
    decisions : ndarray of float, shape (n, C), optional
        Raw decision values of the classes; minus infinity for a class that was not trained on.
    """

    fold: np.ndarray
    index: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    classes: tuple[str, ...]
    provenance: dict[str, Any] = field(default_factory=dict)
    decisions: np.ndarray | None = None

    @property
    def data(self) -> str:
        """What results that rest on this table must name: the data set, or its stand-in."""
        return str(self.provenance.get("data", "scores given by the user"))

    def folds(self) -> Iterator[tuple[int, ScoreTable]]:
        """Yield ``(fold, table of that fold)`` in ascending order of the fold."""
        for number in np.unique(self.fold):
            yield int(number), self._where(self.fold == number)

    def _where(self, keep: np.ndarray) -> ScoreTable:
        return ScoreTable(
            self.fold[keep],
            self.index[keep],
            self.y[keep],
            self.scores[keep],
            self.classes,
            self.provenance,
            None if self.decisions is None else self.decisions[keep],
        )

    def binary(self, positive: str) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(is_positive, score of the positive class)`` for a two-class analysis.

        Parameters
        ----------
        positive : str
            Name of the positive class.

        Returns
        -------
        is_positive : ndarray of bool, shape (n,)
        score : ndarray of float, shape (n,)

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
        decision : ndarray of float, shape (n,)

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
        score : ndarray of float, shape (n,)

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
    """Return where the provenance of a score or feature table stands."""
    return Path(path).with_suffix(".json")


def write_scores(table: ScoreTable, path: Path | str) -> None:
    """Write a score table as Parquet and its provenance beside it.

    Parameters
    ----------
    table : ScoreTable
        What to write; it is validated first.
    path : path-like
        Ending in ``.parquet``.
    """
    frame = pd.DataFrame({"fold": table.fold, "index": table.index})
    frame["y"] = np.asarray(table.classes, dtype=object)[table.y]
    for column, name in enumerate(table.classes):
        frame[name] = table.scores[:, column]
    if table.decisions is not None:
        for column, name in enumerate(table.classes):
            frame[name + RAW] = table.decisions[:, column]
    _validate(frame, str(path))
    write_json(table.provenance | {"classes": list(table.classes)}, sidecar(path))
    write_parquet(frame, path)


def read_scores(path: Path | str) -> ScoreTable:
    """Read and validate a score table.

    Parameters
    ----------
    path : path-like
        Parquet or CSV with the columns ``fold, index, y`` and one a class. In a CSV, ``fold`` and
        ``index`` may be missing: then there is one fold and objects are numbered. Columns of raw
        decision values ``<class> (raw)``: for all classes or for none.

    Returns
    -------
    ScoreTable

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
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ScoresError(
            f"{path}: not a readable score table ({reason}); give CSV or Parquet with the columns "
            "fold, index, y and one column of scores a class"
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
    )


def _columns(frame: pd.DataFrame) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns of scores and those of raw decision values."""
    names = [str(name) for name in frame.columns if name not in KEYS]
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
    for name in ["fold", "index", *classes, *raw]:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            numbers = pd.to_numeric(frame[name], errors="coerce")
            row = int(numbers.isna().to_numpy().argmax())
            raise ScoresError(
                f"{place}: row {row + 1}, column '{name}': '{frame[name].iloc[row]}' is no number"
            )
        values = frame[name].to_numpy(dtype=float, na_value=np.nan)
        finite = np.isfinite(values) | ((values == -np.inf) & (name in raw))
        if not finite.all():
            row = int(np.argmin(finite))
            raise ScoresError(
                f"{place}: row {row + 1}, column '{name}': {frame[name].iloc[row]} is not finite"
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
