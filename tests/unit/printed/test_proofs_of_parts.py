"""Proofs about means over folds and classes, rates of a matrix, tests and wins, by brute force."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from opchar.printed import Protocol, check, read_table, verify
from opchar.printed.certificates import boxes_are_empty
from opchar.printed.exact_indices import exact_index
from opchar.printed.mean_proofs import float_ends, points, values_at

NAMES = {"accuracy": "Accuracy", "tpr": "Recall", "tnr": "Specificity", "precision": "Precision"}
NAMES |= {"f1": "F1"}


def answer(scores, protocol):
    text = ",".join(NAMES.get(name, name) for name in scores) + "\n" + ",".join(scores.values())
    found = check(read_table(text), protocol)["row 1"]
    assert found.status != "impossible" or verify(found.certificate)
    return found


def mean_of(name, matrices, undefined):
    """Return a mean over folds, with 0/0 as told, or left out."""
    ratios = [exact_index(name).ratio(*cells) for cells in matrices]
    values = [Fraction(*one) if one[1] else undefined for one in ratios]
    values = [value for value in values if value is not None]
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def test_no_scores_of_true_folds_are_refuted_however_dealt():
    rng = np.random.default_rng(8)
    proofs = 0
    for _ in range(40):
        folds, (p, n) = int(rng.integers(2, 6)), rng.integers(6, 40, 2)
        dealt = [[int(size) // folds] * folds for size in (p, n)]
        for sizes, size in zip(dealt, (p, n), strict=True):
            for at in rng.permutation(folds)[: size % folds]:
                sizes[at] += 1  # in any order, as no program need deal as another does
        skill = rng.uniform(0.05, 0.95, 2)
        pairs = [
            (rng.binomial(a, skill[0]), rng.binomial(b, skill[1]))
            for a, b in zip(*dealt, strict=True)
        ]
        cells = [(t, a - t, f, b - f) for (t, f), a, b in zip(pairs, *dealt, strict=True)]
        cells = [tuple(map(int, one)) for one in cells]
        chosen = rng.choice(list(NAMES), int(rng.integers(1, 4)), replace=False)
        undefined = (None, Fraction(0), Fraction(1))[rng.integers(3)]
        printed = {name: f"{float(mean_of(name, cells, undefined)):.4f}" for name in chosen}
        protocol = Protocol(int(p), int(n), folds=folds, averages="fold-means", seconds=0.1)
        assert answer(printed, protocol).status != "impossible", (printed, cells)
        wrong = {name: f"{float(text) + 0.013:.4f}" for name, text in printed.items()}
        proofs += answer(wrong, protocol).status == "impossible"
    assert proofs > 9


def test_means_over_stated_data_sets_agree_with_a_search_through_all():
    parts = ((2, 3), (4, 1), (3, 3))
    protocol = Protocol(parts=parts, averages="fold-means", seconds=1)
    made = set()
    for counts in product(*(range(size + 1) for part in parts for size in part)):
        tps, tns = counts[::2], counts[1::2]
        right = [Fraction(a + b, p + n) for a, b, (p, n) in zip(tps, tns, parts, strict=True)]
        found = [Fraction(a, p) for a, (p, _) in zip(tps, parts, strict=True)]
        made.add((sum(right) / 3, sum(found) / 3))
    rng, refuted, half = np.random.default_rng(9), 0, Fraction(1, 200)
    for _ in range(40):
        accuracy, recall = (f"{value:.2f}" for value in rng.uniform(0, 1, 2))
        found = answer({"accuracy": accuracy, "tpr": recall}, protocol)
        near = any(
            abs(a - Fraction(accuracy)) <= half and abs(r - Fraction(recall)) <= half
            for a, r in made
        )
        assert found.status == "possible" if near else found.status != "possible"
        refuted += found.status == "impossible"
    assert refuted > 10


def test_averages_over_classes_are_refuted_by_proof_and_never_where_they_hold():
    rng, refuted = np.random.default_rng(10), 0
    names = ["Accuracy", "Macro precision", "Macro sensitivity", "Macro specificity", "Macro F1"]
    for _ in range(14):
        sizes = [int(size) for size in rng.integers(4, 16, int(rng.integers(3, 5)))]
        matrix = np.array([rng.multinomial(k, rng.dirichlet(np.ones(len(sizes)))) for k in sizes])
        total, classes = sum(sizes), range(len(sizes))
        right, called = matrix.diagonal().tolist(), matrix.sum(axis=0).tolist()
        cells = [
            (
                right[k],
                sizes[k] - right[k],
                called[k] - right[k],
                total - sizes[k] - called[k] + right[k],
            )
            for k in classes
        ]
        values = [Fraction(int(np.trace(matrix)), sum(sizes))]
        values += [mean_of(n, cells, Fraction(0)) for n in ("precision", "tpr", "tnr", "f1")]
        for moved in (0, 0.05):
            kept = rng.permutation(5)[:3]
            texts = [f"{float(values[at]) + moved * rng.choice([-1, 1]):.3f}" for at in kept]
            text = ",".join(names[at] for at in kept) + "\n" + ",".join(texts)
            protocol = Protocol(classes=tuple(sizes), seconds=0.1)
            found = check(read_table(text), protocol)["row 1"]
            assert moved or found.status != "impossible", (text, sizes)
            assert found.status != "impossible" or verify(found.certificate)
            refuted += found.status == "impossible"
    assert refuted > 4


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "True,A,B,C\nA,.33,.33,.33\nB,.50,.50,0\nC,.7,.2,.2",
            {"classes": (3, 4, 5), "confusion": True},
        ),
        ("True,A,B\nA,.41,.59\nB,.50,.50", {"classes": (10, 4), "confusion": True}),
        ("Data,A,B,t\niris,.80 ± .04,.70 ± .05,9.7", {"folds": 10, "test": "unpaired"}),
        ("Data,A,B,t\niris,.80 ± .04,.70 ± .09,9.7", {"folds": 10}),
        ("Data,A,B\nx,.80,.70\ny,.90,.60\nz,.50,.50\nWins,2,3", {}),
        ("Accuracy\n.98 ± .40", {"folds": 5}),
        ("Accuracy\n.98 ± .01", {"folds": 5, "positives": 50, "negatives": 50, "spread": "sd"}),
        ("Recall\n.9075", {"folds": 10, "positives": 53, "negatives": 100}),
        ("Accuracy,Recall\n.20,1.00", {"parts": ((2, 3), (4, 1))}),
        ("Accuracy,Macro recall\n.50,.95", {"classes": (20, 30, 40)}),
    ],
)
def test_each_kind_of_proof_is_refused_when_its_numbers_are_wider(text, stated):
    folds = {"averages": "fold-means"} if {"folds", "parts"} & set(stated) else {}
    found = check(read_table(text), Protocol(**stated, **folds))
    proofs = [one.certificate for one in found.values() if one.status == "impossible"]
    assert proofs
    for proof in proofs:
        assert verify(proof)
        wide = tuple((name, low - 10, high + 10) for name, low, high in proof.scores)
        assert not verify(replace(proof, scores=wide))
    words = [one.arithmetic for one in found.values() if one.status == "impossible"]
    assert all(len(lines) == 2 for lines in words)


def test_a_test_that_is_not_named_may_be_paired():
    table = read_table("Data,A,B,t\niris,.80 ± .04,.70 ± .05,9.7")
    found = check(table, Protocol(folds=10))["iris"]
    assert found.status == "not decided"
    assert "--test" in found.reason


CURVED = ("mcc", "g_mean", "kappa", "macro_f1", "negative_likelihood", "diagnostic_odds_ratio")


@pytest.mark.parametrize("name", CURVED)
def test_floats_refute_the_boxes_that_fractions_refute(name):
    ends = {end for cells in points([name], 7, 9) for end in values_at([name], cells)[0]}
    every = sorted(map(Fraction, filter(math.isfinite, ends)))
    inside = [(end, end) for end in every[1::5]]
    between = [((3 * a + b) / 4, (a + 3 * b) / 4) for a, b in pairwise(every)][1::5]
    found = []
    for low, high in inside + between:
        tried = [
            boxes_are_empty([(name, low, high)], 7, 9, [9999], exact=exact)
            for exact in (True, False)
        ]
        assert tried[0] == tried[1]
        found.append(tried[0])
    assert any(found)
    assert not any(found[: len(inside)])


@pytest.mark.parametrize("name", [*CURVED, "precision", "accuracy", "f_beta 2", "fn - fp"])
def test_matrices_in_floats_have_the_values_of_fractions(name):
    weight = Fraction(3, 7)
    found = float_ends(name, (name,), 5, 6, weight)
    exact = [values_at([name], cells)[0] for cells in points([name], 5, 6)]
    wanted = [[float(weight * end) for end in ends] for ends in exact]
    np.testing.assert_allclose(found.T, wanted, rtol=1e-14, atol=1e-15)
