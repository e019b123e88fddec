"""Printed numbers and tables as people have them; the command line."""

import json
import os
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import pytest

from opchar import __version__
from opchar.cli import main
from opchar.errors import DataError
from opchar.printed import Protocol, check, read_table
from opchar.printed.headings import heading_meaning, known_headings
from opchar.printed.numbers import Printed, read_number
from opchar.printed.words import term


@pytest.mark.parametrize(
    ("cell", "text", "spread"),
    [
        ("85.3 ± 1.2", "85.3", "1.2"),
        (".853 (.012)", ".853", ".012"),
        ("**0.91**", "0.91", ""),
        (r"\textbf{85.3} $\pm$ 1.2", "85.3", "1.2"),
        ("85.3%", "85.3", ""),
        ("−0.12", "-0.12", ""),
        ("0.91†", "0.91", ""),
        ("1e-3", "1e-3", ""),
    ],
)
def test_cells_as_people_write_them(cell, text, spread):
    found = read_number(cell)
    assert (found.text, found.spread) == (text, spread)


def test_headings_of_words_with_gaps_of_one_blank():
    one = read_table("Model Balanced accuracy F1 score\nA .826 .299\nRandom forest .830 .302")
    assert one.columns == ("Balanced accuracy", "F1 score")
    assert list(one.rows) == ["A", "Random forest"]
    two = read_table("Model Acc P R\nBERT-base 85.0 18.4 80.0\nGPT 2 85.2 18.8 80.0")
    assert two.columns == ("Acc", "P", "R") and two.rows["GPT 2"]["P"].text == "18.8"
    with pytest.raises(DataError, match="has 3 cells under 4 headings"):
        read_table("Model Acc P R\nA .85 .18\nB .85 .19 .8")


def test_a_table_with_indices_in_rows_is_turned():
    table = read_table("Metric,SVM,RF\n**Accuracy** (%),85.0,85.1\nRecall,0.800,-")
    assert table.columns == ("Accuracy (%)", "Recall") and list(table.rows) == ["SVM", "RF"]
    assert table.rows["RF"]["Accuracy (%)"].text == "85.1"


def test_captions_counts_and_single_signs_of_percent():
    text = "Table 3. Results of 10 folds\n\nModel,Sens,PPV\nA,16/20 (80%),0.18\nB,0.75,16/87 (!)"
    table = read_table(text)
    assert table.rows["A"]["Sens"].percent and table.units["Sens"] == "fraction"
    assert check(table, Protocol(20, 480))["A"].status == "possible"
    assert table.unread == ("16/87 (!)",)


def test_what_is_no_number_is_none():
    assert [read_number(cell) for cell in ("", "n/a", "-", "SVM 2", "1.2.3")] == [None] * 5


@pytest.mark.parametrize("digits", [0, 1, 3])
def test_limits_hold_what_is_printed_so(digits):
    unit = Decimal(1).scaleb(-digits)
    for number in range(-1500, 1500, 7):
        value = Decimal(number) / 997
        for rounding, mode in (("nearest", ROUND_HALF_EVEN), ("cut", ROUND_DOWN)):
            low, high = Printed(str(value.quantize(unit, rounding=mode))).limits(rounding)
            assert low <= Fraction(value) <= high
            assert high - low <= Fraction(unit)


@pytest.mark.parametrize(
    "text",
    [
        "Model,Accuracy (%),F1\nA,85.3 ± 1.2,.81\nB,80.0,.70",
        "Model;Accuracy (%);F1\nA;85.3 ± 1.2;.81\nB;80.0;.70",
        "| Model | **Accuracy** (%) | F1 |\n|---|:-:|--:|\n| A | **85.3** ± 1.2 | .81 |"
        "\n| B | 80.0 | .70 |",
        "Model  Accuracy (%)  F1\nA  85.3 ± 1.2  .81\nB  80.0  .70",
        "Model\tAccuracy (%)\tF1\nA\t85.3 (1.2)\t.81\nB\t80.0\t.70",
        r"Model & Accuracy (\%) & F1 \\"
        + "\n"
        + r"A & \textbf{85.3} $\pm$ 1.2 & .81 \\"
        + "\nB & 80.0 & .70",
    ],
)
def test_one_table_in_six_dresses(text):
    table = read_table(text)
    accuracy, f1 = table.columns
    assert [table.taken[name] for name in table.columns] == ["accuracy", "f1"]
    assert [table.units[name] for name in table.columns] == ["percent", "fraction"]
    assert table.rows["A"][accuracy].text == "85.3"
    assert table.rows["A"][accuracy].spread == "1.2"
    assert table.rows["B"][f1].text == ".70"


