"""Numbers as people read them."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from opchar.typed import is_number


def number_text(value: float) -> str:
    """Return a number for people."""
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value):
        return f"{int(value):,}"
    size = abs(value)
    if size < 1e-6:
        return "less than 0.000001" if value > 0 else "more than −0.000001"
    places = min(6, 2 - int(np.floor(np.log10(size)))) if size < 10 else 1
    return f"{value:,.{places}f}".replace("-", "−")


def count_text(number: float, what: str) -> str:
    """Return a number of things, in the plural unless it is one."""
    text = f"{number:,.0f}"
    plural = "es" if what.endswith("s") else "s"
    return f"{text} {what}{'' if text == '1' else plural}"


def interval_text(row: Any) -> str:
    """Return the ``value`` of a row of a table with its ``low`` and ``high``."""
    ends = f"{number_text(row['low'])} to {number_text(row['high'])}"
    return f"{number_text(row['value'])} ({ends})"


def share_text(value: float) -> str:
    """Return a share as a percentage."""
    percent = 100 * value
    if np.isnan(value) or np.isinf(value):
        return number_text(value)
    if value < 0:
        text = share_text(-value)
        return text if text == "0 %" else f"−{text}"
    if abs(percent - round(percent)) < 1e-9:
        return f"{round(percent)} %"
    digits = 1 if percent >= 1 else 3 - int(np.floor(np.log10(max(percent, 1e-6))))
    if 99.95 <= percent < 100:
        digits = 1 - int(np.floor(np.log10(100 - percent)))
    return f"{round(percent, digits):.{min(digits, 6)}f}".rstrip("0").rstrip(".") + " %"


def threshold_text(value: float) -> str:
    """Return a threshold that still gives the same decisions after rounding."""
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "accept none" if value > 0 else "accept all"
    return repr(float(value)).removesuffix(".0")


def quoted_threshold(value: float) -> str:
    """Return a threshold to stand in a sentence, where "accept all" is a name."""
    text = threshold_text(value)
    return text if isfinite(value) else f'"{text}"'


def rule_text(value: float) -> str:
    """Return what to do with a threshold."""
    text = threshold_text(value)
    return text if np.isinf(value) else f"accept scores at or above {text}"


def class_text(name: object, *, positive: bool = False) -> str:
    """Return the name of a class to stand in a sentence, where a bare number could not."""
    text = str(name)
    if not (is_number(text) and isfinite(float(text))):
        return text
    return f"positive (class {text})" if positive else f"class {text}"
