"""Scores beside a printed matrix: right whichever side is named, refuted once one changes."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.printed import Protocol, check, verify

MATRICES = (Path(__file__).parent / "layouts/matrices.txt").read_text(encoding="utf-8")
CASES = {
    part.partition("\n")[0]: part.partition("\n")[2].partition("\n%%%\n")[0]
    for part in f"\n{MATRICES}".split("\n%%% ")[1:]
}
RECALLS = ("80.00%", "80.0%", "0.8000", "0.80", " 80.0")


@pytest.mark.parametrize("name", CASES)
def test_a_matrix_has_its_scores(name):
    answer, *shares = check(CASES[name]).values()
    assert {one.status for one in shares} <= {"possible"}
    assert (answer.status, answer.witness) == ("possible", {"tp": 80, "fn": 20, "fp": 10, "tn": 90})


@pytest.mark.parametrize("name", CASES)
def test_a_changed_recall_is_refuted(name):
    printed = next(text for text in RECALLS if text in CASES[name])
    changed = check(CASES[name].replace(printed, printed.replace("80", "77"), 1)).values()
    (answer,) = (one for one in changed if one.status == "impossible")
    assert verify(answer.certificate)


AVERAGES = {
    "F of the averaged precision and recall": ("0.650,0.600,0.624,100", "possible"),
    "precision of all objects together": ("0.530,0.600,0.563,100", "not decided"),
    "plain means": ("0.650,0.600,0.502,100", "possible"),
    "a total under sizes, a mean under scores": ("0.650,0.600,0.502,200", "possible"),
    "no F of anything": ("0.650,0.600,0.720,100", "impossible"),
    "a precision above all": ("0.950,0.600,0.735,100", "impossible"),
}


@pytest.mark.parametrize("name", AVERAGES)
def test_an_average_may_be_of_scores_or_of_all_objects(name):
    cells, status = AVERAGES[name]
    table = "Class,Precision,Recall,F1,Images\ncat,0.900,0.300,0.450,100\ndog,0.400,0.900,0.554,100"
    assert check(f"{table}\nAverage,{cells}")["Average"].status == status


def test_scores_of_all_objects_have_weights_of_their_own():
    table = "Data,Accuracy,Recall\nA,.558,.238\nB,.827,.789\nC,.788,.750\nD,.981,.959"
    # The accuracy is by chance the plain mean; the recall is weighed by the positives.
    assert check(f"{table}\nAverage,.788,.763")["Average"].status == "not decided"
    assert check(f"{table}\nAverage,.788,.963")["Average"].status == "impossible"


def test_a_heading_of_two_meanings_asks_with_the_meanings_it_may_have(tmp_path, capsys):
    from opchar.cli import main

    path = tmp_path / "table.csv"
    path.write_text("Class,Precision,Recall,Samples\ncat,0.80,0.75,40\ndog,0.76,0.81,37\n")
    main(["check", str(path)])
    said = capsys.readouterr().out
    assert "Samples (objects or positives? A line 'Samples,objects' in the file of --taken" in said


MICRO = {
    "Model,Accuracy,Micro-F1\nA,0.62,0.75": "not decided",
    "Model,Micro precision,Micro recall,Micro F1\nA,0.70,0.81,0.75": "not decided",
    "Model,Micro precision,Micro recall,Micro F1\nA,0.70,0.81,0.85": "impossible",
    "Model,Accuracy,F1,Precision,Recall,F1 (micro)\nA,0.62,0.75,0.70,0.81,0.75": "not decided",
}


@pytest.mark.parametrize("table", MICRO)
def test_micro_averages_of_several_labels_are_no_accuracy(table):
    assert check(table)["A"].status == MICRO[table]


def test_a_row_that_sums_up_others_is_not_refuted_beside_a_micro_average():
    table = (
        "Model,Micro-F1,Accuracy,Sensitivity,Specificity\nA,.75,.90,.70,.80\nTotal,.75,.90,.70,.80"
    )
    assert [one.status for one in check(table).values()] == ["impossible", "not decided"]


def test_micro_averages_of_one_label_are_the_accuracy():
    assert check(next(iter(MICRO)), Protocol(average="micro"))["A"].status == "impossible"


def test_what_was_left_out_stands_in_the_headline(capsys):
    from opchar.cli import main

    main(["check", str(Path(__file__).parent / "corpus/own-pycm-summary.txt")])
    said = capsys.readouterr().out
    assert "1 line or cell was not read." in said.splitlines()[0]
    assert "not read: FPR Macro " in said


STATA = """Classified |   D   ~D  | Total
-----------+-----------+------
     +     |  {tp}   {fp} |  {called}
     -     |  {fn}   {tn} |  {rest}
