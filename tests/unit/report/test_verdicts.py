import math
from decimal import Decimal

import pytest

from opchar_reproduction.report.comparison.verdicts import (
    MEANINGS,
    SPREADS,
    judge_claim,
    judge_number,
    judge_text,
    last_digit,
)


@pytest.mark.parametrize(
    ("printed", "unit"),
    [
        ("0.70", "0.01"),
        ("1", "1"),
        ("70", "1"),
        ("8.1e5", "1e4"),
        ("512e3", "1e3"),
        ("-1.81", "0.01"),
    ],
)
def test_last_digit_counts_trailing_zeros_and_exponents(printed, unit):
    assert last_digit(Decimal(printed)) == Decimal(unit)


@pytest.mark.parametrize(
    ("printed", "value", "verdict"),
    [
        ("0.70", 0.7049, "agrees"),
        ("0.70", 0.7051, "differs"),
        ("0.7", 0.7049, "agrees"),
        ("0.70", 0.695, "agrees"),
        ("0.700", 0.6951, "differs"),
        ("1", 0.88, "agrees"),
        ("1", 0.49, "differs"),
        ("8.1e5", 810_000, "agrees"),
        ("8.1e5", 815_001, "differs"),
        ("1e18", 1.4e18, "agrees"),
        ("1e18", 1.6e18, "differs"),
        ("-0.19", -0.186, "agrees"),
        ("-0.19", 0.186, "differs"),
        ("0.0000", 0.00004, "agrees"),
        ("0.0000", 0.00006, "differs"),
        ("0.16666666668765", 1 / 6, "differs"),
        ("inf", math.inf, "agrees"),
        ("inf", 1e300, "differs"),
        ("0.5", math.inf, "differs"),
        ("0.5", math.nan, "differs"),
    ],
)
def test_deterministic_numbers(printed, value, verdict):
    assert judge_number(printed, value).verdict == verdict


@pytest.mark.parametrize(
    ("printed", "value"),
    # Halves that binary floating point puts on either side, rounded up or to even in print.
    [("0.15", 0.145), ("0.14", 0.145), ("1.01", 1.005), ("1.00", 1.005), ("2.68", 2.675)],
)
def test_halves_pass_whichever_way_print_rounds_them(printed, value):
    for near in (math.nextafter(value, 0), value, math.nextafter(value, 9)):
        assert judge_number(printed, near).verdict == "agrees"


def test_a_stated_tolerance_widens_the_interval_and_is_named():
    found = judge_number("0.16666666668765", 1 / 6, tolerance=1e-10)
    assert found.verdict == "agrees"
    assert "tolerance" in found.reason


def test_a_difference_is_told_in_units_of_the_last_digit():
    assert judge_number("100", 109).reason == "off by +9, 9.0 units of the last digit"
    assert judge_number("100", 110).reason == "off by +10, 10 units of the last digit"


@pytest.mark.parametrize(("tolerance", "noticed"), [(math.nan, 0.005), (1e-6, 0.005), (0.1, 0.1)])
def test_without_chance_what_is_allowed_is_noticed(tolerance, noticed):
    power = judge_number("0.50", 0.62, tolerance=tolerance).power
    assert power.noticed == pytest.approx(noticed)
    assert power.within == pytest.approx(0.12 + noticed)


@pytest.mark.parametrize(
    ("printed", "value", "given", "agrees"),
    [
        ("0.16666666668765", 1 / 6, {}, False),
        ("0.50", 0.62, {"tolerance": 0.1}, False),
        ("0.50", 0.504, {"tolerance": 1e-6}, True),  # never less than half a unit
        # Both spreads: sqrt(0.03**2 / 9 + 0.04**2 / 9 + 0.001**2 / 12) = 0.016669.
        ("0.500", 0.533, {"printed_std": "0.04", "std": 0.03, "n": 9}, True),
        ("0.500", 0.534, {"printed_std": "0.04", "std": 0.03, "n": 9}, False),
        # A number without spread is one repeat: sqrt(0.03**2 + 0.03**2 / 9) = 0.03162.
        ("0.500", 0.563, {"std": 0.03, "n": 9}, True),
        ("0.500", 0.564, {"std": 0.03, "n": 9}, False),
        # An exact value has the printed spread of one repeat.
        ("0.500", 0.579, {"printed_std": "0.04"}, True),
        ("0.500", 0.581, {"printed_std": "0.04"}, False),
        # The printed spread serves for repeats without one: sqrt(2 * 0.04**2 / 4) = 0.02828.
        ("0.500", 0.556, {"printed_std": "0.04", "n": 4}, True),
        ("0.500", 0.557, {"printed_std": "0.04", "n": 4}, False),
        # Rounding counts where nothing else varies, and more repeats are stricter.
        ("0.50", 0.5049, {"std": 0.0, "n": 50}, True),
        ("0.50", 0.5061, {"std": 0.0, "n": 50}, False),
        ("0.500", 0.520, {"printed_std": "0.02", "std": 0.02, "n": 5}, True),
        ("0.500", 0.520, {"printed_std": "0.02", "std": 0.02, "n": 50}, False),
    ],
)
def test_what_a_number_rests_on_decides_how_far_it_may_be(printed, value, given, agrees):
    assert judge_number(printed, value, **given).verdict == ("agrees" if agrees else "differs")


def test_the_reason_names_the_spreads():
    both = judge_number("0.500", 0.533, printed_std="0.04", std=0.03, n=9)
    assert both.reason == "z = +1.98 (both spreads, n = 9)"
    assert "one repeat" in judge_number("0.500", 0.564, std=0.03, n=9).reason


def test_no_minus_zero_in_reasons():
    assert judge_number("0.500", 0.49999, std=0.1, n=10).reason.startswith("z = +0.00")


@pytest.mark.parametrize("printed", ["", "abc", "nan", "0.5%"])
def test_what_is_no_number_is_refused(printed):
    with pytest.raises(ValueError, match="is not a number"):
        judge_number(printed, 0.5)


def test_claims_and_texts():
    assert judge_claim(True).verdict == "holds"
    assert judge_claim(False).verdict == "fails"
    assert judge_text("fisherm  QDC", " Fisherm qdc").verdict == "agrees"
    assert judge_text("-", "–").verdict == "agrees"
    assert judge_text("ldc", "qdc").verdict == "differs"


def test_every_verdict_is_explained():
    reproduced = ["agrees", "agrees otherwise", "holds", "holds otherwise"]
    others = ["differs", "fails", "erratum", "inconsistent"]
    apart = ["input", "not comparable", "unavailable", "pending"]
    assert list(MEANINGS) == [*reproduced, *others, *apart]
    assert all(meaning.endswith(".") for meaning in MEANINGS.values())


@pytest.mark.parametrize(
    ("more", "spread"),
    [
        ({"printed_std": "0.1", "std": 0.1, "n": 5}, "both"),
        ({"std": 0.1, "n": 5}, "ours"),
        ({"printed_std": "0.1", "n": 5}, "printed"),
        ({"printed_std": "0.1"}, "printed, one repeat"),
        ({}, "last digit"),
        ({"n": 5}, "last digit"),
        ({"tolerance": 0.2}, "tolerance"),
    ],
)
def test_the_spread_that_was_used_is_told(more, spread):
    found = judge_number("0.50", 0.58, **more)
    assert found.spread == spread
    assert spread in SPREADS
    assert math.isnan(found.z) == (spread in ("last digit", "tolerance"))


def test_z_is_positive_when_ours_is_larger():
    assert judge_number("0.500", 0.6, std=0.1, n=5).z > 0
    assert judge_number("0.500", 0.4, std=0.1, n=5).z < 0
