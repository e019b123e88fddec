"""Zip archives opened with care: known members only, no traversal, no bombs."""

from __future__ import annotations

import shutil
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import IO

from opchar.datasets.registry import RawFile
from opchar.datasets.sources.checksums import fault

BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)


class ArchiveError(Exception):
    """An archive that cannot or must not be opened; the message is a phrase for people."""


def extract(archive: Path, files: Mapping[str, RawFile], folder: Path) -> None:
    """Take the wanted files out of a zip archive."""
    try:
        with zipfile.ZipFile(archive) as opened:
            for member in opened.namelist():
                if _is_unsafe(member):
                    raise ArchiveError(f"the archive has the unsafe member '{member}'")
            for name, expected in files.items():
                _take(opened, name, expected, folder)
    except BROKEN as bad:
        _clear(files, folder)
        raise ArchiveError(_not_a_zip(archive, bad)) from None
    except Exception:
        _clear(files, folder)
        raise


def _is_unsafe(member: str) -> bool:
    path = PurePosixPath(member.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1])


def _take(opened: zipfile.ZipFile, name: str, expected: RawFile, folder: Path) -> None:
    """Write the member called `name` into `folder`, never more than it may be."""
    members = [info for info in opened.infolist() if PurePosixPath(info.filename).name == name]
    reason = "is not in the archive"
    limit = expected.size if expected.values_sha256 is None else 4 * expected.size
    for member in members:
        target = folder / name
        with opened.open(member) as source, target.open("wb") as sink:
            _copy_at_most(source, sink, limit + 1)
        if target.stat().st_size > limit:
            reason = f"unpacks to more than {limit} bytes"
        elif (wrong := fault(target, expected)) is None:
            return
        else:
            reason = f"in the archive is wrong ({wrong})"
        target.unlink()
    raise ArchiveError(f"'{name}' {reason}")


def _copy_at_most(source: IO[bytes], sink: IO[bytes], limit: int) -> None:
    while limit > 0 and (block := source.read(min(limit, 65536))):
        sink.write(block)
        limit -= len(block)


def _not_a_zip(archive: Path, error: Exception) -> str:
    with archive.open("rb") as stream:
        beginning = stream.read(200).lstrip().lower()
    if beginning.startswith((b"<!doctype", b"<html")):
        return "a web page, not a zip archive"
    return f"a broken zip archive ({str(error) or type(error).__name__})"


def _clear(files: Mapping[str, RawFile], folder: Path) -> None:
    for name in files:
        (folder / name).unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Delete a folder and what is in it, if it is there."""
    shutil.rmtree(folder, ignore_errors=True)
