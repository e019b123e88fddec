"""The configuration as plain mappings, with what holds in a profile."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, nearest

PROFILES = ("tiny", "quick", "paper")
KINDS = ("metric", "anova", "vus", "reject", "ibc", "costs")

RESOURCES = {"mem_mb": 2000, "runtime": 60}

Entry = dict[str, Any]


@dataclass(frozen=True)
class Config:
    """All of ``config/``, and what the marks of studies say, as plain mappings."""

    root: Path
    settings: Entry
    datasets: dict[str, Entry]
    models: dict[str, Entry]
    protocols: dict[str, Entry]
    experiments: dict[str, Entry]
    artefacts: dict[str, Entry]
    statements: dict[str, Entry]
    publications: dict[str, str] = field(default_factory=dict)

    @property
    def profile(self) -> str:
        """Name of the profile that runs when no other is asked for."""
        return str(self.settings["profile"])

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self.settings["seed"])

    def resources(self, job: str) -> dict[str, int]:
        """Return the memory (``mem_mb``) and the minutes (``runtime``) of a kind of job."""
        asked = self.settings.get("resources", {})
        return RESOURCES | asked.get("default", {}) | asked.get(job, {})

    def experiment(self, address: str, profile: str) -> Entry:
        """Return the entry of an experiment with the parameters that hold in `profile`."""
        return overlaid(lookup(self.experiments, address, "experiment"), profile)

    def protocol(self, name: str, profile: str) -> Entry:
        """Return the entry of a protocol with the parameters that hold in `profile`."""
        return overlaid(lookup(self.protocols, name, "protocol"), profile)


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Name the place in what is wrong with an entry."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None


def lookup(entries: Mapping[str, Entry], name: str, what: str, place: str = "") -> Entry:
    """Return ``entries[name]``; `place` is where the name stands, for the error."""
    if name not in entries:
        where = f"{place}: " if place else ""
        raise ConfigError(f"{where}no {what} '{name}'{nearest(name, sorted(entries))}")
    return entries[name]


def overlaid(entry: Entry, profile: str) -> Entry:
    """Return `entry` with the parameters of `profile` laid over the general ones."""
    given = entry.get("parameters", {}) | entry.get("profiles", {}).get(profile, {})
    rest = {key: value for key, value in entry.items() if key != "profiles"}
    return rest | {"parameters": given}


PAIRS = "pairs whose keys are text"


def pack_keys(value: Any) -> Any:
    """Return a value as JSON can hold it: a mapping with other keys than texts as its pairs."""
    if isinstance(value, list | tuple):
        return [pack_keys(part) for part in value]
    if not isinstance(value, dict):
        return value
    if all(isinstance(key, str) for key in value):
        return {key: pack_keys(part) for key, part in value.items()}
    return {PAIRS: [[key, pack_keys(part)] for key, part in value.items()]}


def unpack_keys(value: dict[str, Any]) -> dict[Any, Any]:
    """Return a mapping that JSON held as its pairs."""
    return dict(value[PAIRS]) if PAIRS in value else value
