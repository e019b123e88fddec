"""Inception-v3 features of a user's ImageNet photographs (mullick2020, Sec. 5)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import numpy as np

from opchar.datasets.sources.checksums import sha256_of
from opchar.errors import ConfigError, DataError, first_line
from opchar.files import replacing

SIDE = 299
LIBRARIES = {"numpy", "onnxruntime", "opencv-python-headless", "opencv-python"}
PHOTOGRAPHS = {".jpeg", ".jpg", ".png"}
SYNSET = re.compile(r"n\d{8}")
Network = Callable[[np.ndarray], np.ndarray]


def read_photograph(path: Path) -> np.ndarray:
    """Decode a photograph as the network wants it.

    Shapes: returned (299, 299, 3).

    Returned: red, green, blue, each ``x / 127.5 - 1``; the whole photograph is resized.
    """
    try:
        import cv2
    except ImportError:
        raise ConfigError(
            "reading photographs needs OpenCV: pip install 'opchar[images]'"
        ) from None
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if image is None:
        raise DataError(f"{path}: not a photograph that can be decoded; copy it again")
    small = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    red_green_blue = cv2.cvtColor(small, cv2.COLOR_BGR2RGB)
    return np.asarray(red_green_blue, dtype=np.float32) / np.float32(127.5) - np.float32(1)


def network(path: Path) -> Network:
    """Load an Inception-v3 network in the ONNX format, for one thread of the processor."""
    try:
        import onnxruntime
    except ImportError:
        raise ConfigError("deep features need onnxruntime: pip install 'opchar[images]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise DataError(
            f"{path}: not an ONNX network that can be run ({first_line(error)})"
        ) from None
    (entrance, *others) = session.get_inputs()
    if others or len(entrance.shape) != 4 or 3 not in (entrance.shape[1], entrance.shape[3]):
        raise DataError(f"{path}: wants {entrance.shape}, not one batch of 299 x 299 photographs")
    channels_first = entrance.shape[1] == 3

    def features(photographs: np.ndarray) -> np.ndarray:
        batch = photographs.transpose(0, 3, 1, 2) if channels_first else photographs
        out = session.run(None, {entrance.name: np.ascontiguousarray(batch)})[0]
        if min(out.shape[2:], default=1) == 1:
            out = out.reshape(len(out), -1)
        else:
            out = out.mean(axis=(2, 3) if channels_first else (1, 2))
        return np.asarray(out, dtype=np.float32)

    return features


def photographs(
    folder: Path, groups: Mapping[str, Sequence[str]], most: int
) -> dict[str, list[Path]]:
    """Return the photographs of each group of synsets."""
    folders = _synsets(folder)
    found = {}
    for group, synsets in groups.items():
        paths: list[Path] = []
        for synset in synsets:
            if synset in folders:
                files = folders[synset].iterdir()
                paths += sorted(p for p in files if p.suffix.lower() in PHOTOGRAPHS)[:most]
        if not paths:
            raise DataError(f"{folder}: no photographs of '{group}' in {' or '.join(synsets)}")
        found[group] = paths
    return found


def _synsets(folder: Path) -> dict[str, Path]:
    """Return the synset folders below `folder`; what is inside them is not looked at."""
    folders: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            inside = {path.name: path} if SYNSET.fullmatch(path.name) else _synsets(path)
            folders = inside | folders
    return folders


def extract(
    paths: Sequence[Path],
    model: Path,
    shards: Path,
    *,
    batch: int = 16,
    shard: int = 512,
    progress: bool = False,
) -> np.ndarray:
    """Compute the features of photographs, shard after shard; a killed run goes on where it was.

    Shapes: returned (n, features). A shard is reused when the bytes of its photographs and of the
    network, the code, and the versions of the libraries are the same.
    """
    made_by = [sha256_of(model), batch, *_code_and_libraries()]
    parts = []
    run: Network | None = None
    starts: Iterable[int] = range(0, len(paths), shard)
    if progress:
        from tqdm import tqdm

        starts = tqdm(starts, unit="shard", desc="Inception-v3")
    for start in starts:
        mine = paths[start : start + shard]
        key = json.dumps([made_by, [sha256_of(path) for path in mine]])
        kept = shards / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npy"
        if not kept.exists():
            run = network(model) if run is None else run
            batches = (mine[i : i + batch] for i in range(0, len(mine), batch))
            made = np.concatenate([run(np.stack(list(map(read_photograph, b)))) for b in batches])
            with replacing(kept) as temporary, temporary.open("wb") as sink:
                np.save(sink, made, allow_pickle=False)
        parts.append(np.load(kept, allow_pickle=False))
    return np.concatenate(parts)


def _code_and_libraries() -> list[str]:
    """Return the digests of the modules beside this one, and the versions of what they call."""
    modules = sorted(Path(__file__).parent.glob("*.py"))
    installed = sorted(
        f"{each.name} {each.version}" for each in distributions() if each.name in LIBRARIES
    )
    return [*map(sha256_of, modules), *installed]


def model_file(folder: Path) -> Path:
    """Return the one ONNX file in a user's folder."""
    files = sorted(folder.glob("*.onnx"))
    if len(files) != 1:
        raise DataError(
            f"{folder}: {len(files)} .onnx files; put (or link) one Inception-v3 network there"
        )
    return files[0]


def group_features(
    folder: Path, images: Mapping[str, Any], shards: Path, *, progress: bool = False
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Compute the features of all groups of photographs in a user's folder.

    Shapes: `X` (n, features); `y` (n,).
    """
    found = photographs(folder, images["groups"], int(images["most"]))
    paths = [path for group in found.values() for path in group]
    X = extract(paths, model_file(folder), shards, progress=progress)
    sizes = [len(group) for group in found.values()]
    return X, np.repeat(np.arange(len(found)), sizes), list(found)
