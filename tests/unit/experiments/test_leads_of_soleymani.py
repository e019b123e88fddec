"""What was suspected of soleymani2020 and soleymani2018, decided with fractions.

One test decides a lead for both works where both say the same.
"""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from exact import HALF, PRIORS, RATES, cost, crossing, f_alpha, pairs_with_both_larger, precision
from leads import decide, number
from opchar.combination.functions import decide as combine
from opchar_reproduction.publications.soleymani2020.section3.algorithm_1 import (
    printed_number_of_candidates,
)

TPR, FPR = Fraction(4, 5), Fraction(3, 20)
SOFT = [
    (Fraction(tpr), Fraction(fpr))
    for tpr, fpr in zip(
        ("0", "0.55", "0.75", "0.88", "0.98", "1"),
        ("0", "0.08", "0.15", "0.28", "0.5", "1"),
        strict=True,
    )
]
SMALL = Fraction(1, 10**6)


def test_j4_cost_grows_relatively_more_than_precision_falls():
    tpr, prior = Fraction("0.88"), Fraction(1, 5)
    low, high = Fraction("0.04"), Fraction("0.06")
    grows = cost(tpr, high, prior) / cost(tpr, low, prior) - 1
    falls = 1 - precision(tpr, high, prior) / precision(tpr, low, prior)
    assert grows > falls
    decide("J4", "error", f"grows by {float(grows):.1%}", f"falls by {float(falls):.1%}")


def test_j5_products_not_fractions():
    prior = Fraction(1, 4)
    rest = 1 / HALF + TPR - FPR - 1
    products = TPR / HALF / (rest + FPR / prior)
    fractions = 1 / (HALF * TPR) / (rest + 1 / (prior * FPR))
    truth = f_alpha(TPR, FPR, prior)
    assert products == truth != fractions
    decide(
        "J5",
        "notation",
        f"gives F = {number(truth)}",
        f"products {number(products)}",
        f"fractions {number(fractions)}",
    )


@pytest.mark.parametrize("lead", ["J6", "C2"])
def test_j6_c2_curves_do_not_end_in_precision(lead):
    end, pr = f_alpha(TPR, FPR, Fraction(1)), precision(TPR, FPR, Fraction(1))
    assert end == TPR / (HALF * (TPR - 1) + 1) != pr
    decide(lead, "error", f"ends in {number(end)}", f"Pr is {number(pr)}")


def test_j7_thresholds_fall_and_the_slope_with_them():
    slopes = [(b[0] - a[0]) / (b[1] - a[1]) for a, b in pairwise(SOFT)]
    assert slopes == sorted(slopes, reverse=True)
    decide("J7", "error", f"(1,1) are {', '.join(number(slope, 3) for slope in slopes)}")


def test_j8_the_last_curve_is_not_the_diagonal():
    prior = Fraction(2, 5)
    first, last = f_alpha(SMALL, SMALL, prior), f_alpha(Fraction(1), Fraction(1), prior)
    assert last == 2 * prior / (1 + prior) != prior
    assert f_alpha(Fraction(1), Fraction(1), prior, Fraction(1)) == prior
    decide("J8", "error", f"has F = {number(first, 1)}", f"last {number(last)}")


@pytest.mark.parametrize("lead", ["J10", "C5"])
def test_j10_c5_not_all_curves_cross(lead):
    total = without = 0
    for i, j in pairs_with_both_larger():
        at = crossing(i, j)
        crosses = at is not None and 0 < at < 1
        assert crosses == (j[0] / j[1] < i[0] / i[1])
        total, without = total + 1, without + (not crosses)
    assert 0 < without < total
    decide(lead, "error", f"of {total}", f"larger {without}")


def test_j11_the_higher_tpr_has_the_higher_fpr():
    pairs = [
        (i, j) for i, j in product(product(RATES, RATES), repeat=2) if i[1] * j[0] == j[1] * i[0]
    ]
    larger = [(i, j) for i, j in pairs if j[0] > i[0]]
    lower = sum(j[1] < i[1] for i, j in larger)
    for i, j in larger:
        assert all(f_alpha(*j, prior) > f_alpha(*i, prior) for prior in PRIORS)
    assert larger
    assert lower == 0
    decide("J11", "error", f"of {len(larger)}", f"different TPR {lower}")


