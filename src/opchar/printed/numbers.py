"""Printed numbers: the interval of values that the digits of a number leave."""

from __future__ import annotations

import re
from ctypes import c_float
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Rounding = Literal["nearest", "cut"]
Limits = tuple[Fraction, Fraction]
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_CELL = re.compile(
    rf"({NUMBER})\s*(%?)\s*(?:±\s*({NUMBER})\s*%?|\(\s*±?\s*({NUMBER})\s*%?\s*\))?\s*(%?)"
)
# What sets a number off or refers to a footnote, and is no part of it.
_MARKS = re.compile(
    r"\\(?:textbf|mathbf|textit|underline|emph|bfseries|bf|it)\b|</?\w+>|[*_†‡§¶ǂ$^{}~#↑↓¹²³⁴⁵⁶⁷⁸⁹]"
    r"|\\[,;]|\\(?=\*)|\(\s*n\s*=\s*\d+\s*\)|(?<=\d)[a-d](?:,[a-d])*$"
)
# Below or above the number in LaTeX: a gain, a rank; a spread is kept. Colours and sizes of type.
_BELOW = re.compile(r"\$?[_^]\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\$?")
_LOOKS = re.compile(
    r"\\(?:text|cell|row)?color(?:\[\w+\])?\{[^{}]*\}|\\(?:tiny|scriptsize|footnotesize|small)\b"
)
_END = rf"({NUMBER})\s*%?"
_INTERVAL = re.compile(
    rf"[\[(]?\s*(?:\d+\s*%\s*)?(CI)?\s*[:=,]?\s*{_END}\s*(?:-|\bto\b|[,;~]|\.\.)\s*{_END}\s*[\])]?",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"[\[(]?\s*(?:n\s*=\s*)?(\d+)\s*(?:/|\bof\b)\s*(\d+)\s*[\])]?")
# Limits of an interval, counts of a share, or a reference, in brackets after the number.
_BESIDE = re.compile(
    r"(?<=[\d%)\]])\s*(?:\[[^\]]*\]|\([^()]*(?:\d\s*%?\s*[-;,~]\s*[-.\d]|/|\b(?:of|to)\b)[^()]*\))"
)
_LIMITS = re.compile(
    rf"(?<=[\d%])[\s,;]+(?:\d+\s*%\s*CI\s*[:=]?\s*)?[\[(]?{_END}\s*(?:-|to)\s*{_END}[\])]?$"
)
# A count of all objects before or after the share.
_COUNTED = re.compile(r"(\d+\s*(?:/|\bof\b)\s*\d+)\s*(?:[(\[=,;]\s*)?([^()\[\]]*?)\s*[)\]]?")
# Counts, then the share with what stands behind it.
_COUNTED_FIRST = re.compile(
    r"(\d+\s*(?:/|\bof\b)\s*\d+)\s*[=,;]\s*(\d[\d.]*\s*%?\s*[(\[][^()\[\]]*[)\]])"
)
# A count with the share that it is of.
_SHARE_BEHIND = re.compile(rf"(\d+)\s*[(\[]\s*({NUMBER})\s*%\s*[)\]]")
_SPELLINGS = dict.fromkeys(("−", "–", "—"), "-") | dict.fromkeys(("+/-", "+-", r"\pm"), "±")
_SPELLINGS |= {"·": ".", "\\%": "%", "％": "%"} | dict.fromkeys("\xa0\u2009\u202f", " ")
# Smaller than any difference between two scores of a table that can be checked.
_LESS = Fraction(1, 10**18)
# Numbers of so many digits may be printed floats of double, or of single precision.
_DIGITS_OF_FLOATS, _DIGITS_OF_SINGLES = 15, 7


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

    def limits(self, rounding: Rounding = "nearest", *, percent: bool = False) -> Limits:
        """Return the least and the greatest value that is printed like this.

        ``"nearest"`` has both ends, since ties are rounded up or to even; ``"cut"`` drops the
        digits that follow, towards zero. Limits of a percentage are of the fraction.
        """
        value, scale = Fraction(self.text), 100 if percent else 1
        further = self.step - _LESS
        if rounding == "nearest":
            ends = (value - self.step / 2, value + self.step / 2)
        else:
            ends = (
                (value - further, value) if self.text.startswith("-") else (value, value + further)
            )
        slack = max(map(abs, ends)) * self._slack
        return (ends[0] - slack) / scale, (ends[1] + slack) / scale

    @property
    def _slack(self) -> Fraction:
        """The error of a printed float, as a share of it.

        A float of single precision has seven digits that count, up to eighteen when it is printed.
        """
        digits = re.sub(r"[-+.]|[eE].*", "", self.text).lstrip("0")
        if len(digits) < _DIGITS_OF_SINGLES or "." not in self.text:
            return Fraction(0)
        value = float(self.text)
        if len(digits) < 10 or c_float(value).value == value:
            return Fraction(1, 2**21)
        return Fraction(1, 10**12) if len(digits) >= _DIGITS_OF_FLOATS else Fraction(0)


