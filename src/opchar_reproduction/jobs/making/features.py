"""Read the fetched files of a data set, or make its stand-in, as a feature table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opchar.datasets.building import build
from opchar.datasets.features import write_features
from opchar.seeds import spawner


def run(
    name: str, entries: Mapping[str, Mapping[str, Any]], seed: int, *, raw: Path, table: Path
) -> None:
    """Write the feature table of a set."""
    write_features(build(name, entries, raw.parent, spawner(seed, "features")), table)
