"""Tables that people reported, with the right answers, and ten more of each kind."""

import csv
import re
import runpy
import shlex
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.cli import main
from opchar.printed import check, read_table
from opchar.printed.certificates import verify

COMMAND = runpy.run_path(str(ROOT / "benchmarks/real_rows.py"))

REPORT = """                  precision    recall  f1-score   support
         class 0       0.50      1.00      0.67         1
         class 1       0.00      0.00      0.00         1
         class 2       1.00      0.67      0.80         3
        accuracy                           0.60         5
       macro avg       0.50      0.56      0.49         5
    weighted avg       0.70      0.60      0.61         5
"""
LOG = "Accuracy: 0.825\nPrecision: 0.170\nRecall: 0.645\nF1: 0.269\nAUC: 0.803\n"
ROW = "Accuracy,Precision,Recall,F1,AUC\n0.825,0.170,0.645,0.269,0.803"

# name: table, options, what is said of the rows: a word, or counts of the only matrix
REPORTED = {
    "an ordinary row": ("Precision,Recall,F1\n91.20,91.40,91.30", "", "possible"),
    "a study of 2,403": (
        "Study,TP,FP,FN,TN,sensitivity,specificity\nS9,923,324,57,1099,0.942,0.772",
        "",
        "possible",
    ),
    "500 positives": ("Model,Sensitivity,PPV\nA,0.90,0.80", "--positives 500", "possible"),
    "500 positives in a column": (
        "Model,positives,Sensitivity,PPV\nA,500,0.90,0.80",
        "",
        "possible",
    ),
    "462 of 493": ("Model,Accuracy\nA,0.93712", "", "possible"),
    "a rare class": ("Accuracy,Sensitivity,Specificity\n99.95,98.21,99.97", "", "possible"),
    "a report": (REPORT, "", "possible"),
    "a report, with classes and average stated": (
        REPORT,
        "--classes 1,1,3 --average macro",
        "possible",
    ),
    "a report with micro and samples": (
        "              precision    recall  f1-score   support\n\n"
        "           0       0.67      1.00      0.80         2\n"
        "           1       1.00      0.50      0.67         2\n"
        "           2       1.00      1.00      1.00         1\n\n"
        "   micro avg       0.80      0.80      0.80         5\n"
        "   macro avg       0.89      0.83      0.82         5\n"
        "weighted avg       0.87      0.80      0.79         5\n"
        " samples avg       0.80      0.80      0.80         5\n",
        "",
        "possible",
    ),
    "an old report": (
        "             precision    recall  f1-score   support\n\n          a       0.90      0.90"
        "      0.90      8521\n          b       0.93      0.92      0.93     11724\n\n"
        "avg / total       0.91      0.91      0.91     20245\n",
        "",
        "possible",
    ),
    "caret's detection rate": (
        "Model,Accuracy,Kappa,Detection Rate,Specificity\nglm,0.8327,0.4576,0.1046,0.9410",
        "--positives 119 --negatives 407",
        "possible",
    ),
    "caret, names and values": (
        "Statistic,Value\nAccuracy,0.8327\nKappa,0.4576\nDetection Rate,0.1046\n"
        "Sensitivity,0.4622\nSpecificity,0.9410",
        "--objects 526",
        {"tp": 55, "fn": 64, "fp": 24, "tn": 383},
    ),
    "indices in rows, with intervals": (
        "| Index | Value | 95% CI |\n|---|---|---|\n| Sensitivity | 54.0% | 40.4%–67.0% |\n"
        "| Specificity | 84.7% | 73.5%–91.8% |\n| Prevalence | 45.9% | 36.8%–55.2% |\n"
        "| Positive predictive value (PPV) | 75.0% | 58.9%–86.2% |\n"
        "| Negative predictive value (NPV) | 68.5% | 57.3%–77.9% |\n"
        "| Positive likelihood ratio (LR+) | 3.54 | 1.8–6.8 |\n"
        "| Negative likelihood ratio (LR−) | 0.54 | 0.40–0.74 |\n"
        "| Correct classification | 70.6% | 61.5%–78.4% |",
        "--objects 109",
        {"tp": 27, "fn": 23, "fp": 9, "tn": 50},
    ),
    "SE and P are no scores": (
        "Marker,AUC,SE,P,Sensitivity,Specificity\nA,0.72,0.033,0.001,0.81,0.44",
        "",
        "possible",
    ),
    "cases are the positives": (
        "Cohort,Cases,Controls,Sensitivity,Specificity\nTest,25,40,0.84,0.925",
        "",
        "possible",
    ),
    "formulas in headings": (
        "| Methods | TP | TN | FP | FN | Precision [TP/(TP + FP)] | Specificity [TN/(TN + FN)] |\n"
        "| I | 16 | 30 | 03 | 01 | 84% | 96% |",
        "",
        "impossible",
    ),
    "a zero cell": ("TP,FN,FP,TN,PLR,NLR,DOR\n41,2,0,7,15.1,0.06,249.0", "", "possible"),
    "no zero cell": ("TP,FN,FP,TN,PLR,NLR,DOR\n65,5,1,9,9.3,.08,117", "", "possible"),
    "four rates of 860": (
        "Sensitivity,Specificity,PPV,NPV\n69.9,99.3,95.6,93.7",
        "--objects 860",
        {"tp": 109, "fn": 47, "fp": 5, "tn": 699},
    ),
    "LR+ of another row": ("Sensitivity,Specificity,LR+,P\n0.95,0.13,1.06,<.001", "", "impossible"),
    "23 errors of 10,000": ("m,Accuracy\nMNIST CNN,99.77", "", "possible"),
    "four counts alone": ("m,TP,TN,FP,FN\nA,36,658,297,9", "", "possible"),
    "accuracy above both rates": (
        "Accuracy,Sensitivity,Specificity\n0.895,0.88,0.87",
        "",
        "impossible",
    ),
    "F1 above its bound": ("Precision,Recall,F1\n34.0,12.5,29.4", "", "impossible"),
    "F0.5 below both": ("Precision,Recall,F0.5\n85.5%,85.5%,0.71", "", "impossible"),
    "29 of 31": ("Set,Sensitivity\ntest,93.6 (29/31)", "", "impossible"),
    "16 of 20": ("Set,Sensitivity\ntest,16/20 (85%)", "", "impossible"),
    "16 of 20, right": ("Set,Sensitivity\ntest,16/20 (80%)", "", "possible"),
    "19 of 23": ("Set,Sensitivity\ntest,78 (19/23)", "", "impossible"),
    "an estimate outside its interval": (
        "Set,Sensitivity\ntrain,0.955 (0.926−0.949)",
        "",
        "impossible",
    ),
    "lines of a log": (LOG, "--positives 200 --negatives 3800", "possible"),
    "the commonest row": (ROW, "--positives 200 --negatives 3800", "possible"),
    "short names": ("Sen,Spe,Youden index\n0.90,0.80,0.70", "", "possible"),
    "a footnote mark": ("Precision,Recall,F1 scoreǂ\n0.50,0.50,0.50", "", "possible"),
    "a legend below": (
        "Author | TP | FP | FN | TN | Sensitivity (%)\nCha | 6 | 6 | 0 | 9 | 100\n"
        "TP: true positive; FP: false positive; TN: true negative; FN: false negative.",
        "",
        "possible",
    ),
    "1 - Specificity": (
        "Cut-off,Sensitivity,1 - Specificity,Youden\n3,0.90,0.20,0.70",
        "",
        "possible",
    ),
    "rows between that are no index": (
        "| Sensitivity | 54.0% |\n| n | 109 |\n| Cut-off | 3.5 |\n| P value | 0.003 |\n"
        "| Specificity | 84.7% |\n| Prevalence | 45.9% |",
        "--positives 50 --negatives 59",
        "possible",
    ),
    "macro and mean of F": (
        "precision: 0.1296\nrecall: 0.77197\nf1: 0.3508",
        "--average macro",
        "impossible",
    ),
}


