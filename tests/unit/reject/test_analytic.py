"""Operating characteristic of the reject option on known densities."""

import numpy as np
import pytest
from scipy.special import ndtr

from opchar.reject.analytic import Gaussian, Uniform, regions_above, reject_rates, target_regions

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
    ("options", "message"), [({"rule": "sum"}, "unknown rule"), ({"prior": 1.0}, "between 0 and 1")]
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
