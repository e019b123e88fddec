"""Exact arithmetic of proofs about means, spreads, rates, tests and counts of wins."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from opchar.printed.formulas import Ends, linear_form, of_rates, score_ends

Score = tuple[str, Fraction, Fraction]
_MOST_BITS = 2_000_000


def sum_is_outside(parts: Sequence[Score], weights: Sequence[Fraction], total: Score) -> bool:
    """Tell whether a sum of parts, with weights of zero or more, has no value of the total."""
    pairs = list(zip(weights, parts, strict=True))
    low = sum((w * least for w, (_, least, _) in pairs), Fraction(0))
    high = sum((w * most for w, (_, _, most) in pairs), Fraction(0))
    return min(weights) >= 0 and (low > total[2] or high < total[1])


def most_wins(columns: Sequence[Sequence[Ends]], at: int, sign: int) -> int:
    """Return in how many rows a column may have the highest value (the lowest with -1), or tie."""
    turned = [[sorted((sign * low, sign * high)) for low, high in one] for one in columns]
    rest = [one for k, one in enumerate(turned) if k != at]
    pairs = zip(turned[at], *rest, strict=True)
    return sum(all(own[1] >= other[0] for other in others) for own, *others in pairs)


def rates_fail(rates: Sequence[Ends], size: int) -> bool:
    """Tell whether no whole counts that add up to a size have the rates."""
    counts = [(math.ceil(max(low, 0) * size), math.floor(high * size)) for low, high in rates]
    return any(low > high for low, high in counts) or not (
        sum(low for low, _ in counts) <= size <= sum(high for _, high in counts)
    )


def squares_of_t(ends: Sequence[Ends], many: int, test: str, name: str, kind: str) -> Ends:
    """Return bounds of the square of t from two means and two spreads of as many numbers each.

    Unpaired, the variance of the difference is the sum of both (Student's t is Welch's for equal
    sizes). Paired, its standard deviation lies between their difference and their sum. Of an
    unknown test a paired one gives the greatest t; the least is 0, as corrections for shared
    training data have it.
    """
    (a, b), (c, d), first, other = ends
    factor = Fraction(many if name == "se" else 1)
    factor *= Fraction(many, many - 1) if kind == "population" else 1
    (e, f), (g, h) = ((max(end, Fraction(0)) for end in one) for one in (first, other))
    if test == "unpaired":
        least, most = e**2 + g**2, f**2 + h**2
    else:
        least, most = max(e - h, g - f, Fraction(0)) ** 2, (f + h) ** 2
    near, far = max(a - d, c - b, Fraction(0)) ** 2, max(b - c, d - a) ** 2
    low = near * many / (factor * most) if most else (math.inf if near else Fraction(0))
    high = far * many / (factor * least) if least else math.inf
    return (low if test else Fraction(0)), high


def t_is_outside(ends: Sequence[Ends], many: int, tests: Sequence[tuple[str, str, str]]) -> bool:
    """Tell whether no test, by any reading of the spreads, has the last of the ends as its t."""
    *groups, (low, high) = ends
    near, far = max(low, -high, Fraction(0)) ** 2, max(high, -low) ** 2
    bounds = [squares_of_t(groups, many, *test) for test in tests]
    return bool(bounds) and all(far < least or near > most for least, most in bounds)


_STEADY = (
    *("tpr", "tnr", "fpr", "fnr", "accuracy", "error_rate", "posfrac", "detection_rate"),
    *("prevalence", "youden", "balanced_accuracy", "balanced_error_rate", "fn - fp"),
)
MOST_POINTS = 8_000
# Sums in floats that are nearer than this are compared exactly; their errors are far smaller.
_NEAR = 1e-9


def is_steady(name: str) -> bool:
    """Tell whether a score changes evenly with TP and with FP of stated sizes."""
    return name in _STEADY


def is_averaged(name: str) -> bool:
    """Tell whether `parts_fail` knows the mean of a score over parts."""
    return is_steady(name) or linear_form(name) is not None


def parts_fail(
    scores: Sequence[Score],
    parts: Sequence[tuple[int, int, Sequence[Fraction]]],
    multipliers: Sequence[Fraction] | None,
) -> bool:
    """Tell whether no whole matrices of parts have weighted sums of scores within their limits.

    Parts have positives, negatives, and their weight in each sum. With multipliers: the scores,
    added up with these, exceed in any matrices what the limits allow. Without: the sums of one
    score are dealt out one by one.
    """
    if multipliers is None:
        below, above = nearest_sums(scores[0], [(p, n, w[0]) for p, n, w in parts])
        return bool(below < scores[0][1] and above > scores[0][2])
    least, most = least_sum(scores, parts, multipliers)
    return bool(least > most)


def least_sum(
    scores: Sequence[Score],
    parts: Sequence[tuple[int, int, Sequence[Fraction]]],
    multipliers: Sequence[Fraction],
) -> Ends:
    """Return the least sum of multiplied scores in any matrices, and what their limits allow."""
    most = sum(
        max(m * low, m * high) for m, (_, low, high) in zip(multipliers, scores, strict=True)
    )
    names, least = [name for name, *_ in scores], Fraction(0)
    if number_of_points(names, parts) > MOST_POINTS:
        return -math.inf, most
    for (p, n, weights), many in Counter(parts).items():
        factors = [m * w for m, w in zip(multipliers, weights, strict=True)]
        least += many * min(
            sum(min(f * low, f * high) for f, (low, high) in zip(factors, values, strict=True))
            for values in (values_at(names, cells) for cells in _lowest(names, p, n, factors))
        )
    return least, most


def _lowest(
    names: Sequence[str], p: int, n: int, factors: Sequence[Fraction]
) -> list[tuple[int, int, int, int]]:
    """Return the matrices of a part whose sum, in floats, is as low as that of the lowest."""
    every = points(names, p, n)
    sums = np.zeros(len(every))
    for name, factor in zip(names, map(float, factors), strict=True):
        low, high = float_ends(name, tuple(names), p, n)
        sums += np.minimum(factor * low, factor * high)
    return [every[at] for at in np.flatnonzero(sums <= sums.min() + _NEAR * (1 + abs(sums).max()))]


@lru_cache(64)
def float_ends(
    name: str, names: tuple[str, ...], p: int, n: int, weight: Fraction = Fraction(1)
) -> Any:
    """Return the least and largest value of a score in the m matrices of `points`, shape (2, m).

    In floats, times a weight: ratios of whole numbers are rounded once.
    """
    every, (above, below) = points(names, p, n), weight.as_integer_ratio()
    form, known = linear_form(name), of_rates(name)
    if form is not None:
        scale = math.lcm(*(Fraction(part).denominator for one in form for part in one))
        whole = np.array([[int(part * scale) for part in one] for one in form]) @ np.transpose(
            every
        )
        top, under = whole.astype(float) * np.array([[above], [below]], dtype=float)
        ends = np.array([[0.0], [float(weight)]]) * np.ones(len(every))
        return np.divide(top, under, out=ends, where=under != 0)
    found = []
    for tp, fn, fp, tn in every:
        if known and p and n and tp + fp and fn + tn:
            rates = tp / p, tn / n, tp / (tp + fp), tn / (tn + fn), p / (p + n)
            values: Any = [known[0](*rates, undefined) for undefined in (0.0, math.inf)]
        else:
            values = values_at([name], (tp, fn, fp, tn))[0]
        found.append([float(weight * end) for end in values])
    return np.array(found).T


def number_of_points(
    names: Sequence[str], parts: Sequence[tuple[int, int, Sequence[Fraction]]]
) -> int:
    """Return how many matrices `points` has of all different parts."""
    even = all(name in _STEADY for name in names)
    return sum(4 if even else (p + 1) * (n + 1) for p, n, _ in set(parts))


def points(names: Sequence[str], p: int, n: int) -> list[tuple[int, int, int, int]]:
    """Return all matrices of a part, or its corners where the scores change evenly."""
    even = all(name in _STEADY for name in names)
    pairs = product((0, p), (0, n)) if even else product(range(p + 1), range(n + 1))
    return [(tp, p - tp, fp, n - fp) for tp, fp in pairs]


def values_at(names: Sequence[str], cells: tuple[int, int, int, int]) -> list[Ends]:
    """Return the values of scores; 0/0 may be any from 0 to 1, or left out of a mean."""
    more = Fraction(cells[1] - cells[2])
    return [(more, more) if n == "fn - fp" else score_ends(n, cells, cells) for n in names]


def nearest_sums(score: Score, parts: Sequence[tuple[int, int, Fraction]]) -> tuple[Any, Any]:
    """Return the nearest sums of one score that parts can have, not above and not below its limits.

    The score changes evenly with TP and FP. A sum of too many parts has all values.
    """
    name, low, high = score
    start, scale, sums = _all_sums(name, tuple(parts))
    if not sums:
        return low, high
    first, last = math.ceil((low - start) * scale), math.floor((high - start) * scale)
    below = sums & ((1 << max(last + 1, 0)) - 1)
    above = sums >> max(first, 0)
    lower = start + Fraction(below.bit_length() - 1, scale) if below else -math.inf
    bit = max(first, 0) + (above & -above).bit_length() - 1
    return lower, (start + Fraction(bit, scale) if above else math.inf)


@lru_cache(64)
def _all_sums(name: str, parts: tuple[tuple[int, int, Fraction], ...]) -> tuple[Any, int, int]:
    """Return the least sum, the number of steps in one, and the steps to all sums as bits."""
    steps: dict[Fraction, int] = {}
    start = Fraction(0)
    for p, n, weight in parts:
        none, found, alarm = (
            weight * score_ends(name, cells, cells, 0)[0]
            for cells in ((0, p, 0, n), (p, 0, 0, n), (0, p, n, 0))
        )
        start += none
        for gain, many in ((found - none, p), (alarm - none, n)):
            step = abs(gain) / many
            steps[step] = steps.get(step, 0) + many * bool(gain)
            start += min(gain, Fraction(0))
    scale = math.lcm(*(step.denominator for step in steps))
    sums = 1
    if scale * sum(step * many for step, many in steps.items()) > _MOST_BITS:
        return start, scale, 0
    for step, many in steps.items():
        size, left, block = int(step * scale), many, 1
        while left:
            block = min(block, left)
            sums |= sums << size * block
            left, block = left - block, 2 * block
    return start, scale, sums


def weights_fail(lines: Sequence[tuple[Sequence[Ends], Ends, Fraction, Fraction]]) -> bool:
    """Tell whether no weights, the same in all lines, give means of the parts within the ends.

    Each line has its parts, the ends of the mean, and multipliers of the gaps to both ends.
    """
    many = len(lines[0][0])
    gaps = [
        sum(
            up * (mean[0] - parts[at][1]) + down * (parts[at][0] - mean[1])
            for parts, mean, up, down in lines
        )
        for at in range(many)
    ]
    return all(min(up, down) >= 0 for _, _, up, down in lines) and min(gaps) > 0


def no_spread(
    mean: Ends, spread: Ends, many: int, signed: bool, name: str, kind: str, size: int = 0
) -> bool:
    """Tell whether no numbers in a range, or no shares of `size` objects, have mean and spread.

    All whole numbers from 0 to the size are dealt out one by one: bit s of the number kept for a
    sum tells whether squares can add up to s.
    """
    factor = (many - (kind == "sample")) * (many if name == "se" else 1)
    least, most = ((max(end, Fraction(0)) ** 2 * factor) for end in spread)
    if not size:
        low = Fraction(-1 if signed else 0)
        near = min(max((low + 1) / 2, mean[0]), mean[1])
        return least > (near - low) * (1 - near) * many
    totals = range(math.ceil(mean[0] * many * size), math.floor(mean[1] * many * size) + 1)
    wanted = {}
    for total in totals:
        square = Fraction(total**2, many)
        first = math.ceil(square + least * size**2)
        last = math.floor(square + most * size**2)
        last = min(last, many * size**2)
        alike = [at for at in (first, first + 1) if at % 2 == total % 2 and at <= last]
        if alike:
            wanted[total] = (alike[0], last)
    if not wanted:
        return True
    if many * many * size**4 > 10**10:
        return False
    reach = {0: 1}
    for _ in range(many):
        grown: dict[int, int] = {}
        for total, squares in reach.items():
            for value in range(size + 1):
                if total + value <= max(wanted):
                    grown[total + value] = grown.get(total + value, 0) | squares << value**2
        reach = grown
    return not any(
        reach.get(total, 0) >> first & ((1 << last - first + 1) - 1)
        for total, (first, last) in wanted.items()
    )