LATEX = r"""\begin{table}[t]
\begin{tabular}{l|cc}
\hline
& \multicolumn{2}{c}{Test} \\ \cmidrule(lr){2-3}
\textbf{Method} & \textbf{Acc. (\%)} & \textbf{Recall (\%)} \\
\midrule
SVM \cite{x} & $85.3_{\pm 1.2}$ & -- \\
kNN & \textbf{80.1} & 77.0 \\ \hline
\end{tabular}
\end{table}"""


@pytest.mark.parametrize(
    ("text", "headings", "cells"),
    [
        (LATEX, ["accuracy percent", "tpr percent"], ["85.3 1.2", "None", "80.1", "77.0"]),
        (
            "| Model | Acc ↑ | F1 ↑ |\n|:--|--:|--:|\n| **A** | **91.2**% | 0.90* |\n"
            "| B [12] | 88% | – |",
            ["accuracy percent", "f1 fraction"],
            ["91.2", "0.90", "88", "None"],
        ),
        (
            "Model\tAccuracy\tRecall\nLogistic (l2)\t85,3 %\t0,91\nForest\t87,1 %\t0,9",
            ["accuracy percent", "tpr fraction"],
            ["85.3", "0.91", "87.1", "0.9"],
        ),
        (
            "Modell;Acc;Recall\nA;0,853;0,81\nB;0,86;0,8",
            ["accuracy fraction", "tpr fraction"],
            ["0.853", "0.81", "0.86", "0.8"],
        ),
        (
            "Model  Accuracy  F1\nSVM  0.853a  0.81‡\nkNN  0.801b,c  0.77(1)",
            ["accuracy fraction", "f1 fraction"],
            ["0.853", "0.81", "0.801", "0.77"],
        ),
        (
            'M,Sens (95% CI),Spec (95% CI)\nA,"0.85 (0.80–0.90)","0.91 [0.88, 0.93]"\nB,.8,.9',
            ["tpr fraction", "tnr fraction"],
            ["0.85", "0.91", ".8", ".9"],
        ),
        (
            "Test\tSensitivity\tSpecificity\nPCR\t85.3% (64/75)\t90% (81/90)\nRapid\t80%\t99%",
            [
                "tpr percent",
                "tnr percent",
                *(f"{name} fraction" for name in ("tp", "fn", "fp", "tn")),
            ],
            ["85.3", "90", "64", "11", "9", "81", "80", "99", *["None"] * 4],
        ),
        (
            "| | Test | Test |\n|---|---|---|\n"
            "| Model | Accuracy | F1 |\n| A | 0.9 | 0.8¹ |\n| B | .8 | n.a. |",
            ["accuracy fraction", "f1 fraction"],
            ["0.9", "0.8", ".8", "None"],
        ),
        (
            "Table 3: Results on the test set.\nModel Accuracy F1\nSVM 0.85 0.81\nkNN 0.80 0.77",
            ["accuracy fraction", "f1 fraction"],
            ["0.85", "0.81", "0.80", "0.77"],
        ),
        (
            'Model,TP,TN\nA,"1,234","10,345"\nB,12,"1,000"',
            ["tp fraction", "tn fraction"],
            ["1234", "10345", "12", "1000"],
        ),
        (
            "Model  Accuracy  F1\n       (%)       (%)\n"
            "SVM    85.3      81.0\nkNN    80.1      77.2",
            ["accuracy percent", "f1 percent"],
            ["85.3", "81.0", "80.1", "77.2"],
        ),
        (
            "<table><tr><th>Model</th><th>Acc</th><th>MCC</th></tr><tr><td>A</td><td><b>0.9</b></td>"
            "<td>−0.12</td></tr><tr><td>B</td><td>.8</td><td>&minus;.3</td></tr></table>",
            ["accuracy fraction", "mcc fraction"],
            ["0.9", "-0.12", ".8", "-.3"],
        ),
    ],
)
def test_tables_as_they_are_found(text, headings, cells):
    table = read_table(text)
    assert [f"{table.taken[name]} {table.units[name]}" for name in table.columns] == headings
    found = [row.get(name) for row in table.rows.values() for name in table.columns]
    said = [f"{one.text} {one.spread}".strip() if one else "None" for one in found]
    assert said == cells