def answers(text, options):
    protocol, taken = COMMAND["stated_by"](options)
    return check(read_table(text, taken), protocol)


@pytest.mark.parametrize("name", REPORTED)
def test_a_reported_table_is_answered_right(name):
    text, options, right = REPORTED[name]
    found = answers(text, options)
    assert found
    for label, answer in found.items():
        if isinstance(right, dict):
            assert answer.status == "possible" and answer.witness == right and answer.only
        else:
            assert answer.status == right, (label, answer)
        if right == "impossible":
            assert verify(answer.certificate)


SIZES = "--positives 100 --negatives 200"
# of TP 90, FN 10, FP 30, TN 170: PPV is 0.750; each layout with and without a misprint of it
TEN = {
    "names with two meanings": [
        ("Test,n,P,N,SE,SP,PPV\nA,300,100,200,0.900,0.850,{}", ""),
        ("Marker,AUC,SE,P-value,Sens,Spec,PPV\nA,0.91,0.02,0.001,0.900,0.850,{}", SIZES),
        ("Model,Cases,Controls,Sens.,Spec.,PPV\nA,100,200,0.900,0.850,{}", ""),
        ("Model,Positives,Negatives,TPR,TNR,PPV\nA,100,200,0.900,0.850,{}", ""),
        ("Model,k,Sensitivity,Specificity,PPV\nkNN,5,0.900,0.850,{}", SIZES),
        ("Score,r,Sensitivity,Specificity,PPV\nA,0.61,0.900,0.850,{}", SIZES),
        ("Model,P,R,Acc\nA,{},0.900,0.867", SIZES),
        ("Model,Sensitivity,Specificity,Detection Rate,PPV\nA,0.900,0.850,0.300,{}", SIZES),
        ("Test;N;Se;Sp;PPV\nA;300;0,900;0,850;{}", ""),
        ("Test | Sens | Spec | PPV | p\nA | 0.900 | 0.850 | {} | 0.03", SIZES),
    ],
    "indices in rows": [
        ("Measure,Value\nSensitivity,0.900\nSpecificity,0.850\nPPV,{}\nPrevalence,0.333", ""),
        (
            "| | A |\n|---|---|\n| n | 300 |\n| Sensitivity | 0.900 |\n| Specificity | 0.850 |\n"
            "| PPV | {} |\n| Cut-off | 3.5 |",
            SIZES,
        ),
        ("Statistic\tA\nCut-off\t3.5\nSensitivity\t0.900\nSpecificity\t0.850\nPPV\t{}", SIZES),
        ("Index;Test\nAUC;0.91\nSensitivity;0.900\nSpecificity;0.850\nPPV;{}", SIZES),
        (
            "Parameter,Result,95% CI\nSensitivity,0.900,0.82-0.95\nSpecificity,0.850,0.79-0.90\n"
            "PPV,{},0.66-0.83",
            SIZES,
        ),
        ("metric,model\naccuracy,0.867\nrecall,0.900\nprecision,{}\nthreshold,0.5", SIZES),
        (
            "True positives,90\nFalse negatives,10\nFalse positives,30\nTrue negatives,170\n"
            "Positive predictive value,{}",
            "",
        ),
        ("TP,90\nFP,30\nFN,10\nTN,170\nPrecision,{}", ""),
        (
            "Sensitivity    0.900\nSpecificity    0.850\nPPV            {}\nP value        <0.001",
            SIZES,
        ),
        ("Quantity | A\nYouden index | 0.750\nSensitivity | 0.900\nPPV | {}", SIZES),
    ],
    "names and values": [
        ("Sensitivity: 0.900\nSpecificity: 0.850\nPPV: {}\n", SIZES),
        ("Sensitivity = 0.900\nSpecificity = 0.850\nPPV = {}\n", SIZES),
        ("- Recall: 0.900\n- Specificity: 0.850\n- Precision: {}\n", SIZES),
        ("* Recall: **0.900**\n* Specificity: **0.850**\n* Precision: **{}**\n", SIZES),
        ("recall        : 0.900\nspecificity   : 0.850\nprecision     : {}\n", SIZES),
        ("recall=0.900, specificity=0.850, precision={}", SIZES),
        ("{{'recall': 0.900, 'specificity': 0.850, 'precision': {}}}", SIZES),
        ('{{"recall": 0.900, "specificity": 0.850, "precision": {}}}', SIZES),
        ("Recall\t0.900\nSpecificity\t0.850\nPrecision\t{}\n", SIZES),
        ("test_recall: 0.900\ntest_specificity: 0.850\ntest_precision: {}\n", SIZES),
    ],
    "formulas and marks in headings": [
        ("Test,TP,FN,FP,TN,PPV [TP/(TP+FP)]\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,PPV (TP/(TP+FP))\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,PPV (95% CI)\nA,90,10,30,170,{} (0.66-0.83)", ""),
        ("Test,TP,FN,FP,TN,PPV†\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,PPV*\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,Positive predictive value (PPV)\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,Pos Pred Value\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,PPV value\nA,90,10,30,170,{}", ""),
        ("Test,TP (n),FN (n),FP (n),TN (n),PPV\nA,90,10,30,170,{}", ""),
        ("Test,TP,FN,FP,TN,Precision (PPV)\nA,90,10,30,170,{}", ""),
    ],
    "shares with their counts": [
        ("Test,PPV\nA,90/120 ({})", ""),
        ("Test,PPV\nA,{} (90/120)", ""),
        ("Test,PPV\nA,{} [90/120]", ""),
        ("Test,PPV\nA,90/120 = {}", ""),
        ("Test,PPV\nA,90 of 120 ({})", ""),
        ("Test,PPV\nA,{} (90 of 120)", ""),
        ("Test,PPV\nA,90/120; {}", ""),
        ("Test | Positive predictive value\nA | {} (90/120)", ""),
        ("Test | PPV (n/N)\nA | {} (90/120)", ""),
        ("PPV: {} (90/120)\n", ""),
    ],
}


