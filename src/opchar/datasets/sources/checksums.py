"""Whether a file is the one that the registry means."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from opchar.datasets.registry import RawFile
from opchar.files import read_json, write_json


def sha256_of(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes as hexadecimal digits."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def why_wrong(path: Path, known: str | None) -> str | None:
    """Say why a file is not the one that was fetched, whose SHA-256 is known; None if it is."""
    if not path.is_file():
        return "not there"
    return None if sha256_of(path) == known else "changed since it was fetched"


def content_of(folder: Path, seen: Path) -> str:
    """Return the SHA-256 of the names and bytes of all files in a folder, hidden ones apart."""
    known: dict[str, list[Any]] = {}
    with suppress(OSError, ValueError, TypeError):
        known = dict(read_json(seen))
    now: dict[str, list[Any]] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in Path(name).parts):
            said = path.stat()
            mark = [said.st_size, said.st_mtime_ns, said.st_ctime_ns, said.st_ino]
            before = known.get(name, [None])
            now[name] = before if before[:-1] == mark else [*mark, sha256_of(path)]
    if now != known:
        with suppress(OSError):
            write_json(now, seen)
    text = json.dumps([[name, said[-1]] for name, said in now.items()])
    return hashlib.sha256(text.encode()).hexdigest()


def values_digest(path: Path | str) -> str:
    """Return the SHA-256 of the numbers in a text table, whatever its spacing."""
    import numpy as np

    text = Path(path).read_text(encoding="utf-8").replace(",", " ")
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError(f"{path} is not a table of numbers")
    values = np.array(rows, dtype=object).astype("<f8")
    return hashlib.sha256(repr(values.shape).encode() + values.tobytes()).hexdigest()


def fault(path: Path, expected: RawFile) -> str | None:
    """Say what is wrong with a file, or return None when it is the right one."""
    size = path.stat().st_size
    if size == expected.size and sha256_of(path) == expected.sha256:
        return None
    if expected.values_sha256 is not None and size < 4 * expected.size:
        try:
            if values_digest(path) == expected.values_sha256:
                return None
        except ValueError:
            pass
    with path.open("rb") as stream:
        beginning = stream.read(200).lstrip().lower()
    if beginning.startswith((b"<!doctype", b"<html")):
        return "a web page, not data"
    if size < expected.size:
        return f"{size} bytes of {expected.size}"
    return "wrong checksum"