def test_of_columns_with_one_meaning_the_first_is_taken():
    table = read_table("Model,Accuracy,Accuracy\nA,.9,.8")
    assert dict(table.taken) == {"Accuracy": "accuracy", "Accuracy'": ""}
    same = read_table("Model,Sensitivity,Recall\nA,.90,.9\nB,.805,.81")
    assert dict(same.taken) == {"Sensitivity": "tpr", "Recall": "tpr"}


def test_corrections_replace_what_was_taken():
    table = read_table("A,B\n.5,.6", {"A": ("recall", ""), "B": ("-", "percent")})
    assert table.taken == {"A": "tpr", "B": ""}
    assert table.units == {"A": "fraction", "B": "percent"}
    with pytest.raises(DataError, match="no column 'C'"):
        read_table("A,B\n.5,.6", {"C": ("recall", "")})
    with pytest.raises(DataError, match="is no index"):
        read_table("A,B\n.5,.6", {"A": ("colour", "")})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no row"),
        ("Accuracy", "has no row"),
        ("A,B\n1,2,3,4", "4 cells under 2 headings"),
        ("M,Acc,F1\nA,.5,.6\nB,.5,.6,.7", "row 3 has 4 cells under 3 headings"),
        ("M,Acc\nA,1e999", "A, Acc: 1e999: no score is that large"),
        (f"M,Acc\nA,{'9' * 400}", "no score is that large"),
    ],
)
def test_a_table_that_cannot_be_read_is_said(text, said):
    with pytest.raises(DataError, match=said):
        read_table(text)


def test_one_number_that_is_no_score_changes_no_unit():
    assert read_table("M,Acc\nA,.5\nB,1e3").units == {"Acc": "fraction"}
    assert read_table("M,Acc\nA,50\nB,1e3").units == {"Acc": "percent"}


