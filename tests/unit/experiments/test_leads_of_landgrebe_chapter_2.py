"""What was suspected of chapter 2 of the thesis: rates, sensitivity, precision and recall."""

from fractions import Fraction

import numpy as np
import pytest

from leads import decide, number, numbers, printed_table
from opchar.metrics import acc_sens
from opchar.multiclass.gaussians import confusion_rates
from opchar.spaces.points import from_rates
from opchar.spaces.precision_recall import precision
from opchar.spaces.roc import auc

FIGURE_2_1 = {"means": [-1.6, 1.6], "variances": 2.0}
PRIOR = 0.5


def error_rates(theta):
    """FN_r and FP_r of Fig. 2.1 at classification weights theta_w, as rates within each class."""
    theta = np.atleast_1d(theta)
    rates = confusion_rates(**FIGURE_2_1, weights=np.stack([theta, 1 - theta], axis=1))
    return rates[:, 0, 1], rates[:, 1, 0]


def test_t1_weights_and_priors_make_no_rates():
    theta = np.array([0.5, 1 - 1e-12])
    _, fpr = error_rates(theta)
    as_printed = (1 - theta) * PRIOR * fpr
    assert fpr[1] == pytest.approx(1)
    assert as_printed[1] < 1e-12
    assert as_printed[0] == pytest.approx(fpr[0] / 4)
    decide(
        "T1",
        "error",
        f"w_1 is {number(fpr[0])}",
        f"printed {number(as_printed[0])}",
        f"goes to {fpr[1]:.0f}",
        f"form to {as_printed[1]:.0f}",
    )


def test_t2_weights_of_the_outputs_are_no_costs():
    cost_fn, cost_fp = 0.2, 0.8
    theta = np.linspace(0.001, 0.999, 999)
    fnr, fpr = error_rates(theta)
    loss = PRIOR * (cost_fn * fnr + cost_fp * fpr)
    at_one = error_rates(1 - 1e-12)
    all_first = PRIOR * (cost_fn * at_one[0][0] + cost_fp * at_one[1][0])
    as_printed = PRIOR * (1e-12 * cost_fp * at_one[1][0] + cost_fn * at_one[0][0])
    assert as_printed < 1e-12 < loss.min() < all_first
    phi = np.array([[0.2, 0.3, 0.5], [0.4, 0.6, 1.0]])
    rates = confusion_rates([-1.0, 0.0, 1.0], 1.0, phi)
    printed = np.sum(phi / 3 * (1 - np.einsum("nii->ni", rates)), axis=1)
    assert rates[0] == pytest.approx(rates[1])
    decide(
        "T2",
        "error",
        f"theta_w = {number(theta[loss.argmin()])}, {number(loss.min())}",
        f"falls to {as_printed:.0f}",
        f"lost at {number(all_first)}",
        f"decisions at {number(printed[1] / printed[0])}",
    )


def test_t3_acc_sens_is_a_root_mean_square():
    error, sens = 1 - 0.942, 0.340
    geometric, found = np.sqrt(error * sens), float(acc_sens(0.942, 0.340))
    assert round(found, 3) == 0.244
    assert round(geometric, 3) != 0.244
    decide("T3", "error", f"0.340 is {number(geometric)}", f"square, is {number(found)}")


def test_t4_f_is_harmonic_and_depends_on_the_skew():
    tpr, fpr = Fraction(4, 5), Fraction(1, 10)
    as_printed = 2 * tpr / (tpr + fpr + 1)

    def harmonic(skew):
        pr = tpr / (tpr + skew * fpr)
        return 2 / (1 / pr + 1 / tpr)

    geometric = np.sqrt(float(tpr / (tpr + fpr) * tpr))
    assert as_printed == harmonic(1) != harmonic(10)
    decide(
        "T4",
        "error",
        f"form is {number(as_printed)}",
        f"recall is {number(harmonic(1))}",
        f"1 and {number(harmonic(10))}",
        f"mean {number(geometric)}",
    )


def test_t5_the_half_step_is_added_twice():
    tpr, fpr = np.array([0, 0.6, 1]), np.array([0, 0.2, 1])

    def as_printed(tpr, fpr):
        steps = np.diff(fpr)
        return float(np.sum(steps * tpr[1:] + np.diff(tpr) * steps / 2))

    area = auc(from_rates(tpr, fpr))
    rising, falling = as_printed(tpr, fpr), as_printed(tpr[::-1], fpr[::-1])
    assert rising > 1
    assert area not in (rising, abs(falling))
    assert float(np.sum(np.diff(fpr) * (tpr[1:] - np.diff(tpr) / 2))) == pytest.approx(area)
    decide(
        "T5",
        "error",
        f"area {number(area)}",
        f"gives {number(rising)}, or {number(falling)}",
        f"step {number(area)}",
    )


