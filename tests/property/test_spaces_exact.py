"""Every space against its definition in rational arithmetic, on arbitrary samples with ties."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.spaces.compare import compare_cost, compare_f, compare_roc
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.det import equal_error_rate
from opchar.spaces.f_measure import crossing_prior, f_measure, upper_envelope
from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.precision_recall import auprec, iauprec
from opchar.spaces.roc import auc, partial_auc, resolve_ties
from samples import alphas, anything, exact_hull, exact_points, samples

GRID = np.linspace(0, 1, 257)
SETTINGS = settings(max_examples=40, deadline=None)


def exact_f(tpr, fpr, prior, alpha):
    total = alpha * (prior * tpr + (1 - prior) * fpr) + (1 - alpha) * prior
    return prior * tpr / total if total else Fraction(0)


@SETTINGS
@given(samples(anything))
def test_points_are_the_counts_of_every_threshold(sample):
    points = operating_points(*sample)
    exact = exact_points(*sample)
    assert list(zip(points.fpr, points.tpr, strict=True)) == [
        (float(fpr), float(tpr)) for fpr, tpr in exact
    ]
    is_positive, score = sample
    for threshold, tpr in zip(points.thresholds, points.tpr, strict=True):
        assert (score >= threshold)[is_positive].mean() == tpr


@SETTINGS
@given(samples(), alphas)
def test_f_breakpoints_are_exact(sample, alpha):
    """Between two rational priors next to each breakpoint the best point changes as stated."""
    envelope = upper_envelope(operating_points(*sample), float(alpha))
    exact = exact_points(*sample)
    for place, (low, high) in enumerate(
        zip(envelope.breakpoints[:-1], envelope.breakpoints[1:], strict=True)
    ):
        prior = (Fraction(float(low)) + Fraction(float(high))) / 2
        best = max(exact_f(tpr, fpr, prior, alpha) for fpr, tpr in exact)
        chosen = envelope.points.tpr[place], envelope.points.fpr[place]
        assert float(best) == pytest.approx(
            float(f_measure(*chosen, float(prior), float(alpha))), rel=1e-12
        )
    assert envelope.breakpoints[0] == 0
    assert envelope.breakpoints[-1] == 1
    assert (np.diff(envelope.breakpoints) > 0).all()


@SETTINGS
@given(samples())
def test_areas_are_exact_and_ties_bracket_them(sample):
    is_positive, score = sample
    points = operating_points(is_positive, score)
    pairs = score[is_positive][:, None] - score[~is_positive][None, :]
    right, tied = (pairs > 0).mean(), (pairs == 0).mean()
    assert auc(points) == pytest.approx(right + tied / 2, abs=1e-12)
    assert auc(resolve_ties(points, "optimistic")) == pytest.approx(right + tied, abs=1e-12)
    assert auc(resolve_ties(points, "pessimistic")) == pytest.approx(right, abs=1e-12)
    cuts = [0, 0.13, 0.5, 0.77, 1]
    parts = [partial_auc(points, low, high) for low, high in pairwise(cuts)]
    assert sum(parts) == pytest.approx(auc(points), abs=1e-12)


@SETTINGS
@given(samples(), st.floats(0.001, 0.4), st.floats(0.5, 1.0))
def test_iauprec_is_the_mean_over_a_fine_grid_of_priors(sample, low, high):
    points = operating_points(*sample)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    priors = low + (high - low) * (nodes + 1) / 2
    mean = sum(w * auprec(points, p) for w, p in zip(weights, priors, strict=True)) / 2
    assert iauprec(points, low, high) == pytest.approx(mean, rel=1e-6)


@SETTINGS
@given(samples())
def test_errors_are_equal_at_the_equal_error_rate(sample):
    points = operating_points(*sample)
    rate = equal_error_rate(points).rate
    exact = exact_points(*sample)
    for (x0, y0), (x1, y1) in pairwise(exact):
        if x0 + y0 <= 1 <= x1 + y1:
            share = (1 - x0 - y0) / (x1 + y1 - x0 - y0)
            assert rate == pytest.approx(float(x0 + share * (x1 - x0)), abs=1e-12)
            return
    raise AssertionError("the curve must pass FPR = FNR")


@SETTINGS
@given(samples(), samples(), alphas.filter(lambda alpha: 0 < alpha < 1))
def test_ranges_of_two_envelopes_hold_on_a_dense_grid(one, two, alpha):
    first, second = (operating_points(*sample) for sample in (one, two))
    f = upper_envelope(first, float(alpha)), upper_envelope(second, float(alpha))
    cost = lower_envelope(first), lower_envelope(second)
    cases = [(compare_f(*f), f, 1), (compare_cost(*cost), cost, -1)]
    for ranges, (a, b), sense in cases:
        assert ranges.edges[0] == 0
        assert ranges.edges[-1] == 1
        assert (np.diff(ranges.better) != 0).all()
        place = np.searchsorted(ranges.edges[1:-1], GRID, side="right")
        away = np.abs(GRID[:, None] - ranges.edges).min(axis=1) > 1e-9
        difference = sense * (a(GRID) - b(GRID))
        judged = np.where(np.abs(difference) > 1e-13, np.sign(difference), 0)
        assert (judged[away] == ranges.better[place][away]).all()


@SETTINGS
@given(samples(), samples())
def test_ranges_of_two_hulls_hold_on_a_dense_grid(one, two):
    first, second = (operating_points(*sample) for sample in (one, two))
    ranges = compare_roc(first, second)
    a, b = (dict(exact_hull(exact_points(*sample))) for sample in (one, two))
    place = np.searchsorted(ranges.edges[1:-1], GRID, side="right")
    away = np.abs(GRID[:, None] - ranges.edges).min(axis=1) > 1e-9
    difference = np.interp(GRID, *_line(a)) - np.interp(GRID, *_line(b))
    judged = np.where(np.abs(difference) > 1e-12, np.sign(difference), 0)
    assert (judged[away] == ranges.better[place][away]).all()


def _line(hull):
    """Return the upper end of a hull at each FPR; a dict keeps the last of a vertical start."""
    return [float(x) for x in hull], [float(y) for y in hull.values()]


@SETTINGS
@given(
    st.lists(
        st.tuples(st.fractions(0, 1, max_denominator=30), st.fractions(0, 1, max_denominator=30)),
        min_size=1,
        max_size=15,
    ),
    alphas,
)
def test_given_rates_need_no_order_and_no_corners(rates, alpha):
    tpr, fpr = ([float(pair[side]) for pair in rates] for side in (0, 1))
    points = from_rates(tpr, fpr)
    best = f_measure(points.tpr[:, None], points.fpr[:, None], GRID[1:], float(alpha)).max(axis=0)
    np.testing.assert_allclose(upper_envelope(points, float(alpha))(GRID[1:]), best, atol=1e-12)
    least = expected_cost(points.tpr[:, None], points.fpr[:, None], GRID).min(axis=0)
    np.testing.assert_allclose(lower_envelope(points)(GRID), least, atol=1e-12)


@SETTINGS
@given(
    st.tuples(*[st.fractions(Fraction(1, 30), 1, max_denominator=30)] * 4),
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
)
def test_crossing_priors_are_those_of_the_rational_curves(rates, alpha):
    t_i, f_i, t_j, f_j = rates
    at = crossing_prior(*map(float, rates), float(alpha))
    falls, grows = alpha * (f_j * t_i - f_i * t_j), (1 - alpha) * (t_j - t_i)
    if falls * grows > 0:
        exact = falls / (falls + grows)
        assert exact_f(t_i, f_i, exact, alpha) == exact_f(t_j, f_j, exact, alpha)
        assert float(at) == pytest.approx(float(exact), rel=1e-9)
    elif falls * grows < 0:
        assert np.isnan(at)
