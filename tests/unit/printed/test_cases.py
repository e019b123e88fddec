"""Rows that people printed, and asked about, each with its right answer."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from opchar.cli import main
from opchar.printed import Protocol, check, infer, read_table, shared_test_set, verify
from opchar.printed.words import in_counts

STUDIES = """| Study | TP | FP | FN | TN | sensitivity | specificity |
|---|---|---|---|---|---|---|
| S3 | 9 | 7 | 1 | 37 | 0.9 | 0.837 |
| S4 | 26 | 38 | 4 | 216 | 0.866 | 0.85 |
| S7 | 172 | 106 | 10 | 322 | 0.944 | 0.752 |
| S9 | 923 | 324 | 57 | 1,099 | 0.942 | 0.772 |
| S10 | 126 | 80 | 18 | 353 | 0.875 | 0.815 |
"""


def answers(text, **stated):
    found = check(read_table(text), Protocol(**stated))
    for answer in found.values():
        if answer.status == "impossible":
            assert verify(answer.certificate)
    return found


def only(text, **stated):
    return next(iter(answers(text, **stated).values()))


def test_four_printed_counts_judge_the_scores_beside_them():
    found = answers(STUDIES)
    holds = {label: answer.status == "possible" for label, answer in found.items()}
    assert holds == {"S3": False, "S4": False, "S7": False, "S9": True, "S10": True}
    assert found["S7"].contradiction == ("sensitivity",)
    assert "172/182 = 0.9450549" in found["S7"].arithmetic[1]
    assert found["S3"].contradiction == ("specificity",)
    assert "37/44" in found["S3"].arithmetic[1]
    assert "digits were cut" in found["S4"].hints[0]
    assert not found["S7"].hints
    assert only(STUDIES.replace("| S3 | 9", "| S4 | 9"), rounding="cut").status == "impossible"
    assert answers(STUDIES, rounding="cut")["S4"].status == "possible"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("m,Accuracy\nMNIST CNN,99.77", {}),
        ("m,Accuracy\nA,0.93712", {}),
        ("m,Accuracy,Sensitivity,Specificity\nA,99.95,98.21,99.97", {}),
        ("m,Precision,Recall,F1\nA,91.20,91.40,91.30", {}),
        ("m,Sensitivity,PPV\nA,0.90,0.80", {"positives": 500}),
        ("m,positives,Sensitivity,PPV\nA,500,0.90,0.80", {}),
        ("m,TP,TN,FP,FN\nA,36,658,297,9", {}),
        ("m,TP,TN,FP,FN\nA,767,1,2,767", {}),
        (
            "m,Accuracy,Precision,Recall,F1,AUC\nA,0.825,0.170,0.645,0.269,0.803",
            {"positives": 200, "negatives": 3800},
        ),
        ("m,Sensitivity,Specificity\nA,0.84,0.925", {"positives": 25, "negatives": 40}),
        ("m,TP,TN,FP,FN,Precision,Recall\nA,3,5,1,0,0.75,1.0", {}),
        ("m,Precision,Recall\nA,0.9120000000000001,0.9099999999999999", {}),
        ("m,Accuracy,Kappa,Specificity\nglm,0.8327,0.4576,0.9410", {}),
    ],
)
def test_rows_that_hold(text, stated):
    assert only(text, **stated).status == "possible"


@pytest.mark.parametrize(
    ("text", "contradiction", "words"),
    [
        (
            "m,Accuracy,Sensitivity,Specificity\nA,.895,.88,.87",
            ("Accuracy", "Sensitivity", "Specificity"),
            "accuracy lies between",
        ),
        ("m,Recall,F1\nA,12.5,29.4", ("Recall", "F1"), "2R / (1 + R)"),
        (
            "m,Sensitivity,Specificity,LR+\nA,.95,.13,1.06",
            ("Sensitivity", "Specificity", "LR+"),
            "from 1.08 to 1.104",
        ),
        ("m,Precision,Recall,F0.5\nA,.5,.6,.7", None, "F0.5 then lies from"),
        ("m,TP,TN,FP,FN,NPV\nA,36,658,297,9,.5", ("NPV",), "658/667"),
        ("m,TN,FN,NPV\nA,767,5,.5", ("NPV",), "767/772"),
        ("m,TP,FN,Recall\nA,3,0,0.00%", ("Recall",), "3/3"),
        ("m,TN,FP,FPR\nA,90,10,.2", ("FPR",), "0.1"),
        ("m,TP,FP,FN,F1\nA,8,2,1,.9", ("F1",), "0.8421053"),
        ("m,Balanced accuracy,Sensitivity\nA,.85,.60", None, "from 0.2975 to 0.8025"),
    ],
)
def test_rows_that_hold_for_no_size(text, contradiction, words):
    found = only(text)
    assert found.status == "impossible" and contradiction in (None, found.contradiction)
    assert words in " ".join(found.arithmetic)


def test_the_commonest_row_is_decided_with_its_area():
    row = "m,Accuracy,Precision,Recall,F1,AUC\nA,0.825,0.170,0.645,0.269,{}"
    sizes = {"positives": 200, "negatives": 3800}
    assert only(row.format("0.803"), **sizes).status == "possible"
    # The point is TPR .645, FPR .166: no curve through it has an area above 0.942.
    found = only(row.format("0.960"), **sizes)
    assert found.status == "impossible" and "AUC" in found.contradiction


def test_half_an_object_is_added_where_a_count_is_zero():
    text = "m,TP,FN,FP,TN,PLR,NLR,DOR\nA,41,2,0,7,{},0.06,249.0\nB,65,5,1,9,9.3,.08,117"
    found = answers(text.format("15.1"))
    assert found["A"].status == found["B"].status == "possible"
    assert "half an object" in found["A"].hints[0]
    assert not found["B"].hints
    assert answers(text.format("25.1"))["A"].status == "impossible"


def test_the_only_matrix_is_said_to_be_the_only_one():
    row = "m,Sensitivity,Specificity,PPV,NPV\nA,54.0,84.7,75.0,68.5"
    found = only(row, objects=109)
    assert found.witness == {"tp": 27, "fn": 23, "fp": 9, "tn": 50}
    assert found.only
    assert not only("m,Sensitivity\nA,54.0", objects=109).only


def test_digits_tell_how_many_objects_there_are_at_least():
    assert only("m,Accuracy\nA,0.93712").least_objects == 493
    assert only("m,Sensitivity\nA,0.91").least_objects == 12
    found = only("m,Sensitivity\nA,0.80", negatives=7)
    assert found.witness["fp"] + found.witness["tn"] == 7
    assert found.least_objects == 5 + 7
    found = only("m,Accuracy,Sensitivity,Specificity\nA,99.95,98.21,99.97")
    assert found.status == "possible" and sum(found.witness.values()) >= 2914


def test_what_ran_out_is_said():
    found = only("m,Accuracy,Brier,AUC,AUPREC\nA,.8,.2,.9,.8", positives=20, negatives=80)
    assert found.status == "not decided" and "only bounds are known" in found.reason
    found = only("Precision,Recall,Accuracy,F1\n.62,.74,.91,.55", folds=7, averages="fold-means")
    assert found.status == "not decided" and "state positives" in found.reason


def test_averages_are_not_taken_for_one_matrix():
    report = """              precision    recall  f1-score   support

     class 0       0.50      1.00      0.67         1
     class 1       0.00      0.00      0.00         1
     class 2       1.00      0.67      0.80         3

    accuracy                           0.60         5
   macro avg       0.50      0.56      0.49         5
