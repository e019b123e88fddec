"""Counts of any size against rational arithmetic: whole weights from 1 to 10^18, and beyond."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opchar
from opchar.metrics.counts import LARGEST_COUNT, confusion_matrix, counts_at, scaled_counts
from opchar.metrics.indices import composite, rates
from opchar.spaces.cost import lower_envelope
from opchar.spaces.points import OperatingPoints, checked_weights, operating_points
from opchar.spaces.roc import resolve_ties
from samples import exact_hull, exact_points

SETTINGS = settings(max_examples=60, deadline=None)
WEIGHTS = st.one_of(
    st.integers(1, 4),
    st.integers(1, 10**18),
    st.integers(0, 18).map(lambda k: 10**k),
    st.integers(0, 60).map(lambda k: 2**k + 1),
)


@st.composite
def samples(draw: Any) -> tuple[list[int], list[float], list[int]]:
    n = draw(st.integers(2, 12))
    y = [0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    score = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    return y, [s / 5 for s in score], draw(st.lists(WEIGHTS, min_size=n, max_size=n))


@SETTINGS
@given(samples())
def test_hull_and_rates_are_those_of_fractions(sample: Any) -> None:
    y, score, weight = sample
    points = operating_points(y, score, weight)
    exact = exact_points(*sample)
    assert points.fpr.tolist() == pytest.approx([float(f) for f, _ in exact], rel=1e-15)
    assert points.tpr.tolist() == pytest.approx([float(t) for _, t in exact], rel=1e-15)
    hull = exact_hull(exact)
    assert points.hull.fpr.tolist() == pytest.approx([float(f) for f, _ in hull], rel=1e-15)
    assert points.hull.tpr.tolist() == pytest.approx([float(t) for _, t in hull], rel=1e-15)
    crossings = [
        float((b[0] - a[0]) / (b[0] - a[0] + b[1] - a[1])) for a, b in pairwise(hull) if b[1] > a[1]
    ]
    envelope = lower_envelope(points).breakpoints
    inside = [x for x in crossings if 0 < x < 1]
    assert [x for x in envelope if 0 < x < 1] == pytest.approx(inside, rel=1e-12)


@SETTINGS
@given(samples(), st.integers(1, 10**18))
def test_a_common_factor_of_all_weights_changes_nothing(sample: Any, factor: int) -> None:
    y, score, weight = sample
    small = [1 + w % 5 for w in weight]
    large = [factor * w for w in small]
    for name, options in (
        ("best_threshold", {"prior": [0.2, 0.5, 0.8]}),
        ("best_threshold", {"prior": [0.2, 0.5, 0.8], "criterion": "cost"}),
        ("neyman_pearson", {"max_fpr": 0.3}),
        ("equal_error_rate", {}),
        ("pr_auc", {}),
    ):
        one, two = (
            getattr(opchar, name)(y, score, sample_weight=each, **options)
            for each in (small, large)
        )
        np.testing.assert_allclose(one, two, rtol=1e-12)


@pytest.mark.parametrize("weight", [2 * 10**9, 10**10, 10**18, 10**30, 10**400, 1e308, 1e-320])
def test_six_objects_of_one_weight(weight: float) -> None:
    y, score = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    given_weight = {"sample_weight": [weight] * 6}
    assert opchar.least_cost(y, score, prior=0.8, **given_weight) == pytest.approx(2 / 15)
    best = opchar.best_f(y, score, prior=[0.2, 0.5, 0.8], **given_weight)
    assert best == pytest.approx([0.5, 0.75, 12 / 13])
    thresholds = opchar.best_threshold(y, score, prior=[0.2, 0.5, 0.8], **given_weight)
    assert thresholds.tolist() == [0.9, 0.5, 0.5]


def test_weights_of_one_unit_beside_huge_ones_are_not_lost() -> None:
    big = 10**17
    points = operating_points([1, 1, 1, 0, 0], [5, 4, 3, 2, 1], [big, 1, 1, big, 1])
    assert points.counts is not None
    assert points.counts[1].tolist() == [0, big, big + 1, big + 2, big + 2, big + 2]
    assert (points.n_positive, points.n_negative) == (big + 2, big + 1)
    corners = resolve_ties(points, "optimistic")
    assert corners.hull.fpr.tolist() == [0.0, 0.0, 1.0]
    assert counts_at(points).tp[1:3].tolist() == [float(big), float(big)]


def test_points_that_know_large_sizes_only_have_the_hull_of_their_rates() -> None:
    rates_alone = OperatingPoints(
        np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.75, 1.0]), np.zeros(3), 10**17, 10**17
    )
    assert rates_alone.hull.tpr.tolist() == [0.0, 0.75, 1.0]
    assert rates_alone.prior == 0.5


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ([1e308, 1e308, 0.5], "divide them by one number"),
        ([1, -(10**30), 1], "not negative"),
        ([1, np.nan, 1], "finite"),
        ([1, 10**400, 0.5], "finite"),
        (np.ma.masked_array([1, 2, 3], [0, 1, 0]), "masked"),
    ],
)
def test_weights_without_a_meaning_are_refused_in_one_line(weight: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        checked_weights(weight, 3)
    assert "\n" not in str(caught.value)


def square_of_mcc(tp: Fraction, fn: Fraction, fp: Fraction, tn: Fraction) -> Fraction:
    above = tp * tn - fp * fn
    return above * abs(above) / ((tp + fp) * (tn + fn) * (tp + fn) * (tn + fp))


@SETTINGS
@given(
    st.tuples(*[st.integers(1, 10**18)] * 4),
    st.sampled_from([1.0, 2.0**-1000, 2.0**-600, 2.0**500, 2.0**900]),
)
def test_products_of_counts_are_those_of_fractions(cells: Any, unit: float) -> None:
    given_cells = np.array(cells, dtype=float) * unit
    exact = [Fraction(float(cell)) for cell in given_cells]
    squared = square_of_mcc(*exact)
    close = 1e-12 * float(
        (exact[0] * exact[3] + exact[1] * exact[2]) / max(exact[0] * exact[3], exact[1] * exact[2])
    )
    found = float(composite.mcc(*given_cells))
    assert found * abs(found) == pytest.approx(float(squared), rel=1e-9, abs=close)
    odds = exact[0] * exact[3] / (exact[1] * exact[2])
    assert float(rates.diagnostic_odds_ratio(*given_cells)) == pytest.approx(float(odds), rel=1e-12)


@pytest.mark.parametrize("function", [composite.mcc, rates.diagnostic_odds_ratio, composite.f1])
def test_a_common_factor_of_all_counts_changes_no_bit(function: Any) -> None:
    cells = np.array([[50.0, 8.0, 7.0, 60.0], [3.0, 0.0, 1.0, 5.0]]).T
    for power in (-1050, -600, -200, 200, 600, 980):
        np.testing.assert_array_equal(function(*np.ldexp(cells, power)), function(*cells))
    mixed = cells * [1.0, 2.0**700]
    np.testing.assert_array_equal(function(*mixed), function(*cells))


def test_counts_beyond_all_sums_are_refused_in_one_line() -> None:
    for ask in (
        lambda: composite.mcc(1e305, 1, 1, 1),
        lambda: rates.tpr(1e305, 1e308, 1, 1),
        lambda: opchar.metrics.counts.as_matrices([[1e305, 1], [1, 1]]),
        lambda: confusion_matrix([0, 1], [0, 1], 2, [1e308, 1.0]),
    ):
        with pytest.raises(ValueError, match=r"1e\+300") as caught:
            ask()
        assert "\n" not in str(caught.value)
    assert scaled_counts(LARGEST_COUNT, 0.0)[0] < 1


@pytest.mark.parametrize("name", ["roc_auc", "best_f", "roc_curve"])
def test_scores_that_floats_merge_are_refused(name: str) -> None:
    function = getattr(opchar, name)
    y = [0, 1, 0, 1]
    for scores in (
        [2**63 + k for k in range(4)],
        np.array([2**63 + k for k in range(4)], dtype=np.uint64),
        np.array([2**70 + k for k in range(4)], dtype=object),
        [Fraction(1, 3), Fraction(float(1 / 3)), 1, 2],
        np.array([1, 1 + np.finfo(np.longdouble).eps, 2, 3], dtype=np.longdouble),
    ):
        with pytest.raises(ValueError, match="become equal as floats"):
            function(y, scores)
    apart = [2**63 + 4096 * k for k in range(4)]
    for one, two in zip(
        np.atleast_1d(function(y, apart))[:2], np.atleast_1d(function(y, range(4)))[:2], strict=True
    ):
        np.testing.assert_array_equal(one, two)
    with pytest.raises(ValueError, match="beyond all floats"):
        function(y, [10**400, 1, 2, 3])
    with pytest.raises(ValueError, match="masked"):
        function(y, np.ma.masked_array([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 0]))
    with pytest.raises(ValueError, match="masked"):
        function(np.ma.masked_array(y, [0, 0, 1, 0]), [1.0, 2.0, 3.0, 4.0])
