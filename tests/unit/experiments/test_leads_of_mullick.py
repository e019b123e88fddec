"""What was suspected of mullick2020: theorems, their proofs and the conclusions drawn."""

from fractions import Fraction
from itertools import pairwise, permutations, product

import numpy as np
import pytest

from leads import decide, number, numbers
from opchar.metrics import (
    acsa,
    auroc_ova,
    auroc_ovo,
    aurpc_ova,
    g_mean_multiclass,
    m_aurpc_ova,
    normalised_auroc_ova,
    precision,
)

TP, FN, FP, TN = (Fraction(n) for n in (40, 10, 20, 80))
MATRIX = np.array([[80.0, 10, 10], [20, 70, 10], [5, 25, 70]])
TEN_TIMES = MATRIX * np.array([[10], [1], [1]])


def moves(index):
    return float(index(MATRIX)), float(index(TEN_TIMES))


def balanced(classes, accuracy, size=1200):
    """Equal classes, errors spread evenly."""
    wrong = size * (1 - accuracy) / (classes - 1)
    return np.full((classes, classes), wrong) + (size * accuracy - wrong) * np.eye(classes)


def test_i1_equation_7_lacks_one_half():
    recall, pr = TP / (TP + FN), TP / (TP + FP)
    by_eq_5, by_eq_7 = (recall + pr) / 2, recall + pr
    perfect = Fraction(1) + Fraction(1)
    assert by_eq_7 == 2 * by_eq_5
    decide(
        "I1",
        "error",
        f"AURPC is {number(by_eq_5)}",
        f"5 and {number(by_eq_7)}",
        f"classifier has {perfect}",
    )


def test_i2_the_factor_went_into_the_denominator():
    n_1, n_2 = TP + FN, FP + TN
    modified = (TP / n_1) / (TP / n_1 + FP / n_2)
    by_eq_9 = (TP / n_1 + modified) / 2
    last_line = TP / (2 * n_1) + (TP / n_1) / (TP / (2 * n_1) + FP / (2 * n_2))
    line_before = TP / (2 * n_1) + (TP / n_1) / (2 * TP / n_1 + 2 * FP / n_2)
    assert line_before == by_eq_9 != last_line
    decide("I2", "error", f"mAURPC is {number(by_eq_9)}", f"before, {number(last_line)}")


