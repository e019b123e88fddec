"""Scores of one test set: a matrix that has them, or a proof that none has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice

from opchar.printed.certificates import Certificate, Score, boxes_are_empty, is_outside
from opchar.printed.exact_indices import COUNTS
from opchar.printed.formulas import is_curved, linear_form
from opchar.printed.matrices import (
    Area,
    Demand,
    contradiction,
    count_matrices,
    of_any_size,
    smallest,
    witness,
)
from opchar.printed.protocol import Answer
from opchar.printed.reported_values import UndecidedError
from opchar.printed.row import SHARES, Row, score_of
from opchar.printed.shares import cells_of_shares, lines_of, refute_shares

# So many times the fewest objects are tried one step after the other, with so many boxes each.
_STEPS = (2, 8, 64, 1_000, 20_000)
_PARTS = dict.fromkeys(("tpr", "fnr"), "positives") | dict.fromkeys(("tnr", "fpr"), "negatives")
_PARTS |= dict.fromkeys(SHARES, "objects") | dict.fromkeys(("precision", "npv"), "objects")
_BOXES = 150_000
_FEW_BOXES = 40_000
_MOST_TOTAL = 3_000
_UNIQUE = 1_000
_FEW_NODES, _MORE_NODES = 60, 300


def decide_one_set(row: Row, demands: Mapping[str, Demand], *, areas: bool = True) -> Answer:
    """Decide scores of one matrix, whose sizes may be stated, in part, or not."""
    p, n, total = row.sizes
    asked = (row.area() if areas else {}) | dict(demands)
    if p is not None and n is not None:
        return _of_sizes(row, asked, p, n)
    if total is not None:
        return _of_total(row, asked, total)
    return _of_any_size(row, asked)


def _of_sizes(row: Row, asked: Mapping[str, Demand], p: int, n: int) -> Answer:
    """Decide scores at stated positives and negatives, in whole numbers."""
    demands = list(asked.values())
    try:
        found = witness(demands, p, n)
    except UndecidedError:
        refuted = _refuted_by_shares(row, asked)
        why = f"the search through the matrices of {p} + {n} objects ran out of boxes"
        return refuted or Answer("not decided", reason=why)
    if found:
        only = row.explain and count_matrices(demands, p, n, 2) == 1
        return Answer("possible", found, only=only)
    names, lines = contradiction(asked, p, n) if row.explain else (tuple(asked), ("", ""))
    scores = tuple(score_of(asked[h]) for h in names)
    certificate = Certificate("boxes", scores, row.sizes)
    return row.refutation(certificate, names, lines)


def _of_total(row: Row, asked: Mapping[str, Demand], total: int) -> Answer:
    """Decide scores where only the number of all objects is stated."""
    demands = list(asked.values())
    try:
        size = of_any_size(demands, None, None, range(total, total + 1))
        found = None if size is None else witness(demands, *size)
    except UndecidedError:
        found = None
    if found:
        if not row.explain or total > _UNIQUE:
            return Answer("possible", found)
        many = (count_matrices(demands, q, total - q, 2) for q in range(1, total))
        return Answer("possible", found, only=list(islice(filter(None, many), 2)) == [1])
    refuted = _refuted_by_shares(row, asked)
    if refuted is not None:
        return refuted
    scores = tuple(map(score_of, demands))
    left = [_FEW_BOXES]
    pairs = ((q, total - q) for q in range(1, total))
    if total > _MOST_TOTAL or not all(
        boxes_are_empty(scores, *pair, left, exact=False) for pair in pairs
    ):
        why = f"no matrix of {total} objects was found, without a proof"
        return Answer("not decided", reason=f"{why}: state positives or negatives")
    names = list(asked)
    if not row.explain:  # the boxes are the proof; `verify` repeats it in fractions
        return Answer("impossible", certificate=Certificate("boxes", scores, row.sizes))
    if len(names) <= 6:
        names = smallest(
            names,
            lambda part: (
                of_any_size([asked[h] for h in part], None, None, range(total, total + 1)) is None
            ),
        )
    scores = tuple(score_of(asked[h]) for h in names)
    lines = (row.in_words(*names), f"no matrix of {total} objects has these scores")
    return row.refutation(Certificate("boxes", scores, row.sizes), names, lines)


def _of_any_size(row: Row, asked: Mapping[str, Demand]) -> Answer:
    """Decide scores of a test set whose size is not known: a proof holds for every size."""
    p, n, _ = row.sizes
    linear = all(linear_form(d.index.name) for d in asked.values())
    nodes = _MORE_NODES if linear else _FEW_NODES
    refuted = _refuted_by_shares(row, asked, nodes)
    if refuted:
        return refuted
    if not row.search:
        return Answer("not decided", reason="no matrix was searched")
    found, below = _first_size(list(asked.values()), p, n, row.protocol.most_objects)
    if found is None and not linear:
        refuted = _refuted_by_shares(row, asked)
    if refuted:
        return refuted
    if found is None and p is None and n is None and (cells := _scale_cells(list(asked.values()))):
        return Answer("possible", dict(zip(COUNTS, cells, strict=True)))
    if found is None:
        tried = f"no matrix of up to {below} objects was found" if below else "no matrix was found"
        wanted = " or ".join(w for w, s in (("positives", p), ("negatives", n)) if s is None)
        return Answer("not decided", reason=f"{tried}, without a proof: state {wanted}")
    least = None
    if row.explain and below is not None:
        smallest_found = _least_size(list(asked.values()), p, n, below, found)
        if smallest_found is not None:
            found, least = smallest_found, sum(smallest_found)
    return Answer("possible", witness(list(asked.values()), *found), least_objects=least)


def _scale_cells(demands: Sequence[Demand]) -> tuple[int, ...] | None:
    """Return a matrix of shares that have the scores, with as few objects as powers of ten try."""
    if not all(map(_is_known, demands)) or any(d.index.name in COUNTS for d in demands):
        return None
    scores = tuple(map(score_of, demands))
    cells = cells_of_shares(scores)
    if cells is None:
        return None
    total = sum(cells)
    sizes = [10**power for power in range(2, len(str(total)))]
    for size in sizes:
        tried = tuple(round(Fraction(cell * size, total)) for cell in cells)
        if _have(scores, tried):
            return tried
    return tuple(cells) if _have(scores, cells) else None


def _have(scores: Sequence[Score], cells: Sequence[int]) -> bool:
    """Tell whether a matrix has scores; none whose ratios are undefined."""
    if not all((cells[a] + cells[b]) > 0 for a, b in ((0, 1), (2, 3), (0, 2), (1, 3))):
        return False
    return not any(is_outside(score, cells) for score in scores)


def _first_size(
    demands: Sequence[Demand], p: int | None, n: int | None, most: int
) -> tuple[tuple[int, int] | None, int | None]:
    """Return sizes of a matrix with the scores, and the size up to which none is possible."""
    first, sure = _fewest(demands, p, n), True
    below: int | None = first - 1
    for step in sorted({*(first * factor for factor in _STEPS), max(most, first)}):
        try:
            found = of_any_size(list(demands), p, n, range(first, step + 1), _BOXES)
        except UndecidedError:
            sure, found = False, None
        if found is not None:
            return found, below
        below = step if sure else below
        first = step + 1
    return None, below if sure else None


def _fewest(demands: Sequence[Demand], p: int | None, n: int | None) -> int:
    """Return a size below which the digits leave no test set: rates are ratios of its objects."""
    own = {"positives": p or 1, "negatives": n or 1, "objects": 2}
    for demand in demands:
        least = simplest_fraction(*demand.limits).denominator
        if demand.index.name in _PARTS:
            part = _PARTS[demand.index.name]
            own[part] = max(own[part], least)
    return max(own["objects"], own["positives"] + own["negatives"])


def simplest_fraction(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of least denominator between two numbers (Stern and Brocot)."""
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    down = whole - 1
    return down + 1 / simplest_fraction(1 / (high - down), 1 / (low - down))


