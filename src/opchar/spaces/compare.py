"""Two classifiers compared over all operating conditions: ranges, crossings and dominance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from opchar.spaces.cost import CostEnvelope, crossing_pc, expected_cost
from opchar.spaces.envelope import Envelope
from opchar.spaces.f_measure import FEnvelope, crossing_prior, f_measure
from opchar.spaces.points import OperatingPoints, from_rates
from opchar.spaces.roc import with_corners

_ROUNDING = 16 * np.finfo(float).eps
_Crossing = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
_Gain = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Ranges:
    """Where on [0, 1] which of two classifiers is better.

    Parameters
    ----------
    edges : ndarray of float, shape (k + 1,)
        Strictly ascending from 0 to 1.
    better : ndarray of int, shape (k,)
        1 where the first is better, -1 where the second is, 0 where they are equal; neighbouring
        ranges differ.
    """

    edges: np.ndarray
    better: np.ndarray

    @property
    def crossings(self) -> np.ndarray:
        """Where the order is reversed at once, without a range of equality."""
        return self.edges[1:-1][self.better[1:] * self.better[:-1] < 0]

    def where(self, better: int) -> list[tuple[float, float]]:
        """Return the ranges ``(low, high)`` on which the comparison has the given outcome."""
        chosen = self.better == better
        return list(
            zip(self.edges[:-1][chosen].tolist(), self.edges[1:][chosen].tolist(), strict=True)
        )

    def dominates(self) -> bool:
        """Return whether the first is better somewhere and worse nowhere."""
        return bool((self.better >= 0).all() and (self.better > 0).any())


def compare_f(first: FEnvelope, second: FEnvelope) -> Ranges:
    """Return where over the prior which of two F envelopes is higher, with exact limits.

    Parameters
    ----------
    first, second : FEnvelope
        For the same alpha.

    Returns
    -------
    Ranges
        Over priors P(+); 1 where the F-measure of `first` is higher.

    Raises
    ------
    ValueError
        If the alphas differ.

    References
    ----------
    soleymani2020, Sec. 3.2 and Eq. 11.
    """
    alpha = first.alpha
    if alpha != second.alpha:
        raise ValueError(f"envelopes must share alpha, got {alpha} and {second.alpha}")

    def crossing(
        tpr_i: np.ndarray, fpr_i: np.ndarray, tpr_j: np.ndarray, fpr_j: np.ndarray
    ) -> np.ndarray:
        return crossing_prior(tpr_i, fpr_i, tpr_j, fpr_j, alpha)

    def gain(prior: np.ndarray) -> np.ndarray:
        one = f_measure(*first.rates(prior), prior, alpha)
        return _sign(one, f_measure(*second.rates(prior), prior, alpha))

    return _ranges(first, second, crossing, gain)


def compare_cost(first: CostEnvelope, second: CostEnvelope) -> Ranges:
    """Return where over PC(+) which of two cost envelopes is lower, with exact limits.

    Parameters
    ----------
    first, second : CostEnvelope
        Lower envelopes, as `opchar.spaces.cost.lower_envelope` gives them.

    Returns
    -------
    Ranges
        Over PC(+); 1 where the cost of `first` is lower.

    References
    ----------
    soleymani2020, Secs. 3.2 and 3.3, Eq. 14.
    """

    def gain(pc: np.ndarray) -> np.ndarray:
        one = expected_cost(*first.rates(pc), pc)
        return _sign(expected_cost(*second.rates(pc), pc), one)

    return _ranges(first, second, crossing_pc, gain)


def compare_roc(first: OperatingPoints, second: OperatingPoints) -> Ranges:
    """Return where over FPR which of two ROC convex hulls is higher, with exact limits.

    Parameters
    ----------
    first, second : OperatingPoints
        Joined to the trivial (0, 0) and (1, 1).

    Returns
    -------
    Ranges
        Over FPR; 1 where the hull of `first` is higher.

    Raises
    ------
    ValueError
        If a sample has one class.

    References
    ----------
    soleymani2020, Sec. 3.2 (Fig. 4a).
    """
    x_first, y_first = _hull_line(first)
    x_second, y_second = _hull_line(second)
    edges = np.union1d(x_first, x_second)

    def heights(fpr: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.interp(fpr, x_first, y_first), np.interp(fpr, x_second, y_second)

    one, two = heights(edges)
    step, rise = np.diff(edges), np.diff(one - two)
    start = (one - two)[:-1]
    reverses = start * (start + rise) < 0
    roots = edges[:-1][reverses] - start[reverses] / rise[reverses] * step[reverses]
    edges = np.union1d(edges, roots)
    return _merge_ranges(edges, _sign(*heights((edges[1:] + edges[:-1]) / 2)))


def _hull_line(points: OperatingPoints) -> tuple[np.ndarray, np.ndarray]:
    fpr, tpr = with_corners(points.hull)
    hull = from_rates(tpr, fpr).hull
    start = int(np.argmax(np.append(hull.fpr[1:] > hull.fpr[0], True)))
    return hull.fpr[start:], hull.tpr[start:]


def _ranges(first: Envelope, second: Envelope, crossing: _Crossing, gain: _Gain) -> Ranges:
    """Cut [0, 1] at all breakpoints, and between them where the two best points cross."""
    edges = np.union1d(first.breakpoints, second.breakpoints)
    middle = (edges[1:] + edges[:-1]) / 2
    roots = crossing(*first.rates(middle), *second.rates(middle))
    inside = (roots > edges[:-1]) & (roots < edges[1:])
    edges = np.union1d(edges, roots[inside])
    return _merge_ranges(edges, gain((edges[1:] + edges[:-1]) / 2))


def _merge_ranges(edges: np.ndarray, better: np.ndarray) -> Ranges:
    """Join neighbouring ranges of the same outcome."""
    changes = np.flatnonzero(np.diff(better)) + 1
    keep = np.concatenate([[0], changes, [len(better)]])
    return Ranges(edges[keep], better[keep[:-1]])


def _sign(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Return the sign of ``one - two``, 0 within rounding."""
    differ = np.abs(one - two) > _ROUNDING * np.maximum(np.abs(one), np.abs(two))
    return np.where(differ, np.sign(one - two), 0).astype(int)
