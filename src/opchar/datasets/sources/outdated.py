"""Whether what was fetched is still right, from what lies there and in a user's folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from opchar.datasets.registry import DataSet, load
from opchar.datasets.sources.addresses import is_url, real_sources
from opchar.datasets.sources.checksums import content_of, fault, sha256_of
from opchar.datasets.sources.fetching import PROVENANCE
from opchar.files import read_json


def why_outdated(
    name: str,
    entry: Mapping[str, Any],
    *,
    policy: str,
    mirrors: Iterable[str],
    user_folders: Mapping[str, str],
    folder: Path,
) -> str:
    """Return why a fetched set has to be fetched again; empty while its files are right.

    Real files are right wherever they came from, but for a user's own: these are right while their
    folder holds the same. A stand-in is right until a source is named that was not tried for it, or
    a local one that was has the right files now. Opens no socket.
    """
    from opchar.datasets.standins import substitute

    try:
        provenance = read_json(folder / PROVENANCE)
        files, stand_in = provenance["files"], provenance["stand_in"]
        tried = {_plain(item["address"]) for item in provenance["passed_over"]}
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    if missing := [file for file in files if not (folder / file).is_file()]:
        return f"missing: {folder / missing[0]}"
    data = load(name, entry)
    if data.generator is not None:
        return ""
    if stand_in is None:
        return _why_other(data, user_folders.get(name), provenance, folder, "own" in entry)
    if policy == "real":
        return "policy 'real' refuses its stand-in"
    found = real_sources(data, policy, mirrors, user_folders)
    other = substitute(data)
    if other is not None and not files:
        # A made-up set gives way to the real one that may stand in.
        found += real_sources(other, policy, mirrors, {})
    sources = [address for _, address in found]
    new = [a for a in sources if _plain(a) not in tried and (is_url(a) or _is_folder(a))]
    if new:
        return f"a source that was not tried: {new[0]}"
    wanted = [data, *([other] if other is not None and not files else [])]
    right = [a for a in sources if not is_url(a) and any(_has(Path(a), each) for each in wanted)]
    return f"a source that has the files now: {right[0]}" if right else ""


def _why_other(
    data: DataSet, folder_now: str | None, provenance: Mapping[str, Any], folder: Path, own: bool
) -> str:
    """Return why real files differ from those of a user's folder; empty while they are."""
    if folder_now is None:
        return ""
    there = Path(folder_now).expanduser()
    if not data.licensed:
        changed = [
            name
            for name, known in provenance["files"].items()
            if own and (there / name).is_file() and sha256_of(there / name) != known
        ]
        return f"{there / changed[0]} has changed; 'opchar add data' reads it" if changed else ""
    if _plain(folder_now) != _plain(str(provenance["address"])):
        return f"its folder is now {folder_now}"
    known = provenance.get("content")
    if known is None or not there.is_dir():
        return ""
    other = content_of(there, folder.parent / f".{folder.name}-seen.json") != known
    return f"the files in {folder_now} have changed" if other else ""


def _has(source: Path, data: DataSet) -> bool:
    """Whether a local folder has the right files of a set."""
    source = source.expanduser()
    return bool(data.files) and all(
        (source / name).is_file() and fault(source / name, expected) is None
        for name, expected in data.files.items()
    )


def _plain(address: str) -> str:
    """Return an address or folder in the one spelling that is compared."""
    return address.rstrip("/") if is_url(address) else str(Path(address).expanduser())


def _is_folder(address: str) -> bool:
    return Path(address).expanduser().is_dir()
