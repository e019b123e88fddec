"""Which data sets are there or missing, how to get them, and whether their bytes are intact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opchar.datasets.registry import DataSet, Registry, base_name, is_view, load
from opchar.datasets.sources.addresses import how_to_get, is_url
from opchar.datasets.sources.checksums import fault, why_wrong
from opchar.datasets.sources.fetching import PROVENANCE
from opchar.datasets.sources.network import NetworkDownError, check_reachable, forget_unreachable
from opchar.errors import MissingDataError
from opchar.files import read_json


@dataclass(frozen=True)
class State:
    """Whether a data set is there, and how to get it."""

    name: str
    title: str
    state: str
    source: str
    action: str


@dataclass(frozen=True)
class Checked:
    """One file re-checked: `fault` is None when its bytes are right."""

    name: str
    file: str
    fault: str | None


def states(
    registry: Registry,
    *,
    raw_root: Path | str,
    policy: str,
    mirrors: Iterable[str],
    user_folders: Mapping[str, str],
) -> list[State]:
    """Return of each set whether it is there, and if not, how to get it; opens no socket."""
    mirrors = list(mirrors)
    return [
        _state(load(name, entry), Path(raw_root), policy, mirrors, user_folders)
        for name, entry in registry.items()
        if not is_view(entry)
    ]


def _state(
    data: DataSet, raw_root: Path, policy: str, mirrors: list[str], user_folders: Mapping[str, str]
) -> State:
    folder = raw_root / data.name
    if data.generator is not None:
        return State(data.name, data.title, "have", str(data.generator["function"]), "")
    provenance = _read_provenance(folder)
    real = provenance.get("stand_in", "") is None
    if real and all(_has_size(folder / name, file.size) for name, file in data.files.items()):
        whence = f"{provenance.get('source')} {provenance.get('address')}"
        return State(data.name, data.title, "have", whence, "")
    fetch_it = f"opchar data fetch {data.name}"
    for source in _local_sources(data, mirrors, user_folders):
        if all(_has_size(source / name, file.size) for name, file in data.files.items()):
            return State(data.name, data.title, "can fetch", str(source), fetch_it)
    addresses = _addresses(data, mirrors)
    if addresses and policy != "offline":
        return State(data.name, data.title, "can fetch", addresses[0], fetch_it)
    kind = "licensed: put it here" if data.licensed else "stand-in"
    return State(data.name, data.title, kind, "", how_to_get(data))


def absent_mirrors(mirrors: Iterable[str]) -> list[str]:
    """Say which mirrors are not used, since they are neither addresses nor folders."""
    absent = [name for name in mirrors if not is_url(name) and not Path(name).is_dir()]
    return [f"the mirror '{name}' is no folder, and not used" for name in absent]


def _local_sources(
    data: DataSet, mirrors: list[str], user_folders: Mapping[str, str]
) -> list[Path]:
    user_folder = [Path(user_folders[data.name]).expanduser()] if data.name in user_folders else []
    user_folder = [folder for folder in user_folder if folder.is_dir()]
    if data.licensed or not data.files:
        return user_folder
    return user_folder + [Path(mirror) / data.folder for mirror in mirrors if not is_url(mirror)]


def _addresses(data: DataSet, mirrors: list[str]) -> list[str]:
    if data.licensed or not data.files:
        return []
    mirrored = [f"{mirror.rstrip('/')}/{data.folder}" for mirror in mirrors if is_url(mirror)]
    return mirrored + ([data.official.url] if data.official else [])


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def _read_provenance(folder: Path) -> dict[str, Any]:
    try:
        provenance = read_json(folder / PROVENANCE)
    except (OSError, ValueError):
        return {}
    return provenance if isinstance(provenance, dict) else {}


def require_real(
    names: Iterable[str],
    registry: Registry,
    *,
    raw_root: Path | str,
    mirrors: Iterable[str],
    user_folders: Mapping[str, str],
    timeout: float = 5.0,
) -> None:
    """Raise before a run with policy ``real`` when a data set is not available."""
    mirrors, raw = list(mirrors), Path(raw_root)
    forget_unreachable(raw)
    missing = []
    for name in sorted({base_name(name, registry) for name in names}):
        data = load(name, registry[name])
        state = _state(data, raw, "offline", mirrors, user_folders)
        if state.state in {"have", "can fetch"}:
            continue
        official = data.official.url if data.official else None
        answers = [
            _answers(address, timeout, raw, shared=address == official)
            for address in _addresses(data, mirrors)
        ]
        if not any(answers):
            missing.append(f"{name}: {how_to_get(data)}")
    if missing:
        raise MissingDataError(
            f"policy 'real' and {len(missing)} data set(s) missing. " + ". ".join(missing)
        )


def _answers(address: str, timeout: float, state: Path, *, shared: bool) -> bool:
    try:
        check_reachable(address, timeout=timeout, state=state, shared=shared)
    except NetworkDownError:
        return False
    return True


def verify(registry: Registry, *, raw_root: Path | str) -> list[Checked]:
    """Re-check the bytes of all real files in ``data/raw``."""
    checked = []
    for name, entry in registry.items():
        folder = Path(raw_root) / name
        provenance = _read_provenance(folder)
        if is_view(entry) or provenance.get("stand_in", "") is not None:
            continue
        for file, expected in load(name, entry).files.items():
            wrong = why_wrong(folder / file, provenance.get("files", {}).get(file))
            wrong = wrong or fault(folder / file, expected)
            cure_it = f"{wrong}: delete {folder} and run again" if wrong else None
            checked.append(Checked(name, file, cure_it))
    return checked
