"""Small functions below the check of tables, one by one, with what is right of them."""

import math
from fractions import Fraction
from typing import Any

import pytest

from opchar.errors import DataError
from opchar.printed import Protocol, check, read_table, t_range
from opchar.printed.cells import _table_rows, heading_of
from opchar.printed.checking import check_row
from opchar.printed.formulas import AXES
from opchar.printed.inference import _alike, least_of
from opchar.printed.kinds import of_classes
from opchar.printed.mean_proofs import number_of_points, points
from opchar.printed.prints import _pairs_of
from opchar.printed.protocol import Answer, _has_sizes, with_sizes
from opchar.printed.shares import middle_of
from opchar.printed.spaces import _is_labelled
from opchar.printed.tables import _of_many_classes

YARDSTICK = {
    "1 accuracy binary 0.84": "accuracy",
    "accuracy multiclass 0.84": "accuracy",
    "2 f_meas macro 0.84": "macro f_meas",
    "precision macro_weighted 0.84": "weighted precision",
    "recall standard 0.84": "recall",
}


@pytest.mark.parametrize("line", YARDSTICK)
def test_a_line_of_yardstick_has_its_average_but_for_the_accuracy(line: str) -> None:
    assert _pairs_of(line, False) == ([(YARDSTICK[line], "0.84")], "")


@pytest.mark.parametrize(
    ("row", "named"),
    [(["cat", ".8"], 1), (["cat", "dog"], 0), (["cat"], 0), (["3", "cat"], 1), ([".8", ".9"], 0)],
)
def test_a_row_is_labelled_by_a_name_or_a_number_before_numbers(row: list[str], named: int) -> None:
    assert _is_labelled(row) == named


def test_rows_are_classes_whatever_averages_stand_below() -> None:
    body = [["a vs rest", ".8", "10"], ["b vs rest", ".7", "10"], ["mean", ".75", "20"]]
    assert of_classes(["", "precision", "n"], body, {"mean": "mean"})
    assert not of_classes(["", "precision", "n"], body, {})
    assert not of_classes(["", "precision", "n"], body[::2], {"mean": "mean"})


def test_sizes_of_two_classes_and_of_classes_without_any() -> None:
    assert Protocol(classes=(1, 5)).classes == (1, 5)
    table = read_table("class,precision,recall\na,.5,.5\nn = 100 test documents, 2 classes")
    assert table.stated["objects"] == 100
    assert with_sizes(table, table.rows["a"], Protocol(), "class").negatives is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Recall,Specificity,Youden\n.9,.9,.2", "Youden from 0.700000 to 0.900000"),
        ("Recall,Specificity,Balanced accuracy\n.9,.9,.2", "from 0.850000 to 0.950000"),
    ],
)
def test_means_of_sums_are_sums_of_means(text: str, why: str) -> None:
    table = read_table(text)
    found = check_row(table, table.rows["row 1"], Protocol(), kind="samples")
    assert (found.status, why in found.arithmetic[0]) == ("impossible", True)


def test_prose_below_the_last_number_is_no_row() -> None:
    grid = [["Model", "Acc"], ["A", ".8"], ["b", "c"], ["d", "e"]]
    marked = [",".join(row) for row in grid]
    assert _table_rows(grid, marked, ["n = 9", *marked]) == (grid[:2], ["n = 9", *marked[2:]])


def test_headings_that_span_columns_of_the_same_names() -> None:
    cells = [
        ["Model", "Acc", "", "F1", ""],
        ["", "a", "b", "a", "b"],
        ["x", *[".1", ".2", ".3", ".4"]],
    ]
    heading, body = heading_of(cells)
    assert [name for name in heading if name] == ["Model", "Acc", "F1"]
    assert body == [["x", "a", ".1", ".3"], ["x", "b", ".2", ".4"]]


@pytest.mark.parametrize(("many", "name"), [(2, "kappa"), (3, "multiclass_kappa"), (4, None)])
def test_indices_of_three_classes_are_of_all_together(many: int, name: str | None) -> None:
    rows: Any = {str(k): {"P": ""} for k in range(many)} | {"all": {"kappa": "", "Acc": ""}}
    taken = {"P": "precision", "kappa": "kappa", "Acc": "accuracy"}
    _of_many_classes(taken, dict.fromkeys(rows, "class") | {"all": "overall"}, rows)
    said = {"P": "precision", "kappa": name or "multiclass_kappa", "Acc": "accuracy"}
    assert taken == said


