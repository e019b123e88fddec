"""Whether entries fit each other, the functions they name and their schemas."""

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from opchar.errors import ConfigError, nearest
from opchar.models.names import split
from opchar_reproduction import publication
from opchar_reproduction.project import variants
from opchar_reproduction.project.configuration import parameters
from opchar_reproduction.project.configuration.extensions import Extension
from opchar_reproduction.project.configuration.listed import rows_of
from opchar_reproduction.project.configuration.model import (
    PROFILES,
    Config,
    Entry,
    errors_at,
    lookup,
    overlaid,
)
from opchar_reproduction.project.configuration.schemas import against_schema
from opchar_reproduction.project.configuration.sets import check_data, check_there, check_words
from opchar_reproduction.project.definitions import Definition, function


def validate(
    config: Config,
    extensions: list[Extension],
    places: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> None:
    """Check all entries by their schemas, and against each other and the functions they name."""
    for each in extensions:
        file = f"{each.listed.removeprefix('config/')}: extensions: {each.file}"
        if each.words:
            against_schema(each.words, config.root, "models", file)
        against_schema(each.studies.experiments, config.root, "experiments", file)
        against_schema(each.studies.artefacts, config.root, "artefacts", file)
    marked = dict(places)
    for each in extensions:
        marked |= each.studies.places
        marked |= {("models", word): each.file for word in each.words}
    for name in ("datasets", "protocols", "experiments", "artefacts", "statements"):
        against_schema(
            getattr(config, name), config.root, name, f"{name}.yaml", _places_of_kind(name, marked)
        )
    check_data(config.datasets, _places_of_kind("datasets", marked))
    check_words(config.models, _places_of_kind("models", marked))
    for address, given in config.settings.get("parameters", {}).items():
        _check_override(config, f"config/config.yaml: parameters: {address}", address, given)
    for address, entry in config.experiments.items():
        _check_experiment(config, _place("experiments", address, marked), entry)
    for address, entry in config.artefacts.items():
        _check_artefact(config, _place("artefacts", address, marked), entry)
    if outside := set(config.publications) - set(publication.folders()):
        # It reads tables, which takes longer to import than a plan without these may take.
        from opchar_reproduction.report.inspection import inspect

        for key in sorted(outside):
            inspect(key, config.publications[key])
    published = _published_ids(config.publications)
    for identifier, entry in config.statements.items():
        if identifier not in published:
            place = _place("statements", identifier, marked)
            raise ConfigError(f"{place}: no such published line{nearest(identifier, published)}")
        _check_statement(config, _place("statements", identifier, marked), entry)
    for name, protocol in config.protocols.items():
        _check_protocol_parameters(_place("protocols", name, marked), protocol)
    for name, folder in config.settings["folders"].items():
        place = marked.get(("folders", name), "config/config.yaml: folders")
        lookup(config.datasets, name, "data set", place)
        if not Path(folder).expanduser().is_dir():
            raise ConfigError(f"{place}: {name}: no folder '{folder}'")


def _published_ids(folders: Mapping[str, str]) -> list[str]:
    """Return the ids of all published lines."""
    return [row["id"] for folder in folders.values() for _, row in rows_of(folder, "values")]


def _place(kind: str, name: str, marked: Mapping[tuple[str, str], str]) -> str:
    """Return where an entry is marked, or the file that it stands in, and its name."""
    return f"{marked.get((kind, name), f'config/{kind}.yaml')}: {name}"


def _places_of_kind(kind: str, marked: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """Return where the entries of a kind stand that are in no file named after it."""
    return {name: where for (of, name), where in marked.items() if of == kind}


def _check_experiment(config: Config, place: str, entry: Entry) -> None:
    _refuse_two_protocols(place, entry)
    with errors_at(place):
        for group in entry.get("scores", []):
            lookup(config.datasets, group["data"], "data set")
            lookup(config.protocols, group["protocol"], "protocol")
            for model in group["models"]:
                split(model, config.models)
        for name in entry.get("features", []):
            lookup(config.datasets, name, "data set")
        if "same_draws_as" in entry:
            lookup(config.experiments, entry["same_draws_as"], "experiment")
        accepted = function(entry["function"])
    supplied = {"spawn", "shared", *({"scores", "features"} & set(entry))}
    for profile in PROFILES:
        parameters.check(place, accepted, overlaid(entry, profile)["parameters"], supplied)
    if "variants" in entry:
        variants.check(place, entry)
        _check_variants(place, entry, accepted, supplied)


def _check_override(config: Config, place: str, address: str, given: Entry) -> None:
    """Make sure that a study takes the values that the settings give it."""
    entry = config.experiments[address]
    accepted = function(entry["function"])
    taken = list(accepted.parameters)
    for name, value in given.items():
        if name not in taken:
            raise ConfigError(f"{place}: unknown parameter '{name}'{nearest(name, taken)}")
        if wrong := parameters.misfit(value, accepted.annotations.get(name, "")):
            raise ConfigError(f"{place}: parameter '{name}': {wrong}")


def _refuse_two_protocols(place: str, entry: Entry) -> None:
    """Refuse a data set with a model that stands twice: an experiment tells tables by these."""
    seen: dict[tuple[str, str], str] = {}
    for group in entry.get("scores", []):
        for model in group["models"]:
            key = (group["data"], model)
            first, second = seen.setdefault(key, group["protocol"]), group["protocol"]
            if first != second:
                raise ConfigError(
                    f"{place}: scores: '{model}' on '{key[0]}' under both '{first}' and "
                    f"'{second}'; make an experiment of each protocol"
                )


def _check_variants(
    place: str, entry: Entry, accepted: Definition, supplied: Collection[str]
) -> None:
    """Make sure that the function takes what each variant changes, in every profile."""
    changes = variants.variant_changes(entry["variants"])
    for profile in PROFILES:
        given = overlaid(entry, profile)["parameters"] | entry["variants"].get("with", {})
        for name, changed in changes.items():
            where = f"variant '{name}'" if changed else "variants: with"
            parameters.check(f"{place}: {where}", accepted, given | changed, supplied)


def _check_protocol_parameters(place: str, entry: Entry) -> None:
    check_there(place, entry["function"])
    try:
        way = function(entry["function"])
    except ConfigError:
        return  # a function of another library
    for profile in PROFILES:
        given = overlaid(entry, profile)["parameters"]
        parameters.check(place, way, given, [*way.required[:2], "groups", "X"])


def _check_artefact(config: Config, place: str, entry: Entry) -> None:
    with errors_at(place):
        lookup(config.experiments, entry["experiment"], "experiment")
        accepted = function(entry["renderer"])
        turned = function(entry["surface"]) if "surface" in entry else None
    parameters.check(place, accepted, entry.get("parameters", {}), accepted.required[:2])
    if turned:
        parameters.check(place, turned, entry.get("parameters", {}), turned.required[:1])


def _check_statement(config: Config, place: str, entry: Entry) -> None:
    with errors_at(place):
        for name in [*entry["reads"], *entry.get("also_judged_on", [])]:
            lookup(config.experiments, name, "experiment")
        parts = (entry, entry["control"], *entry.get("leaf_controls", []))
        judging = [(part, function(part["function"])) for part in parts]
    for part, accepted in judging:
        supplied = [*accepted.parameters[:1], "spawn"]
        parameters.check(place, accepted, part.get("parameters", {}), supplied)
