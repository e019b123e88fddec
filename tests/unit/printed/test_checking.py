"""Rows of tables: possible, impossible with the smallest contradiction, or not decided."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import opchar.metrics as metrics
from opchar.errors import DataError
from opchar.printed import Protocol, check, infer, object_counts, read_table, verify
from opchar.printed.averages import fold_witness, positive_counts, stratified_folds
from opchar.printed.duals import class_witness
from opchar.printed.exact_indices import _UNSTEADY as UNSTEADY
from opchar.printed.exact_indices import EXACT, exact_index
from opchar.printed.headings import SIZES, heading_meaning, known_headings
from opchar.printed.matrices import Demand, matrices, of_any_size, witness
from opchar.printed.numbers import Printed
from opchar.printed.reported_values import UndecidedError


def answer(text, protocol=None):
    return next(iter(check(read_table(text), protocol or Protocol()).values()))


def demand(name, text):
    return Demand(exact_index(name), Printed(text).limits(), text)


def test_a_score_that_is_no_multiple_of_one_object_is_refuted_alone():
    found = answer("Accuracy,Recall\n27.2,50.0", Protocol(62, 62))
    assert found.status == "impossible" and found.contradiction == ("Accuracy",)
    assert "at most 0.266129 or at least 0.274194" in found.arithmetic[1]


def test_the_fewest_summary_values_are_shown():
    text = "AUC,AUPREC,TPR,FPR\n0.70,0.95,0.95,0.01"
    assert answer(text, Protocol(20, 480)).contradiction == ("AUC", "AUPREC")
    without = answer("AUC,TPR,FPR\n0.70,0.95,0.01", Protocol(20, 480))
    assert without.contradiction == ("TPR", "FPR", "AUC")


def test_a_test_of_means_that_are_no_indices_is_possible_where_it_follows():
    rows = "Data,A,B,t\niris,5.2 ± 0.4,4.8 ± 0.5,9.7\nwine,5.2 ± 0.4,4.8 ± 0.5,1.98"
    found = check(read_table(rows), Protocol(folds=10, test="unpaired"))
    assert verify(found["iris"].certificate)
    assert check(read_table(rows), Protocol(folds=10))["iris"].status == "not decided"
    assert [one.status for one in found.values()] == ["impossible", "possible"]
    assert found["wine"].unchecked == ()


def test_six_scores_of_ten_folds_have_a_witness():
    names = ["accuracy", "tpr", "tnr", "precision", "f1", "mcc"]
    rng, sizes = np.random.default_rng(3), stratified_folds((60, 140), 10)
    for skill in (0.6, 0.75, 0.85):
        drawn = [(rng.binomial(p, skill), rng.binomial(n, 1 - skill)) for p, n in sizes]
        counts = [(a, p - a, b, n - b) for (a, b), (p, n) in zip(drawn, sizes, strict=True)]
        means = [np.mean([exact_index(name).value(*one) for one in counts]) for name in names]
        printed = dict(zip(names, (f"{mean:.3f}" for mean in means), strict=True))
        demands = [demand(name, text) for name, text in printed.items()]
        found = fold_witness(demands, sizes)
        for name, text in printed.items():
            mean = np.mean([exact_index(name).value(**one) for one in found])
            assert abs(mean - float(text)) <= 0.0005 + 1e-12, name


def test_averages_over_classes_of_a_drawn_matrix_have_a_witness():
    rng, sizes = np.random.default_rng(5), (30, 30, 30)
    rows = [rng.multinomial(30, [0.8 if i == j else 0.1 for j in range(3)]) for i in range(3)]
    counts = metrics.one_vs_rest(np.array(rows))
    f1 = np.mean([float(metrics.f1(*one)) for one in np.transpose(counts)])
    scores = {"accuracy": np.trace(np.array(rows)) / 90, "macro_f1": f1}
    limits = {name: Printed(f"{value:.3f}").limits() for name, value in scores.items()}
    found = class_witness(limits, [sizes])
    means = [np.mean([float(metrics.f1(**one)) for one in found]), sum(m["tp"] for m in found) / 90]
    assert means == pytest.approx([scores["macro_f1"], scores["accuracy"]], abs=0.0011)


def test_the_smallest_contradiction_leaves_out_what_is_not_needed():
    found = answer("Acc,Recall,Precision,F1\n.850,.800,.194,.312", Protocol(20, 480))
    assert found.status == "impossible"
    kept = {"Acc": ".850", "Recall": ".800", "Precision": ".194", "F1": ".312"}
    alone = {name: kept[name] for name in found.contradiction}
    again = answer(",".join(alone) + "\n" + ",".join(alone.values()), Protocol(20, 480))
    assert again.status == "impossible"
    for left_out in alone:
        rest = {name: text for name, text in alone.items() if name != left_out}
        if rest:
            text = ",".join(rest) + "\n" + ",".join(rest.values())
            assert answer(text, Protocol(20, 480)).status == "possible"


def test_means_over_folds_are_told_from_scores_of_all_objects():
    text = "Precision,Recall\n.333,.500"
    sizes = stratified_folds((4, 8), 2)
    assert sizes == [(2, 4), (2, 4)]
    pooled = answer(text, Protocol(4, 8))
    folds = answer(text, Protocol(4, 8, folds=2, averages="fold-means"))
    assert pooled.status == folds.status == "possible"
    one = answer("Precision\n.417", Protocol(4, 8))
    two = answer("Precision\n.417", Protocol(4, 8, folds=2, averages="fold-means"))
    assert (one.status, two.status) == ("impossible", "possible")
    values = [float(metrics.precision(**part)) for part in two.witness]
    assert round(np.mean(values), 3) == 0.417


def test_folds_by_search_through_all():
    sizes = [(2, 3), (2, 2)]
    for text in ("0.30", "0.55", "0.71"):
        want = [demand("f1", text), demand("accuracy", "0.6")]
        slow = False
        for a, b, c, d in product(range(3), range(4), range(3), range(3)):
            pair = [(a, 2 - a, b, 3 - b), (c, 2 - c, d, 2 - d)]
            sums = [sum(Fraction(*one.index.ratio(*counts)) for counts in pair) for one in want]
            near = zip(want, sums, strict=True)
            slow |= all(one.limits[0] <= value / 2 <= one.limits[1] for one, value in near)
        assert (fold_witness(want, sizes) is not None) == slow


def test_every_index_has_an_answer_on_the_smallest_folds():
    """Where no matrix of some fold has the score, as discriminant power of two objects, too."""
    means = Protocol(folds=2, averages="fold-means", most_objects=5)
    protocols = [
        *(Protocol(2, 2), Protocol(1, 1), Protocol(1, 3), means),
        *(replace(means, positives=2, negatives=n) for n in (2, 3)),
        replace(means, positives=3, negatives=3, folding="unknown"),
        replace(means, folds=1, parts=((1, 1), (5, 6))),
    ]
    names = [name for name in known_headings() if name not in SIZES]
    for name, text, protocol in product(names, ("0.5", "1.2"), protocols):
        found = answer(f"{name}\n{text}", protocol)
        assert found.status in ("possible", "impossible", "not decided"), name
    for protocol in protocols[4:]:
        assert answer("discriminant power\n1.2", protocol).status != "possible"


def test_averages_over_classes_by_search_through_all():
    sizes = (2, 2, 3)
    made = set()
    rows = [[(a, b, s - a - b) for a in range(s + 1) for b in range(s + 1 - a)] for s in sizes]
    for matrix in product(*rows):
        counts = metrics.one_vs_rest(np.array(matrix))
        f1 = np.nan_to_num(metrics.f1(*counts)).mean()
        made.add((round(float(np.trace(matrix)) / 7, 2), round(float(f1), 2)))
    for accuracy, f1 in [(0.57, 0.55), (0.71, 0.12), (0.86, 0.86)]:
        texts = {"accuracy": f"{accuracy:.2f}", "macro_f1": f"{f1:.2f}"}
        scores = {name: Printed(text).limits() for name, text in texts.items()}
        assert (class_witness(scores, [sizes]) is not None) == ((accuracy, f1) in made)


def test_areas_and_points_of_curves():
    protocol = Protocol(100, 100)
    assert answer("AUC,AUPREC\n.943,.552", protocol).contradiction == ("AUC", "AUPREC")
    assert answer("AUC,AUPREC\n.943,.900", protocol).status == "possible"
    assert answer("TPR,FPR,AUC\n.80,.10,.99", protocol).contradiction == ("TPR", "FPR", "AUC")
    assert answer("TPR,FPR,AUC\n.80,.10,.90", protocol).status == "possible"
    assert answer("AUC\n.77", Protocol(1, 2)).status == "impossible"
    assert answer("EER,AUC\n.20,.99").status == "impossible"
    assert answer("Accuracy,Brier\n.60,.05").status == "impossible"


def test_a_spread_beyond_the_range_of_a_score_is_refuted():
    plain = Protocol(50, 50, folds=5, averages="fold-means")
    assert answer("Accuracy\n.98 ± .02", plain).status == "possible"  # divided by 5, not by 4
    protocol = replace(plain, spread="sd", sd="sample")
    assert answer("Accuracy\n.98 ± .03", protocol).status == "possible"
    # 98 of 100 in five folds of 20: (20, 20, 20, 19, 19) or (20, 20, 20, 20, 18).
    assert answer("Accuracy\n.98 ± .02", protocol).contradiction == ("Accuracy",)
    assert answer("Accuracy\n.98 ± .20", protocol).contradiction == ("Accuracy",)


def test_sizes_are_inferred_and_stand_in_the_table():
    scores = ["22.4", "27.2", "52.0", "31.2", "29.6", "41.6"]
    assert object_counts(scores, range(20, 400), percent=True) == [125, 250, 375]
    want = [demand("accuracy", "0.8519"), demand("tpr", "0.857")]
    found = {size for n in range(2, 31) if (size := of_any_size(want, None, None, range(n, n + 1)))}
    sizes = [(p, n - p) for n in range(2, 31) for p in range(1, n)]
    slow = {size for size in sizes if witness(want, *size)}
    assert found <= slow and {sum(size) for size in found} == {sum(size) for size in slow}
    assert answer("positives,negatives,Accuracy\n20,480,.851", None).status == "impossible"
    assert answer("n,positives,Accuracy\n500,20,.852").status == "possible"


@pytest.mark.parametrize("name", sorted(set(EXACT) - {*UNSTEADY, "tp", "fn", "fp", "tn"}))
def test_bounds_over_boxes_hold_all_matrices_inside(name):
    index, rng = exact_index(name), np.random.default_rng(4)
    for largest in (2, 4, 30) * 30:
        low = rng.integers(0, largest, (4, 1))
        high = low + rng.integers(0, largest, (4, 1))
        (least,), (most,) = index.bounds(low.astype(float), high.astype(float))
        inside = rng.integers(low.T, high.T + 1, (40, 4)).tolist()
        for counts in inside:
            above, below = index.ratio(*counts)
            if below and sum(counts[:2]) and sum(counts[2:]):
                assert least - 1e-12 <= above / below <= most + 1e-12, counts


@pytest.mark.parametrize(
    "names",
    [("mcc", "precision"), ("weighted_f1", "accuracy"), ("kappa", "f1"), ("tpr", "macro_f1")],
)
def test_a_matrix_of_any_size_is_found_where_one_is(names):
    rng = np.random.default_rng(len("".join(names)))
    refuted = 0
    for _ in range(12):
        want = [demand(name, f"{rng.uniform(0.3, 1):.2f}") for name in names]
        sizes = [(p, n - p) for n in range(2, 19) for p in range(1, n)]
        found = of_any_size(want, None, None, range(2, 19))
        assert (found is not None) == any(witness(want, *size) for size in sizes)
        refuted += found is None
    assert 0 < refuted < 12


def test_f_of_means_is_that_of_the_folds_found():
    protocol = Protocol(50, 100, folds=5, averages="fold-means", f="F of means")
    assert answer("Precision,Recall,F1\n.612,.700,.653", protocol).status == "possible"
    assert answer("Precision,Recall,F1\n.612,.700,.660", protocol).status == "impossible"


def test_one_index_under_two_headings_has_one_value():
    micro = Protocol(folds=7, averages="fold-means", average="micro")
    assert answer("Accuracy,F1\n.720,.657", micro).contradiction == ("Accuracy", "F1")
    weighted = replace(micro, average="weighted")
    assert answer("Accuracy,Recall\n.720,.657", weighted).contradiction == ("Accuracy", "Recall")


def test_folds_of_unknown_sizes_have_a_witness():
    unknown = Protocol(folds=5, averages="fold-means")
    assert answer("Accuracy,Recall,Precision,F1\n.720,.657,.500,.568", unknown).status == "possible"


def test_a_search_that_does_not_end_is_not_decided():
    asked = [demand("mcc", "0.1234567"), demand("g_mean", "0.7654321")]
    with pytest.raises(UndecidedError):
        list(matrices(asked, 10**6, 10**7, most=5))
    means = Protocol(3000, 3000, folds=3, averages="fold-means")
    assert answer("F1,MCC\n.5432,.4321", means).status == "not decided"


def test_a_protocol_that_contradicts_itself_is_said():
    with pytest.raises(DataError, match="are not 10 objects"):
        answer("Accuracy\n.5", Protocol(4, 4, objects=10))
    with pytest.raises(DataError, match="do not fill 5 folds"):
        answer("Accuracy\n.5", Protocol(4, 40, folds=5, averages="fold-means"))


@pytest.mark.parametrize(
    ("text", "stated", "said"),
    [
        ("Accuracy\n.5", {"objects": 0}, "objects: 0 is less than 1"),
        ("Accuracy\n.5", {"positives": -3}, "positives: -3 is less than 0"),
        ("Accuracy\n.5", {"folds": 0}, "folds: 0 is less than 1"),
        ("Accuracy\n.5", {"most_objects": 1}, "most objects: 1 is less than 2"),
        ("Accuracy\n.5", {"seconds": -1.0}, "seconds: -1.0 is less than 0"),
        ("Accuracy\n.5", {"seconds": float("nan")}, "seconds: nan is less than 0"),
        ("Accuracy\n.5", {"classes": (3,)}, "two classes at least"),
        ("Accuracy\n.5", {"classes": (0, 3)}, "two classes at least"),
        ("Accuracy\n.5", {"parts": ((0, 4), (2, 2))}, "a positive and a negative object"),
        ("Accuracy,objects\n.5,-3", {}, "objects: -3 is less than 1"),
        ("Accuracy,objects\n.5,1.2", {}, "objects: 1.2 is no whole number"),
        (
            "Accuracy\n.5",
            {"classes": (3, 4), "folds": 9, "averages": "fold-means"},
            "3 and 4 objects do not fill 9 folds",
        ),
    ],
)
def test_sizes_that_cannot_be_are_said(text, stated, said):
    with pytest.raises(DataError, match=said):
        answer(text, Protocol(**stated))


def test_spreads_of_folds_of_a_billion_objects_are_not_counted_out(monkeypatch):
    monkeypatch.delattr("opchar.printed.row.sample_counts")
    huge = Protocol(10**9, 10**9, folds=2, averages="fold-means")
    assert answer("Recall\n.5 ± .1", huge).status == "possible"


def test_inference_leaves_out_folds_that_a_class_does_not_fill():
    table = read_table("Recall,F1\n.50,.50")
    found = infer(table, Protocol(4, 96), draws=0)
    assert {choice["folds"] for choice in found.left} == {1}
    assert {choice["folds"] for choice, _ in found.refuted} <= {1}
    assert {choice["folds"] for choice in found.unfilled} == {5, 10}
    with pytest.raises(DataError, match="do not fill 5 folds"):
        infer(table, Protocol(4, 96, folds=5), {"averages": ["fold-means"]}, draws=0)


def test_positives_are_tried_from_the_most_likely_on():
    for total, least, middle in product(range(9), (1, 2, 3), (Fraction(-1), Fraction(7, 2), 4)):
        slow = sorted(range(least, total - least + 1), key=lambda p, m=middle: abs(p - m))
        assert list(positive_counts(total, (None, None), least, middle)) == slow
        for p, n in ((3, None), (None, 3), (3, 3)):
            known = [q for q in slow if p in (None, q) and n in (None, total - q)]
            assert list(positive_counts(total, (p, n), least, middle)) == known
    huge = positive_counts(10**12, (None, None), 2, Fraction(10**11))
    assert [next(huge) for _ in range(3)] == [10**11, 10**11 - 1, 10**11 + 1]


def test_inference_leaves_the_protocol_that_was_used():
    table = read_table("Precision,Recall,F1\n.184,.800,.299\n.300,.750,.429")
    found = infer(
        table, Protocol(20, 480), {"rounding": ["nearest", "cut"], "average": ["class", "macro"]}, 5
    )
    assert {"rounding": "nearest", "average": "class"} in found.left
    assert all(choice["average"] == "class" for choice in found.left)
    assert len(found.left) == len(found.by_chance)
    assert len(found.left) + len(found.refuted) == 4


def test_names_have_numbers_where_indices_have_parameters():
    f_two, cost = metrics.f_beta(3, 4, 5, 6, 2), metrics.expected_cost(3, 4, 5, 6, 5, 1)
    for name, value in (("f_beta 2", f_two), ("expected_cost 5:1", cost)):
        assert exact_index(name).quick(3, 4, 5, 6) == pytest.approx(float(value))
    meanings = {"Sens. [%]": "tpr", "F0.5": "f_beta 0.5", "Macro-F1": "macro_f1", "colour": None}
    assert {word: heading_meaning(word) for word in meanings} == meanings


def test_a_mean_that_cannot_be_is_not_said_of_its_spread() -> None:
    table = read_table("M,Accuracy\nA,85.3 ± 1.2\nB,88.0 ± 0.9")
    protocol = Protocol(100, 150, folds=10, averages="fold-means")
    told = {label: " ".join(answer.arithmetic) for label, answer in check(table, protocol).items()}
    assert "have no sd" not in told["A"] and "10 equal folds" in told["A"]
    assert "10 shares of 25 objects" in told["B"]
