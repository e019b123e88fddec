"""Train a model under a protocol and write the scores of the test objects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from opchar.datasets.features import FeatureTable, read_features
from opchar.models.training import train
from opchar.scores import write_scores
from opchar.seeds import spawner


def run(
    dataset: str,
    protocol: str,
    model: str,
    words: Mapping[str, Any],
    entry: Mapping[str, Any],
    seed: int,
    *,
    features: Path,
    table: Path,
) -> None:
    """Write the score table of a model."""
    spawn = spawner(seed, dataset, protocol)
    known = {"seed": seed, "protocol_name": protocol}
    write_scores(train(_read(features), model, words, entry, spawn, known), table)


@lru_cache(maxsize=1)
def _read(features: Path) -> FeatureTable:
    """Read a feature table once for all models that follow each other on it."""
    return read_features(features)
