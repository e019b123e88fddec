"""The rules by which a reproduced line is judged against the printed one."""

import math
import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from opchar_reproduction.report.comparison.power import Power, of_counts, of_spread
from opchar_reproduction.report.comparison.samples import Samples, difference_variance
from opchar_reproduction.report.comparison.samples import last_digit as last_digit
from opchar_reproduction.report.meanings import meanings

MEANINGS = meanings("verdict")
REPRODUCED = ("agrees", "agrees otherwise", "holds", "holds otherwise")
COMPARED = (*REPRODUCED, "differs", "fails", "erratum", "inconsistent")
LIMIT = 2.0
NOT_BUILT = "not built yet"
_BASES = {
    "both": "both spreads",
    "ours": "the published value as one repeat",
    "printed": "the published spread on both sides",
    "printed, one repeat": "the published spread of one repeat",
}
_ONE_SIDE = "ours is exact, the publication counted {n}"
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212", "------")


SPREADS = meanings("spread")


class Verdict(NamedTuple):
    """A verdict (a key of `MEANINGS`), its reason, and the yardstick."""

    verdict: str
    reason: str
    z: float = math.nan
    spread: str = ""
    sharpness: float = math.nan
    power: Power = Power()


def as_fine_as(printed: str, other: str) -> str:
    """Write a printed number with at least the digits of another one."""
    number, finer = _decimal(printed), _decimal(other)
    if number.is_infinite() or finer.is_infinite() or last_digit(number) <= last_digit(finer):
        return printed
    return str(number.quantize(last_digit(finer)))


def judge_number(
    printed: str,
    value: float,
    *,
    printed_std: str = "",
    std: float = math.nan,
    n: int | None = None,
    tolerance: float = math.nan,
    samples: Samples | None = None,
) -> Verdict:
    """Judge a reproduced number.

    A deterministic number agrees when it lies within half a unit of the last printed digit, ends
    included (so both ways of rounding a half pass), or within `tolerance`.

    A random number agrees when ``|z| <= 2``. The works print the mean over repeats and the standard
    deviation of one repeat, and hardly ever the number of repeats. So both means get the standard
    error ``std / sqrt(n)`` with *our* `n`. A number printed without spread is taken for one repeat
    of the protocol and gets our `std` in full. Both sides come from random splits of their own; so
    their variances add, and that of rounding to the printed digits (a twelfth of a squared unit)
    with them. When only the work prints a spread, it serves for both sides, and a deterministic
    value of ours is compared with the spread of one repeat. Counts and rates without any spread get
    the noise of their samples; an exact value has no sample, so that the printed one counts alone.
    """
    number = _decimal(printed)
    if math.isnan(value):
        return Verdict("differs", "undefined here")
    if number.is_infinite() or math.isinf(value):
        same = float(number) == value
        return Verdict("agrees" if same else "differs", "infinite" if same else "one is infinite")
    unit = last_digit(number)
    off = Decimal(value) - number
    slack = unit * Decimal("1e-6") + Decimal(8 * math.ulp(value))
    half = unit / 2
    if not math.isnan(tolerance) and half < abs(off) <= Decimal(tolerance) + slack:
        reason = f"within the tolerance of the method ({tolerance:.3g})"
        sharpness = _relative(tolerance, number)
        power = Power(tolerance, abs(float(off)) + tolerance)
        return Verdict("agrees", reason, spread="tolerance", sharpness=sharpness, power=power)
    spread, variance = _noise(number, value, printed_std, std, n, samples)
    if not spread:
        return _judge_digits(off, unit, slack, tolerance, number)
    if spread == "binomial" and samples:
        printed_on, counted_on = samples
        sizes = f"{printed_on.size} and {counted_on.size}" if counted_on else ""
        basis = f"binomial, {sizes} counted" if sizes else _ONE_SIDE.format(n=printed_on.size)
    else:
        basis = f"{_BASES[spread]}, n = {max(n or 1, 1)}"
    error = math.sqrt(variance + float(unit) ** 2 / 12)
    z = float(off) / error
    verdict = "agrees" if abs(z) <= LIMIT + 1e-9 else "differs"
    reason = f"z = {round(z, 2) + 0.0:+.2f} ({basis})"
    if spread == "binomial" and samples and samples[1] and not samples[0].negatives:
        counted = samples[0], samples[1]
        power = of_counts(float(number), value, counted, float(unit), LIMIT)
    else:
        power = of_spread(float(off), error, LIMIT, None if spread == "binomial" else n)
    return Verdict(verdict, reason, z, spread, _relative(LIMIT * error, number), power)


