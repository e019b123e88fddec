"""What a statement judges: the result lines of experiments, and the frames behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.results import read_curves, read_results

KEY = ["artefact", "row", "column"]
Places = NDArray[np.intp]
NOWHERE: Places = np.array([], dtype=np.intp)


class Finding(NamedTuple):
    """What a statement finds.

    Attributes
    ----------
    holds : bool
        Whether the claim is true of the measurements.
    evidence : str
        The numbers that decide it, in one sentence.
    data : str
        What it rests on, when that is less than all measurements that the statement reads.
    """

    holds: bool
    evidence: str
    data: str = ""


@dataclass(frozen=True)
class Measurements:
    """Result lines and frames of one or more experiments.

    Attributes
    ----------
    lines : pandas.DataFrame
        Result lines (`opchar.results.COLUMNS`).
    frames : mapping of str to pandas.DataFrame
        Curves and tables of single measurements by name.
    """

    lines: pd.DataFrame
    frames: Mapping[str, pd.DataFrame]
    _by_key: dict[tuple[str, ...], list[int]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def value(self, artefact: str, row: str, column: str = "") -> float:
        """Return one number.

        Raises
        ------
        KeyError
            If there is no such line.
        """
        return float(self.lines["value"].iloc[self._place(artefact, row, column)])

    def std(self, artefact: str, row: str, column: str = "") -> float:
        """Return the standard deviation of one number; NaN where it has none."""
        return float(self.lines["std"].iloc[self._place(artefact, row, column)])

    def text(self, artefact: str, row: str, column: str = "") -> str:
        """Return one text."""
        return str(self.lines["note"].iloc[self._place(artefact, row, column)])

    def data(self, artefact: str, row: str, column: str = "") -> str:
        """Return what one line rests on."""
        return str(self.lines["data"].iloc[self._place(artefact, row, column)])

    def column(self, artefact: str, column: str) -> pd.Series:
        """Return a column of numbers of an artefact, by row, in the order of the lines."""
        chosen = (self.lines["artefact"] == artefact) & (self.lines["column"] == column)
        return self.lines[chosen].set_index("row")["value"]

    def frame(self, name: str) -> pd.DataFrame:
        """Return a frame by its name.

        Raises
        ------
        KeyError
            If there is no such frame.
        """
        if name not in self.frames:
            raise KeyError(f"no frame '{name}'; there are {', '.join(sorted(self.frames))}")
        return self.frames[name]

    def with_frame(self, name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Measurements:
        """Return the measurements with one frame changed."""
        return replace(self, frames={**self.frames, name: change(self.frame(name).copy())})

    def with_value(self, artefact: str, row: str, column: str, value: float) -> Measurements:
        """Return the measurements with one number changed."""
        lines = self.lines.copy()
        lines.iloc[self._place(artefact, row, column), lines.columns.get_loc("value")] = value
        return replace(self, lines=lines)

    def resampled(self, unit: str, rng: np.random.Generator) -> Measurements:
        """Draw the independent units anew, with replacement, in all frames that name them.

        Parameters
        ----------
        unit : str
            Column that tells the units apart, such as ``fold``, ``person`` or ``data set``.
        rng : numpy.random.Generator

        Returns
        -------
        Measurements
            A unit that is drawn twice counts as two: units are numbered from 0. Result lines stay.

        Raises
        ------
        KeyError
            If no frame has the column.
        """
        places = self._places(unit)
        levels = sorted({level for found in places.values() for level in found})
        drawn = [levels[place] for place in rng.integers(len(levels), size=len(levels))]
        return replace(self, frames=_Drawn(self.frames, unit, places, drawn))

    def _places(self, unit: str) -> Mapping[str, Mapping[Any, Places]]:
        """Return the rows of each unit in each frame that names them, found once."""
        found: dict[str, dict[str, Mapping[Any, Places]]] = self.__dict__.setdefault("_found", {})
        if unit not in found:
            found[unit] = {
                name: {
                    level: np.asarray(rows)
                    for level, rows in frame.groupby(
                        unit, sort=False, observed=True
                    ).indices.items()
                }
                for name, frame in self.frames.items()
                if unit in frame
            }
        if not found[unit]:
            raise KeyError(f"no frame has the units '{unit}'")
        return found[unit]

    def _place(self, artefact: str, row: str, column: str) -> int:
        """Return the place of a line; all that have the same lines look in one table."""
        if not self._by_key:
            for place, key in enumerate(zip(*(self.lines[name] for name in KEY), strict=True)):
                self._by_key.setdefault(key, []).append(place)
        found = self._by_key.get((artefact, row, column), [])
        if len(found) != 1:
            raise KeyError(f"{len(found)} lines '{artefact} | {row} | {column}'")
        return found[0]


class _Drawn(Mapping[str, pd.DataFrame]):
    """Frames whose units are drawn anew; each is made when it is asked for."""

    def __init__(
        self,
        frames: Mapping[str, pd.DataFrame],
        unit: str,
        places: Mapping[str, Mapping[Any, Places]],
        drawn: list[Any],
    ) -> None:
        self._frames, self._unit, self._places, self._units = frames, unit, places, drawn
        self._made: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._places:
            return self._frames[name]
        if name not in self._made:
            rows = [self._places[name].get(level, NOWHERE) for level in self._units]
            numbers = np.repeat(np.arange(len(rows)), [len(places) for places in rows])
            frame = self._frames[name].take(np.concatenate(rows))
            frame.index = pd.RangeIndex(len(frame))
            self._made[name] = frame.assign(**{self._unit: numbers})
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)


def read_measurements(tables: Iterable[Path], curves: Iterable[Path]) -> Measurements:
    """Read the result tables and curves of experiments.

    Parameters
    ----------
    tables, curves : iterable of pathlib.Path
        Of the same experiments in the same order.

    Returns
    -------
    Measurements

    Raises
    ------
    ValueError
        If two experiments have a frame of the same name.
    """
    lines = pd.concat([read_results(path) for path in tables], ignore_index=True)
    frames: dict[str, pd.DataFrame] = {}
    for path in curves:
        for name, frame in read_curves(path).items():
            if name in frames:
                raise ValueError(f"two experiments have a frame '{name}'")
            frames[name] = frame
    return Measurements(lines, frames)
