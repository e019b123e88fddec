"""Long arrays in blocks: what several steps need is read from memory once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

# Objects of which a few arrays of eight bytes stay near the processor.
BLOCK = 1 << 14


def blocks(size: int) -> Iterator[slice]:
    """Yield the slices that make up an array, in order."""
    return (slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))


def all_whole(values: np.ndarray) -> bool:
    """Tell whether all numbers are whole.

    Shapes: `values` (n,).
    """
    return all((values[part] == np.rint(values[part])).all() for part in blocks(len(values)))


def key_limits(score: NDArray[np.float64]) -> tuple[int, int, int, int]:
    """Return the bits nearest to zero above, the largest below, and the codes of zero and the top.

    Shapes: `score` (n,).
    """
    least, most = score.min(), score.max()
    above = below = 0.0
    if most > 0:
        above = least if least > 0 else _least_above_zero(score)
    if least < 0:
        below = -most if most < 0 else _least_above_zero(-score)
    ends = np.array([above, below, max(most, 0.0), max(-least, 0.0)]) + 0.0  # no -0.0
    low_above, low_below, high_above, high_below = ends.view(np.uint64).tolist()
    zero = high_below - low_below + 1 if below else 0
    return low_above, high_below, zero, zero + 1 + high_above - low_above if above else zero


def _least_above_zero(values: NDArray[np.float64]) -> float:
    each = (values[part] for part in blocks(len(values)))
    return min(float(np.where(part > 0, part, np.inf).min()) for part in each)
