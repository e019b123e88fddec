"""Rows and tables that few publications print, each for a branch that no other test takes."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from opchar.cli import main
from opchar.errors import DataError
from opchar.printed import Protocol, averages, check, one_set, read_table, reported_values
from opchar.printed.averages import Parts, fold_witness, folds_of_any_size
from opchar.printed.cells import _html_rows
from opchar.printed.certificates import Certificate, boxes_are_empty, verify
from opchar.printed.counted import with_printed_counts
from opchar.printed.duals import no_weights
from opchar.printed.exact_indices import EXACT
from opchar.printed.formulas import curved_ends
from opchar.printed.inference import _by_chance, _redrawn, shared_test_set
from opchar.printed.layout import _with_ends_below
from opchar.printed.matrices import Demand, _nearest, smallest
from opchar.printed.mean_proofs import least_sum, nearest_sums, weights_fail
from opchar.printed.numbers import Printed
from opchar.printed.parts import by_set, is_one_column
from opchar.printed.reported_values import UndecidedError, sample_counts
from opchar.printed.shares import refute_shares
from opchar.printed.sums import _of_several_labels
from opchar.printed.words import _that_matter

MEANS = {"folds": 4, "averages": "fold-means"}
MACRO = {"classes": (5, 5, 5), "average": "macro"}
ENDS = Fraction(1, 10), Fraction(2, 10)

ROWS: list[tuple[str, dict[str, Any], str, str]] = [
    # An area is compared with curves through the point of the printed counts.
    ("TP,FN,FP,TN,AUC\n8,2,1,9,0.99", {}, "impossible", "AUC of these counts is that of no curve"),
    ("TP,FN,FP,TN,Acc\n8,2,1,9,0.99", {}, "impossible", "17/20 = 0.85"),
    ("Acc\n0.5 ± 0.8", MEANS | {"folds": 10, "sd": "sample"}, "impossible", "at most 0.5"),
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
    written = page.read_text(encoding="utf-8")
    assert "--parts 3+4,5+6" in written
    assert 'colspan="3"' in written  # the name of the row, its status and one score


def test_all_ways_to_obtain_means_with_spreads_are_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("Model,P,R,F1\nA,0.8 ± 0.1,0.6 ± 0.1,0.7 ± 0.1\n", encoding="utf-8")
    assert main(["check", str(table), "--infer"]) == 0
    said = capsys.readouterr().out
    assert "standard deviations or errors after ±" in said
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
    parts = ("a", *high), ("b", *high), ("sum", *low)
    sums = Certificate("sums", parts, proof=(Fraction(1),) * 2)
    assert verify(sums)
    with pytest.raises(ValueError, match="longer"):
        verify(replace(sums, proof=sums.proof[:1]))


def test_tables_are_read_cell_by_cell() -> None:
    spans = "<tr><td rowspan=2>A</td><td colspan=2>B</td></tr><tr><td>1</td><td>2</td></tr>"
    assert _html_rows(f"<table>{spans}</table>")[0] == [["A", "B", "B"], ["A", "1", "2"]]
    below = [["", "A", "B"], ["", "(.1, .2)", "(.3, .4)"]]
    assert _with_ends_below(below) == below[:1]
    named = [["acc", ".8", ".7"], below[1]]
    assert _with_ends_below([below[0], *named])[1:] == [["acc", ".8 (.1, .2)", ".7 (.3, .4)"]]
    assert is_one_column(["Score Value", "accuracy 0.9", "recall 0.8"])
    assert not is_one_column(["Score Value", "accuracy 0.9", "0.8 0.7"])
    _, short = by_set(["Model", "Val Acc", "Test Acc"], [["A", "0.8", "0.7"], ["B", "0.6"]])
    assert short == [["A val", "0.8"], ["A test", "0.7"], ["B val", "0.6"], ["B test", ""]]


def test_counts_of_a_row_are_a_fraction_only_beside_its_score() -> None:
    taken = {"Acc": "accuracy", "Correct": "", "N": "objects"}
    texts = {"A": ("0.8", "8", "10"), "B": ("0.8", "8.5", "10"), "C": (None, "8", "10")}
    rows = {
        label: {h: Printed(text) for h, text in zip(taken, row, strict=True) if text}
        for label, row in texts.items()
    }
    fractions: dict[tuple[str, str], Any] = {}
    with_printed_counts(fractions, taken, rows, {})
    assert list(fractions) == [("A", "Acc")]


def test_sums_and_ends_are_those_of_all_matrices() -> None:
    half = ("tpr", Fraction(2, 5), Fraction(3, 5))
    assert nearest_sums(half, [(3, 2, Fraction(1))]) == (Fraction(1, 3), Fraction(2, 3))
    # An undefined ratio may have any value.
    assert curved_ends("negative_likelihood", [(1, 1), (0, 0), *[(0, 1)] * 3]) == (0, float("inf"))
    accuracy = Demand(EXACT["accuracy"], (Fraction(4, 5),) * 2, "0.8")
    recall = Demand(EXACT["tpr"], (Fraction(69, 100), Fraction(71, 100)), "0.7")
    assert _nearest([accuracy], recall, 5, 5) == "at most 0.6 or at least 0.8"  # TP - FP is 3
    one = (Fraction(1),) * 2
    assert refute_shares((("mcc", *one), ("tpr", *one), ("tnr", *one)), (None,) * 3) is None


@pytest.mark.parametrize(("ends", "up", "fail"), [((4, 6), 1, False), ((6, 7), 1, True)])
def test_weights_fail_where_each_part_misses_the_mean(
    ends: tuple[int, int], up: int, fail: bool
) -> None:
    """Parts from 1 to 3 and 2 to 5 reach a mean of 4 to 6, and none of 6; so from above."""
    assert weights_fail([([(1, 3), (2, 5)], ends, up, 0)]) is fail
    turned = [(-b, -a) for a, b in ((1, 3), (2, 5))]
    assert weights_fail([(turned, (-ends[1], -ends[0]), 0, up)]) is fail


@pytest.mark.parametrize("objects", [None, 9])
def test_folds_of_fewer_objects_are_searched_where_their_number_is_open(
    objects: int | None,
) -> None:
    """A third is no mean of two folds of 5 and 4 objects, but of 3 and 3."""
    third = Demand(EXACT["accuracy"], (Fraction(3333, 10**4), Fraction(3334, 10**4)), "0.3333")
    protocol = Protocol(folds=2, averages="fold-means", objects=objects, most_objects=9)
    assert (folds_of_any_size([third], protocol) is None) is (objects == 9)


def test_what_would_decide_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_set, "_first_size", lambda *_: (None, 40))
    for stated, wanted in ((Protocol(7), "negatives"), (Protocol(negatives=7), "positives")):
        found = check(read_table("MCC,Recall,g_mean\n.5,.6,.7"), stated)["row 1"]
        assert found.reason.endswith(f"up to 40 objects was found, without a proof: state {wanted}")


def test_the_sizes_of_folds_are_told() -> None:
    found = check(read_table("Recall\n.987"), Protocol(11, 23, folds=5, averages="fold-means"))
    told = "5 folds of 2 or 3 positives and 4 or 5 negatives each: the mean of Recall is at most"
    assert found["row 1"].arithmetic[0].startswith(told)


def test_each_size_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    monkeypatch.setattr(one_set, "of_any_size", lambda d, p, n, sizes, boxes: tried.extend(sizes))
    one_set._first_size([Demand(EXACT["tpr"], (Fraction(1, 2),) * 2, "0.5")], None, None, 200)
    assert tried[-1] > 200
    assert tried == list(range(tried[0], tried[-1] + 1))


def test_no_matrix_of_shares_has_an_undefined_score() -> None:
    """Of 100 objects in the shares .0001, .0001, .3 and .7 none would be positive."""
    texts = {"tpr": "0.5000", "npv": "1.00", "accuracy": "0.70"}
    demands = [
        Demand(EXACT[name], Printed(text).limits("nearest"), text) for name, text in texts.items()
    ]
    found = one_set._scale_cells(demands)
    assert found is not None
    for demand in demands:
        assert demand.limits[0] <= Fraction(*demand.index.ratio(*found)) <= demand.limits[1]


def test_chance_counts_the_random_tables_that_are_possible() -> None:
    assert _by_chance(read_table("Model,Acc\nA,0.8"), Protocol(), 4) == 1.0
    last = SimpleNamespace(integers=lambda low, high: high - 1)
    assert _redrawn(Printed("0.20"), "accuracy", last).text == "0.70"  # 50 last digits more


def test_the_shared_test_set_is_that_of_the_last_set() -> None:
    sizes = shared_test_set(read_table("Model,Acc\nA val,0.3333\nA test,0.8000"), Protocol(), 30)
    assert list(sizes.objects) == list(range(5, 30, 5))
    sizes = shared_test_set(read_table("Model,Acc\nA,0.8000"), Protocol(positives=20), 30)
    assert list(sizes.objects) == [25]  # beside 20 positives at least one other


@pytest.mark.parametrize(("recall", "unlike"), [("0.71", False), ("0.72", True)])
def test_micro_averages_that_may_be_equal_are_of_one_matrix(recall: str, unlike: bool) -> None:
    for one, other in (("0.70", recall), (recall, "0.70")):
        table = read_table(f"class,precision,recall\na,.7,.7\nb,.7,.7\nmicro avg,{one},{other}")
        assert _of_several_labels(table, "nearest") is unlike


def test_rates_are_counts_of_their_class() -> None:
    text = "true,a,b\na,0.25,0.75\nb,0.30,0.60"
    found = check(text, Protocol(confusion=True, classes=(10, 10)))
    assert found["a"].arithmetic[0] == "next to a 0.25 are 2/10 = 0.2 and 3/10 = 0.3"
    assert found["b"].arithmetic[1] == "they add up to 9, not 10"


def test_folds_and_kinds_of_f_matter_for_means_alone() -> None:
    means = {"folds": 5, "f": "F of means"}
    assert _that_matter(means | {"averages": "fold-means"}) == means
    assert _that_matter(means | {"averages": "pooled"}) == {"folds": 1}
    assert _that_matter(means | {"folds": 1}) == {"folds": 1}


@pytest.mark.parametrize("share", [0.6, 1.0])
def test_all_programmes_of_a_search_share_its_seconds(
    monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """By a clock that each programme, which finds nothing, puts forward by some of its limit."""
    now = [0.0]

    def solve(rows: Any, limits: Any, most: Any, seconds: float, *, whole: bool) -> Any:
        now[0] += share * seconds
        return 0 * most

    for module in (averages, reported_values):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(averages, "whole_numbers", solve)
    beyond = Demand(EXACT["precision"], (Fraction(2), Fraction(3)), "2.5")
    with pytest.raises(UndecidedError):
        fold_witness([beyond], [(2, 3), (3, 3)], 10.0)
    assert now[0] == pytest.approx(10 * (1 - (1 - share) ** 3))
    with pytest.raises(UndecidedError):
        reported_values.seconds_left(now[0])


def _score(name: str, least: object, most: object) -> Demand:
    return Demand(EXACT[name], (Fraction(str(least)), Fraction(str(most))), name)


ROC_POINT = [_score("tpr", 0.5, 0.6), _score("accuracy", 0.501, 0.502)]
CURVED = [_score("mcc", 0.51, 0.511), _score("f1", 0.81, 0.811)]
SEARCHES = {
    "boxes of equal folds": lambda s: fold_witness(ROC_POINT, [(500, 700)] * 5, s),
    "matrices of folds": lambda s: fold_witness(CURVED, [(30, 30)] * 5, s),
    "boxes of any size": lambda s: folds_of_any_size(CURVED, Protocol(folds=5, seconds=s)),
    "sums of a sample": lambda s: sample_counts(
        (Fraction(1), Fraction(4)), None, 100, 1, 5, seconds=s
    ),
}


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_ends_at_its_limit_whatever_it_counts(
    monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    """By a clock that goes on by a second whenever it is read, and programmes that find nothing."""
    now = count()
    clock = SimpleNamespace(monotonic=lambda: next(now))
    for module in (averages, reported_values):
        monkeypatch.setattr(module, "time", clock)
        monkeypatch.setattr(module, "whole_numbers", lambda *_, **__: None, raising=False)
    with pytest.raises(UndecidedError):
        SEARCHES[search](5.0)
    assert next(now) == 6