weighted avg       0.70      0.60      0.61         5
"""
    assert {answer.status for answer in answers(report).values()} == {"possible"}
    alone = read_table(report[: report.index("   macro")].replace("0.60         5", "0.60"))
    assert alone.stated == {"objects": 5}
    wrong = answers(report.replace("0.49", "0.69"))
    assert wrong["macro avg"].status == "impossible"


def test_one_test_set_of_all_rows_and_what_it_cannot_tell_apart():
    printed = ["22.4", "27.2", "52.0", "31.2", "29.6", "41.6"]
    table = read_table("Model,Accuracy (%)\n" + "\n".join(f"m{p},{p}" for p in printed))
    found = shared_test_set(table, Protocol())
    assert found.objects[:3] == [125, 250, 375]
    assert found.every_from <= 1000
    assert found.error == pytest.approx((0.224 * 0.776 / 125) ** 0.5)
    assert ("m31.2", "m29.6", "the standard error") in found.alike
    assert len(infer(table, Protocol(), draws=0).left) == 6
    assert infer(table, Protocol(), {}, draws=0).objects[:4] == [125, 250, 375, 500]
    stated = {"objects": 125}, {"classes": (25, 100)}, {"folds": 5, "averages": "fold-means"}
    for one in ({"positives": 25, "negatives": 100}, *stated):
        assert infer(table, Protocol(**one), {}, draws=0).objects == []
    found = shared_test_set(read_table("m,Acc\nA,.93\nB,.925\nC,.60"), Protocol(objects=40))
    assert found.alike == (("A", "B", "one object"),)  # both are 37 of 40


def test_two_hundred_folds_refute_no_f1():
    found = only("m,F1\nA,29.4", folds=200, averages="fold-means")
    assert found.status == "possible" and len(found.witness) == 200
    assert in_counts(found.witness).count("TP") < 5


def test_the_least_shared_test_set_of_two_decimals():
    # 313, 336, 296, 361, 321 and 332 of 541, the size that was found by trying 1 to 15,000.
    printed = ["57.86", "62.11", "54.71", "66.73", "59.33", "61.37"]
    table = read_table("Model,Accuracy\n" + "\n".join(f"m{p},{p}" for p in printed))
    assert shared_test_set(table, Protocol()).objects[:2] == [541, 1082]


def test_the_command_fails_on_what_it_is_told_to(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("m,Recall,F1\nA,12.5,29.4\nB,12.5,20.0\n", encoding="utf-8")
    assert main(["check", str(table)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "Under the assumptions below, 1 of 2 rows cannot come from one test set: A.\n"
    )
    assert "assumed: digits are rounded" in said
    assert main(["check", str(table), "--fail-on", "impossible", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["rows"]["A"]["certificate"]["kind"] == "shares"
    assert found["stated"] == []
    table.write_text("m,Recall,F1\nB,12.5,20.0\n", encoding="utf-8")
    page = tmp_path / "page.html"
    told = ["check", str(table), "--fail-on", "not-decided", "--page", str(page)]
    assert main(told) == 0
    text = page.read_text(encoding="utf-8")
    assert all(part in text for part in (f"opchar check {table}", "<title>t.csv", "viewport"))
    main(told)
    assert page.read_text(encoding="utf-8") == text


@given(st.lists(st.integers(0, 400), min_size=4, max_size=4), st.sets(st.integers(0, 3)))
def test_scores_of_some_counts_are_never_refuted_where_they_hold(cells, left_out):
    """Whatever counts are printed beside the scores that these have."""
    tp, fn, fp, tn = cells
    of = {"Recall": (tp, tp + fn), "Precision": (tp, tp + fp), "Specificity": (tn, tn + fp)}
    of |= {"NPV": (tn, tn + fn), "F1": (2 * tp, 2 * tp + fn + fp)}
    row = {name: f"{a / b:.3f}" for name, (a, b) in of.items() if b}
    names = ("TP", "FN", "FP", "TN")
    row |= {names[k]: str(cells[k]) for k in range(4) if k not in left_out}
    assume(len(row) > len(names) - len(left_out) and tp + fn and fp + tn)
    text = "m," + ",".join(row) + "\nA," + ",".join(row.values())
    assert only(text).status != "impossible"


@pytest.mark.parametrize(
    "text",
    [
        "Method,Internal (n=200) Acc,External (n=150) Acc\nCNN,89.0,88.7",
        "Method,Train Acc (n=500),Test Acc (n=150)\nCNN,95.4,88.7",
        "Method,Internal (n=200) Acc,Internal (n=200) Sens\nCNN,89.0,83.9",
        "Averaged over seeds (n = 5).\n\nModel,Acc,Sens,Spec\nX,89.0,83.9,91.0",
        "Means over runs (n = 10).\n\nModel,Acc\nX,89.3",
        "Mean of 10 repetitions, n=10.\n\nModel,Acc\nX,89.3",
        "Models were trained on 333 patients (100 positive, 233 negative).\n\n"
        "Model,Acc,Sens,Spec\nX,89.0,83.9,91.0",
        "Model,n,FN rate,Sensitivity,Specificity\nA,200,16,83.9,91.0",
        "Model,n,FN rate,Accuracy\nA,20,40,65",
    ],
)
def test_sizes_of_other_sets_and_of_repeats_refute_nothing(text):
    assert {answer.status for answer in check(text).values()} <= {"possible", "not decided"}


def test_the_size_of_the_test_set_is_read_beside_that_of_training():
    told = "Table 3. Training set: n = 800; test set: n = 200.\n\nModel,Acc\nA,89.2"
    assert {answer.status for answer in check(told).values()} == {"impossible"}
