"""Fetching: the first source that gives the right bytes, placed whole or not at all."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from opchar.datasets.registry import DataSet, load
from opchar.datasets.sources.addresses import how_to_get, real_sources
from opchar.datasets.sources.archives import ArchiveError, extract, remove_folder
from opchar.datasets.sources.checksums import content_of, fault, sha256_of
from opchar.errors import ConfigError, DataError, nearest
from opchar.files import clear, read_json, write_json

POLICIES = ["auto", "real", "offline"]
PROVENANCE = "PROVENANCE.json"
ARCHIVE_LIMIT = 200_000_000


class UnavailableError(Exception):
    """A source without the set; the message is a phrase for people."""


def fetch(
    name: str,
    entry: Mapping[str, Any],
    *,
    policy: str,
    mirrors: Iterable[str],
    user_folders: Mapping[str, str],
    folder: Path,
    progress: bool = False,
    state: Path | None = None,
    timing: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Put the raw files of one set into `folder`, with their sources in a ``PROVENANCE.json``.

    Sources are tried in order: what `folder` already holds, the user's folder, the mirrors, the
    official address, the stand-in. A source with a missing, damaged or wrong file is not used.
    """
    if policy not in POLICIES:
        raise ConfigError(
            f"data policy '{policy}' is none of {POLICIES}{nearest(policy, POLICIES)}"
        )
    data = load(name, entry)
    folder = Path(folder)
    state = folder.parent if state is None else Path(state)
    if (kept := _kept_provenance(data, folder)) is not None:
        return kept
    staging = _temporary_folder(folder)
    search = _Search(policy, list(mirrors), staging, state, progress, dict(timing or {}))
    try:
        if data.generator is not None:
            function = str(data.generator["function"])
            provenance = _provenance(data, "generator", function, None, staging, [])
        elif found := search.first(data, user_folders):
            provenance = _provenance(data, *found, None, staging, search.passed_over, data.files)
            if data.licensed:
                seen = folder.parent / f".{folder.name}-seen.json"
                provenance["content"] = content_of(Path(found[1]).expanduser(), seen)
        else:
            _check_stand_in(data, search)
            if (kept := _kept_stand_in(data, folder)) is not None:
                return kept
            provenance = _stand_in(data, search)
        write_json(provenance, staging / PROVENANCE)
        _replace_folder(staging, folder)
    finally:
        remove_folder(staging)
    return provenance


def _temporary_folder(folder: Path) -> Path:
    """Make an empty folder beside `folder`, and clear away those of killed runs."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        clear(folder.parent, folder.name)
        return Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}~"))
    except OSError as error:
        raise DataError(
            f"{folder.parent}: cannot be written ({error.strerror}); make room or choose another"
        ) from None


@dataclass
class _Search:
    """One search through sources, with its permissions and the sources that it left."""

    policy: str
    mirrors: list[str]
    staging: Path
    state: Path
    progress: bool
    timing: dict[str, Any]
    passed_over: list[dict[str, str]] = field(default_factory=list)

    def first(self, data: DataSet, user_folders: Mapping[str, str]) -> tuple[str, str] | None:
        """Fill `staging` from the first source that works; return its kind and address."""
        for kind, address in real_sources(data, self.policy, self.mirrors, user_folders):
            try:
                self._obtain(data, kind, address)
                return kind, address
            except UnavailableError as reason:
                self.passed_over.append({"source": kind, "address": address, "reason": str(reason)})
                remove_folder(self.staging)
                self.staging.mkdir()
        return None

    def _obtain(self, data: DataSet, kind: str, address: str) -> None:
        if data.licensed:
            _check_licensed(data, Path(address).expanduser())
        elif kind in {"user folder", "mirror"}:
            _copy(data, Path(address).expanduser(), self.staging)
        else:
            official = kind == "official address"
            _download(data, address, self.staging, self.state, self.progress, self.timing, official)


def _check_licensed(data: DataSet, folder: Path) -> None:
    """Raise `UnavailableError` unless a user's folder is laid out as it should be."""
    if not folder.is_dir():
        raise UnavailableError("no such folder")
    try:
        if (data.images or {}).get("kind") == "faces":
            from opchar.datasets.images.cox import persons

            persons(folder, data.images or {})
        else:
            from opchar.datasets.images.inception import model_file, photographs

            model_file(folder)
            photographs(folder, (data.images or {})["groups"], 1)
    except DataError as error:
        raise UnavailableError(str(error)) from None


def _copy(data: DataSet, source: Path, staging: Path) -> None:
    """Copy the files of a local directory, each one checked after the copy."""
    if not source.is_dir():
        raise UnavailableError("no such folder")
    for name, expected in data.files.items():
        if not (source / name).is_file():
            raise UnavailableError(f"no file '{name}'")
        try:
            shutil.copyfile(source / name, staging / name)
        except OSError as error:
            raise UnavailableError(f"'{name}' cannot be read ({error.strerror})") from None
        if (wrong := fault(staging / name, expected)) is not None:
            raise UnavailableError(f"'{name}': {wrong}")


