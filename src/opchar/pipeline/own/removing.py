"""Removal of a user's entries and of everything made from them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from opchar.errors import ConfigError, nearest
from opchar.files import read_json, write_text
from opchar.models.names import slug, split
from opchar.pipeline.configuration.model import Config
from opchar.pipeline.own.entries import FILE, SETTINGS, read_entries, write
from opchar.pipeline.variants import of_earlier_versions

# Where a run keeps what it makes of a data set, an experiment, an artefact and a trained model.
OF_DATA = (
    "data/raw/{name}",
    "data/features/{name}.*",
    "data/scores/*/{name}",
    "data/made/features/{name}.*",
    "data/made/raw/{name}",
    "data/made/raw/{name}.*",
    "data/made/scores/*/{name}",
    "logs/fetch/{name}.*",
    "logs/features/{name}.*",
    "logs/*/train/{name}",
)
OF_EXPERIMENT = (
    "results/*/experiments/{name}.csv",
    "results/*/experiments/{name}.parquet",
    "results/*/made/experiments/{name}.json",
    "results/*/variants/{name}.csv",
    "results/*/variants/{name}.parquet",
    "results/*/made/variants/{name}.json",
    "results/*/parts/{name}",
    "results/*/made/parts/{name}",
    "logs/*/parts/{name}",
    "logs/*/experiments/{name}.log",
    "logs/*/experiments/{name}.tsv",
    "logs/*/variants/{name}.log",
    "logs/*/variants/{name}.tsv",
)
OF_ARTEFACT = (
    *(f"results/*/{{name}}.{kind}" for kind in ("svg", "pdf", "png", "csv", "md", "tex")),
    "results/*/made/{name}.json",
    "logs/*/{name}.log",
)
OF_MODEL = (
    "data/scores/{name}.parquet",
    "data/scores/{name}.json",
    "data/made/scores/{name}.json",
)
OF_TRAINING = ("logs/{profile}/train/{subject}.log", "logs/{profile}/train/{subject}.tsv")


def remove(what: str, name: str, reread: Callable[[], Config]) -> list[str]:
    """Remove a user's entry and everything made from it.

    Parameters
    ----------
    what : {"data", "experiment", "extension", "leftovers"}
        Of ``leftovers`` there is no entry: what entries left that were taken out by hand.
    name : str
        Of the data set, the experiment or the file.
    reread : callable
        Reads the configuration, unchecked: an entry that is wrong can be removed, too.

    Returns
    -------
    list of str
        What was done, for people. The user's files of data and code stay.

    Raises
    ------
    ConfigError
        If there is no such entry, or others that stay need it.
    """
    try:
        before = reread()
    except ConfigError:
        before = None
    gone = {
        "data": _data,
        "experiment": _experiment,
        "extension": _extension,
        "leftovers": lambda _name: [],
    }[what](name)
    after = reread()
    if what == "extension":
        _refuse_what_is_needed(after, name)
    paths = set(leftovers(after))
    if before is not None:
        paths |= set(_no_longer_asked_for(before, after))
    count = _taken_away(paths)
    said = f"{count} files and folders made of it" if count != 1 else "1 file made of it"
    if what == "leftovers":
        return [f"removed: {count} files and folders of entries that are no longer there"]
    return [f"removed: {', '.join([name, *gone])}, and {said}"]


def _data(name: str) -> list[str]:
    """Take a data set and the experiments on it out of the user's file."""
    user_entries = read_entries()
    if name not in user_entries["datasets"]:
        raise ConfigError(
            f"{FILE}: no data set '{name}' of yours{nearest(name, list(user_entries['datasets']))}"
        )
    del user_entries["datasets"][name]
    user_entries["folders"].pop(name, None)
    gone = [
        address
        for address, entry in user_entries["experiments"].items()
        if name in {g["data"] for g in entry.get("scores", [])} | set(entry.get("features", []))
    ]
    _drop_experiments(user_entries, gone)
    write(user_entries)
    return gone


def _experiment(name: str) -> list[str]:
    """Take an experiment and what shows it out of the user's file."""
    user_entries = read_entries()
    address = name if name.startswith("own/") else f"own/{name}"
    if address not in user_entries["experiments"]:
        hint = nearest(address, list(user_entries["experiments"]))
        raise ConfigError(
            f"{FILE}: no experiment '{address}' of yours{hint}; one that a file marks goes with "
            "its mark, then 'opchar remove leftovers', or with 'opchar remove extension FILE'"
        )
    gone = _drop_experiments(user_entries, [address])
    write(user_entries)
    return gone


def _drop_experiments(user_entries: dict[str, Any], experiments: list[str]) -> list[str]:
    """Take experiments and their artefacts out of entries; return the artefacts."""
    for address in experiments:
        del user_entries["experiments"][address]
    shown = [
        a for a, entry in user_entries["artefacts"].items() if entry["experiment"] in experiments
    ]
    for address in shown:
        del user_entries["artefacts"][address]
    return shown


