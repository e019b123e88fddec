"""Files that are whole or not there: written beside their place, then renamed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


MAKING = ".making-"


def sweep(*folders: Path | str) -> None:
    """Remove the temporary files that killed jobs left in `folders` and below.

    Parameters
    ----------
    *folders : path-like
    """
    for folder in folders:
        for path in Path(folder).rglob(f"{MAKING}*"):
            path.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Give a temporary file beside `path` that takes its place when the block ends well.

    Parameters
    ----------
    path : path-like
        The final place; its folder is made when missing.

    Yields
    ------
    pathlib.Path
        Where to write. An exception leaves `path` as it was and removes the temporary file.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=MAKING, suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(text: str, path: Path | str) -> None:
    """Write `text` as UTF-8 with Unix line ends, whole or not at all.

    Parameters
    ----------
    text : str
    path : path-like
    """
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def write_json(value: Any, path: Path | str) -> None:
    """Write `value` as indented JSON with sorted keys, whole or not at all.

    Parameters
    ----------
    value : object
        What JSON can hold.
    path : path-like
    """
    write_text(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n", path)


def read_json(path: Path | str) -> Any:
    """Read a JSON file.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    object
    """
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_csv(frame: pd.DataFrame, path: Path | str) -> None:
    """Write a table as CSV whose numbers read back to the same bits, whole or not at all.

    Parameters
    ----------
    frame : pandas.DataFrame
    path : path-like
    """
    with replacing(path) as temporary:
        frame.to_csv(temporary, index=False, lineterminator="\n")


def write_parquet(frame: pd.DataFrame, path: Path | str) -> None:
    """Write a table as Parquet, whole or not at all.

    Parameters
    ----------
    frame : pandas.DataFrame
    path : path-like
    """
    with replacing(path) as temporary:
        frame.to_parquet(temporary, index=False, compression="zstd")
