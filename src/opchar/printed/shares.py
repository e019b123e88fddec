"""Search for real shares of TP, FN, FP and TN that have printed scores, whatever the sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Any

from opchar.printed.certificates import (
    Cone,
    Score,
    Sizes,
    axis_ends,
    cone_of,
    cut_cone,
    grid_of,
    half_spaces,
    is_empty,
)
from opchar.printed.formulas import AXES, curved_ends, is_curved, linear_form, score_ends
from opchar.printed.reported_values import UndecidedError

_RATES = tuple(AXES)[:5]
_FINEST, _SLACK = Fraction(1, 10**9), 1e-9
NODES = 400


@lru_cache(maxsize=512)
def refute_shares(scores: tuple[Score, ...], sizes: Sizes, nodes: int = NODES) -> Any:
    """Return a tree of cuts that leaves no cells with the scores.

    None tells that some are left, False that neither was found within so many nodes.
    """
    try:
        return _Search(scores, sizes, nodes).node(cone_of(scores, sizes))
    except UndecidedError:
        return False


def cells_of_shares(scores: Sequence[Score], nodes: int = NODES) -> list[int] | None:
    """Return whole TP, FN, FP and TN that have the scores, however many, or None."""
    search = _Search(scores, (None, None, None), nodes)
    try:
        search.node(cone_of(scores, (None, None, None)))
    except UndecidedError:
        return None
    return search.cells or None


class _Search:
    def __init__(self, scores: Sequence[Score], sizes: Sizes, nodes: int) -> None:
        self.scores, self.sizes, self.left = scores, sizes, nodes
        self.cells: list[int] = []
        self.curved = [at for at, one in enumerate(scores) if is_curved(one[0])]
        self.grids = {axis: grid for axis in AXES if (grid := grid_of(axis, sizes))}

    def node(self, cone: Cone) -> Any:
        """Return the tree below a cone, or None where it has cells of the scores."""
        if is_empty(cone):
            return ("empty",)
        self.left -= 1
        if self.left < 0:
            raise UndecidedError
        ends = [axis_ends(cone, axis) for axis in _RATES]
        rough, inside = [(float(least), float(most)) for least, most in ends], True
        for at in self.curved:
            name, low, high = self.scores[at]
            least, most = curved_ends(name, rough)
            if least + _SLACK < low < most - _SLACK or least + _SLACK < high < most - _SLACK:
                inside = False  # exact numbers would tell the same
                continue
            least, most = curved_ends(name, ends)
            if most < low or least > high:
                return at
            inside &= least >= low and most <= high
        if not self.grids and self._miss(cone) < _SLACK and self._are_had_by(middle_of(cone)):
            self.cells = middle_of(cone)
            return None
        place = self._place(cone, dict(zip(_RATES, ends, strict=True)), inside)
        if place is None:
            return None
        axis, low, high = place
        under = cut_cone(cone, half_spaces(AXES[axis], 0, low)[1])
        over = cut_cone(cone, half_spaces(AXES[axis], high, math.inf)[0])
        # First where the scores are nearest.
        turned = self._miss(over) < self._miss(under)
        first, last = (over, under) if turned else (under, over)
        if (one := self.node(first)) is None or (other := self.node(last)) is None:
            return None
        return axis, low, high, *((other, one) if turned else (one, other))

    def _miss(self, cone: Cone) -> float:
        """Return by how much the scores of the middle of a cone miss their limits."""
        if is_empty(cone):
            return math.inf
        cells = [sum(ray[at] / sum(ray) for ray, _ in cone) for at in range(4)]
        sums = [[sum(map(mul, part, cells)) for part in AXES[axis]] for axis in _RATES]
        rates = [(above / below,) * 2 if below else (0.0, 1.0) for above, below in sums]
        far = 0.0
        for at in self.curved:
            name, low, high = self.scores[at]
            least, most = curved_ends(name, rates)
            far += float(max(low - most, least - high, 0))
        return far

    def _are_had_by(self, cells: Sequence[int]) -> bool:
        """Tell whether cells have all scores other than ratios of sums of cells."""
        ends = ((score_ends(self.scores[at][0], cells, cells), at) for at in self.curved)
        return all(
            low <= self.scores[at][2] and high >= self.scores[at][1] for (low, high), at in ends
        )

    def _place(self, cone: Cone, ends: dict[str, Any], inside: bool) -> Any:
        """Return an axis and where to cut it; None where nothing is left to ask."""
        widest: tuple[Any, ...] = (Fraction(0),)
        for axis, grid in self.grids.items():
            least, most = ends[axis] if axis in ends else axis_ends(cone, axis)
            if most == math.inf or (least == most and (least * grid).denominator == 1):
                continue
            middle = (least + most) / 2 * grid
            low, high = math.floor(middle), math.floor(middle) + 1
            if math.ceil(least * grid) > math.floor(most * grid):
                return axis, Fraction(low, grid), Fraction(high, grid)
            if (most - least) * grid > 1 and most - least > widest[0]:
                widest = (most - least, axis, Fraction(low, grid), Fraction(high, grid))
        if inside:
            return widest[1:] if len(widest) > 1 else None
        for axis, (least, most) in ends.items():
            if most - least > max(widest[0], _FINEST) and axis not in self.grids:
                middle = ((least + most) / 2).limit_denominator(10**6)
                if least < middle < most:
                    widest = (most - least, axis, middle, middle)
        if len(widest) == 1:
            raise UndecidedError
        return widest[1:]


def scores_over(cone: Cone, name: str) -> tuple[Any, Any]:
    """Return bounds of a score over a cone: exact for a ratio of sums of cells."""
    form = linear_form(name)
    if form is None:
        return curved_ends(name, [axis_ends(cone, axis) for axis in _RATES])
    values: list[Any] = []
    for ray, _ in cone:
        above, below = (sum(a * b for a, b in zip(part, ray, strict=True)) for part in form)
        values += [Fraction(above) / below] if below else [math.inf] if above else []
    return (min(values), max(values)) if values else (Fraction(0), Fraction(1))


def middle_of(cone: Cone) -> list[int]:
    """Return cells within a cone, in whole numbers: sums of its rays, each as large as another."""
    scale = math.lcm(*(sum(ray) for ray, _ in cone))
    return [sum(ray[at] * (scale // sum(ray)) for ray, _ in cone) for at in range(4)]
