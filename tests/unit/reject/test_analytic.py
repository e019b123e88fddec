"""Operating characteristic of the reject option on known densities."""

import numpy as np
import pytest
from scipy.special import ndtr

from opchar.reject.analytic import (
    Gaussian,
    Uniform,
    regions_above,
    reject_rates,
    target_regions,
)

TARGET, OUTLIER, UNSEEN = Gaussian(0.0, 1.0), Gaussian(2.5, 1.0), Uniform(-6.0, 9.0)


def brute(target, outlier, unseen, theta, t_d, *, rule="ratio", prior=0.5):
    """Return the three rates by a fine sum."""
    edges = np.linspace(-40, 40, 800_001)
    x = (edges[1:] + edges[:-1]) / 2
    weighted = prior * target.pdf(x), (1 - prior) * outlier.pdf(x)
    score = (
        weighted[0] - weighted[1]
        if rule == "difference"
        else (target.logpdf(x) - outlier.logpdf(x) + np.log(prior / (1 - prior)))
    )
    called = (score > theta) & ((target.pdf(x) > t_d) | (t_d == 0))
    return [
        density.pdf(x)[called].sum() * (edges[1] - edges[0])
        for density in (target, outlier, unseen)
    ]


@pytest.mark.parametrize("rule", ["ratio", "difference"])
@pytest.mark.parametrize("theta", [-0.08, -0.02, 0.0, 0.05])
@pytest.mark.parametrize("t_d", [0.0, 0.05, 0.3])
def test_rates_equal_a_fine_sum(rule, theta, t_d):
    outlier = Gaussian(1.5, 2.5)
    rates = reject_rates(TARGET, outlier, UNSEEN, [theta], [t_d], rule=rule, prior=0.4)
    found = [rates.tpr[0, 0], rates.fpr_outlier[0, 0], rates.fpr_reject[0, 0]]
    expected = brute(TARGET, outlier, UNSEEN, theta, t_d, rule=rule, prior=0.4)
    assert found == pytest.approx(expected, abs=2e-4)


def test_gaussian_regions_have_their_closed_form():
    classified, accepted = target_regions(TARGET, OUTLIER, [0.7], [0.15])
    reach = np.sqrt(-2 * np.log(0.15 * np.sqrt(2 * np.pi)))
    assert accepted[0, 0].tolist() == pytest.approx([-reach, reach])
    assert classified[0, 0].tolist() == pytest.approx([-np.inf, 1.25 - 0.7 / 2.5])


def test_without_rejection_the_rates_are_the_ordinary_roc():
    theta = np.linspace(-5, 5, 11)
    rates = reject_rates(TARGET, OUTLIER, UNSEEN, theta, [0.0])
    cut = 1.25 - theta / 2.5
    assert rates.tpr[0] == pytest.approx(ndtr(cut))
    assert rates.fpr_outlier[0] == pytest.approx(ndtr(cut - 2.5))
    assert rates.fpr_reject[0] == pytest.approx((cut + 6) / 15)


def test_no_rate_rises_with_either_threshold():
    rates = reject_rates(TARGET, OUTLIER, UNSEEN, np.linspace(-9, 9, 61), np.linspace(0, 0.39, 21))
    for table in (rates.tpr, rates.fpr_outlier, rates.fpr_reject):
        assert np.all(np.diff(table, axis=0) <= 1e-12)
        assert np.all(np.diff(table, axis=1) <= 1e-12)


def test_a_threshold_above_the_mode_rejects_all():
    rates = reject_rates(TARGET, OUTLIER, UNSEEN, [-100.0], [0.4])
    assert rates.tpr[0, 0] == rates.fpr_outlier[0, 0] == rates.fpr_reject[0, 0] == 0


def test_mean_performance_is_the_mean_of_both_class_accuracies():
    rates = reject_rates(TARGET, OUTLIER, UNSEEN, [0.0], [0.0, 0.2])
    expected = (rates.tpr + (1 - rates.fpr_outlier)) / 2
    assert rates.mean_performance() == pytest.approx(expected)


def test_regions_of_a_wave():
    regions = regions_above(np.cos, [0.5, 2.0, -2.0], -2 * np.pi, 2 * np.pi)
    third = np.pi / 3
    expected = [-np.inf, third - 2 * np.pi, -third, third, 2 * np.pi - third, np.inf]
    assert regions[0].ravel().tolist() == pytest.approx(expected)
    assert np.all(np.isposinf(regions[1]))
    assert regions[2, 0].tolist() == [-np.inf, np.inf]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"rule": "sum"}, "unknown rule"), ({"prior": 1.0}, "between 0 and 1")],
)
def test_nonsense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        reject_rates(TARGET, OUTLIER, UNSEEN, [0.0], [0.0], **options)


def test_negative_distance_and_impossible_classes_are_refused():
    with pytest.raises(ValueError, match="must not be negative"):
        reject_rates(TARGET, OUTLIER, UNSEEN, [0.0], [-0.1])
    with pytest.raises(ValueError, match="variance"):
        Gaussian(0.0, 0.0)
    with pytest.raises(ValueError, match="low < high"):
        Uniform(1.0, 1.0)


def test_erratum_prior_factors_keep_printed_rates_from_one():
    """Eqs. 5.9 and 5.12 as printed: TP_r stays below the prior, the traditional ROC is not met."""
    priors = {"target": 1 / 3, "outlier": 1 / 3}
    everything = reject_rates(TARGET, OUTLIER, UNSEEN, [-100.0], [0.0])
    assert everything.tpr[0, 0] == pytest.approx(1) and everything.fpr_outlier[
        0, 0
    ] == pytest.approx(1)
    printed = (
        priors["target"] * everything.tpr[0, 0],
        priors["outlier"] * everything.fpr_outlier[0, 0],
    )
    assert max(printed) < 0.34
    best = reject_rates(TARGET, OUTLIER, UNSEEN, [0.0], [0.0])
    as_printed = 1 - ((1 - priors["target"] * best.tpr) + priors["outlier"] * best.fpr_outlier) / 2
    assert as_printed[0, 0] < 0.65 < 0.89 < best.mean_performance()[0, 0]


def test_erratum_a_threshold_on_the_difference_is_not_the_traditional_roc():
    """Eqs. 5.10 and 5.13 as printed lose true positives at the same false positives."""
    ratio = reject_rates(TARGET, OUTLIER, UNSEEN, np.linspace(-60, 60, 4001), [0.0])
    order = np.argsort(ratio.fpr_outlier[0])
    difference = reject_rates(
        TARGET, OUTLIER, UNSEEN, np.linspace(-0.19, 0.19, 191), [0.0], rule="difference"
    )
    optimal = np.interp(difference.fpr_outlier[0], ratio.fpr_outlier[0][order], ratio.tpr[0][order])
    loss = optimal - difference.tpr[0]
    assert loss.min() > -1e-3
    assert loss.max() > 0.02
