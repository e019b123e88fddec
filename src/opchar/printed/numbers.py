"""Printed numbers: the interval of values that the digits of a number leave."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Rounding = Literal["nearest", "cut"]
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_CELL = re.compile(
    rf"({NUMBER})\s*(%?)\s*(?:±\s*({NUMBER})\s*%?|\(\s*±?\s*({NUMBER})\s*%?\s*\))?\s*(%?)"
)
# What sets a number off or refers to a footnote, and is no part of it.
_MARKS = re.compile(
    r"\\(?:textbf|mathbf|underline|emph|bf|it)\b|</?\w+>|[*_†‡§¶$^{}~#↑↓¹²³⁴⁵⁶⁷⁸⁹]|\\,|\\;"
    r"|(?<=\d)[a-d](?:,[a-d])*$"
)
# Limits of an interval, counts of a share, or a reference, in brackets after the number.
_BESIDE = re.compile(
    r"(?<=[\d%])\s*(?:\[[^\]]*\]|\([^()]*(?:\d\s*[-;,]\s*[-.\d]|/|\bto\b)[^()]*\))\s*$"
)
# A count of all objects before the share.
_COUNTED = re.compile(r"\d+\s*/\s*\d+\s*\(([^()]*)\)")
_SPELLINGS = {"−": "-", "–": "-", "+/-": "±", "+-": "±", r"\pm": "±", "·": ".", "\\%": "%"}
# Smaller than any difference between two scores of a table that can be checked.
_LESS = Fraction(1, 10**18)


@dataclass(frozen=True)
class Printed:
    """A printed number; the spread stands after ± or in brackets."""

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

        ``"nearest"`` has both ends, since ties are rounded up or to even; ``"cut"`` drops the
        digits that follow, towards zero. Limits of a percentage are of the fraction.
        """
        value, scale = Fraction(self.text), 100 if percent else 1
        if rounding == "nearest":
            return (value - self.step / 2) / scale, (value + self.step / 2) / scale
        if value == 0 and not self.text.startswith("-"):
            return Fraction(0), (self.step - _LESS) / scale
        ends = (value, value + (self.step - _LESS) * (-1 if self.text.startswith("-") else 1))
        return min(ends) / scale, max(ends) / scale


def read_number(cell: str) -> Printed | None:
    """Return the number of a cell, without marks of bold type, or None for a cell without one."""
    text = cell.strip()
    for spelling, meant in _SPELLINGS.items():
        text = text.replace(spelling, meant)
    if counted := _COUNTED.fullmatch(text):
        text = counted[1]
    found = _CELL.fullmatch(_MARKS.sub("", _BESIDE.sub("", text)).strip())
    if found is None:
        return None
    number, sign, spread, bracketed, last = found.groups()
    if bracketed and "." in number and "." not in bracketed:
        bracketed = ""  # a rank or a footnote
    return Printed(number, spread or bracketed or "", bool(sign or last))