def test_j12_both_halves_name_the_same_side():
    above = below = 0
    for i, j in pairs_with_both_larger():
        at = crossing(i, j)
        if at is not None and 0 < at < 1:
            above += f_alpha(*j, (1 + at) / 2) > f_alpha(*i, (1 + at) / 2)
            below += f_alpha(*j, at / 2) < f_alpha(*i, at / 2)
    assert above == below > 0
    decide("J12", "inconsistent", f"condition; of {above}", f"P* in {above}", f"it in {below}")


def test_j13_dominance_has_no_crossing():
    values = [
        crossing((t_i, f_i), (t_j, f_j))
        for t_i, f_i, t_j, f_j in product(RATES, repeat=4)
        if f_j < f_i and t_j > t_i
    ]
    solved = [at for at in values if at is not None]
    zero, inside = sum(at == 0 for at in solved), sum(0 <= at <= 1 for at in solved)
    assert zero == inside == 0
    decide("J13", "error", f"of {len(solved)}", f"under (i) {zero}", f"0 and {inside}")


def test_j14_both_forms_are_one():
    alphas = [Fraction(n, 20) for n in range(1, 21)]
    differ = sum((alpha - 1) / alpha != 1 - 1 / alpha for alpha in alphas)
    assert differ == 0
    decide("J14", "correct", f"differ for {differ} of {len(alphas)}")


def test_j17_m_goes_with_alpha():
    step, prior = Fraction(1, 1000), HALF

    def worth(value):
        return (value(TPR + step, FPR) - value(TPR, FPR)) / (
            value(TPR, FPR - step) - value(TPR, FPR)
        )

    low, high = Fraction(1, 5), Fraction(4, 5)
    of_m = [worth(lambda t, f, m=m: -cost(t, f, prior, m)) for m in (low, HALF, high)]
    of_alpha = [worth(lambda t, f, a=a: f_alpha(t, f, prior, a)) for a in (low, HALF, high)]
    assert of_m == sorted(of_m, reverse=True)
    assert of_alpha == sorted(of_alpha, reverse=True)
    decide(
        "J17",
        "error",
        f"worth {', '.join(number(w, 3) for w in of_m)}",
        f"0.8 and {', '.join(number(w, 3) for w in of_alpha)}",
    )


@pytest.mark.parametrize("lead", ["J18", "C8"])
def test_j18_c8_m_may_be_zero(lead):
    costs = {cost(TPR, FPR, prior, Fraction(0)) for prior in PRIORS}
    assert costs == {1 - TPR}
    decide(lead, "inconsistent", f"EC = {number(costs.pop())}")


def test_j19_cost_crossing_in_the_prior():
    total = printed_right = 0
    m = Fraction(1, 5)
    for (t_i, f_i), (t_j, f_j) in pairs_with_both_larger():
        right = (f_i - f_j) / ((1 / m - 1) * (t_i - t_j) + f_i - f_j)
        assert cost(t_i, f_i, right, m) == cost(t_j, f_j, right, m)
        denominator = (t_i - t_j) + (f_i - f_j) / (m - 1)
        total += 1
        printed_right += denominator != 0 and (f_i - f_j) / denominator == right
    decide(
        "J19", "error", f"0.2: of {total}", f"crossing in {printed_right}", f"difference in {total}"
    )


def derivative(function, step=SMALL):
    return (function(step) - function(-step)) / (2 * step)


def test_j20_derivative_by_fpr():
    alpha, prior = Fraction(1, 4), Fraction(1, 10)
    f = f_alpha(TPR, FPR, prior, alpha)
    slope = derivative(lambda step: f_alpha(TPR, FPR + step, prior, alpha))
    printed = (1 - 1 / prior) / TPR * f**2
    assert float(alpha * printed) == pytest.approx(float(slope), rel=1e-9)
    decide(
        "J20",
        "error",
        f"slope {number(slope)}",
        f"printed {number(printed)}",
        f"alpha {number(alpha * printed)}",
    )


def test_j21_derivative_by_tpr():
    alpha, prior = Fraction(1, 4), Fraction(1, 10)
    f = f_alpha(TPR, FPR, prior, alpha)
    slope = derivative(lambda step: f_alpha(TPR + step, FPR, prior, alpha))
    printed, corrected = (alpha * f**2 + f) / TPR, (f - alpha * f**2) / TPR
    assert float(corrected) == pytest.approx(float(slope), rel=1e-9)
    decide(
        "J21",
        "error",
        f"slope {number(slope)}",
        f"printed {number(printed)}",
        f"minus {number(corrected)}",
    )


