"""The result of an experiment: a tidy table keyed like the published numbers, and its curves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.files import write_csv, write_parquet

COLUMNS = [
    "artefact",
    "row",
    "column",
    "kind",
    "value",
    "std",
    "n",
    "unit",
    "tolerance",
    "data",
    "note",
]
ANALYTIC = "none (analytic)"
STAND_IN = "stand-in"


class Results:
    """What an experiment returns: numbers, claims and texts, and the curves behind its figures.

    Each line carries the key ``(artefact, row, column)`` of ``data/published/<paper>.csv``, so that
    comparing with the paper is a join.

    Attributes
    ----------
    lines : list of dict
        One entry a line, with the keys of `COLUMNS`.
    curves : dict of str to pandas.DataFrame
        Curves and surfaces by name, for the figures.
    """

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.curves: dict[str, pd.DataFrame] = {}

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
        data: str | None = None,
        note: str = "",
    ) -> None:
        """Add a number.

        Parameters
        ----------
        artefact, row, column : str
            The key in ``data/published/<paper>.csv``.
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
        data : str, optional
            What the value rests on; filled from the experiment's score tables when not given.
        note : str, optional
            A remark for the ledger.
        """
        self._add(
            artefact, row, column, "number", float(value), std, n, unit, tolerance, data, note
        )

    def claim(
        self,
        artefact: str,
        row: str,
        holds: bool,
        note: str,
        *,
        column: str = "",
        data: str | None = None,
    ) -> None:
        """Add a statement of the work as evaluated by code.

        Parameters
        ----------
        artefact, row, column : str
            The key in ``data/published/<paper>.csv``.
        holds : bool
            Whether the statement is true of what was computed.
        note : str
            The evidence, with numbers.
        data : str, optional
            What it rests on.
        """
        value = float(bool(holds))
        self._add(artefact, row, column, "claim", value, None, None, "", None, data, note)

    def text(
        self, artefact: str, row: str, column: str, text: str, *, data: str | None = None
    ) -> None:
        """Add a printed text, such as a model's name or a dash for an undefined cell."""
        self._add(artefact, row, column, "text", np.nan, None, None, "", None, data, text)

    def curve(self, name: str, columns: Mapping[str, Any] | pd.DataFrame) -> None:
        """Add a curve or surface.

        Parameters
        ----------
        name : str
            How the figure asks for it.
        columns : mapping of str to array_like, or pandas.DataFrame
            Equally long columns (scalars are repeated). Several series of one curve are told apart
            by a column of their own, as in ``series``.
        """
        frame = pd.DataFrame(dict(columns) if isinstance(columns, Mapping) else columns)
        if name in self.curves:
            frame = pd.concat([self.curves[name], frame], ignore_index=True)
        self.curves[name] = frame

    def _add(self, *values: Any) -> None:
        self.lines.append(dict(zip(COLUMNS, values, strict=True)))

    def frame(self, data: str = ANALYTIC) -> pd.DataFrame:
        """Return the lines as a table, with `data` where a line names none."""
        frame = pd.DataFrame(self.lines, columns=COLUMNS)
        keys = frame[["artefact", "row", "column"]]
        if (twice := keys.duplicated()).any():
            raise ValueError(f"result line given twice: {keys[twice].iloc[0].to_dict()}")
        frame["data"] = frame["data"].fillna(data)
        frame["n"] = frame["n"].astype("Int64")
        return frame.astype({"std": float, "tolerance": float, "value": float})

    def write(self, table: Path | str, curves: Path | str, data: str = ANALYTIC) -> None:
        """Write the lines as CSV and all curves as one long Parquet table.

        Parameters
        ----------
        table, curves : path-like
            The two files.
        data : str
            What lines that name no data rest on.
        """
        named = [frame.assign(curve=name) for name, frame in self.curves.items()]
        long = pd.concat(named, ignore_index=True) if named else pd.DataFrame({"curve": []})
        write_parquet(long.astype({"curve": "string"}), curves)
        write_csv(self.frame(data), table)


def read_results(path: Path | str) -> pd.DataFrame:
    """Read a result table; empty texts stay empty strings."""
    texts = ["artefact", "row", "column", "kind", "unit", "data", "note"]
    frame = pd.read_csv(path, dtype=dict.fromkeys(texts, str) | {"n": "Int64"})
    frame[texts] = frame[texts].fillna("")
    return frame


def read_curves(path: Path | str) -> dict[str, pd.DataFrame]:
    """Read the curves of an experiment by name, each with its own columns only."""
    long = pd.read_parquet(path)
    return {
        str(name): part.drop(columns="curve")
        .dropna(axis="columns", how="all")
        .reset_index(drop=True)
        for name, part in long.groupby("curve", sort=False)
    }
