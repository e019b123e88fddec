"""Prints of more programs and layouts, each as it holds and with a misprint: one of each kind."""

import runpy
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.cli import main
from opchar.printed import Protocol, check, read_table, shared_test_set
from opchar.printed.certificates import verify
from opchar.printed.prints import as_table

STATED = runpy.run_path(str(ROOT / "benchmarks/real_rows.py"))["stated_by"]

# All are of TP 45, FN 5, FP 10, TN 90 if not said otherwise; {} is a score. Below the name stand
# options, and the right score and a misprint.
PARTS = (Path(__file__).parent / "prints.txt").read_text(encoding="utf-8").split("%%% ")[1:]
PRINTS = {
    name: (text.removesuffix("\n"), options, scores.split(" -> "))
    for name, options, scores, text in (part.split("\n", 3) for part in PARTS)
}


def statuses(text, options):
    protocol, taken = STATED(options)
    found = check(read_table(text, taken), protocol)
    for answer in found.values():
        assert answer.status != "impossible" or verify(answer.certificate)
    return [answer.status for answer in found.values()]


@pytest.mark.parametrize("name", PRINTS)
def test_a_print_is_read_and_its_misprint_refuted(name):
    text, options, (right, wrong) = PRINTS[name]
    assert set(statuses(text.format(right), options)) == {"possible"}
    assert statuses(text.format(wrong), options).count("impossible") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Model,Val acc,Test acc,Sensitivity,Specificity\nA,0.950,0.900,0.90,0.90",
        "Class,Sensitivity,Specificity,Accuracy,n\nA,0.90,0.95,0.933,50\nB,0.80,0.90,0.867,50",
        "Table 3. Three-class results.\nModel,Accuracy,Sensitivity,Specificity\nA,79.0,82.0,90.0",
        "Model,Accuracy,AUC,Recall\nridge,0.7670,0.0000,0.5497",
        "Model,Accuracy,Sensitivity,Specificity\nx,0.9,0.9,0.9\nmax,0.95,0.91,0.92\nstd,0.1,0.2,0.1",
        "Model,Macro sensitivity,Macro specificity,Accuracy\nA,0.8333,0.9167,0.8333",
        "Model,Precision,Recall,F1\nA,0.91,0.89,0.90\nB,0.93,0.92,0.925\nΔ,+0.02,+0.03,+0.6",
        "  Class  Images  Instances  Box(P     R   mAP50  mAP50-95): 100%|###| 4/4 [00:04<00:00]\n"
        "    all     128        929  0.640 0.537   0.605     0.446\n"
        "bicycle     128          6  0.514 0.351   0.315     0.264",
        "Results of 10-fold cross-validation\nModel,Precision,Recall,F1\nA,0.905,0.92,0.90",
        "Reader,Recall rate,Sensitivity,Specificity,Accuracy\nA,0.085,0.85,0.920,0.919",
        "  .metric   .estimator  mean     n std_err .config\n"
        "  <chr>     <chr>      <dbl> <int>   <dbl> <chr>\n"
        "1 f_meas    binary     0.805    10 0.00711 Preprocessor1_Model1\n"
        "2 precision binary     0.738    10 0.00711 Preprocessor1_Model1\n"
        "3 recall    binary     0.900    10 0.00711 Preprocessor1_Model1",
        "epoch 10 | train_loss 0.23 | val_loss 0.31 | val_acc 0.89 | val_f1 0.88",
        "Marker,Odds ratio,Sensitivity,Specificity\nper year,1.05,0.80,0.70",
        "Data,A,B,t\niris,.80 ± .04,.70 ± .05,9.7",
        "TN(True negative)   45   90\nTP(True positive)   90   45\nTPR(Recall)   0.9   0.9",
    ],
)
def test_what_has_another_meaning_is_not_refuted(text):
    assert "impossible" not in statuses(text, "")


def test_a_matrix_alone_is_read_as_counts():
    text = """
│              Ground Truth               │
│Predicted│   no    │   yes   │
│   no    │   90    │    5    │
│   yes   │   10    │   45    │
"""
    (answer,) = check(read_table(text)).values()
    assert answer.witness == {"tp": 45, "fn": 5, "fp": 10, "tn": 90}


