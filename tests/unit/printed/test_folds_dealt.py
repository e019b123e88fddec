"""Folds that are not stratified: all deals, each once, and none searched in vain."""

from itertools import islice, product

import pytest

from opchar.printed.averages import partitions


@pytest.mark.parametrize(("p", "n", "folds"), [(5, 7, 3), (6, 6, 4), (9, 4, 3), (3, 10, 3)])
def test_all_deals_are_found_once(p, n, folds):
    many = [(p + n) // folds + (at < (p + n) % folds) for at in range(folds)]
    chosen = product(*[range(1, size) for size in many])
    wanted = {
        tuple(sorted((own, size - own) for own, size in zip(each, many, strict=True)))
        for each in chosen
        if sum(each) == p
    }
    found = [tuple(sorted(deal)) for deal in partitions(p, n, folds)]
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_the_first_deal_of_many_folds_needs_no_search():
    # Nearly all objects are positive: without a bound ten folds were tried in all ways first.
    (deal,) = islice(partitions(985, 15, 10), 1)
    assert sum(p for p, _ in deal) == 985
