"""The result of an experiment: a tidy table keyed like the published numbers, and its curves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from opchar.files import write_csv, write_parquet

KEY = ["artefact", "row", "column"]
MEASURED = ["value", "std", "n", "unit", "tolerance"]
COLUMNS = [*KEY, "kind", *MEASURED, "basis", "variant", "data", "note"]
ANALYTIC = "none (analytic)"
STAND_IN = "stand-in"
BASES = {
    "data": "The data of the publication itself.",
    "exact": "Follows from definitions and published inputs.",
    "simulation": "Drawn from distributions that the publication states.",
    "stand-in": "Stand-in data, because the original is not public or was not available.",
    "illustration": "An example whose parameters the publication does not state.",
    "input": "A published input, read back.",
}
REPEATS = "repeats"
CONFIRMING = ("data", "exact", "simulation")
Columns = dict[str, Any]
_STAND_IN = re.compile(r"(?:^|[;,+&]\s*|\band )(stand-in\b[^;]*)")


class Results:
    """What an experiment returns: numbers, claims and texts, and the curves behind its figures.

    Each line carries the key ``(artefact, row, column)`` of the published values, so that
    comparing with the paper is a join.

    Attributes
    ----------
    lines : list of dict
        One entry a line, with the keys of `COLUMNS`.
    """

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._parts: dict[str, list[Columns | pd.DataFrame]] = {}

    @property
    def curves(self) -> dict[str, pd.DataFrame]:
        """The frames so far by name, each of all that was added to it."""
        joined = {name: _join_parts(parts) for name, parts in self._parts.items()}
        self._parts = {name: [frame] for name, frame in joined.items()}
        return joined

    def number(
        self,
        artefact: str,
        row: str,
        column: str,
        value: float,
        *,
        std: float | None = None,
        n: int | None = None,
        unit: str = "",
        tolerance: float | None = None,
        basis: str | None = None,
        data: str | None = None,
        note: str = "",
    ) -> None:
        """Add a number.

        Parameters
        ----------
        artefact, row, column : str
            The key in ``values.csv`` of the publication.
        value : float
            The reproduced value; NaN where the definition gives none.
        std : float, optional
            Standard deviation over `n` repeats. A line with neither is deterministic.
        n : int, optional
            Number of repeats behind `value`.
        unit : str, optional
            As in the published table.
        tolerance : float, optional
            What the method itself leaves open, when that is more than the last printed digit.
        basis : str, optional
            A key of `BASES`; that of the experiment when not given.
        data : str, optional
            What the value rests on; filled from the experiment's score tables when not given.
        note : str, optional
            A remark for the ledger.
        """
        repeats = {"std": std, "n": n, "unit": unit, "tolerance": tolerance}
        about = {"basis": basis, "data": data, "note": note}
        self._add("number", (artefact, row, column), value=float(value), **repeats, **about)

    def mean(self, artefact: str, row: str, column: str, values: ArrayLike, **about: Any) -> None:
        """Add the mean of repeats, with their number and, of several, their standard deviation.

        Parameters
        ----------
        artefact, row, column : str
            As in `number`.
        values : array_like, shape (n,)
            One value a repeat.
        **about
            What `number` takes besides: ``unit``, ``basis``, ``data``, ``note``.
        """
        each = np.asarray(values, dtype=float)
        std = float(each.std(ddof=1)) if len(each) > 1 else None
        mean = each.mean() if len(each) else np.nan
        self.number(artefact, row, column, mean, std=std, n=len(each), **about)

    def text(
        self,
        artefact: str,
        row: str,
        column: str,
        text: str,
        *,
        basis: str | None = None,
        data: str | None = None,
    ) -> None:
        """Add a printed text, such as a model's name or a dash for an undefined cell."""
        self._add("text", (artefact, row, column), basis=basis, data=data, note=text)

    def add_frame(self, name: str, columns: Mapping[str, Any] | pd.DataFrame) -> None:
        """Add a frame, or rows to the frame of the name.

        Parameters
        ----------
        name : str
            By which statements and figures read it.
        columns : mapping of str to array_like, or pandas.DataFrame
            Equally long columns (scalars are repeated). Several series of one frame are told apart
            by a column of their own, as in ``series``.
        """
        simple = _simple_columns(columns) if isinstance(columns, Mapping) else None
        frame = dict(columns) if isinstance(columns, Mapping) else columns
        self._parts.setdefault(name, []).append(simple or pd.DataFrame(frame))

    def curve(self, name: str, columns: Mapping[str, Any] | pd.DataFrame) -> None:
        """Add a frame: what `add_frame` was called until version 0.2."""
        self.add_frame(name, columns)

    def rest_on(self, data: str) -> Results:
        """Set the data of the lines so far that name none, and return the results."""
        for line in self.lines:
            line["data"] = data if line["data"] is None else line["data"]
        return self

    def _add(self, kind: str, key: tuple[str, str, str], **values: Any) -> None:
        if values["basis"] not in (None, *BASES):
            raise ValueError(f"basis '{values['basis']}' is none of {', '.join(BASES)}")
        line = dict.fromkeys(COLUMNS) | {"value": np.nan, "unit": "", "variant": "", "kind": kind}
        self.lines.append(line | dict(zip(KEY, key, strict=True)) | values)

    def frame(self, data: str = ANALYTIC, basis: str = "exact") -> pd.DataFrame:
        """Return the lines as a table.

        Parameters
        ----------
        data : str
            What lines rest on that name no data.
        basis : str
            Basis of the lines that name none, a key of `BASES`. A line whose data names a
            stand-in has that basis, unless it is an input or an illustration.
        """
        frame = pd.DataFrame(self.lines, columns=COLUMNS)
        keys = frame[KEY]
        if (twice := keys.duplicated()).any():
            raise ValueError(f"result line given twice: {keys[twice].iloc[0].to_dict()}")
        frame["data"] = frame["data"].fillna(data)
        frame["basis"] = [
            basis_of(given, label)
            for given, label in zip(frame["basis"].fillna(basis), frame["data"], strict=True)
        ]
        frame["n"] = frame["n"].astype("Int64")
        return frame.astype({"std": float, "tolerance": float, "value": float})

    def write(
        self, table: Path | str, curves: Path | str, data: str = ANALYTIC, basis: str = "exact"
    ) -> None:
        """Write the lines as CSV and all curves as one long Parquet table.

        Parameters
        ----------
        table, curves : path-like
            The two files.
        data, basis : str
            As for `frame`.
        """
        lines = self.frame(data, basis)
        self.write_curves(curves)
        write_csv(lines, table)

    def write_curves(self, curves: Path | str) -> None:
        """Write all curves as one long Parquet table.

        Parameters
        ----------
        curves : path-like
            Of the Parquet table.
        """
        named = [frame.assign(curve=name) for name, frame in self.curves.items()]
        long = pd.concat(named, ignore_index=True) if named else pd.DataFrame({"curve": []})
        write_parquet(long.astype({"curve": "string"}), curves)