def test_a_refutation_by_cases_names_each_case():
    table = read_table("Kappa,Accuracy,Sensitivity\n0.75,0.90,0.60")
    found = check(table, Protocol(one_class=True))["row 1"]
    assert found.status == "impossible"
    assert "if precision is at most" in found.arithmetic[1]
    assert "Kappa then lies from" in found.arithmetic[1]
    counted = check(read_table("Precision,F1\n0.45,0.25"), Protocol(21, one_class=True))
    assert "no whole number" in counted["row 1"].arithmetic[1]


@pytest.mark.parametrize(
    ("row", "low", "high"),
    [  # the roots by hand: .905 / 1.095, 2 x .805 - 1 ..., sqrt(.805 / 1.195), sqrt(.305)
        ("Accuracy,MCC\n0.90,0.85", "-0.05540897", "0.826484"),
        ("F1,MCC\n0.80,0.85", "-0.205", "0.8207559"),
        ("Recall,MCC\n0.30,0.80", "-1", "0.5522681"),
        ("Sensitivity,Specificity,MCC\n0.80,0.85,0.70", "0", "0.6614717"),
    ],
)
def test_a_bound_of_the_correlation_is_one_formula(row, low, high):
    found = check(read_table(row), Protocol(one_class=True))["row 1"]
    assert found.status == "impossible" and verify(found.certificate)
    assert f"from {low} to {high}" in found.arithmetic[1]
    assert "MCC" in found.arithmetic[1].partition(":")[0]


def test_many_cases_of_a_proof_are_summed_up():
    table = read_table("Accuracy,F1,MCC\n90.0,80.0,80.3")
    found = check(table, Protocol(one_class=True))["row 1"]
    # Accuracy .9 and F1 .8 leave TP .2 of all: FN + FP is .1, and MCC is at most .7977.
    assert "in each MCC is at most 0.797" in found.arithmetic[1]


SPLIT = {"row 1": {"accuracy": "0.90", "f1": "0.85"}, "val": {"accuracy": "0.80", "f1": "0.70"}}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("accuracy: 0.90\nf1: 0.85\nval_accuracy: 0.80\nval_f1: 0.70", SPLIT),
        ("accuracy: 0.90 val_accuracy: 0.80\nf1: 0.85 val_f1: 0.70", SPLIT),
        ("           0   Baseline\nRecall  90   85", {"Recall": {"0": "90", "Baseline": "85"}}),
        (
            "| Model | STS (F1/Acc) | QQP (F1/Acc) |\n|---|---|---|\n| A | 85/90 | 77/80 |",
            {"A STS": {"F1": "85", "Acc": "90"}, "A QQP": {"F1": "77", "Acc": "80"}},
        ),
    ],
)
def test_rows_and_names_are_read(text: str, rows: dict) -> None:
    found = read_table(text).rows.items()
    assert {label: {h: cell.text for h, cell in row.items()} for label, row in found} == rows


def test_of_the_lines_above_a_table_of_sas_its_headings_are_left_out() -> None:
    text = as_table("Cohort A\n" + PRINTS["SAS: counts under headings of their own"][0])
    assert text.split()[:7] == ["Cohort", "A", "Prob", "TP", "TN", "FP", "FN"]


def test_hints_name_neither_what_was_typed_nor_what_is_read(capsys, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("AUC,AUC.SE,SE,P,Threshold,Sensitvity\n.9,.02,.01,.04,.5,.8\n")
    main(["check", str(path)])
    said = capsys.readouterr().out
    assert said.count("did you mean") == 1
    assert "Sensitvity (no index (did you mean 'sensitivity'?))" in said
    path.write_text("Model,Recall,Recall,Kapqa,Acc\nA,.9,.8,.7,.85\n")
    main(["check", str(path)])
    said = capsys.readouterr().out
    assert "Recall' (again true positive rate, with other values)" in said
    assert "did you mean 'kappa'" in said  # 4 of 5 letters are just enough


def test_rows_of_a_stated_test_set_have_its_standard_error():
    table = read_table("Model,Accuracy\nA,0.900\nB,0.902\nC,0.920")
    found = shared_test_set(table, STATED("--objects 1000")[0])
    assert found.stated
    assert found.error == pytest.approx((0.9 * 0.1 / 1000) ** 0.5)
    assert ("A", "B", "the standard error") in found.alike
    assert not any({"A", "C"} == set(pair[:2]) for pair in found.alike)
