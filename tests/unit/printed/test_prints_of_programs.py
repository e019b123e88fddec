"""Prints of more programs and layouts, each as it holds and with a misprint: one of each kind."""

import runpy

import pytest

from checkout import ROOT
from opchar.cli import main
from opchar.printed import Protocol, check, read_table, shared_test_set
from opchar.printed.certificates import verify
from opchar.printed.rewritten import as_table

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
    "reportROC: intervals in columns": (
        "  Cutoff   AUC AUC.SE AUC.low AUC.up P   ACC   SEN SEN.low SEN.up   SPE   PPV   NPV\n"
        "1  0.205 0.931  0.022   0.888  0.974 0 0.900 0.900   0.817  0.983 0.900 {} 0.947",
        "",
        ("0.818", "0.868"),
    ),
    "reportROC: an end below its score": (
        "  Cutoff   AUC AUC.SE AUC.low AUC.up P   ACC   SEN SEN.low SEN.up\n"
        "1  0.205 0.931  0.022   0.888  0.974 0 0.900 {}   0.817  0.983",
        "",
        ("0.900", "0.990"),
    ),
    "mlr3: names of a task before the index": (
        "        classif.acc classif.sensitivity classif.specificity \n"
        "          {}           0.9000000           0.9000000 ",
        "",
        ("0.9000000", "0.9300000"),
    ),
    "cutpointr: two tables": (
        "   AUC   n n_pos n_neg\n 0.930 150    50   100\n\n"
        " optimal_cutpoint sum_sens_spec    acc sensitivity specificity tp fn fp tn\n"
        "                2        1.8000 {}      0.9000      0.9000 45  5 10 90",
        "",
        ("0.9000", "0.9267"),
    ),
    "Stata: roctab with details": (
        "                                           Correctly\n"
        "Cutpoint      Sensitivity   Specificity   Classified          LR+          LR-\n"
        "------------------------------------------------------------------------------\n"
        "( >= 1 )          100.00%         0.00%       33.33%       1.0000\n"
        "( >= 2 )           90.00%        90.00%       {}       9.0000       0.1111",
        "",
        ("90.00%", "93.00%"),
    ),
    "Stata: the odds ratio of diagt": (
        "Sensitivity                      Pr(+|A)        90%    78.2%     96.7%\n"
        "Specificity                      Pr(-|N)        90%    82.4%     95.1%\n"
        "Likelihood ratio (+)     Pr(+|A)/Pr(+|N)       9.00     4.97      16.3\n"
        "Odds ratio                   LR(+)/LR(-)       {}     26.2     251.\n"
        "[95% Confidence Interval]\n",
        "--positives 50 --negatives 100",
        ("81.0", "71.0"),
    ),
    "SAS: counts under headings of their own": (
        "                Correct        Incorrect                Percentages\n"
        "       Prob          Non-          Non-           Sensi-  Speci-  False  False\n"
        "      Level  Event  Event  Event  Event  Correct  tivity  ficity   POS    NEG\n\n"
        "      0.400     47     80     20      3     84.7    94.0    80.0   29.9    3.6\n"
        "      0.500     45     90     10      5     90.0    {}    90.0   18.2    5.3",
        "",
        ("90.0", "92.0"),
    ),
    "SAS: predictive values": (
        "                Correct        Incorrect                 Percentages\n"
        "  Prob            Non-            Non-             Sensi-  Speci-    Pos    Neg\n"
        " Level   Event   Event   Event   Event  Correct    tivity  ficity   Pred   Pred\n"
        " 0.500      45      90      10       5     90.0      90.0    90.0   {}   94.7",
        "",
        ("81.8", "88.1"),
    ),
    "MedCalc: likelihood ratios by their signs": (
        "Criterion\tSensitivity\t95% CI\tSpecificity\t95% CI\t+LR\t-LR\n"
        ">3.5\t90.00\t78.2 - 96.7\t90.00\t82.4 - 95.1\t{}\t0.11",
        "",
        ("9.00", "8.00"),
    ),
    "SPSS: an area and its limits below two headings": (
        "Area Under the Curve\nTest Result Variable(s): marker\n"
        "Area\tStd. Error^a\tAsymptotic Sig.^b\tAsymptotic 95% Confidence Interval\n"
        "\t\t\tLower Bound\tUpper Bound\n{}\t.022\t.000\t.888\t.974\n"
        "a. Under the nonparametric assumption",
        "",
        (".931", ".981"),
    ),
    "scikit-learn: four arrays": (
        "(array([0.94736842, 0.81818182]), array([0.9, 0.9]), array([0.92307692, {}]), "
        "array([100,  50]))",
        "",
        ("0.85714286", "0.95714286"),
    ),
    "two scores in one cell": ("Model,F1/Accuracy,P/R\nA,85.7/90.0,{}/90.0", "", ("81.8", "71.8")),
    "two data sets with two scores in one cell": (
        "| Model | MRPC (F1/Acc) | QQP (F1/Acc) |\n|---|---|---|\n| A | 85.7/90.0 | {}/80.0 |",
        "--average class --positives 50 --negatives 100",
        ("61.5", "96.5"),
    ),
    "names and numbers between bars": ("acc {} | sens 0.90 | spec 0.90", "", ("0.90", "0.95")),
    "pycm: averages among the overall statistics": (
        "F1 Macro                 {}\nOverall ACC              0.9\n\nClass Statistics :\n\n"
        "Classes                  0             1\n"
        "ACC(Accuracy)            0.9           0.9\n"
        "F1(F1 score)             0.92308       0.85714\n"
        "FN(Miss)                 10            5\nFP(False alarm)          5             10\n"
        "TN(True negative)        45            90\nTP(True positive)        90            45\n",
        "",
        ("0.89011", "0.87011"),
    ),
    "SN and SP": ("Dataset,#pos,#neg,ACC,SN,SP\nD,50,100,{},90.0,90.0", "", ("90.0", "92.0")),
    "remote sensing": (
        "Class\tProducer's accuracy\tUser's accuracy\tF1\nWater\t90.0\t81.8\t{}",
        "",
        ("85.7", "92.7"),
    ),
    "detection rate and false alarms": (
        "Class,DR (%),FAR (%),Accuracy (%)\nDoS,90.0,10.0,{}",
        "",
        ("90.0", "93.0"),
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
