"""What the project knows of each data set: one entry of ``config/datasets.yaml`` each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opchar.errors import ConfigError, nearest

Registry = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class RawFile:
    """One file of a data set as it stands inside an archive or on a mirror.

    Parameters
    ----------
    size : int
        Bytes.
    sha256 : str
        Of the bytes.
    values_sha256 : str, optional
        Of the numbers in the file (`opchar.datasets.sources.checksums.values_digest`). With it a
        file whose bytes differ but whose numbers are the same, such as another spacing, is
        accepted.
    """

    size: int
    sha256: str
    values_sha256: str | None = None


@dataclass(frozen=True)
class Official:
    """Where the makers publish the files.

    Parameters
    ----------
    url : str
        Address of a zip archive, or of the file itself when there is only one.
    archive : bool
        Whether `url` is a zip archive with the files inside.
    """

    url: str
    archive: bool = True


@dataclass(frozen=True)
class DataSet:
    """One entry of the registry.

    Parameters
    ----------
    name : str
        The key in ``config/datasets.yaml``.
    title : str
        What people call it.
    folder : str
        Its folder on a mirror.
    files : dict of str to RawFile
        File name to what it must be; empty for sets that were never published.
    official : Official or None
        The makers' address.
    licence, citation, page : str
        Terms of use, whom to cite, and where people read about it.
    reader : str
        Dotted address of a function of `opchar.datasets.readers`.
    options : dict
        Keyword options of the reader.
    shape : tuple of int
        Objects and features after reading.
    classes : dict of str to int
        Class names in order with their number of objects.
    stand_in : dict
        ``generator`` and ``options`` of what replaces the set when it cannot be had.
    recommended_split : dict or None
        The makers' split: ``train`` first objects for training, the rest for testing.
    licensed : bool
        Whether people must ask the makers for it and point the project to a folder.
    generator : dict or None
        ``function`` and ``options`` of a synthetic set, which is made and never fetched; with
        ``draws`` and ``parts`` (name to objects of each class) a set of several draws, told apart
        by the group columns ``draw`` and ``part``.
    images : dict or None
        Of a set of images: ``kind`` (``faces`` or ``photographs``) and how its folder is laid out.
        Shape and classes then depend on the folder.
    notes : str
        What a user should know: missing values, codes, choices.
    """

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
    """Another look at a set: classes regrouped, features left out.

    Parameters
    ----------
    name, title : str
        Key in the registry and what people call it.
    base : str
        The set it looks at.
    groups : dict of str to list of str
        New class to the base's classes in it; objects of classes in no group are left out. Empty
        keeps the classes.
    leave_out : list of str
        Features that the view does not have.
    faces : dict or None
        Of a view of a set of faces: ``part`` (the video) or ``parts`` (several, told apart by the
        group column ``video``), ``count`` (face regions a person), ``persons`` (how many, all
        without it) and ``pixels`` (grey values, not patterns).
    shape : tuple of int
        Objects and features of the view.
    classes : dict of str to int
        Class names in order with their number of objects.
    notes : str
        Why and where it is used.
    """

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
    """Return the entry of `name`.

    Parameters
    ----------
    name : str
        Of a set or view.
    registry : mapping of str to mapping
        As in ``config/datasets.yaml``.

    Returns
    -------
    mapping
        As the registry has it.

    Raises
    ------
    ConfigError
        If the registry has no such set; the line names the nearest one.
    """
    if name not in registry:
        raise ConfigError(
            f"config/datasets.yaml has no data set '{name}'{nearest(name, list(registry))}"
        )
    return registry[name]


def is_view(entry: Mapping[str, Any]) -> bool:
    """Whether an entry is a view of another set.

    Parameters
    ----------
    entry : mapping
        As in ``config/datasets.yaml``.

    Returns
    -------
    bool
        False for a set with files or a generator.
    """
    return "view_of" in entry


def base_name(name: str, registry: Registry) -> str:
    """Return the set whose raw files `name` needs: its base for a view, else itself.

    Parameters
    ----------
    name : str
        Of a set or view.
    registry : mapping of str to mapping
        As in ``config/datasets.yaml``.

    Returns
    -------
    str
        The name of a set.
    """
    entry = entry_of(name, registry)
    return base_name(str(entry["view_of"]), registry) if is_view(entry) else name


def load(name: str, entry: Mapping[str, Any]) -> DataSet:
    """Make a `DataSet` of its entry.

    Parameters
    ----------
    name : str
        The key of the entry.
    entry : mapping
        As in ``config/datasets.yaml``; not a view.

    Returns
    -------
    DataSet
        With its files, classes and stand-in.

    Raises
    ------
    ConfigError
        If the entry lacks something.
    """
    try:
        official = entry.get("official")
        return DataSet(
            name=name,
            title=str(entry["title"]),
            folder=str(entry.get("folder", name)),
            files={
                str(file): RawFile(
                    int(what["size"]), str(what["sha256"]), what.get("values_sha256")
                )
                for file, what in (entry.get("files") or {}).items()
            },
            official=Official(str(official["url"]), bool(official.get("archive", True)))
            if official
            else None,
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


def load_view(name: str, entry: Mapping[str, Any]) -> View:
    """Make a `View` of its entry.

    Parameters
    ----------
    name : str
        The key of the entry.
    entry : mapping
        As in ``config/datasets.yaml``.

    Returns
    -------
    View
        With the set it is a view of, and its groups of classes.

    Raises
    ------
    ConfigError
        If the entry lacks something.
    """
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