def test_the_command_says_prints_and_writes(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    table, taken, page = (tmp_path / name for name in ("t.csv", "taken.csv", "page.html"))
    table.write_text("Model,Score,Recall\n<b>A</b>,0.851,0.80\nB,0.852,0.80\n", encoding="utf-8")
    taken.write_text("column,taken for,unit\nScore,accuracy,fraction\n", encoding="utf-8")
    options = ["--positives", "20", "--objects", "500", "--taken", str(taken)]
    assert main(["check", str(table), *options, "--page", str(page)]) == 0
    said = capsys.readouterr().out
    assert "Score: accuracy, as a fraction" in said
    assert "Recall: true positive rate, as a fraction" in said
    assert "<li>Recall: true positive rate, as a fraction</li>" in page.read_text(encoding="utf-8")
    assert "B: possible" in said
    assert "contradiction: Score" in said
    assert f"OpChar {__version__}, 1970-01-01." in page.read_text(encoding="utf-8")
    assert '<td class="in">0.851</td>' in page.read_text(encoding="utf-8")
    assert 'http-equiv="Content-Security-Policy"' in page.read_text(encoding="utf-8")
    assert main(["check", str(table), *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["status"] for row in found["rows"].values()] == ["impossible", "possible"]
    assert main(["check", str(tmp_path / "none.csv")]) == 1
    assert "no such file" in capsys.readouterr().err


def test_indices_are_called_as_the_field_calls_them_and_never_by_a_code():
    called = {name: term(name) for name in [*known_headings(), "f_beta 2", "multiclass_accuracy"]}
    assert (called["tnr"], called["auprec"]) == ("true negative rate", "AUPRC")
    assert (called["f_beta 2"], called["macro_f1"], called["eer"]) == ("F2", "macro F1", "EER")
    assert [words for words in called.values() if "_" in words or words in ("tpr", "fpr")] == []
    # Those of a confusion matrix are understood by `--taken`, too.
    for name in ("tpr", "tnr", "fpr", "fnr", "precision", "npv", "posfrac", "mcc", "f_beta 2"):
        assert heading_meaning(called[name]) == name


def test_what_a_solver_prints_is_not_in_the_answer(tmp_path, monkeypatch, capfd):
    """As HiGHS 1.12 does in some searches."""

    def speaks(*given):
        os.write(1, b"HighsMipSolverData\n")
        return check(*given)

    table = tmp_path / "t.csv"
    table.write_text("Accuracy\n0.5\n", encoding="utf-8")
    monkeypatch.setattr("opchar.printed.check", speaks)
    assert main(["check", str(table), "--json"]) == 0
    said = capfd.readouterr()
    assert said.err == "HighsMipSolverData\n"
    assert json.loads(said.out)["rows"]["row 1"]["status"] == "possible"


def test_the_json_has_no_numbers_that_json_lacks(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("model,precision,recall,F1\nA,0.92,0.80,0.95\n", encoding="utf-8")
    assert main(["check", str(table), "--positives", "20", "--negatives", "30", "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found["sizes"]["error"] is None


def test_the_command_infers_what_is_not_stated(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("Model,F1\nA,.299\n", encoding="utf-8")
    main(["check", str(table), "--positives", "4", "--negatives", "96", "--infer"])
    assert "not tried: 5, 10 folds, which a class does not fill" in capsys.readouterr().out


def test_the_command_takes_parts_folds_and_rates(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("Data,Accuracy,MSU\nA,.20,.5\n", encoding="utf-8")
    assert main(["check", str(table), "--parts", "2+3,4+1"]) == 0
    said = capsys.readouterr().out
    assert "not checked: MSU (mean subjective utility)" in said
    assert "A: possible" in said
    table.write_text("True,A,B\nA,.4,.6\nB,.5,.5\n", encoding="utf-8")
    assert main(["check", str(table), "--confusion", "--classes", "3,4"]) == 0
    said = capsys.readouterr().out
    assert "A: impossible" in said
    assert "B: possible" in said
    with pytest.raises(SystemExit):
        main(["check", str(table), "--parts", "2-3"])


@pytest.mark.parametrize(
    "text",
    [
        "M,Accuracy,Recall,F1\n1,0.769,1.100,0.857\n2,0.615,0.444,0.615\n3,0.692,0.667,0.750",
        "M,Recall,Precision,F1\n1,85.2,0.5,0.99",
        "M,Recall,Precision,F1\n1,0.80,0.90,0.847\n2,80.0,90.0,84.7",
        "M,MCC,Recall,Specificity\n1,0.421,0.700,0.720\n2,42.1,0.700,0.720",
    ],
)
def test_a_unit_that_only_some_numbers_tell_refutes_nothing(text):
    """Recall 0.5 % beside 85.2, or a misprint of one cell, says nothing of the other rows."""
    table = read_table(text)
    assert table.guessed
    assert "impossible" not in {answer.status for answer in check(table).values()}


def test_what_no_unit_explains_is_refuted_where_units_are_mixed():
    text = "M,Recall,Precision,F1\n1,0.80,0.90,0.95\n2,80.0,90.0,84.7"
    statuses = [answer.status for answer in check(read_table(text)).values()]
    assert statuses[0] == "impossible" != statuses[1]
    said = "M,Recall (%),Precision (%),F1 (%)\n1,85.2,0.5,84.0"
    assert read_table(said).guessed == ()
    assert [each.status for each in check(read_table(said)).values()] == ["impossible"]