def _least_size(
    demands: Sequence[Demand], p: int | None, n: int | None, below: int, found: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the sizes of the smallest test set with the scores, by bisection."""
    low = below
    while sum(found) - low > 1:
        middle = (low + sum(found)) // 2
        try:
            size = of_any_size(list(demands), p, n, range(low + 1, middle + 1), _BOXES)
        except UndecidedError:
            return None
        if size is None:
            low = middle
        else:
            found = size
    return found


def _refuted_by_shares(
    row: Row, asked: Mapping[str, Demand], nodes: int = _MORE_NODES
) -> Answer | None:
    """Return the proof that no real shares of the cells have the scores, if one is found."""
    known = {h: d for h, d in asked.items() if _is_known(d)}

    def tree(names: Sequence[str]) -> object:
        scores = tuple(score_of(known[h]) for h in names)
        found = refute_shares(scores, row.sizes, nodes)
        return None if found is False else found

    names = [h for h, d in known.items() if d.index.name not in COUNTS]
    if not names or tree(names) is None:
        return None
    if row.explain:
        names = smallest(names, lambda part: tree(part) is not None)
    scores = tuple(score_of(known[h]) for h in names)
    proof = tree(names)
    certificate = Certificate("shares", scores, row.sizes, proof)
    lines = lines_of(row, known, names, proof) if row.explain else ("", "")
    answer = row.refutation(certificate, names, lines)
    return answer if answer.refutes else None


def _is_known(demand: Demand) -> bool:
    name = demand.index.name
    return linear_form(name) is not None or is_curved(name) or isinstance(demand, Area)
