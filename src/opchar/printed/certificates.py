"""Proofs that printed scores are impossible, and their verification in exact arithmetic.

Nothing here searches: `verify` repeats a proof with fractions alone, on formulas of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from opchar.printed.formulas import (
    AXES,
    Ends,
    curved_ends,
    is_curved,
    linear_form,
    mean_ends,
    score_ends,
)
from opchar.printed.inequalities import INEQUALITIES

Score = tuple[str, Fraction, Fraction]
Sizes = tuple[int | None, int | None, int | None]
Vector = tuple[int, int, int, int]
Cone = list[tuple[Vector, int]]
_UNITS: tuple[Vector, ...] = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_POSITIVES, _NEGATIVES, _ALL = (1, 1, 0, 0), (0, 0, 1, 1), (1, 1, 1, 1)
MOST_BOXES = 200_000
_MOST_BITS = 2_000_000


@dataclass(frozen=True)
class Certificate:
    """A proof that scores are impossible together.

    Attributes
    ----------
    kind : str
        ``"shares"``: a tree of cuts through all real TP, FN, FP and TN; ``"boxes"``: all whole TP
        and FP of stated sizes, halved until a score refutes them; ``"counts"``: printed counts
        have other scores; ``"means"``: no averages of any parts; ``"inequality"``: a named bound;
        ``"spread"``: no numbers in a range have the mean and the spread; ``"sums"``: a weighted
        sum of scores is not the last; ``"weights"``: no weights of the parts give all means;
        ``"rates"``: no whole counts of a class have the rates; ``"t"``: no test of two means and
        spreads has the t; ``"parts"``: no matrices of folds or classes have the means; ``"wins"``:
        some column is best in fewer rows.
    scores : tuple of (str, Fraction, Fraction)
        Index, least and greatest value of each score.
    sizes : tuple of int or None
        Positives, negatives, and objects, where they are stated.
    proof : tuple
        The tree, the counts, or the name of the inequality.
    """

    kind: Literal[
        "shares",
        "boxes",
        "counts",
        "means",
        "inequality",
        "spread",
        "sums",
        "weights",
        "rates",
        "t",
        "parts",
        "wins",
    ]
    scores: tuple[Score, ...]
    sizes: Sizes = (None, None, None)
    proof: Any = ()


def verify(certificate: Certificate) -> bool:
    """Tell whether a proof is right, by exact arithmetic alone.

    Parameters
    ----------
    certificate : Certificate

    Returns
    -------
    bool

    Examples
    --------
    >>> half, tenth = Fraction(1, 2), Fraction(1, 10)
    >>> verify(Certificate("means", (("tpr", 0, tenth), ("f1", half, half))))
    True
    """
    scores, sizes, proof = certificate.scores, certificate.sizes, certificate.proof
    if certificate.kind == "counts":
        return bool(scores) and all(_is_outside(score, proof) for score in scores)
    if certificate.kind == "means":
        low, high = mean_ends({name: ends for name, *ends in scores[:-1]}, scores[-1][0])
        return scores[-1][2] < low or scores[-1][1] > high
    if certificate.kind == "inequality":
        low, high = INEQUALITIES[proof](sizes, *((least, most) for _, least, most in scores[:-1]))
        return scores[-1][2] < low or scores[-1][1] > high
    if certificate.kind == "spread":
        (many, signed, size), readings = proof
        ends = scores[0][1:], scores[1][1:]
        asked = (no_spread(*ends, many, signed, name, kind, size) for name, kind in readings)
        return bool(readings) and all(asked)
    if certificate.kind == "rates":
        return rates_fail([score[1:] for score in scores], *proof)
    if certificate.kind == "t":
        return t_is_outside([score[1:] for score in scores], *proof)
    if certificate.kind == "wins":
        ways = ([most_wins(proof, at, sign) for at in range(len(scores))] for sign in (1, -1))
        return all(any(s[1] > most for s, most in zip(scores, way, strict=True)) for way in ways)
    if certificate.kind == "parts":
        return bool(proof) and all(parts_fail(scores, *deal) for deal in proof)
    if certificate.kind == "sums":
        return sum_is_outside(scores[:-1], proof, scores[-1])
    if certificate.kind == "weights":
        return weights_fail(proof)
    if certificate.kind == "boxes":
        p, n, total = sizes
        pairs = [(p, n)] if p is not None and n is not None else []
        if total is not None:
            pairs = pairs or [(q, total - q) for q in range(1, total)]
        left = [MOST_BOXES]
        return bool(pairs) and all(boxes_are_empty(scores, *pair, left) for pair in pairs)
    return _is_refuted(scores, sizes, cone_of(scores, sizes), proof)


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
    sizes). Paired, its standard deviation lies between their difference and their sum. Of a test
    that is not known the greatest t is that of a paired one; the least is 0, as corrections for
    shared training data have it.
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
            for values in (values_at(names, cells) for cells in points(names, p, n))
        )
    return least, most


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
    found: list[Ends] = []
    for name in names:
        form = ((0, 1, -1, 0), (0, 0, 0, 0)) if name == "fn - fp" else linear_form(name)
        if form is None:
            found.append(score_ends(name, cells, cells, 0))
            continue
        above, below = (sum(a * b for a, b in zip(part, cells, strict=True)) for part in form)
        below = 1 if name == "fn - fp" else below
        found.append((Fraction(above) / below,) * 2 if below else (Fraction(0), Fraction(1)))
    return found


def nearest_sums(score: Score, parts: Sequence[tuple[int, int, Fraction]]) -> tuple[Any, Any]:
    """Return the nearest sums of one score that parts can have, not above and not below its limits.

    The score changes evenly with TP and FP. A sum of too many parts has all values.
    """
    name, low, high = score
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
        return low, high
    for step, many in steps.items():
        size, left, block = int(step * scale), many, 1
        while left:
            block = min(block, left)
            sums |= sums << size * block
            left, block = left - block, 2 * block
    first, last = math.ceil((low - start) * scale), math.floor((high - start) * scale)
    below = sums & ((1 << max(last + 1, 0)) - 1)
    above = sums >> max(first, 0)
    lower = start + Fraction(below.bit_length() - 1, scale) if below else -math.inf
    bit = max(first, 0) + (above & -above).bit_length() - 1
    return lower, (start + Fraction(bit, scale) if above else math.inf)


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


def _is_outside(score: Score, cells: Sequence[Any]) -> bool:
    """Tell whether counts have another value of a score; 0/0 may be printed as 0 or as 1."""
    name, low, high = score
    return all(
        most < low or least > high
        for least, most in (score_ends(name, cells, cells, undefined) for undefined in (0, 1))
    )


def boxes_are_empty(scores: Sequence[Score], p: int, n: int, left: list[int]) -> bool:
    """Tell whether no whole TP and FP have the scores, by halving boxes of both."""
    waiting, tests = [(0, p, 0, n)], [_beyond(*score) for score in scores]
    while waiting:
        a, b, c, d = waiting.pop()
        left[0] -= 1
        if left[0] < 0:
            return False
        worst, best = (a, p - a, d, n - d), (b, p - b, c, n - c)
        if (a, c) == (b, d):
            if not any(_is_outside(score, worst) for score in scores):
                return False
        elif any(beyond(worst, best) for beyond in tests):
            continue
        elif b - a >= d - c:
            waiting += [(a, (a + b) // 2, c, d), ((a + b) // 2 + 1, b, c, d)]
        else:
            waiting += [(a, b, c, (c + d) // 2), (a, b, (c + d) // 2 + 1, d)]
    return True


def _beyond(name: str, low: Fraction, high: Fraction) -> Callable[[Any, Any], bool]:
    """Return a test of a box by its worst and best matrix: whether all values miss the limits."""
    form = linear_form(name)
    if form is None:

        def curved(worst: Sequence[int], best: Sequence[int]) -> bool:
            least, most = score_ends(name, worst, best)
            return bool(most < low or least > high)

        return curved
    scale = math.lcm(*(Fraction(part).denominator for one in form for part in one))
    (a, b, c, d), (e, f, g, h) = ([int(part * scale) for part in one] for one in form)
    (u, v), (x, y) = Fraction(low).as_integer_ratio(), Fraction(high).as_integer_ratio()

    def beyond(worst: Sequence[int], best: Sequence[int]) -> bool:
        under = over = True
        for tp, fn in (worst[:2], best[:2]):
            for fp, tn in (worst[2:], best[2:]):
                top = a * tp + b * fn + c * fp + d * tn
                below = e * tp + f * fn + g * fp + h * tn
                under &= top * v < u * below if below else u > v
                over &= top * y > x * below if below else x < 0
        return under or over

    return beyond


def cone_of(scores: Sequence[Score], sizes: Sizes) -> Cone:
    """Return the cells, as shares of each other, that scores of one fraction and sizes leave."""
    cone: Cone = [(ray, 15 ^ (1 << at)) for at, ray in enumerate(_UNITS)]
    halves = [half for score in scores for half in _halves(*score)]
    p, n, _ = sizes
    if p is not None and n is not None:
        even = tuple(a * n - b * p for a, b in zip(_POSITIVES, _NEGATIVES, strict=True))
        halves += [even, tuple(-a for a in even)]
    for half in halves:
        cone = cut_cone(cone, half)
    return cone


def _halves(name: str, low: Fraction, high: Fraction) -> list[tuple[Any, ...]]:
    form = linear_form(name)
    return [] if form is None else [*half_spaces(form, low, high)]


def half_spaces(form: Any, low: Any, high: Any) -> list[tuple[Any, ...]]:
    """Return the half spaces of cells in which a ratio of two sums of cells lies within ends."""
    above, below = form
    found = [tuple(a - low * b for a, b in zip(above, below, strict=True))]
    if high != math.inf:
        found.append(tuple(high * b - a for a, b in zip(above, below, strict=True)))
    return found


def cut_cone(cone: Cone, half: Sequence[Any]) -> Cone:
    """Return the part of a cone in a half space, by its rays (double description).

    Each ray has the half spaces in whose border it lies as bits; two are neighbours if and only if
    no third lies in all borders that they share.
    """
    scale = math.lcm(*(a.denominator for a in half))
    e, f, g, h = (int(a * scale) for a in half)
    bit = 1 << (max((mask.bit_length() for _, mask in cone), default=4) + 1)
    found: Cone = []
    above: list[Any] = []
    below: list[Any] = []
    for ray, mask in cone:
        value = e * ray[0] + f * ray[1] + g * ray[2] + h * ray[3]
        if value >= 0:
            found.append((ray, mask | (0 if value else bit)))
        (above if value > 0 else below).append((value, ray, mask))
    for value, ray, mask in above:
        for other, one, own in below:
            shared = mask & own
            alone = all(third in (ray, one) or shared & ~others for third, others in cone)
            if other < 0 and alone:
                mixed = [value * a - other * b for a, b in zip(one, ray, strict=True)]
                least = math.gcd(*mixed)
                new: Any = tuple(a // least for a in mixed)
                found.append((new, shared | bit))
    return found


def is_empty(cone: Cone) -> bool:
    """Tell whether no cells are left that have a positive and a negative object."""
    return not (any(ray[0] + ray[1] for ray, _ in cone) and any(ray[2] + ray[3] for ray, _ in cone))


def axis_ends(cone: Cone, axis: str) -> Ends:
    """Return the least and greatest value of a ratio over a cone; from 0 to 1 if undefined."""
    (a, b, c, d), (e, f, g, h) = AXES[axis]
    low, high = (1, 0), (0, 1)  # of no ray: infinity and zero
    some = infinite = False
    for (tp, fn, fp, tn), _ in cone:
        over = a * tp + b * fn + c * fp + d * tn
        under = e * tp + f * fn + g * fp + h * tn
        if under:
            some = True
            low = (over, under) if over * low[1] < low[0] * under else low
            high = (over, under) if over * high[1] > high[0] * under else high
        infinite |= bool(over and not under)
    if not some:
        return (math.inf, math.inf) if infinite else (Fraction(0), Fraction(1))
    return Fraction(*low), math.inf if infinite else Fraction(*high)


def grid_of(axis: str, sizes: Sizes) -> int:
    """Return of which whole number an axis has parts, or 0 where it is not known."""
    p, n, total = sizes
    total = p + n if p is not None and n is not None else total
    of_all = {"prevalence": total, "accuracy": total, "posfrac": total}
    grids = of_all | {"tpr": p, "fp of positives": p, "tn of positives": p}
    return (grids | {"tnr": n, "tp of negatives": n, "fn of negatives": n}).get(axis) or 0


def _is_refuted(scores: Sequence[Score], sizes: Sizes, cone: Cone, node: Any) -> bool:
    """Tell whether a tree of cuts leaves no cells: each leaf is empty or refuted by a score."""
    if is_empty(cone):
        return True
    if isinstance(node, int):
        name, low, high = scores[node]
        least, most = curved_ends(name, [axis_ends(cone, axis) for axis in tuple(AXES)[:5]])
        return is_curved(name) and (most < low or least > high)
    if not isinstance(node, tuple) or len(node) != 5:
        return False
    axis, low, high, left, right = node
    grid = grid_of(axis, sizes)
    between = math.floor(low * grid) + 1 < math.ceil(high * grid) if grid else low < high
    if between:
        return False
    under, over = half_spaces(AXES[axis], 0, low)[1:], half_spaces(AXES[axis], high, math.inf)
    return _is_refuted(scores, sizes, cut_cone(cone, under[0]), left) and _is_refuted(
        scores, sizes, cut_cone(cone, over[0]), right
    )


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
