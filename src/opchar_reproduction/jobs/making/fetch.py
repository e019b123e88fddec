"""Fetch the files of a data set and say where they came from."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opchar.datasets.sources.fetching import fetch

if TYPE_CHECKING:
    from opchar_reproduction.project.configuration.model import Config


def run(name: str, entry: Mapping[str, Any], *, planned: Config, provenance: Path) -> list[Path]:
    """Place the raw files of a set beside its provenance, and return them.

    The configuration of the run says where they are, and what people are told of them.
    """
    fetch(
        name,
        {**entry, **planned.datasets[name]},
        policy=planned.settings["policy"],
        mirrors=planned.settings["mirrors"],
        user_folders=planned.settings["folders"],
        folder=provenance.parent,
        progress=sys.stderr.isatty(),
    )
    provenance.touch()
    return [path for path in provenance.parent.iterdir() if path.is_file()]
