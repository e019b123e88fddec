"""What rows say together, folds of any sizes, and classes by fold, against searches through all."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

import opchar.metrics as metrics
from opchar.errors import DataError
from opchar.printed import Protocol, check, infer, read_table, verify
from opchar.printed.averages import fold_witness, partitions, stratified_folds
from opchar.printed.duals import class_witness, of_classes
from opchar.printed.exact_indices import exact_index
from opchar.printed.headings import heading_meaning
from opchar.printed.matrices import Demand
from opchar.printed.numbers import Printed


def statuses(text, protocol=None):
    return {label: one.status for label, one in check(read_table(text), protocol).items()}


def demand(name, text):
    return Demand(exact_index(name), Printed(text).limits(), text)


def test_an_average_that_does_not_follow_is_refuted():
    text = "Data,A,B\nx,.80,.70\ny,.90,.60\nAverage,{},.65"
    assert statuses(text.format(".85"))["Average"] == "possible"
    assert statuses(text.format(".855"))["Average"] == "possible"  # .8549 is a mean of these
    assert statuses(text.format(".862"))["Average"] == "not decided"  # a weighted mean may be
    assert statuses(text.format(".906"))["Average"] == "impossible"


def test_averages_of_random_columns_are_not_refuted():
    rng = np.random.default_rng(7)
    for _ in range(100):
        values = rng.random(int(rng.integers(2, 8)))
        rows = "".join(f"d{at},{value:.2f}\n" for at, value in enumerate(values))
        assert statuses(f"Data,A\n{rows}Mean,{values.mean():.3f}")["Mean"] == "possible"
        assert statuses(f"Data,A\n{rows}Mean,{values.mean() + 0.0106:.3f}")["Mean"] != "possible"


def test_counts_of_wins_that_do_not_follow_are_refuted():
    text = "Data,A,B\nx,.80,.70\ny,.90,.60\nz,.50,.50\nWins,{}"
    assert statuses(text.format("2,0"))["Wins"] == "possible"
    assert statuses(text.format("3,1"))["Wins"] == "possible"
    assert statuses(text.format("0,2"))["Wins"] == "possible"  # the lowest is best
    found = check(read_table(text.format("2,3")))["Wins"]
    assert found.status == "impossible"
    assert found.contradiction == ("B",)


def test_t_of_printed_means_and_spreads():
    rng = np.random.default_rng(5)
    refuted = 0
    for _ in range(40):
        first, second = rng.normal(0.8, 0.05, size=(2, 10))
        second += rng.uniform(0, 1) * (first - first.mean())
        both = ttest_ind(first, second).statistic, ttest_rel(first, second).statistic
        ddof = int(rng.integers(2))
        scale = math.sqrt(10) if rng.integers(2) else 1
        cells = [f"{one.mean():.3f} ± {one.std(ddof=ddof) / scale:.3f}" for one in (first, second)]
        text = f"Data,A,B,t\nx,{cells[0]},{cells[1]},{{:.2f}}"
        stated = {"spread": "sd" if scale == 1 else "se", "sd": ("population", "sample")[ddof]}
        for t, test in zip(both, ("unpaired", "paired"), strict=True):
            for known in ({}, {"test": test}, {"test": test, **stated}, stated):
                protocol = Protocol(50, 50, folds=10, averages="fold-means", **known)
                found = check(read_table(text.format(t)), protocol)["x"]
                assert found.status != "impossible"
                assert "t" not in found.unchecked
                wrong = check(read_table(text.format(abs(t) * 1.3 + 1)), protocol)["x"]
                assert wrong.status != "impossible" or verify(wrong.certificate)
                refuted += wrong.status == "impossible"
                if known.get("test") == "unpaired" and len(known) == 3:
                    assert wrong.status == "impossible"
    assert refuted > 80


def test_rates_of_a_confusion_matrix():
    text = "True,A,B,C\nA,.33,.33,.33\nB,.50,.50,0\nC,{},.2,.2"
    protocol = Protocol(classes=(3, 4, 5), confusion=True)
    assert set(statuses(text.format(".6"), protocol).values()) == {"possible"}
    assert statuses(text.format(".7"), protocol)["C"] == "impossible"
    with pytest.raises(DataError, match="do not fit 2 classes"):
        check(read_table(text.format(".6")), Protocol(classes=(3, 4), confusion=True))


def test_errors_of_predicted_numbers():
    text = "n,variance,MAE,R2\n100,0.08316192579267838,{},0.9897"
    assert statuses(text.format("0.0254"))["row 1"] != "impossible"
    assert statuses(text.format("0.0300"))["row 1"] == "impossible"
    rng = np.random.default_rng(6)
    for _ in range(60):
        true, off = rng.normal(size=20), rng.normal(size=20) * rng.uniform(0.1, 1)
        mse = np.mean(off**2)
        scores = [np.mean(abs(off)), mse, math.sqrt(mse), 1 - mse / true.var(), true.var()]
        row = ",".join(f"{score:.3f}" for score in scores)
        found = statuses(f"n,MAE,MSE,RMSE,R2,Variance\n20,{row}")["row 1"]
        assert found != "impossible", row
    assert statuses("MSE,RMSE\n.25,.51")["row 1"] == "impossible"


def test_a_spread_over_folds_by_search_through_all():
    stated = {"spread": "sd", "sd": "sample"}
    protocol = Protocol(6, 6, folds=3, averages="fold-means", **stated)
    made = {
        (f"{np.mean(shares):.2f}", f"{np.std(shares, ddof=1):.2f}")
        for shares in combinations_with_replacement(np.arange(5) / 4, 3)
    }
    for mean, sd in product(("0.50", "0.58", "0.67"), (f"{n / 100:.2f}" for n in range(0, 60, 3))):
        found = statuses(f"Accuracy\n{mean} ± {sd}", protocol)["row 1"]
        assert (found == "possible") == ((mean, sd) in made), (mean, sd)


def test_folds_that_are_not_stratified():
    found = [sorted(one) for one in partitions(4, 6, 3)]
    slow = {
        tuple(
            sorted(zip(ps, (size - p for size, p in zip((4, 3, 3), ps, strict=True)), strict=True))
        )
        for ps in product(range(1, 4), repeat=3)
        if sum(ps) == 4 and all(size > p for size, p in zip((4, 3, 3), ps, strict=True))
    }
    assert {tuple(one) for one in found} == slow
    assert len(found) == len(slow)
    unknown = Protocol(19, 97, folds=3, averages="fold-means", folding="unknown")
    # Of any deal only the solver says that there is none, which is no proof.
    assert statuses("acc,spec,sens\n.9000,.9000,.6000", unknown)["row 1"] == "not decided"
    assert statuses("acc,spec,sens\n.84,.90,.60", unknown)["row 1"] == "possible"


def test_data_sets_of_other_sizes():
    parts = Protocol(parts=((2, 3), (4, 1)), averages="fold-means")
    made = set()
    for a, b, c, d in product(range(3), range(4), range(5), range(2)):
        accuracy = ((a + 3 - b) / 5 + (c + 1 - d) / 5) / 2
        made.add((f"{accuracy:.2f}", f"{(a / 2 + c / 4) / 2:.2f}"))
    for accuracy, recall in product(("0.50", "0.60", "0.80"), ("0.25", "0.38", "0.62", "1.00")):
        found = statuses(f"Accuracy,Recall\n{accuracy},{recall}", parts)["row 1"]
        # Of .125 and the like the last digit is rounded up or to even.
        assert (accuracy, recall) not in made or found == "possible"
    found = check(read_table("Accuracy,Recall\n.20,1.00"), parts)["row 1"]
    assert found.status == "impossible"
    assert verify(found.certificate)


def test_data_sets_of_unlike_sizes_by_search_through_all():
    folds = [(1, 2), (1, 2), (2, 2)]
    reached = {(a + b + Fraction(c, 2)) / 3 for a, b, c in product(range(2), range(2), range(3))}
    for number in range(0, 101, 5):
        text = f"{number / 100:.2f}"
        limits = Printed(text).limits()
        found = fold_witness([demand("tpr", text)], folds)
        assert (found is not None) == any(limits[0] <= one <= limits[1] for one in reached)


def test_classes_by_fold_by_search_through_all():
    folds = [(1, 2, 1), (1, 1, 2)]

    def scores(matrix):
        tp, fn, fp, tn = metrics.one_vs_rest(np.array(matrix))
        return (
            tp.sum() / (tp + fn).sum(),
            np.mean(tp / (tp + fn)),
            np.mean(tn / (tn + fp)),
            float(metrics.auroc_ovo(np.array(matrix))),
        )

    names = ("accuracy", "macro_recall", "macro_specificity", "auroc_ovo")
    each = []
    for sizes in folds:
        rows = [[(a, b, s - a - b) for a in range(s + 1) for b in range(s + 1 - a)] for s in sizes]
        each.append({scores(matrix) for matrix in product(*rows)})
    made = {
        tuple(f"{(a + b) / 2:.3f}" for a, b in zip(one, other, strict=True))
        for one, other in product(*each)
    }
    rng = np.random.default_rng(8)
    for one in [sorted(made)[at] for at in rng.choice(len(made), 15)]:
        assert class_witness(limits_of(names, one), folds) is not None
    for _ in range(30):
        chosen = [sorted(made)[at] for at in rng.choice(len(made), 4)]
        mixed = tuple(row[at] for at, row in enumerate(chosen))
        near = {
            one
            for one in made
            if all(abs(float(a) - float(b)) < 0.0011 for a, b in zip(one, mixed, strict=True))
        }
        if not near:
            assert class_witness(limits_of(names, mixed), folds) is None


def limits_of(names, texts):
    return {name: Printed(text).limits() for name, text in zip(names, texts, strict=True)}


def test_classes_are_dealt_as_by_scikit_learn():
    from sklearn.model_selection import StratifiedKFold

    labels = np.repeat([0, 1, 2], (7, 12, 5))
    folds = StratifiedKFold(4).split(labels, labels)
    expected = [tuple(np.bincount(labels[test])) for _, test in folds]
    assert stratified_folds((7, 12, 5), 4) == expected


def test_indices_of_classes_that_are_not_averages():
    matrix = np.array([[30, 5, 5], [2, 17, 1], [3, 3, 4]])
    for name in ("auroc_ovo", "normalised_auroc_ova", "auroc_ova", "acsa", "overall_accuracy"):
        value = float(getattr(metrics, name)(matrix))
        taken = heading_meaning(
            {"overall_accuracy": "Overall accuracy"}.get(name, name.replace("normalised_", "n"))
        )
        assert of_classes(taken)
        right = {taken: Printed(f"{value:.5f}").limits(), "accuracy": Printed("0.72857").limits()}
        assert class_witness(right, [(40, 20, 10)]) is not None
        wrong = {taken: Printed(f"{value + 0.3:.5f}").limits()}
        assert class_witness(right | wrong, [(40, 20, 10)]) is None


def test_weighed_indices_are_those_of_the_library():
    counts = (3, 4, 5, 6)
    assert exact_index(heading_meaning("F_alpha 0.3")).quick(*counts) == pytest.approx(
        float(metrics.f_alpha(*counts, 0.3))
    )
    assert exact_index(heading_meaning("NEC 5:1")).quick(*counts) == pytest.approx(
        float(metrics.normalised_expected_cost(*counts, 5, 1))
    )
    assert exact_index("fowlkes_mallows").quick(*counts) == pytest.approx(
        math.sqrt(metrics.precision(*counts) * metrics.tpr(*counts))
    )


def test_every_index_is_known_or_said_not_to_be_checked():
    table = read_table("Accuracy,MSU,mAURPC-OVA,Colour\n.5,.4,.6,.1")
    found = check(table, Protocol(4, 4))["row 1"]
    assert found.unchecked == ("Colour", "MSU", "mAURPC-OVA")
    names = {"f_beta": "F2", "f_alpha": "F_alpha 0.3", "equal_error_rate": "EER"}
    names |= {"expected_cost": "cost 5:1", "normalised_expected_cost": "NEC 5:1"}
    for index in metrics.INDICES:
        heading = names.get(index.name, index.name.replace("_", " "))
        assert heading_meaning(heading) or heading_meaning(index.name), index.name


def test_protocols_that_are_the_same_on_a_table_are_one():
    table = read_table("Accuracy,Recall\n.85,.80\n.86,.70")
    vary = {
        "average": ["class", "macro", "weighted", "micro"],
        "of_class": ["positive", "negative"],
        "folds": [1, 5],
        "averages": ["pooled", "fold-means"],
    }
    found = infer(table, Protocol(20, 480), vary, draws=0)
    tried = len(found.left) + len(found.refuted)
    assert tried < 4 * 2 * 2 * 2 == tried + sum(map(len, found.same))
    # Linear scores of equal folds are those of all objects; weighted recall is the accuracy.
    assert all(choice["folds"] == 1 for choice in found.left)
    micro = {"average": "micro", "of_class": "positive", "folds": 1, "averages": "pooled"}
    assert micro not in found.left
    # Recalls of 2/3 and 1: .833 is their mean, and no share of 10 objects.
    table, vary = read_table("Recall\n.833"), {"average": ["micro", "macro"]}
    found = infer(table, Protocol(3, 7), vary, draws=0)
    assert found.left == [{"average": "macro"}]
