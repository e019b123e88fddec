"""Rows and tables that few publications print, each for a branch that no other test takes."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from opchar.cli import main
from opchar.errors import DataError
from opchar.printed import Protocol, check, read_table
from opchar.printed.averages import Parts
from opchar.printed.certificates import Certificate, boxes_are_empty, verify
from opchar.printed.exact_indices import EXACT
from opchar.printed.matrices import Demand, smallest
from opchar.printed.mean_proofs import least_sum
from opchar.printed.sums import no_weights

MEANS = {"folds": 4, "averages": "fold-means"}
MACRO = {"classes": (5, 5, 5), "average": "macro"}
ENDS = Fraction(1, 10), Fraction(2, 10)

ROWS: list[tuple[str, dict[str, Any], str, str]] = [
    # An area is compared with curves through the point of the printed counts.
    ("TP,FN,FP,TN,AUC\n8,2,1,9,0.99", {}, "impossible", "AUC of these counts is that of no curve"),
    ("Acc,P\n'1.234,5','0,8'", {}, "impossible", "printed is 1234.5, that is 1234.45"),
    ("F1\n0.81", MACRO | MEANS | {"folds": 2}, "not decided", "did not end within its limits"),
    ("F1,P\n0.8123,0.77", MACRO | {"classes": (500, 500, 500)}, "not decided", "did not end"),
    ("F1\n0.9999", MACRO | {"classes": (7, 5, 3)}, "not decided", "finds no counts of the classes"),
    ("P,R,F1\n.2,.2,.9", MACRO, "impossible", "averages of any parts have F1 from 0.0"),
    ("kappa\n0.8", MACRO, "not decided", "is a score that a matrix"),
    ("micro_specificity\n0.8", MACRO | {"average": "micro"}, "possible", ""),
    (
        "P,R,Acc\n0.8,0.8,0.7",
        MEANS | {"positives": 12, "negatives": 12, "folding": "unknown"},
        "possible",
        "",
    ),
    ("P,R,Acc\n0.8,0.8,0.7", MEANS | {"objects": 24, "folding": "unknown"}, "possible", ""),
    ("P,R,Acc\n0.8,0.8,0.7", MEANS | {"most_objects": 40}, "possible", ""),
    ("Acc\n0.81", MEANS | {"positives": 5, "negatives": 6}, "not decided", "the solver finds no"),
    (
        "P,R,F1,AUC\n0.8,0.6,0.69,0.8",
        MEANS | {"positives": 20, "negatives": 20, "folds": 2, "f": "F of means"},
        "not decided",
        "AUC: only bounds are known",
    ),
    (
        "F1\n0.9",
        MEANS | {"positives": 20, "negatives": 20, "f": "F of means"},
        "not decided",
        "F1 is F of means that the row does not have",
    ),
    (
        "P,Acc\n0.8,0.7",
        MEANS | {"positives": 21, "negatives": 20, "folding": "unknown", "seconds": 1e-9},
        "not decided",
        "did not end within its limits",
    ),
    (
        "P,R,Acc\n.811,.822,.713",
        MEANS | {"positives": 24, "seconds": 1e-9},
        "not decided",
        "state positives and negatives",
    ),
    ("Acc\n0.85 ± 0.02", MEANS | {"objects": 4000, "folds": 10}, "possible", ""),
    ("Acc\n0.85714285714285714285714", {}, "possible", ""),
    (
        "Acc,kappa\n0.9,0.1",
        {"positives": 5000, "negatives": 5000},
        "impossible",
        "1002001 matrices fit",
    ),
    ("Acc,F1,t,P\n.8 ± .1,.7 ± .1,1.2,.7", MEANS | {"folds": 10}, "possible", ""),
]


@pytest.mark.parametrize(("text", "stated", "status", "said"), ROWS)
def test_a_row_has_its_status_and_its_reason(
    text: str, stated: dict[str, Any], status: str, said: str
) -> None:
    heading, row = text.replace("'", '"').split("\n")
    answer = check(f"Model,{heading}\nA,{row}", Protocol(**stated))["A"]
    assert answer.status == status
    assert said in " ".join([*answer.arithmetic, answer.reason])
    assert status != "impossible" or (answer.certificate and verify(answer.certificate))


def test_a_row_that_ends_before_its_spread_has_none() -> None:
    table = read_table("Model,F1,F1 std\nA,0.8,0.1\nB,0.7")
    assert {label: row["F1"].spread for label, row in table.rows.items()} == {"A": "0.1", "B": ""}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: read_table("[1, 2]"), "the table has no row"),
        (lambda: Protocol(parts=((0, 3),)), "each has a positive and a negative object"),
        (
            lambda: check(
                "M,Acc\nA,.8", Protocol(positives=4, negatives=90, **MEANS | {"folds": 5})
            ),
            "do not fill 5 folds",
        ),
        (
            lambda: read_table("M,Acc\nA,.8", {"Acc": ("accuracy", "permille")}),
            "'fraction' or 'percent', not 'permille'",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(given: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        given()


def test_a_file_that_is_no_text_or_no_correction_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, taken = tmp_path / "table.csv", tmp_path / "taken.csv"
    table.write_bytes("Model,Acc\nJér,0.8\n".encode("latin1"))
    assert main(["check", str(table)]) == 1
    assert "not UTF-8 text" in capsys.readouterr().err
    table.write_text("Model,Acc\nA,0.8\n", encoding="utf-8")
    taken.write_text("column,taken for,unit\nAcc\n", encoding="utf-8")
    assert main(["check", str(table), "--taken", str(taken)]) == 1
    assert "taken.csv, line 2: write column,taken for,unit" in capsys.readouterr().err


def test_a_page_repeats_the_parts_and_a_terminal_shows_colours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, page = tmp_path / "table.csv", tmp_path / "page.html"
    table.write_text("Model,Acc\nA,0.8\n", encoding="utf-8")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["check", str(table), "--parts", "3+4,5+6", "--page", str(page)]) == 0
    assert "A: \033[" in capsys.readouterr().out
    assert "--parts 3+4,5+6" in page.read_text(encoding="utf-8")


def test_all_ways_to_obtain_means_with_spreads_are_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("Model,P,R,F1\nA,0.8 ± 0.1,0.6 ± 0.1,0.7 ± 0.1\n", encoding="utf-8")
    assert main(["check", str(table), "--infer"]) == 0
    said = capsys.readouterr().out
    assert "standard deviations after ± or standard errors after ±" in said
    assert main(["check", str(table), "--json", "--infer", "--folds", "5"]) == 0
    names = {
        name for one in json.loads(capsys.readouterr().out)["inference"]["left"] for name in one
    }
    assert {"f", "spread", "sd"} <= names


def test_the_smallest_part_of_many_scores_is_found_one_by_one() -> None:
    names = [f"s{at}" for at in range(12)]
    assert smallest(names, lambda part: {"s3", "s8"} <= set(part)) == ["s3", "s8"]


def test_what_is_too_large_to_prove_proves_nothing() -> None:
    score = ("accuracy", Fraction(2), Fraction(3))
    assert boxes_are_empty([score], 50, 50, [100])
    assert not boxes_are_empty([score], 50, 50, [0])
    f1 = ("f1", *ENDS)
    assert least_sum([f1], [(10**5, 10**5, (Fraction(1),))], [Fraction(1)])[0] == -float("inf")


def test_classes_that_are_not_of_one_matrix_are_no_witness() -> None:
    """Two classes have as many FN as FP together, and none more of both than there are errors."""
    one = Fraction(1, 2)
    parts = Parts([(4, 4), (4, 4)], [1, 1], [[one, one]], classes=2)
    demands = [Demand(EXACT["tpr"], (Fraction(0), Fraction(1)), "0.5")]
    fits = [{"tp": 3, "fn": 1, "fp": 2, "tn": 2}, {"tp": 2, "fn": 2, "fp": 1, "tn": 3}]
    assert parts.verify(fits, demands) == fits
    assert parts.verify([fits[0], fits[1] | {"fp": 2, "tn": 2}], demands) is None


def test_weights_of_parts_are_refuted_from_both_sides() -> None:
    """A mean as low as its first part leaves the second no weight, and the other line needs it."""
    low, high = (Fraction(0),) * 2, (Fraction(1),) * 2
    lines = [[("a", low), ("b", high)], [("a", low), ("b", high)]]
    proof = no_weights(lines, [low, high])
    assert proof is not None
    assert verify(Certificate("weights", (), (None, None, None), proof))
    assert no_weights(lines, [high, high]) is None
