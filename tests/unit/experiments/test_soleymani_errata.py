"""For each erratum of both F-measure papers: the printed form fails, the corrected one holds.

Everything is worked out with fractions from the definitions alone: counts, or rates and a prior.
"""

from fractions import Fraction
from itertools import product

import pytest

from exact import (
    PRIORS,
    RATES,
    cost,
    crossing,
    f_alpha,
    pairs_with_both_larger,
    precision,
)

C_1 = [("0.55", "0.08"), ("0.75", "0.15"), ("0.88", "0.28"), ("0.98", "0.5"), ("1", "1")]
C_2 = [("0.5", "0.03"), ("0.73", "0.09"), ("0.88", "0.28"), ("0.93", "0.6"), ("1", "1")]


def q(text):
    return Fraction(text)


def best_f(points, prior):
    return max(f_alpha(q(tpr), q(fpr), prior) for tpr, fpr in points)


def least_cost(points, prior):
    corner = [(q("0.000001"), q("0.000001"))]
    return min(cost(q(tpr), q(fpr), prior) for tpr, fpr in points + corner)


def test_changes_of_rates():
    assert Fraction(24 - 22, 25) == q("0.08") != q("0.12")
    assert round(Fraction(5 - 3, 75), 2) == q("0.03") != q("0.02")


def test_precision_at_skew_4():
    pr = precision(q("0.88"), q("0.06"), Fraction(1, 5))
    assert round(pr, 2) == q("0.79") != q("0.78")


def test_relative_changes_of_cost_and_precision():
    prior, tpr = Fraction(1, 5), q("0.88")
    cost_1, cost_2 = (cost(tpr, q(fpr), prior) for fpr in ("0.04", "0.06"))
    pr_1, pr_2 = (precision(tpr, q(fpr), prior) for fpr in ("0.04", "0.06"))
    assert cost_2 / cost_1 - 1 > 1 - pr_2 / pr_1
    assert cost_2 - cost_1 < pr_1 - pr_2


def test_fall_of_precision_with_skew():
    def precisions(skew):
        return [precision(q("0.88"), q(fpr), 1 / (1 + skew)) for fpr in ("0.04", "0.06")]

    near, far = precisions(Fraction(18)), precisions(Fraction(40))
    assert far[0] - far[1] < near[0] - near[1]
    assert 1 - far[1] / far[0] > 1 - near[1] / near[0]


def test_table_1():
    printed = {
        (3, "0.04"): ("1", "1", "1"),
        (3, "0.06"): ("0.72", "0.71", "0.70"),
        (4, "0.04"): ("0.73", "0.73", "0.72"),
        (4, "0.06"): ("0.67", "0.65", "0.63"),
    }
    corrected = {
        (3, "0.04"): ("0.88", "0.88", "0.88"),
        (3, "0.06"): ("0.87", "0.85", "0.84"),
        (4, "0.04"): ("0.87", "0.86", "0.85"),
        (4, "0.06"): ("0.85", "0.83", "0.81"),
    }
    for (skew, fpr), cells in printed.items():
        prior = Fraction(1, 1 + skew)
        pr = precision(q("0.88"), q(fpr), prior)
        for cell, right, alpha in zip(
            cells, corrected[skew, fpr], ("0.25", "0.5", "0.75"), strict=True
        ):
            f = f_alpha(q("0.88"), q(fpr), prior, q(alpha))
            assert round(f, 2) == q(right) != q(cell)
            assert min(pr, q("0.88")) <= f <= max(pr, q("0.88"))
            if cell != "1":
                assert abs(f * pr - q(cell)) < q("0.01")


def test_end_point():
    tpr, fpr, alpha = q("0.8"), q("0.15"), Fraction(1, 2)
    end = f_alpha(tpr, fpr, Fraction(1), alpha)
    assert end == tpr / (alpha * (tpr - 1) + 1)
    assert precision(tpr, fpr, Fraction(1)) == 1 != end


def test_movement_with_the_threshold():
    prior, half = Fraction(2, 5), Fraction(1, 2)
    last = f_alpha(Fraction(1), Fraction(1), prior, half)
    assert last == 2 * prior / (1 + prior) > prior
    assert f_alpha(q("0.000001"), q("0.000001"), prior, half) < q("0.00001")


def test_domination_in_figure_3a():
    for prior in PRIORS:
        one = f_alpha(q("0.98"), q("0.5"), prior, Fraction(1, 2))
        assert one > f_alpha(q("0.93"), q("0.6"), prior, Fraction(1, 2))


@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(1, 2)])
def test_single_crossing(alpha):
    without = 0
    for (t_i, f_i), (t_j, f_j) in pairs_with_both_larger():
        at = crossing((t_i, f_i), (t_j, f_j), alpha)
        crosses = at is not None and 0 < at < 1
        assert crosses == (t_j / f_j < t_i / f_i)
        if crosses:
            assert f_alpha(t_i, f_i, at, alpha) == f_alpha(t_j, f_j, at, alpha)
        else:
            without += 1
            for prior in PRIORS:
                assert f_alpha(t_j, f_j, prior, alpha) > f_alpha(t_i, f_i, prior, alpha)
    assert without > 0


