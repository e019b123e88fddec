"""Laws of the comparison of printed and reproduced numbers."""

from decimal import Decimal

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger_mutation import change_number
from opchar_reproduction.report.comparison.samples import Sample, area_variance, difference_variance
from opchar_reproduction.report.comparison.summaries import binomial_tail, holm
from opchar_reproduction.report.comparison.verdicts import judge_number, last_digit

COUNTS = st.integers(1, 2000)
RATES = st.floats(0, 1)
PRINTED = st.decimals(-1000, 1000, places=3).map(str)


@given(RATES, RATES, COUNTS, COUNTS)
def test_the_noise_of_rates_is_symmetric_and_falls_with_more_objects(one, other, m, n):
    variance = difference_variance(one, other, Sample(1, m), Sample(1, n))
    assert 0 <= variance <= 0.25 * (1 / m + 1 / n) + 1e-12
    swapped = difference_variance(other, one, Sample(1, n), Sample(1, m))
    errors = difference_variance(1 - one, 1 - other, Sample(1, m), Sample(1, n))
    assert abs(variance - swapped) < 1e-9
    assert abs(variance - errors) < 1e-9
    same = [difference_variance(one, one, Sample(1, k), Sample(1, k)) for k in (n, 2 * n)]
    assert abs(same[1] - same[0] / 2) < 1e-9


@given(RATES, COUNTS)
def test_percentages_and_counts_are_rates_on_another_scale(rate, n):
    fraction = difference_variance(rate, rate, Sample(1, n), Sample(1, n))
    for scale in (100, n):
        scaled = difference_variance(scale * rate, scale * rate, Sample(scale, n), Sample(scale, n))
        assert abs(scaled - scale**2 * fraction) <= 1e-9 * scale**2


@given(st.floats(0.5, 1), COUNTS, COUNTS)
def test_the_noise_of_an_area_never_exceeds_that_of_the_smaller_class(area, m, n):
    assert -1e-12 <= area_variance(area, m, n) <= area * (1 - area) / min(m, n) + 1e-12


@given(PRINTED, st.floats(0.01, 10), st.integers(1, 100), st.floats(-5, 5))
def test_z_changes_sign_with_the_deviation(printed, std, n, off):
    above, below = (judge_number(printed, float(printed) + o, std=std, n=n) for o in (off, -off))
    assert abs(above.z + below.z) < 1e-6
    assert above.verdict == below.verdict or abs(abs(above.z) - 2) < 1e-6


@given(PRINTED.filter(lambda text: Decimal(text) != 0))
def test_a_changed_number_is_off_by_a_tenth_up_to_its_last_digit(printed):
    number, changed = Decimal(printed), Decimal(change_number(printed))
    assert changed != number
    assert abs(changed - number * Decimal("1.1")) <= last_digit(number) / 2
    assert judge_number(str(changed), float(number)).verdict == "differs"


@settings(max_examples=20)
@given(st.lists(RATES, min_size=1, max_size=30), st.randoms())
def test_holm_rejects_the_smallest_and_fewer_than_without_correction(tails, chance):
    probabilities = pd.Series(tails)
    rejected = holm(probabilities)
    assert not (rejected & (probabilities > 0.05)).any()
    kept = probabilities[~rejected]
    assert probabilities[rejected].max() <= kept.min() or not rejected.any() or not len(kept)
    order = list(probabilities.index)
    chance.shuffle(order)
    assert holm(probabilities.loc[order]).sort_index().equals(rejected)


@given(st.integers(0, 60), st.integers(1, 60))
def test_more_lines_outside_are_less_likely(observed, lines):
    tail = binomial_tail(min(observed, lines), lines, 0.0455)
    assert 0 <= tail <= 1
    if observed < lines:
        assert binomial_tail(observed + 1, lines, 0.0455) <= tail
