"""The rules by which a reproduced line is judged against the printed one."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

MEANINGS = {
    "agrees": "The reproduced value equals the printed one: within half a unit of its last printed "
    "digit (or the stated tolerance of the method) where nothing is random, within two standard "
    "errors where it is.",
    "holds": "A statement of the work, evaluated by code, is true of what was computed.",
    "differs": "The reproduced value is farther from the printed one than that.",
    "fails": "A statement of the work, evaluated by code, is not true of what was computed.",
    "erratum": "The work contradicts its own definitions or inputs here; the corrected value is "
    "reproduced and a test proves it.",
    "not comparable": "The line was computed from stand-in data, because the original is not "
    "public or was not at hand.",
    "unavailable": "The line cannot be computed: what it needs is neither public nor replaceable.",
    "pending": "The artefact is not built yet, or its experiment gives no such line.",
}
LIMIT = 2.0
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212", "------")


class Verdict(NamedTuple):
    """A verdict (a key of `MEANINGS`) and the reason for it."""

    verdict: str
    reason: str


def last_digit(value: Decimal) -> Decimal:
    """Return one unit of the last printed digit: 0.01 for ``0.70``, 1e4 for ``8.1e5``."""
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{value} has no last digit")
    return Decimal(1).scaleb(exponent)


def as_fine_as(printed: str, other: str) -> str:
    """Write a printed number with at least the digits of another one.

    Examples
    --------
    >>> as_fine_as("1", "0.88"), as_fine_as("0.163", "0.2")
    ('1.00', '0.163')
    """
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
) -> Verdict:
    """Judge a reproduced number.

    Parameters
    ----------
    printed : str
        As in print; trailing zeros and scientific notation count.
    value : float
        The reproduced number; NaN where the definition gives none.
    printed_std : str
        The printed standard deviation over repeats, or empty.
    std : float
        Our standard deviation over `n` repeats, NaN when the number is deterministic.
    n : int, optional
        Our number of repeats.
    tolerance : float
        What the method itself leaves open, NaN for nothing.

    Returns
    -------
    Verdict
        ``agrees`` or ``differs``.

    Raises
    ------
    ValueError
        If `printed` or `printed_std` is not a number.

    Notes
    -----
    A deterministic number agrees when it lies within half a unit of the last printed digit, ends
    included (so both ways of rounding a half pass), or within `tolerance`.

    A random number agrees when ``|z| <= 2``. The works print the mean over repeats and the
    standard deviation of one repeat, and hardly ever the number of repeats, so both means get the
    standard error ``std / sqrt(n)`` with *our* `n`. A number printed without spread is taken for
    one repeat of the protocol and gets our `std` in full. Both sides come from random splits of
    their own; so their variances add, and that of rounding to the printed digits (a twelfth of a
    squared unit) with them. When only the work prints a spread, it serves for both sides, and a
    deterministic value of ours is compared with the spread of one repeat.
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
        return Verdict("agrees", f"within the tolerance of the method ({tolerance:.3g})")
    if math.isnan(std) and not printed_std:
        if abs(off) <= half + slack:
            return Verdict("agrees", "within half a unit of the last printed digit")
        return Verdict("differs", f"off by {float(off):+.3g}, {_units(abs(off) / unit)}")
    theirs = float(_decimal(printed_std)) if printed_std else math.nan
    return _judge_random(float(off), float(unit), theirs, std, n)


def _judge_random(off: float, unit: float, theirs: float, ours: float, n: int | None) -> Verdict:
    repeats = max(n or 1, 1)
    exact = math.isnan(ours) and n is None
    if math.isnan(ours):
        ours = 0.0 if exact else theirs
    if math.isnan(theirs):
        print_error, basis = ours, "print as one repeat"
    else:
        print_error, basis = theirs / math.sqrt(repeats), "both spreads"
    if exact:
        basis = "the printed spread of one repeat"
    own_error = ours / math.sqrt(repeats)
    z = off / math.sqrt(own_error**2 + print_error**2 + unit**2 / 12)
    verdict = "agrees" if abs(z) <= LIMIT + 1e-9 else "differs"
    return Verdict(verdict, f"z = {round(z, 2) + 0.0:+.2f} ({basis}, n = {repeats})")


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
