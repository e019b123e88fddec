"""What headings name: footnotes, formulas, short names behind long ones, two meanings."""

import pytest

from opchar.errors import DataError
from opchar.printed import check, read_table
from opchar.printed.headings import heading_meaning


@pytest.mark.parametrize(
    ("heading", "meant"),
    [
        ("Precision [TP/(TP + FP)]", "precision"),
        ("Accuracy [(TP + TN)/(TP + TN + FP + FN)]", "accuracy"),
        ("F1 scoreǂ", "f1"),
        ("Accuracy value", "accuracy"),
        ("TP, n", "tp"),
        ("Sen (lower-upper)", "tpr"),
        ("Sens, n/N (%)", "tpr"),
        ("1 − Specificity", "fpr"),
        ("Pos Pred Value", "precision"),
        ("Youden index", "youden"),
        ("Positive predictive value (PPV)", "precision"),
        ("Likelihood ratio positive (LR+)", "positive_likelihood"),
        ("LR (−)", "negative_likelihood"),
        ("Sensitivity, % (95% CI)", "tpr"),
        ("Sensitivity                     Pr( +| D)", "tpr"),
        ("False + rate for classified +", "false_discovery_rate"),
        ("TPR(Sensitivity, recall, hit rate, or true positive rate)", "tpr"),
        ("J(Jaccard index)", "jaccard"),
        ("F1(F1 score - harmonic mean of precision and sensitivity)", "f1"),
        ("eval_f1", "f1"),
        ("Test accuracy (%)", "accuracy"),
        ("F0.5-score", "f_beta 0.5"),
        ("Recall (macro)", "macro_recall"),
        # Of another class, set, or operating point; or no index.
        ("Recall (negative)", None),
        ("Accuracy (train)", None),
        ("Specificity at 95% sensitivity", None),
        ("AUPR(Area under the PR curve)", None),
        ("Precision@10", None),
        ("P value", None),
        ("Mean accuracy", None),
    ],
)
def test_what_a_heading_names(heading, meant):
    assert heading_meaning(heading) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Marker,AUC,SE,P,Sensitivity,Specificity\nA,0.72,0.033,0.001,0.81,0.44",
        "Cohort,Cases,Controls,Sensitivity,Specificity\nTest,25,40,0.84,0.925",
        "Model,Accuracy,Kappa,Detection Rate,Specificity\nglm,0.8327,0.4576,0.1046,0.9410",
        "Model,Size,Accuracy\nA,110,0.8512",
        "Model,Correct,Recall\nA,412,0.8",
        "Site,TP,FP,FN,TN,N\nA,5,2,1,10,25",
        "k,Accuracy,Recall\n5,0.80,0.75",
        "Study,Cases,Sensitivity\nA,25,0.837",
        "Reader,P,N\nA,20,50",
        "Model,Acc,Prec,Instances\nA,.853,.71,7",
    ],
)
def test_a_heading_with_two_meanings_refutes_nothing(text):
    assert {answer.status for answer in check(read_table(text)).values()} != {"impossible"}


def test_a_plain_name_wins_whatever_the_order():
    for names in (("SE", "Sensitivity"), ("Sensitivity", "SE")):
        cells = {"SE": "0.03", "Sensitivity": "0.81"}
        text = f"{','.join(names)},Specificity\n{','.join(cells[one] for one in names)},0.9"
        taken = read_table(text).taken
        assert (taken["SE"], taken["Sensitivity"]) == ("", "tpr")


def test_corrections_answer_a_question():
    table = read_table("M,P\nA,0.8", {"P": ("precision", "")})
    assert table.taken["P"] == "precision" and table.questions == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("%PDF-1.7 abc", "this is a PDF; copy the table out of it as text"),
        ("PK\x03\x04 abc", "this is a workbook or archive"),
        ("\x89PNG\r\n", "this is a picture"),
        ("Model Acc F1\nA .85 .18 .3 .4", "5 cells under 3 headings; set columns off by commas"),
    ],
)
def test_what_cannot_be_read_names_the_cure(text, said):
    with pytest.raises(DataError, match=said):
        read_table(text)