def _extension(name: str) -> list[str]:
    """Take a file out of the list of extensions, wherever it is listed."""
    user_entries = read_entries()
    if name in user_entries["extensions"]:
        user_entries["extensions"].remove(name)
        write(user_entries)
        return []
    text = SETTINGS.read_text(encoding="utf-8")
    root = yaml.compose(text)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    node = next((value for key, value in pairs if key.value == "extensions"), None)
    listed = [each.value for each in node.value] if isinstance(node, yaml.SequenceNode) else []
    if node is None or name not in listed:
        hint = nearest(name, [*user_entries["extensions"], *listed])
        raise ConfigError(f"'{name}' is not listed under extensions{hint}")
    if not node.flow_style:
        raise ConfigError(
            f"{SETTINGS}: take '{name}' out of the list under extensions, then type "
            "'opchar remove leftovers'"
        )
    rest = f"[{', '.join(each for each in listed if each != name)}]"
    write_text(text[: node.start_mark.index] + rest + text[node.end_mark.index :], SETTINGS)
    return []


def _refuse_what_is_needed(after: Config, name: str) -> None:
    """Refuse to take out words and experiments that entries which stay name."""
    for address, entry in after.experiments.items():
        for group in entry.get("scores", []):
            for model in group["models"]:
                try:
                    split(model, after.models)
                except ConfigError:
                    raise ConfigError(
                        f"{name}: '{address}' uses its model '{model}'; change or remove it first"
                    ) from None
    for address, entry in after.artefacts.items():
        if entry["experiment"] not in after.experiments:
            raise ConfigError(
                f"{name}: '{address}' shows its '{entry['experiment']}'; remove it first"
            )


def leftovers(config: Config) -> Iterator[Path]:
    """Yield what was made of entries that a configuration no longer has, or by earlier versions.

    Only what has the record of a job counts, so that nothing else in these folders is touched.

    Yields
    ------
    pathlib.Path
        Files and folders of results of one's own, of data sets that no entry describes, and of
        models whose words are gone.
    """
    yield from of_earlier_versions()
    for patterns, entries, folder in (
        (OF_EXPERIMENT, config.experiments, "experiments/own"),
        (OF_ARTEFACT, config.artefacts, "own"),
    ):
        for record in Path("results").glob(f"*/made/{folder}/*.json"):
            address = f"own/{record.stem}"
            if address not in entries:
                yield from _matching_paths(patterns, address)
    for kind, level in (("raw", 0), ("features", 0), ("scores", 1)):
        for record in Path("data/made", kind).rglob("*.json"):
            parts = record.relative_to(Path("data/made", kind)).with_suffix("").parts
            if len(parts) > level and parts[level] not in config.datasets:
                yield from _matching_paths(OF_DATA, parts[level])
            elif kind == "scores" and not _can_be_named(record, config):
                yield from _of_model("/".join(parts))


def _can_be_named(record: Path, config: Config) -> bool:
    """Whether the words of the model of a score table are still there."""
    table = Path("data/scores", record.relative_to("data/made/scores"))
    if not table.is_file():
        return True
    try:
        split(str(read_json(table)["model"]), config.models)
    except (ConfigError, KeyError):
        return False
    return True


def _no_longer_asked_for(before: Config, after: Config) -> Iterator[Path]:
    """Yield the results of what has changed, and the score tables that nothing asks for now."""
    changed = {
        address
        for address, entry in before.experiments.items()
        if address.startswith("own/") and after.experiments.get(address) != entry
    }
    for address in changed:
        yield from _matching_paths(OF_EXPERIMENT, address)
    for address, entry in before.artefacts.items():
        if entry["experiment"] in changed or (
            address.startswith("own/") and address not in after.artefacts
        ):
            yield from _matching_paths(OF_ARTEFACT, address)
    for model in _asked_for(before) - _asked_for(after):
        for folder in Path("data/scores").glob("*"):
            yield from _of_model(f"{folder.name}/{model}")


def _asked_for(config: Config) -> set[str]:
    """Return the score tables that the experiments of a configuration read."""
    return {
        f"{group['data']}/{group['protocol']}/{slug(model)}"
        for entry in config.experiments.values()
        for group in entry.get("scores", [])
        for model in group["models"]
    }


def _of_model(name: str) -> Iterator[Path]:
    """Yield the files of a score table: profile, data set, protocol and model with slashes."""
    profile, _, subject = name.partition("/")
    yield from _matching_paths(OF_MODEL, name)
    for pattern in OF_TRAINING:
        path = Path(pattern.format(profile=profile, subject=subject))
        if path.exists():
            yield path


def _matching_paths(patterns: tuple[str, ...], name: str) -> Iterator[Path]:
    quoted = re.sub(r"([\[*?])", r"[\1]", name)
    for pattern in patterns:
        yield from Path().glob(pattern.format(name=quoted))


def _taken_away(paths: set[Path]) -> int:
    """Remove files and folders, and the folders that they leave empty; return their number."""
    for path in sorted(paths):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)  # it went with its folder
    for folder in sorted({parent for path in paths for parent in path.parents}, reverse=True):
        if folder != Path() and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return len(paths)
