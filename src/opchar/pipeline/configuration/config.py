"""The configuration: read, validated and cross-checked before anything is planned."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar.files import write_text
from opchar.models.extend import extended
from opchar.models.names import split
from opchar.pipeline import readings
from opchar.pipeline.code.codehash import source_tree
from opchar.pipeline.code.syntax import Definition
from opchar.pipeline.configuration import checked, parameters
from opchar.pipeline.configuration.extensions import Extension, read_extension, with_metrics
from opchar.pipeline.configuration.sets import check_data, check_there, check_words

PROFILES = ("tiny", "quick", "paper")
KINDS = ("metric", "anova", "vus", "reject", "ibc", "costs")

# What a user's own file, config/own.yaml, may hold.
OWN = ("folders", "datasets", "protocols", "experiments", "artefacts")

LONGEST = 150
RESOURCES = {"mem_mb": 2000, "runtime": 60}

Entry = dict[str, Any]
# Where the configurations of runs are kept for their jobs.
CONFIGS = Path(".opchar/config")


@dataclass(frozen=True)
class Config:
    """All of ``config/`` as plain mappings.

    Attributes
    ----------
    root : pathlib.Path
        Folder of the project, where ``config/``, ``data/published/`` and ``workflow/`` stand.
    settings : dict
        ``config.yaml`` with what the command line changed.
    datasets, models, protocols, experiments, artefacts, statements : dict
        Entries by name or address; statements by the id of the published line.
    general : dict of str to str
        Protocols by the data sets of which general claims are asked.
    """

    root: Path
    settings: Entry
    datasets: dict[str, Entry]
    models: dict[str, Entry]
    protocols: dict[str, Entry]
    experiments: dict[str, Entry]
    artefacts: dict[str, Entry]
    statements: dict[str, Entry]
    general: dict[str, str] = field(default_factory=dict)

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
        return overlaid(known(self.experiments, address, "experiment"), profile)

    def protocol(self, name: str, profile: str) -> Entry:
        """Return the entry of a protocol with the parameters that hold in `profile`."""
        return overlaid(known(self.protocols, name, "protocol"), profile)


def known(entries: Mapping[str, Entry], name: str, what: str) -> Entry:
    """Return ``entries[name]``.

    Raises
    ------
    ConfigError
        If there is none, with the nearest name that there is.
    """
    if name not in entries:
        raise ConfigError(f"no {what} '{name}' in config/{nearest(name, sorted(entries))}")
    return entries[name]


def overlaid(entry: Entry, profile: str) -> Entry:
    """Return `entry` with the parameters of `profile` laid over the general ones."""
    given = entry.get("parameters", {}) | entry.get("profiles", {}).get(profile, {})
    rest = {key: value for key, value in entry.items() if key != "profiles"}
    return rest | {"parameters": given}


def load(
    root: Path | str = ".",
    overrides: Mapping[str, Any] | None = None,
    *,
    check: bool = True,
    here: Path | str | None = None,
) -> Config:
    """Read ``config/`` and make sure that a run can be planned from it.

    Parameters
    ----------
    root : path-like
        Folder of the project.
    overrides : mapping, optional
        Values that replace those of ``config.yaml``, from the command line.
    check : bool
        Whether to validate.
    here : path-like, optional
        Folder whose own files of ``config/`` come before those of the project.

    Returns
    -------
    Config

    Raises
    ------
    ConfigError
        One line that names the file, the place in it and the cure.
    """
    root = Path(root)
    folders = [Path(here), root] if here is not None else [root]
    if here is None or not check:
        return _read(folders, overrides or {}, check=check)
    known = checked.fingerprint(folders, overrides or {})
    if (said := checked.kept(known, _unpacked)) is not None:
        return Config(**said | {"root": root})
    config = _read(folders, overrides or {}, check=True)
    if known and not config.settings["folders"] and not config.settings.get("extensions"):
        checked.keep(known, _packed(vars(config)))
    return config


def _read(folders: list[Path], overrides: Mapping[str, Any], *, check: bool) -> Config:
    """Read the configuration from the first of some folders that has each file."""
    root = folders[-1]
    settings = read_yaml(_found(folders, "config.yaml"))
    if isinstance(settings, dict):
        settings = settings | dict(overrides)
    config = Config(
        root,
        settings,
        datasets=read_yaml(_found(folders, "datasets.yaml")),
        models=read_yaml(_found(folders, "models.yaml")),
        protocols=read_yaml(_found(folders, "protocols.yaml")),
        experiments=_read_folder(_found(folders, "experiments")),
        artefacts=_read_folder(_found(folders, "artefacts")),
        statements=_read_folder(_found(folders, "statements"), ":"),
        general=read_yaml(_found(folders, "general.yaml")),
    )
    config = _with_own(config, folders[0] / "config/own.yaml")
    if check:
        _against_schema(config.settings, root, "config", "config.yaml")
        _against_schema(config.models, root, "models", "models.yaml")
    files = config.settings.get("extensions", [])
    extensions = [read_extension(folders[0], file) for file in files]
    config = _extended(config, folders[0], extensions)
    if check:
        _validate(config, extensions)
    return config


def _extended(config: Config, place: Path, extensions: list[Extension]) -> Config:
    """Return the configuration with what files of a user's own mark."""
    words = extended(config.models, place, [each.file for each in extensions])
    experiments, artefacts = dict(config.experiments), dict(config.artefacts)
    for each in extensions:
        for entries, added in ((experiments, each.experiments), (artefacts, each.artefacts)):
            if twice := sorted(set(entries) & set(added)):
                raise ConfigError(f"{each.places[twice[0]]}: there is a '{twice[0]}' already")
            entries |= added
    metrics = [name for each in extensions for name in each.metrics]
    experiments = with_metrics(experiments, metrics)
    return replace(config, models=words, experiments=experiments, artefacts=artefacts)


