"""Files that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


MAKING = ".making-"


def sweep(*folders: Path | str) -> None:
    """Remove the temporary files and folders that killed jobs left in `folders` and below."""
    for folder in folders:
        for path in list(Path(folder).rglob(f"{MAKING}*")):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def clear(raw: Path, name: str = "*") -> None:
    """Remove the folders that killed jobs had not put in the place of a data set."""
    for stale in raw.glob(f".{name}~*"):
        shutil.rmtree(stale, ignore_errors=True)


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Give a temporary file beside `path` that takes its place when the block ends well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{MAKING}{secrets.token_hex(8)}{path.suffix}")
    temporary.touch(exist_ok=False)  # with the permissions that the user's umask leaves
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(folder: Path | str) -> Iterator[Path]:
    """Give a new folder beside `folder` that takes its place when the block ends well."""
    folder = Path(folder).resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    mark = secrets.token_hex(8)
    new, old = (folder.with_name(f"{MAKING}{mark}-{word}") for word in ("new", "old"))
    new.mkdir()
    try:
        yield new
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        for left in (new, old):
            shutil.rmtree(left, ignore_errors=True)


def write_text(text: str, path: Path | str) -> None:
    """Write `text` as UTF-8 with Unix line ends, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(value: Any, path: Path | str) -> None:
    """Write `value` as indented JSON with sorted keys, whole or not at all."""
    write_text(json_text(value), path)


def json_text(value: Any) -> str:
    """Return the one text that `write_json` writes for a value."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read_json(path: Path | str) -> Any:
    """Read a JSON file."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_csv(frame: pd.DataFrame, path: Path | str) -> None:
    """Write a table as CSV whose numbers read back to the same bits, whole or not at all."""
    with replacing(path) as temporary:
        frame.to_csv(temporary, index=False, lineterminator="\n")


def write_parquet(frame: pd.DataFrame, path: Path | str) -> None:
    """Write a table as Parquet, whole or not at all."""
    with replacing(path) as temporary:
        frame.to_parquet(temporary, index=False, compression="zstd")
