"""Errors of the three works that nobody had suspected, found on reading them again."""

from fractions import Fraction
from itertools import product

import numpy as np

from exact import HALF, PRIORS, RATES, cost, f_alpha, pairs_with_both_larger, precision
from leads import decide, number
from opchar.metrics import evaluate
from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.roc import neyman_pearson


def test_j36_metrics_of_both_rows_need_not_depend_on_the_prior():
    names = ["balanced_accuracy", "g_mean", "precision"]
    before, after = (evaluate([[22, 3], [5 * factor, 70 * factor]], names) for factor in (1, 10))
    moves = {name: float(abs(after[name][0] - before[name][0])) for name in names}
    assert moves["balanced_accuracy"] < 1e-12 > moves["g_mean"]
    assert moves["precision"] > 0.1
    decide(
        "J36",
        "error",
        f"move by {moves['balanced_accuracy']:.0f} and {moves['g_mean']:.0f}",
        f"Pr by {number(moves['precision'], 2)}",
    )


def test_j37_brier_curves_take_posteriors_of_the_negative_class():
    """A sample whose scores are its true posteriors, at unequal costs and P(+) = 1/2."""
    share = Fraction(4, 5)
    posteriors = [Fraction(n, 10) for n in range(1, 10)]

    def loss(threshold):
        accepted = [p for p in posteriors if p >= threshold]
        missed = [p for p in posteriors if p < threshold]
        return sum(missed) * share + sum(1 - p for p in accepted) * (1 - share)

    def rejected_from(threshold):
        """The loss of rejecting where the posterior of the negative class exceeds a threshold."""
        missed = [p for p in posteriors if 1 - p > threshold]
        accepted = [p for p in posteriors if 1 - p <= threshold]
        return sum(missed) * share + sum(1 - p for p in accepted) * (1 - share)

    of_negative, of_positive = rejected_from(share), loss(share)
    assert of_negative == min(map(loss, [*posteriors, Fraction(1)])) < of_positive
    decide("J37", "notation", f"costs {number(of_negative)}", f"class {number(of_positive)}")


def test_j38_without_false_positives_f_does_not_rise():
    values = {f_alpha(Fraction(3, 4), Fraction(0), prior) for prior in PRIORS}
    assert len(values) == 1
    assert f_alpha(Fraction(3, 4), Fraction(0), Fraction(1, 10**9)) in values
    decide("J38", "inconsistent", f"F is {number(values.pop())}")


def test_j39_equal_tpr_ties_at_the_end():
    one = Fraction(1)
    pairs = [(t, i, j) for t, i, j in product(RATES, repeat=3) if j < i]
    ties = sum(f_alpha(t, i, one) == f_alpha(t, j, one) for t, i, j in pairs)
    inside = sum(f_alpha(t, j, p) > f_alpha(t, i, p) for t, i, j in pairs for p in PRIORS)
    assert inside == len(pairs) * len(PRIORS)
    assert ties == len(pairs)
    decide(
        "J39",
        "inconsistent",
        f"wins in {inside} of {len(pairs) * len(PRIORS)}",
        f"P(+) = 1 {ties} of {len(pairs)}",
    )


def test_j40_conditions_of_pairs_say_nothing_of_the_hull():
    below_hull = total = 0
    for i, j in pairs_with_both_larger():
        hull = from_rates([0, float(i[0]), float(j[0]), 1], [0, float(i[1]), float(j[1]), 1]).hull
        vertices = set(zip(hull.tpr.tolist(), hull.fpr.tolist(), strict=True))
        total += 1
        below_hull += any((float(tpr), float(fpr)) not in vertices for tpr, fpr in (i, j))
    unequal = (HALF, Fraction(1, 5)), (Fraction(4, 5), Fraction(1, 5))
    assert all(f_alpha(*unequal[1], prior) > f_alpha(*unequal[0], prior) for prior in PRIORS)
    assert 0 < below_hull < total
    decide("J40", "error", f"of {total}", f"(ii) {below_hull}")


def test_j41_the_bound_holds_at_the_largest_fpr_only():
    prior, limit = Fraction(1, 10), Fraction(1, 5)
    bound = f_alpha(Fraction(1), limit, prior)
    points = [
        (Fraction("0.9"), limit),
        (HALF, Fraction("0.05")),
        (Fraction("0.85"), Fraction("0.01")),
    ]
    f = [f_alpha(*point, prior) for point in points]
    least = (1 - prior) * limit
    assert f[2] > bound
    assert cost(*points[2], prior) < least
    closest = min(range(2), key=lambda place: abs(f[place] - bound))
    tpr, fpr = zip(*((float(t), float(f)) for t, f in points), strict=True)
    chosen = from_rates(tpr, fpr).tpr[neyman_pearson(from_rates(tpr, fpr), float(limit))]
    assert closest == 1
    assert chosen == 0.9
    decide(
        "J41",
        "error",
        f"has F = {number(f[2])}",
        f"F_max = {number(bound)}",
        f"EC = {number(cost(*points[2], prior))}",
        f"EC_min = {number(least)}",
        f"with F = {number(f[1])} and {number(f[0])}",
        f"TPR = {chosen:g}",
    )


def test_j42_equations_1_6_and_7_give_no_rates():
    i, j = (Fraction(4, 5), Fraction(1, 5)), (Fraction(7, 10), Fraction(1, 10))
    both = i[0] * j[0], i[1] * j[1]
    nec = [cost(*both, prior) for prior in PRIORS]
    assert len(set(nec)) == len(nec)
    decide(
        "J42",
        "error",
        f"rates ({number(both[0])}, {number(both[1])}",
        f"cost, {', '.join(number(c, 3) for c in nec)}",
        f"P(+) = {', '.join(number(p, 1) for p in PRIORS)}",
    )


def test_u14_the_axis_that_both_curves_share():
    points = operating_points([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    heights = [
        precision(
            Fraction(t).limit_denominator(9), Fraction(f).limit_denominator(9), Fraction(3, 5)
        )
        for t, f in zip(points.tpr[1:], points.fpr[1:], strict=True)
    ]
    same_as_fpr = sum(float(h) == f for h, f in zip(heights, points.fpr[1:], strict=True))
    assert same_as_fpr < len(heights)
    decide(
        "U14",
        "error",
        f"heights {', '.join(number(h, 2) for h in heights)}",
        f"FPR in {same_as_fpr} of {len(heights)}",
    )


def test_u15_a_lower_tpr_alone_makes_no_point_worse():
    accuracy = {7: (5 + 9) / 20, 20: (10 + 1) / 20}
    rates = {7: (0.1, 0.5), 20: (0.9, 1.0)}
    assert rates[7][1] < rates[20][1]
    assert accuracy[7] > accuracy[20]
    assert not (rates[7][0] >= rates[20][0])
    decide(
        "U15",
        "notation",
        f"t_7 at {rates[7]}",
        f"t_20 at {rates[20]}",
        f"accuracy {np.round(accuracy[7], 2):g} to {np.round(accuracy[20], 2):g}",
    )
