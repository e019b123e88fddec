"""What was read before, kept with a seal that tells it from what was changed since."""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.files import read_json, write_text


def read_sealed(place: Path, reader: str) -> Any:
    """Return what was kept, None where that is nothing, or not what this `reader` has written."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = read_json(place)
        if known["good"] == _seal(known["said"], reader):
            return known["said"]
    return None


def write_sealed(said: Any, place: Path, reader: str) -> None:
    """Keep what a reader has read, where that is possible."""
    with suppress(OSError):
        write_text(json.dumps({"good": _seal(said, reader), "said": said}), place)


def _seal(said: Any, reader: str) -> str:
    return sha256((reader + json.dumps(said, sort_keys=True)).encode()).hexdigest()
