import math

import numpy as np
import pandas as pd
import pytest

from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.ledger import build
from opchar_reproduction.report.comparison.published_values import ERRATA, read_lines
from opchar_reproduction.report.comparison.samples import (
    Sample,
    area_variance,
    difference_variance,
    evident_size,
    evident_sizes,
    sample_of,
    samples_of,
)
from opchar_reproduction.report.comparison.verdicts import judge_number
from opchar_reproduction.results import Results


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


@pytest.mark.parametrize(
    ("printed", "size"),
    [
        (["0.0047", "0.8826", "0.0986", "0.0141"], 213),  # three free rates, four digits each
        (["4.7", "88.3", "9.9", "1.4"], None),  # the same to fewer digits
        (["0.9273", "0.0227", "0.0500"], None),  # of 220, as random rates are with 3.6 %
        (["0.9508", "0.0018", "0.0474"], None),  # of 549, as random rates are with 55 %
        (["0.5000", "0.5000", "1.0000"], None),
        (["0.90", "0.80", "0.60", "0.55", "0.30"], None),  # twentieths, which two digits hide
        ([], None),
    ],
)
def test_digits_show_a_sample_where_random_rates_would_not(printed, size):
    assert evident_size(printed, 100 if printed[:1] == ["4.7"] else 1) == size


def test_random_rates_show_a_sample_in_one_of_a_thousand_at_most_and_counts_mostly_do():
    draw = np.random.default_rng(3)
    rows = draw.dirichlet([1.0] * 5, 2000)
    assert sum(evident_size([f"{rate:.4f}" for rate in row]) is not None for row in rows) <= 4
    counts = draw.multinomial(200, [0.2] * 5, 200) / 200
    found = [evident_size([f"{rate:.4f}" for rate in row]) for row in counts]
    assert found.count(200) > 120
    assert {200 % size for size in found if size} == {0}


@pytest.mark.parametrize(
    ("ours", "verdict", "said"),
    [
        (
            [0.01, 0.87, 0.1, 0.02],
            "agrees",
            "z = +0.78 (ours is exact, the publication counted 213)",
        ),
        ([0.03, 0.87, 0.08, 0.02], "differs", "z = +2.16 (ours"),
        # Where ours are rates of the size too, both sides count one printed list.
        ([2 / 213, 188 / 213, 20 / 213, 3 / 213], "differs", "units of the last digit"),
    ],
)
def test_a_sample_that_the_printed_rates_show_enters_the_spread(ours, verdict, said):
    printed = ["0.0047", "0.8826", "0.0986", "0.0141"]
    line = {"paper": "p", "artefact": "t", "row": "a", "kind": "number", "unit": "fraction"}
    lines = [
        line
        | {"id": f"p:{n}", "column": f"{n}", "value": value, "std": "", "claim": "", "where": ""}
        for n, value in enumerate(printed)
    ]
    results = Results()
    for n, value in enumerate(ours):
        results.number("t", "a", f"{n}", value, unit="fraction", basis="exact")
    empty = pd.DataFrame(columns=ERRATA)
    built = build(pd.DataFrame(lines), results.frame().assign(paper="p"), empty, ["p/t"])
    first = built.iloc[0]
    assert first["verdict"] == verdict
    assert said in first["reason"]


def test_exact_values_stand_beside_no_printed_row_that_shows_a_sample():
    """So the rule changes no verdict, also of Eqs. 4.38 and 4.39: what shows one has repeats here,
    or is an illustration."""
    exact = {"kind": "number", "basis": "exact", "value": 0.12345, "std": math.nan, "n": None}
    lines = read_lines(folders()).to_dict("records")
    found = evident_sizes((line, exact) for line in lines)
    shown = {line["artefact"]: found[line["id"]] for line in lines if line["id"] in found}
    assert shown.pop("figure-5.10") == 10
    assert {name.partition("-confusion")[0] for name in shown} == {"text-3.2.5"}
    assert set(shown.values()) <= {213, 217}


def test_a_stated_sample_of_the_print_counts_alone_where_ours_is_exact():
    stated = samples_of("fraction of 400 objects", "fraction", exact=True)
    assert stated == (Sample(1.0, 400), None)
    assert difference_variance(0.3, 0.2, *stated) == pytest.approx(0.2 * 0.8 / 400)
    area = samples_of("area of 60 + 90 objects", "", exact=True)
    assert difference_variance(0.9, 0.8, *area) == pytest.approx(area_variance(0.8, 60, 90))
    assert judge_number("0.240", 0.2, samples=stated).verdict == "agrees"
    assert judge_number("0.241", 0.2, samples=stated).verdict == "differs"
    assert samples_of("fraction", "fraction of 400 objects", exact=True)[1] is not None
