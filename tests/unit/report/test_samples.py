import math

import numpy as np
import pytest

from opchar_reproduction.report.comparison.samples import (
    Sample,
    area_variance,
    difference_variance,
    sample_of,
    samples_of,
)
from opchar_reproduction.report.comparison.verdicts import judge_number


@pytest.mark.parametrize(
    ("unit", "sample"),
    [
        ("of 50 scenarios", Sample(50.0, 50)),
        ("% of 50 scenarios", Sample(100.0, 50)),
        ("fraction of 800 objects", Sample(1.0, 800)),
        ("area of 120 + 80 objects", Sample(1.0, 120, 80)),
        ("fraction", None),
        ("% points", None),
        ("F-measure", None),
        ("of 0 objects", None),
        ("area of 120 objects", None),
        ("fraction of 120 + 80 objects", None),
        ("range of xi", None),
        ("", None),
    ],
)
def test_the_unit_says_what_was_counted(unit, sample):
    assert sample_of(unit) == sample


def test_the_known_sample_stands_in_for_the_other():
    assert samples_of("fraction", "fraction of 80 objects") == (Sample(1.0, 80), Sample(1.0, 80))
    assert samples_of("of 50 scenarios", "of 20 scenarios") == (Sample(50, 50), Sample(20, 20))
    assert samples_of("fraction", "volume") is None


@pytest.mark.parametrize(
    ("scale", "sizes"), [(1.0, (400, 100)), (100.0, (50, 50)), (50.0, (50, 200))]
)
def test_the_variance_is_that_of_simulated_counts(scale, sizes):
    draw = np.random.default_rng(0).binomial
    rates = [draw(size, 0.3, 40_000) / size * scale for size in sizes]
    theirs, ours = (Sample(scale, size) for size in sizes)
    found = difference_variance(0.3 * scale, 0.3 * scale, theirs, ours)
    assert found == pytest.approx(np.var(rates[0] - rates[1]), rel=0.03)


def test_the_rate_is_pooled_over_both_samples():
    # (0.1 * 300 + 0.5 * 100) / 400 = 0.2
    found = difference_variance(0.1, 0.5, Sample(1.0, 300), Sample(1.0, 100))
    assert found == pytest.approx(0.2 * 0.8 * (1 / 300 + 1 / 100))


def test_a_count_of_none_has_the_noise_of_the_other_side():
    assert difference_variance(0, 6, Sample(50, 50), Sample(50, 50)) > 0
    assert difference_variance(0, 0, Sample(50, 50), Sample(50, 50)) == 0


def test_the_variance_of_an_area_is_that_of_simulated_exponential_scores():
    # For them the form of Hanley and McNeil is exact; the area is 4 / (1 + 4).
    generator = np.random.default_rng(1)
    areas = []
    for _ in range(10_000):
        positive = generator.exponential(4, 30)
        negative = generator.exponential(1, 90)
        areas.append((positive[:, None] > negative).mean())
    assert np.mean(areas) == pytest.approx(0.8, abs=0.003)
    assert area_variance(0.8, 30, 90) == pytest.approx(np.var(areas), rel=0.04)
    assert area_variance(1.0, 60, 90) == pytest.approx(0.0, abs=1e-15)
    one = difference_variance(0.8, 0.8, Sample(1, 60, 90), Sample(1, 60, 90))
    assert one == pytest.approx(2 * area_variance(0.8, 60, 90))


def test_a_published_count_is_judged_by_its_binomial_noise():
    samples = samples_of("of 50 scenarios", "of 50 scenarios")
    # sqrt(2 * 50 * 0.48 * 0.52 + 1 / 12) = 5.005 at 19 and 29
    found = judge_number("19", 29, samples=samples)
    assert found.verdict == "agrees"
    assert found.spread == "binomial"
    assert found.z == pytest.approx(10 / math.sqrt(100 * 0.48 * 0.52 + 1 / 12))
    assert found.reason == "z = +2.00 (binomial, 50 and 50 counted)"
    assert judge_number("19", 30, samples=samples).verdict == "differs"


def test_a_spread_over_repeats_comes_before_the_binomial():
    samples = samples_of("fraction of 80 objects", "")
    assert judge_number("0.50", 0.55, std=0.01, n=10, samples=samples).spread == "ours"
    assert judge_number("0.50", 0.55, printed_std="0.1", samples=samples).spread == (
        "printed, one repeat"
    )
    assert judge_number("0.50", 0.55, samples=samples).verdict == "agrees"
    assert judge_number("0.50", 0.55).verdict == "differs"
