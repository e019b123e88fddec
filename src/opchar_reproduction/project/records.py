"""Records of the files that each job wrote, by content, so that later changes are noticed.

Beside the results lies ``made/`` with one small file a job: what it depended on and the SHA-256 of
every file it wrote. It goes with the results when they are copied or restored.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from opchar.errors import DataError
from opchar.files import json_text, write_json
from opchar_reproduction.project.libraries import version_of

MADE = "made"
# What Snakemake writes into a folder that a job makes.
SNAKEMAKES = ".snakemake_timestamp"
Look = Callable[[str], str | None]


@dataclass(frozen=True)
class Record:
    """What one job wrote."""

    place: str
    job: str
    read: dict[str, str]
    files: dict[str, str]
    libraries: dict[str, str]


def place_of(file: str | Path) -> Path:
    """Return the record of the job that writes a file."""
    path = Path(file)
    depth = 2 if path.parts[0] == "results" else 1
    parts = path.relative_to(Path(*path.parts[:depth]))
    return Path(*path.parts[:depth], MADE, parts.parent, f"{parts.stem}.json")


def digest(path: str | Path) -> str:
    """Return the SHA-256 of a file."""
    return sha256(Path(path).read_bytes()).hexdigest()


def digest_if_there(path: str | Path) -> str | None:
    """Return the SHA-256 of a file, or None without a file."""
    return digest(path) if Path(path).is_file() else None


def write(
    first: Path,
    job: str,
    read: dict[str, str],
    files: Iterable[Path],
    libraries: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Record what a job wrote."""
    written = {path.as_posix(): digest(path) for path in sorted(files)}
    said = {"job": job, "read": read, "files": written}
    write_json(said | ({"libraries": dict(libraries)} if libraries else {}), place_of(first))


def read_record(path: Path) -> Record | None:
    """Read a record; None if it is missing or has not the bytes that were written."""
    try:
        text = path.read_bytes()
        content = json.loads(text)
        if json_text(content).encode() != text:
            return None
        job, read, files = content["job"], content["read"], content["files"]
        libraries = dict(content.get("libraries", {}))
        return Record(path.as_posix(), str(job), dict(read), dict(files), libraries)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def faults(record: Record, look: Look = digest_if_there) -> Iterator[tuple[str, str]]:
    """Yield ``(file, fault)`` for each file that is ``missing`` or was ``changed``.

    The time stamps that Snakemake lays beside files are empty.
    """
    for folder in dict.fromkeys(Path(file).parent for file in record.files):
        if (stamp := folder / SNAKEMAKES).is_file() and stamp.stat().st_size:
            yield stamp.as_posix(), "changed"
    for file, known in record.files.items():
        if (now := look(file)) != known:
            yield file, "missing" if now is None else "changed"


def other_libraries(record: Record) -> list[str]:
    """Return what has another version now than when a job imported it, in words."""
    now = {name: version_of(name) for name in record.libraries}
    return [f"{n} {known} -> {now[n]}" for n, known in record.libraries.items() if now[n] != known]


def with_sidecars(files: Iterable[Path]) -> Iterator[Path]:
    """Yield files, and after each table of features or scores its sidecar."""
    for file in files:
        yield file
        if file.parts[:2] in (("data", "features"), ("data", "scores")):
            yield sidecar(file)


def sidecar(table: Path) -> Path:
    """Return the file beside a table of features or scores that says what it holds."""
    return table.with_name(table.name.removesuffix(".parquet") + ".json")


def _record_of(file: str) -> Record | None:
    """Read the record of a file: of its own name, or of another output of its job beside it."""
    path = place_of(file)
    for place in (path, path.parent.with_name(f"{path.parent.name}.json")):
        record = read_record(place)
        if record is not None and (place == path or file in record.files):
            return record
    beside = (read_record(other) for other in sorted(path.parent.glob("*.json")))
    return next((each for each in beside if each is not None and file in each.files), None)


def check_inputs(files: Iterable[Path]) -> dict[str, str]:
    """Make sure that a job reads what other jobs wrote."""
    found = {file.as_posix(): digest(file) for file in with_sidecars(files) if file.is_file()}
    for file, now in found.items():
        if file.startswith(("results/", "data/")):
            record = _record_of(file)
            if record is not None and record.files.get(file, now) != now:
                raise DataError(
                    f"{file}: was changed since it was made; delete it and run again, or let "
                    "'opchar run' make it again"
                )
    return found
