"""Rows that sum up others, classes of one matrix, counts and intervals beside a score."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import classification_report

from opchar.printed import Protocol, check, read_table
from opchar.printed.certificates import verify


def statuses(text):
    return {label: answer.status for label, answer in check(read_table(text)).items()}


def refuted(text, label):
    """Return the two lines of a refuted row, the proof of which is right."""
    answer = check(read_table(text))[label]
    assert answer.status == "impossible", answer
    assert answer.certificate is None or verify(answer.certificate)
    assert len(answer.arithmetic) == 2
    return answer.arithmetic


def drawn(rng, classes, most):
    """Return true and predicted labels of a few classes of unequal size."""
    sizes = rng.integers(1, most, classes)
    true = np.repeat(np.arange(classes), sizes)
    right = rng.random(len(true)) < rng.uniform(0.2, 1)
    return true, np.where(right, true, rng.integers(classes, size=len(true)))


@pytest.mark.parametrize("digits", [1, 2, 4])
def test_reports_of_scikit_learn_are_possible(digits):
    rng = np.random.default_rng(digits)
    for _ in range(4):
        true, predicted = drawn(rng, int(rng.integers(2, 6)), 40)
        text = classification_report(true, predicted, digits=digits, zero_division=0)
        assert "impossible" not in statuses(text).values(), text
        found = statuses(text)
        assert {found[one] for one in ("accuracy", "macro avg", "weighted avg")} == {"possible"}


def test_reports_as_dictionaries_and_frames_are_possible():
    rng = np.random.default_rng(9)
    for _ in range(2):
        true, predicted = drawn(rng, 3, 30)
        report = classification_report(true, predicted, output_dict=True, zero_division=0)
        frame = pd.DataFrame(report)
        for text in (json.dumps(report), str(report), str(frame.transpose()), str(frame)):
            found = statuses(text)
            assert "impossible" not in found.values(), text
            assert found["macro avg"] == "possible", text


def test_reports_of_several_labels_are_possible():
    rng = np.random.default_rng(11)
    for _ in range(3):
        true = rng.random((40, 4)) < 0.3
        predicted = true ^ (rng.random((40, 4)) < 0.2)
        text = classification_report(true, predicted, zero_division=0)
        table = read_table(text)
        assert table.kinds["samples avg"] == "samples"
        assert table.kinds["micro avg"] == "micro"
        assert "objects" not in table.stated  # supports add up to more than the objects
        assert "impossible" not in statuses(text).values(), text


@pytest.mark.parametrize("label", ["accuracy", "macro avg", "weighted avg"])
def test_a_wrong_line_of_a_report_is_refuted(label):
    rng = np.random.default_rng(4)
    for _ in range(3):
        true, predicted = drawn(rng, 4, 30)
        lines = classification_report(true, predicted, digits=3, zero_division=0).splitlines()
        at = next(k for k, line in enumerate(lines) if line.strip().startswith(label))
        *before, value, support = lines[at].rsplit(None, 2)
        other = f"{float(value) + (0.05 if float(value) < 0.5 else -0.05):.3f}"
        lines[at] = lines[at].replace(f"{value:>9}", f"{other:>9}", 3)
        if label == "accuracy":
            lines[at] = f"{before[0]:>12}{other:>32}{support:>10}"
        assert refuted("\n".join(lines), label)


def test_objects_predicted_as_classes_add_up():
    text = """
              precision    recall  f1-score   support
           a       1.00      0.50      0.67        10
           b       1.00      0.50      0.67        10
    accuracy                           0.50        20
    """
    first, second = refuted(text, "accuracy")
    assert first == "objects predicted, summed over 2 classes: 10 of 20"
    assert second == "objects 20 needs 20"


def test_micro_recall_is_the_mean_by_support():
    text = "Class,Precision,Recall,Support\na,.50,.80,10\nb,.60,.20,30\nmicro avg,.56,{},40"
    assert statuses(text.format(".35"))["micro avg"] == "possible"
    assert "mean by support" in refuted(text.format(".50"), "micro avg")[0]


def test_a_column_of_averages():
    rows = "m1,80.1,70.2,75.2\nm2,81.0,72.0,76.5\nm3,82.0,71.0,{}"
    text = f"Model,Books,Films,Avg\n{rows}"
    assert set(statuses(text.format("76.5")).values()) == {"possible"}
    lines = refuted(text.format("79.9"), "m3")
    assert lines[0] == "the plain mean of 2 values of Avg lies from 76.45 to 76.55"
    assert lines[1] == "printed is 79.9; no weights fit it and the other 2 together"
    assert statuses("Model,Books,Films,Avg\nm3,82.0,71.0,79.9")["m3"] == "not decided"
    assert "no weights fit it" in refuted("Model,Books,Films,Avg\nm3,82.0,71.0,82.9", "m3")[1]


def test_weighted_columns_of_averages_are_not_refuted():
    rng = np.random.default_rng(2)
    for _ in range(20):
        values = rng.uniform(40, 90, size=(6, 4))
        weights = rng.dirichlet(np.ones(4))
        rows = [
            ",".join([f"m{at}", *(f"{one:.1f}" for one in row), f"{row @ weights:.1f}"])
            for at, row in enumerate(values)
        ]
        found = statuses("Model,A,B,C,D,Average\n" + "\n".join(rows))
        assert "impossible" not in found.values()


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("78 (19/23)", "19 of 23 are 82.6087 %"),
        ("16/20 (85 %)", "16 of 20 are 80 %"),
        ("93.6% (29/31)", "29 of 31 are 93.54839 %"),
        ("0.94 (0.96–0.97)", "the interval is 0.96 to 0.97"),
        ("0.94 [0.80; 0.92]", "the interval is 0.80 to 0.92"),
    ],
)
def test_what_stands_beside_a_score_refutes_it(cell, words):
    lines = refuted(f"Test\tSensitivity\nA\t{cell}", "A")
    assert lines[0] == f"Sensitivity of A: {words}"


@pytest.mark.parametrize(
    "cell",
    [
        "16/20 (80 %)",
        "83 (19/23)",
        "82.6% (19/23)",
        "16 of 20",
        "0.94 (0.90–0.97)",
        "94 [90 to 97]",
        "0.94 (0.94, 0.97)",
        "0.85 [3, 5]",
        "100% (10/10)",
        "0.935 (29/31)",
    ],
)
def test_what_stands_beside_a_score_agrees_with_it(cell):
    assert statuses(f"Test\tSensitivity\nA\t{cell}")["A"] == "possible"


CLASSES = "class,precision,recall,f1\na,0.90,0.80,0.85\nb,0.80,0.90,0.85\nc,0.7,0.7,0.7\n"
TWO = "class,precision,recall\na,0.80,0.80\nb,0.80,0.80\n"


@pytest.mark.parametrize(
    ("text", "options", "status", "contradiction"),
    [
        # No weights of three classes give both: only the first two have a recall above 0.8.
        (f"{CLASSES}weighted avg,0.80,0.88,0.75\n", {}, "impossible", ("recall", "f1")),
        (f"{CLASSES}weighted avg,0.80,0.95,0.80\n", {}, "impossible", ("recall",)),
        (f"{CLASSES}weighted avg,0.80,0.80,0.80\n", {}, "possible", ()),
        # The accuracy is the recall by support; here it lies outside all recalls, or is another.
        (f"{CLASSES}accuracy,,,0.95\nweighted avg,0.8,0.8,0.8\n", {}, "impossible", ("accuracy",)),
        (f"{CLASSES}accuracy,,,0.80\nweighted avg,0.8,0.8,0.8\n", {}, "possible", ()),
        # F1 of averages is at most the harmonic mean of theirs, whatever is averaged.
        (f"{TWO}macro avg,0.80,0.80\n", {}, "possible", ()),
        (
            "class,precision,recall,f1\na,0.8,0.8,\nb,0.8,0.8,\nmacro avg,0.80,0.80,0.90\n",
            {},
            "impossible",
            ("recall", "precision", "f1"),
        ),
        (
            "m,Macro Precision,Macro Recall,Macro F1\nA,0.50,0.50,0.60\n",
            {"folds": 5, "averages": "fold-means"},
            "impossible",
            ("Macro Recall", "Macro Precision", "Macro F1"),
        ),
        # Weighted by class size the recall is the accuracy, where each object has one label.
        ("m,Accuracy,Recall\nA,0.80,0.70\n", {"average": "weighted"}, "impossible", None),
        ("m,Accuracy,Recall\nA,0.80,0.80\n", {"average": "weighted"}, "possible", ()),
        ("m,Accuracy,Weighted Recall\nA,0.80,0.70\n", {}, "not decided", None),
        ("m,Accuracy,F1\nA,0.50,0.70\n", {"average": "weighted"}, "impossible", None),
        # The balanced accuracy is the plain mean of recalls.
        (
            "m,Balanced accuracy,Macro Recall\nA,0.80,0.75\n",
            {"classes": (50, 30, 30)},
            "impossible",
            ("Balanced accuracy", "Macro Recall"),
        ),
        (
            "m,Balanced accuracy,Macro Recall\nA,0.80,0.80\n",
            {"classes": (50, 30, 30)},
            "possible",
            (),
        ),
    ],
)
def test_averages_over_classes_without_supports(text, options, status, contradiction):
    answers = check(text, Protocol(**options))
    worst = {answer.status for answer in answers.values()} - {"possible"}
    assert worst == {status} - {"possible"}, answers
    for answer in answers.values():
        if answer.status == "impossible":
            assert verify(answer.certificate)
            assert contradiction is None or answer.contradiction == contradiction


@pytest.mark.parametrize("seed", range(12))
def test_a_report_without_supports_refutes_nothing_of_a_real_matrix(seed):
    rng = np.random.default_rng(seed)
    true, predicted = drawn(rng, int(rng.integers(2, 6)), 60)
    rows = classification_report(true, predicted, output_dict=True, zero_division=0)
    lines = ["class,precision,recall,f1"]
    for label, cells in rows.items():
        only = label == "accuracy"
        shown = ["", "", cells] if only else [cells[n] for n in ("precision", "recall", "f1-score")]
        text = [f"{cell:.3f}" if cell != "" else "" for cell in shown]
        lines.append(",".join([label if label.strip("0123456789") else f"c{label}", *text]))
    assert "impossible" not in statuses("\n".join(lines)).values(), lines
