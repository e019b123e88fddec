"""What a statement judges: the result lines of experiments, and the frames behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar_reproduction.results import KEY, read_curves, read_results

Places = NDArray[np.intp]
Names = str | Sequence[str]
Choose = Callable[..., pd.DataFrame]
NOWHERE: Places = np.array([], dtype=np.intp)
# Columns of few short texts, of which rows are chosen again and again, are faster as plain objects.
OF_SHORT_TEXTS = pd.option_context("mode.string_storage", "python")


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
    leaves : mapping of str to bool
        Of a claim of several parts, which of them hold; empty for a claim of one part.
    """

    holds: bool
    evidence: str
    data: str = ""
    leaves: Mapping[str, bool] = MappingProxyType({})


def conjunction(leaves: Mapping[str, Any], evidence: str, data: str = "") -> Finding:
    """Return the finding of a claim of several parts, which holds if each of them does."""
    found = {part: bool(holds) for part, holds in leaves.items()}
    return Finding(all(found.values()), evidence, data, found if len(found) > 1 else {})


@dataclass(frozen=True)
class Measurements:
    """Result lines and frames of one or more experiments.

    Attributes
    ----------
    lines : pandas.DataFrame
        Result lines (`opchar_reproduction.results.COLUMNS`).
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
        """Return the basis of one line."""
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

    def table(self, name: str, value: str, *, index: Names, columns: Names) -> pd.DataFrame:
        """Return `mean_table` of a frame.

        A resample with a row for each drawn unit has the rows of all units here.
        """
        if isinstance(self.frames, _Drawn):
            return self.frames.table(name, value, index, columns)
        return mean_table(self.frame(name), value, index=index, columns=columns)

    def rows(self, name: str, choose: Choose, *given: Any) -> pd.DataFrame:
        """Return what `choose` makes of a frame and `given`, looking at each row on its own.

        A resample has the rows of its units, which are chosen once for all resamples. The column of
        the units is kept by `choose`.
        """
        if isinstance(self.frames, _Drawn):
            return self.frames.rows(name, choose, given)
        return choose(self.frame(name), *given)

    def with_frame(self, name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Measurements:
        """Return the measurements with one frame changed."""
        return replace(self, frames={**self.frames, name: change(self.frame(name).copy())})

    def with_value(self, artefact: str, row: str, column: str, value: float) -> Measurements:
        """Return the measurements with one number changed."""
        lines = self.lines.copy()
        lines.loc[lines.index[self._place(artefact, row, column)], "value"] = value
        return replace(self, lines=lines)

    def resample(self, unit: str, rng: np.random.Generator) -> Measurements:
        """Resample the independent units, with replacement, in all frames that name them.

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
        rows_by_level = self._places(unit)
        levels = sorted({level for found in rows_by_level.values() for level in found})
        drawn = [levels[index] for index in rng.integers(len(levels), size=len(levels))]
        return replace(self, frames=_Drawn(self, unit, rows_by_level, drawn))

    def _places(self, unit: str) -> Mapping[str, Mapping[Any, Places]]:
        """Return the rows of each unit in each frame that names them, found once."""
        found: dict[str, dict[str, Mapping[Any, Places]]] = self.__dict__.setdefault("_found", {})
        if unit not in found:
            found[unit] = {
                name: _rows_of(unit, frame) for name, frame in self.frames.items() if unit in frame
            }
        if not found[unit]:
            raise KeyError(f"no frame has the units '{unit}'")
        return found[unit]

    def rows_of_units(
        self, unit: str, name: str, value: str, index: list[str], columns: Names
    ) -> tuple[pd.DataFrame, Mapping[Any, Places]]:
        """Return the `mean_table` of a frame, and the rows of each unit in it, found once."""
        kept: dict[Any, tuple[pd.DataFrame, Mapping[Any, Places]]]
        kept = self.__dict__.setdefault("_tables", {})
        key = (unit, name, value, *index, str(columns))
        if key not in kept:
            table = mean_table(self.frame(name), value, index=index, columns=columns)
            levels = table.index.get_level_values(unit)
            rows = pd.Series(levels).groupby(levels).indices
            kept[key] = table, {level: np.asarray(at) for level, at in rows.items()}
        return kept[key]

    def chosen_rows(
        self, unit: str, name: str, choose: Choose, given: tuple[Any, ...]
    ) -> tuple[pd.DataFrame, Mapping[Any, Places]]:
        """Return the `rows` of a frame, and those of each unit among them, found once."""
        kept: dict[Any, tuple[pd.DataFrame, Mapping[Any, Places]]]
        kept = self.__dict__.setdefault("_chosen", {})
        key = (unit, name, getattr(choose, "__code__", choose), given)
        if key not in kept:
            chosen = choose(self.frame(name), *given)
            kept[key] = chosen, _rows_of(unit, chosen)
        return kept[key]

    def cells_of_rows(
        self, name: str, value: str, index: Names, columns: Names
    ) -> tuple[pd.Series, NDArray[np.intp], pd.Index, pd.Index]:
        """Return of a frame the values, and the cell of `mean_table` of each row, found once.

        Cells are numbered row by row, -1 where a level is missing; the two indices have all levels.
        """
        kept: dict[Any, tuple[pd.Series, NDArray[np.intp], pd.Index, pd.Index]]
        kept = self.__dict__.setdefault("_cells", {})
        key = (name, value, str(index), str(columns))
        if key not in kept:
            frame = self.frame(name)
            sides = [frame.groupby(_as_list(names), sort=True) for names in (index, columns)]
            down, across = (side.ngroup(ascending=True).fillna(-1) for side in sides)
            rows, names_across = (side.size().index for side in sides)
            cells = np.where((down < 0) | (across < 0), -1, down * len(names_across) + across)
            kept[key] = frame[value], cells.astype(np.intp), rows, names_across
        return kept[key]

    def _place(self, artefact: str, row: str, column: str) -> int:
        """Return the place of a line; all that have the same lines look in one table."""
        if not self._by_key:
            for index, key in enumerate(zip(*(self.lines[name] for name in KEY), strict=True)):
                self._by_key.setdefault(key, []).append(index)
        found = self._by_key.get((artefact, row, column), [])
        if len(found) != 1:
            raise KeyError(f"{len(found)} lines '{artefact} | {row} | {column}'")
        return found[0]


