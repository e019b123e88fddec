"""Sets of disjoint pairs."""

from itertools import combinations

import numpy as np
import pytest

from opchar.multiclass.cost_weights.matchings import count_matchings, find_matchings
from opchar.multiclass.pairings import count_pairings, pairings


def rng():
    return np.random.default_rng(1)


def maximal_by_subsets(pairs):
    """Return the sets of disjoint pairs that no other pair can join, over all subsets."""
    disjoint = [
        set(chosen)
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
        if len({c for pair in chosen for c in pair}) == 2 * size
    ]
    return {frozenset(s) for s in disjoint if not any(s < other for other in disjoint)}


@pytest.mark.parametrize("classes", [2, 4, 6, 8])
def test_even_numbers_have_the_perfect_matchings(classes):
    found = find_matchings(classes, rng())
    assert found.complete and found.matchings == list(pairings(list(range(classes))))


@pytest.mark.parametrize("classes", [3, 5, 7])
def test_odd_numbers_leave_out_each_class_in_turn(classes):
    found = find_matchings(classes, rng())
    assert len(set(found.matchings)) == len(found.matchings)
    assert len(found.matchings) == classes * count_pairings(classes)
    missing = [set(range(classes)) - {c for pair in m for c in pair} for m in found.matchings]
    assert all(len(out) == 1 for out in missing)


def test_the_class_left_out_can_be_named():
    found = find_matchings(5, rng(), left_out=2)
    assert len(found.matchings) == count_pairings(5)
    assert all(2 not in pair for matching in found.matchings for pair in matching)


@pytest.mark.parametrize("seed", range(10))
def test_with_few_pairs_all_maximal_sets_are_found(seed):
    every = list(combinations(range(7), 2))
    chosen = [every[k] for k in np.random.default_rng(seed).permutation(21)[:8]]
    found = find_matchings(7, rng(), pairs=chosen)
    assert found.complete
    assert {frozenset(m) for m in found.matchings} == maximal_by_subsets(sorted(chosen))
    assert len(found.matchings) == len(maximal_by_subsets(chosen))


def test_a_cap_is_a_sample_and_says_so():
    found = find_matchings(26, rng(), cap=20)
    assert not found.complete and len(set(found.matchings)) == 20
    assert all(sorted(c for p in m for c in p) == list(range(26)) for m in found.matchings)
    assert found == find_matchings(26, rng(), cap=20)
    assert found != find_matchings(26, np.random.default_rng(2), cap=20)


def test_degenerate_numbers_and_bad_pairs():
    assert find_matchings(1, rng()).matchings == [()]
    assert find_matchings(4, rng(), pairs=[]).matchings == [()]
    with pytest.raises(ValueError, match="cap"):
        find_matchings(4, rng(), cap=0)
    for pair in ((1, 1), (0, 4)):
        with pytest.raises(ValueError, match="two different classes"):
            find_matchings(4, rng(), pairs=[pair])


@pytest.mark.parametrize("seed", range(10))
def test_the_count_is_that_of_the_sets_over_all_subsets(seed):
    every = list(combinations(range(7), 2))
    chosen = [every[k] for k in np.random.default_rng(seed).permutation(21)[:9]]
    assert count_matchings(chosen) == len(maximal_by_subsets(chosen))
    assert find_matchings(7, rng(), pairs=chosen, cap=1).total == len(maximal_by_subsets(chosen))


def test_all_pairs_are_counted_by_their_product_and_others_up_to_a_limit():
    for classes in range(2, 9):
        every = list(combinations(range(classes), 2))
        assert count_matchings(every) == len(find_matchings(classes, rng()).matchings)
    capped = find_matchings(26, rng(), cap=10)
    assert (len(capped.matchings), capped.complete, capped.total) == (10, False, 7905853580625)
    but_one = list(combinations(range(26), 2))[1:]
    assert count_matchings(but_one) is None
    assert find_matchings(26, rng(), pairs=but_one, cap=3).total is None
