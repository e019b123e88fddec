import numpy as np
import pytest

from opchar.combination.functions import FUNCTIONS, NAMES, SYMMETRIC, combine, decide
from opchar.combination.rules import Combination, Detector

A = np.array([False, False, True, True])
B = np.array([False, True, False, True])
TRUTH = {
    "AND": A & B,
    "NOT_A_AND_B": ~A & B,
    "A_AND_NOT_B": A & ~B,
    "NAND": ~(A & B),
    "OR": A | B,
    "NOT_A_OR_B": ~A | B,
    "A_OR_NOT_B": A | ~B,
    "NOR": ~(A | B),
    "XOR": A ^ B,
    "EQV": A == B,
}


def test_truth_tables_in_the_papers_order():
    assert list(TRUTH) == list(NAMES)
    for function, expected in TRUTH.items():
        assert decide(function, A, B).tolist() == expected.tolist(), function
        assert combine(function, 2, 2, 1, 4) == expected.sum()
    assert {name for name in FUNCTIONS if (decide(name, A, B) == decide(name, B, A)).all()} == set(
        SYMMETRIC
    )


def test_unknown_function():
    with pytest.raises(ValueError, match="unknown Boolean function 'IMPLIES'"):
        combine("IMPLIES", 0.1, 0.1, 0.1)


def test_text_is_exact_and_readable():
    rule = Combination("NAND", Detector("svm07", 0.1 + 0.2), Detector("svm12", 0.55))
    assert f"{rule:.2f}" == "NAND(svm07 >= 0.30, svm12 >= 0.55)"
    assert str(rule) == "NAND(svm07 >= 0.30000000000000004, svm12 >= 0.55)"
    assert rule.detectors() == (rule.first, rule.second)


def test_nested_and_infinite_rules_decide():
    inner = Combination("XOR", Detector("pca3 mogc3", -1e-300), Detector("b", np.inf))
    rule = Combination("NOT_A_OR_B", inner, Combination("EQV", Detector("c", 2.0), inner))
    scores = {"pca3 mogc3": np.array([-1.0, 0.0]), "b": np.ones(2), "c": np.array([3.0, 1.0])}
    assert rule.decide(scores).tolist() == [True, False]
    assert inner.decide(scores).tolist() == [False, True]


def test_missing_scores_are_named():
    with pytest.raises(ValueError, match="no scores of 'b'"):
        Combination("AND", Detector("a", 1), Detector("b", 2)).decide({"a": np.zeros(3)})
