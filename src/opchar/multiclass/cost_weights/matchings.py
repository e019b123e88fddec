"""The sets of disjoint pairs of classes that the pairwise algorithm tries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from opchar.multiclass.pairings import Pairing

Pair = tuple[int, int]


@dataclass(frozen=True)
class Matchings:
    """Sets of disjoint pairs.

    Attributes
    ----------
    matchings : list of tuple of pairs
        Each pair ascending, each set in ascending order.
    complete : bool
        Whether these are all; if not, they are a random sample of the size of the cap.
    """

    matchings: list[Pairing]
    complete: bool


def find_matchings(
    n_classes: int,
    rng: np.random.Generator,
    *,
    pairs: list[Pair] | None = None,
    left_out: int | None = None,
    cap: int = 1000,
) -> Matchings:
    """Return the sets of disjoint pairs to which no further pair can be added.

    Parameters
    ----------
    n_classes : int
        Number of classes C, at least 1.
    rng : numpy.random.Generator
        Source of the sample if there are more than `cap`; not used otherwise.
    pairs : list of pairs, optional
        The pairs that may be used; all when not given.
    left_out : int, optional
        A class that is in no pair, as the thesis has for odd C.
    cap : int
        The largest number of sets, at least 1.

    Returns
    -------
    Matchings
        With all pairs allowed: the perfect matchings for even C (landgrebe2007, Eqs. 4.14 and
        4.16); for odd C those that leave one class out, each class in its turn unless `left_out`
        names it. With fewer pairs, classes without a partner stay alone.

    Raises
    ------
    ValueError
        For a cap below one, or pairs that are not two different classes.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> [len(find_matchings(c, rng).matchings) for c in (1, 2, 6, 7, 8)]
    [1, 1, 15, 105, 105]
    >>> find_matchings(3, rng, pairs=[(0, 1)]).matchings
    [((0, 1),)]
    """
    if cap < 1:
        raise ValueError(f"the cap on matchings must be one or more, not {cap}")
    allowed = list(combinations(range(n_classes), 2)) if pairs is None else pairs
    usable = sorted({(min(pair), max(pair)) for pair in allowed if left_out not in pair})
    if any(not 0 <= i < j < n_classes for i, j in usable):
        raise ValueError(f"a pair is two different classes from 0 to {n_classes - 1}")
    found = list(islice(_maximal(usable), cap + 1))
    if len(found) <= cap:
        return Matchings(found, True)
    return Matchings(_sample(usable, rng, cap), False)


def _maximal(pairs: list[Pair]) -> Iterator[Pairing]:
    """Yield each set of disjoint pairs to which none of the others can be added."""
    partners: dict[int, set[int]] = {}
    for i, j in pairs:
        partners.setdefault(i, set()).add(j)
        partners.setdefault(j, set()).add(i)

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
        for place in rng.permutation(len(pairs)):
            if taken.isdisjoint(pairs[place]):
                taken.update(pairs[place])
                chosen.append(pairs[place])
        found[tuple(sorted(chosen))] = None
        if len(found) == cap:
            break
    return list(found)