def test_i3_column_sums_of_rates_reach_the_number_of_classes():
    first = np.array([[10, 0, 0], [20, 0, 0], [30, 0, 0]])
    sums = (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
    assert sums[0] == 3
    assert float(m_aurpc_ova(MATRIX)) < 1
    decide("I3", "error", f"m_ji/n_j are {numbers(sums)}")


def test_i4_the_worst_performance_leaves_terms_undefined():
    worst = np.array([[0, 10, 0], [20, 0, 0], [30, 0, 0]])
    with np.errstate(invalid="ignore"):
        values = float(aurpc_ova(worst)), float(m_aurpc_ova(worst))
    sums = (worst / worst.sum(axis=1, keepdims=True)).sum(axis=0)
    cyclic = np.array([[0, 10, 0], [0, 0, 20], [30, 0, 0]])
    assert np.isnan(values).all()
    assert sums.sum() == 3
    assert float(aurpc_ova(cyclic)) == float(m_aurpc_ova(cyclic)) == 0
    decide("I4", "error", f"0, are {numbers(sums)}", f"indices are {number(aurpc_ova(cyclic))}")


def test_i5_a_fixed_epsilon_does_not_vanish():
    g_means = [((1 / c) * (1 - 1 / c) ** (c - 1)) ** (1 / c) for c in (3, 5, 10)]
    tiny = [((1e-12) * (1 - 1e-12) ** (c - 1)) ** (1 / c) for c in (3, 5, 10)]
    assert min(g_means) > 0.4
    assert tiny[0] < 1e-3
    decide("I5", "inconsistent", f"GMean is {numbers(g_means, 3)}")


def precision_of_equation_28(matrix, j):
    sizes, called = matrix.sum(axis=1), matrix.sum(axis=0)
    rate = matrix[j, j] / sizes[j]
    return rate / (rate + (called[j] - matrix[j, j]) / (matrix.sum() - sizes[j]))


def test_i6_equation_28_is_of_another_index():
    rates = MATRIX / MATRIX.sum(axis=1, keepdims=True)
    by_definition = np.diag(rates) / rates.sum(axis=0)
    by_equation = np.array([precision_of_equation_28(MATRIX, j) for j in range(3)])
    own = float(np.mean(by_definition + np.diag(rates)) / 2)
    other = float(np.mean(by_equation + np.diag(rates)) / 2)
    assert own == pytest.approx(float(m_aurpc_ova(MATRIX)))
    unscaled = [precision_of_equation_28(TEN_TIMES, j) for j in range(3)]
    assert np.abs(np.array(unscaled) - by_equation).max() > 0.01
    decide(
        "I6",
        "error",
        f"mAURPC-OVA is {number(own)}",
        f"7 and {number(other)}",
        f"sizes: {number(by_equation[1])}",
        f"becomes {number(unscaled[1])}",
    )


def limit_at_one_failing_class(shares):
    """Lowest limit of mAURPC-OVA: the first class goes to the others, which are all right.

    The others may lose up to epsilon to the first class, whose precision is then at least 1/C.
    """
    classes = len(shares) + 1
    return sum(1 + 1 / (1 + share) for share in shares) / (2 * classes) + 1 / (2 * classes**2)


def test_i7_the_bound_of_equation_28_holds():
    rng = np.random.default_rng(0)
    least, bounds = [], []
    for classes in range(2, 11):
        even = limit_at_one_failing_class(np.full(classes - 1, 1 / (classes - 1)))
        drawn = [limit_at_one_failing_class(s) for s in rng.dirichlet(np.ones(classes - 1), 200)]
        closed = (2 * classes**2 - 3 * classes + 2) / (2 * classes**2)
        assert even == pytest.approx(closed)
        assert min(drawn) >= even - 1e-12
        least.append(even)
        bounds.append(3 * (classes - 1) / (4 * classes))
    epsilon, classes = 1e-7, 4
    matrix = np.full((classes, classes), 0.0)
    matrix[0] = [epsilon, *[(1 - epsilon) / 3] * 3]
    matrix[1:, 1:] = (1 - epsilon) * np.eye(3)
    matrix[1:, 0] = epsilon
    assert float(m_aurpc_ova(matrix)) == pytest.approx(least[2], abs=1e-6)
    assert all(low > bound for low, bound in zip(least, bounds, strict=True))
    decide(
        "I7",
        "correct",
        f"2)/(2C^2): {numbers(least[:4], 3)}",
        f"3(C-1)/(4C) = {numbers(bounds[:4], 3)}",
    )


def test_i8_only_the_modified_multi_class_index_qualifies():
    plain, modified = moves(aurpc_ova), moves(m_aurpc_ova)
    assert abs(plain[0] - plain[1]) > 0.01
    assert modified[0] == pytest.approx(modified[1])
    decide(
        "I8",
        "inconsistent",
        f"from {number(plain[0])} to {number(plain[1])}",
        f"mAURPC-OVA at {number(modified[1])}",
    )


def test_i9_an_affine_map_cannot_restore_invariance():
    values = moves(normalised_auroc_ova)
    weak = Fraction(1, 6)
    by_map = [(v - float(weak)) / float(1 - weak) for v in moves(auroc_ova)]
    assert values == pytest.approx(by_map)
    assert abs(values[0] - values[1]) > 0.01
    decide("I9", "inconsistent", f"from {number(values[0])} to {number(values[1])}")


def test_i10_three_of_the_indices_named_are_not_invariant():
    changes = {
        "Precision": [float(precision(40, 10, 20 * k, 80 * k)) for k in (1, 10)],
        "AUROC-OVA": moves(auroc_ova),
        "AURPC-OVA": moves(aurpc_ova),
    }
    same = {"ACSA": moves(acsa), "GMean": moves(g_mean_multiclass), "AUROC-OVO": moves(auroc_ovo)}
    assert all(abs(before - after) > 0.01 for before, after in changes.values())
    assert all(before == pytest.approx(after) for before, after in same.values())
    decide(
        "I10",
        "inconsistent",
        "with one class ten times as large "
        + ", ".join(
            f"{name} goes from {number(a)} to {number(b)}" for name, (a, b) in changes.items()
        )
        + f"; {', '.join(same)} stay; Table 2 lists the invariance of all of them as validated, "
        "Theorems 1 and 3 refute it for three",
    )


def test_i12_the_two_precisions_fit_each_other():
    balanced_precision = np.linspace(0.925, 0.935, 10_001)
    at_ten = 1 / (1 + 10 * (1 / balanced_precision - 1))
    fitting = balanced_precision[np.round(at_ten, 2) == 0.59]
    assert len(fitting)
    decide(
        "I12",
        "correct",
        f"become {number(at_ten[0], 3)} to {number(at_ten[-1], 3)}",
        f"from {number(fitting[0])}",
    )


def test_i13_the_gap_follows_from_the_accuracy():
    def gap(classes, accuracy):
        matrix = balanced(classes, accuracy)
        return float(auroc_ovo(matrix) - acsa(matrix))

    same = [gap(classes, 0.8) for classes in (3, 5, 10)]
    exact = [(c - 2) / (2 * (c - 1)) * 0.2 for c in (3, 5, 10)]
    worse = gap(3, 0.5)
    assert same == pytest.approx(exact)
    assert worse > same[2] > same[1] > same[0]
    decide(
        "I13",
        "error",
        f"0.8 by {numbers(same, 3)}",
        f"grows by {same[2] / same[1] - 1:.0%}",
        f"it is {number(worse, 3)}",
    )


def test_i15_the_equation_named_is_of_another_index():
    gm, ac = float(g_mean_multiclass(MATRIX)), float(acsa(MATRIX))
    written = float(np.mean(np.diag(MATRIX) / MATRIX.sum(axis=1)))
    assert ac == pytest.approx(written)
    assert abs(gm - ac) > 1e-3
    decide("I15", "notation", f"GMean, {number(gm)}", f"Eq. 11, {number(ac)}")


def test_i16_equation_20_is_the_other_difference():
    change = np.array([[-5.0, 5, 0], [2, 0, -2], [0, 3, -3]])
    after = MATRIX + change
    sizes, total = MATRIX.sum(axis=1), MATRIX.sum()
    own = np.diag(change)
    right = np.sum(own / sizes) / 6 - np.sum((change.sum(axis=0) - own) / (total - sizes)) / 6
    announced = float(auroc_ova(MATRIX) - auroc_ova(after))
    assert right == pytest.approx(-announced)
    assert abs(announced) > 1e-3
    decide("I16", "inconsistent", f"rho_a(M') = {number(announced)}", f"20 is {number(right)}")


def all_matrices(sizes):
    rows = [[(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)] for n in sizes]
    return np.array(list(product(*rows)), dtype=float)


def test_i18_the_lower_bound_is_reached_and_the_weak_one_is_lower():
    least = {}
    for sizes in ((1, 1, 1), (1, 2, 3), (2, 2, 4), (1, 1, 6)):
        second, largest = sizes[-2:]
        bound = Fraction(2) - Fraction(largest, sum(sizes) - second)
        found = float(auroc_ova(all_matrices(sizes)).min())
        assert found == pytest.approx(float(bound / 6))
        least[sizes] = found
    weak = Fraction(3 - 2, 2 * 3)
    assert min(least.values()) > float(weak)
    decide(
        "I18",
        "correct",
        "over all matrices of three classes the least AUROC-OVA is Eq. 19: "
        + ", ".join(f"{number(v)} for sizes {s}" for s, v in least.items())
        + f"; lambda_3 = {number(weak)} lies below all, since n_C + n_C-1 < n",
    )


def test_i19_the_range_of_the_normalised_index_still_depends_on_c():
    least = []
    for classes in (3, 5, 10):
        worst = np.zeros((classes, classes))
        worst[: classes - 1, -1] = worst[-1, -2] = 1
        least.append(float(normalised_auroc_ova(worst)))
        assert least[-1] == pytest.approx((classes - 2) / ((classes - 1) * (classes + 2)))
    skewed = np.array([[0, 0, 1.0], [0, 0, 10**6], [0, 10**6, 0]])
    unbalanced = float(normalised_auroc_ova(skewed))
    assert abs(unbalanced) < 1e-5 < min(least)
    assert all(a != b for a, b in pairwise(least))
    decide(
        "I19",
        "inconsistent",
        f"(C-2)/((C-1)(C+2)), {numbers(least, 3)}",
        f"reached ({number(unbalanced, 1)}",
    )


def test_i20_no_accuracy_gives_both_areas():
    def area(classes, accuracy):
        return float(auroc_ova(balanced(classes, accuracy)))

    def accuracies(classes, value):
        low, high = area(classes, 0.0), area(classes, 1.0)
        return [(value + half - low) / (high - low) for half in (-0.005, 0.005)]

    found = [area(classes, 0.6) for classes in (3, 6)]
    for_three, for_six = accuracies(3, 0.70), accuracies(6, 0.77)
    assert for_three[1] < for_six[0]
    decide(
        "I20",
        "inconsistent",
        f"AUROC-OVA {numbers(found)}",
        f"need {for_three[0]:.1%} to {for_three[1]:.1%} and {for_six[0]:.1%} to {for_six[1]:.1%}",
    )


def test_i21_two_definitions_of_rrt():
    majority, minority = 50, 100
    of_two = majority / minority
    of_many = max(a / b for a, b in permutations((majority, minority)))
    assert of_two < 1 < of_many
    decide(
        "I21",
        "inconsistent",
        f"{majority}",
        f"majority and {minority}",
        f"RRT is {number(of_two)}",
        f"uses, and {number(of_many)}",
    )


def test_i22_for_two_classes_auroc_ova_is_invariant():
    gaps = {}
    for classes in (2, 3, 4):
        matrices = np.random.default_rng(classes).integers(1, 50, (200, classes, classes))
        factors = np.arange(1, classes + 1)[:, None]
        gaps[classes] = float(np.abs(auroc_ova(matrices) - auroc_ova(matrices * factors)).max())
        if classes == 2:
            assert auroc_ova(matrices) == pytest.approx(acsa(matrices))
    assert gaps[2] < 1e-12 < 0.01 < min(gaps[3], gaps[4])
    decide("I22", "error", f"up to {numbers([gaps[3], gaps[4]], 2)}")


def test_i23_precision_stays_in_more_cases():
    right, alarms = (
        [float(precision(*counts)) for counts in pair]
        for pair in (((0, 10, 20, 80), (0, 10, 200, 800)), ((40, 10, 0, 80), (40, 10, 0, 800)))
    )
    assert right[0] == right[1] and alarms[0] == alarms[1]
    decide("I23", "error", f"stays {number(right[0])}", f"0 and {number(alarms[0])}")


def test_i24_table_2_lists_g_mean_under_condition_3():
    failing = np.array([[1.0, 999, 0], [0, 1000, 0], [0, 0, 1000]])
    values = [float(index(failing)) for index in (g_mean_multiclass, acsa, m_aurpc_ova)]
    assert values[0] <= 0.1 + 1e-12 < 0.6 < min(values[1:])
    decide("I24", "inconsistent", f"leaves {numbers(values, 3)}")
