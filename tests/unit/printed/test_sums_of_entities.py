"""Reports without a matrix of classes, and averages beside rates of one class, refute nothing."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import integers

from opchar.printed import Protocol, check, read_table

ENTITIES = """
Accuracy 0.6162

              precision    recall  f1-score   support

         PER     0.8626    0.7958    0.8278       142
         LOC     0.7727    0.7969    0.7846       128
        DATE     0.7458    0.6377    0.6875        69
         ORG     0.6230    0.5758    0.5984        66

   micro avg     {micro}    0.7333    {f1}       405
"""


def statuses(text):
    return {label: answer.status for label, answer in check(read_table(text)).items()}


def test_an_accuracy_beside_entities_is_tied_to_no_class():
    found = statuses(ENTITIES.format(micro="0.7755", f1="0.7538"))
    assert "impossible" not in found.values()


def test_where_the_micro_average_is_that_of_one_matrix_the_accuracy_is_tied():
    found = statuses(ENTITIES.format(micro="0.7333", f1="0.7333"))
    assert "impossible" in found.values()


def only(text, protocol=None):
    (answer,) = check(read_table(text), protocol).values()
    return answer


@pytest.mark.parametrize(
    ("head", "row", "status"),
    [
        # TP 25, FN 15, FP 11, TN 8: the F of the classes are 50/76 and 16/42.
        ("Sensitivity,Specificity,Accuracy,F1", "0.625,0.421,0.559,0.519", "not decided"),
        ("Sensitivity,Specificity,Accuracy,F1", "0.625,0.421,0.559,0.912", "impossible"),
        # [[57, 0, 6], [14, 35, 4], [0, 1, 2]]: macro means under plain headings, and named.
        ("Accuracy,Precision,Recall,F1", "0.79,0.65,0.74,0.63", "not decided"),
        ("Accuracy,Macro Precision,Macro Recall,Macro F1", "0.79,0.65,0.74,0.63", "not decided"),
        # F is at most the harmonic mean of precision and recall for every average.
        ("Precision,Recall,F1", "0.36,0.72,0.54", "impossible"),
        ("Macro Precision,Macro Recall,Macro F1", "0.13,0.77,0.35", "impossible"),
        # F is at least precision plus recall less one.
        ("Precision,Recall,F1", "0.807,0.878,0.583", "impossible"),
        ("Precision,Recall,F1", "0.807,0.878,0.690", "not decided"),
        # Means over images.
        ("Dice,IoU", "47.0,34.3", "not decided"),
        ("Dice,IoU", "47.0,50.0", "impossible"),
        ("Sensitivity,Specificity,Accuracy", "0.88,0.87,0.895", "impossible"),
    ],
)
def test_only_what_no_average_has_is_refuted(head, row, status):
    assert only(f"Model,{head}\nA,{row}").status == status


def test_scores_that_are_said_to_be_of_one_class_are_refuted():
    table = "Model,Accuracy,Precision,Recall,F1\nA,0.79,0.65,0.74,0.63"
    answer = only(table)
    assert answer.hints == ("if they are of one class in one test set, say --average class",)
    assert only(table, Protocol(one_class=True)).status == "impossible"


@pytest.mark.parametrize("label", ["Overall", "All", "Pooled", "Mean"])
def test_a_row_that_sums_up_others_refutes_nothing(label):
    table = f"Reader,Sensitivity,Specificity,PPV,NPV\n{label},75.0,92.5,95.5,60.0"
    assert only(table).status != "impossible"


def test_the_rest_of_a_report_is_what_is_not_of_a_class():
    # 50 others cannot give the 99 false positives that a precision of 0.90 needs.
    report = """
              precision    recall  f1-score   support

           0       0.90      0.99      0.94       950
           1       0.80      0.40      0.53        50

    accuracy                           0.96      1000
"""
    assert check(read_table(report))["0"].status == "impossible"


@settings(max_examples=15)
@given(arrays(int, (3, 3), elements=integers(0, 40)), integers(1, 3))
def test_no_true_table_of_averages_is_refuted(matrix, digits):
    size = matrix.sum()
    assume(size > 0 and matrix.any(axis=0).all() and matrix.any(axis=1).all())
    right = np.diag(matrix)
    p, r = right / matrix.sum(axis=0), right / matrix.sum(axis=1)
    f = 2 * right / (matrix.sum(axis=0) + matrix.sum(axis=1))
    for weights in (np.full(3, 1 / 3), matrix.sum(axis=1) / size):
        values = [right.sum() / size, *(float(weights @ each) for each in (p, r, f))]
        for head in ("Precision,Recall,F1", "Macro Precision,Macro Recall,Macro F1"):
            row = ",".join(f"{value:.{digits}f}" for value in values)
            assert only(f"Model,Accuracy,{head}\nA,{row}").status != "impossible"
