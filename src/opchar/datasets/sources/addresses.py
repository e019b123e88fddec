"""The places of data sets: sources of real data, and a hint for who lacks them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from opchar.datasets.registry import DataSet


def how_to_get(data: DataSet) -> str:
    """Return a hint on how to get a data set."""
    if not data.files and not data.licensed:
        return "the set was never published: use policy 'auto' for its stand-in"
    wanted = ", ".join(data.files) or "the files"
    if len(data.files) > 3:
        wanted = f"{next(iter(data.files))} and {len(data.files) - 1} more files"
    if data.licensed:
        return (
            f"ask for the set ({data.page}) and name its folder under folders: {data.name}: "
            "in config/config.yaml"
        )
    whence = data.official.url if data.official else data.page
    return (
        f"get {wanted} from {whence} and name the folder under folders: {data.name}: in "
        f"config/config.yaml, or set OPCHAR_MIRROR to a mirror that has {data.folder}/"
    )


def real_sources(
    data: DataSet, policy: str, mirrors: Iterable[str], user_folders: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return the sources of the real data of a set, in the order in which they are tried."""
    sources = []
    if folder := user_folders.get(data.name):
        sources.append(("user folder", str(folder)))
    if data.licensed or not data.files:
        return sources
    for mirror in mirrors:
        if not is_url(str(mirror)):
            sources.append(("mirror", str(Path(mirror) / data.folder)))
        elif policy != "offline":
            sources.append(("mirror address", f"{str(mirror).rstrip('/')}/{data.folder}"))
    if data.official is not None and policy != "offline":
        sources.append(("official address", data.official.url))
    return sources


def is_url(address: str) -> bool:
    """Whether `address` is an ``http(s)`` address and not a directory."""
    return address.startswith(("http://", "https://"))