def _with_own(config: Config, file: Path) -> Config:
    """Return the configuration with what a user's own file adds to it."""
    own = (read_yaml(file) or {}) if file.is_file() else {}
    known = (*OWN, "extensions")
    if not isinstance(own, dict) or (unknown := sorted(set(own) - set(known))):
        what = f"unknown key '{unknown[0]}'" if isinstance(own, dict) else "not a mapping"
        raise ConfigError(f"config/own.yaml: {what}; it has {', '.join(known)}")
    changed: dict[str, Any] = {}
    if own.get("extensions"):
        config = replace(config, settings=_with_extensions(config.settings, own["extensions"]))
    for kind in [kind for kind in OWN if own.get(kind)]:
        if not isinstance(own[kind], dict):
            raise ConfigError(f"config/own.yaml: {kind}: not a mapping of names to entries")
        ours = config.settings["folders"] if kind == "folders" else getattr(config, kind)
        if twice := sorted(set(ours) & set(own[kind])):
            raise ConfigError(f"config/own.yaml: {kind}: there is a '{twice[0]}' already")
        for name in own[kind]:
            if kind in ("experiments", "artefacts") and not str(name).startswith("own/"):
                raise ConfigError(f"config/own.yaml: {kind}: '{name}' must begin with 'own/'")
        if kind == "folders":
            changed["settings"] = config.settings | {"folders": ours | own[kind]}
        else:
            changed[kind] = ours | own[kind]
    return replace(config, **changed)


def _with_extensions(settings: Entry, files: Any) -> Entry:
    """Return the settings with the files that a user's own file lists besides."""
    if not isinstance(files, list):
        raise ConfigError("config/own.yaml: extensions: not a list of Python files")
    listed = list(settings.get("extensions") or [])
    if twice := [file for file in files if file in listed]:
        raise ConfigError(f"config/own.yaml: extensions: config.yaml has '{twice[0]}' already")
    return settings | {"extensions": [*listed, *files]}


