"""Theorems 1 to 5 and Lemmas 1 to 3 of mullick2020, proved symbolically from the definitions."""

from itertools import permutations, product

import numpy as np
import pytest
import sympy as sp

from opchar import metrics
from opchar.metrics.conditions import of_two_classes
from opchar.metrics.conditions.closed_forms import (
    failing_acsa,
    failing_m_aurpc_ova,
    failing_m_aurpc_ova_by_equation_28,
    infimum_auroc_ova,
    lowest_auroc_ova,
    lowest_auroc_ovo,
)


def cells(classes):
    return sp.Matrix(classes, classes, lambda i, j: sp.Symbol(f"m{i}{j}", positive=True))


def quotient(a, b):
    return sp.cancel(a / b)


def sizes(m):
    return [sum(m.row(i)) for i in range(m.rows)]


def rates(m):
    return sp.Matrix(m.rows, m.rows, lambda i, j: quotient(m[i, j], sizes(m)[i]))


def mean(terms):
    terms = list(terms)
    return sum(terms) / sp.Integer(len(terms))


def g_mean(m):
    return sp.prod(rates(m)[i, i] for i in range(m.rows)) ** sp.Rational(1, m.rows)


def acsa(m):
    return mean(rates(m)[i, i] for i in range(m.rows))


def auroc_ovo(m):
    r, C = rates(m), m.rows
    own = (1 + r[i, i] - sum(r[j, i] for j in range(C) if j != i) / (C - 1) for i in range(C))
    return mean(own) / 2


def auroc_ova(m):
    C, n, r = m.rows, sizes(m), rates(m)
    false = [quotient(sum(m.col(i)) - m[i, i], sum(n) - n[i]) for i in range(C)]
    return mean(1 + r[i, i] - false[i] for i in range(C)) / 2


def normalised_auroc_ova(m):
    weak = sp.Rational(m.rows - 2, 2 * m.rows)
    return (auroc_ova(m) - weak) / (1 - weak)


def aurpc_ova(m):
    r = rates(m)
    return mean(quotient(m[i, i], sum(m.col(i))) + r[i, i] for i in range(m.rows)) / 2


def m_aurpc_ova(m):
    r = rates(m)
    return mean(quotient(r[i, i], sum(r.col(i))) + r[i, i] for i in range(m.rows)) / 2


def precision(m):
    return quotient(m[0, 0], m[0, 0] + m[1, 0])


def aurpc(m):
    return (rates(m)[0, 0] + precision(m)) / 2


def m_precision(m):
    r = rates(m)
    return quotient(r[0, 0], r[0, 0] + r[1, 0])


def m_aurpc(m):
    return (rates(m)[0, 0] + m_precision(m)) / 2


OF_TWO = [g_mean, acsa, precision, aurpc, m_precision, m_aurpc]
OF_MANY = [g_mean, acsa, auroc_ovo, auroc_ova, normalised_auroc_ova, aurpc_ova, m_aurpc_ova]
LIBRARY = {
    g_mean: metrics.g_mean_multiclass,
    **{f: of_two_classes(getattr(metrics, f.__name__)) for f in OF_TWO[2:]},
    **{f: getattr(metrics, f.__name__) for f in OF_MANY[1:]},
}


def rescaled(m):
    factors = sp.symbols(f"b:{m.rows}", positive=True)
    return sp.diag(*factors) * m, factors


def change(index, classes):
    m = cells(classes)
    other, factors = rescaled(m)
    return sp.factor(sp.cancel(sp.together(index(other) - index(m)))), m, factors


@pytest.mark.parametrize("index", OF_TWO + OF_MANY)
def test_the_symbols_are_the_indices_of_the_library(index):
    rng = np.random.default_rng(3)
    for classes in (2,) if index in OF_TWO[2:] else (2, 3):
        numbers = rng.integers(1, 20, (classes, classes))
        exact = index(sp.Matrix(numbers.tolist()))
        assert float(LIBRARY[index](numbers)) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("index", [g_mean, acsa, m_precision, m_aurpc])
def test_theorems_1_and_2_invariant(index):
    m = cells(2)
    assert sp.cancel(sp.together(index(rescaled(m)[0]) ** 2 - index(m) ** 2)) == 0


@pytest.mark.parametrize("index", [precision, aurpc])
def test_theorem_1_precision_moves_unless_the_ratio_stays_or_a_cell_is_empty(index):
    moved, m, (b0, b1) = change(index, 2)
    numerator = sp.factor(sp.fraction(moved)[0])
    expected = m[0, 0] * m[1, 0] * (b0 - b1)
    assert sp.cancel(numerator / expected).is_number


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("index", [g_mean, acsa, auroc_ovo, m_aurpc_ova])
def test_theorems_3_and_4_invariant(index, classes):
    m = cells(classes)
    assert rates(rescaled(m)[0]) == rates(m)
    assert index(rescaled(m)[0]) - index(m) == 0


@pytest.mark.parametrize("index", [auroc_ova, normalised_auroc_ova, aurpc_ova])
def test_theorem_3_not_invariant(index):
    m = cells(3)
    other, factors = rescaled(m)
    slope = sp.diff(index(other), factors[0]).subs(dict.fromkeys(factors, 1))
    numbers = dict(zip(m, (4, 1, 2, 1, 5, 3, 2, 2, 6), strict=True))
    assert slope.subs(numbers) != 0


def test_theorem_3_4_fails_for_two_classes_where_the_index_is_acsa():
    m = cells(2)
    assert sp.cancel(auroc_ova(m) - acsa(m)) == 0


