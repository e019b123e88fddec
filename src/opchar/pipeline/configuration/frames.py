"""Frames and columns that statements, figures and tables ask for, against what measures them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar.pipeline.code.codehash import source_tree
from opchar.pipeline.code.labels import PATTERN, missing_names
from opchar.pipeline.code.syntax import is_ours
from opchar.pipeline.code.user_files import is_file
from opchar.pipeline.configuration.model import Config, Entry

# Where names of frames and columns stand; those of result lines are of `opchar.results`.
STUDIES = ("opchar.publications", "opchar.user_data")
MEASURING = (*STUDIES, "opchar.results")


def check_frames(config: Config, place: Callable[[str, str], str]) -> None:
    """Check that every frame and column that is read is written by what measures it.

    A name counts as written where its text stands in code that the measuring function reaches
    among studies, fits a formatted text there, or is read there from what the library writes. So
    a name is missed that measuring has for something else, too; none is refused that is right.

    Raises
    ------
    ConfigError
        One line for the first statement, figure or table that asks for a name that is written
        nowhere.
    """
    measured = {
        name: _measured_texts(entry) | _names_from_inputs(config, entry)
        for name, entry in config.experiments.items()
    }
    for name, entry in config.statements.items():
        studies = [*entry["reads"], *entry.get("also_judged_on", [])]
        written = frozenset[str]().union(*(measured[study] for study in studies))
        for part in (entry, entry["control"]):
            own = source_tree().labels(part["function"], within=STUDIES)
            given = part.get("parameters", {})
            known = written | own.written
            _refuse(place("statements", name), own.asked, known.union(_strings(given)), studies)
            _refuse(place("statements", name), _named_columns(given), known, studies)
    for name, entry in config.artefacts.items():
        functions = [entry["renderer"], *([entry["surface"]] if "surface" in entry else [])]
        if any(map(is_file, [*functions, config.experiments[entry["experiment"]]["function"]])):
            continue
        asked = source_tree().labels(*functions, within=STUDIES)
        known = source_tree().labels(*functions).written | measured[entry["experiment"]]
        known |= set(_strings(entry.get("parameters", {})))
        _refuse(place("artefacts", name), asked.asked, known, [entry["experiment"]])


def _measured_texts(entry: Entry) -> frozenset[str]:
    """Return the texts that the measuring of a study writes out, or is given."""
    code = [] if is_file(entry["function"]) else [entry["function"]]
    found = source_tree().labels(*code, within=MEASURING)
    whole = source_tree().labels(*code).written
    return found.written.union(found.asked & whole, _strings(entry))


def _names_from_inputs(config: Config, entry: Entry) -> frozenset[str]:
    """Return the names of classes and test sets that score and feature tables bring to a study."""
    groups = entry.get("scores", [])
    sets = [*(group["data"] for group in groups), *entry.get("features", [])]
    found: set[str] = set()
    while sets:
        about = config.datasets[sets.pop()]
        found.update(_strings({key: about.get(key, {}) for key in ("classes", "groups")}))
        sets += [about["view_of"]] if "view_of" in about else []
    ways = {config.protocols[group["protocol"]]["function"] for group in groups}
    ways = {each for each in ways if is_ours(each) and not is_file(each)}
    return source_tree().labels(*sorted(ways)).written.union(found)


def _named_columns(parameters: Mapping[str, Any]) -> set[str]:
    """Return the frames and columns that a mark names for a function which several share."""
    named = (parameters.get(key) for key in ("frame", "column"))
    return {each for each in named if isinstance(each, str) and len(each) > 1}


def _strings(value: Any) -> Iterator[str]:
    """Yield every text in an entry."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def _refuse(place: str, asked: Iterable[str], known: Iterable[str], studies: list[str]) -> None:
    for name in missing_names(asked, known):
        hint = nearest(name, sorted(each for each in known if not each.startswith(PATTERN)))
        raise ConfigError(
            f"{place}: asks for '{name}', a frame or column that nothing of "
            f"{' and '.join(studies)} writes{hint}"
        )
