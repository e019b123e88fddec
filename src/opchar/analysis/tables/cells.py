"""Names and numbers as people write them: several words, percent, thousands, decimal commas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from importlib.resources import files

import numpy as np
import pandas as pd
from numpy.typing import NDArray

# What columns of each role are called, and words in such names.
_TEXT = (files("opchar.analysis") / "names.json").read_text(encoding="utf-8")
WORDS: dict[str, tuple[str, ...]] = {key: tuple(each) for key, each in json.loads(_TEXT).items()}
MISSING = ("", ".", "na", "n/a", "#n/a", "nan", "null", "none")
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)", re.I)
_SPACED = re.compile(r"[+-]?\d{1,3}(?:[ '\u2019\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?")
_DECIMAL = re.compile(r"[+-]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+(?:e[+-]?\d+)?", re.I)
_LIMIT = re.compile(r"\s*([<>≤≥])\s*=?\s*([+-]?[.,]?\d.*)")
_BELOW = re.compile(r"[<>]?\s*(?:lod|loq|lloq|bdl|n\.?\s?d\.?|below .*)", re.I)
_PERCENT = re.compile(r"[\s_(\[]*(?:%|(?<![^\W_])(?:percent|pct))\s*[)\]]?$", re.I)


def tidy_name(name: str) -> str:
    """Return the name of a column with single blanks and without invisible characters."""
    return " ".join(name.replace("\ufeff", "").replace("\u200b", "").split())


def words_of(name: str) -> str:
    """Return the words of a name in small letters, without its unit."""
    return "_".join(re.findall(r"[^\W_]+", without_unit(name).lower()))


def without_unit(name: str) -> str:
    """Return a name without ``%`` or the like at its end."""
    return _PERCENT.sub("", name)


def label_text(value: object) -> str:
    """Return a label as text, so that 1, 1.0 and "1" are one class."""
    text = str(value).strip()
    if re.fullmatch(r"[+-]?\d{1,300}(,0)?", text):
        return str(int(text.removesuffix(",0")))  # a float holds no more than 15 digits
    try:
        number = float(text)
    except ValueError:
        return text
    if "_" in text:  # a number to Python only
        return text
    return str(int(number)) if number.is_integer() else text


def is_missing(values: pd.Series) -> NDArray[np.bool_]:
    """Return whether cells of a column that should hold numbers are empty, NA, NaN or the like.

    Shapes: returned (n,).
    """
    missing = values.isna().to_numpy()
    if not pd.api.types.is_numeric_dtype(values):
        missing = missing | values.astype(str).str.strip().str.lower().isin(MISSING).to_numpy()
    return missing


def is_percent(values: pd.Series) -> bool:
    """Return whether a column is in percent, by its name or by its cells."""
    if without_unit(str(values.name)) != str(values.name):
        return True
    return not pd.api.types.is_numeric_dtype(values) and _ends_in_percent(values.map(str))


def cell_numbers(values: pd.Series) -> pd.Series:
    """Return a column as numbers; those in percent as shares.

    Thousands may be parted by blanks or apostrophes; by commas, where a cell has two of them, a
    decimal point is in the column, or ``1,230`` is beside ``456``. Else a comma is a decimal one.
    """
    try:
        parsed = pd.to_numeric(values, errors="coerce")
    except OverflowError:  # a whole number beyond all floats; as text it is infinite
        parsed = pd.to_numeric(values.astype(str), errors="coerce")
    if not pd.api.types.is_numeric_dtype(values) and parsed.isna().any():
        parsed = pd.Series(_numbers_of_texts(values.map(str)), values.index)
    return parsed / 100 if is_percent(values) else parsed


def no_number(value: object, values: pd.Series) -> str:
    """Return what is wrong with a cell of a column that should hold numbers."""
    text = _plain(str(value))
    if _LIMIT.fullmatch(text):
        return f"'{text}' is no number; --detection-limit takes such cells as ties beyond the limit"
    if _BELOW.fullmatch(text):
        return f"'{text}' is no number; write the limit, as in <0.5, and give --detection-limit"
    if text.lower() in MISSING or value is None or value is pd.NA:
        return "no value; --drop-missing leaves such rows out"
    if _THOUSANDS.fullmatch(text) and _DECIMAL.fullmatch(text):
        point, none = text.replace(",", "."), text.replace(",", "")
        return f"'{text}' may be {none} or {point}; write one of them"
    if _DECIMAL.fullmatch(text):
        return f"'{text}' has a decimal comma; write {text.replace('.', '').replace(',', '.')}"
    if _NUMBER.fullmatch(text) and np.isfinite(float(text)) and is_percent(values):
        return f"'{text}' has no % as other rows have; write all in one unit"
    if isinstance(value, float | int):
        return f"'{text}' is not finite; give a number beyond all others"
    empty = "" if re.search(r"\w", text) else "; leave it empty and give --drop-missing"
    return f"'{text}' is no number{empty}"


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
    if grouped and decimal and any(text.endswith("0") for text in commas):
        # Beside whole numbers of three digits decimals would not end in 0.
        decimal = not any(re.fullmatch(r"[+-]?[1-9]\d\d", text) for text in bare)
    found = []
    for text, number in zip(texts, bare, strict=True):
        if grouped and not decimal:
            number = number.replace(",", "")
        elif decimal and not grouped and "," in number:
            number = number.replace(".", "").replace(",", ".")
        unclear = in_percent and not text.endswith("%")
        found.append(float(number) if _NUMBER.fullmatch(number) and not unclear else np.nan)
    return found


def beyond_limits(values: pd.Series) -> tuple[pd.Series, int]:
    """Return a column whose cells as ``<0.5`` or ``>100`` are ties beyond all measured numbers."""
    parts = values.astype(str).str.extract(_LIMIT).replace({0: {"≤": "<", "≥": ">"}})
    limited = parts[0].notna()
    if not limited.any():
        return values, 0
    found = cell_numbers(values.where(~limited, parts[1])).astype(float)
    if found.notna().mean() < 0.5:  # texts
        return values, 0
    if (unread := limited & found.isna()).any():
        why = "is not written as other numbers of the column are"
        raise ValueError(int(unread.to_numpy().argmax()), why)
    for sign, way in (("<", -1.0), (">", 1.0)):
        mine = limited & (parts[0] == sign)
        if not mine.any():
            continue
        limit = float((way * found[mine]).min()) * way
        if (unclear := ~limited & (way * found > way * limit)).any():
            why = "lies beyond the limit of another row; nobody knows which is larger"
            raise ValueError(int(unclear.to_numpy().argmax()), why)
        found[mine] = np.nextafter(limit, way * np.inf)
    return found, int(limited.sum())
