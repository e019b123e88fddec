"""The volume under the classification-rejection surface (VUC)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from opchar.multiclass.roc.volume import resampled_volume
from opchar.reject.analytic import RejectRates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.sweep import Floats, Ints

BYTES = 240_000_000


@dataclass(frozen=True)
class PatchVolume:
    """The integral of Eq. 5.15 over a patch of the surface.

    Attributes
    ----------
    missed : float
        ``int int (1 - TP_r) dFP_r^o dFP_r^r`` over the patch.
    area : float
        Of the patch's image in the plane of the two false positive rates; where the surface folds
        over itself, both sheets count.
    """

    missed: float
    area: float

    @property
    def vuc(self) -> float:
        """One minus the integral, as printed: what the patch does not reach counts as perfect."""
        return 1 - self.missed

    @property
    def under_patch(self) -> float:
        """The volume between the patch and the plane, ``int int TP_r``."""
        return self.area - self.missed


def vuc(sample: RejectCharacteristic, t_d_range: tuple[float, float] | None = None) -> float:
    """Return the volume that the operating points dominate, exactly.

    Parameters
    ----------
    sample : RejectCharacteristic
        With objects of all three kinds.
    t_d_range : (float, float), optional
        ``(low, high)``: only rejection thresholds with ``low < t_d <= high``, as in VUC_2; all if
        not given.

    Returns
    -------
    float
        In [0, 1]: the integral over the unit square of the largest ``TP_r`` that some pair of
        thresholds attains with at most these ``FP_r^o`` and ``FP_r^r``, or one minus the integral
        of its complement (landgrebe2007, Eq. 5.15). One for a classifier that accepts all targets
        and nothing else, zero for one whose rejection leaves nothing.

    Raises
    ------
    ValueError
        For a kind without objects, or a range whose ends are not in ascending order.

    Notes
    -----
    A point counts only if neither threshold can rise without losing a target. So for each rejection
    threshold at a target's typicality, taken in descending order, only the classification
    thresholds up to that target's score are new. They enter a table of the least false positives
    of one kind by numbers of targets and of false positives of the other; its cumulative minimum
    is the staircase. All counts are integers and the result is a rational number but for the last
    division. At most ``n_t^2 / 2`` points (fewer, the better typicality and score agree) and
    ``n_t min(n_o, n_r)`` cells, of which no more than fit in a quarter of a gigabyte at a time.

    Examples
    --------
    >>> perfect = RejectCharacteristic([[2.0, 2.0]], [[1.0, 2.0]], [[2.0, 1.0]])
    >>> vuc(perfect)
    1.0
    """
    sample.needs("outlier", "unseen")
    low, high = (-np.inf, np.inf) if t_d_range is None else t_d_range
    if not low < high:
        raise ValueError(f"a range of t_d needs low < high, got {t_d_range}")
    chains = _Chains.from_sample(sample, t_d_range)
    n_target, n_table, n_other = len(sample.target), len(chains.table), len(chains.other)
    row = (n_table + 1) * chains.kind.itemsize
    width = max(1, min(n_target, BYTES // row))
    edges = np.unique([*range(n_target + 1, 1, -width), 1])
    volume = 0
    above = np.full(n_table + 1, n_other)
    for first, end in list(pairwise(edges.tolist()))[::-1]:
        least = chains.least(first, end)
        np.minimum.accumulate(least, axis=0, out=least)
        if chains.has_ties:
            least[:, -1] = np.minimum(least[:, -1], above)
            least = np.minimum.accumulate(least[:, ::-1], axis=1)[:, ::-1]
            above = least[:, 0].astype(np.int64)
        volume += n_other * n_table * (end - first) - int(least[:-1].sum(dtype=np.int64))
    return volume / (n_target * n_table * n_other)


@dataclass(frozen=True)
class _Chains:
    """The operating points that may count, one chain for each rejection threshold.

    `rank` is the index of each target's score among the distinct ones, `table` and `other` how many
    of these each false positive reaches; all are in descending order of typicality. `groups` says
    for each rejection threshold how many objects of each kind it accepts.
    """

    rank: Ints
    table: Ints
    other: Ints
    n_thetas: int
    groups: list[tuple[int, int, int]]
    has_ties: bool

    @classmethod
    def from_sample(
        cls, sample: RejectCharacteristic, t_d_range: tuple[float, float] | None
    ) -> _Chains:
        """Sort the objects and find the rejection thresholds; the rarer kind gets the table."""
        thetas = np.unique(sample.target[:, 0])
        kinds = sorted((sample.outlier, sample.unseen), key=len)
        ordered = [kind[np.argsort(-kind[:, 1])] for kind in (sample.target, *kinds)]
        levels = np.unique(sample.target[:, 1])[::-1]
        if t_d_range is not None:
            low, high = t_d_range
            levels = np.append(high, levels[(levels > low) & (levels < high)])
        counts = [np.searchsorted(-kind[:, 1], -levels, side="right") for kind in ordered]
        reached = [np.searchsorted(thetas, kind[:, 0], side="right") for kind in ordered]
        return cls(
            rank=reached[0] - 1,
            table=reached[1],
            other=reached[2],
            n_thetas=len(thetas),
            groups=list(zip(*(count.tolist() for count in counts), strict=True)),
            has_ties=len(thetas) < len(sample.target),
        )

    @property
    def kind(self) -> np.dtype:
        """The smallest kind of integer that holds the false positives."""
        return np.min_scalar_type(len(self.other))

    def points(self) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield targets and false positives of both kinds at the new points of each threshold."""
        counts = np.zeros((3, self.n_thetas), dtype=np.int32)
        present = np.zeros(self.n_thetas, dtype=bool)
        reached = [self.rank + 1, self.table, self.other]
        before = (0, 0, 0)
        for group in self.groups:
            for row, kind, start, end in zip(counts, reached, before, group, strict=True):
                for last in kind[start:end].tolist():
                    row[:last] += 1
            fresh = self.rank[before[0] : group[0]]
            before = group
            if len(fresh):
                present[fresh] = True
                new = np.flatnonzero(present[: fresh.max() + 1])
                yield counts[0, new], counts[1, new], counts[2, new]

    def least(self, first: int, end: int) -> Any:
        """Return the least false positives of the other kind at each point of a part of the table.

        Shape (false positives of the table's kind, targets from `first` to below `end`).
        """
        columns = end - first
        least = np.full((len(self.table) + 1) * columns, len(self.other), dtype=self.kind)
        is_part = first > 1 or end <= len(self.rank)
        for targets, table, other in self.points():
            if is_part:
                # Targets descend along a chain.
                inside = slice(
                    np.searchsorted(-targets, -end, side="right"),
                    np.searchsorted(-targets, -first, side="right"),
                )
                targets, table, other = targets[inside], table[inside], other[inside]
            cell = table.astype(np.intp) * columns
            cell += targets
            cell -= first
            least[cell] = np.minimum(least[cell], other)
        return least.reshape(-1, columns)


