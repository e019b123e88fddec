"""Sizes of one test set of which all rows have shares, and the resolution of such a size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from opchar.printed.headings import SIZES
from opchar.printed.numbers import Limits
from opchar.printed.parts import set_of
from opchar.printed.protocol import Answer, Protocol
from opchar.printed.row import SHARES, Row
from opchar.printed.tables import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_SIZES = 15_000
_LARGEST = 2**40


@dataclass(frozen=True)
class SharedSizes:
    """Sizes that one test set of all rows may have.

    Attributes
    ----------
    objects : list of int
        Possible sizes below `every_from`.
    every_from : int or None
        From this size on every one is possible, up to 15,000; None where the greatest is not.
    scores : int
        How many shares were compared.
    error : float
        Standard error of the first share at the smallest size, sqrt(a (1 - a) / n).
    alike : list of (str, str, str)
        Labels of two rows whose difference is below that error, and what it is below:
        ``"one object"`` or ``"the standard error"``.
    stated : bool
        Whether the size is stated, not found.
    """

    objects: list[int]
    every_from: int | None = None
    scores: int = 0
    error: float = math.nan
    alike: tuple[tuple[str, str, str], ...] = ()
    stated: bool = False


def sizes_of_shares(limits: Sequence[Limits], most: int = MOST_SIZES) -> NDArray[np.int64]:
    """Return the sizes, up to the greatest, of which multiples of one lie between all limits."""
    sizes = np.arange(1, most + 1)
    for low, high in limits:
        numbers: NDArray = sizes
        if max(*low.as_integer_ratio(), *high.as_integer_ratio()) > _LARGEST:
            numbers = sizes.astype(object)
        first = -(-numbers * low.numerator // low.denominator)
        last = numbers * high.numerator // high.denominator
        sizes = sizes[(first <= last).astype(bool)]
    return sizes


def least_of(answers: Mapping[str, Answer]) -> int | None:
    """Return the least size that all rows need; None where a row is impossible."""
    if any(answer.refutes for answer in answers.values()):
        return None
    return max((answer.least_objects or 1 for answer in answers.values()), default=1)


def shared_test_set(
    table: Table, protocol: Protocol, most: int = MOST_SIZES, least: int | None = 1
) -> SharedSizes:
    """Return the sizes of one test set that the shares of all rows allow.

    Parameters
    ----------
    table : Table
    protocol : Protocol
        With sizes of each row, or means over folds, nothing is asked; a stated size is taken.
    most : int
        The greatest size that is tried.
    least : int or None
        The least size that the rows need (`least_of`); with None nothing is asked.

    Returns
    -------
    SharedSizes
    """
    known = _stated_size(table, protocol)
    told = set(SIZES) & {*table.taken.values(), *table.stated}
    of_parts = told or protocol.classes or protocol.parts
    if least is None or not protocol.pooled or (of_parts and not known):
        return SharedSizes([])
    labels = table.labels("row", "overall")
    last = set_of(labels[-1]) if labels else ""
    labels = [label for label in labels if set_of(label) == last]
    rows = {label: Row(table, table.rows[label], protocol) for label in labels}
    shares = {
        (label, heading): row.limits[heading]
        for label, row in rows.items()
        for heading, name in row.names.items()
        if name in SHARES
    }
    if not shares:
        return SharedSizes([])
    first = next(iter(shares.values()))
    if known:
        error, alike = _error(first, known), _alike(shares, known)
        return SharedSizes([known], None, len(shares), error, alike, stated=True)
    least = max(least, (protocol.positives or 1) + (protocol.negatives or 1))
    found = sizes_of_shares(list(shares.values()), most)
    found = found[found >= least]
    if not len(found):
        return SharedSizes([], None, len(shares))
    size = int(found[0])
    gaps = np.flatnonzero(np.diff(found) > 1)
    start = int(gaps[-1]) + 1 if len(gaps) else 0
    every = int(found[start]) if found[-1] == most else None
    listed = found[:start] if every else found
    error = _error(first, size)
    return SharedSizes(listed.tolist(), every, len(shares), error, _alike(shares, size))


def _error(share: Limits, size: int) -> float:
    """Return the standard error of a share of so many objects."""
    middle = float(sum(share)) / 2
    return math.sqrt(max(middle * (1 - middle), 0) / size)


def _alike(shares: dict[tuple[str, str], Limits], size: int) -> tuple[tuple[str, str, str], ...]:
    """Return pairs of rows that one object, or the standard error, does not tell apart."""
    heading = next(iter(shares))[1]
    of_one = {label: ends for (label, h), ends in shares.items() if h == heading}
    found = []
    for (one, (a, b)), (other, (c, d)) in combinations(of_one.items(), 2):
        gap = float(abs((a + b) - (c + d)) / 2)
        if Fraction(math.floor(max(b, d) * size) - math.ceil(min(a, c) * size)) < 1:
            found.append((one, other, "one object"))
        elif gap < _error((a, b), size):
            found.append((one, other, "the standard error"))
    return tuple(found)


def _stated_size(table: Table, protocol: Protocol) -> int | None:
    """Return the stated number of objects of one test set of all rows."""
    if set(SIZES) & set(table.taken.values()) or protocol.classes or protocol.parts:
        return None
    if protocol.positives and protocol.negatives:
        return protocol.positives + protocol.negatives
    return protocol.objects or table.stated.get("objects")