def test_t6_the_two_lines_are_complements():
    fnr, fpr = error_rates(1 / (1 + np.exp(np.linspace(30, -30, 4001))))
    tpr = 1 - fnr
    pr = precision(tpr, fpr, PRIOR)
    over_precision = np.sum(np.diff(pr) * (tpr[1:] + tpr[:-1])) / 2
    over_recall = np.sum(np.diff(tpr) * (pr[1:] + pr[:-1])) / 2
    assert over_precision + over_recall == pytest.approx(PRIOR, abs=1e-6)
    balanced = printed_table("landgrebe2007", "table-2.3").loc["AUPREC (0.5)"]
    assert balanced.min() > PRIOR
    decide(
        "T6",
        "inconsistent",
        f"line is {number(over_precision)}",
        f"second {number(over_recall)}",
        f"2.3 has {numbers(balanced)}",
    )


def test_t7_iauprec_is_a_mean_over_the_prior():
    """AUPREC between the three printed priors is taken as linear in ln(lambda)."""
    table = printed_table("landgrebe2007", "table-2.3")
    at = np.log([1, 9, 99])
    heights = table.loc[["AUPREC (0.5)", "AUPREC (0.1)", "AUPREC (0.01)"]].to_numpy().T
    skew, prior = np.linspace(4, 19, 20_001), np.linspace(0.05, 0.2, 20_001)
    over_skew = [np.interp(np.log(skew), at, h).mean() for h in heights]
    over_prior = [np.interp(np.log((1 - prior) / prior), at, h).mean() for h in heights]
    by_eq_2_9 = 15 * over_skew[0]
    given = table.loc["IAUPREC"].to_numpy()
    assert np.abs(over_prior - given).max() < 0.002
    assert abs(over_skew[1] - given[1]) > 0.02
    assert by_eq_2_9 > 1
    decide(
        "T7",
        "inconsistent",
        f"give A {number(by_eq_2_9, 3)}",
        f"means {numbers(over_skew, 3)}",
        f"lambda and {numbers(over_prior, 3)}",
        f"printed {numbers(given, 3)}",
    )


def test_t40_the_weights_of_the_mixture_are_relative():
    weights = [Fraction(1), Fraction(1, 32)]
    shares = [weight / sum(weights) for weight in weights]
    assert sum(weights) != 1
    assert shares == [Fraction(32, 33), Fraction(1, 33)]
    decide(
        "T40",
        "undecided",
        f"weigh {number(sum(weights), 6)}",
        f"shares {shares[0]} and {shares[1]}",
    )


def test_t41_one_acc_sens_lies_outside_what_its_row_allows():
    """A mean over folds of a root mean square is no less than that of the means, and no more
    than the root of the mean square, which the spreads give; printed digits are half a unit off."""
    half = 0.0005
    means = printed_table("landgrebe2007", "table-2.2")
    spreads = printed_table("landgrebe2007", "table-2.2", "std")
    error, sens, given = 1 - means["AUC"], means["Sens"], means["AccSens"]
    low = np.hypot(error - half, sens - half) / 2**0.5
    square = (error + half) ** 2 + (sens + half) ** 2
    square += (spreads["AUC"] + half) ** 2 + (spreads["Sens"] + half) ** 2
    high = np.sqrt(square / 2)
    outside = given[(given + half < low) | (given - half > high)]
    assert outside.index.tolist() == ["Road sign / 5) sc svc r 22"]
    row = outside.index[0]
    decide(
        "T41",
        "inconsistent",
        f"of {len(given)} rows {len(given) - 1}",
        f"5: AUC {means['AUC'][row]:.3f} ({spreads['AUC'][row]:.3f}",
        f"Sens {sens[row]:.3f} ({spreads['Sens'][row]:.3f}",
        f"allow {low[row]:.4f} to {high[row]:.4f}",
        f"printed {given[row]:.3f}",
    )


def test_t44_model_a_has_the_largest_auc():
    table = printed_table("landgrebe2007", "table-2.3").rename(columns=lambda name: name[-1])
    orders = {
        row: "".join(values.sort_values(ascending=False).index) for row, values in table.T.items()
    }
    wrong = [row for row, order in orders.items() if order != "CBA"]
    assert wrong == ["AUPREC (0.01)", "AUC"]
    decide(
        "T44",
        "error",
        "best first in Table 2.3: "
        + ", ".join(f"{row} {order}" for row, order in orders.items())
        + f"; C, B, A in {len(orders) - len(wrong)} of {len(orders)} rows",
    )