def _found(folders: list[Path], name: str) -> Path:
    """Return the first that exists of a file or folder of the configuration."""
    places = [folder / "config" / name for folder in folders]
    return next((place for place in places if place.exists()), places[-1])


def resolved(config: Config, folder: Path) -> Path:
    """Write the whole configuration to a file named after its content, for the jobs of a run.

    Parameters
    ----------
    config : Config
        As the plan was made from it.
    folder : pathlib.Path
        Where to.

    Returns
    -------
    pathlib.Path
    """
    text = json.dumps(_packed(vars(config)), default=str, ensure_ascii=False)
    path = folder / f"{sha256(text.encode()).hexdigest()[:16]}.json"
    if not path.exists():
        write_text(text, path)
    return path


PAIRS = "pairs with keys that are no text"


def _packed(value: Any) -> Any:
    """Return a value as JSON can hold it: a mapping with other keys than texts as its pairs."""
    if isinstance(value, list):
        return [_packed(part) for part in value]
    if not isinstance(value, dict):
        return value
    if all(isinstance(key, str) for key in value):
        return {key: _packed(part) for key, part in value.items()}
    return {PAIRS: [[key, _packed(part)] for key, part in value.items()]}


def _unpacked(value: dict[str, Any]) -> dict[Any, Any]:
    return dict(value[PAIRS]) if PAIRS in value else value


def read_resolved(path: Path) -> Config:
    """Read what `resolved` has written.

    Raises
    ------
    ConfigError
        If the file is not there or was changed.
    """
    try:
        said = json.loads(path.read_text(encoding="utf-8"), object_hook=_unpacked)
        return Config(**said | {"root": Path(said["root"])})
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(f"{path}: not the configuration of a run; plan it again") from None


def read_yaml(path: Path) -> Any:
    """Read a YAML file; a broken or missing one, or a double key, is a `ConfigError`."""
    import yaml

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(path.read_text(encoding="utf-8"))
        root = loader.get_single_node()
        _refuse_doubles(root, path)
        return None if root is None else loader.construct_document(root)
    except FileNotFoundError:
        raise ConfigError(f"{path}: not found; run from the folder of the project") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}:" if mark else ""
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ConfigError(f"{path}:{line} not YAML: {reason}") from None


def _refuse_doubles(root: Any, path: Path) -> None:
    """Refuse a key that stands twice in one mapping, where YAML lets the last one win."""
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or not isinstance(getattr(node, "value", None), list):
            continue
        seen.add(id(node))
        keys: dict[str, int] = {}
        for part in node.value:
            pair = part if isinstance(part, tuple) else (part,)
            waiting.extend(pair)
            if len(pair) == 2 and isinstance(pair[0].value, str) and pair[0].value != "<<":
                line = pair[0].start_mark.line + 1
                first = keys.setdefault(pair[0].value, line)
                if first != line:
                    key = pair[0].value
                    raise ConfigError(
                        f"{path}: line {line}: '{key}' is there already, on line {first}"
                    )


def _read_folder(folder: Path, mark: str = "/") -> dict[str, Entry]:
    """Merge the files ``<paper>.yaml`` of a folder, whose keys begin with their paper."""
    merged: dict[str, Entry] = {}
    for path in sorted(folder.glob("*.yaml")):
        entries = read_yaml(path) or {}
        if not isinstance(entries, dict):
            raise ConfigError(f"{path}: not a mapping of addresses to entries")
        for address, entry in entries.items():
            if not str(address).startswith(f"{path.stem}{mark}"):
                raise ConfigError(f"{path}: '{address}' must begin with '{path.stem}{mark}'")
            merged[str(address)] = entry
    return merged


