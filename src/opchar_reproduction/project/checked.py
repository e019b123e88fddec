"""The files behind the hash of a job's code: kept when it is planned, checked when it has run."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import PathFinder
from pathlib import Path

from opchar.errors import DataError
from opchar.files import write_text
from opchar_reproduction.project.closure import SOURCE, is_file, is_ours, sources
from opchar_reproduction.project.reading import PACKAGES, read_module

KEPT = Path(".opchar/closures")
# What starts and records a job, and is in no closure of what it measures.
MACHINERY = ("opchar_reproduction.project.", "opchar_reproduction.jobs.")
KEPT_SECONDS = 30 * 24 * 3600


def keep(code: str, closure: dict[str, list[str]]) -> None:
    """Keep the digests behind a hash: jobs compare what they import, people read what changed."""
    place = KEPT / f"{code}.json"
    with suppress(OSError):
        if not place.exists():
            for old in KEPT.glob("*.json"):
                if place.parent.stat().st_mtime - old.stat().st_mtime > KEPT_SECONDS:
                    old.unlink(missing_ok=True)
            write_text(json.dumps(closure, sort_keys=True), place)


def read_kept(code: str) -> dict[str, list[str]]:
    """Return the digests behind a hash; empty where they are gone."""
    with suppress(OSError, ValueError, AttributeError):
        return dict(json.loads((KEPT / f"{code}.json").read_text(encoding="utf-8")).items())
    return {}


def compiled_folder() -> Path:
    """Return where code that numba compiles is kept: a folder for each state of its sources.

    Numba itself looks at the file of a function only, and at that by its size and time.
    """
    return Path(".opchar/numba", sources().code_hash(*compiled_modules()))


def compiled_modules() -> list[str]:
    """Return the modules with functions that numba compiles."""
    return sorted(
        ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        for package in PACKAGES
        for path in (SOURCE / package).rglob("compiled_*.py")
    )


def changed_files(before: str, now: str) -> list[str]:
    """Return the modules and data files by which two hashes differ, as far as they are kept."""
    then, after = read_kept(before), read_kept(now)
    if not then or not after:
        return []
    names = then.keys() | after.keys()
    return sorted(n for n in names if (then.get(n) or [""])[0] != (after.get(n) or [""])[0])


def refuse_other_code(
    planned: Iterable[str], loaded: Mapping[str, tuple[str, bytes]], known: set[str]
) -> None:
    """Refuse to record a result of other code than the planned one."""
    closures = [read_kept(code) for code in planned]
    closure = {name: said for each in closures for name, said in each.items()}
    if not all(closures):
        raise DataError(f"{KEPT}: what this run was planned with is gone: run again")
    files = {str(Path(name).resolve()): name for name in closure if is_file(name)}
    for name, (path, text) in loaded.items():
        shown = name.replace(".", "/") if is_ours(name) else files.get(path, path)
        said = closure.get(shown)
        if said is None:
            if name in known or name.startswith(MACHINERY) or _is_of_library(name, path):
                continue
            why = "is imported, but nothing that the job imports names it: import it by name"
        elif sha256(text).hexdigest() == said[1] or read_module(text, Path(path)).digest == said[0]:
            continue
        else:
            why = "has changed since this run was planned; nothing was recorded: run again"
        raise DataError(f"{path}: {why}")


def _is_of_library(name: str, path: str) -> bool:
    """Return whether a module is installed, in whatever folder: the record counts its library."""
    top = None if is_ours(name) else PathFinder.find_spec(name.split(".")[0])
    places = [] if top is None else [*(top.submodule_search_locations or []), top.origin]
    return any(place is not None and Path(path).is_relative_to(place) for place in places)