@dataclass(frozen=True)
class Cell:
    """The number of a cell, and the counts and the interval that stand beside it."""

    number: Printed | None = None
    fraction: tuple[int, int] | None = None
    interval: tuple[Printed, Printed] | None = None


def span(low: object, high: object, form: str = "") -> str:
    """Return a range in words, or its one value where both ends are printed alike."""
    return " to ".join(dict.fromkeys(format(end, form) for end in (low, high)))


def from_to(low: object, high: object, form: str = "") -> str:
    """Return a range in words with "from", or after "=" its one value."""
    ends = span(low, high, form)
    return f"from {ends}" if " to " in ends else f"= {ends}"


def lies(low: object, high: object, form: str = "") -> str:
    """Return where a number lies, or what it is where both ends are printed alike."""
    ends = span(low, high, form)
    return f"lies from {ends}" if " to " in ends else f"is {ends}"


def printed_as(text: str, limits: Limits) -> str:
    """Return a printed text and the range of values that it leaves, in words."""
    low, high = map(float, limits)
    return f"printed is {text}, that is {span(low, high, '.7g')}"


def next_to(name: str, text: str, shares: tuple[int, int], size: int) -> str:
    """Return the nearest shares of so many objects on both sides of a score, in words."""
    near = " and ".join(f"{count}/{size} = {count / size:.7g}" for count in shares)
    return f"next to {name} {text} are {near}"


def plain_signs(text: str) -> str:
    """Return a text with one spelling of minus, percent, plus or minus, and blank."""
    for spelling, meant in _SPELLINGS.items():
        text = text.replace(spelling, meant)
    return text


def read_cell(cell: str) -> Cell:
    """Return what a cell has: a number, counts as in ``16/20 (80%)``, an interval, or nothing."""
    text = _LOOKS.sub("", plain_signs(cell)).strip()
    text = _BELOW.sub(lambda found: found[1] if "±" in found[1] else "", text)
    text = re.sub(r"[\[(][^\[\]()]*\b(?:nan|inf)\b[^\[\]()]*[\])]", "", text, flags=re.IGNORECASE)
    fraction = interval = None
    if counted := _COUNTED.fullmatch(text) or _COUNTED_FIRST.fullmatch(text):
        fraction, text = _fraction(counted[1]), counted[2]
        if fraction and not text:
            share = Fraction(*fraction) * 100
            return Cell(Printed(f"{float(share):.6f}", "", True), fraction)
    behind = _SHARE_BEHIND.match(text)
    if behind and (float(behind[2]) > float(behind[1]) or float(behind[1]) > 100):
        text = f"{behind[2]} %{text[behind.end() :]}"
    for beside in _BESIDE.findall(text):
        for part in (beside, *re.split(r"[;,]", beside.strip("()[] "))):
            fraction = fraction or _fraction(part)
            interval = interval or read_interval(part)
    text = _BESIDE.sub("", text)
    if after := _LIMITS.search(text):
        interval = interval or read_interval(after[0])
        text = text[: after.start()]
    found = _CELL.fullmatch(_MARKS.sub("", text).strip())
    if found is None:
        return Cell(None, fraction, read_interval(text))
    number, sign, spread, bracketed, last = found.groups()
    if bracketed and "." in number and "." not in bracketed:
        bracketed = ""  # a rank or a footnote
    if interval and "." in number and "." not in interval[0].text + interval[1].text:
        interval = None  # references
    return Cell(Printed(number, spread or bracketed or "", bool(sign or last)), fraction, interval)


def read_number(cell: str) -> Printed | None:
    """Return the number of a cell, without marks of bold type.

    Parameters
    ----------
    cell : str

    Returns
    -------
    Printed or None
        None for a cell without a number.

    Examples
    --------
    >>> read_number("**85.3** ± 1.2").spread, read_number("16/20 (80 %)").text
    ('1.2', '80')
    """
    return read_cell(cell).number


def read_interval(text: str) -> tuple[Printed, Printed] | None:
    """Return the two ends of an interval as in ``0.90-0.97`` or ``[95% CI 0.90, 0.97]``."""
    text = re.sub(r"\d+\s*%\s*CI\s*[:=,]?", "", plain_signs(text), flags=re.IGNORECASE)
    if (found := _INTERVAL.fullmatch(text.strip())) is None:
        return None
    low, high = (Printed(found[at], "", "%" in text) for at in (2, 3))
    return (low, high) if Fraction(low.text) <= Fraction(high.text) else None


def _fraction(text: str) -> tuple[int, int] | None:
    found = _FRACTION.fullmatch(text.strip())
    if found is None or int(found[2]) == 0 or int(found[1]) > int(found[2]):
        return None
    return int(found[1]), int(found[2])
