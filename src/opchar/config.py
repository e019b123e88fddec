"""The configuration: read, validated and cross-checked before anything is planned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from opchar.codehash import source_tree
from opchar.errors import ConfigError, nearest
from opchar.models.extend import extended, words_of
from opchar.models.names import split

PROFILES = ("tiny", "quick", "paper")
KINDS = ("metric", "anova", "vus", "reject", "ibc", "costs")

Entry = dict[str, Any]


@dataclass(frozen=True)
class Config:
    """All of ``config/`` as plain mappings.

    Attributes
    ----------
    root : pathlib.Path
        Folder of the project, where ``config/`` stands.
    settings : dict
        ``config.yaml`` with what the command line changed.
    datasets, models, protocols, experiments, artefacts : dict
        Entries by name or address.
    """

    root: Path
    settings: Entry
    datasets: dict[str, Entry]
    models: dict[str, Entry]
    protocols: dict[str, Entry]
    experiments: dict[str, Entry]
    artefacts: dict[str, Entry]

    @property
    def profile(self) -> str:
        """Name of the profile that runs when no other is asked for."""
        return str(self.settings["profile"])

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self.settings["seed"])

    def experiment(self, address: str, profile: str) -> Entry:
        """Return the entry of an experiment with the parameters that hold in `profile`."""
        return overlaid(known(self.experiments, address, "experiment"), profile)

    def experiment_protocols(self, address: str, profile: str) -> dict[str, Entry]:
        """Return the entries of the protocols an experiment names, as they hold in `profile`."""
        names = known(self.experiments, address, "experiment").get("protocols", [])
        return {name: self.protocol(name, profile) for name in names}

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
    parameters = entry.get("parameters", {}) | entry.get("profiles", {}).get(profile, {})
    rest = {key: value for key, value in entry.items() if key != "profiles"}
    return rest | {"parameters": parameters}


def load(
    root: Path | str = ".", overrides: Mapping[str, Any] | None = None, *, check: bool = True
) -> Config:
    """Read ``config/`` and make sure that a run can be planned from it.

    Parameters
    ----------
    root : path-like
        Folder of the project.
    overrides : mapping, optional
        Values that replace those of ``config.yaml``, from the command line.
    check : bool
        Whether to validate; jobs of a run that was planned already need not.

    Returns
    -------
    Config

    Raises
    ------
    ConfigError
        One line that names the file, the place in it and the cure.
    """
    root = Path(root)
    settings = read_yaml(root / "config/config.yaml")
    if isinstance(settings, dict):
        settings = settings | dict(overrides or {})
    config = Config(
        root,
        settings,
        *(read_yaml(root / f"config/{name}.yaml") for name in ("datasets", "models", "protocols")),
        *(_read_folder(root / "config" / name) for name in ("experiments", "artefacts")),
    )
    if check:
        _against_schema(config.settings, root, "config", "config.yaml")
        _against_schema(config.models, root, "models", "models.yaml")
    words = extended(config.models, root, config.settings.get("extensions", []))
    config = replace(config, models=words)
    if check:
        _validate(config)
    return config


def read_yaml(path: Path) -> Any:
    """Read a YAML file; a broken or missing one is a `ConfigError`."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    except FileNotFoundError:
        raise ConfigError(f"{path}: not found; run from the folder of the project") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}:" if mark else ""
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ConfigError(f"{path}:{line} not YAML: {reason}") from None


def _read_folder(folder: Path) -> dict[str, Entry]:
    """Merge the files ``<paper>.yaml`` of a folder, whose keys begin with their paper."""
    merged: dict[str, Entry] = {}
    for path in sorted(folder.glob("*.yaml")):
        for address, entry in (read_yaml(path) or {}).items():
            if not str(address).startswith(f"{path.stem}/"):
                raise ConfigError(f"{path}: '{address}' must begin with '{path.stem}/'")
            merged[str(address)] = entry
    return merged


def _validate(config: Config) -> None:
    for file in config.settings.get("extensions", []):
        words = words_of(config.root, file)
        _against_schema(words, config.root, "models", f"config.yaml: extensions: {file}")
    for name in ("datasets", "protocols"):
        _against_schema(getattr(config, name), config.root, name, f"{name}.yaml")
    for name in ("experiments", "artefacts"):
        _against_schema(getattr(config, name), config.root, name, f"{name}/<paper>.yaml")
    for address, entry in config.experiments.items():
        _check_experiment(config, address, entry)
    for address, entry in config.artefacts.items():
        _check_artefact(config, address, entry)
    for name in config.settings["folders"]:
        known(config.datasets, name, "data set")


def _against_schema(value: Any, root: Path, schema: str, file: str) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    rules = json.loads((root / f"config/schemas/{schema}.schema.json").read_text(encoding="utf-8"))
    error = best_match(Draft202012Validator(rules).iter_errors(value))
    if error is None:
        return
    place = ".".join(map(str, error.absolute_path))
    message = error.message
    if error.validator == "additionalProperties":
        allowed = sorted(error.schema.get("properties", {}))
        wrong = [key for key in error.instance if key not in allowed]
        message = f"unknown key '{wrong[0]}'{nearest(str(wrong[0]), allowed)}"
    elif error.validator == "enum":
        allowed = [str(choice) for choice in error.validator_value]
        message = (
            f"'{error.instance}' is none of {', '.join(allowed)}"
            f"{nearest(str(error.instance), allowed)}"
        )
    raise ConfigError(f"config/{file}: {place + ': ' if place else ''}{message}")


def _check_experiment(config: Config, address: str, entry: Entry) -> None:
    place = f"config/experiments/{address.split('/')[0]}.yaml: {address}"
    try:
        for group in entry.get("scores", []):
            known(config.datasets, group["data"], "data set")
            _check_protocol(config, group["protocol"], "scores", "one data set")
            for model in group["models"]:
                split(model, config.models)
        for name in entry.get("features", []):
            known(config.datasets, name, "data set")
        for name in entry.get("protocols", []):
            _check_protocol(config, name, "protocols", "two videos")
        accepted = _parameters(entry["function"])
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    overlays = entry.get("profiles", {}).values()
    given = [name for part in [entry.get("parameters", {}), *overlays] for name in part]
    supplied = {"spawn", *({"scores", "features", "protocols"} & set(entry))}
    _check_parameters(place, given, [name for name in accepted if name not in supplied])


def _check_protocol(config: Config, name: str, key: str, wanted: str) -> None:
    over = known(config.protocols, name, "protocol").get("over", "one data set")
    if over != wanted:
        raise ConfigError(f"{key}: protocol '{name}' is over {over}, wanted is one over {wanted}")


def _check_artefact(config: Config, address: str, entry: Entry) -> None:
    place = f"config/artefacts/{address.split('/')[0]}.yaml: {address}"
    try:
        known(config.experiments, entry["experiment"], "experiment")
        accepted = _parameters(entry["renderer"])
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    _check_parameters(place, list(entry.get("parameters", {})), accepted)


def _check_parameters(place: str, given: list[str], accepted: Sequence[str]) -> None:
    for name in given:
        if name not in accepted:
            raise ConfigError(f"{place}: unknown parameter '{name}'{nearest(name, list(accepted))}")


def _parameters(reference: str) -> tuple[str, ...]:
    """Return the parameter names of a function of the package, without importing it."""
    return source_tree().function(reference).parameters or ()
