"""The configuration: read, validated and cross-checked before anything is planned."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, nearest
from opchar.files import write_text
from opchar_reproduction import publication, safe_yaml
from opchar_reproduction.project.configuration.extensions import (
    Extension,
    read_extension,
    with_metrics,
)
from opchar_reproduction.project.configuration.model import (
    PROFILES,
    Config,
    Entry,
    lookup,
    pack_keys,
    unpack_keys,
)
from opchar_reproduction.project.configuration.schemas import against_schema
from opchar_reproduction.project.configuration.studies import read_studies
from opchar_reproduction.words import extend_vocabulary

PACKAGE = Path(__file__).resolve().parents[2]

# A user's own file, and what it may hold: mappings of names to entries, and lists.
OWN_FILE = "config/own.yaml"
LISTS = ("extensions", "publications")
OWN = ("folders", "datasets", "protocols", "experiments", "artefacts")
# Files of entries beside the settings.
FILES = ("datasets", "models", "protocols")


# Where the configurations of runs are kept for their jobs.
CONFIGS = Path(".opchar/config")


def load(
    root: Path | str = ".",
    overrides: Mapping[str, Any] | None = None,
    *,
    check: bool = True,
    here: Path | str | None = None,
) -> Config:
    """Read ``config/`` and make sure that a run can be planned from it."""
    root = Path(root)
    place = root if here is None else Path(here)
    folders = [place, root]
    settings = read_yaml(_first_existing(folders, "config.yaml"))
    if isinstance(settings, dict):
        settings = settings | dict(overrides or {})
    own = _own(place / OWN_FILE)
    if check:
        against_schema(settings, root, "config", "config.yaml")
    settings = _with_lists(settings, own)
    theirs = dict.fromkeys(own.get("publications") or [], OWN_FILE)
    outside = publication.outside(settings.get("publications") or [], place, theirs)
    on_request = publication.outside(
        _paths_beside(settings.get("on_request") or [], folders), place
    )
    outside |= on_request
    publication.make_importable(outside)
    works = publication.folders() | outside
    settings["papers"] = _papers(settings, works, [key for key in outside if key not in on_request])
    settings["on_request"] = list(on_request)
    studies = read_studies(PACKAGE, outside, on_request)
    config = Config(
        root,
        settings,
        experiments=studies.experiments,
        artefacts=studies.artefacts,
        statements=studies.statements,
        publications={key: publication.from_here(path) for key, path in works.items()},
        **{kind: read_yaml(_first_existing(folders, f"{kind}.yaml")) for kind in FILES},
    )
    if check:
        against_schema(config.models, root, "models", "models.yaml")
    config = _with_own(config, own)
    if check:
        against_schema(config.settings, root, "config", "own.yaml")
    listed = dict.fromkeys(own.get("extensions") or [], OWN_FILE)
    files = config.settings.get("extensions", [])
    extensions = [
        read_extension(place, file, listed.get(file, "config/config.yaml")) for file in files
    ]
    config = _overridden(_with_extensions(config, place, extensions))
    if check:
        # It needs what stands here.
        from opchar_reproduction.project.configuration.validation import validate

        validate(config, extensions, studies.places | _places(own))
    return config


def _with_extensions(config: Config, place: Path, extensions: list[Extension]) -> Config:
    """Return the configuration with what files of a user's own mark."""
    words = extend_vocabulary(config.models, place, [each.file for each in extensions])
    experiments, artefacts = dict(config.experiments), dict(config.artefacts)
    for each in extensions:
        for kind, entries in (("experiments", experiments), ("artefacts", artefacts)):
            added = getattr(each.studies, kind)
            if twice := sorted(set(entries) & set(added)):
                where = each.studies.places[kind, twice[0]]
                raise ConfigError(f"{where}: there is a '{twice[0]}' already")
            entries |= added
    metrics = [name for each in extensions for name in each.metrics]
    experiments = with_metrics(experiments, metrics)
    return replace(config, models=words, experiments=experiments, artefacts=artefacts)


def _overridden(config: Config) -> Config:
    """Return the configuration with the values that the settings give to parameters of studies."""
    changed = dict(config.experiments)
    for address, given in (config.settings.get("parameters") or {}).items():
        entry = lookup(config.experiments, address, "study", "config/config.yaml: parameters")
        profiles = entry.get("profiles", {})
        changed[address] = entry | {
            "profiles": {name: profiles.get(name, {}) | given for name in PROFILES}
        }
    return replace(config, experiments=changed)


