"""Branches that a search, a solver or a layout takes almost never, with what is right there."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opchar.cli import main
from opchar.printed import Protocol, averages, check, one_set, read_table, reported_values, verify
from opchar.printed import row as rows
from opchar.printed.checking import check_row
from opchar.printed.exact_indices import EXACT
from opchar.printed.formulas import score_ends
from opchar.printed.inference import _by_chance
from opchar.printed.reported_values import UndecidedError, sample_counts

THREE = "     a   b   c\na    5   1   0\nb    2   7   {}\nc    0   {}   0\n\n{}"
FOLDS = {"positives": 10, "negatives": 10, "folds": 2, "averages": "fold-means"}


@pytest.mark.parametrize("name", ["youden", "mcc", "markedness", "negative_likelihood"])
@pytest.mark.parametrize("cells", [(2, 1, 3, 4), (5, 2, 1, 6)])
def test_a_score_of_the_other_class_is_that_of_exchanged_counts(name: str, cells: Any) -> None:
    other = score_ends(f"{name} of the other class", cells, cells, 0)
    assert other == score_ends(name, cells[::-1], cells[::-1], 0)
    root = float(other[0]) if name != "mcc" else np.sign(other[0]) * np.sqrt(abs(float(other[0])))
    assert root == pytest.approx(float(EXACT[name].quick(*cells[::-1])))


def test_what_the_solver_says_of_a_sample_is_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """1, 1 and 2 have the sum 4 and the squares 6; a solver that answers otherwise proves none."""
    assert sample_counts((Fraction(4, 3),) * 2, None, 3, 1, 3) == {1: 2, 2: 1}
    wrong = np.array([1, 0, 1])
    monkeypatch.setattr(reported_values, "whole_numbers", lambda *_: wrong)
    with pytest.raises(UndecidedError):
        sample_counts((Fraction(4, 3),) * 2, None, 3, 1, 3)


def test_a_spread_without_a_proof_is_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares of two objects with the mean 0.50 are 0 and 1, or twice 0.5."""
    row, stated = "Acc\n0.50 ± 0.30", Protocol(**FOLDS | {"positives": 2, "negatives": 2})
    assert check(row, stated)["row 1"].status == "impossible"
    monkeypatch.setattr(rows, "verify", lambda _: False)
    assert check(row, stated)["row 1"].status != "impossible"


def test_too_many_matrices_are_not_chosen_from_in_whole_numbers(monkeypatch: Any) -> None:
    """Two folds of 5 and 5 objects whose F1 add up to 2 x 0.7273 are found while few matrices
    are: 8/11 is the F1 of 4 TP, 1 FN and 2 FP."""
    row, stated = "F1,MCC\n0.7273,0.4082", Protocol(**FOLDS)
    assert check(row, stated)["row 1"].status == "possible"
    monkeypatch.setattr(averages, "_MOST_WHOLE", 0)
    monkeypatch.setattr(averages, "_improve", lambda *_: None)
    assert check(row, stated)["row 1"].status == "not decided"


