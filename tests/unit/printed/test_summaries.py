"""Bounds between summary values against searches through all, and closed forms."""

import math
from fractions import Fraction
from io import StringIO
from itertools import combinations_with_replacement, product
from operator import mul

import numpy as np
import pytest
from scipy.stats import ttest_ind

from opchar.cli import main
from opchar.errors import DataError
from opchar.printed import (
    Answer,
    Inference,
    Protocol,
    one_set,
    rates_possible,
    read_table,
    sample_with,
    shared_test_set,
    t_range,
    win_range,
)
from opchar.printed.averages import fold_witness
from opchar.printed.exact_indices import EXACT
from opchar.printed.formulas import AXES, curved_ends, linear_form, score_ends
from opchar.printed.inference import least_of, sizes_of_shares
from opchar.printed.matrices import Demand, count_matrices, of_any_size, witness
from opchar.printed.mean_proofs import no_spread
from opchar.printed.numbers import Printed
from opchar.printed.parts import join_parts
from opchar.printed.reported_values import greatest_sd
from opchar.printed.words import choices_in_words, shared_sizes_in_words, verdict
from opchar.spaces.p_roc import auprec_range, exact_auprec
from opchar.spaces.points import from_rates
from opchar.spaces.roc import auc


def point(value):
    return (Fraction(value), Fraction(value))


@pytest.mark.parametrize("kind", ["sample", "population"])
@pytest.mark.parametrize("spread", ["sd", "se"])
def test_samples_by_search_through_all(kind, spread):
    made = set()
    for sample in combinations_with_replacement(range(1, 5), 5):
        sd = np.std(sample, ddof=1 if kind == "sample" else 0)
        sd /= math.sqrt(5) if spread == "se" else 1
        made.add((f"{np.mean(sample):.1f}", f"{sd:.2f}"))
    for mean, sd in product(("1.4", "2.2", "3.0", "3.1"), ("0.40", "0.55", "0.84", "1.10", "1.30")):
        found = sample_with(mean, sd, 5, 1, 4, spread=spread, kind=kind)
        assert (found is not None) == ((mean, sd) in made)


def test_the_mean_alone():
    assert sample_with("3.47", None, 20, 1, 5) is None
    found = sample_with("3.45", None, 20, 1, 5)
    assert sum(found.values()) == 20
    assert sum(value * often for value, often in found.items()) == 69
    found = sample_with("-4.00", None, 4, -5, 1)
    assert sum(value * often for value, often in found.items()) == -16


def test_random_curves_lie_within_the_bounds():
    rng = np.random.default_rng(4)
    for _ in range(200):
        fpr, tpr = np.sort(rng.random((2, 6)) ** rng.uniform(0.2, 4), axis=1)
        fpr[-1] = tpr[-1] = 1
        points = from_rates(np.r_[0, tpr], np.r_[0, fpr])
        area, prior = auc(points), float(rng.uniform(0.02, 0.9))
        least, most = auprec_range(point(area), prior)
        assert least - 1e-9 <= exact_auprec(points, prior) <= most + 1e-9


def test_the_greatest_spread_bounds_all_samples():
    for sample in product((0.0, 0.25, 0.5, 1.0), repeat=4):
        for kind, less in (("sample", 1), ("population", 0)):
            most = greatest_sd(point(np.mean(sample)), 4, 0.0, 1.0, kind)
            assert np.std(sample, ddof=less) <= most + 1e-12


@pytest.mark.parametrize("equal", [True, False])
def test_t_of_samples_lies_in_its_range(equal):
    rng = np.random.default_rng(3)
    for _ in range(50):
        first, second = rng.normal(size=8), rng.normal(0.7, 2, size=13)
        t = abs(ttest_ind(first, second, equal_var=equal).statistic)
        means = [Printed(f"{part.mean():.2f}").limits() for part in (first, second)]
        for kind, spread in product(("sample", "population"), ("sd", "se")):
            sds = []
            for part in (first, second):
                sd = part.std(ddof=1 if kind == "sample" else 0)
                sd /= math.sqrt(len(part)) if spread == "se" else 1
                sds.append(Printed(f"{sd:.2f}").limits())
            low, high = t_range(
                means, sds, [8, 13], spread=spread, kind=kind, equal_variances=equal
            )
            assert low <= t <= high


def test_winners_are_counted_from_rounded_scores():
    limits = {
        name: [Printed(text).limits() for text in column]
        for name, column in {"A": (".91", ".80", ".70"), "B": (".90", ".85", ".70")}.items()
    }
    assert win_range(limits) == {"A": (1, 2), "B": (1, 3)}
    apart = {"A": [point(".9"), point(".7")], "B": [point(".8"), point(".7")]}
    assert win_range(apart) == {"A": (2, 2), "B": (1, 1)}
    assert win_range(apart, ties_count=False) == {"A": (1, 1), "B": (0, 0)}


