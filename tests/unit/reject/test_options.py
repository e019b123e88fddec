"""The two reject options as rules on scores."""

import numpy as np
import pytest

from opchar.reject.options import (
    REJECTED_AS_AMBIGUOUS,
    REJECTED_AS_DISTANT,
    decide,
    error_reject_curve,
    is_ambiguous,
    is_distant,
)

POSTERIORS = np.array([[0.8, 0.2], [0.5, 0.5], [0.1, 0.9], [1.0, 0.0]])
CLOSENESS = np.array([[0.3, 0.1], [0.2, 0.2], [0.4, 0.05], [1e-9, 1e-12]])


def test_chows_rule():
    assert is_ambiguous(POSTERIORS, 0.8).tolist() == [False, True, False, False]
    assert not is_ambiguous(POSTERIORS, 0.5).any()
    assert is_ambiguous(POSTERIORS, 1.0).tolist() == [True, True, True, False]


def test_the_assigned_class_or_the_nearest_may_count():
    assigned = POSTERIORS.argmax(axis=1)
    by_class = is_distant(CLOSENESS, 0.1, assigned=assigned)
    assert by_class.tolist() == [False, False, True, True]
    assert is_distant(CLOSENESS, 0.1).tolist() == [False, False, False, True]


def test_thresholds_out_of_range_reject_all_or_none():
    assert is_distant(CLOSENESS, 1e3).all()
    assert not is_distant(CLOSENESS, -1.0).any()


def test_distant_is_said_before_ambiguous():
    found = decide(POSTERIORS, CLOSENESS, ambiguity=0.7, distance=0.1)
    ambiguous, distant = REJECTED_AS_AMBIGUOUS, REJECTED_AS_DISTANT
    assert found.tolist() == [0, ambiguous, distant, distant]
    found = decide(POSTERIORS, CLOSENESS, ambiguity=0.7, distance=0.1, protected="any")
    assert found.tolist() == [0, ambiguous, 1, distant]
    assert decide(POSTERIORS, CLOSENESS).tolist() == [0, 0, 1, 0]


def test_rejection_only_grows_with_its_threshold():
    rng = np.random.default_rng(0)
    posteriors, typicality = rng.dirichlet([1, 1, 1], 200), rng.normal(size=(200, 3))
    for rejects, scores, levels in (
        (is_ambiguous, posteriors, np.linspace(0, 1, 21)),
        (is_distant, typicality, np.linspace(-3, 3, 21)),
    ):
        masks = np.array([rejects(scores, level) for level in levels])
        assert np.all(masks[1:] >= masks[:-1])
        assert not masks[0].any() and masks[-1].all()


def test_the_error_reject_curve_counts_at_every_threshold():
    rng = np.random.default_rng(0)
    right, confidence = rng.random(60) < 0.8, rng.integers(0, 9, 60) / 8
    curve = error_reject_curve(right, confidence)
    for threshold, rejected, errors, among in zip(
        curve.thresholds, curve.rejected, curve.errors, curve.errors_of_accepted, strict=True
    ):
        accepted = confidence >= threshold
        assert rejected == pytest.approx(1 - accepted.mean())
        assert errors == pytest.approx((accepted & ~right).mean())
        assert among == pytest.approx((~right[accepted]).mean())
    assert curve.rejected[0] == 0 and np.all(np.diff(curve.rejected) > 0)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: is_ambiguous(POSTERIORS, 1.1), "threshold on posteriors"),
        (lambda: is_ambiguous(CLOSENESS * 9, 0.5), "lie in"),
        (lambda: is_distant([[np.nan]], 0.5), "NaN"),
        (lambda: is_distant(CLOSENESS, np.nan), "NaN"),
        (lambda: is_distant(CLOSENESS, 0.1, assigned=[0, 1, 2, 0]), "4 columns"),
        (lambda: decide(POSTERIORS, CLOSENESS[:2]), "one shape"),
        (lambda: error_reject_curve([], []), "not empty"),
        (lambda: error_reject_curve([True], [np.nan]), "without NaN"),
        (lambda: decide(POSTERIORS, CLOSENESS, protected="none"), "unknown protected"),
    ],
)
def test_nonsense_is_refused(attempt, message):
    with pytest.raises(ValueError, match=message):
        attempt()
