"""Files of a user: the models, metrics, studies, figures and tables that they mark."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError
from opchar_reproduction import extend
from opchar_reproduction.project.configuration.entries import (
    Studies,
    add_marks,
    refuse_no_dimension,
)
from opchar_reproduction.project.configuration.studies import read_marks
from opchar_reproduction.words import marks, refuse_unusable, source_of, words_of

# The experiment that puts own data sets through every analysis, and takes metrics of one's own.
ANALYSES = "opchar_reproduction.user_data:every_analysis"

Entry = dict[str, Any]


@dataclass
class Extension:
    """The models, metrics and studies that a user's file marks."""

    file: str
    words: dict[str, Entry] = field(default_factory=dict)
    metrics: list[str] = field(default_factory=list)
    studies: Studies = field(default_factory=Studies)
    listed: str = "config/config.yaml"

    def summary_line(self) -> str:
        """Return a summary of the file in one line."""
        metrics = [each.partition(":")[2] for each in self.metrics]
        kinds = {
            "models": self.words,
            "metrics": metrics,
            "studies": self.studies.experiments,
            "artefacts": self.studies.artefacts,
        }
        return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items() if names)


def read_extension(root: Path, file: str, listed: str = "config/config.yaml") -> Extension:
    """Read the marks of a file, without running it."""
    found = Extension(file, words_of(root, file), listed=listed)
    found.metrics = [
        f"{file}:{mark.function}" for mark in marks(root, file, {"metric": extend.metric})
    ]
    refuse_unusable(root, file, extend.__all__)
    add_marks(found.studies, read_marks(source_of(root, file), file, file), "own")
    refuse_no_dimension(found.studies)
    if found.studies.statements:
        place = next(iter(found.studies.places.values()))
        raise ConfigError(f"{place}: statements are of published lines; a file of yours has none")
    for address, entry in found.studies.artefacts.items():
        entry.setdefault("lines", [entry["experiment"].partition("/")[2]])
        found.studies.artefacts[address] = entry | {"section": "own"}
    if not (found.words or found.metrics or found.studies.places):
        raise ConfigError(
            f"{listed}: extensions: {file}: no function is marked with "
            "@opchar_reproduction.words.word or another mark of opchar_reproduction.extend"
        )
    return found


def with_metrics(experiments: dict[str, Entry], metrics: Iterable[str]) -> dict[str, Entry]:
    """Return experiments in which every analysis of one's own data has some metrics, too."""
    changed = dict(experiments)
    for address, entry in experiments.items():
        if metrics and address.startswith("own/") and entry.get("function") == ANALYSES:
            given = entry.get("parameters") or {}
            together = list(dict.fromkeys([*given.get("metrics", []), *metrics]))
            changed[address] = entry | {"parameters": given | {"metrics": together}}
    return changed
