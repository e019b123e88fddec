"""The full operating characteristic on samples: known cases, known densities, bad input."""

import numpy as np
import pytest

from opchar.reject.analytic import Gaussian, Uniform, reject_rates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.operating_point import mean_error

TARGET, OUTLIER, UNSEEN = Gaussian(0.0), Gaussian(2.5), Uniform(-6.0, 9.0)


def sample(number=4000):
    """Objects of known densities, at evenly spaced quantiles, with their true scores."""
    shares = (np.arange(number) + 0.5) / number
    scored = []
    for density in (TARGET, OUTLIER, UNSEEN):
        x = density.ppf(shares)
        scored.append(np.column_stack([TARGET.logpdf(x) - OUTLIER.logpdf(x), TARGET.pdf(x)]))
    return RejectCharacteristic(*scored)


def small(**changed):
    kinds = {
        "target": [[3, 3], [2, 4]],
        "outlier": [[1, 1], [2.5, 2]],
        "unseen": [[4, 0], [2.5, 1]],
    }
    return RejectCharacteristic(**(kinds | changed))


def test_rates_are_those_of_the_densities():
    thetas, distances = np.linspace(-4, 4, 17), [0.0, 0.05, 0.2]
    found = sample().surface(thetas, distances)
    expected = reject_rates(TARGET, OUTLIER, UNSEEN, thetas, distances)
    for name in ("tpr", "fpr_outlier", "fpr_reject"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-3)


def test_the_optimum_may_reject_all_and_says_so():
    best = small().optimum((1, 1, 100), (0.5, 0.5), 0.9)
    assert not best.rejects_all
    hopeless = small(unseen=[[9, 9]]).optimum((1, 1, 100), (0.5, 0.5), 0.9)
    assert hopeless.rejects_all
    assert hopeless.loss == hopeless.loss_of_rejecting_all == pytest.approx(0.05)


def test_classification_first_does_not_move_theta_for_the_unseen():
    objects = sample()
    in_turn = [objects.classification_first((1, 1, 1), (0.5, 0.5), q) for q in (0.0, 0.1, 0.5)]
    assert len({point.theta for point in in_turn}) == 1
    assert in_turn[0].theta == pytest.approx(0, abs=0.1)
    assert in_turn[0].fpr_unseen > in_turn[1].fpr_unseen > in_turn[2].fpr_unseen
    together = objects.optimum((1, 1, 1), (0.5, 0.5), 0.5)
    assert together.loss < in_turn[2].loss


def test_equal_errors_are_equal():
    theta = sample().equal_error_theta()
    point = sample().at(theta, 0.0)
    assert 1 - point.tpr == pytest.approx(point.fpr_outlier, abs=1e-3)


def test_thresholds_out_of_range_reject_all_or_none():
    objects = small()
    assert objects.at(0, 99).rejects_all
    everything = objects.at(-99, -99)
    assert everything.tpr == everything.fpr_outlier == everything.fpr_unseen == 1
    assert mean_error(everything) == pytest.approx(2 / 3)
    surface = objects.surface([-99, 3], [-99, 3])
    assert surface.mean_error()[0, 0] == pytest.approx(2 / 3)
    assert surface.mean_error()[1, 1] == pytest.approx(mean_error(objects.at(3, 3)))
    with pytest.raises(ValueError, match="numbers"):
        objects.at(np.nan, 0)


def test_an_object_on_both_thresholds_is_accepted():
    assert small().at(3, 3).tpr == 0.5


def test_a_kind_without_objects_has_no_rates_and_no_weight():
    objects = small(unseen=[])
    assert np.isnan(objects.at(0, 0).fpr_unseen)
    assert np.isnan(mean_error(objects.at(0, 0)))
    assert objects.optimum((1, 1, 1)).loss == 0
    assert objects.within_limits(0.0).tpr == 1
    for attempt in (
        lambda: objects.optimum((1, 1, 1), (0.5, 0.5), 0.1),
        lambda: objects.within_limits(1.0, 0.5),
        lambda: small(outlier=[]).equal_error_theta(),
    ):
        with pytest.raises(ValueError, match=r"no (unseen|outlier) objects"):
            attempt()


def test_columns_of_a_score_table():
    y = np.array(["4", "4", "6", "9", "0"])
    objects = RejectCharacteristic.from_labels(
        y, [1, 2, 3, 4, 5], [6, 7, 8, 9, 10], target="4", outlier=["6", "8"], unseen="9"
    )
    assert objects.sizes.tolist() == [2, 1, 1]
    assert objects.unseen.tolist() == [[4, 9]]
    with pytest.raises(ValueError, match="shape"):
        RejectCharacteristic.from_labels(y, [1, 2], [1, 2], target="4", outlier="6")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"target": []}, "at least one target"),
        ({"target": [[1, np.nan]]}, "target objects must not be NaN"),
        ({"unseen": [[1, np.inf]]}, "unseen objects must not be NaN or plus infinity"),
        ({"outlier": [1, 2]}, "outlier objects must have shape"),
    ],
)
def test_what_is_no_sample_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        small(**changed)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: small().optimum((1, 1), (0.5, 0.5), 0), "three numbers"),
        (lambda: small().optimum((1, -1, 1), (0.5, 0.5), 0), "three numbers"),
        (lambda: small().optimum((1, 1, 1), (0.5, 0.6), 0), "sum to one"),
        (lambda: small().optimum((1, 1, 1), (0.5, 0.5), 1.0), "share of unseen"),
        *((lambda at=at: small().within_limits(at), "limit on") for at in (-0.1, 1.1, np.nan)),
    ],
)
def test_what_is_no_cost_and_no_limit_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