def test_axes_are_shares_of_their_counts() -> None:
    tp, fn, fp, tn = cells = 3, 5, 7, 11
    p, n, total = tp + fn, fp + tn, 26
    shares = [(tp, p), (tn, n), (tp, tp + fp), (tn, tn + fn), (p, total), (tp + tn, total)]
    shares += [(tp + fp, total), (fp, p), (tn, p), (tp, n), (fn, n)]
    said = [
        [sum(a * b for a, b in zip(part, cells, strict=True)) for part in AXES[x]] for x in AXES
    ]
    assert said == [list(pair) for pair in shares]


def test_matrices_of_parts_are_counted_as_they_are_made() -> None:
    parts = [(2, 3, ()), (2, 3, ()), (4, 1, ())]
    for names, many in ((["tpr", "accuracy"], 4 + 4), (["mcc"], 12 + 10), (["tpr", "f1"], 22)):
        made = {cells for p, n, _ in parts for cells in points(names, p, n)}
        assert number_of_points(names, parts) == len(made) == many


def test_sizes_that_a_row_and_a_protocol_state() -> None:
    for protocol in (
        Protocol(7),
        Protocol(objects=9),
        Protocol(parts=((1, 2),), averages="fold-means"),
    ):
        assert _has_sizes(protocol)
    assert not _has_sizes(Protocol())
    text = "M,Recall,positives,objects\nA,.8,5,{}"
    assert check(text.format(5))["A"].status == "possible"  # of one class alone
    with pytest.raises(DataError, match="5 positives and -1 negatives are not 4 objects"):
        check(text.format(4))


@pytest.mark.parametrize("point", ["Recall,FPR,AUC\n.80,.10", "Recall,Specificity,AUC\n.80,.90"])
@pytest.mark.parametrize(
    ("area", "status"),
    [(".70", "impossible"), (".72", "possible"), (".98", "possible"), (".99", "impossible")],
)
def test_a_curve_goes_through_its_point_whichever_rate_is_printed(
    point: str, area: str, status: str
) -> None:
    """Of TPR .795 to .805 and FPR .095 to .105 the area is 0.7115 to 0.9815."""
    assert check(f"{point},{area}")["row 1"].status == status


def test_the_middle_of_a_cone_has_as_much_of_each_ray() -> None:
    rays = [((1, 0, 0, 0), 0), ((1, 1, 0, 0), 0), ((0, 0, 1, 2), 0)]
    assert middle_of(rays) == [9, 3, 2, 4]  # six times a ray of one, three of two, two of three


def test_t_of_exact_means_is_students() -> None:
    one, two = (Fraction(1),) * 2, (Fraction(3),) * 2
    assert t_range([one, two], [one, one], [8, 8]) == pytest.approx((4, 4))
    wide = (Fraction(1), Fraction(4))
    assert t_range([wide, two], [one, one], [8, 8]) == pytest.approx((0, 4))
    none = (Fraction(0),) * 2
    assert t_range([one, two], [none, none], [8, 8]) == (math.inf, math.inf)


def test_a_size_is_that_of_all_rows_and_tells_rows_apart_by_an_object() -> None:
    many = {"a": Answer("possible", least_objects=7), "b": Answer("possible")}
    assert least_of(many) == 7
    assert least_of(many | {"c": Answer("impossible")}) is None
    ends = {label: (Fraction(at, 100),) * 2 for label, at in {"a": 50, "b": 51, "c": 60}.items()}
    said = _alike({(label, "Acc"): own for label, own in ends.items()}, 60)
    assert {pair[:2] for pair in said} == {("a", "b")}  # one of 60 objects is 0.017


def test_a_text_in_two_braces_is_refused_in_one_line() -> None:
    with pytest.raises(DataError, match="the table has no row"):
        read_table("{{'recall': 0.9, 'precision': {}}}")
