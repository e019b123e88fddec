"""Printed numbers: what the digits of a number say of the value that was printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from opchar.errors import DataError

Rounding = Literal["nearest", "cut"]
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_CELL = re.compile(
    rf"({_NUMBER})\s*(%?)\s*(?:±\s*({_NUMBER})\s*%?|\(\s*±?\s*({_NUMBER})\s*%?\s*\))?\s*(%?)"
)
# What sets a number off or refers to a footnote, and is no part of it.
_MARKS = re.compile(r"\\(?:textbf|mathbf|underline|emph|bf)\b|</?\w+>|[*_†‡§$^{}~#↑↓]|\\,")
_SPELLINGS = {"−": "-", "–": "-", "+/-": "±", "+-": "±", r"\pm": "±", "·": ".", "\\%": "%"}
# Smaller than any difference between two scores of a table that can be checked.
_LESS = Fraction(1, 10**18)


@dataclass(frozen=True)
class Printed:
    """A number as it stands in a table.

    Attributes
    ----------
    text : str
        The number, without marks and unit.
    spread : str
        What stands after ± or in brackets; empty where nothing does.
    percent : bool
        Whether the cell itself has a percent sign.
    """

    text: str
    spread: str = ""
    percent: bool = False

    @property
    def step(self) -> Fraction:
        """One unit of the last digit."""
        mantissa, _, exponent = self.text.lower().partition("e")
        return Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))

    def limits(
        self, rounding: Rounding = "nearest", *, percent: bool = False
    ) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest value that is printed like this.

        Parameters
        ----------
        rounding : {"nearest", "cut"}
            ``"nearest"`` has both ends, since ties are rounded up or to even; ``"cut"`` drops the
            digits that follow, towards zero.
        percent : bool
            Whether the number is a percentage; the limits are of the fraction.

        Returns
        -------
        tuple of Fraction
            Both belong to the interval.

        Examples
        --------
        >>> [str(limit) for limit in Printed("27.2").limits(percent=True)]
        ['543/2000', '109/400']
        """
        value, scale = Fraction(self.text), 100 if percent else 1
        if rounding == "nearest":
            return (value - self.step / 2) / scale, (value + self.step / 2) / scale
        if value == 0 and not self.text.startswith("-"):
            return Fraction(0), (self.step - _LESS) / scale
        ends = (value, value + (self.step - _LESS) * (-1 if self.text.startswith("-") else 1))
        return min(ends) / scale, max(ends) / scale


def read_number(cell: str) -> Printed | None:
    r"""Return the number of a cell, or None for a cell without one.

    Parameters
    ----------
    cell : str
        As in ``"85.3 ± 1.2"``, ``".853 (.012)"``, ``"**0.91**"``, ``"85.3\%"``.

    Returns
    -------
    Printed or None

    Examples
    --------
    >>> read_number("**85.3** ± 1.2 %")
    Printed(text='85.3', spread='1.2', percent=True)
    >>> read_number("n/a") is None
    True
    """
    text = cell.strip()
    for spelling, meant in _SPELLINGS.items():
        text = text.replace(spelling, meant)
    found = _CELL.fullmatch(_MARKS.sub("", text).strip())
    if found is None:
        return None
    number, sign, spread, bracketed, last = found.groups()
    return Printed(number, spread or bracketed or "", bool(sign or last))


def printed(value: Printed | str | float) -> Printed:
    """Return a number as printed; of a float, its shortest digits.

    Parameters
    ----------
    value : Printed, str or float
        Text keeps zeros at the end, which say how many digits are known.

    Returns
    -------
    Printed

    Raises
    ------
    DataError
        If it is no number.
    """
    if isinstance(value, Printed):
        return value
    found = read_number(str(value))
    if found is None:
        raise DataError(f"{value!r} is no printed number; write it as in '0.853' or '85.3 ± 1.2'")
    return found


def decimal(value: Fraction, digits: int = 6) -> str:
    """Return a fraction in decimals, for reading.

    Examples
    --------
    >>> decimal(Fraction(1, 3)), decimal(Fraction(1, 2))
    ('0.333333', '0.5')
    """
    return f"{float(value):.{digits}f}".rstrip("0").rstrip(".")
