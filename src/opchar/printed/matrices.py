"""Confusion matrices that have the printed scores: found, or refuted, in whole numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from opchar.printed.exact_indices import COUNTS, ExactIndex, Ratio
from opchar.printed.numbers import Limits, from_to, printed_as
from opchar.printed.reported_values import UndecidedError, seconds_left

Box = tuple[int, int, int, int]
MOST_BOXES = 200_000
_MOST_COMPARED = 250_000
_AT_ONCE = 4096


@dataclass(frozen=True)
class Demand:
    """The demand of a printed score on a confusion matrix: index, limits and printed text."""

    index: ExactIndex
    limits: Limits
    text: str

    def bounds(self, box: Box, positives: int, negatives: int) -> tuple[Ratio, Ratio] | None:
        """Return the least and greatest ratio over a box of TP and FP; None if not known."""
        low_tp, high_tp, low_fp, high_fp = box
        ratio, sense = self.index.ratio, self.index.sense
        if sense == "call":
            low_fp, high_fp = high_fp, low_fp
        elif sense == "unknown" and box[:1] + box[2:3] != box[1:2] + box[3:4]:
            return None
        worst = ratio(low_tp, positives - low_tp, high_fp, negatives - high_fp)
        best = ratio(high_tp, positives - high_tp, low_fp, negatives - low_fp)
        return (best, worst) if sense == "cost" else (worst, best)


@dataclass(frozen=True)
class Area(Demand):
    """The demand of an AUC: that of a rising curve through the point of the matrix."""

    def bounds(self, box: Box, positives: int, negatives: int) -> tuple[Ratio, Ratio]:
        """Return the least and greatest area over a box of TP and FP."""
        pairs = positives * negatives
        low_tp, high_tp, low_fp, high_fp = box
        beyond = pairs - low_fp * (positives - high_tp)
        return (low_tp * (negatives - high_fp), pairs), (beyond, pairs)


def matrices(
    demands: list[Demand],
    positives: int,
    negatives: int,
    until: float = math.inf,
    most: int = MOST_BOXES,
) -> Iterator[Box]:
    """Yield boxes of TP and FP, together all matrices that have the scores.

    A box is left out when the least or greatest value of a score over it, which a monotone index
    takes in a corner, lies outside its limits; is yielded when all values lie inside; and is halved
    otherwise. All comparisons are of whole numbers.

    A box is the least and greatest TP, the least and greatest FP. After `most` boxes, or at a time
    `until`, `UndecidedError` is raised.
    """
    asked = [(demand, *demand.index.of_ratio(demand.limits)) for demand in demands]
    waiting = [(0, positives, 0, negatives)]
    while waiting:
        most -= 1
        if most < 0:
            raise UndecidedError
        seconds_left(until)
        box = waiting.pop()
        inside = True
        single = box[:1] + box[2:3] == box[1:2] + box[3:4]
        for demand, low, high in asked:
            ends = demand.bounds(box, positives, negatives)
            if ends is None:
                inside = False
                continue
            (least, below), (greatest, under) = ends
            below_low = greatest * low.denominator < low.numerator * under
            if below_low or least * high.denominator > high.numerator * below:
                break
            inside &= least * low.denominator >= low.numerator * below
            inside &= greatest * high.denominator <= high.numerator * under
        else:
            a, b, c, d = box
            if inside or single:
                yield box
            elif b - a >= d - c:
                waiting += [(a, (a + b) // 2, c, d), ((a + b) // 2 + 1, b, c, d)]
            else:
                waiting += [(a, b, c, (c + d) // 2), (a, b, (c + d) // 2 + 1, d)]


def witness(
    demands: list[Demand], positives: int, negatives: int, until: float = math.inf
) -> dict[str, int] | None:
    """Return one confusion matrix that has the scores, or None.

    Raises RuntimeError if the indices of `opchar.metrics` give the matrix other values.
    """
    found = next(matrices(demands, positives, negatives, until), None)
    if found is None:
        return None
    tp, fp = found[0], found[2]
    counts = (tp, positives - tp, fp, negatives - fp)
    for demand in demands:
        if isinstance(demand, Area):
            continue
        value = demand.index.value(*counts)
        low, high = map(float, demand.limits)
        if not low - 1e-9 <= value <= high + 1e-9 * max(1.0, abs(high)):
            raise RuntimeError(f"{demand.index.name} of {counts} is {value}, not {demand.text}")
    return dict(zip(COUNTS, counts, strict=True))


def count_matrices(demands: list[Demand], positives: int, negatives: int, most: int) -> int:
    """Return how many matrices have the scores, at most so many."""
    found = 0
    try:
        for a, b, c, d in matrices(demands, positives, negatives):
            found += (b - a + 1) * (d - c + 1)
            if found >= most:
                return most
    except UndecidedError:
        return most
    return found


def of_any_size(
    demands: list[Demand],
    positives: int | None,
    negatives: int | None,
    objects: range,
    most_boxes: int = MOST_BOXES * 20,
    until: float = math.inf,
) -> tuple[int, int] | None:
    """Return positives and negatives of a matrix that has the scores, or None.

    An area is asked of the matrix alone. Boxes of all four counts are halved, thousands at a time.
    Floats leave out boxes that miss the limits by more than one part in a million millions;
    `witness` decides at the sizes that remain.
    """
    if not objects:
        return None
    most = objects[-1]
    sums = [
        (np.array(counts), least, most if greatest is None else greatest)
        for counts, least, greatest in (
            ((1, 1, 0, 0), positives or 1, positives),
            ((0, 0, 1, 1), negatives or 1, negatives),
            ((1, 1, 1, 1), objects[0], most),
        )
    ]
    asked = [
        (one.index, *_wider(one.index.of_ratio(one.limits)))
        for one in demands
        if not isinstance(one, Area)
    ]
    waiting, spent, tried = [np.array([[0] * 4 + [most] * 4])], 0, set[tuple[int, int]]()
    while waiting:
        seconds_left(until)
        boxes = waiting.pop()
        if len(boxes) > _AT_ONCE:
            waiting.append(boxes[:-_AT_ONCE])
        low, high = boxes[-_AT_ONCE:, :4], boxes[-_AT_ONCE:, 4:]
        spent += len(low)
        if spent > most_boxes:
            raise UndecidedError
        for counts, fewest, many in sums:
            kept = (low @ counts <= many) & (high @ counts >= fewest)
            low, high = low[kept], high[kept]
        for index, least, greatest in asked:
            first, last = index.bounds(low.T.astype(float), high.T.astype(float))
            kept = (last >= least) & (first <= greatest)
            low, high = low[kept], high[kept]
        single = (low == high).all(axis=1)
        for size in {(tp + fn, fp + tn) for tp, fn, fp, tn in low[single].tolist()} - tried:
            tried.add(size)
            if witness(demands, *size, until) is not None:
                return size
        low, high = low[~single], high[~single]
        at = (np.arange(len(low)), (high - low).argmax(axis=1))
        middle = (low[at] + high[at]) // 2
        upper, lower = low.copy(), high.copy()
        upper[at], lower[at] = middle + 1, middle
        if len(low):
            waiting.append(np.vstack([np.hstack([low, lower]), np.hstack([upper, high])]))
    return None


def _wider(limits: Limits) -> tuple[float, float]:
    low, high = (float(limit) for limit in limits)
    return low - 1e-12 * max(abs(low), 1e-3), high + 1e-12 * max(abs(high), 1e-3)


def contradiction(
    demands: Mapping[str, Demand], positives: int, negatives: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the smallest set of scores, by heading, that no matrix has, and two lines of why."""
    names = smallest(
        list(demands),
        lambda chosen: witness([demands[name] for name in chosen], positives, negatives) is None,
    )
    *rest, last = (demands[name] for name in names)
    demands_text = " and ".join(f"{name} {demands[name].text}" for name in names[:-1])
    left = _ranges(list(matrices(rest, positives, negatives))) if rest else "any TP and FP"
    near = _nearest(rest, last, positives, negatives)
    return tuple(names), (
        f"{positives} positives and {negatives} negatives; {demands_text}{left}",
        f"{names[-1]} would be {near}; {printed_as(last.text, last.limits)}",
    )


