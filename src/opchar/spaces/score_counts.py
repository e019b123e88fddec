"""Counts by distinct score: all that curves, areas, envelopes and thresholds need of a sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import LARGEST_EXACT, floats, label_vector, plain_array, scores
from opchar.spaces.points import OperatingPoints, checked_sample, checked_weights, summed_points
from opchar.spaces.roc import resolve_ties
from opchar.spaces.sorting import sums_by_score

COLUMNS = ("score", "positives", "negatives")
# Rows that are read at once.
BATCH = 1 << 20
# Batches that Arrow reads before they are asked for; it has 16 when not told.
ONE_AHEAD = {"batch_readahead": 1, "fragment_readahead": 1}


@dataclass(frozen=True)
class ScoreCounts:
    """How many positives and negatives have each distinct score.

    Counts of parts add up to those of the whole, so that parts may be counted on several machines,
    or by a database. The curves and areas of `opchar` take them in place of labels and scores.

    Parameters
    ----------
    score : ndarray of float, shape (k,)
        Distinct, ascending. On a grid the lower edges of its cells.
    positives, negatives : ndarray of int or float, shape (k,)
        How many of each class have the score; sums of weights where these are not whole.
    on_grid : bool
        Whether a score stands for a cell, in which the order of the objects is not known.

    Examples
    --------
    >>> import opchar
    >>> whole = ScoreCounts.from_arrays([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    >>> parts = ScoreCounts.from_arrays([1, 0], [0.9, 0.4])
    >>> parts = parts + ScoreCounts.from_arrays([1, 0], [0.4, 0.1])
    >>> opchar.roc_auc(whole), opchar.roc_auc(parts)
    (0.875, 0.875)
    """

    score: NDArray[np.float64]
    positives: NDArray[Any]
    negatives: NDArray[Any]
    on_grid: bool = False

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
    ) -> ScoreCounts:
        """Count labels and scores.

        Parameters
        ----------
        y_true, y_score, sample_weight
            See `opchar.points_of`; one class may be missing.
        pos_label : object
            The positive class.

        Returns
        -------
        ScoreCounts
            One entry a distinct score.

        Raises
        ------
        ValueError
            As `opchar.spaces.points.operating_points`.
        """
        positive, score = checked_sample(label_vector(y_true) == pos_label, y_score)
        weight = None
        if sample_weight is not None:
            weight = checked_weights(sample_weight, len(score))
            return _join([cls(score, weight * positive, weight * ~positive)])
        found, true, false = sums_by_score(positive, score)
        return cls(found[:0:-1].copy(), np.diff(true)[::-1], np.diff(false)[::-1])

    @classmethod
    def from_table(cls, table: Mapping[str, Any] | Any) -> ScoreCounts:
        """Take counts from a table that a database made, rows in any order.

        Parameters
        ----------
        table : mapping or pandas.DataFrame
            Columns ``score``, ``positives`` and ``negatives``. A score may stand in several rows,
            as where the counts of parts were put together.

        Returns
        -------
        ScoreCounts
            One entry a distinct score.

        Raises
        ------
        ValueError
            If a column is missing, a score is NaN, or a count is negative or not finite.
        """
        if missing := [name for name in COLUMNS if name not in table]:
            raise ValueError(f"no column '{missing[0]}'; counts have {', '.join(COLUMNS)}")
        score = scores(table["score"])
        if np.isnan(score).any():
            raise ValueError(f"score {int(np.isnan(score).argmax())} is NaN; it cannot be ranked")
        positives, negatives = (_counts(table[name], name, len(score)) for name in COLUMNS[1:])
        return _join([cls(score, positives, negatives)])

    @classmethod
    def from_parquet(
        cls,
        paths: str | Path | Sequence[str | Path],
        *,
        label: str,
        score: str,
        pos_label: Any = 1,
        weight: str | None = None,
        grid: ArrayLike | None = None,
    ) -> ScoreCounts:
        """Count the rows of Parquet files, a million at a time.

        Parameters
        ----------
        paths : path-like or sequence of path-like
            Files, or a folder of them.
        label, score, weight : str
            Columns.
        pos_label : object
            The positive class, as the column has it.
        grid : array_like of float, shape (k,), optional
            Ascending scores at which `on_cells` counts each part, where distinct scores are too
            many for memory.

        Returns
        -------
        ScoreCounts
            Of all rows.

        Raises
        ------
        ValueError
            As `from_arrays`; a row number counts from the first of its batch.
        """
        from pyarrow import dataset

        def parts() -> Iterator[ScoreCounts]:
            for batch in dataset.dataset(source).to_batches(wanted, batch_size=BATCH, **ONE_AHEAD):
                if not len(batch):
                    continue
                columns = [batch.column(name).to_numpy(zero_copy_only=False) for name in wanted]
                part = cls.from_arrays(
                    columns[0],
                    columns[1],
                    pos_label=pos_label,
                    sample_weight=columns[2] if weight else None,
                )
                yield part if grid is None else part.on_cells(grid)

        given = [paths] if isinstance(paths, str | Path) else list(paths)
        source: Any = str(given[0]) if len(given) == 1 else [str(path) for path in given]
        wanted = [label, score] + ([weight] if weight else [])
        whole = cls.sum_of(parts())
        if whole is None:
            raise ValueError(f"{source}: no rows")
        if not whole.positives.any():
            raise ValueError(f"{source}: no row has {label} {pos_label!r}")
        return whole

    @staticmethod
    def sum_of(parts: Iterable[ScoreCounts], most: int | None = None) -> ScoreCounts | None:
        """Return the counts of all parts, one after the other; None if there is no part.

        Parameters
        ----------
        parts : iterable of ScoreCounts
            Read one at a time.
        most : int, optional
            How many distinct scores are kept, see `with_fewer_bits`. The order of the parts changes
            nothing.

        Returns
        -------
        ScoreCounts or None
            Of the whole.
        """
        left = 0

        def with_most_scores(counts: ScoreCounts) -> ScoreCounts:
            nonlocal left
            if most is not None:  # bits that some parts leave out are left out of all
                counts, left = counts._without_bits(most, left)
            return counts

        held: list[ScoreCounts] = []
        for part in parts:
            held.append(with_most_scores(part))
            # Parts of like length are joined first, so that no score is sorted often.
            while len(held) > 1 and len(held[-2].score) <= 2 * len(held[-1].score):
                held[-2:] = [with_most_scores(held[-2] + held[-1])]
        return with_most_scores(_join(held)) if held else None

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        """Return the counts of both, exactly where they are whole."""
        if not isinstance(other, ScoreCounts):
            return NotImplemented
        return _join([self, other])

    def on_cells(self, grid: ArrayLike) -> ScoreCounts:
        """Return counts by cell of a grid.

        Parameters
        ----------
        grid : array_like of float, shape (k,)
            Ascending. A cell reaches from one of them up to below the next; what is below the first
            has a cell of its own, from minus infinity.

        Returns
        -------
        ScoreCounts
            At the grid's own scores exactly what it was. `certain` says what is not known between.

        Raises
        ------
        ValueError
            If the grid does not ascend.

        Examples
        --------
        >>> counts = ScoreCounts.from_arrays([1, 0, 1], [0.95, 0.91, 0.2])
        >>> counts.on_cells([0, 0.5, 0.9]).score.tolist()
        [0.0, 0.9]
        """
        edges = np.append(-np.inf, floats(grid, "grid"))
        if edges.ndim != 1 or not (edges[1:] > edges[:-1]).all():
            raise ValueError("the scores of a grid must ascend, from above minus infinity")
        cell = np.searchsorted(edges, self.score, side="right") - 1
        return _join([ScoreCounts(edges[cell], self.positives, self.negatives, True)])

    def with_fewer_bits(self, most: int) -> ScoreCounts:
        """Return counts by the first bits of the scores, so many that `most` cells are left.

        Which bits they are depends on no order: of parts or of objects.

        Parameters
        ----------
        most : int
            Of cells; where there are no more distinct scores, these are kept.

        Returns
        -------
        ScoreCounts
            On a grid whose cells are equally wide between two powers of 2.

        Examples
        --------
        >>> counts = ScoreCounts.from_arrays([1, 0, 1, 0], [1.75, 1.7, 1.1, 1.0])
        >>> counts.with_fewer_bits(2).score.tolist()
        [1.0, 1.5]
        """
        return self._without_bits(most)[0]

    def _without_bits(self, most: int, least: int = 0) -> tuple[ScoreCounts, int]:
        """Return counts of at most so many cells, and how many bits their scores leave out."""
        bits, top = (self.score + 0.0).view(np.uint64), np.uint64(1 << 63)  # -0.0 is 0
        ordered = np.where(bits & top, ~bits, bits | top)
        differ = ordered[1:] ^ ordered[:-1]
        left = next(n for n in range(least, 65) if np.count_nonzero(differ >> np.uint64(n)) < most)
        if not left:
            return self, 0
        cell = ordered >> np.uint64(left) << np.uint64(left)
        # The lowest edge may have the bits of NaN: no score lies below -inf.
        edges = np.fmax(np.where(cell & top, cell & ~top, ~cell).view(np.float64), -np.inf)
        return _join([ScoreCounts(edges, self.positives, self.negatives, True)]), left

    def certain(self, measure: Callable[[OperatingPoints], Any]) -> tuple[Any, Any]:
        """Return between which values a measure lies, whatever the order within cells.

        Parameters
        ----------
        measure : callable
            Of operating points, never worse for a curve that lies above another: areas, best F,
            least cost, as `opchar.spaces.roc.auc`.

        Returns
        -------
        low, high : float or ndarray
            What `measure` returns for the worst and the best order, the smaller first. They are
            equal where `on_grid` is false.

        Examples
        --------
        >>> from opchar.spaces import auc
        >>> counts = ScoreCounts.from_arrays([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
        >>> counts.on_cells([0, 0.5]).certain(auc)
        (0.25, 0.75)
        """
        points = self.points()
        if not self.on_grid:
            return (found := measure(points)), found
        ends = [measure(resolve_ties(points, each)) for each in ("pessimistic", "optimistic")]
        low, high = np.minimum(*ends), np.maximum(*ends)
        return (low, high) if np.ndim(low) else (float(low), float(high))

    def points(self) -> OperatingPoints:
        """Return the operating points, those of `opchar.spaces.points.operating_points`."""
        return summed_points(
            np.append(np.inf, self.score[::-1]),
            np.append(0, np.cumsum(self.positives[::-1])),
            np.append(0, np.cumsum(self.negatives[::-1])),
        )

    def weighted_rows(self) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[Any]]:
        """Return labels, scores and weights of at most two rows a score, for what chooses.

        Shapes: each (m,).

        Examples
        --------
        >>> import opchar
        >>> counts = ScoreCounts.from_arrays([1, 0, 1, 0], [4, 3, 2, 1])
        >>> y_true, y_score, weight = counts.weighted_rows()
        >>> opchar.choose_threshold(y_true, y_score, alpha=0.5, sample_weight=weight).threshold
        1.5
        """
        kept = self.positives > 0, self.negatives > 0
        counts = np.concatenate([self.positives[kept[0]], self.negatives[kept[1]]])
        labels = np.repeat([True, False], [int(each.sum()) for each in kept])
        return labels, np.concatenate([self.score[each] for each in kept]), counts

    def rows(self) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return a label and a score for each object, for what counts objects, as intervals do.

        Shapes: each (n,).
        """
        labels, score, counts = self.weighted_rows()
        if counts.dtype.kind not in "iu":
            raise ValueError("sums of weights that are not whole are no numbers of objects")
        return np.repeat(labels, counts), np.repeat(score, counts)

    def to_table(self) -> dict[str, NDArray[Any]]:
        """Return the columns ``score``, ``positives`` and ``negatives``, for `from_table`.

        Shapes: each (k,).
        """
        return dict(zip(COLUMNS, (self.score, self.positives, self.negatives), strict=True))


def _counts(given: Any, name: str, size: int) -> NDArray[Any]:
    """Return a column of counts, whole where all are."""
    found = plain_array(given, name)
    if found.dtype.kind not in "iuf" or found.shape != (size,):
        raise ValueError(f"{name} must be {size} numbers")
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ValueError(f"{name} must be finite and not negative")
    if float(found.sum(dtype=float)) < LARGEST_EXACT and (found == np.rint(found)).all():
        return found.astype(np.int64)
    return found.astype(float)


def _join(parts: Iterable[ScoreCounts]) -> ScoreCounts:
    """Return the counts of all parts, one entry a distinct score of some weight."""
    held = list(parts)
    score = np.concatenate([each.score for each in held])
    sums = [np.concatenate([getattr(each, name) for each in held]) for name in COLUMNS[1:]]
    order = np.argsort(score, kind="stable")
    score = score[order]
    starts = np.flatnonzero(np.append(True, score[1:] != score[:-1]))
    positives, negatives = (np.add.reduceat(each[order], starts) for each in sums)
    kept = (positives > 0) | (negatives > 0)
    if not kept.any():
        raise ValueError("all counts are zero: the sample is empty")
    on_grid = any(each.on_grid for each in held)
    return ScoreCounts(score[starts][kept] + 0.0, positives[kept], negatives[kept], on_grid)
