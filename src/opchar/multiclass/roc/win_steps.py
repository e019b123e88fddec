"""From which step of its weight one class beats another, for scored objects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from opchar.multiclass.roc.weighted_scores import WeightedScores

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
CLEAR = 1e-9


def first_wins(data: WeightedScores, rival: int, challenger: int) -> Ints:
    """Return from which step of its weight a class beats another, for each step of the other.

    On logarithmic steps the logarithm of the scores' ratio tells how many steps the challenger
    must be ahead. Where that is within rounding of a whole number, or the products are, the
    weighted scores themselves are compared.

    Shapes: returned (steps of the rival, N).
    """
    score, other = data.scores[:, challenger], data.scores[:, rival]
    steps, other_steps = data.steps_of(challenger), data.steps_of(rival)
    spacing = np.log(data.steps[-1] / data.steps[0]) / (len(data.steps) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.log(other_steps[0]) - np.log(steps[0]) + np.log(other) - np.log(score)
        clear = np.abs(gap - np.rint(gap / spacing) * spacing) > CLEAR
    gap[np.isnan(gap)] = -np.inf if challenger < rival else np.inf
    ahead = np.clip(np.ceil(gap / spacing), -len(other_steps), len(steps)).astype(np.intp)
    first = np.arange(len(other_steps))[:, None] + ahead
    np.clip(first, 0, len(steps), out=first)
    clear &= _full_precision(score, steps) & _full_precision(other, other_steps)
    clear &= _logarithmic(data.steps, spacing)
    if not clear.all():
        unsure = np.flatnonzero(~clear)
        with np.errstate(over="ignore"):
            values = other_steps[:, None] * other[unsure]
            first[:, unsure] = _move_steps(
                first[:, unsure], steps, score[unsure], values, challenger < rival
            )
    return first


def _full_precision(scores: Floats, steps: Floats) -> Bools:
    """Return for which scores no weighted score underflows or overflows."""
    with np.errstate(over="ignore"):
        return (scores * steps[0] >= np.finfo(float).tiny) & (scores * steps[-1] < np.inf)


def _logarithmic(steps: Floats, spacing: float) -> bool:
    """Return whether the steps are logarithmic up to rounding."""
    even = np.log(steps[0]) + spacing * np.arange(len(steps))
    return bool(np.abs(np.log(steps) - even).max() < CLEAR / 10)


def _move_steps(first: Ints, steps: Floats, score: Floats, values: Floats, wins_ties: bool) -> Ints:
    """Move steps until the challenger wins there and not before."""
    wins, loses = (np.greater_equal, np.less) if wins_ties else (np.greater, np.less_equal)
    beyond = np.concatenate([[np.nan], steps, [np.nan]])
    while (late := wins(beyond[first] * score, values)).any():
        first[late] -= 1
    while (early := loses(beyond[first + 1] * score, values)).any():
        first[early] += 1
    return first