@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind in TEN for number in range(len(TEN[kind]))]
)
def test_ten_layouts_of_each_kind_are_read_and_judged(kind, number):
    text, options = TEN[kind][number]
    for printed, right in (("0.750", "possible"), ("0.650", "impossible")):
        found = answers(
            text.format(printed.replace(".", ",") if ";0," in text else printed), options
        )
        assert [answer.status for answer in found.values()] == [right], found


def test_each_case_of_the_reviews_has_a_test():
    """`reviewed.csv` names, for each case, the table here, a test beside it, or the corpus."""
    here = Path(__file__).parent
    with (here / "reviewed.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    tests = "".join(path.read_text(encoding="utf-8") for path in here.glob("test_*.py"))
    index = COMMAND["index"]()
    files = set(index["file"])
    for row in rows:
        table, test, file = row["table"], row["test"], row["corpus"]
        assert table or test or file, row
        assert not table or table in REPORTED, row
        assert not test or f"def {test}(" in tests, row
        assert not file or file in files, row
    assert {"1", "3", "5", "6", "8", "9", "16", "17"} <= {row["case"] for row in rows}


def test_the_examples_of_the_page_are_true(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    blocks = re.findall(
        r"```console\n\$ cat (\S+)\n(.*?)\n\$ (opchar .*?)\n(.*?)```", page, re.DOTALL
    )
    assert blocks
    for name, table, command, output in blocks:
        (tmp_path / name).write_text(table + "\n", encoding="utf-8")
        assert main(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out == output
