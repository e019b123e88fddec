"""Feature tables, the inputs of training, with the name of their data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.registry import View
from opchar.errors import ConfigError, DataError
from opchar.files import read_json, write_json, write_parquet


@dataclass(frozen=True)
class FeatureTable:
    """Objects with their features and classes.

    Shapes: `X` (n, d); `y` (n,); `groups` (n,).
    """

    X: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]
    names: tuple[str, ...]
    provenance: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def data(self) -> str:
        """The data that results from this table must name: the data set, or its stand-in."""
        return str(self.provenance.get("data", "features given by the user"))


def write_features(table: FeatureTable, path: Path | str) -> None:
    """Write a feature table as Parquet, in single precision when that loses nothing.

    Its provenance goes beside it.
    """
    if taken := sorted(set(table.groups) & {*table.names, "y"}):
        raise DataError(f"{path}: '{taken[0]}' is both a group column and a feature")
    single = table.X.astype(np.float32)
    values = single if np.array_equal(single, table.X) else table.X
    frame = pd.DataFrame(values, columns=list(table.names))
    about = table.provenance | {"classes": list(table.classes)}
    if table.groups:
        about = about | {"groups": list(table.groups)}
        frame = pd.concat([frame, pd.DataFrame(table.groups)], axis=1)
    frame["y"] = np.asarray(table.classes, dtype=object)[table.y]
    write_json(about, Path(path).with_suffix(".json"))
    write_parquet(frame, path)


def read_features(path: Path | str) -> FeatureTable:
    """Read and validate a feature table."""
    path = Path(path)
    try:
        frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    except FileNotFoundError:
        raise DataError(f"{path}: no such feature table") from None
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(
            f"{path}: not a readable feature table ({reason}); give CSV or Parquet with a column "
            "for each feature and the class in the column y"
        ) from None
    _validate(frame, path)
    sidecar = path.with_suffix(".json")
    provenance = read_json(sidecar) if sidecar.exists() else {}
    if not isinstance(provenance, dict):
        raise DataError(f"{sidecar}: not the provenance of {path.name}; move or delete it")
    labels = frame.pop("y").astype(str)
    found = labels.unique()
    classes = tuple(provenance.pop("classes", sorted(found)))
    if unknown := set(found) - set(classes):
        raise DataError(f"{path}: class '{min(unknown)}' is none of {list(classes)} in {sidecar}")
    groups = {}
    for name in provenance.pop("groups", []):
        if name not in frame.columns:
            raise DataError(f"{path}: column '{name}' of {sidecar} is missing")
        groups[name] = frame.pop(name).to_numpy()
    return FeatureTable(
        _numbers(frame, path),
        pd.Categorical(labels, categories=list(classes)).codes.astype(np.int64),
        classes,
        tuple(str(name) for name in frame.columns),
        provenance,
        groups,
    )


def stand_in_label(name: str, description: str) -> str:
    """Return what results resting on a stand-in name as their data."""
    return f"stand-in for {name}: {description}"


def look(table: FeatureTable, view: View) -> FeatureTable:
    """Regroup the classes and leave out features of a table."""
    groups = view.groups or {label: [label] for label in table.classes}
    target = np.full(len(table.classes), -1)
    for number, (group, members) in enumerate(groups.items()):
        for member in members:
            if member not in table.classes:
                raise ConfigError(
                    f"config/datasets.yaml: '{view.name}' puts the unknown class '{member}' into "
                    f"'{group}'; '{view.base}' has {list(table.classes)}"
                )
            target[table.classes.index(member)] = number
    y = target[table.y]
    keep = y >= 0
    # a stand-in has features x1, x2, ...: it loses the last ones instead of the named ones
    missing = [feature for feature in view.leave_out if feature not in table.names]
    stands_in = table.data != view.base
    if missing and not stands_in:
        raise ConfigError(
            f"config/datasets.yaml: '{view.name}' leaves out the unknown feature '{missing[0]}'"
        )
    columns = np.flatnonzero(~np.isin(table.names, view.leave_out))
    if stands_in:
        columns = np.arange(len(table.names) - len(view.leave_out))
    X, y = np.ascontiguousarray(table.X[keep][:, columns]), y[keep]
    counts = dict(zip(groups, np.bincount(y, minlength=len(groups)).tolist(), strict=True))
    if X.shape != view.shape or counts != view.classes:
        raise ConfigError(
            f"config/datasets.yaml: '{view.name}' says {view.shape} {view.classes} and has "
            f"{X.shape} {counts}"
        )
    label = table.data.replace(f"for {view.base}:", f"for {view.name}:", 1) + ", seen as a view"
    about = table.provenance | {"data": label if stands_in else view.name, "set": view.name}
    kept = {name: values[keep] for name, values in table.groups.items()}
    return FeatureTable(X, y, tuple(groups), tuple(table.names[i] for i in columns), about, kept)


def _validate(frame: pd.DataFrame, path: Path) -> None:
    if "y" not in frame.columns:
        raise DataError(f"{path}: column 'y' is missing; it has {list(frame.columns)[:8]}")
    if frame.empty or len(frame.columns) < 2:
        raise DataError(f"{path}: the table has no objects or no features")
    if frame["y"].isna().any():
        row = int(frame["y"].isna().to_numpy().argmax())
        raise DataError(f"{path}: row {row + 1}, column 'y': no class")
    if frame["y"].nunique() < 2:
        raise DataError(f"{path}: column 'y' has only the class '{frame['y'].iloc[0]}'; give two")


def _numbers(frame: pd.DataFrame, path: Path) -> np.ndarray:
    """Return the features, or raise `DataError` naming the first that is not a finite number."""
    try:
        values = np.ascontiguousarray(frame.to_numpy(dtype=float, na_value=np.nan))
    except (ValueError, TypeError):
        numbers = frame.apply(pd.to_numeric, errors="coerce")
        values = np.ascontiguousarray(numbers.to_numpy(dtype=float, na_value=np.nan))
    finite = np.isfinite(values)
    if not finite.all():
        column = int(np.argmin(finite.all(axis=0)))
        row = int(np.argmin(finite[:, column]))
        raise DataError(
            f"{path}: row {row + 1}, column '{frame.columns[column]}': "
            f"'{frame.iloc[row, column]!s}' is not a finite number"
        )
    return values
