"""Entries of data sets and words, checked against what reads, makes and names them.

Nothing is imported and no file is read: what a job would find out when it runs is found before.
"""

import re
from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar_reproduction.project.closure import is_ours
from opchar_reproduction.project.configuration import parameters
from opchar_reproduction.project.configuration.model import errors_at
from opchar_reproduction.project.definitions import defined_in, function

Entry = Mapping[str, Any]
# What `opchar.datasets.readers.read_set` itself takes of the options of a reader.
OF_ALL_READERS = ("complete_only",)
# How many of their first parameters the job fills itself.
SUPPLIED = {"reader": 1, "stand_in": 3, "generator": 2}


def check_data(
    datasets: Mapping[str, Entry], places: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Check that readers, generators and views fit their functions and base sets."""
    for name, entry in datasets.items():
        place = f"{places.get(name, 'config/datasets.yaml')}: {name}"
        is_view = "view_of" in entry
        if is_view:
            _check_view(place, name, entry, datasets)
        _check_sizes(place, entry)
        if is_view:
            continue
        if "reader" in entry:
            given = {k: v for k, v in entry.get("options", {}).items() if k not in OF_ALL_READERS}
            _check_options(place, "reader", entry["reader"], given)
        if "stand_in" in entry:
            part = entry["stand_in"]
            if "images" in entry:  # their options are those of the videos, not of a function
                check_there(f"{place}: stand_in", part["generator"])
                continue
            _check_options(place, "stand_in", part["generator"], part.get("options", {}))
        if "generator" in entry:
            _check_generator(place, entry)


def _check_sizes(place: str, entry: Entry) -> None:
    if not {"classes", "shape"} <= set(entry):
        return
    if entry["shape"][0] != (together := sum(entry["classes"].values())):
        said = f"{entry['shape'][0]} objects, but its classes have {together}"
        raise ConfigError(f"{place}: shape: {said}")


def _check_options(place: str, role: str, named: str, given: Entry) -> None:
    with errors_at(f"{place}: {role}"):
        accepted = function(named)
    if "**" in accepted.annotations:
        return  # it passes its options on
    supplied = accepted.parameters[: SUPPLIED[role]]
    parameters.check(f"{place}: {role}", accepted, given, supplied)


def _check_generator(place: str, entry: Entry) -> None:
    made = entry["generator"]
    general = made.get("options", {})
    special = made.get("part_options", {})
    for part in special:
        if part not in made.get("parts", {}):
            raise ConfigError(f"{place}: generator: part_options: no part '{part}'")
    if function(made["function"]).annotations.get("n") != "Sizes":
        raise ConfigError(f"{place}: generator: '{made['function']}' does not make a data set")
    for options in ({}, *special.values()):
        _check_options(place, "generator", made["function"], {**general, **options})
    for part, sizes in made.get("parts", {}).items():
        if "classes" in entry and set(sizes) != set(entry["classes"]):
            raise ConfigError(f"{place}: generator: part '{part}' has other classes than the set")


def _check_view(place: str, name: str, entry: Entry, datasets: Mapping[str, Entry]) -> None:
    """Follow a view to its set, and compare its classes with those of that set."""
    passed, base = [name], str(entry["view_of"])
    while True:
        if base not in datasets:
            raise ConfigError(f"{place}: no data set '{base}'{nearest(base, list(datasets))}")
        if base in passed:
            raise ConfigError(f"{place}: is a view of itself, by way of '{passed[-1]}'")
        if "view_of" not in datasets[base]:
            break
        passed.append(base)
        base = str(datasets[base]["view_of"])
    known = datasets[str(entry["view_of"])].get("classes", {})
    for group, members in entry.get("groups", {}).items():
        for member in members:
            if known and member not in known:
                hint = nearest(member, list(known))
                raise ConfigError(f"{place}: group '{group}': no class '{member}'{hint}")
    groups = entry.get("groups", {label: [label] for label in known})
    counts = {group: sum(known.get(m, 0) for m in members) for group, members in groups.items()}
    if known and "classes" in entry and counts != entry["classes"]:
        raise ConfigError(f"{place}: classes {entry['classes']}, and its base has {counts} of them")


def check_words(
    models: Mapping[str, Entry], places: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Check that the functions of words exist and that their arguments can be parsed."""
    for word, entry in models.items():
        place = f"{places.get(word, 'config/models.yaml')}: {word}"
        try:
            re.compile(entry.get("arguments", ""))
        except re.error as error:
            raise ConfigError(f"{place}: arguments: no regular expression: {error}") from None
        check_there(place, entry["function"])


def check_there(place: str, named: str) -> None:
    """Check that a function exists, without importing it."""
    module = named.split(":")[0]
    if is_ours(named) and not module.endswith(".py"):
        with errors_at(place):
            defined_in(named)
    elif not module.endswith(".py") and find_spec(module.split(".")[0]) is None:
        raise ConfigError(f"{place}: '{named}': no module '{module.split('.')[0]}'")