def _judge_digits(
    off: Decimal, unit: Decimal, slack: Decimal, tolerance: float, number: Decimal
) -> Verdict:
    """Judge a number in which nothing is random by the last published digit."""
    allowed = float(unit / 2) if math.isnan(tolerance) else max(float(unit / 2), tolerance)
    sharpness = _relative(allowed, number)
    power = Power(allowed, abs(float(off)) + allowed)
    if abs(off) <= unit / 2 + slack:
        reason = "within half a unit of the last published digit"
        return Verdict("agrees", reason, spread="last digit", sharpness=sharpness, power=power)
    reason = f"off by {float(off):+.3g}, {_units(abs(off) / unit)}"
    return Verdict("differs", reason, spread="last digit", sharpness=sharpness, power=power)


def _relative(width: float, number: Decimal) -> float:
    return width / abs(float(number)) if number else math.nan


def scale(
    printed: str,
    value: float,
    *,
    printed_std: str = "",
    std: float = math.nan,
    n: int | None = None,
    tolerance: float = math.nan,
    samples: Samples | None = None,
) -> tuple[float, float]:
    """Return how far ours and a printed number may lie apart, by the rules of `judge_number`."""
    number = _decimal(printed)
    unit = float(last_digit(number))
    if not math.isnan(tolerance):
        unit = max(unit, 2 * tolerance)
    return unit, math.sqrt(_noise(number, value, printed_std, std, n, samples)[1])


def _noise(
    number: Decimal,
    value: float,
    printed_std: str,
    std: float,
    n: int | None,
    samples: Samples | None,
) -> tuple[str, float]:
    """Return which spread belongs to a comparison, and the variance of ours minus print.

    Without repeats and samples nothing is random: no spread, and no variance.
    """
    spread, variance = "", 0.0
    if not math.isnan(std) or printed_std:
        theirs = float(_decimal(printed_std)) if printed_std else math.nan
        spread, variance = over_repeats(theirs, std, n)
    if samples is None or math.isnan(value):
        return spread, variance
    return spread or "binomial", max(variance, difference_variance(float(number), value, *samples))


def over_repeats(theirs: float, ours: float, n: int | None) -> tuple[str, float]:
    """Return which spread belongs to a comparison, and the variance of ours minus print."""
    repeats = max(n or 1, 1)
    if math.isnan(ours):
        if n is None:
            return "printed, one repeat", theirs**2
        return "printed", 2 * theirs**2 / repeats
    if math.isnan(theirs):
        return "ours", ours**2 + ours**2 / repeats
    return "both", (ours**2 + theirs**2) / repeats


def judge_claim(holds: bool) -> Verdict:
    """Judge a statement as evaluated by code: ``holds`` or ``fails``."""
    return Verdict("holds" if holds else "fails", "")


def judge_text(printed: str, text: str) -> Verdict:
    """Judge a printed text, whatever its case, spacing and kind of dash."""
    if plain_text(printed) == plain_text(text):
        return Verdict("agrees", "same text")
    return Verdict("differs", "other text")


def plain_text(text: str) -> str:
    """Return `text` in small letters, with single spaces and plain hyphens."""
    return re.sub(r"\s+", " ", text.translate(_DASHES)).strip().casefold()


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"{text!r} is not a number") from None
    if number.is_nan():
        raise ValueError(f"{text!r} is not a number")
    return number


def _units(units: Decimal) -> str:
    return f"{units:.{1 if units < 10 else 0}f} units of the last digit"