@pytest.mark.parametrize("classes", [2, 3, 4, 5])
def test_lemma_2(classes):
    m = cells(classes)
    r = sp.Matrix(classes, classes, lambda i, j: sp.Symbol(f"r{i}{j}"))
    rest = {r[i, 0]: 1 - sum(r[i, j] for j in range(1, classes)) for i in range(classes)}
    own = (
        1 + r[i, i] - sum(r[j, i] for j in range(classes) if j != i) / (classes - 1)
        for i in range(classes)
    )
    ovo = sp.expand((mean(own) / 2).subs(rest))
    C = sp.Integer(classes)
    line = C / (2 * (C - 1)) * mean(r[i, i] for i in range(classes)) + (C - 2) / (2 * (C - 1))
    assert sp.expand(ovo - line.subs(rest)) == 0
    assert sp.Rational(lowest_auroc_ovo(classes)) == (C - 2) / (2 * (C - 1))
    assert line.subs({r[i, i]: 1 for i in range(classes)}) == 1
    slope, bias = C / (2 * (C - 1)), (C - 2) / (2 * (C - 1))
    if classes == 3:
        assert sp.cancel((auroc_ovo(m) - bias) / slope - acsa(m)) == 0, "normalised, it is ACSA"


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_lemma_3_by_the_price_of_one_object(classes):
    n = sp.symbols(f"n:{classes}", positive=True)
    total = sum(n)
    m = cells(classes)
    index = mean(
        1 + m[i, i] / n[i] - (sum(m.col(i)) - m[i, i]) / (total - n[i]) for i in range(classes)
    )
    index = index / 2
    for i, j in product(range(classes), repeat=2):
        price = sp.diff(index, m[i, j]) * 2 * classes
        assert sp.simplify(price - (1 / n[i] if i == j else -1 / (total - n[j]))) == 0
    called = [classes - 1] * (classes - 1) + [classes - 2]
    worst = {m[i, j]: n[i] * int(j == called[i]) for i, j in product(range(classes), repeat=2)}
    lemma = (classes - 1 - n[-1] / (total - n[-2])) / (2 * classes)
    assert sp.simplify(index.subs(worst) - lemma) == 0
    for numbers in ((1,) * classes, tuple(range(1, classes + 1))):
        value = lemma.subs(dict(zip(n, numbers, strict=True)))
        assert value == sp.Rational(lowest_auroc_ova(numbers))
        assert value == least_over_all_callers(numbers)


def least_over_all_callers(numbers):
    """Prices are linear, so that the least is at a classifier that calls each class one thing."""
    classes, total = len(numbers), sum(numbers)

    def value(called):
        right = sum(called[i] == i for i in range(classes))
        wrong = sum(
            sp.Rational(numbers[i], total - numbers[called[i]])
            for i in range(classes)
            if called[i] != i
        )
        return (classes + right - wrong) / sp.Integer(2 * classes)

    return min(value(called) for called in product(range(classes), repeat=classes))


def test_the_weak_lower_limit_is_a_limit():
    t = sp.Symbol("t", positive=True)
    for classes in (3, 4, 6):
        total = 2 * t + classes - 2
        lemma = (classes - 1 - t / (total - t)) / (2 * classes)
        weak = sp.Rational(infimum_auroc_ova(classes))
        assert sp.limit(lemma, t, sp.oo) == weak
        assert sp.simplify(lemma - weak - (classes - 2) / (2 * classes * (t + classes - 2))) == 0


def test_lemma_1_and_the_bounds_of_theorems_3_and_4():
    for classes in (2, 3, 4):
        right = sp.eye(classes)
        wrong = sp.Matrix(classes, classes, lambda i, j, C=classes: int(j == (i + 1) % C))
        for index in (acsa, g_mean, aurpc_ova, m_aurpc_ova):
            assert index(right) == 1
            assert index(wrong) == 0


def failing(classes, epsilon, shares, loss):
    """The first class fails and is called others in `shares`; these lose `loss` to it."""
    m = sp.eye(classes) * (1 - loss)
    m[0, 0] = epsilon
    for j in range(1, classes):
        m[0, j] = (1 - epsilon) * shares[j - 1]
        m[j, 0] = loss
    return m


def test_theorem_5():
    e = sp.Symbol("e", positive=True)
    for classes in (3, 4, 5):
        even = [sp.Rational(1, classes - 1)] * (classes - 1)
        m = failing(classes, e, even, e)
        assert sp.limit(acsa(m), e, 0) == sp.Rational(failing_acsa(classes))
        assert sp.limit((e * (1 - e) ** (classes - 1)) ** sp.Rational(1, classes), e, 0) == 0
        least = sp.limit(sp.together(m_aurpc_ova(m)), e, 0)
        assert least == sp.Rational(failing_m_aurpc_ova(classes))
        assert least > sp.Rational(failing_m_aurpc_ova_by_equation_28(classes)) > 0


def test_the_even_split_is_the_lowest():
    s = sp.Symbol("s", positive=True)
    assert sp.simplify(sp.diff(1 / (1 + s), s, 2) - 2 / (1 + s) ** 3) == 0, "convex in each share"
    e = sp.Rational(1, 10**9)
    shares = [sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(1, 6)]
    values = {m_aurpc_ova(failing(4, e, split, e)) for split in permutations(shares)}
    assert min(values) > sp.Rational(failing_m_aurpc_ova(4))


def test_at_epsilon_one_over_c_no_index_fails():
    for classes in (3, 4):
        e = sp.Rational(1, classes)
        m = failing(classes, e, [sp.Rational(1, classes - 1)] * (classes - 1), e)
        assert g_mean(m) > sp.Rational(1, 2)
