"""Proofs by symbols: formulas are the library's indices, identities vanish, wrong ones do not."""

import numpy as np
import pandas as pd
import pytest
import sympy as sp

from leads import values_of
from opchar_reproduction.publications.mullick2020 import symbols
from opchar_reproduction.publications.mullick2020.indices import MULTI_CLASS, TWO_CLASS
from opchar_reproduction.publications.mullick2020.proofs import measure as proofs
from opchar_reproduction.publications.mullick2020.proofs.measure import Record

TWO = ("GMean", "AUROC", "Precision", "AURPC", "mPrecision", "mAURPC")
VIOLATING = {
    "theorem-1.3": "Condition 1",
    "theorem-1.4": "Condition 1",
    "theorem-3.4": "Condition 1",
    "theorem-3.5": "Condition 1",
    "table-2": "Condition 1",
}


@pytest.fixture(scope="module")
def found():
    return proofs.proofs(classes=[2, 3])


@pytest.mark.parametrize("name", symbols.OF_MANY)
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_formulas_of_many_classes_are_the_indices_of_the_library(name, classes):
    numbers = np.random.default_rng(classes).integers(1, 20, (classes, classes))
    exact = symbols.evaluate(symbols.OF_MANY[name], sp.Matrix(numbers.tolist()))
    assert float(exact) == pytest.approx(float(MULTI_CLASS[name](numbers)), rel=1e-12)


@pytest.mark.parametrize("name", TWO)
def test_formulas_of_two_classes_are_the_indices_of_the_library(name):
    cells = {symbols.TP: 7, symbols.FN: 2, symbols.FP: 3, symbols.TN: 11}
    for first, second in ((1, 1), (2, 5)):
        exact = symbols.of_two(name, first, second).subs(cells)
        matrix = np.array([[7 * first, 2 * first], [3 * second, 11 * second]])
        assert float(exact) == pytest.approx(float(TWO_CLASS[name](matrix)), rel=1e-12)


def test_every_theorem_and_lemma_has_a_step(found):
    lines = pd.read_csv(values_of("mullick2020"), dtype=str, keep_default_na=False)
    labels = set(lines["artefact"])
    stated = {name for name in labels if name.startswith(("theorem-", "lemma-", "eq-"))}
    assert stated | {"text-4"} <= set(found.curves["proofs"]["label"])


def test_condition_1_is_left_with_a_rest_exactly_where_it_is_violated(found):
    steps = found.curves["proofs"]
    part = steps[(steps["of"] == "Condition 1") & ~steps["what"].str.contains("is ACSA")]
    assert set(part.loc[part["equal"] == 0, "label"]) == set(VIOLATING)
    zeros = dict(zip(part["label"], part["zeros"], strict=True))
    assert zeros["theorem-1.3"] == zeros["theorem-1.4"] == "FP; TP; b_{1} - b_{2}"
    assert zeros["theorem-3.4"] == "b - 1; e"


@pytest.mark.parametrize("name", ["AUROC-OVA", "AURPC-OVA", "nAUROC-OVA"])
def test_the_rest_is_how_far_the_library_moves(name, found):
    steps = found.curves["proofs"]
    own = steps[(steps["index"] == name) & steps["what"].str.contains("a share of the first")]
    (rest,) = own["difference"]
    matrix = np.array([[6.0, 4, 0], [0, 20, 0], [0, 0, 30]])
    larger = matrix * np.array([[3], [1], [1]])
    moved = float(MULTI_CLASS[name](larger)) - float(MULTI_CLASS[name](matrix))
    index = symbols.OF_MANY[name]
    sizes = [sp.Integer(10), sp.Integer(20), sp.Integer(30)]
    left = symbols.evaluate(index, proofs._one_errs(3 * sizes[0], *sizes[1:]))
    right = symbols.evaluate(index, proofs._one_errs(*sizes))
    assert float((left - right).subs(proofs.SHARE, sp.Rational(2, 5))) == pytest.approx(moved)
    assert abs(moved) > 1e-4 and r"\left(b - 1\right)" in rest


def test_a_wrong_equation_leaves_a_rest():
    record = Record()
    half, lemma = symbols.C / (2 * (symbols.C + 1)), proofs._line(proofs.ALPHA)
    record.step("lemma-2", "AUROC-OVO", "Eq. 15", "wrong", half * proofs.ALPHA, lemma)
    assert record.results.curves["proofs"]["equal"].tolist() == [0.0]


def test_rescaled_rows_keep_the_rates_and_move_what_is_no_function_of_them():
    cells = symbols.any_cells()
    other = symbols.rescale_rows(cells)
    for name, index in symbols.OF_MANY.items():
        same = index(other) - index(cells) == 0
        assert same == (name in ("GMean", "ACSA", "AUROC-OVO", "mAURPC-OVA"))


def test_the_limits_of_theorem_5(found):
    steps = found.curves["proofs"].set_index("what")
    assert steps.loc["closed form, beside the bound of the equation", "difference"] == (
        r"\frac{C^{2} - 3 C + 4}{4 C^{2}}"
    )
    limits = steps[steps["label"] == "theorem-5"].set_index("index")["equal"]
    assert limits["ACSA"] == limits["mAURPC-OVA"] == 0
    assert list(limits["GMean"]) == [1, 0], "the limit is the lower bound, the value at 1/C is not"
