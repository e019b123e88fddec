"""Patterns of face regions and reading of tables against the libraries that do the same.

Local binary patterns of 10,000 generated 64 x 64 regions against scikit-image, image by image with
a histogram each; ``letter-recognition`` (of ``OPCHAR_MIRROR``, else made up in its layout), checked
against the registry, against ``pandas.read_csv``; its feature table against pandas' own Parquet.
Rounds are interleaved; the ratio is the median over them.

    OMP_NUM_THREADS=1 python benchmarks/datasets.py
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import pandas as pd
import yaml
from skimage.feature import local_binary_pattern

from opchar.datasets.features import FeatureTable, read_features, write_features
from opchar.datasets.images.faces import generated
from opchar.datasets.images.lbp import PATTERNS, lbp_histograms
from opchar.datasets.raw_tables import RawTable
from opchar.datasets.readers import read_set
from opchar.datasets.registry import DataSet, load
from opchar.seeds import spawner

REGISTRY = Path(__file__).parents[1] / "config" / "datasets.yaml"
PERSONS, FRAMES, REPEATS = 400, 25, 3


def scikit_image(rois: np.ndarray) -> np.ndarray:
    patterns = [local_binary_pattern(roi, 8, 1, "nri_uniform").astype(int) for roi in rois]
    return np.stack([np.bincount(p.ravel(), minlength=PATTERNS) / p.size for p in patterns])


def pandas_table(path: Path) -> tuple[np.ndarray, np.ndarray]:
    frame = pd.read_csv(path, header=None)
    return frame.iloc[:, 1:].to_numpy(dtype=float), frame[0].to_numpy()


def letters(data: DataSet, folder: Path) -> Path:
    """Return the folder with ``letter-recognition.data``, made up when no mirror has it."""
    mirror = Path(os.environ.get("OPCHAR_MIRROR", folder)) / data.folder
    if mirror.is_dir():
        return mirror
    rng = np.random.default_rng(0)
    labels = np.repeat(list(data.classes), list(data.classes.values()))
    frame = pd.DataFrame(rng.integers(0, 16, data.shape))
    frame.insert(0, "letter", labels)
    frame.to_csv(folder / next(iter(data.files)), header=False, index=False)
    return folder


def parquet(frame: pd.DataFrame, path: Path) -> None:
    frame.to_parquet(path, index=False, compression="zstd")
    pd.read_parquet(path).drop(columns="y").to_numpy(dtype=float)


def feature_table(table: FeatureTable, path: Path) -> None:
    write_features(table, path)
    read_features(path)


def compare(what: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    times = []
    for _ in range(REPEATS):
        begin = perf_counter()
        ours()
        middle = perf_counter()
        theirs()
        times.append((middle - begin, perf_counter() - middle))
    mine, other = (median(column) for column in zip(*times, strict=True))
    ratio = median(a / b for a, b in times)
    print(f"  {what:38} {mine:7.3f} s   library {other:7.3f} s   ratio {ratio:.2f}")


def main() -> None:
    rois = generated(spawner(1), left=True, persons=PERSONS, frames=FRAMES).rois
    assert np.allclose(lbp_histograms(rois[:200]), scikit_image(rois[:200]), atol=1e-15)
    data = load("letter-recognition", yaml.safe_load(REGISTRY.read_text())["letter-recognition"])
    print(f"medians of {REPEATS} interleaved rounds on one core (target: every ratio < 2)")
    compare(
        f"patterns of {len(rois)} face regions",
        lambda: lbp_histograms(rois),
        lambda: scikit_image(rois),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = letters(data, folder)
        raw: RawTable = read_set(data, source)
        X, _ = pandas_table(source / next(iter(data.files)))
        assert np.array_equal(raw.X, X)
        compare(
            "reading letter-recognition",
            lambda: read_set(data, source),
            lambda: pandas_table(source / next(iter(data.files))),
        )
        codes = pd.Categorical(raw.labels, categories=list(data.classes)).codes.astype(np.int64)
        table = FeatureTable(raw.X, codes, tuple(data.classes), raw.names)
        frame = pd.DataFrame(raw.X.astype(np.float32), columns=list(raw.names))
        frame["y"] = raw.labels
        compare(
            "its feature table, written and read",
            lambda: feature_table(table, folder / "ours.parquet"),
            lambda: parquet(frame, folder / "pandas.parquet"),
        )


if __name__ == "__main__":
    main()