-----------+-----------+------
   Total   |  {p}    {n}  |  {total}

Sensitivity                     Pr( +| D)   {recall:.2f}%
Positive predictive value       Pr( D| +)   {precision:.2f}%"""
UNSIDED = """Confusion matrix:
{tp} {fp}
{fn} {tn}
Recall: {recall:.2f}%
Precision: {precision:.2f}%"""
WEKA = """                 Precision  Recall  Class
                 {precision:.2f}    {recall:.2f}    yes
                 {npv:.2f}    {tnr:.2f}    no

=== Confusion Matrix ===

  a  b   <-- classified as
 {tp}  {fn} |  a = yes
 {fp} {tn} |  b = no"""
SIDED = """| | Predicted positive | Predicted negative |
|---|---|---|
| Actual positive | {tp} | {fn} |
| Actual negative | {fp} | {tn} |

Precision: {precision:.2f}%, Recall: {recall:.2f}%"""


NAMED = """      yes  no
yes  {tp}  {fn}
no   {fp}  {tn}

Precision: {precision:.2f}%, Recall: {recall:.2f}%"""
COMMAS = """,yes,no
yes,{tp},{fn}
no,{fp},{tn}

Precision,{precision:.2f}%
Recall,{recall:.2f}%"""


@pytest.mark.parametrize("layout", [STATA, UNSIDED, WEKA, SIDED, NAMED, COMMAS])
@given(counts=st.lists(st.integers(1, 3000), min_size=4, max_size=4))
@settings(max_examples=25, deadline=None)
def test_counts_of_any_size_have_their_scores(layout, counts):
    tp, fn, fp, tn = counts
    text = layout.format(
        **{"tp": tp, "fn": fn, "fp": fp, "tn": tn, "p": tp + fn, "n": fp + tn},
        **{"called": tp + fp, "rest": fn + tn, "total": sum(counts)},
        recall=100 * tp / (tp + fn),
        precision=100 * tp / (tp + fp),
        tnr=100 * tn / (tn + fp),
        npv=100 * tn / (tn + fn),
    )
    answer = next(iter(check(text).values()))
    assert answer.status == "possible"
    assert answer.witness == dict(zip(("tp", "fn", "fp", "tn"), counts, strict=True))


PAIRED = """| | Without | With | {name} |
|---|---|---|---|
| Sensitivity | 85.0% (102/120) | 92.5% (111/120) | .01 |
| Specificity | 80.0% (144/180) | 82.8% (149/180) | .40 |
| NPV | 88.9% (144/162) | 94.3% (149/158) | .08 |"""


@pytest.mark.parametrize("name", ["p", "P value (McNemar)", "Difference", "χ²", "Change"])
def test_a_column_of_tests_or_differences_is_no_row_of_scores(name):
    assert {a.status for a in check(PAIRED.format(name=name)).values()} == {"possible"}


@pytest.mark.parametrize("rule", ["  ", ",", " | "])
@pytest.mark.parametrize(("printed", "status"), [("0.874", "possible"), ("0.873", "impossible")])
def test_rows_with_the_names_of_the_columns_are_a_matrix(rule, printed, status):
    """31550 / 36113, in any order of the sides, as scikit-learn gives it."""
    rows = [["", *"abc"], ["a", 50, 3, 2], ["b", 4, 40, 6], ["c", 1, 5, 60]]
    lines = [rule.join(map(str, row)) for row in rows]
    (answer,) = check("\n".join([*lines, "", f"Macro F1: {printed}"])).values()
    assert answer.status == status


SEVERAL = "        cat dog bird\ncat      40   4   2\ndog       3  25   6\nbird      1   5  14\n\n"


@pytest.mark.parametrize("title", ["Confusion matrix (rows: actual)\n", "Confusion matrix\n"])
@pytest.mark.parametrize(
    ("score", "value", "turned"),
    [("kappa", 0.6708, 0.6708), ("MCC", 0.6713, 0.6713), ("balanced accuracy", 0.7683, 0.7602),
     ("BER", 0.2317, 0.2398), ("macro recall", 0.7683, 0.7602), ("macro precision", 0.7602, 0.7683)]
)  # fmt: skip
def test_scores_of_a_matrix_of_several_classes(title, score, value, turned):
    """They were taken for scores of two classes, or not decided, though the matrix has them."""
    for printed in (value, turned, value + 0.02):
        (answer,) = check(f"{title}{SEVERAL}{score}: {printed:.3f}").values()
        possible = printed == value or (printed == turned and "rows" not in title)
        assert answer.status == ("possible" if possible else "impossible")