def smallest(names: list[str], refuted: Callable[[list[str]], bool]) -> list[str]:
    """Return the smallest part of `names` that is refuted; of over ten names, a minimal one."""
    if len(names) <= 10:
        parts = (part for size in range(1, len(names)) for part in combinations(names, size))
        return next((list(part) for part in parts if refuted(list(part))), names)
    kept = list(names)
    for name in names:
        without = [other for other in kept if other != name]
        kept = without if without and refuted(without) else kept
    return kept


def _ranges(boxes: list[Box]) -> str:
    tp, more_tp = min(box[0] for box in boxes), max(box[1] for box in boxes)
    fp, more_fp = min(box[2] for box in boxes), max(box[3] for box in boxes)
    number = sum((b - a + 1) * (d - c + 1) for a, b, c, d in boxes)
    if number == 1:
        return f": only TP = {tp} and FP = {fp}"
    counts = f"TP {from_to(tp, more_tp)} and FP {from_to(fp, more_fp)}"
    return f": {number} matrices fit, with {counts}"


def _nearest(rest: list[Demand], last: Demand, positives: int, negatives: int) -> str:
    """Return the nearest values beside the limits, or the only value, that the rest leaves."""
    low = last.index.of_ratio(last.limits)[0]
    below: list[tuple[Fraction, float]] = []
    above: list[tuple[Fraction, float]] = []
    values = set()
    points = (
        point
        for a, b, c, d in matrices(rest, positives, negatives)
        for point in product(range(a, b + 1), range(c, d + 1))
    )
    for number, (tp, fp) in enumerate(points):
        if number > _MOST_COMPARED:
            return "another value for each of them"
        counts = (tp, positives - tp, fp, negatives - fp)
        over, under = last.index.ratio(*counts)
        values.add(Fraction(over, under) if under else None)
        if under and Fraction(over, under) < low:
            below = [max([*below, (Fraction(over, under), last.index.quick(*counts))])]
        elif under:
            above = [min([*above, (Fraction(over, under), last.index.quick(*counts))])]
    if len(values) == 1 and below + above:
        return f"{(below + above)[0][1]:.6g}"
    ranges = [f"at most {value:.6g}" for _, value in below]
    return " or ".join(ranges + [f"at least {value:.6g}" for _, value in above]) or "infinite"
