"""Bounds between summary values against searches through all, and closed forms."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from scipy.stats import ttest_ind

from opchar.printed import rates_possible, sample_with, t_range, win_range
from opchar.printed.numbers import Printed
from opchar.printed.reported_values import auc_range, greatest_sd
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


def test_random_curves_lie_within_the_bounds():
    rng = np.random.default_rng(4)
    for _ in range(200):
        fpr, tpr = np.sort(rng.random((2, 6)) ** rng.uniform(0.2, 4), axis=1)
        fpr[-1] = tpr[-1] = 1
        points = from_rates(np.r_[0, tpr], np.r_[0, fpr])
        area, prior = auc(points), float(rng.uniform(0.02, 0.9))
        least, most = auprec_range(point(area), prior)
        assert least - 1e-9 <= exact_auprec(points, prior) <= most + 1e-9
        at = int(rng.integers(6))
        low, high = auc_range(point(fpr[at]), point(tpr[at]))
        assert low - Fraction(1, 10**9) <= Fraction(area) <= high + Fraction(1, 10**9)


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
