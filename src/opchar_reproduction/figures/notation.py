"""The notation of the works in plain text, HTML and LaTeX."""

import csv
import re
from pathlib import Path

from markupsafe import Markup, escape

_LISTED = Path(__file__).with_name("symbols.csv").read_text(encoding="utf-8")
_SYMBOLS = list(csv.DictReader(_LISTED.splitlines()))
_NAMES = {row["name"]: row["sign"] for row in _SYMBOLS}
_LETTERS = {row["name"]: row["sign"] for row in _SYMBOLS if row["kind"] == "letter"}
_TYPED = {"->": "→", "<=": "≤", ">=": "≥"}
_LOW = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_HIGH = dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
# Characters on which LaTeX acts, as it prints them.
SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_TO_LATEX = {
    **SPECIAL,
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",
    "]": "{]}",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    **{sign: rf"$\{name}$" for name, sign in _NAMES.items() if name != "eps"},
    **{low: f"$_{digit}$" for digit, low in _LOW.items()},
    **{high: f"$^{digit}$" for digit, high in _HIGH.items()},
}
# A symbol, not a word or a part of a path: one letter, or an abbreviation such as FPR, FNr or dFP.
_BASE = r"(?<![\w.])(?<![\w.]/)(?:[A-Za-zΑ-Ωα-ω]|d?[A-Z]{2,4}r?)"
_INDEX = r"(?:\{(?P<braced>[^{}]+)\}|(?P<bare>[A-Za-z]{1,5}\d?|\d+)(?![A-Za-z0-9]))"
_LOWERED = re.compile(rf"(?P<base>{_BASE})_{_INDEX}")
_RAISED = re.compile(rf"(?<=[\w)}}>₀-₉])\^{_INDEX}")
_WORDS = re.compile(rf"(?<![A-Za-z\\])(?:{'|'.join(_LETTERS)})(?![A-Za-z])")


def plain(text: str) -> str:
    r"""Return `text` with the names of letters and signs written as what they stand for."""
    for typed, sign in _TYPED.items():
        text = text.replace(typed, sign)
    text = re.sub(r"\\([A-Za-z]+)", lambda name: _NAMES.get(name[1], name[0]), text)
    text = _WORDS.sub(lambda name: _LETTERS[name[0]], text)
    text = _LOWERED.sub(lambda found: found["base"] + _digits(found, _LOW, "_"), text)
    return _RAISED.sub(lambda found: _digits(found, _HIGH, "^"), text)


def _digits(found: re.Match[str], digits: dict[str, str], mark: str) -> str:
    """Return a number as raised or lowered digits; what is no number as it was."""
    if (found["bare"] or "").isdigit():
        return "".join(digits[digit] for digit in found["bare"])
    return f"{mark}{{{found['braced']}}}" if found["braced"] else f"{mark}{found['bare']}"


def html(text: str) -> Markup:
    r"""Return `text` as `plain` does, escaped, with indices lowered and exponents raised."""
    escaped = str(escape(plain(text)))
    lowered = _LOWERED.sub(
        lambda found: f"{found['base']}<sub>{found['braced'] or found['bare']}</sub>", escaped
    )
    raised = _RAISED.sub(lambda found: f"<sup>{found['braced'] or found['bare']}</sup>", lowered)
    return Markup(raised)


def latex_text(text: str) -> str:
    r"""Return `text` with everything escaped that LaTeX would act upon, and indices lowered."""
    parts, end = [], 0
    for found in _LOWERED.finditer(text):
        index = found["braced"] or found["bare"]
        if re.fullmatch(r"[A-Za-z0-9,]+", index):
            parts += [_escape(text[end : found.end("base")]), f"$_{{{index}}}$"]
            end = found.end()
    return "".join([*parts, _escape(text[end:])])


def _escape(text: str) -> str:
    return "".join(_TO_LATEX.get(letter, letter) for letter in text)


def spoken_label(label: str) -> str:
    """Return a label in words."""
    first, _, rest = label.partition("-")
    name = {"eq": "Equation"}.get(first, first.capitalize())
    return f"{name} {rest.replace('-', ' ')}".strip()