def _own(file: Path) -> Entry:
    """Return what a user's own file holds, which may be missing."""
    own = (read_yaml(file) or {}) if file.exists() or file.is_symlink() else {}
    kinds = (*OWN, *LISTS)
    if not isinstance(own, dict) or (unknown := sorted(set(own) - set(kinds))):
        what = f"unknown key '{unknown[0]}'" if isinstance(own, dict) else "not a mapping"
        raise ConfigError(f"{OWN_FILE}: {what}; it has {', '.join(kinds)}")
    return own


def _places(own: Entry) -> dict[tuple[str, str], str]:
    """Return where the entries of a user's own file stand, by kind and name."""
    return {(kind, name): f"{OWN_FILE}: {kind}" for kind in OWN for name in own.get(kind) or ()}


def _with_own(config: Config, own: Entry) -> Config:
    """Return the configuration with what a user's own file adds to it."""
    changed: dict[str, Any] = {}
    for kind in [kind for kind in OWN if own.get(kind)]:
        if not isinstance(own[kind], dict):
            raise ConfigError(f"{OWN_FILE}: {kind}: not a mapping of names to entries")
        ours = config.settings["folders"] if kind == "folders" else getattr(config, kind)
        if twice := sorted(set(ours) & set(own[kind])):
            raise ConfigError(f"{OWN_FILE}: {kind}: there is a '{twice[0]}' already")
        for name in own[kind]:
            if kind in ("experiments", "artefacts") and not str(name).startswith("own/"):
                raise ConfigError(f"{OWN_FILE}: {kind}: '{name}' must begin with 'own/'")
        if kind == "folders":
            changed["settings"] = config.settings | {"folders": ours | own[kind]}
        else:
            changed[kind] = ours | own[kind]
    return replace(config, **changed)


def _with_lists(settings: Entry, own: Entry) -> Entry:
    """Return the settings with what a user's own file lists besides."""
    changed = dict(settings)
    for kind in LISTS:
        files = own.get(kind) or []
        if not isinstance(files, list) or not all(isinstance(each, str) for each in files):
            raise ConfigError(f"{OWN_FILE}: {kind}: not a list of paths")
        listed = list(settings.get(kind) or [])
        if twice := [file for file in files if file in listed]:
            raise ConfigError(f"{OWN_FILE}: {kind}: config.yaml has '{twice[0]}' already")
        changed[kind] = [*listed, *files]
    return changed


def _papers(settings: Entry, works: Mapping[str, Path], outside: Iterable[str]) -> list[str]:
    """Return the works to reproduce: those listed, and all from outside."""
    listed = list(settings["papers"])
    for paper in listed:
        if paper not in works:
            hint = nearest(paper, list(works))
            raise ConfigError(f"config/config.yaml: papers: no publication '{paper}'{hint}")
    chosen = [*listed, *(key for key in outside if key not in listed)]
    if not chosen:
        raise ConfigError(f"config/config.yaml: papers: none; name some of {', '.join(works)}")
    return chosen


def _paths_beside(listed: Iterable[str], folders: list[Path]) -> list[str]:
    """Return where listed folders stand: in the working folder, the project, beside the sources."""
    homes = [*folders, PACKAGE.parents[1]]
    return [
        next((str(each) for home in homes if (each := home / name).is_dir()), name)
        for name in listed
    ]


def _first_existing(folders: list[Path], name: str) -> Path:
    """Return the first that exists of a file or folder of the configuration."""
    places = [folder / "config" / name for folder in folders]
    return next((place for place in places if place.exists()), places[-1])


def write_resolved(config: Config, folder: Path) -> Path:
    """Write the whole configuration to a file named after its content, for the jobs of a run."""
    text = _text(config)
    path = folder / f"{_fingerprint(text)}.json"
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(text, path)
    return path


def place_of(config: Config, folder: Path) -> Path:
    """Return the file that `write_resolved` writes, without writing it."""
    return folder / f"{_fingerprint(_text(config))}.json"


def _text(config: Config) -> str:
    return json.dumps(pack_keys(vars(config)), default=str, ensure_ascii=False)


def _fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def read_resolved(path: Path) -> Config:
    """Read what `write_resolved` has written."""
    try:
        text = path.read_text(encoding="utf-8")
        if _fingerprint(text) != path.stem:
            raise ValueError
        said = json.loads(text, object_hook=unpack_keys)
        config = Config(**said | {"root": Path(said["root"])})
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(f"{path}: not the configuration of a run; plan it again") from None
    listed = list(config.settings.get("publications") or [])
    listed += [config.publications[key] for key in config.settings.get("on_request") or []]
    publication.make_importable(publication.outside(listed, Path()))
    return config


def read_yaml(path: Path) -> Any:
    """Read a YAML file; one that is broken, missing or too large is a `ConfigError`."""
    return safe_yaml.read_yaml(path)
