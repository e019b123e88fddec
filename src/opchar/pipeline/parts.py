"""Experiments that several jobs measure and one joins: what each of them is given.

An experiment with ``parts`` has two functions. That of the parts measures some of the data sets; it
is called once a job, with their score tables, and returns curves. The experiment's own function is
given the curves of all parts, those of one name as one table, and no scores.
"""

from __future__ import annotations

from collections.abc import Collection

from opchar.errors import ConfigError, nearest
from opchar.pipeline.code.codehash import source_tree
from opchar.pipeline.configuration.model import Entry


def entries(entry: Entry) -> dict[str, Entry]:
    """Return what the jobs that measure an experiment are given, by name.

    Parameters
    ----------
    entry : mapping
        The experiment, as it holds in a profile.

    Returns
    -------
    dict of str to mapping
        Entries of experiments; empty for one that a single job measures. A job whose data sets are
        all left out in this profile is no job.
    """
    if "parts" not in entry:
        return {}
    declared, given = entry["parts"], entry["parameters"]
    found = {}
    for name, data in declared["jobs"].items():
        sets = [each for each in given[declared["of"]] if each["data"] in data]
        if sets:
            named = {each["data"] for each in sets}
            found[name] = {
                "function": declared["function"],
                "basis": entry["basis"],
                "scores": [group for group in entry["scores"] if group["data"] in named],
                "parameters": _taken(declared["function"], given | {declared["of"]: sets}),
            }
    return found


def joining(entry: Entry) -> Entry:
    """Return what the job is given that joins the parts of an experiment.

    Parameters
    ----------
    entry : mapping
        The experiment, as it holds in a profile.
    """
    kept = {key: value for key, value in entry.items() if key not in ("parts", "scores")}
    return kept | {"parameters": _taken(entry["function"], entry["parameters"])}


def check(place: str, entry: Entry) -> None:
    """Make sure that parts measure each data set of an experiment once.

    Parameters
    ----------
    place : str
        File and entry, for messages.
    entry : mapping
        The experiment, with the parameters of a profile.

    Raises
    ------
    ConfigError
        In one line: readings besides parts; a list that is not there; a data set that no job or
        more than one measures, or that none knows.
    """
    declared, given = entry["parts"], entry["parameters"]
    if "readings" in entry:
        raise ConfigError(f"{place}: parts: an experiment with readings is measured by one job")
    if declared["of"] not in given:
        raise ConfigError(f"{place}: parts: no parameter '{declared['of']}'")
    shared = [name for data in declared["jobs"].values() for name in data]
    sets = {group["data"] for group in entry.get("scores", [])}
    for name in shared:
        if name not in sets:
            raise ConfigError(f"{place}: parts: no scores on '{name}'{nearest(name, sorted(sets))}")
        if shared.count(name) > 1:
            raise ConfigError(f"{place}: parts: '{name}' stands twice")
    for each in given[declared["of"]]:
        if each["data"] not in shared:
            raise ConfigError(f"{place}: parts: no job measures '{each['data']}'")


def accepted(function: str, given: Collection[str]) -> list[str]:
    """Return the names among `given` that a function takes."""
    taken = source_tree().function(function).parameters or ()
    return [name for name in given if name in taken]


def _taken(function: str, given: Entry) -> Entry:
    return {name: given[name] for name in accepted(function, given)}
