"""Matrices that have the scores of a row: of all objects, or one for each test fold."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import merge
from typing import Any

from opchar.printed.averages import fold_witness, partitions, stratified_folds
from opchar.printed.matrices import Demand, of_any_size
from opchar.printed.protocol import FoldsError, Protocol
from opchar.printed.reported_values import seconds_left

# So far from its scores a matrix may be that tells about how many positives folds have.
_NEARLY = (Fraction(0), Fraction(1, 300), Fraction(1, 100), Fraction(1, 30), Fraction(1, 10))


def matrices_of(demands: list[Demand], positives: int, negatives: int, protocol: Protocol) -> Any:
    """Return a matrix for each fold such that the means are the scores, or None."""
    if protocol.parts:
        return fold_witness(demands, protocol.parts, protocol.seconds)
    sizes = filled_folds((positives, negatives), protocol.folds)
    if protocol.folding == "stratified":
        return fold_witness(demands, sizes, protocol.seconds)
    until = time.monotonic() + protocol.seconds
    for dealt in partitions(positives, negatives, protocol.folds):
        if (found := fold_witness(demands, dealt, seconds_left(until))) is not None:
            return found
    return None


def filled_folds(sizes: Sequence[int], folds: int) -> list[tuple[int, ...]]:
    """Return the sizes of classes in folds; none may be zero."""
    dealt = stratified_folds(sizes, folds)
    if min(map(min, dealt)) < 1:
        classes = " and ".join(map(str, sizes))
        raise FoldsError(f"{classes} objects do not fill {folds} folds")
    return dealt


def folds_of_any_size(demands: list[Demand], protocol: Protocol) -> Any:
    """Return matrices of folds that have the scores, at sizes that the protocol leaves open.

    Equal folds of the greatest test sets come first: they have most matrices. Their share of
    positives is near that of one matrix with nearly these scores. The limit of time ends the search
    with `UndecidedError`.
    """
    until, least = time.monotonic() + protocol.seconds, protocol.folds
    sizes = (protocol.positives, protocol.negatives)
    most = protocol.objects or protocol.most_objects
    tried = (_nearly(demands, sizes, off, most, until) for off in _NEARLY)
    near = next(filter(None, tried), (1, 1))
    share = Fraction(near[0], sum(near))
    totals = range(most, 2 * least - 1 if protocol.objects is None else most - 1, -1)
    for equal in (True, False):
        for total in totals:
            if equal and total % least:
                continue
            for p in positive_counts(total, sizes, least, total * share):
                if (p % least == total % least == 0) is not equal:
                    continue
                left = replace(protocol, seconds=seconds_left(until))
                if (found := matrices_of(demands, p, total - p, left)) is not None:
                    return found
    return None


def positive_counts(
    total: int, sizes: tuple[int | None, int | None], least: int, middle: Fraction
) -> Iterator[int]:
    """Yield how many of all objects may be positive, at least so many of each, nearest first."""
    p, n = sizes
    last = total - least
    if p is not None or n is not None:
        known = p if p is not None else total - (n or 0)
        if least <= known <= last and n in (None, total - known):
            yield known
        return
    below = min(max(math.floor(middle), least - 1), last)
    sides = range(below, least - 1, -1), range(below + 1, last + 1)
    yield from merge(*sides, key=lambda p: abs(p - middle))


def _nearly(
    demands: list[Demand],
    sizes: tuple[int | None, int | None],
    off: Fraction,
    most: int,
    until: float,
) -> tuple[int, int] | None:
    """Return positives and negatives of a matrix with scores that are off by no more."""
    wider = [replace(d, limits=(d.limits[0] - off, d.limits[1] + off)) for d in demands]
    return of_any_size(wider, *sizes, range(2, most + 1), until=until)
