"""How grave an error in print is, by the printed and the right text."""

import re
from collections.abc import Mapping
from decimal import Decimal
from math import inf, log
from typing import Any

STATEMENT = "a statement"
FORMULA = "a formula or a step"
NUMBER = "a number"
CONTRADICTION = "nothing certain: two passages disagree"
ROUNDING = "the last digit"
WORDS = "a passage"
# The gravest first.
CHANGES = (STATEMENT, FORMULA, NUMBER, WORDS, CONTRADICTION, ROUNDING)
_FORMAL = ("eq-", "algorithm-", "theorem-", "lemma-", "definition", "proof")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?")
# An equation, or a text with an operator and no word but the names of variables.
_WORD = r"(?<![\w.])(?!(?:alpha|lambda|theta|sqrt)\b)[a-z]{4,}"
_FORMULA = re.compile(rf"\w+ = |(?!.*{_WORD}).*[=<>/^+]")


def what_changes(item: Mapping[Any, Any], kind: str) -> str:
    """Return what an erratum changes, one of `CHANGES`."""
    printed, corrected = item["printed"].strip(), item["corrected"].strip()
    if item["verdict"] == "inconsistent":
        return CONTRADICTION
    if _NUMBER.fullmatch(printed) and _NUMBER.fullmatch(corrected):
        unit = Decimal(10) ** int(Decimal(printed).as_tuple().exponent)
        return ROUNDING if abs(Decimal(printed) - Decimal(corrected)) <= unit else NUMBER
    formal = kind != "claim" and item["artefact"].startswith(_FORMAL)
    if formal or any(_FORMULA.match(text.partition(";")[0]) for text in (printed, corrected)):
        return FORMULA
    return STATEMENT if kind == "claim" else WORDS


def gravity(item: Mapping[Any, Any]) -> tuple[int, float]:
    """Return the place of an erratum in a list: the gravest, and the farthest off, first."""
    place = CHANGES.index(item["changes"])
    if item["changes"] != NUMBER:
        return place, 0.0
    printed, corrected = float(item["printed"]), float(item["corrected"])
    if printed == 0 or corrected == 0 or (printed < 0) != (corrected < 0):
        return place, -inf
    return place, -abs(log(printed / corrected))
