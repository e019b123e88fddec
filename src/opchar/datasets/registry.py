"""What the project knows of each data set: one entry of ``config/datasets.yaml`` each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opchar.errors import ConfigError, nearest

Registry = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class RawFile:
    """One file of a data set as it stands inside an archive or on a mirror."""

    size: int
    sha256: str
    values_sha256: str | None = None


@dataclass(frozen=True)
class Official:
    """Where the makers publish the files."""

    url: str
    archive: bool = True


@dataclass(frozen=True)
class DataSet:
    """One entry of the registry."""

    name: str
    title: str
    folder: str
    files: dict[str, RawFile]
    official: Official | None
    licence: str
    citation: str
    page: str
    reader: str
    options: dict[str, Any]
    shape: tuple[int, int]
    classes: dict[str, int]
    stand_in: dict[str, Any]
    recommended_split: dict[str, Any] | None = None
    licensed: bool = False
    generator: dict[str, Any] | None = None
    images: dict[str, Any] | None = None
    notes: str = ""


@dataclass(frozen=True)
class View:
    """Another look at a set: classes regrouped, features left out."""

    name: str
    title: str
    base: str
    groups: dict[str, list[str]]
    leave_out: list[str] = field(default_factory=list)
    faces: dict[str, Any] | None = None
    shape: tuple[int, int] = (0, 0)
    classes: dict[str, int] = field(default_factory=dict)
    notes: str = ""


def entry_of(name: str, registry: Registry) -> Mapping[str, Any]:
    """Return the entry of `name`."""
    if name not in registry:
        raise ConfigError(
            f"config/datasets.yaml has no data set '{name}'{nearest(name, list(registry))}"
        )
    return registry[name]


def is_view(entry: Mapping[str, Any]) -> bool:
    """Whether an entry is a view of another set."""
    return "view_of" in entry


def base_name(name: str, registry: Registry) -> str:
    """Return the set whose raw files `name` needs: its base for a view, else itself."""
    entry = entry_of(name, registry)
    return base_name(str(entry["view_of"]), registry) if is_view(entry) else name


def load(name: str, entry: Mapping[str, Any]) -> DataSet:
    """Make a `DataSet` of its entry."""
    try:
        where = entry.get("official")
        official = Official(str(where["url"]), bool(where.get("archive", True))) if where else None
        return DataSet(
            name=name,
            title=str(entry["title"]),
            folder=str(entry.get("folder", name)),
            files=raw_files(entry.get("files") or {}),
            official=official,
            licence=str(entry["licence"]),
            citation=str(entry["citation"]),
            page=str(entry.get("page", "")),
            reader=str(entry.get("reader", "")),
            options=dict(entry.get("options") or {}),
            shape=_shape(entry, "images" in entry),
            classes=_classes(entry, "images" in entry),
            stand_in=dict(entry["stand_in"]) if not {"generator", "own"} & set(entry) else {},
            recommended_split=entry.get("recommended_split"),
            licensed=bool(entry.get("licensed", False)),
            generator=dict(entry["generator"]) if "generator" in entry else None,
            images=dict(entry["images"]) if "images" in entry else None,
            notes=str(entry.get("notes", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"config/datasets.yaml: entry '{name}' is not complete ({error!r})"
        ) from None


def raw_files(given: Mapping[str, Any]) -> dict[str, RawFile]:
    """Return the files that an entry lists."""
    return {
        str(name): RawFile(int(what["size"]), str(what["sha256"]), what.get("values_sha256"))
        for name, what in given.items()
    }


def load_view(name: str, entry: Mapping[str, Any]) -> View:
    """Make a `View` of its entry."""
    try:
        return View(
            name=name,
            title=str(entry["title"]),
            base=str(entry["view_of"]),
            groups={
                str(label): [str(member) for member in members]
                for label, members in (entry.get("groups") or {}).items()
            },
            leave_out=[str(feature) for feature in entry.get("leave_out") or []],
            faces=dict(entry["faces"]) if "faces" in entry else None,
            shape=_shape(entry, "faces" in entry),
            classes=_classes(entry, "faces" in entry),
            notes=str(entry.get("notes", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"config/datasets.yaml: entry '{name}' is not complete ({error!r})"
        ) from None


def _shape(entry: Mapping[str, Any], optional: bool) -> tuple[int, int]:
    shape = entry.get("shape", (0, 0)) if optional else entry["shape"]
    return int(shape[0]), int(shape[1])


def _classes(entry: Mapping[str, Any], optional: bool) -> dict[str, int]:
    classes = entry.get("classes", {}) if optional else entry["classes"]
    return {str(label): int(count) for label, count in classes.items()}
