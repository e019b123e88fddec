"""Feature tables made from raw files, generators or stand-ins."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable, look, stand_in_label
from opchar.datasets.generators import generate
from opchar.datasets.readers import npz, read_set
from opchar.datasets.registry import DataSet, Registry, View, entry_of, is_view, load, load_view
from opchar.datasets.sources.checksums import why_wrong
from opchar.datasets.sources.fetching import PROVENANCE
from opchar.datasets.standins import describe, make
from opchar.errors import ConfigError, DataError
from opchar.files import read_json
from opchar.seeds import Spawn


def build(name: str, registry: Registry, raw_folder: Path | str, spawn: Spawn) -> FeatureTable:
    """Make the feature table of a set from its raw files, or its stand-in."""
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
    provenance = _read_provenance(folder)
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
    provenance = _read_provenance(folder)
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
    provenance = _read_provenance(folder)
    stands_in = provenance.get("stand_in")
    if stands_in is None:
        from opchar.datasets.images.inception import group_features

        source = Path(str(provenance["address"])).expanduser()
        shards, shown = folder.parent / f"{data.name}-shards", sys.stderr.isatty()
        X, y, classes = group_features(source, data.images or {}, shards, progress=shown)
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

    With ``draws`` and ``parts`` it is drawn again so many times, each part by itself, and has the
    columns ``draw`` and ``part``.
    """
    settings = data.generator or {}
    function, options = str(settings.get("function", "")), settings.get("options") or {}
    where = f"config/datasets.yaml: '{data.name}'"
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
    except (ConfigError, OverflowError, TypeError, ValueError) as error:
        raise ConfigError(f"{where}, generator '{function}': {error}") from None
    counts = np.bincount(y, minlength=len(data.classes)).tolist()
    if X.shape != data.shape or counts != list(data.classes.values()):
        raise ConfigError(
            f"{where} says {data.shape} {list(data.classes.values())} and its generator makes "
            f"{X.shape} {counts}"
        )
    return X, y, groups


def _read_provenance(folder: Path) -> Mapping[str, Any]:
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
        if wrong := why_wrong(folder / name, known.get(name)):
            raise DataError(f"{folder / name}: {wrong}; delete {folder} and run again")