def test_j22_the_bound_has_a_factor_not_a_power():
    prior, alpha, fpr = Fraction(1, 3), Fraction(1, 4), Fraction(1, 5)
    bound = f_alpha(Fraction(1), fpr, prior, alpha)
    printed = 1 / (1 + alpha ** (1 / prior - 1) * fpr)
    assert bound == 1 / (1 + alpha * (1 / prior - 1) * fpr) != printed
    decide("J22", "error", f"1 is {number(bound)}", f"printed {number(printed)}")


def test_j23_correctness_cannot_be_combined_into_decisions():
    outcomes = list(product((False, True), repeat=3))
    correct = [(a == label, b == label) for label, a, b in outcomes]
    said = {}
    for (_, a, b), (right_a, right_b) in zip(outcomes, correct, strict=True):
        said.setdefault((a, b), set()).add(bool(combine("AND", right_a, right_b)))
    ambiguous = sum(len(values) > 1 for values in said.values())
    assert ambiguous > 0
    decide("J23", "error", f"decisions in {ambiguous} of {len(said)}")


def test_j24_loops_make_fewer_vectors():
    sizes = [3, 4, 5]
    loops = sum(sizes) + 10 * sum(sizes[e] * sizes[k] for e in range(3) for k in range(3) if k != e)
    printed = printed_number_of_candidates(sizes)
    assert loops != printed
    decide("J24", "error", f"make {loops}", f"printed {printed}")


def test_j25_line_15_takes_the_prior_of_the_wrong_loop():
    points = [(TPR, FPR), (HALF, Fraction(1, 50)), (Fraction(19, 20), HALF)]
    priors = [Fraction(1, 100), Fraction(1, 10), HALF]
    wanted = [max(points, key=lambda point, p=p: f_alpha(*point, p)) for p in priors]
    by_listing = max(range(3), key=lambda j: f_alpha(*points[j], priors[j]))
    chosen = [points[by_listing]] * 3
    wrong = sum(one != other for one, other in zip(wanted, chosen, strict=True))
    assert wrong > 0
    decide("J25", "error", f"wrong at {wrong}")


def independent_and(i, j):
    return i[0] * j[0], i[1] * j[1]


def independent_or(i, j):
    return i[0] + j[0] - i[0] * j[0], i[1] + j[1] - i[1] * j[1]


C_I, C_J = (TPR, Fraction(1, 5)), (Fraction(7, 10), Fraction(1, 10))


def test_j26_cost_conditions_of_combinations():
    both = independent_and(C_I, C_J)
    at = (C_I[1] - both[1]) / (C_I[0] - both[0] + C_I[1] - both[1])
    m = Fraction(1, 4)
    printed = (C_I[1] - both[1]) / ((1 - m) / m * (both[0] - C_I[0]) + C_I[1] - both[1])
    assert cost(*both, at) == cost(*C_I, at)
    assert not 0 <= printed <= 1
    decide("J26", "error", f"PC(+) = {number(at)}", f"limit is {number(printed)}")


def test_j27_and_wins_below_the_crossing():
    both = independent_and(C_I, C_J)
    at = crossing(C_I, both)
    below, above = at / 2, (1 + at) / 2
    assert f_alpha(*both, below) > f_alpha(*C_I, below)
    assert f_alpha(*both, above) < f_alpha(*C_I, above)
    decide(
        "J27",
        "error",
        f"P* = {number(at)}",
        f"C_i is {number(f_alpha(*both, below) - f_alpha(*C_I, below), 2)}",
        f"P*/2 and {number(f_alpha(*both, above) - f_alpha(*C_I, above), 2)}",
    )


def test_j28_or_wins_above_the_crossing():
    i, j = (HALF, Fraction(1, 50)), (HALF, Fraction(1, 10))
    both = independent_or(i, j)
    at = crossing(i, both)
    products = i[1] * both[0] - both[1] * i[0]
    printed = products / (-(both[0] - i[0]) - products)
    below, above = at / 2, (1 + at) / 2
    assert f_alpha(*both, above) > f_alpha(*i, above)
    assert f_alpha(*both, below) < f_alpha(*i, below)
    assert f_alpha(*both, printed) != f_alpha(*i, printed)
    decide(
        "J28",
        "error",
        f"P(+) = {number(at)}",
        f"P* = {number(printed)}",
        f"F is {number(f_alpha(*both, printed))} and {number(f_alpha(*i, printed))}",
    )


