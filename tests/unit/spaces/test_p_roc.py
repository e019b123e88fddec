import numpy as np
import pytest
from scipy.integrate import quad

from opchar.spaces import p_roc
from opchar.spaces.p_roc import auprec_range, exact_auprec, exact_iauprec, least_auprec
from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.precision_recall import iauprec
from opchar.spaces.roc import auc, with_corners

PRIORS = [0.5, 0.1, 0.01]


def straight_line_area(points, prior):
    """Integrate precision over recall numerically, segment by segment."""
    fpr, tpr = with_corners(points)
    skew, total = (1 - prior) / prior, 0.0
    for k in range(len(tpr) - 1):
        if tpr[k + 1] > tpr[k]:
            slope = (fpr[k + 1] - fpr[k]) / (tpr[k + 1] - tpr[k])

            def height(t, k=k, slope=slope):
                f = fpr[k] + slope * (t - tpr[k])
                return t / (t + skew * f) if t + skew * f > 0 else 1 / (1 + skew * slope)

            total += quad(height, tpr[k], tpr[k + 1], epsabs=1e-12)[0]
    return total


@pytest.mark.parametrize("prior", PRIORS)
def test_exact_areas_by_quadrature(prior):
    rng = np.random.default_rng(0)
    for _ in range(20):
        t, f = np.sort(rng.random((2, 6)))
        points = from_rates(t, f)
        assert exact_auprec(points, prior) == pytest.approx(straight_line_area(points, prior))


def test_nearly_flat_segments_keep_their_precision():
    for slope in (1e-3, 1e-7, 1e-11, 1e-15):
        points = from_rates([0.2, 0.2 + slope, 1], [0.3, 0.3 + slope, 1])
        area = exact_auprec(points, 0.3)
        assert area == pytest.approx(straight_line_area(points, 0.3), rel=1e-9)
    for width in (1e-5, 1e-9):
        area = p_roc._hyperbola_area(*np.array([[0.0], [width], [0.7], [1.5]]))
        assert area == pytest.approx(quad(lambda t: t / (0.7 + 1.5 * t), 0, width)[0], rel=1e-9)


def test_diagonals_and_perfect_curves():
    assert exact_auprec(from_rates([0, 1], [0, 1]), 0.2) == pytest.approx(0.2)
    assert exact_auprec(from_rates([0, 1, 1], [0, 0, 1]), 0.2) == 1
    assert np.isnan(exact_auprec(operating_points([True, True], [0.0, 1.0]), 0.2))


def test_means_over_priors_and_over_skews():
    points = from_rates([0, 0.6, 1], [0, 0.05, 1])
    over_prior = quad(lambda p: exact_auprec(points, p), 0.05, 0.2)[0] / 0.15
    assert exact_iauprec(points, 0.05, 0.2) == pytest.approx(over_prior)
    low, high = (1 - 0.2) / 0.2, (1 - 0.05) / 0.05
    over_skew = quad(lambda s: exact_auprec(points, 1 / (1 + s)), low, high)[0] / (high - low)
    assert exact_iauprec(points, 0.05, 0.2, over="skew") == pytest.approx(over_skew)
    assert over_skew < over_prior
    rng = np.random.default_rng(1)
    is_positive = rng.random(5000) < 0.3
    fine = operating_points(is_positive, rng.normal(size=5000) + 1.5 * is_positive)
    assert exact_iauprec(fine, 0.05, 0.2) == pytest.approx(iauprec(fine, 0.05, 0.2), abs=1e-3)


def test_what_is_no_prior_or_range_is_refused():
    points = from_rates([0, 1], [0, 1])
    with pytest.raises(ValueError, match="the prior must lie in"):
        exact_auprec(points, 0.0)
    with pytest.raises(ValueError, match="priors must satisfy"):
        exact_iauprec(points, 0.2, 0.05)
    with pytest.raises(ValueError, match="prior or the skew, not 'cost'"):
        exact_iauprec(points, 0.05, 0.2, over="cost")


def test_the_least_auprec_is_attained_without_the_order_of_points():
    t = (np.arange(200_000) + 0.5) / 200_000
    for area, prior in ((0.943, 0.5), (0.825, 0.5), (0.9, 0.1)):
        skew = (1 - prior) / prior
        low, high = 0.0, 1e6
        for _ in range(200):
            c = (low + high) / 2
            f = np.maximum(np.sqrt(c * t) - t, 0) / skew
            low, high = (c, high) if f.mean() < 1 - area else (low, c)
        assert (t / (t + skew * f)).mean() == pytest.approx(least_auprec(area, prior), abs=1e-5)


@pytest.mark.parametrize(("area", "prior"), [(1.2, 0.5), (0.9, 0.0), (np.nan, 0.5)])
def test_the_least_auprec_wants_an_area_and_a_prior(area, prior):
    with pytest.raises(ValueError, match="AUC must lie in"):
        least_auprec(area, prior)


@pytest.mark.parametrize("prior", [0.02, 0.3, 0.8])
def test_the_greatest_auprec_is_reached(prior):
    points = from_rates([0, 0.7, 0.7, 1], [0, 0, 1, 1])
    area = auc(points)
    least, most = auprec_range((area, area), prior)
    assert exact_auprec(points, prior) == pytest.approx(most, abs=1e-9)
    assert least == least_auprec(area, prior)
    assert auprec_range((area - 0.1, area), prior) == (least_auprec(area - 0.1, prior), most)
