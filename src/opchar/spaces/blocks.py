"""Long arrays in blocks: what several steps need is read from memory once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

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
