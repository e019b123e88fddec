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

    Shapes: `X` (n, d); `labels` (n,).
    """

    X: np.ndarray
    labels: np.ndarray
    names: tuple[str, ...]


def raw_table(
    frame: pd.DataFrame, labels: np.ndarray, names: Sequence[str] | None, path: Path
) -> RawTable:
    """Make a `RawTable` of a frame whose columns must all be numbers.

    Shapes: `frame` (n, d); `labels` (n,).
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

    Shapes: returned (n,).
    """
    codes, labels = pd.factorize(column)  # the code of a missing one is -1
    texts = np.array([*(str(label).strip() for label in labels), ""], dtype=object)[codes]
    if (texts == "").any():
        raise DataError(f"{path}: object {np.argmax(texts == '') + 1} has no class")
    return texts


def rename_labels(found: np.ndarray, labels: Mapping[str, str] | None, path: Path) -> np.ndarray:
    """Return the class name of each label.

    Shapes: `found` (n,); returned (n,).
    """
    if labels is None:
        return found
    names = {str(label): str(name) for label, name in labels.items()}
    codes, unique = pd.factorize(found)
    unknown = [label for label in unique if str(label) not in names]
    if unknown:
        raise DataError(f"{path}: unknown label '{unknown[0]}'; known are {list(names)}")
    return np.array([names[str(label)] for label in unique], dtype=object)[codes]