def test_rates_of_a_class_are_counts():
    third, half = Printed("0.33").limits(), Printed("0.50").limits()
    assert rates_possible([third] * 3, 3)
    assert not rates_possible([third, half], 3)
    assert not rates_possible([third, third, half], 6)


def test_what_stands_beneath_the_check_at_its_edges(monkeypatch):
    half, third = (Fraction(1, 2),) * 2, (Fraction(1, 3),) * 2
    # The other class has the rates of negatives, and the other share.
    ranges, turned = (
        [half, third, half, third, third],
        [third, half, third, half, (1 - third[0],) * 2],
    )
    assert curved_ends("mcc of the other class", ranges) == curved_ends("mcc", turned)
    assert score_ends("fp", (1, 2, 3, 4), (2, 1, 2, 5)) == (2, 3)
    cells = one_set._scale_cells([Demand(EXACT[name], third, "") for name in ("tpr", "tnr")])
    assert Fraction(cells[0], cells[0] + cells[1]) == third[0]
    assert one_set._scale_cells([Demand(EXACT["tp"], half, "")]) is None
    assert of_any_size([], None, None, range(2, 2)) is None
    digits = (Fraction(12345678901234567, 10**17), Fraction(12345678901234569, 10**17))
    assert sizes_of_shares([digits], 100).size == 0
    assert shared_test_set(read_table("M,Acc\nA,.1234\nB,.8765"), Protocol(), 50).objects == []
    with pytest.raises(DataError, match="is none of 'stratified', 'unknown'"):
        Protocol(folding="never")
    # More shares than can be dealt out one by one are not refuted.
    assert not no_spread(third, (Fraction(1, 100), third[0]), 40, False, "sd", "sample", 3000)
    assert not no_spread((0, 1), half, 2, False, "sd", "population")
    unknown = next(index for index in EXACT.values() if index.sense == "unknown")
    assert count_matrices([Demand(unknown, third, "")], 2000, 2000, 7) == 7
    parts = [(["m", "Acc"], [["A", ".5"], ["A", ".6"]]), (["m", "Acc"], [["A", ".7"]])]
    assert [row[0] for row in join_parts(parts)[1]] == ["A", "A'", "A''"]
    monkeypatch.setattr(type(unknown), "value", lambda *_: 2.0)
    with pytest.raises(RuntimeError, match=r"is 2\.0, not half"):
        witness([Demand(EXACT["tpr"], half, "half")], 4, 4)


def test_the_command_reads_standard_input_and_repeats_switches(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("class,a,b\na,0.25,0.75\nb,0.50,0.50\n"))
    page = tmp_path / "page.html"
    assert main(["check", "-", "--classes", "4,4", "--confusion", "--page", str(page)]) == 0
    assert "check - --classes 4,4 --confusion" in page.read_text(encoding="utf-8")
    table = read_table("M,Acc\nA,.500\nB,.515\nC,.532")
    said = verdict(table, dict.fromkeys("AB", Answer("not decided")), Protocol())
    assert said.startswith("2 of 2 rows are not decided")
    shared = shared_sizes_in_words(shared_test_set(table, Protocol(objects=1000)))
    assert shared[-1] == "differ by less than the standard error: A and B"
    assert least_of({"A": Answer("possible", least_objects=7), "B": Answer("possible")}) == 7
    told = [choices_in_words(Inference([], [], [], [], names)) for names in ((), ("folds",))]
    assert ["to decide" in " ".join(lines) for lines in told] == [False, True]


def test_no_spread_at_one_end_leaves_t_as_large_as_the_other():
    least = pytest.approx(1 / math.sqrt(2 / 5))
    assert t_range(((1, 1), (0, 0)), ((0, 1), (0, 1)), (5, 5)) == (least, math.inf)


def test_linear_forms_are_their_indices():
    found = [(name, linear_form(name)) for name in EXACT] + [*AXES.items()]
    for name, form in found:
        for cells in product((1, 2, 5), repeat=4) if form and name in EXACT else ():
            above, below = (Fraction(sum(map(mul, weights, cells))) for weights in form)
            assert above / below == Fraction(*EXACT[name].ratio(*cells)), name


def test_folds_of_two_sizes_have_the_means_of_any_matrices():
    rng, sizes = np.random.default_rng(3), [(4, 7)] * 3 + [(5, 6)] * 2
    for _ in range(10):
        demands, drawn = [], [(*s, *(int(rng.integers(size + 1)) for size in s)) for s in sizes]
        for name in ("accuracy", "tpr"):
            index = EXACT[name]
            sums = sum(Fraction(*index.ratio(tp, p - tp, fp, n - fp)) for p, n, tp, fp in drawn)
            demands.append(Demand(index, (sums / 5, sums / 5), ""))
        assert fold_witness(demands, sizes) is not None
