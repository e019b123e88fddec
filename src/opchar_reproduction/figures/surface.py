"""What a reader can turn of a figure: surfaces, points and lines in three dimensions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

KINDS = ("surface", "points", "line", "mark")


@dataclass(frozen=True)
class Part:
    """One surface, cloud, line or marked point of a view.

    `x`, `y`, `z`: of shape (r, c) for a surface, else (n,); `name`: what it is, told where a reader
    points at it; `shade`: what its colours tell, from 0 to 1; the height when not given; `colour`:
    ``first``, ``second`` or ``third`` of the page, for lines and marks.
    """

    kind: str
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    name: str = ""
    shade: np.ndarray | None = None
    colour: str = "second"


@dataclass(frozen=True)
class View:
    """A view that can be turned.

    `words`: what is seen; `axes`: names of the three axes in plain characters, the vertical one
    last; `parts`: surfaces, lines and marks; `ranges`: of the three axes.
    """

    words: str
    axes: tuple[str, str, str]
    parts: Sequence[Part]
    ranges: tuple[tuple[float, float], ...] = field(default=((0.0, 1.0),) * 3)
