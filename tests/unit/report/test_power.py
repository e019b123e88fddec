"""What a comparison could have noticed, against simulation and other implementations."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import ttost_ind

from opchar.errors import DataError
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.power import (
    AGREEMENTS,
    LEVEL,
    POWER,
    agreement_of,
    margin_of,
    of_counts,
    of_spread,
)
from opchar_reproduction.report.comparison.published_values import (
    read_apart,
    read_lines,
    read_margins,
)
from opchar_reproduction.report.comparison.samples import Sample
from opchar_reproduction.report.comparison.verdicts import LIMIT, judge_number


def test_a_difference_as_large_as_noticed_is_found_with_the_stated_probability():
    rng = np.random.default_rng(5)
    for error in (0.01, 0.3):
        noticed = of_spread(0.0, error, LIMIT).noticed
        z = (noticed + error * rng.normal(size=200_000)) / error
        assert np.mean(abs(z) > LIMIT) == pytest.approx(POWER, abs=0.005)


def test_two_rates_that_differ_by_what_is_noticed_are_told_apart():
    rng = np.random.default_rng(6)
    for rate, size in ((0.02, 50), (0.3, 200), (0.5, 800)):
        samples = (Sample(size, size), Sample(size, size))
        noticed = of_counts(rate * size, rate * size, samples, 1.0, LIMIT).noticed / size
        theirs = rng.binomial(size, rate, 100_000) / size
        ours = rng.binomial(size, rate + noticed, 100_000) / size
        pooled = (theirs + ours) / 2
        with np.errstate(invalid="ignore", divide="ignore"):
            z = (ours - theirs) / np.sqrt(2 * pooled * (1 - pooled) / size)
        # Counts come in steps: the smallest that has the power may have more.
        assert POWER - 0.05 < np.mean(abs(z) > LIMIT) < POWER + 0.1


def test_within_is_the_interval_of_two_one_sided_tests():
    rng = np.random.default_rng(7)
    ours, theirs = rng.normal(0.50, 0.02, 10), rng.normal(0.51, 0.02, 10)
    off = ours.mean() - theirs.mean()
    error = math.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / 10)
    within = of_spread(off, error, LIMIT).within
    # With the normal quantile p is LEVEL at the margin that is just shown.
    largest = max(ttost_ind(ours, theirs, -within, within)[0], 0.0)
    quantile = (within - abs(off)) / error
    assert norm.sf(quantile) == pytest.approx(LEVEL)
    assert largest == pytest.approx(t.sf(quantile, 18), rel=1e-6)
    exact = of_spread(off, error, LIMIT, repeats=10).within
    assert t.sf((exact - abs(off)) / error, 9) == pytest.approx(LEVEL)


@pytest.mark.parametrize(("printed", "ours"), [(0, 0), (50, 50), (8, 2), (50, 47), (25, 25)])
def test_counts_have_the_interval_of_newcombe(printed, ours):
    samples = (Sample(50.0, 50), Sample(50.0, 50))
    low, high = confint_proportions_2indep(
        ours, 50, printed, 50, method="newcomb", alpha=2 * LEVEL, compare="diff"
    )
    found = of_counts(printed, ours, samples, 1.0, LIMIT).within
    assert found == pytest.approx(50 * max(abs(low), abs(high)))


def test_zero_of_fifty_on_both_sides_is_not_exact():
    found = judge_number("0", 0.0, samples=(Sample(50.0, 50), Sample(50.0, 50))).power
    assert 2 < found.within < 4
    assert 5 < found.noticed < 10


def test_where_nothing_is_random_the_allowed_deviation_counts():
    found = judge_number("0.3", 0.28).power
    assert found == pytest.approx((0.05, 0.07))
    assert judge_number("0.300", 0.302, tolerance=0.003).power == pytest.approx((0.003, 0.005))


def test_equivalence_needs_agreement_and_a_margin():
    assert agreement_of("number", "agrees", 0.01, 0.02) == "equivalent"
    assert agreement_of("number", "agrees", 0.01, math.nan) == "not distinguishable"
    assert agreement_of("number", "agrees otherwise", 0.0, 0.02) == "not distinguishable"
    assert agreement_of("number", "differs", 0.01, 0.02) == "different"
    assert agreement_of("text", "agrees", math.nan, math.nan) == "equivalent"
    assert agreement_of("claim", "erratum", 0.0, 1.0) == ""
    assert agreement_of("number", "input", 0.0, 1.0) == ""
    assert set(AGREEMENTS) == {"equivalent", "not distinguishable", "different"}


def test_a_margin_is_the_larger_of_absolute_and_relative():
    margins = {"count": {"absolute": "0.5", "relative": "0.01"}}
    assert margin_of("count", "12", margins) == 0.5
    assert margin_of("count", "1e18", margins) == 1e16
    assert math.isnan(margin_of("volume", "1", margins))


def test_every_unit_of_the_publications_has_a_margin_with_a_reason():
    lines = read_lines(folders())
    margins = read_margins()
    assert set(lines.loc[lines["kind"] == "number", "unit"]) <= set(margins["unit"])
    assert (margins["why"].str.len() > 10).all()


def test_a_unit_without_a_margin_is_named(tmp_path):
    pd.DataFrame(
        [["loss", "", "", "none"]], columns=["unit", "absolute", "relative", "why"]
    ).to_csv(tmp_path / "margins.csv", index=False)
    with pytest.raises(DataError, match="no margin for 'loss'"):
        read_margins(tmp_path / "margins.csv")


def test_an_unknown_kind_is_named(tmp_path):
    apart = read_apart(folders())
    chosen = apart[apart["paper"] == "tharwat2018"]
    chosen.assign(kind="whim").to_csv(tmp_path / "apart.csv", index=False)
    with pytest.raises(DataError, match="whim"):
        read_apart({"tharwat2018": tmp_path})
