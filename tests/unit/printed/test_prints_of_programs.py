"""Prints of more programs and layouts, each as it holds and with a misprint: one of each kind."""

import runpy

import pytest

from checkout import ROOT
from opchar.printed import Protocol, check, read_table, shared_test_set
from opchar.printed.certificates import verify

STATED = runpy.run_path(str(ROOT / "benchmarks/real_rows.py"))["stated_by"]

# All are of TP 45, FN 5, FP 10, TN 90 if not said otherwise; {} is a score, the right one and a
# misprint are below, with the row that has it.
PRINTS = {
    "pROC: a row with a name under no heading": (
        "          threshold specificity sensitivity accuracy\n"
        "threshold      0.205   0.9000000   0.9000000 {}",
        "",
        ("0.9000000", "0.9300000"),
    ),
    "SAS: two headings of an interval, titles that name indices": (
        "Sensitivity and Specificity\n"
        "Statistic                  Estimate  Standard Error   95% Confidence Limits\n"
        "---------------------------------------------------------------------------\n"
        "Sensitivity                  0.9000     0.0424      0.8168     0.9832\n"
        "Specificity                  0.9000     0.0300      0.8412     0.9588\n"
        "Positive Predictive Value    {}     0.0520      0.7162     0.9202\n",
        "--positives 50 --negatives 100",
        ("0.8182", "0.8128"),
    ),
    "SPSS: a column of what is correct": (
        "                 Classification Table(a)\n                              Predicted\n"
        "                         Disease            Percentage\n"
        "      Observed         No         Yes           Correct\n"
        "Step 1   Disease   No    90         10            90.0\n"
        "                   Yes   5          45            {}\n"
        "         Overall Percentage                      90.0\n",
        "",
        ("90.0", "95.0"),
    ),
    "Orange: names between single blanks": (
        "Model               AUC    CA     F1     Prec   Recall MCC\n"
        "Logistic Regression 0.965  0.900  0.857  0.818  0.900 {}",
        "--positives 50 --negatives 100",
        ("0.783", "0.873"),
    ),
    "KNIME: decimal commas and question marks": (
        "Row ID;True Positives;False Positives;True Negatives;False Negatives;Recall;Sensitivity\n"
        "a;45;10;90;5;{};0,9\nOverall;?;?;?;?;?;?",
        "",
        ("0,9", "0,95"),
    ),
    "MATLAB: classperf": (
        "NumberOfObservations: 150\nCorrectRate: 0.9000\nErrorRate: 0.1000\nSensitivity: 0.9000\n"
        "Specificity: 0.9000\nPositivePredictiveValue: 0.8182\nPrevalence: {}",
        "",
        ("0.3333", "0.3833"),
    ),
    "PyTorch: floats of single precision": (  # of TP 42, FN 8, FP 5, TN 45
        "{{'accuracy': 0.8700000047683716, 'precision': 0.8936170339584351, "
        "'recall': 0.8399999737739563, 'f1': {}}}",
        "--average class",
        ("0.8659793734550476", "0.8659893870353699"),
    ),
    "yardstick: one index under two names": (
        "1 sens   binary 0.900\n2 spec   binary 0.900\n3 recall binary 0.900\n4 j_index binary {}",
        "",
        ("0.800", "0.900"),
    ),
    "scikit-learn: arrays of folds": (
        "{{'fit_time': array([0.01]), 'test_accuracy': array([{}]), 'test_recall': array([0.9]), "
        "'test_specificity': array([0.9])}}",
        "",
        ("0.9", "0.7"),
    ),
    "LaTeX: a size in the caption, marks of footnotes": (
        "\\begin{{table}}\\caption{{Test set ($n = 150$).}}\n\\begin{{tabular}}{{lcc}}\n"
        "Method & Acc. & Spec. \\\\\nkNN\\footnotemark[1] & \\num{{{}}} & 0.90 \\\\\n"
        "\\end{{tabular}}\\end{{table}}",
        "",
        ("0.900", "0.910"),
    ),
    "a model card": (
        "| Metric | Value |\n|---|---|\n| Accuracy | {} |\n| Recall | 0.900 |\n\n"
        "Evaluated on 150 examples.",
        "",
        ("0.900", "0.910"),
    ),
    "other languages": (
        "Modelo;Acurácia;Sensibilidade;Especificidade\nA;{};90,0%;90,0%",
        "",
        ("90,0%", "93,0%"),
    ),
    "validation and test side by side": (
        "Model,Val acc,Val sensitivity,Val specificity,Test acc,Test sensitivity,Test specificity\n"
        "A,0.950,0.940,0.970,{},0.900,0.900",
        "",
        ("0.900", "0.950"),
    ),
    "internal and external sets in brackets": (
        "| Model | Acc (internal) | Sens (internal) | Spec (internal) | Acc (external) |\n"
        "|---|---|---|---|---|\n| A | {} | 0.90 | 0.90 | 0.70 |",
        "",
        ("0.900", "0.930"),
    ),
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
    assert "Kappa lies from" in found.arithmetic[1]
    counted = check(read_table("Precision,F1\n0.45,0.25"), Protocol(21, one_class=True))
    assert "no whole number" in counted["row 1"].arithmetic[1]


def test_rows_of_a_stated_test_set_have_its_standard_error():
    table = read_table("Model,Accuracy\nA,0.900\nB,0.902\nC,0.920")
    found = shared_test_set(table, STATED("--objects 1000")[0])
    assert found.stated
    assert found.error == pytest.approx((0.9 * 0.1 / 1000) ** 0.5)
    assert ("A", "B", "the standard error") in found.alike
    assert not any({"A", "C"} == set(pair[:2]) for pair in found.alike)