def _download(
    data: DataSet,
    address: str,
    staging: Path,
    state: Path,
    progress: bool,
    timing: dict[str, Any],
    official: bool,
) -> None:
    """Download the files one by one, or the official archive with the files in it."""
    from opchar.datasets.sources.downloads import Downloader, DownloadError, download

    archive = official and data.official is not None and data.official.archive
    try:
        if archive:
            target = staging / ".archive.zip"
            downloader = Downloader(limit=ARCHIVE_LIMIT, progress=progress, **timing)
            download(address, target, downloader=downloader, state=state, shared=True)
            extract(target, data.files, staging)
            target.unlink()
            return
        for name, expected in data.files.items():
            url = address if official else f"{address}/{name}"
            limit = expected.size if expected.values_sha256 is None else 4 * expected.size
            downloader = Downloader(limit=limit, progress=progress, **timing)
            download(url, staging / name, downloader=downloader, state=state, shared=official)
            if (wrong := fault(staging / name, expected)) is not None:
                raise UnavailableError(f"'{name}': {wrong}")
    except (DownloadError, ArchiveError) as error:
        raise UnavailableError(str(error)) from None


def _kept_provenance(
    data: DataSet, folder: Path, stand_in: str | None = None
) -> dict[str, Any] | None:
    """Return the provenance of real files that are already in `folder`, or None."""
    if not data.files or not all((folder / name).is_file() for name in data.files):
        return None
    if any(fault(folder / name, expected) for name, expected in data.files.items()):
        return None
    try:
        known = read_json(folder / PROVENANCE)
    except (OSError, ValueError):
        known = {}
    provenance = _provenance(data, "kept", str(folder), stand_in, folder, [], data.files)
    same = ("set", "licence", "citation", "files", "stand_in")
    if isinstance(known, dict) and all(known.get(key, "") == provenance[key] for key in same):
        return known
    write_json(provenance, folder / PROVENANCE)
    return provenance


def _provenance(
    data: DataSet,
    kind: str,
    address: str,
    stand_in: str | None,
    staging: Path,
    passed_over: list[dict[str, str]],
    files: Iterable[str] = (),
) -> dict[str, Any]:
    """Return what ``PROVENANCE.json`` says, with the checksums of `files` in `staging`."""
    return {
        "set": data.name,
        "title": data.title,
        "source": kind,
        "address": address,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": {name: sha256_of(staging / name) for name in files},
        "licence": data.licence,
        "citation": data.citation,
        "stand_in": stand_in,
        "passed_over": passed_over,
    }


def _check_stand_in(data: DataSet, search: _Search) -> None:
    """Say that a stand-in takes the place of a set, or raise `DataError` where it is refused."""
    reasons = "; ".join(
        f"{item['source']} {item['address']}: {item['reason']}" for item in search.passed_over
    )
    cannot = f"data set '{data.name}' is not available ({reasons or 'no source'})"
    if search.policy == "real":
        raise DataError(f"{cannot} and policy 'real' refuses stand-ins: {how_to_get(data)}")
    if not data.stand_in:
        raise DataError(f"{cannot} and has no stand-in: {how_to_get(data)}")
    if data.files or data.licensed:
        print(
            f"opchar: a stand-in takes the place of {data.name} ({reasons or 'no source'}); "
            f"for the real set {how_to_get(data)}",
            file=sys.stderr,
        )


def _kept_stand_in(data: DataSet, folder: Path) -> dict[str, Any] | None:
    """Return the provenance of a real set that stands in and is already in `folder`, or None."""
    from opchar.datasets.standins import describe, substitute  # these load NumPy

    if (other := substitute(data)) is None:
        return None
    return _kept_provenance(other, folder, describe(data, other.files))


def _stand_in(data: DataSet, search: _Search) -> dict[str, Any]:
    """Return the provenance of the stand-in."""
    from opchar.datasets.standins import describe, substitute

    other = substitute(data)
    if other is not None and (found := search.first(other, {})):
        description = describe(data, other.files)
        return _provenance(
            other, *found, description, search.staging, search.passed_over, other.files
        )
    made = replace(data, licence="none, made up", citation="none, made up")
    return _provenance(made, "stand-in", "", describe(data), search.staging, search.passed_over)


def _replace_folder(staging: Path, folder: Path) -> None:
    """Put `staging` where `folder` is, by renaming."""
    if folder.exists() and not folder.is_dir():
        remove_folder(staging)
        raise DataError(f"{folder}: a file is where a folder must be; move it and run again")
    staging.chmod(0o755)
    if folder.exists():
        old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}~"))
        folder.rename(old / folder.name)
        staging.rename(folder)
        remove_folder(old)
    else:
        staging.rename(folder)
