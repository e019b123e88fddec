"""The prior of unlabelled objects, against the EM algorithm and known priors."""

import numpy as np
import pytest
from scipy.special import expit

import opchar
from opchar.decisions.priors import likeliest_prior


def by_em(log_ratios: np.ndarray) -> float:
    prior = 0.5
    for _ in range(100_000):
        positive = prior * np.exp(log_ratios)
        prior, before = float(np.mean(positive / (positive + 1 - prior))), prior
        if abs(prior - before) < 1e-14:
            break
    return prior


@pytest.mark.parametrize("seed", range(4))
def test_the_likeliest_prior_is_the_fixed_point_of_em(seed):
    ratios = np.random.default_rng(seed).normal(-0.2, 2, size=200)
    assert likeliest_prior(ratios) == pytest.approx(by_em(ratios), abs=1e-7)


def test_the_likeliest_prior_may_be_none_or_all():
    assert likeliest_prior([-1.0, -2.0]) == 0.0
    assert likeliest_prior([1.0, 2.0]) == 1.0


@pytest.mark.parametrize("method", ["em", "confusion"])
@pytest.mark.parametrize("prior", [0.05, 0.6])
def test_the_prior_is_found(method, prior):
    rng = np.random.default_rng(3)
    y, new = (
        np.repeat([0, 1], 3000),
        np.repeat([0, 1], [round(4000 * (1 - prior)), round(4000 * prior)]),
    )
    scores, unlabelled = (rng.normal(size=len(each)) + 2 * each for each in (y, new))
    found = opchar.estimate_prior(y, scores, unlabelled, method, resamples=40)
    assert found.prior == pytest.approx(prior, abs=0.03)
    assert found.low - 0.01 < prior < found.high + 0.01
    assert found.to_frame().loc[0, "prior"] == found.prior
    probabilities = opchar.estimate_prior(
        y, expit(2 * scores - 2), expit(2 * unlabelled - 2), calibrate="none", resamples=2
    )
    assert probabilities.prior == pytest.approx(prior, abs=0.03)


def test_the_interval_holds_the_estimate_and_the_choice_of_calibration() -> None:
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [80, 20])
    # A few positives far from the others: no sigmoid describes them.
    scores = rng.normal(size=100) + np.where(np.arange(100) > 94, 30.0, y)
    unlabelled = rng.normal(size=200)
    found = opchar.estimate_prior(y, scores, unlabelled, resamples=100)
    confused = opchar.estimate_prior(y, scores, unlabelled, "confusion", resamples=100)
    np.testing.assert_array_equal(found.draws[3::4], confused.draws[3::4])
    low, high = np.quantile(found.draws, (0.025, 0.975))
    assert found.low == min(low, found.prior)
    assert found.high == max(high, found.prior)
    assert found.high > np.quantile(found.draws[::4], 0.975)


def test_what_is_printed_of_an_answer_is_the_answer_not_its_draws():
    """An estimate filled screens with the 200 resamples that its interval was made of."""
    rng = np.random.default_rng(3)
    y = np.arange(300) % 2
    score = rng.normal(size=300) + y
    for found in (
        opchar.estimate_prior(y, score, score, resamples=30),
        opchar.threshold_spread(y, score, resamples=30),
    ):
        assert "low=" in repr(found)
        assert "array" not in repr(found)


def test_resamples_of_joined_scores_that_repeat_lie_around_the_estimate() -> None:
    """Neighbours of more than a thousand distinct scores, each four times, are joined."""
    rng = np.random.default_rng(8)
    y, new = rng.random(600) < 0.5, np.repeat(rng.random(1500) < 0.3, 4)
    scores, once = rng.normal(size=600) + 3 * y, rng.normal(size=1500)
    unlabelled = np.repeat(once, 4) + 3 * new
    found = opchar.estimate_prior(y, scores, unlabelled, repeats=40)
    assert found.prior == pytest.approx(0.3, abs=0.05)
    assert np.abs(found.draws - found.prior).max() < 0.08
