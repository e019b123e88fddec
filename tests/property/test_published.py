"""Tables made from real matrices and folds are never refuted; every witness has the scores."""

import os
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import opchar.metrics as metrics
from opchar.published import Protocol, check, read_table
from opchar.published.averages import stratified
from opchar.published.indices import _RATIOS, exact
from opchar.published.matrices import Demand, matrices

COUNTS = ("tp", "fn", "fp", "tn")
LINEAR = [name for name in _RATIOS if exact(name).linear and name not in COUNTS]
SCORES = sorted(set(_RATIOS) - set(COUNTS))
few = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def as_printed(value: Fraction, digits: int, rounding: str, percent: bool) -> str:
    """Print an exact value as a table would."""
    scaled = value * (100 if percent else 1)
    exact_value = Decimal(scaled.numerator) / Decimal(scaled.denominator)
    return str(exact_value.quantize(Decimal(1).scaleb(-digits), rounding=rounding))


def value_of(name: str, counts: tuple[int, ...]) -> Fraction | None:
    """Return the value of an index by the library; None where it has no finite one."""
    index = exact(name)
    if index.scale == "same":
        above, below = index.ratio(*counts)
        return Fraction(above, below) if below else None
    value = index.value(*counts)
    return Fraction(value) if np.isfinite(value) else None


@st.composite
def tables(draw, names, folds=(1,), most=60):
    """Draw a protocol and the scores that it prints of random matrices."""
    k = draw(st.sampled_from(folds))
    p, n = draw(st.integers(2 * k, most)), draw(st.integers(2 * k, 3 * most))
    sizes = stratified(p, n, k)
    drawn = [(draw(st.integers(0, a)), draw(st.integers(0, b))) for a, b in sizes]
    parts = [(tp, a - tp, fp, b - fp) for (tp, fp), (a, b) in zip(drawn, sizes, strict=True)]
    digits = draw(st.integers(1, 4))
    percent = draw(st.booleans())
    rounding, mode = draw(
        st.sampled_from(
            [("nearest", ROUND_HALF_UP), ("nearest", ROUND_HALF_EVEN), ("cut", ROUND_DOWN)]
        )
    )
    printed = {}
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)):
        values = [value_of(name, counts) for counts in parts]
        if any(value is None for value in values):
            continue
        mean = sum(values) / k
        if exact(name).scale != "same" and mode == ROUND_DOWN:
            continue  # a root that is a decimal in theory may be cut below it in floats
        printed[name] = as_printed(mean, digits, mode, percent)
    protocol = Protocol(
        p,
        n,
        folds=k,
        averages="fold-means",
        rounding=rounding,
        unit="percent" if percent else "fraction",
        seconds=3.0,
    )
    return printed, protocol, parts


def answer_to(printed, protocol):
    unbounded = {
        *("positive_likelihood", "negative_likelihood"),
        *("diagnostic_odds_ratio", "discriminant_power"),
    }
    if protocol.unit == "percent":
        printed = {name: text for name, text in printed.items() if name not in unbounded}
    if not printed:
        return None, printed
    table = read_table(",".join(printed) + "\n" + ",".join(printed.values()))
    if set(table.columns) != set(printed):
        return None, printed
    return check(table, protocol)["row 1"], printed


def holds(answer, printed, protocol):
    """Tell whether the indices of the library give the witness the printed scores."""
    found = answer.witness if isinstance(answer.witness, list) else [answer.witness]
    scale, cut = (100 if protocol.unit == "percent" else 1), protocol.rounding == "cut"
    for name, text in printed.items():
        mean = np.mean([exact(name).value(**one) for one in found]) * scale
        step = 10.0 ** -len(text.partition(".")[2])
        least, most = (0, step) if cut else (-step / 2, step / 2)
        if cut and text.startswith("-"):
            least, most = -step, 0
        assert float(text) + least - 1e-7 <= mean <= float(text) + most + 1e-7, name


def one_matrix(made):
    answer, printed = answer_to(*made[:2])
    if answer is None:
        return
    assert answer.status == "possible", (printed, made)
    holds(answer, printed, made[1])


def folds_linear(made):
    answer, printed = answer_to(*made[:2])
    if answer is None:
        return
    assert answer.status != "impossible", (printed, made)
    if answer.status == "possible":
        holds(answer, printed, made[1])


@few
@given(tables(SCORES))
def test_scores_of_a_matrix_are_possible(made):
    one_matrix(made)


@few
@given(tables(LINEAR, folds=(2, 3, 5, 10)))
def test_means_over_folds_are_not_refuted(made):
    folds_linear(made)


@settings(parent=few, max_examples=15)
@given(tables(SCORES, folds=(2, 3), most=12))
def test_means_of_other_scores_over_folds_are_not_refuted(made):
    folds_linear(made)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("OPCHAR_SLOW"), reason="ten thousand trials")
def test_ten_thousand_tables_are_not_refuted():
    for strategy, judge, examples in (
        (tables(SCORES), one_matrix, 5000),
        (tables(LINEAR, folds=(2, 3, 5, 10)), folds_linear, 4500),
        (tables(SCORES, folds=(2, 3), most=12), folds_linear, 500),
    ):
        settings(parent=few, max_examples=examples)(given(strategy)(judge))()


@few
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.lists(st.sampled_from(SCORES), min_size=1, max_size=3, unique=True),
    st.lists(st.integers(0, 100), min_size=3, max_size=3),
)
def test_matrices_are_those_of_a_search_through_all(p, n, names, values):
    demands = []
    for name, value in zip(names, values, strict=False):
        low, high = Fraction(2 * value - 5, 200), Fraction(2 * value + 5, 200)
        demands.append(Demand(exact(name), (low, high), str(value)))
    found = {
        (tp, fp)
        for a, b, c, d in matrices(demands, p, n)
        for tp in range(a, b + 1)
        for fp in range(c, d + 1)
    }
    slow = set()
    for tp in range(p + 1):
        for fp in range(n + 1):
            counts = (tp, p - tp, fp, n - fp)
            inside = True
            for demand in demands:
                low, high = demand.index.of_ratio(demand.limits)
                above, below = demand.index.ratio(*counts)
                inside &= bool(below) and low <= Fraction(above, below) <= high
            if inside:
                slow.add((tp, fp))
    assert found == slow


@few
@given(
    st.sampled_from(SCORES),
    st.lists(st.integers(1, 40), min_size=4, max_size=4),
)
def test_ratios_are_the_indices_of_the_library(name, counts):
    if name == "kappa":
        tp, fn, fp, tn = counts
        matrix = np.array([[tp, fn], [fp, tn]])
        chance = matrix.sum(0) @ matrix.sum(1) / matrix.sum() ** 2
        expected = (np.trace(matrix) / matrix.sum() - chance) / (1 - chance)
    else:
        expected = float(getattr(metrics, name)(*counts))
    assert exact(name).quick(*counts) == pytest.approx(expected, abs=1e-12)
