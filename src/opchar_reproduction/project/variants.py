"""Named variants of an experiment: what its work leaves open, as changes of parameters."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

from opchar.errors import ConfigError, nearest

PRIMARY = "primary"
# What the name of a variant ends with whose dimensions were joined after results had been seen.
LATER = "joined after results"
Choices = tuple[tuple[str, str], ...]


def variant_changes(declared: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what each variant of an experiment changes."""
    dimensions = declared["dimensions"]
    named = {name_of(choices): choices for choices in _combinations(declared)}
    for together in declared.get("joined_after_results", []):
        for choices in product(*(_others(dimensions)[name] for name in together)):
            named[f"{name_of(choices)}; {LATER}"] = choices
    found: dict[str, dict[str, Any]] = {PRIMARY: {}}
    for name, choices in named.items():
        found[name] = {}
        for dimension, value in choices:
            found[name] |= dimensions[dimension]["values"][value]
    return found


def name_of(choices: Choices) -> str:
    """Return the name of a variant: its choices that are not primary, in the declared order."""
    return "; ".join(f"{dimension}: {value}" for dimension, value in choices) or PRIMARY


def _combinations(declared: Mapping[str, Any]) -> Iterator[Choices]:
    """Yield the choices of each variant that are not primary; a variant without any is skipped."""
    others = _others(declared["dimensions"])
    if declared.get("combine", "product") == "product":
        for choice in product(*([None, *values] for values in others.values())):
            if chosen := tuple(each for each in choice if each is not None):
                yield chosen
        return
    for values in others.values():
        yield from ((value,) for value in values)
    if declared["combine"] == "pairs":
        for together in declared["pairs"]:
            yield from product(*(others[name] for name in together))


def _others(dimensions: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """Return the choices of each dimension that are not primary."""
    return {
        name: [(name, value) for value in dimension["values"] if value != dimension["primary"]]
        for name, dimension in dimensions.items()
    }


def declared_name(name: str, given: Mapping[str, Any]) -> str:
    """Return the declared name of a variant, whatever the order of its choices."""
    wanted = sorted(part.strip() for part in name.split(";"))
    for known in given:
        if sorted(known.split("; ")) == wanted:
            return known
    raise ConfigError(f"no variant '{name}'{nearest(name, list(given))}")


def check(where: str, entry: Mapping[str, Any]) -> None:
    """Make sure that the variants of an experiment are consistent."""
    declared = entry["variants"]
    dimensions = declared["dimensions"]
    for name, dimension in dimensions.items():
        values, at = dimension["values"], f"{where}: variants: {name}"
        if wrong := [value for value in values if not isinstance(value, str)]:
            raise ConfigError(f"{at}: value {wrong[0]!r} is no text; write it in quotes")
        if dimension["primary"] not in values:
            hint = nearest(dimension["primary"], list(values))
            raise ConfigError(f"{at}: primary '{dimension['primary']}' is no value{hint}")
        if values[dimension["primary"]]:
            raise ConfigError(
                f"{at}: the primary value changes no parameter; write '{{}}' and set the "
                "parameters of the experiment"
            )
        others = [value for value in values if value != dimension["primary"]]
        if empty := [value for value in others if not values[value]]:
            raise ConfigError(f"{at}: value '{empty[0]}' changes nothing")
        if not others:
            raise ConfigError(f"{at}: a choice needs a value besides the primary one")
    for pair in [*declared.get("pairs", []), *declared.get("joined_after_results", [])]:
        for name in pair:
            if name not in dimensions:
                hint = nearest(name, list(dimensions))
                raise ConfigError(f"{where}: variants: no dimension '{name}'{hint}")
    for first, second in _joint_dimensions(declared):
        shared = _changed_parameters(dimensions[first]) & _changed_parameters(dimensions[second])
        if shared:
            raise ConfigError(
                f"{where}: variants: '{first}' and '{second}' both change '{min(shared)}'"
            )


def _joint_dimensions(declared: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of dimensions that change together in a variant."""
    combine = declared.get("combine", "product")
    if combine == "product":
        yield from combinations(declared["dimensions"], 2)
    elif combine == "pairs":
        for names in [*declared["pairs"], *declared.get("joined_after_results", [])]:
            yield from combinations(names, 2)


def _changed_parameters(dimension: Mapping[str, Any]) -> set[str]:
    return {name for value in dimension["values"].values() for name in value}
