"""Prints of papers that were refuted, or whose numbers were passed over without a word."""

import pytest

from opchar.cli import main
from opchar.printed import Protocol, check, read_table, verify
from opchar.printed.margins import shares_of, sums_of

CUT_REPORT = """              precision    recall  f1-score   support
           0       0.95      0.90      0.92       100
           1       0.82      0.90      0.86        50
...
    accuracy                           0.88      1000
   macro avg       0.91      0.89      0.90      1000
weighted avg       0.90      0.88      0.89      1000"""
TWO_MODELS = """Model A
[[50 3 2]
 [4 40 6]
 [1 5 39]]
accuracy 0.860
kappa 0.790

Model B
[[45 6 4]
 [6 36 8]
 [3 7 35]]
accuracy 0.773
kappa 0.659"""


@pytest.mark.parametrize(
    "text",
    [
        CUT_REPORT,
        TWO_MODELS,
        "specificity sensitivity youden\n0.90 0.90 1.80",  # pROC's is a sum
        "Model,Sensitivity (%),95% CI\nA,90.0,0.78-0.97",  # other units: of another score
        "Model,AUC,Difference,95% CI\nA,0.93,0.03,0.01-0.05",
        "Train:\n[[360 40]\n [20 180]]\nAccuracy: 0.900\n\n"
        "Test:\n[[90 10]\n [15 35]]\nAccuracy: 0.833",
        "| | Test A | Test B |\n|---|---|---|\n| TP | 45 | 87 |\n| FP | 10 | 14 |\n"
        "| FN | 5 | 26 |\n| TN | 90 | 173 |\n| Sensitivity | 90 | 77.0 |\n"
        "| Specificity | 90 | 92.5 |",
    ],
)
def test_a_true_print_is_not_refuted(text: str) -> None:
    assert "impossible" not in {one.status for one in check(text).values()}


def test_averages_of_classes_that_are_left_out_are_not_asked() -> None:
    found = check(CUT_REPORT)
    assert "the classes have 150 objects, not 1000" in found["macro avg"].reason
    # More objects than the report has are no cut.
    more = check(CUT_REPORT.replace("1000", "140"))["macro avg"]
    assert more.status == "impossible" and verify(more.certificate)


def test_each_model_is_beside_its_own_matrix() -> None:
    found = read_table(TWO_MODELS.replace("3, 4", "3"))
    assert list(found.rows) == ["Model A", "Model B"]
    first = "A\naccuracy: 0.900\n[[90 10]\n [5 45]]\n"
    first += "B\naccuracy: 0.867\nrecall: 0.700\n[[95 5]\n [15 35]]"
    for right, status in (("0.867", "possible"), ("0.887", "impossible")):
        one, other = check(first.replace("0.867", right)).values()
        assert (one.status, other.status) == ("possible", status)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Model,Accuracy\nA,0.90\nB,0.91\n\nRecall of model C was 0.813.", "Recall of model C was"),
        ("Model,Sensitivity (%),95% CI\nA,90.0,0.78-0.97", "0.78-0.97"),
        ("Accuracy: 0.90\n\n  0.10   0.20   0.31", "  0.10   0.20   0.31"),
    ],
)
def test_numbers_that_are_not_read_are_named(text: str, line: str) -> None:
    assert any(line in one for one in read_table(text).unread)


def test_what_was_read_is_not_named() -> None:
    text = "Table 1. 95% CI, p < 0.05, n = 150\nModel Accuracy\nA 0.900\nB 0.913"
    assert read_table(text).unread == ()


def test_other_numbers_as_suspect_are_named(tmp_path, capsys) -> None:
    """By hand: 50 positives have a recall of .90, 55 have not; the accuracy then is 135 of 150."""
    path = tmp_path / "t.csv"
    path.write_text("Model,Positives,Negatives,Recall,Accuracy\nC,55,100,0.900,0.900\n")
    main(["check", str(path), "--page", str(tmp_path / "page.html")])
    said = capsys.readouterr().out
    assert said.startswith("Under the assumptions below, the row cannot come from one test set.")
    assert "contradiction: Recall; as suspect: Positives" in said
    assert (tmp_path / "page.html").read_text().count('<td class="in">') >= 2


def test_micro_averages_are_of_one_sum_of_counts() -> None:
    """By hand: 2 x .899 x .832 / 1.731 = .864."""
    rows = (
        "Class,Precision,Recall,F1,Support\ndog,0.833,0.800,0.816,50\nbird,0.830,0.867,0.848,45\n"
    )
    for micro, status in (("0.832,0.832,0.832", "possible"), ("0.899,0.832,0.832", "impossible")):
        assert check(f"{rows}micro avg,{micro},95")["micro avg"].status == status


def test_shares_are_of_what_most_fit() -> None:
    counts, names = ((90, 10), (5, 45)), ("no", "yes")
    own = shares_of([[["90%", "10%"]], [["10%", "95%"]]], counts, names, names)
    assert [of for *_, of in own] == [(90, 100), (10, 100), (5, 50), (45, 50)]
    assert shares_of([[["1%", "2%"]], [["3%", "4%"]]], counts, names, names) == ()
    assert shares_of([[["90%"]], [["10%"]]], counts, names, names) == ()
    assert sums_of([[95, 55, 150]], counts, names) == ()
    assert [printed.text for _, _, printed, _ in sums_of([[95, 55, 160]], counts, names)] == [
        "95",
        "55",
        "160",
    ]


def test_an_f_above_one_is_no_average_either() -> None:
    found = check(read_table("Model,Accuracy,F1\nA,83.0,82.1\nB,72.5,169.5"), Protocol())
    assert found["B"].status == "impossible"