def _validate(config: Config, extensions: list[Extension]) -> None:
    for each in extensions:
        file = f"config.yaml: extensions: {each.file}"
        _against_schema(each.words, config.root, "models", file)
        _against_schema(each.experiments, config.root, "experiments", file)
        _against_schema(each.artefacts, config.root, "artefacts", file)
    marked = {address: where for each in extensions for address, where in each.places.items()}
    for name in ("datasets", "protocols", "general"):
        _against_schema(getattr(config, name), config.root, name, f"{name}.yaml")
    for name in ("experiments", "artefacts", "statements"):
        _against_schema(getattr(config, name), config.root, name, f"{name}/{{paper}}.yaml")
    check_data(config.datasets)
    check_words(config.models)
    for address, entry in config.experiments.items():
        _check_experiment(config, _place("experiments", address, marked), entry)
    for address, entry in config.artefacts.items():
        _check_artefact(config, _place("artefacts", address, marked), entry)
    for identifier, entry in config.statements.items():
        _check_statement(config, identifier, entry)
    for name, wanted in config.general.items():
        known(config.datasets, name, "data set")
        known(config.protocols, wanted, "protocol")
    for name, protocol in config.protocols.items():
        _check_protocol_parameters(name, protocol)
    for name, folder in config.settings["folders"].items():
        known(config.datasets, name, "data set")
        if not Path(folder).expanduser().is_dir():
            raise ConfigError(f"config/config.yaml: folders: {name}: no folder '{folder}'")


def _against_schema(value: Any, root: Path, schema: str, file: str) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    if wrong := _key_that_is_no_text(value):
        place = f" of '{wrong[0]}'" if wrong[0] else ""
        file = file.replace("{paper}", wrong[0].split("/")[0])
        raise ConfigError(f"config/{file}: the key {wrong[1]!r}{place} is no text; quote it")
    rules = json.loads((root / f"config/schemas/{schema}.schema.json").read_text(encoding="utf-8"))
    error = best_match(Draft202012Validator(rules).iter_errors(value))
    if error is None:
        return
    place = ".".join(map(str, error.absolute_path))
    paper = re.split("[/:.]", place)[0] or "<paper>"
    if paper == "own" and file.endswith("{paper}.yaml"):
        file = "own.yaml"
    file = file.replace("{paper}", paper)
    raise ConfigError(f"config/{file}: {place + ': ' if place else ''}{_said(error)}")


def _said(error: Any) -> str:
    """Return what is wrong in words of at most a line, without the entry itself."""
    if error.validator == "additionalProperties":
        allowed = sorted(error.schema.get("properties", {}))
        wrong = [key for key in error.instance if key not in allowed]
        return f"unknown key '{wrong[0]}'{nearest(str(wrong[0]), allowed)}"
    if error.validator == "enum":
        allowed = [str(choice) for choice in error.validator_value]
        hint = nearest(str(error.instance), allowed)
        return f"'{error.instance}' is none of {', '.join(allowed)}{hint}"
    if error.validator in ("oneOf", "anyOf"):
        kinds = [sorted(part.get("required", [])) for part in error.validator_value]
        given = set(error.instance) if isinstance(error.instance, dict) else set()
        missing = min((sorted(set(kind) - given) for kind in kinds), key=len, default=[])
        if missing:
            return f"needs {', '.join(repr(name) for name in missing)}"
        return "does not fit any of the kinds of entry that the schema knows"
    if len(error.message) > LONGEST:
        return f"{str(error.instance)[:40]}...: breaks the rule '{error.validator}' of its schema"
    return str(error.message)


def _key_that_is_no_text(value: Any, place: str = "") -> tuple[str, Any] | None:
    """Return where a mapping has a key that is no text, and that key.

    Below ``parameters``, ``profiles``, ``options`` and the ``values`` of readings the functions
    themselves say what they take.
    """
    if isinstance(value, list):
        found = (_key_that_is_no_text(part, place) for part in value)
        return next((wrong for wrong in found if wrong), None)
    if not isinstance(value, dict):
        return None
    for key, part in value.items():
        if not isinstance(key, str):
            return place, key
        if key not in ("parameters", "profiles", "options", "values"):
            inside = _key_that_is_no_text(part, f"{place}.{key}".strip("."))
            if inside:
                return inside
    return None


