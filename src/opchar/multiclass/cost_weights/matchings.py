"""The sets of disjoint pairs of classes that the pairwise algorithm tries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from math import prod

import numpy as np

from opchar.multiclass.pairings import Pairing

Pair = tuple[int, int]
COUNTED = 5_000


@dataclass(frozen=True)
class Matchings:
    """Sets of disjoint pairs."""

    matchings: list[Pairing]
    complete: bool
    total: int | None


def find_matchings(
    n_classes: int,
    rng: np.random.Generator,
    *,
    pairs: list[Pair] | None = None,
    left_out: int | None = None,
    cap: int = 1000,
) -> Matchings:
    """Return the sets of disjoint pairs to which no further pair can be added.

    Returned: with all pairs allowed: the perfect matchings for even C (landgrebe2007, Eqs. 4.14 and
    4.16); for odd C those that leave one class out, each class in its turn unless `left_out` names
    it.
    """
    if cap < 1:
        raise ValueError(f"the cap on matchings must be one or more, not {cap}")
    allowed = list(combinations(range(n_classes), 2)) if pairs is None else pairs
    usable = sorted({(min(pair), max(pair)) for pair in allowed if left_out not in pair})
    if any(not 0 <= i < j < n_classes for i, j in usable):
        raise ValueError(f"a pair is two different classes from 0 to {n_classes - 1}")
    found = list(islice(_maximal(usable), cap + 1))
    if len(found) <= cap:
        return Matchings(found, True, len(found))
    return Matchings(_sample(usable, rng, cap), False, count_matchings(usable))


def count_matchings(pairs: list[Pair]) -> int | None:
    """Return how many sets of disjoint pairs there are to which no further pair can be added.

    Returned: of n classes with all pairs there are ``(n - 1) (n - 3) ... 1`` for even and ``n (n -
    2) ... 1`` for odd n; of others they are counted class by class, and it is None where more than
    5,000 cases arise.
    """
    total = 1
    for part in _parts(pairs):
        classes = len({c for pair in part for c in pair})
        if len(part) == classes * (classes - 1) // 2:
            total *= prod(range(classes - 1 + classes % 2, 0, -2))
            continue
        found = _count_matchings(part)
        if found is None:
            return None
        total *= found
    return total


def _parts(pairs: list[Pair]) -> list[list[Pair]]:
    """Return the pairs by the connected parts of their graph."""
    parts: list[tuple[set[int], list[Pair]]] = []
    for pair in sorted({(min(pair), max(pair)) for pair in pairs}):
        joined = [part for part in parts if not part[0].isdisjoint(pair)]
        parts = [part for part in parts if part[0].isdisjoint(pair)]
        classes = set(pair).union(*(part[0] for part in joined))
        parts.append((classes, [pair, *(one for part in joined for one in part[1])]))
    return [part for _, part in parts]


def _count_matchings(pairs: list[Pair]) -> int | None:
    """Return the number of maximal sets of disjoint pairs, or None for too many cases."""
    partners = _partners(pairs)
    cases = 0

    @cache
    def count(free: tuple[int, ...], alone: frozenset[int]) -> int:
        nonlocal cases
        cases += 1
        if not free or cases > COUNTED:
            return 1
        first, rest = free[0], free[1:]
        total = 0
        for other in partners[first].intersection(rest):
            without = tuple(c for c in rest if c != other)
            total += count(without, _felt(alone, without))
        if not partners[first] & alone:
            total += count(rest, _felt(alone | {first}, rest))
        return total

    def _felt(alone: frozenset[int], free: tuple[int, ...]) -> frozenset[int]:
        return frozenset(c for c in alone if not partners[c].isdisjoint(free))

    total = count(tuple(sorted(partners)), frozenset())
    return total if cases <= COUNTED else None


def _partners(pairs: list[Pair]) -> dict[int, set[int]]:
    """Return the possible partners of each class."""
    partners: dict[int, set[int]] = {}
    for i, j in pairs:
        partners.setdefault(i, set()).add(j)
        partners.setdefault(j, set()).add(i)
    return partners


def _maximal(pairs: list[Pair]) -> Iterator[Pairing]:
    """Yield each set of disjoint pairs to which none of the others can be added."""
    partners = _partners(pairs)

    def extend(free: tuple[int, ...], alone: frozenset[int]) -> Iterator[Pairing]:
        if not free:
            yield ()
            return
        first, rest = free[0], free[1:]
        for other in rest:
            if other in partners[first]:
                without = tuple(c for c in rest if c != other)
                for more in extend(without, alone):
                    yield ((first, other), *more)
        if not partners[first] & alone:
            yield from extend(rest, alone | {first})

    yield from extend(tuple(sorted(partners)), frozenset())


def _sample(pairs: list[Pair], rng: np.random.Generator, cap: int) -> list[Pairing]:
    """Return different sets, each filled with pairs in random order; fewer than `cap` if rare."""
    found: dict[Pairing, None] = {}
    for _ in range(20 * cap):
        taken: set[int] = set()
        chosen: list[Pair] = []
        for index in rng.permutation(len(pairs)):
            if taken.isdisjoint(pairs[index]):
                taken.update(pairs[index])
                chosen.append(pairs[index])
        found[tuple(sorted(chosen))] = None
        if len(found) == cap:
            break
    return list(found)