@pytest.mark.parametrize("names", ["MCC,F1", "kappa,MCC,F1,g_mean,fowlkes_mallows,Jaccard,youden"])
@pytest.mark.parametrize("explain", [True, False])
def test_few_objects_are_refuted_where_shares_are_not(
    names: str, explain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By all matrices of six objects, of which none is near these scores."""
    monkeypatch.setattr(one_set, "_refuted_by_shares", lambda *_, **__: None)
    texts = dict(zip(names.split(","), ["51", "43", "61", "51", "71", "62", "61"], strict=False))
    table = read_table(f"{names}\n{','.join(f'.{text}' for text in texts.values())}")
    given = table.rows["row 1"], Protocol(objects=6)
    found = check_row(table, *given, explain=explain)
    assert (found.status, verify(found.certificate)) == ("impossible", True)
    assert len(found.contradiction) == explain * (1 if len(texts) < 3 else 7)
    assert not any(
        all(
            abs(EXACT[table.taken[h]].quick(tp, p - tp, fp, 6 - p - fp) - float(f".{text}")) < 0.005
            for h, text in texts.items()
        )
        for p in range(1, 6)
        for tp in range(p + 1)
        for fp in range(7 - p)
    )


SAID = {
    "samples avg,.2,.2,.9,20": ("impossible", "averages of any parts have f1 0.000000 to 0.250000"),
    "samples avg,.2,.2,.2,20": ("possible", ""),
    "overall,,,,20": ("impossible", "objects predicted, summed over 2 classes: 12 of 20"),
}


@pytest.mark.parametrize("last", SAID)
def test_averages_and_sizes_alone_may_contradict_a_report(last: str) -> None:
    head = "class,precision,recall,f1,support"
    own = ".8,.5,.62,10" if last.startswith("overall") else ".2,.2,.2,10"
    found = check(f"{head}\na,{own}\nb,{own}\n{last}")[last.split(",")[0]]
    assert found.status == SAID[last][0]
    assert SAID[last][1].replace(" 0.0", " from 0.0") in " ".join(found.arithmetic)


def test_each_class_of_many_is_decided_as_one_against_the_rest() -> None:
    head = "Accuracy of 4 classes\nclass,precision,recall,f1\n"
    found = check(head + "a,.71,.83,.7\nb,.88,.7,.78\nmacro avg,.8,.77,.74")
    assert [answer.status for answer in found.values()] == ["impossible", "possible", "possible"]
    assert found["a"].arithmetic[1].startswith("F1 is 2PR / (P + R): f1 then lies from 0.7602")


def test_an_average_with_an_undefined_share_says_nothing() -> None:
    """Nothing is predicted as c: no macro precision; of the matrix with one there, 0.7472."""
    for cells, status in (((0, 3), {"possible", "not decided"}), ((1, 3), {"impossible"})):
        found = check(THREE.format(*cells, "macro precision: 0.99\n"))
        assert {answer.status for answer in found.values()} <= status


def test_sides_and_shares_beside_counts_are_read() -> None:
    pair = ("Actual 0", "Actual 1"), ("no", "yes")
    error = "{}      80   20  0.2   (20/100)\n{}     10   90\nTotals  90  110  0.15  (30/200)\n"
    for (one, other), head in zip(
        pair, ("Predicted 0  Predicted 1", "no  yes  Error"), strict=True
    ):
        (found,) = check(f"confusion matrix\n  {head}\n" + error.format(one, other)).values()
        assert sorted(found.witness.values()) == [10, 20, 80, 90]


@pytest.mark.parametrize("heads", ["F1 std,F1,Acc", "Acc,F1 std,F1", "F1,F1 std,Acc"])
def test_a_spread_stands_before_or_behind_its_mean(heads: str) -> None:
    cells = {"F1 std": "0.1", "F1": "0.8", "Acc": "0.7"}
    row = read_table(f"Model,{heads}\nA,{','.join(cells[h] for h in heads.split(','))}").rows["A"]
    assert {h: (value.text, value.spread) for h, value in row.items()} == {
        "F1": ("0.8", "0.1"),
        "Acc": ("0.7", ""),
    }


def test_chance_is_that_of_known_sizes_and_leaves_sizes() -> None:
    table = read_table("M,Acc,Precision,positives,negatives\nA,0.85,.8,20,20")
    assert _by_chance(table, Protocol(objects=50), 3) is None
    assert 0 <= (_by_chance(table, Protocol(), 8) or 0) < 1  # of 40 objects few accuracies


def test_a_page_tells_the_ways_that_were_tried(tmp_path: Path, capsys: Any) -> None:
    table, page = tmp_path / "table.csv", tmp_path / "page.html"
    table.write_text("Model,Acc\nA,0.81\n", encoding="utf-8")
    words = ["check", str(table), "--positives", "7", "--negatives", "9", "--page", str(page)]
    assert main([*words, "--infer"]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Other assumptions that were tried" in text
    assert main(words) == 0
    assert "Other assumptions that were tried" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("of", "status"), [("45/50", "possible"), ("46/50", "impossible")])
def test_counts_in_a_heading_are_a_share_where_they_can_be(of: str, status: str) -> None:
    text = "Model,Accuracy ({})\nA,0.90"
    assert check(text.format(of))["A"].status == status
    turned = "/".join(reversed(of.split("/")))  # 50 of 45 are no share, and nothing is compared
    assert check(text.format(turned))["A"].status == "possible"


@pytest.mark.parametrize(("weighted", "status"), [("0.60", "possible"), ("0.75", "impossible")])
def test_scores_that_classes_lack_are_no_averages_of_theirs(weighted: str, status: str) -> None:
    """No class has an AUC, and the row of all has more than an accuracy."""
    rows = "a,0.50,0.60,,\nb,0.70,0.80,,\nc,0.60,0.70,,\n"
    ends = f"weighted avg,{weighted},0.70,0.9,\noverall,0.6,,,0.70"
    found = check(read_table(f"class,precision,recall,AUC,accuracy\n{rows}{ends}"))
    assert found["weighted avg"].status == status


@pytest.mark.parametrize(
    ("counts", "scores"),
    [
        ((5, 0, 0, 3, 0, 0, 2, 0, 0), ("0.50", "0.00", "0.22")),  # all called a: no MCC
        ((0, 5, 0, 0, 0, 3, 2, 0, 0), ("0.00", "-0.45", "0.00")),  # none right: no F of the means
    ],
)
def test_matrices_in_which_a_score_has_no_value(counts: Any, scores: Any) -> None:
    table = "Confusion matrix\n    a  b  c\na   {}  {}  {}\nb   {}  {}  {}\nc   {}  {}  {}\n\n"
    table = table.format(*counts) + "accuracy: {}\nkappa: {}\nmacro f1: {}\n"
    assert check(read_table(table.format(*scores)))["row 1"].status == "possible"
    for place in range(3):
        wrong = [f"{float(one) + 0.11 * (k == place):.2f}" for k, one in enumerate(scores)]
        found = check(read_table(table.format(*wrong)))["row 1"]
        assert found.status == "impossible"
