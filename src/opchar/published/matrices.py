"""Confusion matrices that have the printed scores: found, or refuted, in whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from opchar.published.indices import Exact, Ratio
from opchar.published.numbers import decimal

Limits = tuple[Fraction, Fraction]
Box = tuple[int, int, int, int]
MOST_BOXES = 200_000
_MOST_COMPARED = 250_000


class UndecidedError(Exception):
    """The search did not end within its limits."""


@dataclass(frozen=True)
class Demand:
    """What a printed score asks of a confusion matrix.

    Attributes
    ----------
    index : Exact
    limits : tuple of Fraction
        The least and greatest value that is printed like this.
    text : str
        As printed.
    """

    index: Exact
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


def matrices(
    demands: list[Demand], positives: int, negatives: int, most: int = MOST_BOXES
) -> Iterator[Box]:
    """Yield boxes of TP and FP, together all matrices that have the scores.

    A box is left out when the least or greatest value of a score over it, which a monotone index
    takes in a corner, lies outside its limits; is yielded when all values lie inside; and is halved
    otherwise. All comparisons are of whole numbers.

    Parameters
    ----------
    demands : list of Demand
    positives, negatives : int
        Objects of each class.
    most : int
        Boxes to look at.

    Yields
    ------
    tuple of int
        Least and greatest TP, least and greatest FP, of matrices that all have the scores.

    Raises
    ------
    UndecidedError
        After `most` boxes.
    """
    asked = [(demand, *demand.index.of_ratio(demand.limits)) for demand in demands]
    waiting = [(0, positives, 0, negatives)]
    while waiting:
        most -= 1
        if most < 0:
            raise UndecidedError
        box = waiting.pop()
        inside = True
        for demand, low, high in asked:
            ends = demand.bounds(box, positives, negatives)
            if ends is None:
                inside = False
                continue
            (least, below), (greatest, under) = ends
            if greatest * low.denominator < low.numerator * under:
                break
            if least * high.denominator > high.numerator * below:
                break
            if (
                least * low.denominator < low.numerator * below
                or greatest * high.denominator > high.numerator * under
            ):
                inside = False
        else:
            if inside:
                yield box
            else:
                waiting.extend(_halves(box))


def _halves(box: Box) -> tuple[Box, Box]:
    a, b, c, d = box
    if b - a >= d - c:
        return (a, (a + b) // 2, c, d), ((a + b) // 2 + 1, b, c, d)
    return (a, b, c, (c + d) // 2), (a, b, (c + d) // 2 + 1, d)


def witness(demands: list[Demand], positives: int, negatives: int) -> dict[str, int] | None:
    """Return one confusion matrix that has the scores, or None if there is none.

    Parameters
    ----------
    demands : list of Demand
    positives, negatives : int

    Returns
    -------
    dict of str to int, or None
        ``tp``, ``fn``, ``fp`` and ``tn``.

    Raises
    ------
    UndecidedError
        When the search does not end within its limit.
    RuntimeError
        If the indices of `opchar.metrics` gave the matrix other values.
    """
    found = next(matrices(demands, positives, negatives), None)
    if found is None:
        return None
    tp, fp = found[0], found[2]
    counts = (tp, positives - tp, fp, negatives - fp)
    for demand in demands:
        value = demand.index.value(*counts)
        low, high = map(float, demand.limits)
        if not low - 1e-9 <= value <= high + 1e-9 * max(1.0, abs(high)):
            raise RuntimeError(f"{demand.index.name} of {counts} is {value}, not {demand.text}")
    return dict(zip(("tp", "fn", "fp", "tn"), counts, strict=True))


@dataclass(frozen=True)
class Contradiction:
    """Scores that no confusion matrix has together.

    Attributes
    ----------
    scores : tuple of str
        The fewest that contradict each other.
    arithmetic : tuple of str
        Two lines to check by hand.
    """

    scores: tuple[str, ...]
    arithmetic: tuple[str, ...]


def contradiction(demands: Mapping[str, Demand], positives: int, negatives: int) -> Contradiction:
    """Return the smallest set of scores that no matrix has, and why.

    Parameters
    ----------
    demands : mapping of str to Demand
        By the heading; all together impossible.
    positives, negatives : int

    Returns
    -------
    Contradiction

    Raises
    ------
    UndecidedError
        When a search does not end within its limit.
    """
    names = smallest(
        list(demands),
        lambda chosen: witness([demands[name] for name in chosen], positives, negatives) is None,
    )
    *rest, last = (demands[name] for name in names)
    lines = [f"{positives} positives and {negatives} negatives; " + _left(rest, last, names[:-1])]
    low, high = (decimal(limit) for limit in last.limits)
    near = _nearest(rest, last, positives, negatives)
    lines.append(f"{names[-1]} would be {near}; printed is {last.text}, from {low} to {high}")
    if rest:
        lines[0] += _ranges(rest, positives, negatives)
    return Contradiction(tuple(names), tuple(lines))


def smallest(names: list[str], refuted: Callable[[list[str]], bool]) -> list[str]:
    """Return the smallest part of `names` that is refuted; up to ten names all parts are tried."""
    if len(names) <= 10:
        for size in range(1, len(names)):
            for chosen in combinations(names, size):
                if refuted(list(chosen)):
                    return list(chosen)
        return names
    kept = list(names)
    for name in names:
        without = [other for other in kept if other != name]
        if without and refuted(without):
            kept = without
    return kept


def _left(rest: list[Demand], last: Demand, names: list[str]) -> str:
    if not rest:
        return f"any TP and FP may be chosen for {last.index.name}"
    return " and ".join(f"{name} {demand.text}" for name, demand in zip(names, rest, strict=True))


def _ranges(rest: list[Demand], positives: int, negatives: int) -> str:
    found = list(matrices(rest, positives, negatives))
    tp = min(box[0] for box in found), max(box[1] for box in found)
    fp = min(box[2] for box in found), max(box[3] for box in found)
    number = sum((box[1] - box[0] + 1) * (box[3] - box[2] + 1) for box in found)
    if number == 1:
        return f" leave TP = {tp[0]} and FP = {fp[0]} only"
    return f" leave {number} matrices: TP from {tp[0]} to {tp[1]}, FP from {fp[0]} to {fp[1]}"


def _nearest(rest: list[Demand], last: Demand, positives: int, negatives: int) -> str:
    """Return the nearest values below and above the limits that the rest leaves possible."""
    low, high = last.index.of_ratio(last.limits)
    below: tuple[Fraction, float] | None = None
    above: tuple[Fraction, float] | None = None
    for number, (tp, fp) in enumerate(_points(matrices(rest, positives, negatives))):
        if number > _MOST_COMPARED:
            return "another value for each of them"
        counts = (tp, positives - tp, fp, negatives - fp)
        over, under = last.index.ratio(*counts)
        if under == 0:
            continue
        ratio = Fraction(over, under)
        if ratio < low and (below is None or ratio > below[0]):
            below = ratio, last.index.value(*counts)
        elif ratio > high and (above is None or ratio < above[0]):
            above = ratio, last.index.value(*counts)
    said = [
        f"{word} {found[1]:.6g}"
        for word, found in (("at most", below), ("at least", above))
        if found is not None
    ]
    return " or ".join(said) if said else "infinite"


def _points(boxes: Iterator[Box]) -> Iterator[tuple[int, int]]:
    for a, b, c, d in boxes:
        yield from product(range(a, b + 1), range(c, d + 1))
