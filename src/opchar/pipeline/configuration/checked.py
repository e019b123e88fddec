"""The last configuration that was read and found right, so that the next run need not check it.

Reading, validating and cross-checking ``config/`` takes longer than anything else that a run plans
with. What is kept is good for as long as the bytes of the configuration and of the package, and
what the command line changes, are the same. A configuration that rests on files elsewhere (folders
of a user's data, words or functions of a user's own) is checked every time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.files import write_text
from opchar.pipeline.code.codehash import SOURCE

KEPT = Path(".opchar/checked.json")
# What in a text of the configuration names a function in a file of a user's own.
OF_A_USER = b".py:"


def fingerprint(folders: list[Path], changes: Mapping[str, Any]) -> str:
    """Return the hash of all that a configuration is read from and checked against.

    Parameters
    ----------
    folders : list of pathlib.Path
        Folders whose ``config/`` is read.
    changes : mapping
        What the command line changes.

    Returns
    -------
    str
        SHA-256; empty if the configuration names functions in files of a user's own.
    """
    places = [str(folder) for folder in folders]
    digest = sha256(json.dumps([places, dict(changes)], sort_keys=True, default=str).encode())
    for file in sorted({path for folder in folders for path in folder.glob("config/**/*.*")}):
        said = file.read_bytes()
        if OF_A_USER in said and file.suffix != ".json":
            return ""
        digest.update(_part(file, said))
    for file in sorted(SOURCE.rglob("*.py")):
        digest.update(_part(file.relative_to(SOURCE), file.read_bytes()))
    return digest.hexdigest()


def _part(name: Path, said: bytes) -> bytes:
    return f"\0{name}\0{len(said)}\0".encode() + said


def kept(known: str, unpacked: Any) -> dict[str, Any] | None:
    """Return the configuration that was kept under a fingerprint; None if it was another.

    Parameters
    ----------
    known : str
        As `fingerprint` gives it.
    unpacked : callable
        Makes a mapping of what JSON holds in its place.
    """
    with suppress(OSError, ValueError):
        text = KEPT.read_text(encoding="utf-8")
        first, _, rest = text.partition("\n")
        if known and first == known:
            return dict(json.loads(rest, object_hook=unpacked))
    return None


def keep(known: str, packed: Any) -> None:
    """Keep a configuration under its fingerprint, in place of the one before.

    In a folder in which nothing was ever run nothing is kept.

    Parameters
    ----------
    known : str
        As `fingerprint` gives it.
    packed : dict
        What JSON can hold.
    """
    if not KEPT.parent.is_dir():
        return
    with suppress(OSError):  # a folder that cannot be written is checked anew each time
        write_text(f"{known}\n{json.dumps(packed, default=str, ensure_ascii=False)}\n", KEPT)
