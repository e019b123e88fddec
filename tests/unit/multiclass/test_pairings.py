"""Pairings of classes."""

from itertools import combinations

import pytest

from opchar.multiclass.pairings import count_pairings, pairings


def brute(c):
    """Return the sets of disjoint pairs that cover as many classes as possible."""
    pairs = list(combinations(range(c), 2))
    return {
        frozenset(chosen)
        for chosen in combinations(pairs, c // 2)
        if len({k for pair in chosen for k in pair}) == 2 * (c // 2)
    }


@pytest.mark.parametrize("c", [2, 4, 6])
def test_pairings_are_all_sets_of_disjoint_pairs(c):
    found = [frozenset(pairing) for pairing in pairings(list(range(c)))]
    assert len(found) == len(set(found)) == count_pairings(c)
    assert set(found) == brute(c)


def test_odd_and_empty_problems_are_refused():
    with pytest.raises(ValueError, match="one class at least"):
        count_pairings(0)
    with pytest.raises(ValueError, match="set one aside"):
        next(pairings([1, 2, 3]))
