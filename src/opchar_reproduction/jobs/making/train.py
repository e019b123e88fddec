"""Train the models of a data set under a protocol and write the scores of the test objects."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from opchar.datasets.features import read_features
from opchar.models.training import train
from opchar.scores import write_models
from opchar.seeds import spawner


def run(
    dataset: str,
    protocol: str,
    models: Iterable[str],
    words: Mapping[str, Any],
    entry: Mapping[str, Any],
    seed: int,
    *,
    features: Path,
    table: Path,
) -> None:
    """Write the score table of some models."""
    read = read_features(features)
    spawn = spawner(seed, dataset, protocol)
    known = {"seed": seed, "protocol_name": protocol}
    tables = {model: train(read, model, words, entry, spawn, known) for model in models}
    write_models(tables, table)
