"""Precision-recall, P-ROC and Brier space in rational arithmetic, on samples with ties.

What is an integral of logarithms is bracketed: precision is monotone along a straight piece of a
ROC curve and in the prior, so that rational sums from either end enclose it.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.spaces.brier import brier_curve, brier_score
from opchar.spaces.p_roc import exact_auprec, least_auprec
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import (
    auprec,
    auprg,
    average_precision,
    gain,
    precision_recall_curve,
)
from opchar.spaces.roc import auc
from samples import exact_points, samples

SETTINGS = settings(max_examples=40, deadline=None)
priors = st.fractions(Fraction(1, 50), 1, max_denominator=50)
inner_priors = priors.filter(lambda prior: prior < 1)


def exact_precision(tpr, fpr, prior):
    accepted = prior * tpr + (1 - prior) * fpr
    return prior * tpr / accepted if accepted else None


def heights(points, prior):
    """Return the precisions, of the first point that of the next one."""
    found = [exact_precision(tpr, fpr, prior) for fpr, tpr in points]
    first = next(height for height in found if height is not None)
    return [first if height is None else height for height in found]


def exact_auprec_of(points, prior):
    """Return the trapezoidal area."""
    steps = zip(pairwise(points), pairwise(heights(points, prior)), strict=True)
    return sum((b[1] - a[1]) * (low + high) / 2 for (a, b), (low, high) in steps)


@SETTINGS
@given(samples(), priors)
def test_precisions_and_areas_of_points_are_the_rational_ones(sample, prior):
    points, exact = operating_points(*sample), exact_points(*sample)
    recall, height = precision_recall_curve(points, float(prior))
    assert recall.tolist() == [float(tpr) for _, tpr in exact]
    np.testing.assert_allclose(height, [float(h) for h in heights(exact, prior)], rtol=1e-12)
    area = exact_auprec_of(exact, prior)
    assert auprec(points, float(prior)) == pytest.approx(float(area), rel=1e-12)
    steps = [(b[1] - a[1]) * (exact_precision(b[1], b[0], prior) or 0) for a, b in pairwise(exact)]
    assert average_precision(points, float(prior)) == pytest.approx(float(sum(steps)), rel=1e-12)


@SETTINGS
@given(samples(), inner_priors)
def test_areas_of_gains_are_the_rational_ones(sample, prior):
    exact = [(fpr, tpr) for fpr, tpr in exact_points(*sample) if tpr > 0]

    def gained(value):
        return (value - prior) / ((1 - prior) * value)

    line = [(gained(tpr), gained(exact_precision(tpr, fpr, prior))) for fpr, tpr in exact]
    for value in {tpr for _, tpr in exact}:
        found = float(gain(float(value), float(prior)))
        assert found == pytest.approx(float(gained(value)), rel=1e-9, abs=1e-12)
    inside = [place for place, (x, _) in enumerate(line) if x >= 0]
    start, kept = inside[0], line[inside[0] :]
    if kept[0][0] > 0:
        (x, y), slope = kept[0], Fraction(0)
        if start:
            slope = (y - line[start - 1][1]) / (x - line[start - 1][0])
        kept = [(Fraction(0), y - slope * x), *kept]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(kept))
    found = auprg(operating_points(*sample), float(prior))
    assert found == pytest.approx(float(area), rel=1e-8, abs=1e-10)


@SETTINGS
@given(samples(), inner_priors)
def test_no_area_is_below_the_least_one(sample, prior):
    points = operating_points(*sample)
    assert exact_auprec(points, float(prior)) >= least_auprec(auc(points), float(prior)) - 1e-12


@SETTINGS
@given(samples(st.integers(0, 16).map(lambda n: n / 16)), priors, st.integers(0, 64))
def test_brier_space_is_the_rational_one(sample, prior, step):
    is_positive, score = sample
    points = operating_points(is_positive, score)
    squares = [
        [(Fraction(value) - want) ** 2 for value in score[is_positive == bool(want)].tolist()]
        for want in (0, 1)
    ]
    negative, positive = (sum(part) / len(part) for part in squares)
    assert brier_score(points, float(prior)) == pytest.approx(
        float(prior * positive + (1 - prior) * negative), rel=1e-12, abs=1e-15
    )
    pc = Fraction(step, 64)
    chosen = [Fraction(value) >= 1 - pc for value in score.tolist()]
    shares = [
        Fraction(sum(c for c, p in zip(chosen, is_positive, strict=True) if bool(p) == want))
        / int((is_positive == want).sum())
        for want in (True, False)
    ]
    cost = (1 - shares[0]) * pc + shares[1] * (1 - pc)
    assert float(brier_curve(points, float(pc))) == pytest.approx(float(cost), abs=1e-15)