def test_j29_the_upper_bound_lies_below_the_lower_one():
    pairs = list(product(RATES, repeat=2))
    below = sum(i + j - 1 + min(i, j) < i * j for i, j in pairs)
    right = sum(i + j - 1 + min(1 - i, 1 - j) == min(i, j) for i, j in pairs)
    assert below > 0
    assert right == len(pairs)
    decide("J29", "error", f"of {len(pairs)}", f"FPR_j in {below}", f"FPR_j) in {right}")


def test_j30_59_features_are_not_rotation_invariant():
    patterns = list(product((0, 1), repeat=8))
    uniform = [
        p for p in patterns if sum(a != b for a, b in zip(p, p[1:] + p[:1], strict=True)) < 3
    ]
    turned = {min(p[k:] + p[:k] for k in range(8)) for p in patterns}
    uniform_turned = {min(p[k:] + p[:k] for k in range(8)) for p in uniform}
    assert len(uniform) + 1 == 59
    decide(
        "J30",
        "inconsistent",
        f"neighbours: {len(uniform)}",
        f"rest are {len(uniform) + 1}",
        f"there are {len(turned)}, and {len(uniform_turned) + 1}",
    )


def test_j35_f_falls_more_than_cost_rises():
    tpr, prior = Fraction(3, 4), Fraction(1, 4)
    steps = [Fraction(n, 200) for n in range(1, 101)]
    f = [f_alpha(tpr, fpr, prior) for fpr in (Fraction(0), *steps)]
    lost = [cost(tpr, fpr, prior) for fpr in (Fraction(0), *steps)]
    more = sum(f[0] - f[n] > lost[n] - lost[0] for n in range(1, 101))
    assert more == len(steps)
    decide(
        "J35",
        "correct",
        f"EC at {more} of {len(steps)}",
        f"there by {number(f[0] - f[-1])} and {number(lost[-1] - lost[0])}",
    )


def test_c1_place_of_the_one():
    m = Fraction(1, 5)
    printed = {(1 / m - 1) * p / ((1 / m - 2) * p) + 1 for p in PRIORS}
    for prior in PRIORS:
        pc = prior * (1 - m) / (prior * (1 - m) + (1 - prior) * m)
        assert pc == (1 / m - 1) * prior / ((1 / m - 2) * prior + 1)
    assert len(printed) == 1
    decide("C1", "error", f"PC(+) is {number(printed.pop())}")


def test_c3_more_is_accepted_at_lower_thresholds():
    positive, negative = [9, 8, 6, 4], [7, 5, 3, 1]
    rates = [
        (sum(s >= t for s in negative) / 4, sum(s >= t for s in positive) / 4) for t in (10, 6, 0)
    ]
    assert rates[0] == (0, 0)
    assert rates[-1] == (1, 1)
    decide("C3", "error", f"TPR) = {', '.join(map(str, rates))}")


LAMBDAS = [Fraction(n, 20) for n in range(2, 19)]


def test_c6_the_smaller_class_is_the_wrong_one():
    priors = [500 / (500 + lam * 500) for lam in LAMBDAS]
    assert min(priors) > HALF
    decide("C6", "error", f"from {number(min(priors))} to {number(max(priors))}")


def test_c7_test_sets_have_no_fixed_size():
    sizes = {500 + lam * 500 for lam in LAMBDAS} | {Fraction(1000)}
    assert len(sizes) > 1
    decide("C7", "inconsistent", f"up to {min(sizes)} ... {max(sizes)}")


def test_c9_the_priors_drawn_are_those_tested_to_one_digit():
    priors = {lam / (1 + lam) for lam in LAMBDAS} | {1 / (1 + lam) for lam in LAMBDAS} | {HALF}
    low, high = min(priors), max(priors)
    assert [round(prior, 1) for prior in (low, high)] == [Fraction(1, 10), Fraction(9, 10)]
    decide("C9", "correct", f"P(+) = {number(low)} and {number(high)}")
