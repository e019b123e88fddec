"""Face regions of COX Face, or of what stands in for it (soleymani2020, Sec. 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from opchar.datasets.images.faces import SIZE, Trajectories, generated, join_trajectories, yale_b
from opchar.errors import ConfigError, DataError
from opchar.seeds import Spawn

IMAGES = {".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff"}


def part_folder(folder: Path, part: str, options: Mapping[str, Any]) -> Path:
    """Return where the persons of one video are in a user's folder."""
    names = options["parts"][part]
    for name in names:
        if (folder / name).is_dir():
            return folder / name
    raise DataError(
        f"{folder}: no folder {' or '.join(names)} for {part}; name another under cox: images: "
        "parts: in config/datasets.yaml"
    )


def persons(folder: Path, options: Mapping[str, Any]) -> list[str]:
    """Return the persons whose folder is in every video of a user's folder, sorted."""
    pattern = re.compile(str(options["person"]))
    known: set[str] | None = None
    for part in options["parts"]:
        home = part_folder(folder, part, options)
        here = {path.name for path in home.iterdir() if pattern.fullmatch(path.name)}
        known = here if known is None else known & here
    if not known or len(known) < 2:
        raise DataError(
            f"{folder}: fewer than two persons named like {options['person']} are in all videos"
        )
    return sorted(known)


def _number(path: Path) -> list[tuple[int, str]]:
    """Order frames by the numbers in their names."""
    return [
        (int(word), "") if word.isdecimal() else (-1, word)
        for word in re.split(r"(\d+)", str(path))
    ]


def read_roi(path: Path) -> np.ndarray:
    """Decode an image, make it grey and 64 x 64.

    Shapes: returned (64, 64).
    """
    try:
        import cv2
    except ImportError:
        raise ConfigError("reading faces needs OpenCV: pip install 'opchar[images]'") from None
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if image is None:
        raise DataError(f"{path}: not an image that can be decoded; copy it again")
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (SIZE, SIZE), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def read_video(
    folder: Path, part: str, options: Mapping[str, Any], *, count: int, most: int | None = None
) -> Trajectories:
    """Read the face regions of one video from a user's folder."""
    home = part_folder(folder, part, options)
    pairs = []
    for person in persons(folder, options)[:most]:
        paths = [p for p in (home / person).rglob("*") if p.suffix.lower() in IMAGES]
        if not paths:
            raise DataError(f"{home / person}: no images")
        frames = sorted(paths, key=_number)[:count]
        pairs.append((person, np.stack([read_roi(path) for path in frames])))
    return join_trajectories(pairs)


def trajectories(
    part: str,
    images: Mapping[str, Any],
    stand_in: Mapping[str, Any],
    provenance: Mapping[str, Any],
    folder: Path,
    spawn: Spawn,
    *,
    count: int,
    most: int | None = None,
) -> Trajectories:
    """Return one video of COX Face, or of what stands in for it."""
    left = part == next(iter(images["parts"]))
    if provenance.get("stand_in") is None:
        source = Path(str(provenance["address"])).expanduser()
        return read_video(source, part, images, count=count, most=most)
    if provenance.get("files"):
        (name,) = provenance["files"]
        return yale_b(folder / name, left=left, count=count).first(most, count)
    options = stand_in["options"]
    everyone = options["persons"] if most is None else min(most, options["persons"])
    frames = options["frames"]
    return generated(spawn, left=left, persons=everyone, frames=frames).first(most, count)
