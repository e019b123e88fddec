"""Names and numbers as people write them: several words, percent, thousands, decimal commas."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pandas as pd

MISSING = ("", "na", "n/a", "#n/a", "nan", "null", "none")
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)", re.I)
_SPACED = re.compile(r"[+-]?\d{1,3}(?:[ '\u2019\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?")
_DECIMAL = re.compile(r"[+-]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+(?:e[+-]?\d+)?", re.I)
_PERCENT = re.compile(r"[\s_(\[]*(?:%|(?<![^\W_])(?:percent|pct))\s*[)\]]?$", re.I)


def tidy_name(name: str) -> str:
    """Return the name of a column with single blanks and without invisible characters.

    Examples
    --------
    >>> tidy_name(" True\u00a0 class")
    'True class'
    """
    return " ".join(name.replace("\ufeff", "").replace("\u200b", "").split())


def words_of(name: str) -> str:
    """Return the words of a name in small letters, without its unit.

    Examples
    --------
    >>> words_of("True class"), words_of("p(1)"), words_of("Score (%)"), words_of("y_true")
    ('true_class', 'p_1', 'score', 'y_true')
    """
    return "_".join(re.findall(r"[^\W_]+", without_unit(name).lower()))


def without_unit(name: str) -> str:
    """Return a name without ``%`` or the like at its end."""
    return _PERCENT.sub("", name)


def is_percent(values: pd.Series) -> bool:
    """Return whether a column is in percent, by its name or by its cells."""
    if without_unit(str(values.name)) != str(values.name):
        return True
    return not pd.api.types.is_numeric_dtype(values) and _ends_in_percent(values.astype(str))


def cell_numbers(values: pd.Series) -> pd.Series:
    """Return a column as numbers; those in percent as shares.

    Thousands may be parted by blanks or apostrophes; by commas, where a cell has two of them or a
    decimal point is in the column. A comma is a decimal one where no cell has a point.

    Parameters
    ----------
    values : pandas.Series
        Of any type.

    Returns
    -------
    pandas.Series
        NaN where a cell is no number, or may be one of two.
    """
    try:
        parsed = pd.to_numeric(values, errors="coerce")
    except OverflowError:  # a whole number beyond all floats; as text it is infinite
        parsed = pd.to_numeric(values.astype(str), errors="coerce")
    if not pd.api.types.is_numeric_dtype(values) and parsed.isna().any():
        parsed = pd.Series(_numbers_of_texts(values.astype(str)), values.index)
    return parsed / 100 if is_percent(values) else parsed


def no_number(value: object, values: pd.Series) -> str:
    """Return what is wrong with a cell of a column that should hold numbers."""
    text = _plain(str(value))
    if text.lower() in MISSING or value is None or value is pd.NA:
        return "no value; --drop-missing leaves such rows out"
    if _THOUSANDS.fullmatch(text) and _DECIMAL.fullmatch(text):
        point, none = text.replace(",", "."), text.replace(",", "")
        return f"'{text}' may be {none} or {point}; write one of them"
    if _DECIMAL.fullmatch(text):
        return f"'{text}' has a decimal comma; write {text.replace('.', '').replace(',', '.')}"
    if _NUMBER.fullmatch(text) and np.isfinite(float(text)) and is_percent(values):
        return f"'{text}' has no % as other rows have; write all in one unit"
    return f"'{text}' is {'not finite' if isinstance(value, float | int) else 'no number'}"


def _ends_in_percent(texts: Iterable[str]) -> bool:
    return any(text.rstrip().endswith("%") for text in texts)


def _plain(text: str) -> str:
    """Return a cell without separators of thousands other than commas."""
    text = text.strip().replace("\u2212", "-")
    if _SPACED.fullmatch(text.removesuffix("%").rstrip()):
        text = re.sub(r"[ '\u2019\u00a0\u2009\u202f]", "", text)
    return text


def _numbers_of_texts(cells: Iterable[str]) -> list[float]:
    """Return the numbers that texts stand for, also if written as people write them."""
    texts = [_plain(cell) for cell in cells]
    in_percent = _ends_in_percent(texts)
    bare = [text.removesuffix("%").rstrip() for text in texts]
    commas = {text for text in bare if "," in text}
    has_point = any("." in text and "," not in text for text in bare)
    grouped = all(_THOUSANDS.fullmatch(text) for text in commas)
    decimal = all(_DECIMAL.fullmatch(text) for text in commas) and not has_point
    found = []
    for text, number in zip(texts, bare, strict=True):
        if grouped and not decimal:
            number = number.replace(",", "")
        elif decimal and not grouped and "," in number:
            number = number.replace(".", "").replace(",", ".")
        unclear = in_percent and not text.endswith("%")
        found.append(float(number) if _NUMBER.fullmatch(number) and not unclear else np.nan)
    return found
