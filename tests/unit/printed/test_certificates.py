"""Proofs: every refutation is verified, none of a true matrix, all agree with brute force."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from opchar.printed import Certificate, Protocol, check, read_table, verify
from opchar.printed.certificates import axis_ends, cone_of, cut_cone, half_spaces, is_empty
from opchar.printed.exact_indices import COUNTS, EXACT, exact_index
from opchar.printed.formulas import (
    AXES,
    curved_ends,
    is_curved,
    is_squared,
    linear_form,
    mean_ends,
    score_ends,
)
from opchar.printed.mean_proofs import no_spread

NAMES = [name for name in EXACT if linear_form(name) or is_curved(name)]
NAMES += ["f_beta 2", "f_alpha 0.3", "expected_cost 5:1", "normalised_expected_cost 2:3"]
NAMES += ["macro_f1", "macro_precision", "macro_recall", "weighted_f1", "weighted_precision"]
HALF = Fraction(1, 2)


def ratio(name, cells):
    return Fraction(*exact_index(name).ratio(*cells))


def around(value, width):
    """Return limits of a given width in which a value lies."""
    low = Fraction(int(value / width)) * width
    return (low, low + width) if value >= 0 else (low - width, low)


def whole_matrices(most):
    for total in range(2, most + 1):
        for p in range(1, total):
            for tp, fp in product(range(p + 1), range(total - p + 1)):
                yield tp, p - tp, fp, total - p - fp


@pytest.mark.parametrize("name", NAMES)
def test_the_formulas_of_proofs_are_those_of_the_library(name):
    rng = np.random.default_rng(1)
    for _ in range(40):
        cells = tuple(int(count) for count in rng.integers(1, 90, 4))
        low, high = score_ends(name, cells, cells, 0)
        assert low == high == ratio(name, cells), cells


@pytest.mark.parametrize("name", [name for name in NAMES if is_curved(name)])
def test_bounds_over_ranges_hold_all_matrices_inside(name):
    rng = np.random.default_rng(2)
    for _ in range(60):
        many = [tuple(int(n) for n in rng.integers(0, 9, 4)) for _ in range(3)]
        many = [m for m in many if m[0] + m[1] and m[2] + m[3] and m[0] + m[2] and m[1] + m[3]]
        if not many:
            continue
        ranges = []
        for axis in tuple(AXES)[:5]:
            above, below = (np.array(part) for part in AXES[axis])
            values = [Fraction(int(above @ m), int(below @ m)) for m in map(np.array, many)]
            ranges.append((min(values), max(values)))
        low, high = curved_ends(name, ranges)
        for cells in many:
            over, under = exact_index(name).ratio(*cells)
            if under:
                assert low <= Fraction(over, under) <= high, (name, cells, many)


def test_cones_hold_the_matrices_that_have_the_scores():
    rng = np.random.default_rng(3)
    linear = [name for name in NAMES if linear_form(name)]
    for _ in range(60):
        cells = tuple(int(n) for n in rng.integers(1, 40, 4))
        cone, ranges = cone_of([], (None, None, None)), []
        for name in rng.choice(linear, 3, replace=False):
            limits = around(ratio(name, cells), Fraction(1, 50))
            ranges.append((name, limits))
            for half in half_spaces(linear_form(name), *limits):
                cone = cut_cone(cone, half)
        assert not is_empty(cone)
        for axis, (above, below) in AXES.items():
            low, high = axis_ends(cone, axis)
            assert low <= Fraction(int(np.dot(above, cells)), int(np.dot(below, cells))) <= high
        for ray, _ in cone:
            for name, (low, high) in ranges:
                over, under = (
                    np.dot(np.array(part, dtype=object), ray) for part in linear_form(name)
                )
                assert low * under <= over <= high * under


def answer(scores, protocol):
    text = ",".join(scores) + "\n" + ",".join(scores.values())
    table = read_table(text, {name: (name, "fraction") for name in scores})
    return check(table, protocol)["row 1"]


@pytest.mark.parametrize(
    "names",
    [
        ("accuracy", "tpr", "tnr"),
        ("precision", "tpr", "f1"),
        ("mcc", "accuracy"),
        ("kappa", "tpr"),
        ("npv", "precision", "posfrac", "accuracy"),
        ("negative_likelihood", "fnr", "tnr"),
        ("jaccard", "fnr", "fpr"),
        ("youden", "balanced_accuracy"),
        ("macro_f1", "accuracy"),
        ("markedness", "youden", "mcc"),
    ],
)
def test_no_size_is_refuted_that_brute_force_finds(names):
    """And of those that are refuted each proof is verified, and no matrix up to 24 has them."""
    rng = np.random.default_rng(sum(map(ord, "".join(names))))
    made = {}
    for cells in whole_matrices(24 if len(names) == 2 else 20):
        values = []
        for name in names:
            _, under = exact_index(name).ratio(*cells)
            values.append(exact_index(name).quick(*cells) if under else np.inf)
        made[cells] = values
    refuted = 0
    for _ in range(14):
        printed = {n: f"{rng.uniform(0.05, 0.99) * (3 if 'like' in n else 1):.2f}" for n in names}
        found = answer(printed, Protocol(most_objects=60, average="class", one_class=True))
        wanted = [float(text) for text in printed.values()]
        hits = [
            cells
            for cells, values in made.items()
            if all(abs(a - b) < 0.005 - 1e-9 for a, b in zip(values, wanted, strict=True))
        ]
        if found.status == "impossible":
            refuted += 1
            assert not hits, (printed, hits[0])
            assert verify(found.certificate)
            # The proof proves these scores alone: others are not refuted by it.
            wide = replace(
                found.certificate,
                scores=tuple((n, Fraction(-9), Fraction(99)) for n, *_ in found.certificate.scores),
            )
            assert not verify(wide)
        if found.status == "possible":
            for name, text in printed.items():
                value = exact_index(name).value(**found.witness)
                assert abs(value - float(text)) <= 0.005 + 1e-9
            if hits and found.least_objects:
                assert found.least_objects <= min(map(sum, hits))
    assert refuted or "macro_f1" in names  # of how many classes is not stated


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("cut_off", [False, True], ids=["nearest", "cut"])
def test_true_rows_of_any_size_are_never_refuted(digits, cut_off):
    """Up to ten million objects, one in a hundred thousand of them positive."""
    rng = np.random.default_rng(digits)
    for _ in range(2):
        total = int(10 ** rng.uniform(1, 7))
        p = min(max(int(total * 10 ** rng.uniform(-5, -0.1)), 1), total - 1)
        n = total - p
        tp, fp = (
            int(rng.binomial(p, rng.uniform(0.3, 1))),
            int(rng.binomial(n, rng.uniform(0, 0.3))),
        )
        cells = (tp, p - tp, fp, n - fp)
        printed = {}
        for name in rng.choice(NAMES, 3, replace=False):
            _, under = exact_index(name).ratio(*cells)
            if not under or name == "discriminant_power":
                continue
            value = exact_index(name).quick(*cells)
            step = 10.0**-digits
            text = f"{int(value / step) * step:.{digits}f}" if cut_off else f"{value:.{digits}f}"
            if cut_off and (value < 0 or not 0 <= value - float(text) < step):
                continue
            printed[str(name)] = text
        if not printed:
            continue
        rounding = "cut" if cut_off else "nearest"
        for sizes in ({}, {"positives": p, "negatives": n}, {"objects": total}, {"positives": p}):
            found = answer(printed, Protocol(**sizes, rounding=rounding, seconds=1.0))
            assert found.status != "impossible", (cells, printed, sizes, found)


@pytest.mark.parametrize("name", sorted({*EXACT} - {*COUNTS, "adjusted_g_mean"}))
def test_arrays_of_matrices_have_the_ratios_of_each(name):
    """With empty rows and columns, too, where 0/0 inside a sum counts as 0."""
    cells = np.array(list(product(range(3), repeat=4)))
    several = np.broadcast_arrays(*EXACT[name].ratio(*cells.T))
    each = [EXACT[name].ratio(*map(int, row)) for row in cells]
    np.testing.assert_array_equal(np.transpose(several), each)


def test_a_proof_of_other_scores_is_none():
    low, high = Fraction(179, 200), Fraction(181, 200)
    wrong = Certificate("shares", (("tpr", low, high), ("f1", HALF, high)), proof=("empty",))
    assert not verify(wrong)
    assert verify(replace(wrong, scores=(("tpr", Fraction(0), Fraction(1, 9)), ("f1", HALF, HALF))))
    assert not verify(Certificate("shares", (("mcc", low, high),), proof=0))
    gap = ("tpr", Fraction(1, 4), Fraction(3, 4), ("empty",), ("empty",))
    assert not verify(Certificate("shares", (("tpr", HALF, HALF),), proof=gap))
    assert not verify(Certificate("shares", (("tpr", HALF, HALF),), (4, None, None), gap))
    gap = ("tpr", Fraction(1, 3), Fraction(2, 3), ("empty",), ("empty",))
    assert verify(Certificate("shares", (("tpr", HALF, HALF),), (3, None, None), gap))
    assert not verify(Certificate("boxes", (("tpr", HALF, HALF),)))
    assert verify(Certificate("boxes", (("tpr", HALF, HALF),), (3, 2, 5)))
    assert not verify(Certificate("boxes", (("tpr", HALF, HALF),), (4, 2, 6)))


def test_means_of_f_lie_between_its_bounds():
    rng = np.random.default_rng(5)
    for _ in range(300):
        parts = rng.random((rng.integers(1, 6), 2)) ** rng.uniform(0.1, 3)
        f = (2 * parts.prod(axis=1) / parts.sum(axis=1)).mean()
        p, r = parts.mean(axis=0)
        known = {"precision": (p, p), "tpr": (r, r)}
        low, high = mean_ends(known, "f1")
        assert low - 1e-12 <= f <= high + 1e-12
        assert mean_ends({"tpr": (r, r)}, "f1")[1] == pytest.approx(2 * r / (1 + r))


def test_means_of_negative_indices_are_not_refuted():
    for heading, value in (("MCC", "-0.50"), ("kappa", "-0.50"), ("LR+", "1.40")):
        row = f"model,{heading},Specificity\nA,{value},0.25"
        protocol = Protocol(parts=((4, 4), (4, 4)), averages="fold-means")
        assert check(read_table(row), protocol)["A"].status != "impossible"


def test_spreads_by_search_through_all():
    for many, size in ((2, 5), (3, 4), (4, 3)):
        made = set()
        for values in product(range(size + 1), repeat=many):
            shares = np.array(values) / size
            made.add((round(shares.mean(), 2), round(shares.std(ddof=1), 2)))
        for mean, sd in product(np.arange(0, 1.01, 0.05), np.arange(0, 0.7, 0.07)):
            ends = [
                (Fraction(str(round(v - 0.005, 3))), Fraction(str(round(v + 0.005, 3))))
                for v in (mean, sd)
            ]
            none = no_spread(*ends, many, False, "sd", "sample", size)
            assert not none or (round(mean, 2), round(sd, 2)) not in made, (mean, sd, many, size)
            if (round(mean, 2), round(sd, 2)) not in made and 0.02 < mean < 0.98:
                near = [m for m in made if abs(m[0] - mean) < 0.011 and abs(m[1] - sd) < 0.011]
                assert none or near


def test_squares_are_told():
    assert is_squared("mcc")
    assert is_squared("g_mean of the other class")
    assert not is_squared("f1")
