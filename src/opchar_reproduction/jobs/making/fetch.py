"""Fetch the files of a data set and say where they came from."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opchar.datasets.sources.fetching import fetch


def run(
    name: str,
    entry: Mapping[str, Any],
    settings: Mapping[str, Any],
    *,
    provenance: Path,
) -> None:
    """Place the raw files of a set beside its provenance."""
    fetch(
        name,
        entry,
        policy=settings["policy"],
        mirrors=settings["mirrors"],
        user_folders=settings["folders"],
        folder=provenance.parent,
        progress=sys.stderr.isatty(),
    )
