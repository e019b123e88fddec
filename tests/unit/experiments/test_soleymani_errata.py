"""For each erratum of both F-measure papers: the printed form fails, the corrected one holds.

Everything is worked out with fractions from the definitions alone: counts, or rates and a prior.
"""

from fractions import Fraction
from itertools import product

from exact import PRIORS, RATES, cost, f_alpha, precision

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


def test_domination_in_figure_3a():
    for prior in PRIORS:
        one = f_alpha(q("0.98"), q("0.5"), prior, Fraction(1, 2))
        assert one > f_alpha(q("0.93"), q("0.6"), prior, Fraction(1, 2))


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
