"""Files of a user's own: the models, metrics, experiments, figures and tables that they mark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opchar import extend
from opchar.errors import ConfigError
from opchar.models.extend import Mark, marks, words_of

MARKS = {
    name: getattr(extend, name) for name in ("word", "metric", "experiment", "figure", "table")
}
# The experiment that puts own data sets through every analysis, and takes metrics of one's own.
ANALYSES = "opchar.studies.user_data:every_analysis"

Entry = dict[str, Any]


@dataclass
class Extension:
    """What a file of a user's own marks.

    Attributes
    ----------
    file : str
        From the folder of the project.
    words : dict of str to dict
        Entries of words, as in ``config/models.yaml``.
    metrics : list of str
        Functions, ``"<file>:<function>"``.
    experiments, artefacts : dict of str to dict
        Entries by address, which begins with ``own/``.
    places : dict of str to str
        File and line of each address.
    """

    file: str
    words: dict[str, Entry] = field(default_factory=dict)
    metrics: list[str] = field(default_factory=list)
    experiments: dict[str, Entry] = field(default_factory=dict)
    artefacts: dict[str, Entry] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def told(self) -> str:
        """Return what the file holds, in a line."""
        metrics = [each.partition(":")[2] for each in self.metrics]
        kinds = {
            "models": self.words,
            "metrics": metrics,
            "experiments": self.experiments,
            "artefacts": self.artefacts,
        }
        return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items() if names)


def read_extension(root: Path, file: str) -> Extension:
    """Read what a file marks, without running it.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the project.
    file : str
        Path of the Python file, relative to `root`.

    Returns
    -------
    Extension

    Raises
    ------
    ConfigError
        One line, if the file cannot be read, marks nothing, or marks something wrongly or twice.
    """
    found = Extension(file, words_of(root, file))
    for mark in marks(root, file, MARKS):
        reference = f"{file}:{mark.function}"
        if mark.kind == "metric":
            found.metrics.append(reference)
        elif mark.kind != "word":
            entries = found.experiments if mark.kind == "experiment" else found.artefacts
            address = f"own/{mark.given['name']}"
            if address in found.places:
                raise ConfigError(f"{mark.place}: '{mark.given['name']}' is marked twice")
            found.places[address] = mark.place
            entries[address] = (
                _experiment(mark, reference)
                if (mark.kind == "experiment")
                else _artefact(mark, reference)
            )
    if not (found.words or found.metrics or found.places):
        raise ConfigError(
            f"config/config.yaml: extensions: {file}: no function is marked with "
            "@opchar.models.extend.word or another mark of opchar.extend"
        )
    return found


def _experiment(mark: Mark, reference: str) -> Entry:
    """Return the entry of a marked experiment, as in ``config/experiments``."""
    given = {key: value for key, value in mark.given.items() if key != "name" and value}
    for key in ("scores", "features"):
        if isinstance(given.get(key), tuple):
            given[key] = list(given[key])
    return {"kind": "metric", "basis": "data"} | given | {"function": reference}


def _artefact(mark: Mark, reference: str) -> Entry:
    """Return the entry of a marked figure or table, as in ``config/artefacts``."""
    given = {key: value for key, value in mark.given.items() if key != "name" and value}
    shown = given.get("experiment", "")
    lines = list(given.get("lines", [shown]))
    return given | {
        "kind": mark.kind,
        "experiment": f"own/{shown}",
        "renderer": reference,
        "section": "own",
        "lines": lines,
    }


def with_metrics(experiments: dict[str, Entry], metrics: Iterable[str]) -> dict[str, Entry]:
    """Return experiments in which every analysis of one's own data has some metrics, too.

    Parameters
    ----------
    experiments : dict of str to dict
    metrics : iterable of str
        ``"<file>:<function>"`` each.

    Returns
    -------
    dict of str to dict
    """
    changed = dict(experiments)
    for address, entry in experiments.items():
        if metrics and address.startswith("own/") and entry.get("function") == ANALYSES:
            given = entry.get("parameters") or {}
            together = list(dict.fromkeys([*given.get("metrics", []), *metrics]))
            changed[address] = entry | {"parameters": given | {"metrics": together}}
    return changed
