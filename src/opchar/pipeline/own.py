"""What a user adds: data sets with their analyses, and a folder of one's own."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from opchar.errors import ConfigError, DataError, OpcharError, nearest
from opchar.files import write_text
from opchar.models.names import split
from opchar.pipeline.configuration.config import OWN, Config, known, read_yaml

FILE = Path("config/own.yaml")
HEAD = """# Yours: data sets, their analyses, protocols. Written by 'opchar add', and yours to edit.
# 'opchar run own/<data set>' runs its analyses; 'opchar remove data <data set>' takes it out.
"""
MODELS = ("sc ldc", "sc knnc3")
PROTOCOL = "holdout-10"
ASKED = "own/asked"
PARAMETERS: dict[str, Any] = {"prior_range": [0.1, 0.9], "alpha": 0.5}
SEPARATORS = ",;\t|"
# Where a run keeps what it makes of a data set.
MADE = (
    ".opchar/again/raw/{name}",
    "data/raw/{name}",
    "data/features/{name}.*",
    "data/scores/*/{name}",
    "data/made/features/{name}.*",
    "data/made/raw/{name}*",
    "data/made/scores/*/{name}",
    "results/*/experiments/own/{name}.*",
    "results/*/own/{name}.*",
    "results/*/own/{name}-spaces.*",
    "results/*/own/{name}-summary.*",
    "results/*/made/experiments/own/{name}.*",
    "results/*/made/own/{name}-spaces.*",
    "results/*/made/own/{name}-summary.*",
    "logs/fetch/{name}.*",
    "logs/features/{name}.*",
    "logs/*/train/{name}",
    "logs/*/experiments/own/{name}.*",
    "logs/*/own/{name}-spaces.*",
    "logs/*/own/{name}-summary.*",
)


def add_data(
    file: Path,
    target: str,
    *,
    taken: list[str],
    name: str | None = None,
    models: list[str] | None = None,
    protocol: str = PROTOCOL,
) -> list[str]:
    """Enter a table of one's own as a data set with its analyses.

    Parameters
    ----------
    file : pathlib.Path
        A CSV with a header: one column of classes, the others numbers.
    target : str
        The column of classes.
    taken : list of str
        Names that data sets have.
    name : str, optional
        What to call it; after the file when not given.
    models : list of str, optional
        Names of models to train on it.
    protocol : str
        How it is split.

    Returns
    -------
    list of str
        What was done, for people.

    Raises
    ------
    DataError
        One line, if the file is not such a table.
    ConfigError
        If the name is taken or none.
    """
    name = name or re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise ConfigError(f"'{name}' cannot name a data set: small letters, digits and dashes")
    if name in taken:
        raise ConfigError(f"there is a data set '{name}' already; choose another by --name")
    entry = described(file, target, name)
    own = read()
    own["folders"][name] = str(file.resolve().parent)
    own["datasets"][name] = entry
    own["experiments"][f"own/{name}"] = {
        "kind": "metric",
        "function": "opchar.experiments.own.analyses:every_analysis",
        "basis": "data",
        "scores": [{"data": name, "protocol": protocol, "models": list(models or MODELS)}],
        "parameters": PARAMETERS,
    }
    own["artefacts"][f"own/{name}-spaces"] = {
        "kind": "figure",
        "experiment": f"own/{name}",
        "renderer": "opchar.figures.own_data:in_four_spaces",
        "title": f"{entry['title']} in four spaces",
        "section": "own",
        "caption": f"Models on {entry['title']}, all test objects of all hold-outs pooled.",
        "lines": ["summary"],
    }
    own["artefacts"][f"own/{name}-summary"] = {
        "kind": "table",
        "experiment": f"own/{name}",
        "renderer": "opchar.figures.tables:grid",
        "title": f"Every analysis of {entry['title']}",
        "section": "own",
        "caption": f"Models on {entry['title']}: mean and spread over hold-outs.",
        "parameters": {"transpose": True},
        "lines": ["summary"],
    }
    write(own)
    n, d = entry["shape"]
    return [
        f"added: {name}, {n} objects, {d} features, "
        + ", ".join(f"{count} {label}" for label, count in entry["classes"].items()),
        f"written: {FILE}; its analyses: opchar run own/{name}-spaces own/{name}-summary",
    ]


@contextmanager
def kept_unless(check: Callable[[], object]) -> Iterator[None]:
    """Put the user's file back as it was when what was written to it is refused.

    Parameters
    ----------
    check : callable
        Called at the end of the block; raises when the configuration is wrong.

    Yields
    ------
    None
    """
    before = FILE.read_text(encoding="utf-8") if FILE.exists() else None
    try:
        yield
        check()
    except OpcharError:
        if before is None:
            FILE.unlink(missing_ok=True)
        else:
            write_text(before, FILE)
        raise


def described(file: Path, target: str, name: str) -> dict[str, Any]:
    """Return the entry of a table as ``config/datasets.yaml`` has them.

    Parameters
    ----------
    file : pathlib.Path
    target : str
        The column of classes.
    name : str
        The data set.

    Returns
    -------
    dict

    Raises
    ------
    DataError
        One line, if the file is not a table of numbers with such a column.
    """
    from opchar.datasets.readers import headed

    try:
        content = file.read_bytes()
        first = content.decode("utf-8-sig").splitlines()[0]
    except OSError:
        raise DataError(f"{file}: no such file") from None
    except (UnicodeDecodeError, IndexError):
        raise DataError(f"{file}: not a table in UTF-8 text with a header") from None
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", file.name):
        raise DataError(f"{file}: name the file with letters, digits, '_', '-' and '.' only")
    try:
        separator = csv.Sniffer().sniff(first, SEPARATORS).delimiter
    except csv.Error:
        raise DataError(f"{file}: no separator in its first line; use one of , ; tab |") from None
    options = {"target": target, "separator": separator}
    table = headed([file], **options)
    labels = table.labels.tolist()
    classes = {str(label): labels.count(label) for label in sorted(set(labels))}
    if len(classes) < 2:
        raise DataError(f"{file}: column '{target}' has only the class '{labels[0]}'")
    if few := [label for label, count in classes.items() if count < 2]:
        raise DataError(f"{file}: class '{few[0]}' of column '{target}' has one object only")
    return {
        "title": name,
        "own": True,
        "files": {file.name: {"size": len(content), "sha256": sha256(content).hexdigest()}},
        "licence": "yours",
        "citation": "yours",
        "reader": "opchar.datasets.readers:headed",
        "options": options,
        "shape": [len(table.X), table.X.shape[1]],
        "classes": classes,
    }


def remove_data(name: str) -> list[str]:
    """Take a data set of one's own out, with its analyses and all that was made of it.

    Parameters
    ----------
    name : str

    Returns
    -------
    list of str
        What was done, for people. The user's file itself stays.

    Raises
    ------
    ConfigError
        If it is none of the user's own.
    """
    own = read()
    if name not in own["datasets"]:
        known = list(own["datasets"])
        raise ConfigError(f"{FILE}: no data set '{name}' of yours{nearest(name, known)}")
    del own["datasets"][name]
    own["folders"].pop(name, None)
    gone = []
    for address, entry in list(own["experiments"].items()):
        if name in {group["data"] for group in entry.get("scores", [])} | set(
            entry.get("features", [])
        ):
            del own["experiments"][address]
            gone.append(address)
    for address, entry in list(own["artefacts"].items()):
        if entry["experiment"] in gone:
            del own["artefacts"][address]
    write(own)
    removed = [path for pattern in MADE for path in Path().glob(pattern.format(name=name))]
    for path in removed:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return [f"removed: {name}, {', '.join(gone)}, and {len(removed)} files and folders made of it"]


def with_asked(
    config: Config, data: list[str], models: list[str] | None, protocol: str | None
) -> Config:
    """Return the configuration with an experiment that has models trained on data sets.

    Parameters
    ----------
    config : Config
    data : list of str
        Data sets, the user's own or those of the project.
    models : list of str, optional
        When not given: those that the user's own analyses of a set name, else two.
    protocol : str, optional
        Likewise.

    Returns
    -------
    Config
        With the experiment `ASKED`, which is never written to a file.

    Raises
    ------
    ConfigError
        One line, if there is no such data set, model or protocol.
    """
    groups = []
    for name in dict.fromkeys(data):
        known(config.datasets, name, "data set")
        analyses = config.experiments.get(f"own/{name}", {}).get("scores", [])
        own: dict[str, Any] = next((group for group in analyses if group["data"] == name), {})
        chosen = models or own.get("models") or list(MODELS)
        way = protocol or own.get("protocol") or PROTOCOL
        known(config.protocols, way, "protocol")
        for model in chosen:
            split(model, config.models)
        groups.append({"data": name, "protocol": way, "models": list(dict.fromkeys(chosen))})
    entry = {
        "kind": "metric",
        "function": "opchar.experiments.own.analyses:every_analysis",
        "basis": "data",
        "scores": groups,
        "parameters": PARAMETERS,
    }
    return replace(config, experiments=config.experiments | {ASKED: entry})


def read() -> dict[str, dict[str, Any]]:
    """Return the user's own entries by kind, empty where there are none.

    Returns
    -------
    dict of str to dict

    Raises
    ------
    ConfigError
        If the file is not a mapping of these kinds.
    """
    found = read_yaml(FILE) or {} if FILE.exists() else {}
    return {kind: dict(found.get(kind) or {}) for kind in OWN}


def write(own: dict[str, dict[str, Any]]) -> None:
    """Write the user's own entries; without any, the file goes.

    Parameters
    ----------
    own : dict of str to dict
    """
    import yaml

    kept = {kind: entries for kind, entries in own.items() if entries}
    if not kept:
        FILE.unlink(missing_ok=True)
        return
    write_text(HEAD + yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=100), FILE)


SNAKEFILE = """# Your project: the rules of OpChar as a module, and yours beside them.
module opchar:
    snakefile: "{home}/workflow/Snakefile"
    config: config