def test_cost_order_in_figure_4():
    for pc in (q("0.06"), q("0.1"), q("0.3"), q("0.5"), q("0.55")):
        assert least_cost(C_2, pc) < least_cost(C_1, pc)
    for pc in (q("0.56"), q("0.6"), q("0.68")):
        assert least_cost(C_2, pc) == least_cost(C_1, pc)
    assert least_cost(C_1, q("0.7")) < least_cost(C_2, q("0.7"))


def test_f_order_in_figure_4():
    at = q("0.4")
    assert round(best_f(C_1, at), 3) == q("0.765")
    assert round(best_f(C_2, at), 3) == q("0.783")
    assert best_f(C_2, q("0.4549")) > best_f(C_1, q("0.4549"))
    assert best_f(C_2, q("0.4550")) == best_f(C_1, q("0.4550"))


def test_m_goes_with_alpha():
    """A gain of TPR, as a multiple of an equal loss of FPR, falls with m and with alpha."""
    tpr, fpr, prior, step = q("0.8"), q("0.15"), Fraction(1, 2), q("0.001")

    def worth(value):
        at = value(tpr, fpr)
        return (value(tpr + step, fpr) - at) / (value(tpr, fpr - step) - at)

    def of_m(m):
        return worth(lambda t, f: -cost(t, f, prior, m))

    def of_alpha(alpha):
        return worth(lambda t, f: f_alpha(t, f, prior, alpha))

    assert of_m(q("0.2")) > of_m(q("0.5")) > of_m(q("0.8"))
    assert of_alpha(q("0.2")) > of_alpha(q("0.5")) > of_alpha(q("0.8"))


@pytest.mark.parametrize("m", [Fraction(1, 5), Fraction(1, 2), Fraction(3, 4)])
def test_cost_crossing_in_the_prior(m):
    failures = 0
    for (t_i, f_i), (t_j, f_j) in pairs_with_both_larger():
        right = (f_i - f_j) / ((1 / m - 1) * (t_i - t_j) + f_i - f_j)
        assert cost(t_i, f_i, right, m) == cost(t_j, f_j, right, m)
        denominator = (t_i - t_j) + (f_i - f_j) / (m - 1)
        printed = (f_i - f_j) / denominator if denominator else None
        failures += printed != right
    assert failures > 0.9 * sum(1 for _ in pairs_with_both_larger())


def test_crossing_f_curves_have_crossing_cost_lines():
    half, only_cost = Fraction(1, 2), 0
    low, high = q("0.000001"), 1 - q("0.000001")
    for t_i, f_i, t_j, f_j in product(RATES, repeat=4):

        def order(value, at, i=(t_i, f_i), j=(t_j, f_j)):
            return value(*i, at) > value(*j, at), value(*i, at) < value(*j, at)

        def f(t, fpr, at):
            return f_alpha(t, fpr, at, half)

        f_low, f_high = order(f, low), order(f, high)
        cost_low, cost_high = order(cost, low), order(cost, high)
        f_crosses = any(f_low) and any(f_high) and f_low != f_high
        cost_crosses = any(cost_low) and any(cost_high) and cost_low != cost_high
        assert cost_crosses or not f_crosses
        only_cost += cost_crosses and not f_crosses
    assert only_cost > 0


def test_derivatives_of_f():
    step, tolerance = q("0.000001"), q("0.00001")
    for tpr, fpr, prior, alpha in product(RATES[1:-1], RATES[1:-1], PRIORS, (q("0.25"), q("0.5"))):
        f = f_alpha(tpr, fpr, prior, alpha)
        by_fpr = (f_alpha(tpr, fpr + step, prior, alpha) - f) / step
        by_tpr = (f_alpha(tpr + step, fpr, prior, alpha) - f) / step
        printed_fpr = (1 - 1 / prior) / tpr * f**2
        printed_tpr = alpha / tpr * f**2 + f / tpr
        assert abs(alpha * printed_fpr - by_fpr) < 10 * tolerance
        assert abs(f / tpr - alpha / tpr * f**2 - by_tpr) < 10 * tolerance
        assert abs(printed_fpr - by_fpr) > 100 * tolerance
        assert abs(printed_tpr - by_tpr) > 100 * tolerance


def test_neyman_pearson_bound():
    prior, alpha, fpr = Fraction(1, 3), q("0.25"), q("0.2")
    bound = f_alpha(Fraction(1), fpr, prior, alpha)
    assert bound == 1 / (1 + alpha * (1 / prior - 1) * fpr)
    assert bound != 1 / (1 + alpha ** (1 / prior - 1) * fpr)


@pytest.mark.parametrize("m", [Fraction(1, 5), Fraction(2, 3)])
def test_probability_cost_from_m(m):
    printed = set()
    for prior in PRIORS:
        pc = prior * (1 - m) / (prior * (1 - m) + (1 - prior) * m)
        assert pc == (1 / m - 1) * prior / ((1 / m - 2) * prior + 1)
        printed.add((1 / m - 1) * prior / ((1 / m - 2) * prior) + 1)
    assert len(printed) == 1


def test_threshold_direction():
    positive, negative = [9, 8, 6, 4], [7, 5, 3, 1]
    rates = []
    for threshold in (0, 3, 5, 7, 10):
        tpr = Fraction(sum(score >= threshold for score in positive), 4)
        rates.append((Fraction(sum(score >= threshold for score in negative), 4), tpr))
    assert rates[0] == (1, 1)
    assert rates[-1] == (0, 0)
    assert rates == sorted(rates, reverse=True)