def mean_table(frame: pd.DataFrame, value: str, *, index: Names, columns: Names) -> pd.DataFrame:
    """Return the means of a column by the levels of others, as `pivot_table` does but faster."""
    rows, across = _as_list(index), _as_list(columns)
    means = frame.groupby([*rows, *across])[value].mean().dropna()
    return means.unstack(across).sort_index(axis="columns")  # noqa: PD010


def _rows_of(unit: str, frame: pd.DataFrame) -> Mapping[Any, Places]:
    """Return the rows of each unit in a frame."""
    found = frame.groupby(unit, sort=False, observed=True).indices
    return {level: np.asarray(rows) for level, rows in found.items()}


def _as_list(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


class _Drawn(Mapping[str, pd.DataFrame]):
    """Frames whose units are resampled; each is made when it is asked for."""

    def __init__(
        self,
        measured: Measurements,
        unit: str,
        rows_by_level: Mapping[str, Mapping[Any, Places]],
        drawn: list[Any],
    ) -> None:
        self._measured, self._frames = measured, measured.frames
        self._unit, self._places, self._units = unit, rows_by_level, drawn
        self._made: dict[Any, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._places:
            return self._frames[name]
        if name not in self._made:
            self._made[name] = self._take(self._frames[name], self._places[name])
        return self._made[name]

    def _take(self, frame: pd.DataFrame, rows_by_level: Mapping[Any, Places]) -> pd.DataFrame:
        """Return the rows of the drawn units, numbered, of a frame."""
        rows = [rows_by_level.get(level, NOWHERE) for level in self._units]
        numbers = np.repeat(np.arange(len(rows)), [len(found) for found in rows])
        drawn = frame.take(np.concatenate(rows))
        drawn.index = pd.RangeIndex(len(drawn))
        return drawn.assign(**{self._unit: numbers})

    def rows(self, name: str, choose: Choose, given: tuple[Any, ...]) -> pd.DataFrame:
        """Return what `Measurements.rows` does."""
        if name not in self._places:
            return choose(self._frames[name], *given)
        key = (name, getattr(choose, "__code__", choose), given)
        if key not in self._made:
            chosen = self._measured.chosen_rows(self._unit, name, choose, given)
            self._made[key] = self._take(*chosen)
        return self._made[key]

    def table(self, name: str, value: str, index: Names, columns: Names) -> pd.DataFrame:
        """Return `mean_table` of a frame, from the rows of each unit where it has one of its own.

        These rows are found once for all resamples.
        """
        levels = _as_list(index)
        if name not in self._places or self._unit in _as_list(columns):
            return mean_table(self[name], value, index=index, columns=columns)
        if self._unit not in levels:
            return self._means(name, value, index, columns)
        whole, rows = self._measured.rows_of_units(self._unit, name, value, levels, columns)
        found = [rows.get(level, NOWHERE) for level in self._units]
        table = whole.take(np.concatenate(found)).dropna(axis="columns", how="all")
        drawn = np.repeat(np.arange(len(found)), [len(chosen) for chosen in found])
        if len(levels) == 1:
            table.index = pd.Index(drawn, name=self._unit)
            return table
        parts = [
            drawn if level == self._unit else table.index.get_level_values(level)
            for level in levels
        ]
        table.index = pd.MultiIndex.from_arrays(parts, names=levels)
        return table.sort_index()

    def _means(self, name: str, value: str, index: Names, columns: Names) -> pd.DataFrame:
        """Return `mean_table` by levels other than units: the cell of each row is known."""
        values, cells, down, across = self._measured.cells_of_rows(name, value, index, columns)
        rows = np.concatenate([self._places[name].get(level, NOWHERE) for level in self._units])
        rows = rows[cells[rows] >= 0]
        means = values.take(rows).groupby(cells[rows]).mean().dropna()
        table = np.full((len(down), len(across)), np.nan)
        table.flat[means.index] = means
        known = ~np.isnan(table)
        used, given = known.any(axis=1), known.any(axis=0)
        return pd.DataFrame(table[used][:, given], index=down[used], columns=across[given])

    def __iter__(self) -> Iterator[str]:
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)


def read_measurements(tables: Iterable[Path], curves: Iterable[Path]) -> Measurements:
    """Read the result tables and curves of experiments."""
    lines = pd.concat([read_results(path) for path in tables], ignore_index=True)
    frames: dict[str, pd.DataFrame] = {}
    for path in curves:
        for name, frame in read_curves(path).items():
            if name in frames:
                raise ValueError(f"two experiments have a frame '{name}'")
            frames[name] = frame
    return Measurements(lines, frames)
