"""Objects as a reader of raw files finds them, and what the readers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from opchar.errors import DataError, first_line


@dataclass(frozen=True)
class RawTable:
    """Objects as a reader finds them.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Features; categorical codes stay numbers, a missing value is NaN.
    labels : ndarray of str, shape (n,)
        Class name of each object.
    names : tuple of str, length d
        Feature names.
    """

    X: np.ndarray
    labels: np.ndarray
    names: tuple[str, ...]


def raw_table(
    frame: pd.DataFrame, labels: np.ndarray, names: Sequence[str] | None, path: Path
) -> RawTable:
    """Make a `RawTable` of a frame whose columns must all be numbers.

    Parameters
    ----------
    frame : DataFrame of shape (n, d)
        The features.
    labels : ndarray of str, shape (n,)
        Class name of each object.
    names : sequence of str, optional
        Feature names; ``x1`` and so on when there are none.
    path : pathlib.Path
        The file, for messages.

    Returns
    -------
    RawTable
        The same objects.

    Raises
    ------
    DataError
        If a column is no numbers, a label no text, or the lengths differ.
    """
    try:
        values = frame.to_numpy(dtype=float, na_value=np.nan)
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(f"{path}: {first_line(error)}; fetch it again") from None
    if len(labels) != len(values):
        raise DataError(f"{path}: {len(values)} objects and {len(labels)} labels; fetch it again")
    if not all(isinstance(label, str) for label in labels):
        raise DataError(f"{path}: the labels are no texts; fetch it again")
    names = names or [f"x{number}" for number in range(1, values.shape[1] + 1)]
    if len(names) != values.shape[1]:
        raise DataError(f"{path}: {values.shape[1]} features and {len(names)} names")
    return RawTable(np.ascontiguousarray(values), labels, tuple(names))


def label_texts(column: pd.Series, path: Path) -> np.ndarray:
    """Return labels as texts without blanks around them.

    Parameters
    ----------
    column : Series of length n
        Labels of any type.
    path : pathlib.Path
        The file, for messages.

    Returns
    -------
    ndarray of str, shape (n,)
        In the same order.

    Raises
    ------
    DataError
        If a label is missing or blank.
    """
    codes, labels = pd.factorize(column)  # the code of a missing one is -1
    texts = np.array([*(str(label).strip() for label in labels), ""], dtype=object)[codes]
    if (texts == "").any():
        raise DataError(f"{path}: object {np.argmax(texts == '') + 1} has no class")
    return texts


def rename_labels(found: np.ndarray, labels: Mapping[str, str] | None, path: Path) -> np.ndarray:
    """Return the class name of each label.

    Parameters
    ----------
    found : ndarray of shape (n,)
        Labels as they stand in the file.
    labels : mapping, optional
        Class name of each label; without it labels are names.
    path : pathlib.Path
        The file, for messages.

    Returns
    -------
    ndarray of str, shape (n,)
        In the same order.

    Raises
    ------
    DataError
        If a label has no class name.
    """
    if labels is None:
        return found
    names = {str(label): str(name) for label, name in labels.items()}
    codes, unique = pd.factorize(found)
    unknown = [label for label in unique if str(label) not in names]
    if unknown:
        raise DataError(f"{path}: unknown label '{unknown[0]}'; known are {list(names)}")
    return np.array([names[str(label)] for label in unique], dtype=object)[codes]
