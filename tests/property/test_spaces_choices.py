"""What is chosen and read off in each space, against trying everything with fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from exact import cost, f_alpha
from opchar.spaces.cost import lower_envelope, operating_range
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.roc import neyman_pearson
from samples import anything, exact_points, samples

SETTINGS = settings(max_examples=40, deadline=None)
PRIORS = [Fraction(n, 16) for n in range(1, 16)]
priors = st.sampled_from(PRIORS)


def rates_of(is_positive, score, threshold):
    """Return (TPR, FPR) of accepting what reaches a threshold."""
    accepted = score >= threshold
    n_positive, n_negative = int(is_positive.sum()), int((~is_positive).sum())
    return (
        Fraction(int((accepted & is_positive).sum()), n_positive),
        Fraction(int((accepted & ~is_positive).sum()), n_negative),
    )


def exact_value(tpr, fpr, prior):
    return f_alpha(tpr, fpr, prior) if tpr else Fraction(0)


@SETTINGS
@given(samples(anything), st.lists(priors, min_size=1, max_size=5))
def test_the_optimal_threshold_as_a_function_of_the_prior_is_optimal(sample, wanted):
    """Whatever scores a sample has, infinities too, no threshold has more F or less cost."""
    is_positive, score = sample
    points = operating_points(is_positive, score)
    every = [(tpr, fpr) for fpr, tpr in exact_points(is_positive, score)]
    at = [float(prior) for prior in wanted]
    by_f = upper_envelope(points, 0.5).threshold(at)
    by_cost = lower_envelope(points).threshold(at)
    for prior, f_threshold, cost_threshold in zip(wanted, by_f, by_cost, strict=True):
        best = max(exact_value(tpr, fpr, prior) for tpr, fpr in every)
        assert exact_value(*rates_of(is_positive, score, f_threshold), prior) == best
        least = min(cost(tpr, fpr, prior) for tpr, fpr in every)
        assert cost(*rates_of(is_positive, score, cost_threshold), prior) == least


@SETTINGS
@given(samples(anything), st.fractions(0, 1, max_denominator=12))
def test_neyman_pearson_takes_the_largest_acceptable_tpr(sample, limit):
    is_positive, score = sample
    points = operating_points(is_positive, score)
    chosen = neyman_pearson(points, float(limit))
    acceptable = [
        (tpr, -fpr) for fpr, tpr in exact_points(is_positive, score) if float(fpr) <= float(limit)
    ]
    tpr, minus_fpr = max(acceptable)
    assert (points.tpr[chosen], points.fpr[chosen]) == (float(tpr), float(-minus_fpr))


@SETTINGS
@given(st.fractions(0, 1, max_denominator=40), st.fractions(0, 1, max_denominator=40))
def test_the_operating_range_is_where_no_trivial_classifier_is_cheaper(tpr, fpr):
    low, high = operating_range(float(tpr), float(fpr))
    for pc in (Fraction(n, 60) for n in range(1, 60)):
        cheaper = cost(tpr, fpr, pc) < min(pc, 1 - pc)
        if abs(float(pc) - low) > 1e-9 and abs(float(pc) - high) > 1e-9:
            assert cheaper == bool(low < float(pc) < high)
    assert np.isnan(low) == (tpr <= fpr)


def test_an_envelope_of_rates_with_repeats_is_that_of_the_rates():
    tpr, fpr = [0.5, 0.8, 0.9, 0.3], [0.1, 0.3, 0.6, 0.2]
    once, twice = from_rates(tpr, fpr), from_rates(tpr * 3, fpr * 3)
    for envelope in (lower_envelope, lambda points: upper_envelope(points, 0.3)):
        assert envelope(once).breakpoints.tolist() == envelope(twice).breakpoints.tolist()
        assert envelope(once).points.tpr.tolist() == envelope(twice).points.tpr.tolist()
