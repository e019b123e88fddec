import numpy as np
import pytest
from scipy.stats import norm

from opchar_reproduction.publications.landgrebe2007.chapter2.two_gaussians.measure import (
    equal_weighted,
    rates,
    two_gaussians,
)

MEANS, VARIANCE = [-1.6, 1.6], 2.0
APART = 3.2 / np.sqrt(2)


@pytest.fixture(scope="module")
def results():
    return two_gaussians(
        means=MEANS,
        variance=VARIANCE,
        costs=[0.2, 0.8],
        thetas=[0.1, 0.5, 0.9],
        prior_ranges=[[0.05, 0.9], [0.3, 0.7]],
        printed={"A": [0.942, 0.340], "B": [0.945, 0.131]},
        weights=[[1.0, 1.0], [0.0, 1.0]],
        resolutions=[11, 1001],
        priors=[0.5, 0.01],
        iauprec_range=[0.05, 0.2],
    )


@pytest.fixture(scope="module")
def cells(results):
    return results.frame().set_index(["artefact", "row", "column"])["value"]


def test_rates_are_those_of_bayes_boundaries():
    theta = np.array([0.2, 0.5, 0.8])
    bound = np.log(theta / (1 - theta)) * VARIANCE / 3.2
    fnr, fpr = rates(MEANS, VARIANCE, theta)
    assert fnr == pytest.approx(norm.sf((bound + 1.6) / np.sqrt(2)))
    assert fpr == pytest.approx(norm.cdf((bound - 1.6) / np.sqrt(2)))


def test_equal_weighted_errors_are_equal():
    for prior in (0.05, 0.5, 0.9):
        fnr, fpr = rates(MEANS, VARIANCE, np.array([equal_weighted(MEANS, VARIANCE, prior)]))
        assert prior * fnr[0] == pytest.approx((1 - prior) * fpr[0])
    assert equal_weighted(MEANS, VARIANCE, 0.5) == pytest.approx(0.5)


def test_point_a_has_equal_errors_and_point_b_least_cost(results, cells):
    a = norm.sf(1.6 / np.sqrt(2))
    assert cells["figure-2.1", "theta_d", "FN_r"] == pytest.approx(a)
    assert cells["figure-2.2", "point A", "FP_r"] == pytest.approx(a)
    assert cells["figure-2.2", "point B", "FP_r"] < a < cells["figure-2.2", "point B", "FN_r"]
    curve = results.curves["roc"]
    loss = (0.2 * curve["fnr"] + 0.8 * curve["fpr"]) / 2
    assert loss.min() == pytest.approx(cells["figure-2.2", "point B", "loss"], abs=1e-4)


def test_the_integrals_of_eq_2_1_are_rates_and_the_printed_products_are_not(cells):
    for theta in (0.1, 0.5, 0.9):
        row = f"theta_w={theta:g}"
        for name, factor in (("FP_r", 1 - theta), ("FN_r", theta)):
            rate = cells["eq-2.1", row, name]
            assert cells["eq-2.1", row, f"{name}, integrated"] == pytest.approx(rate, abs=1e-4)
            printed = cells["eq-2.1", row, f"{name} with the printed factors"]
            assert printed == pytest.approx(rate * factor / 2)


def test_areas_in_closed_form_and_by_trapezoid(cells):
    whole = norm.cdf(APART / np.sqrt(2))
    assert cells["eq-2.2", "all of the ROC", "AUC, closed form"] == pytest.approx(whole)
    for row in ("all of the ROC", "prior 0.05 to 0.9", "prior 0.3 to 0.7"):
        exact, summed = (
            cells["eq-2.2", row, f"AUC, {how}"] for how in ("closed form", "trapezoid")
        )
        assert exact == pytest.approx(summed, abs=1e-4)
    bound = np.log(np.array([0.3, 0.7]) / np.array([0.7, 0.3])) / APART
    grid = np.linspace(*norm.sf(APART / 2 - bound), 20_001)
    mean = norm.cdf(norm.ppf(grid) + APART).mean()
    assert cells["eq-2.2", "prior 0.3 to 0.7", "AUC, closed form"] == pytest.approx(mean, abs=1e-4)


def test_sens_grows_with_the_range_and_depends_on_the_variant(cells):
    wide, narrow = "prior 0.05 to 0.9", "prior 0.3 to 0.7"
    for variant in ("least error", "equal weighted errors"):
        column = f"Sens, {variant}"
        assert cells["eq-2.3", wide, column] > cells["eq-2.3", narrow, column] > 0
    assert (
        cells["eq-2.3", wide, "Sens, least error"]
        > 1.2 * (cells["eq-2.3", wide, "Sens, equal weighted errors"])
    )


def test_acc_sens_of_the_printed_inputs_is_the_printed_one(cells):
    assert cells["eq-2.4", "w_e=1, w_s=1", "AccSens of A"] == pytest.approx(0.244, abs=5e-4)
    assert cells["eq-2.4", "w_e=1, w_s=1", "AccSens of B"] == pytest.approx(0.100, abs=6e-4)
    assert cells["eq-2.4", "w_e=1, w_s=1", "largest possible"] == 1
    assert cells["eq-2.4", "w_e=0, w_s=1", "largest possible"] == pytest.approx(np.sqrt(0.5))


def test_the_printed_sign_of_eq_2_6_gives_more_than_the_area(cells):
    for row in ("m=11", "m=1001"):
        exact = cells["eq-2.6", row, "exact"]
        assert cells["eq-2.6", row, "trapezoid"] < exact < cells["eq-2.6", row, "as printed"]
    assert cells["eq-2.6", "m=11", "as printed"] > 1
    assert cells["eq-2.6", "m=1001", "trapezoid"] == pytest.approx(exact, abs=1e-4)


def test_precision_areas(cells):
    hit, alarm = norm.cdf(APART / 2), norm.sf(APART / 2)
    expected = hit / (hit + 99 * alarm)
    assert cells["eq-2.7", "pi_p=0.01", "precision at theta_d"] == pytest.approx(expected)
    for prior in (0.5, 0.01):
        row = f"pi_p={prior:g}"
        exact = cells["eq-2.7", row, "AUPREC, exact"]
        assert cells["eq-2.7", row, "AUPREC, trapezoid, m=1001"] == pytest.approx(exact, abs=1e-3)
        other_line = cells["eq-2.7", row, "first line of Eq. 2.8"]
        assert other_line == pytest.approx(prior - exact, abs=5e-3)
    over = "IAUPREC over 0.05 to 0.2, equal steps of the"
    column = "AUPREC, exact"
    assert cells["eq-2.7", f"{over} skew", column] < cells["eq-2.7", f"{over} prior", column]