def _place(kind: str, address: str, marked: Mapping[str, str]) -> str:
    """Return the file that an entry stands in, and its address."""
    if address in marked:
        return f"{marked[address]}: {address}"
    paper = address.split("/")[0]
    return f"config/{'' if paper == 'own' else f'{kind}/'}{paper}.yaml: {address}"


def _check_experiment(config: Config, place: str, entry: Entry) -> None:
    _refuse_two_protocols(place, entry)
    try:
        for group in entry.get("scores", []):
            known(config.datasets, group["data"], "data set")
            known(config.protocols, group["protocol"], "protocol")
            for model in group["models"]:
                split(model, config.models)
        for name in entry.get("features", []):
            known(config.datasets, name, "data set")
        accepted = source_tree().function(entry["function"])
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    supplied = {"spawn", *({"scores", "features"} & set(entry))}
    for profile in PROFILES:
        parameters.check(place, accepted, overlaid(entry, profile)["parameters"], supplied)
    if "readings" in entry:
        readings.check(place, entry)
        _check_readings(place, entry, accepted, supplied)


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


def _check_readings(
    place: str, entry: Entry, accepted: Definition, supplied: Collection[str]
) -> None:
    """Make sure that the function takes what each reading changes, in every profile."""
    changes = readings.readings(entry["readings"])
    for profile in PROFILES:
        given = overlaid(entry, profile)["parameters"]
        for name, changed in changes.items():
            parameters.check(f"{place}: reading '{name}'", accepted, given | changed, supplied)
    if "at_once" in entry["readings"]:
        try:
            at_once = source_tree().function(entry["readings"]["at_once"])
        except ConfigError as error:
            raise ConfigError(f"{place}: readings: {error}") from None
        if "readings" not in (at_once.parameters or ()):
            raise ConfigError(f"{place}: readings: at_once: the function takes no 'readings'")


def _check_protocol_parameters(name: str, entry: Entry) -> None:
    place = f"config/protocols.yaml: {name}"
    check_there(place, entry["function"])
    try:
        function = source_tree().function(entry["function"])
    except ConfigError:
        return  # a function of another library
    for profile in PROFILES:
        given = overlaid(entry, profile)["parameters"]
        parameters.check(place, function, given, [*function.required[:2], "groups", "X"])


def _check_artefact(config: Config, place: str, entry: Entry) -> None:
    try:
        known(config.experiments, entry["experiment"], "experiment")
        accepted = source_tree().function(entry["renderer"])
        turned = source_tree().function(entry["surface"]) if "surface" in entry else None
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    parameters.check(place, accepted, entry.get("parameters", {}), accepted.required[:2])
    if turned:
        parameters.check(place, turned, entry.get("parameters", {}), turned.required[:1])


def _check_statement(config: Config, identifier: str, entry: Entry) -> None:
    place = f"config/statements/{identifier.split(':')[0]}.yaml: {identifier}"
    try:
        for name in [*entry["reads"], *entry.get("also", [])]:
            known(config.experiments, name, "experiment")
        for form in entry.get("general", []):
            source_tree().function(form["measure"])
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    _check_judging(place, entry)
    for form in entry.get("general", []):
        _check_judging(f"{place}: general", entry | form)


def _check_judging(place: str, entry: Entry) -> None:
    """Make sure that statement and control are there and take their parameters."""
    for part in (entry, entry["control"]):
        try:
            accepted = source_tree().function(part["function"])
        except ConfigError as error:
            raise ConfigError(f"{place}: {error}") from None
        supplied = (accepted.parameters or ())[:1]
        parameters.check(place, accepted, part.get("parameters", {}), [*supplied, "spawn"])
