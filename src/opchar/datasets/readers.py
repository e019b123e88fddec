"""Readers of the formats that the sets come in: typed arrays, class names, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.raw_tables import RawTable, raw_table, rename_labels
from opchar.datasets.registry import DataSet
from opchar.datasets.text_readers import arff, headed, keel, keel_sets, uci_table
from opchar.errors import ConfigError, DataError, first_line, nearest


def prtools_struct(
    paths: Sequence[Path], *, variable: str = "a", labels: Mapping[str, str] | None = None
) -> RawTable:
    """Read a MAT file with one PRTools struct: ``d`` data, ``l`` label from 1, ``ll`` label names.

    `paths`: one file; `variable`: name of the struct.
    """
    from scipy.io import loadmat

    (path,) = paths
    try:
        struct = loadmat(path, simplify_cells=True, variable_names=[variable])[variable]
        names = np.array([str(name).strip() for name in np.atleast_1d(struct["ll"])], dtype=object)
        numbers = np.asarray(struct["l"]).ravel()
        if not np.isin(numbers, np.arange(len(names)) + 1).all():
            raise ValueError(f"a label is no number from 1 to {len(names)}")
        found = names[numbers.astype(np.int64) - 1]
        data = _matrix(np.asarray(struct["d"], dtype=float))
    except Exception as error:
        raise DataError(
            f"{path}: not a PRTools MAT file ({first_line(error)}); fetch it again"
        ) from None
    return raw_table(pd.DataFrame(data), rename_labels(found, labels, path), None, path)


def npz(
    paths: Sequence[Path],
    *,
    data: str = "X",
    label: str = "label",
    class_names: str | None = "classes",
    labels: Mapping[str, str] | None = None,
) -> RawTable:
    """Read a NumPy archive, never a pickle in it.

    `paths`: one file; `data`, `label`: names of the arrays with the features and the labels;
    `class_names`: name of the array with class names that integer labels point into.
    """
    (path,) = paths
    try:
        with np.load(path, allow_pickle=False) as archive:
            values = _matrix(np.asarray(archive[data], dtype=float))
            found = archive[label]
            if class_names is not None:
                if found.dtype.kind not in "iu" or (found < 0).any():
                    raise ValueError(f"'{label}' has labels other than numbers from 0")
                found = archive[class_names][found]
    except Exception as error:
        raise DataError(
            f"{path}: not the expected NumPy archive ({first_line(error)}); fetch it again"
        ) from None
    return raw_table(
        pd.DataFrame(values),
        rename_labels(found.astype(str).astype(object), labels, path),
        None,
        path,
    )


def _matrix(values: np.ndarray) -> np.ndarray:
    """Return an array as objects by features; an object of more dimensions is laid out flat."""
    if values.ndim < 2 or not values.size:
        raise ValueError(f"features of shape {values.shape}")
    return values.reshape(len(values), -1)


READERS: dict[str, Callable[..., RawTable]] = {
    f"opchar.datasets.readers:{each.__name__}": each
    for each in (uci_table, headed, keel, keel_sets, arff, prtools_struct, npz)
}


def read_set(data: DataSet, folder: Path) -> RawTable:
    """Read a set from its raw files and check it against the registry."""
    if data.reader not in READERS:
        raise ConfigError(
            f"config/datasets.yaml: '{data.name}' has the unknown reader '{data.reader}'"
            f"{nearest(data.reader, list(READERS))}"
        )
    options: dict[str, Any] = dict(data.options)
    complete_only = options.pop("complete_only", False)
    table = READERS[data.reader]([folder / name for name in data.files], **options)
    complete = np.isfinite(table.X).all(axis=1)
    if complete_only:
        table = RawTable(table.X[complete], table.labels[complete], table.names)
    elif not complete.all():
        row = int(np.argmin(complete)) + 1
        raise DataError(f"{folder}: object {row} has a missing value; fetch the set again")
    _check(data, table, folder)
    return table


def _check(data: DataSet, table: RawTable, folder: Path) -> None:
    if table.X.shape != data.shape:
        raise DataError(
            f"{folder}: {data.name} has shape {table.X.shape} and the registry says {data.shape}; "
            f"delete {folder} and run again"
        )
    codes, labels = pd.factorize(table.labels)
    counts = dict(zip(map(str, labels), np.bincount(codes).tolist(), strict=True))
    if counts != data.classes:
        raise DataError(
            f"{folder}: {data.name} has the classes {counts} and the registry says "
            f"{data.classes}; delete {folder} and run again"
        )