configfile: "config/config.yaml"


use rule * from opchar as opchar_*


rule mine:
    default_target: True
    input:
        [],
"""
README = """# {name}

A project on OpChar. Enter a table of yours and put it through every analysis:

    opchar add data table.csv --target class
    opchar run own/table-spaces own/table-summary

`config/own.yaml` has your data sets and their analyses, `config/config.yaml` the settings, and
`models.py` a model of your own, which can be named as `sc mine`. Name what you want made in the
rule `mine` of the `Snakefile`; then `snakemake --cores 2` makes it.
"""
MODEL = """from opchar.models.extend import word


@word("mine", summary="a model of your own")
def mine():
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)
"""


def new_project(folder: Path, home: Path) -> list[str]:
    """Lay out a folder that uses the workflow of the project as a module.

    Parameters
    ----------
    folder : pathlib.Path
        Not there yet, or empty.
    home : pathlib.Path
        The project.

    Returns
    -------
    list of str
        What was done, for people.

    Raises
    ------
    ConfigError
        If there is something in the folder.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something; give a new folder")
    settings = (home / "config/config.yaml").read_text(encoding="utf-8")
    settings = settings.replace("extensions: []", "extensions: [models.py]")
    write_text(SNAKEFILE.format(home=home.resolve().as_posix()), folder / "Snakefile")
    write_text(settings, folder / "config/config.yaml")
    write_text(README.format(name=folder.name), folder / "README.md")
    write_text(MODEL, folder / "models.py")
    shutil.copytree(home / "workflow/profiles", folder / "profiles")
    return [f"laid out: {folder}; its README.md says how to go on"]
