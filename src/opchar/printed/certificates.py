"""Proofs that printed scores are impossible, and their verification in exact arithmetic.

Nothing here searches: `verify` repeats a proof with fractions alone, on formulas of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from opchar.printed.formulas import (
    AXES,
    Ends,
    Form,
    curved_ends,
    ends_of_last,
    is_curved,
    linear_form,
    mean_ends,
    of_rates,
    score_ends,
)
from opchar.printed.mean_proofs import (
    Score,
    most_wins,
    no_spread,
    parts_fail,
    rates_fail,
    sum_is_outside,
    t_is_outside,
    weights_fail,
)

Sizes = tuple[int | None, int | None, int | None]
Vector = tuple[int, int, int, int]
Cone = list[tuple[Vector, int]]
_UNITS: tuple[Vector, ...] = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_POSITIVES, _NEGATIVES = (1, 1, 0, 0), (0, 0, 1, 1)
MOST_BOXES = 200_000
# Floats that are nearer to a limit than this, as a share, are compared exactly.
_NEAR, _LARGE = 1e-9, 1e9


@dataclass(frozen=True)
class Certificate:
    """A proof that scores are impossible together.

    Attributes
    ----------
    kind : str
        ``"shares"``: a tree of cuts through all real TP, FN, FP and TN; ``"boxes"``: all whole TP
        and FP of stated sizes, halved until a score refutes them; ``"counts"``: printed counts
        have other scores, whatever those are that are not printed (None); ``"means"``: no averages
        of any parts; ``"inequality"``: a named bound;
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

    kind: str
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
        of = [(s, cells_known_to(s[0], proof)) for s in scores]
        return bool(of) and all(cells and is_outside(score, cells) for score, cells in of)
    if certificate.kind in ("means", "inequality"):
        if certificate.kind == "means":
            low, high = mean_ends({name: ends for name, *ends in scores[:-1]}, scores[-1][0])
        else:
            low, high = ends_of_last(proof, sizes, scores)
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


def cells_known_to(name: str, cells: Sequence[int | None]) -> tuple[int, ...]:
    """Return counts, of which None are not known; empty where an index depends on one of these."""
    if None in cells:
        form = linear_form(name)
        if form is None or any(cells[at] is None and form[1][at] for at in range(4)):
            return ()
    return tuple(cell or 0 for cell in cells)


def is_outside(score: Score, cells: Sequence[Any]) -> bool:
    """Tell whether counts have another value of a score; 0/0 may be printed as 0 or as 1."""
    name, low, high = score
    return all(
        most < low or least > high
        for least, most in (score_ends(name, cells, cells, undefined) for undefined in (0, 1))
    )


def boxes_are_empty(
    scores: Sequence[Score], p: int, n: int, left: list[int], *, exact: bool = True
) -> bool:
    """Tell whether no whole TP and FP have the scores, by halving boxes of both.

    Not `exact`: a box counts as refuted that misses limits in floats by far more than their errors.
    """
    waiting, tests = [(0, p, 0, n)], [_beyond(*score, exact=exact) for score in scores]
    while waiting:
        a, b, c, d = waiting.pop()
        left[0] -= 1
        if left[0] < 0:
            return False
        worst, best = (a, p - a, d, n - d), (b, p - b, c, n - c)
        if (a, c) == (b, d):
            if not any(is_outside(score, worst) for score in scores):
                return False
        elif any(beyond(worst, best) for beyond in tests):
            continue
        elif b - a >= d - c:
            waiting += [(a, (a + b) // 2, c, d), ((a + b) // 2 + 1, b, c, d)]
        else:
            waiting += [(a, b, c, (c + d) // 2), (a, b, (c + d) // 2 + 1, d)]
    return True


def _beyond_curved(
    name: str, low: Fraction, high: Fraction, exact: bool
) -> Callable[[Any, Any], bool]:
    """Return `_beyond` of an index of several rates: in floats first, exactly where needed."""
    known = of_rates(name)
    near = [_NEAR * (1 + min(abs(float(end)), _LARGE)) for end in (low, high)]
    under, over = float(low) + near[0], float(high) - near[1]
    below, above = float(low) - near[0], float(high) + near[1]

    @cache
    def at(tp: int, fn: int, fp: int, tn: int, undefined: float) -> float:
        rates = tp / (tp + fn), tn / (fp + tn), tp / (tp + fp), tn / (tn + fn)
        return float(known[0](*rates, (tp + fn) / (tp + fn + fp + tn), undefined))  # type: ignore[index]

    def beyond(worst: Sequence[int], best: Sequence[int]) -> bool:
        if known and all(a + b and c + d and a + c and b + d for a, b, c, d in (worst, best)):
            ends = (worst, best) if known[1] else (best, worst)
            least, most = at(*ends[0], 0.0), at(*ends[1], math.inf)
            if most > under and least < over:
                return False
            if not exact and (most < below or least > above):
                return True
        least, most = score_ends(name, worst, best)
        return bool(most < low or least > high)

    return beyond


def _beyond(name: str, low: Fraction, high: Fraction, *, exact: bool) -> Callable[[Any, Any], bool]:
    """Return a test of a box by its worst and best matrix: whether all values miss the limits."""
    form = linear_form(name)
    if form is None:
        return _beyond_curved(name, low, high, exact)
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
    forms = [(linear_form(name), low, high) for name, low, high in scores]
    halves = [half for form, *ends in forms if form for half in half_spaces(form, *ends)]
    p, n, _ = sizes
    if p is not None and n is not None:
        even = tuple(a * n - b * p for a, b in zip(_POSITIVES, _NEGATIVES, strict=True))
        halves += [even, tuple(-a for a in even)]
    for half in halves:
        cone = cut_cone(cone, half)
    return cone


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
    """Return the least and greatest value of an axis over a cone."""
    return ratio_ends(cone, AXES[axis])


def ratio_ends(cone: Cone, form: Form) -> Ends:
    """Return the least and greatest ratio of two sums over a cone; from 0 to 1 if undefined."""
    (a, b, c, d), (e, f, g, h) = form
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