def keep_repeats(results: Results, artefact: str, row: str, column: str, values: ArrayLike) -> None:
    """Keep the single repeats behind a number, so that it is known which numbers vary together.

    Parameters
    ----------
    results : Results
        They are added to it.
    artefact, row, column : str
        The key of the number.
    values : array_like, shape (n,)
        One value a repeat. Numbers that rest on the same data and have as many repeats share
        them: repeat i of both is the same fold or draw.
    """
    measured = np.asarray(values, dtype=float)
    key = {"artefact": artefact, "row": row, "column": column}
    results.add_frame(REPEATS, key | {"repeat": np.arange(len(measured)), "measured": measured})


def _simple_columns(columns: Mapping[str, Any]) -> Columns | None:
    """Return a copy of columns that can be joined before they are a frame: texts and arrays."""
    arrays = {key: np.array(each) for key, each in columns.items() if isinstance(each, np.ndarray)}
    texts = {key: each for key, each in columns.items() if type(each) is str}
    if len({array.shape for array in arrays.values()}) != 1 or len(arrays | texts) < len(columns):
        return None
    numbers = all(array.ndim == 1 and array.dtype in (float, int) for array in arrays.values())
    return {key: arrays.get(key, texts.get(key)) for key in columns} if numbers else None


def _join_parts(parts: list[Columns | pd.DataFrame]) -> pd.DataFrame:
    """Return one frame of several, as `pandas.concat` joins them one after another."""
    simple = [part for part in parts if not isinstance(part, pd.DataFrame)]
    if len(parts) == 1:
        return pd.DataFrame(parts[0])
    if len(simple) < len(parts) or len({_types(part) for part in simple}) > 1:
        return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)
    columns = {key: [part[key] for part in simple] for key in simple[0]}
    arrays = next(each for each in columns.values() if not isinstance(each[0], str))
    lengths = [len(array) for array in arrays]
    return pd.DataFrame(
        {
            key: np.repeat(np.array(each, dtype=object), lengths)
            if isinstance(each[0], str)
            else np.concatenate(each)
            for key, each in columns.items()
        }
    )


def _types(part: Columns) -> tuple[tuple[str, Any], ...]:
    return tuple((key, getattr(each, "dtype", str)) for key, each in part.items())


def named_stand_ins(data: str) -> list[str]:
    """Return the stand-ins that a label of the column ``data`` names.

    >>> named_stand_ins("sonar; stand-in for phoneme (two Gaussian classes)")
    ['stand-in for phoneme (two Gaussian classes)']
    """
    return [match.strip() for match in _STAND_IN.findall(data)]


def basis_of(declared: str, data: str) -> str:
    """Return the basis of what rests on `data`: ``stand-in`` where `data` names one.

    Inputs and illustrations stay what they are, whatever the data.

    `declared`: a key of `BASES`; `data`: as in the column ``data`` of results.

    >>> basis_of("data", "sonar"), basis_of("data", "stand-in for sonar")
    ('data', 'stand-in')
    >>> basis_of("input", "stand-in")
    'input'
    """
    if declared in ("input", "illustration") or not named_stand_ins(data):
        return declared
    return "stand-in"


def read_results(path: Path | str) -> pd.DataFrame:
    """Read a result table; empty texts stay empty strings.

    `path`: of the CSV.
    """
    texts = [*KEY, "kind", "unit", "basis", "variant", "data", "note"]
    frame = pd.read_csv(path, dtype=dict.fromkeys(texts, str) | {"n": "Int64"})
    frame[texts] = frame[texts].fillna("")
    return frame


def files_by_study(results: Iterable[Path], curves: Iterable[Path]) -> dict[str, tuple[Path, Path]]:
    """Return the result table and the curves of studies, which their paths name."""
    pairs = zip(results, curves, strict=True)
    return {f"{table.parent.name}/{table.stem}": (table, frames) for table, frames in pairs}


def read_curves(path: Path | str) -> dict[str, pd.DataFrame]:
    """Read the curves of an experiment by name, each with its own columns only.

    `path`: of the Parquet table.
    """
    long = pd.read_parquet(path)
    return {
        str(name): part.drop(columns="curve")
        .dropna(axis="columns", how="all")
        .reset_index(drop=True)
        for name, part in long.groupby("curve", sort=False)
    }