def vuc_of_patch(rates: RejectRates) -> PatchVolume:
    """Return the integral of Eq. 5.15 over the surface through given operating points.

    Parameters
    ----------
    rates : RejectRates
        Rates at a grid of thresholds, two or more of each. A part of the ranges of theta and t_d
        gives a patch, as for VUC_2 with ``0 < t_d <= 0.2``.

    Returns
    -------
    PatchVolume
        The volume, and the range over which it was integrated.

    Raises
    ------
    ValueError
        For fewer than two thresholds of a kind, or a kind without objects.

    Notes
    -----
    landgrebe2007, Sec. 5.3.3. Each cell of the grid is cut into two triangles; on these the surface
    is linear and the sum exact.
    """
    corners = _lattice(rates)
    x, y, missed = corners[..., 0], corners[..., 1], 1 - corners[..., 2]
    lower = (slice(None, -1), slice(None, -1)), (slice(1, None), slice(None, -1))
    upper = (slice(1, None), slice(1, None)), (slice(None, -1), slice(1, None))
    area = total = 0.0
    for a, b, c in ((lower[0], lower[1], upper[0]), (lower[0], upper[0], upper[1])):
        cross = (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])
        size = np.abs(cross) / 2
        area += float(size.sum())
        total += float((size * (missed[a] + missed[b] + missed[c])).sum() / 3)
    return PatchVolume(total, area)


def vuc_resampled(rates: RejectRates, r: int) -> float:
    """Return the volume by linear resampling on a regular grid and the iterated trapezoid.

    Parameters
    ----------
    rates : RejectRates
        Rates at a grid of thresholds, two or more of each.
    r : int
        Points an axis of the regular grid, two or more.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As `vuc_of_patch`.

    Notes
    -----
    The numerical integration that the thesis states for its other volume, of Sec. 3.3.4, over the
    axes of Eq. 5.15; see `opchar.multiclass.roc.volume.linear_surface`. What no operating point
    covers takes the best ``TP_r`` among those with no more false positives of either kind.
    """
    corners = _lattice(rates)
    return resampled_volume(np.concatenate([1 - corners[..., :2], corners[..., 2:]], axis=-1), r)


def _lattice(rates: RejectRates) -> Floats:
    """Return ``FP_r^o, FP_r^r, TP_r`` at all pairs of thresholds, shape (m, k, 3)."""
    lattice = np.stack([rates.fpr_outlier, rates.fpr_reject, rates.tpr], axis=-1)
    if min(lattice.shape[:2]) < 2:
        raise ValueError("a surface needs two or more thresholds of each kind")
    if np.isnan(lattice).any():
        raise ValueError("a surface needs objects of all three kinds")
    return lattice
