"""Numbers as people read them."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from opchar.typed import is_number


def number_text(value: float) -> str:
    """Return a number for people.

    Returns
    -------
    str
        Three digits that count, at most six places after the point.

    Examples
    --------
    >>> number_text(0.91234), number_text(0.000807), number_text(float("inf")), number_text(312.0)
    ('0.912', '0.000807', '∞', '312')
    >>> number_text(0.00000012), number_text(1234567.0), number_text(-0.0)
    ('less than 0.000001', '1,234,567', '0')
    """
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
    """Return a number of things, in the plural unless it is one.

    Examples
    --------
    >>> count_text(1, "object"), count_text(0, "object"), count_text(1200, "class")
    ('1 object', '0 objects', '1,200 classes')
    """
    text = f"{number:,.0f}"
    plural = "es" if what.endswith("s") else "s"
    return f"{text} {what}{'' if text == '1' else plural}"


def interval_text(row: Any) -> str:
    """Return the ``value`` of a row of a table with its ``low`` and ``high``.

    Examples
    --------
    >>> interval_text({"value": 0.5, "low": 0.25, "high": 0.7})
    '0.500 (0.250 to 0.700)'
    """
    ends = f"{number_text(row['low'])} to {number_text(row['high'])}"
    return f"{number_text(row['value'])} ({ends})"


def share_text(value: float) -> str:
    """Return a share as a percentage.

    Examples
    --------
    >>> share_text(0.9214), share_text(0.02), share_text(0.99996), share_text(-1 / 3)
    ('92.1 %', '2 %', '99.996 %', '−33.3 %')
    """
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
    """Return a threshold so that applying what is read gives what was meant.

    Parameters
    ----------
    value : float
        As from `opchar.spaces.printing.printed_thresholds`, which makes it short.

    Returns
    -------
    str
        All digits of the number.

    Examples
    --------
    >>> threshold_text(0.9123456), threshold_text(1 - 3.45e-12), threshold_text(float("-inf"))
    ('0.9123456', '0.99999999999655', 'accept all')
    """
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "accept none" if value > 0 else "accept all"
    return repr(float(value)).removesuffix(".0")


def rule_text(value: float) -> str:
    """Return what to do with a threshold.

    Examples
    --------
    >>> rule_text(0.25), rule_text(float("inf"))
    ('accept scores at or above 0.25', 'accept none')
    """
    text = threshold_text(value)
    return text if np.isinf(value) else f"accept scores at or above {text}"


def class_text(name: object, *, positive: bool = False) -> str:
    """Return the name of a class to stand in a sentence, where a bare number could not.

    Parameters
    ----------
    name : object
    positive : bool
        Whether it is the positive class.

    Examples
    --------
    >>> class_text("malignant", positive=True), class_text("1", positive=True), class_text("-1")
    ('malignant', 'positive (class 1)', 'class -1')
    """
    text = str(name)
    if not (is_number(text) and isfinite(float(text))):
        return text
    return f"positive (class {text})" if positive else f"class {text}"
