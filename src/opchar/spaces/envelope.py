"""An envelope: which operating point is best where on the axis of operating conditions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from opchar.spaces.points import OperatingPoints
from opchar.ties import EQUAL


@dataclass(frozen=True)
class Envelope:
    """The best operating point for every operating condition in [0, 1], with exact breakpoints.

    Shapes: `breakpoints` (k + 1,).

    `breakpoints`: strictly ascending from 0 to 1; point i is best from ``breakpoints[i]`` to
    ``breakpoints[i + 1]``, and both neighbours are at a breakpoint.
    """

    breakpoints: np.ndarray
    points: OperatingPoints

    def best(self, at: ArrayLike) -> np.ndarray:
        """Return the index of the best point at given operating conditions."""
        at = np.asarray(at, dtype=float)
        if not ((at >= 0) & (at <= 1)).all():
            raise ValueError("operating conditions must lie in [0, 1]")
        return np.searchsorted(self.breakpoints[1:-1], at + EQUAL, side="right")

    def threshold(self, at: ArrayLike) -> np.ndarray:
        """Return the optimal decision threshold at given operating conditions."""
        return self.points.thresholds[self.best(at)]

    def rates(self, at: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return ``(tpr, fpr)`` of the best point at given operating conditions."""
        best = self.best(at)
        return self.points.tpr[best], self.points.fpr[best]


def inner_breakpoints(
    crossings: np.ndarray, points: OperatingPoints
) -> tuple[np.ndarray, OperatingPoints]:
    """Return breakpoints and the points best somewhere inside (0, 1).

    Shapes: `crossings` (k - 1,); `breakpoints` (j + 1,).
    """
    starts = np.append(0.0, np.maximum.accumulate(np.clip(crossings, 0.0, 1.0)))
    ends = np.append(starts[1:], 1.0)
    used = starts < ends
    return np.append(starts[used], 1.0), points[used]
