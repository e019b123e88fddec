"""Feature tables: what models are trained on, with the name of the data they hold."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.generators import generate
from opchar.datasets.readers import npz, read_set
from opchar.datasets.registry import (
    DataSet,
    Registry,
    View,
    entry_of,
    is_view,
    load,
    load_view,
)
from opchar.datasets.sources.checksums import sha256_of
from opchar.datasets.sources.fetching import PROVENANCE
from opchar.datasets.standins import describe, make
from opchar.errors import ConfigError, DataError
from opchar.files import read_json, write_json, write_parquet
from opchar.seeds import Spawn


@dataclass(frozen=True)
class FeatureTable:
    """Objects with their features and classes.

    Parameters
    ----------
    X : ndarray of float, shape (n, d)
        Features.
    y : ndarray of int, shape (n,)
        Class as an index into `classes`.
    classes : tuple of str, length C
        Class names.
    names : tuple of str, length d
        Feature names.
    provenance : dict
        ``data`` is what results must name: the set, or its stand-in.
    groups : dict of str to ndarray, shape (n,)
        Further columns that are no features, numbers or names: the ``draw`` and ``part`` of a
        generated set; the ``video`` of a face region, and its ``frame`` in the trajectory of its
        person, from 0.
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

    Parameters
    ----------
    table : FeatureTable
        What to write.
    path : path-like
        Ending in ``.parquet``.

    Raises
    ------
    DataError
        If a group column is called like a feature.
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
    """Read and validate a feature table.

    Parameters
    ----------
    path : path-like
        Parquet or CSV with one column per feature and the class names in the column ``y``. Without
        a provenance beside it classes are in the order of their names.

    Returns
    -------
    FeatureTable
        The table that the file holds.

    Raises
    ------
    DataError
        One line that names file, row and column.
    """
    path = Path(path)
    try:
        frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    except FileNotFoundError:
        raise DataError(f"{path}: no such feature table") from None
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(
            f"{path}: not a readable feature table ({reason}); give CSV or Parquet with one "
            "column a feature and the class in the column y"
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
            raise DataError(f"{path}: column '{name}' is missing, which {sidecar} speaks of")
        groups[name] = frame.pop(name).to_numpy()
    return FeatureTable(
        _numbers(frame, path),
        pd.Categorical(labels, categories=list(classes)).codes.astype(np.int64),
        classes,
        tuple(str(name) for name in frame.columns),
        provenance,
        groups,
    )


def build(name: str, registry: Registry, raw_folder: Path | str, spawn: Spawn) -> FeatureTable:
    """Make the feature table of a set from its raw files, or its stand-in.

    Parameters
    ----------
    name : str
        A set or a view of one.
    registry : mapping
        ``config/datasets.yaml``.
    raw_folder : path-like
        ``data/raw/<set>``, of the base set for a view.
    spawn : callable
        Gives the stand-in its generator, named after the base set: views of a stand-in show the
        same objects when `spawn` is the same.

    Returns
    -------
    FeatureTable
        Its provenance does not depend on where real files came from.

    Raises
    ------
    DataError
        If the raw files are not those of ``PROVENANCE.json``, or not what the registry says.
    """
    entry = entry_of(name, registry)
    if is_view(entry):
        view = load_view(name, entry)
        if view.faces is not None:
            data = load(view.base, entry_of(view.base, registry))
            return _faces(data, view, Path(raw_folder), spawn)
        return look(build(view.base, registry, raw_folder, spawn), view)
    data = load(name, entry)
    folder = Path(raw_folder)
    if data.images is not None and data.images["kind"] == "photographs":
        return _photographs(data, folder, spawn)
    if data.images is not None:
        views = [view for view in registry if registry[view].get("view_of") == name]
        raise ConfigError(f"'{name}' is a set of images; ask for one of its views {views}")
    provenance = _provenance(folder)
    groups: dict[str, np.ndarray] = {}
    if data.generator is not None:
        X, y, groups = _generate(data, spawn)
        names = tuple(f"x{number}" for number in range(1, X.shape[1] + 1))
        label = name
    elif provenance.get("stand_in") is not None:
        X, y = make(data, spawn(name, "stand-in"))
        names = tuple(f"x{number}" for number in range(1, X.shape[1] + 1))
        label = stand_in_label(name, describe(data))
    else:
        _verify(data.files, folder, provenance)
        table = read_set(data, folder)
        X, names, label = table.X, table.names, name
        y = pd.Categorical(table.labels, categories=list(data.classes)).codes.astype(np.int64)
    about = {"data": label, "set": name}
    return FeatureTable(X, y, tuple(data.classes), names, about, groups)


def _faces(data: DataSet, view: View, folder: Path, spawn: Spawn) -> FeatureTable:
    """Make the table of one or more videos: patterns (or pixels) of face regions.

    Video after video, person after person; the column ``video`` tells several videos apart.
    """
    from opchar.datasets.images.cox import trajectories
    from opchar.datasets.images.lbp import lbp_histograms

    wanted = dict(view.faces or {})
    provenance = _provenance(folder)
    _verify(provenance.get("files") or {}, folder, provenance)
    parts = [str(part) for part in wanted.get("parts", [wanted.get("part")])]
    videos = [
        trajectories(
            part,
            data.images or {},
            data.stand_in,
            provenance,
            folder,
            lambda *names: spawn(data.name, *names),
            count=int(wanted["count"]),
            most=wanted.get("persons"),
        )
        for part in parts
    ]
    rois = np.concatenate([video.rois for video in videos])
    X = rois.reshape(len(rois), -1) if wanted.get("pixels") else lbp_histograms(rois)
    feature = "p" if wanted.get("pixels") else "lbp"
    names = tuple(f"{feature}{number}" for number in range(1, X.shape[1] + 1))
    who = np.concatenate([video.person.astype(str) for video in videos])
    persons, y = np.unique(who, return_inverse=True)
    stands_in = provenance.get("stand_in")
    label = view.name if stands_in is None else stand_in_label(view.name, str(stands_in))
    about = {"data": label, "part": " and ".join(parts), "set": view.name}
    groups = {"frame": np.concatenate([video.frame for video in videos])}
    if "parts" in wanted:
        lengths = [len(video.frame) for video in videos]
        groups["video"] = np.repeat(np.array(parts, object), lengths)
    return FeatureTable(
        X.astype(float), y.astype(np.int64), tuple(persons.tolist()), names, about, groups
    )


def _photographs(data: DataSet, folder: Path, spawn: Spawn) -> FeatureTable:
    """Make the table of deep features of a user's photographs, or of their stand-in."""
    provenance = _provenance(folder)
    stands_in = provenance.get("stand_in")
    if stands_in is None:
        from opchar.datasets.images.inception import group_features

        source = Path(str(provenance["address"])).expanduser()
        X, y, classes = group_features(
            source,
            data.images or {},
            folder.parent / f"{data.name}-shards",
            progress=sys.stderr.isatty(),
        )
        label = data.name
    elif files := provenance.get("files"):
        _verify(files, folder, provenance)
        table = npz([folder / name for name in files])
        codes, labels = pd.factorize(table.labels, sort=True)
        X, y, classes = table.X, codes.astype(np.int64), [str(label) for label in labels]
        label = stand_in_label(data.name, str(stands_in))
    else:
        X, y = make(data, spawn(data.name, "stand-in"))
        classes, label = list(data.classes), stand_in_label(data.name, str(stands_in))
    names = tuple(f"pool{number}" for number in range(1, X.shape[1] + 1))
    about = {"data": label, "set": data.name}
    return FeatureTable(X.astype(float), y, tuple(classes), names, about)


def _generate(data: DataSet, spawn: Spawn) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Make a synthetic set, or raise `ConfigError` when its entry is wrong.

    With ``draws`` and ``parts`` it is drawn so many times anew, each part by itself, and has the
    columns ``draw`` and ``part``.
    """
    settings = data.generator or {}
    function, options = str(settings.get("function", "")), settings.get("options") or {}
    place = f"config/datasets.yaml: '{data.name}'"
    groups: dict[str, np.ndarray] = {}
    try:
        if "draws" not in settings:
            X, y = generate(function, list(data.classes.values()), spawn(data.name), options)
        else:
            parts = {
                (draw, part): generate(
                    function,
                    [int(sizes[label]) for label in data.classes],
                    spawn(data.name, part, draw),
                    {**options, **settings.get("part_options", {}).get(part, {})},
                )
                for draw in range(int(settings["draws"]))
                for part, sizes in settings["parts"].items()
            }
            X, y = (np.concatenate(each) for each in zip(*parts.values(), strict=True))
            lengths = [len(labels) for _, labels in parts.values()]
            groups["draw"] = np.repeat([draw for draw, _ in parts], lengths)
            groups["part"] = np.repeat(np.array([part for _, part in parts], object), lengths)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{place}, generator '{function}': {error}") from None
    counts = np.bincount(y, minlength=len(data.classes)).tolist()
    if X.shape != data.shape or counts != list(data.classes.values()):
        raise ConfigError(
            f"{place} says {data.shape} {list(data.classes.values())} and its generator makes "
            f"{X.shape} {counts}"
        )
    return X, y, groups


def stand_in_label(name: str, description: str) -> str:
    """Return what results resting on a stand-in name as their data.

    Parameters
    ----------
    name : str
        The data set.
    description : str
        What stands in for it.

    Returns
    -------
    str
        Begins with ``stand-in for``.
    """
    return f"stand-in for {name}: {description}"


def look(table: FeatureTable, view: View) -> FeatureTable:
    """Regroup the classes and leave out features of a table.

    Parameters
    ----------
    table : FeatureTable
        The base.
    view : View
        What to change.

    Returns
    -------
    FeatureTable
        With the view's classes, and a provenance that names the view.

    Raises
    ------
    ConfigError
        If the view names a class or feature that the base does not have, or counts otherwise.
    """
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
    columns = (
        np.arange(len(table.names) - len(view.leave_out))
        if stands_in
        else np.array([i for i, name in enumerate(table.names) if name not in view.leave_out])
    )
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


def _provenance(folder: Path) -> Mapping[str, Any]:
    try:
        provenance = read_json(folder / PROVENANCE)
        if not isinstance(provenance, dict):
            raise ValueError
    except (OSError, ValueError):
        raise DataError(
            f"{folder / PROVENANCE}: not there or not readable; delete {folder} and run again"
        ) from None
    return provenance


def _verify(files: Iterable[str], folder: Path, provenance: Mapping[str, Any]) -> None:
    """Raise `DataError` unless every raw file is the one that was fetched."""
    known = provenance.get("files") or {}
    for name in files:
        path = folder / name
        if not path.is_file():
            raise DataError(f"{path}: not there; delete {folder} and run again")
        if known.get(name) != sha256_of(path):
            raise DataError(f"{path}: changed since it was fetched; delete {folder} and run again")


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
        values = np.column_stack(
            [
                pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
                for name in frame.columns
            ]
        )
    finite = np.isfinite(values)
    if not finite.all():
        column = int(np.argmin(finite.all(axis=0)))
        row = int(np.argmin(finite[:, column]))
        raise DataError(
            f"{path}: row {row + 1}, column '{frame.columns[column]}': "
            f"'{frame.iloc[row, column]!s}' is not a finite number"
        )
    return values
