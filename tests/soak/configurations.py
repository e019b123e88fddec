"""Damaged configurations: refused in one line, or right for a plan and for its jobs."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from checkout import ROOT
from opchar.datasets import registry
from opchar.errors import ConfigError, OpcharError
from opchar.models.names import parse
from opchar_reproduction.project.configuration import config as configuration
from opchar_reproduction.project.configuration.config import (
    load,
    read_resolved,
    read_yaml,
    write_resolved,
)
from opchar_reproduction.project.configuration.model import PROFILES
from opchar_reproduction.project.configuration.studies import read_studies
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from soak.mutations import of_bytes, of_tree
from soak.trials import Action

FILES = ("config", "datasets", "models", "protocols")
# How many experiments stand in the user's own file.
KEPT = 2

Tree = dict[str, Any]


@cache
def whole() -> dict[str, Tree]:
    """Return the files of the configuration by name."""
    return {name: read_yaml(ROOT / f"config/{name}.yaml") for name in FILES}


def part(chance: Random) -> dict[str, Tree]:
    """Return a configuration that is right, with a few experiments of a user's own."""
    studies = read_studies(ROOT / "src/opchar_reproduction")
    named = {address: f"own/{address.partition('/')[2]}" for address in studies.experiments}
    chosen = chance.sample(sorted(named), KEPT)
    dropped = ("variants", "same_draws_as", "on_request")
    experiments = {
        named[address]: {k: v for k, v in studies.experiments[address].items() if k not in dropped}
        for address in chosen
    }
    artefacts = {
        f"own/{address.partition('/')[2]}": entry | {"experiment": named[entry["experiment"]]}
        for address, entry in studies.artefacts.items()
        if named[entry["experiment"]] in experiments
    }
    own = {"experiments": experiments, "artefacts": artefacts}
    return deepcopy(whole()) | {"own": {key: value for key, value in own.items() if value}}


def written(trees: Mapping[str, Any], folder: Path) -> None:
    """Write a configuration as YAML, which has JSON in it, into a folder with the schemas."""
    for name, tree in trees.items():
        path = folder / "config" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_yaml(tree), encoding="utf-8")
    (folder / "config/schemas").symlink_to(ROOT / "config/schemas")
    (folder / "workflow").symlink_to(ROOT / "workflow")
    (folder / "environment.yml").symlink_to(ROOT / "environment.yml")


def as_yaml(tree: Any) -> str:
    import yaml

    return yaml.dump(tree, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)


def damaged(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a configuration with one damage, and what reads it."""
    trees = part(chance)
    weights = [1 if name in FILES else 2 for name in trees]
    name = chance.choices(list(trees), weights)[0]
    if not trees[name]:
        name = "datasets"
    if chance.random() < 0.15:
        written(trees, folder)
        path = folder / "config" / f"{name}.yaml"
        path.write_bytes(of_bytes(path.read_bytes(), chance))
        said = f"{name}: damaged bytes"
    else:
        trees[name], said = of_tree(trees[name], chance)
        said = f"{name}: {said}"
        written(trees, folder)
    return said, lambda: faults(folder)


def faults(folder: Path) -> str:
    """Return what is wrong with a configuration that was accepted; nothing when it is right."""
    config = load(folder)
    plan = Plan(config)
    for profile in PROFILES:
        for task in Tasks(plan).of_profile(profile):
            json.dumps(task.given, default=str)
    if read_resolved(write_resolved(config, folder)) != config:
        return "its jobs would be given another configuration"
    try:
        _made(config)
    except OpcharError as error:
        return f"a job would say: {error}"
    return ""


def _made(config: configuration.Config) -> None:
    """Make what the entries of a configuration name, as its jobs would, but for the computing."""
    for name, entry in config.datasets.items():
        if registry.is_view(entry):
            registry.load_view(name, entry)
            registry.base_name(name, config.datasets)
        else:
            registry.load(name, entry)
    for entry in config.experiments.values():
        for group in entry.get("scores", []):
            for model in group["models"]:
                parse(model, config.models)


def own(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged file of a user's own entries, ``config/own.yaml``."""
    trees = part(chance)
    (folder / "mine").mkdir()
    entry = {
        "title": "mine",
        "own": True,
        "files": {"mine.csv": {"size": 10, "sha256": "0" * 64}},
        "licence": "yours",
        "citation": "yours",
        "reader": "opchar.datasets.readers:headed",
        "options": {"target": "y", "separator": ","},
        "shape": [20, 2],
        "classes": {"a": 10, "b": 10},
    }
    mine = {
        "folders": {"mine": str(folder / "mine")},
        "datasets": {"mine": entry},
        "protocols": {"own-5": dict(trees["protocols"]["holdout-10"])},
        "experiments": {
            "own/mine": {
                "kind": "metric",
                "function": "opchar_reproduction.user_data:every_analysis",
                "basis": "data",
                "scores": [{"data": "mine", "protocol": "own-5", "models": ["sc ldc", "knnc3"]}],
                "parameters": {"prior_range": [0.1, 0.9], "alpha": 0.5},
            }
        },
        "artefacts": {
            "own/mine-spaces": {
                "kind": "figure",
                "experiment": "own/mine",
                "renderer": "opchar_reproduction.figures.own_data:in_four_spaces",
                "title": "Mine",
                "section": "own",
                "caption": "Mine.",
                "lines": ["summary"],
            }
        },
    }
    changed, said = of_tree(mine, chance)
    written(trees, folder)
    (folder / "config/own.yaml").write_text(as_yaml(changed), encoding="utf-8")
    return f"own: {said}", lambda: faults(folder)


EXTENSION = '''"""A model of one's own."""
from opchar_reproduction.words import word


@word("mine", summary="a model of one's own", arguments=r" ?(\\d+)", aliases=["my own"])
def mine(count=3):
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(count)
'''


def extension(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged file of words of a user's own; that it runs nothing is looked at too."""
    trees = part(chance)
    trees["config"] = trees["config"] | {"extensions": ["mine.py"]}
    written(trees, folder)
    text = f"open({str(folder / 'ran')!r}, 'w')\n{EXTENSION}".encode()
    changed = of_bytes(text, chance)
    (folder / "mine.py").write_bytes(changed)

    def read() -> str:
        wrong = faults(folder)
        return "the file was run" if (folder / "ran").exists() else wrong

    return f"extension: {changed[-400:]!r}", read


def model_name(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a name of a model: a right one that must be accepted, or a damaged one.

    What is accepted must make an estimator.
    """
    models = whole()["models"]
    if right := chance.random() < 0.5:
        name = _right_name(chance, models)
    else:
        name = _damaged_name(chance)

    def read() -> str:
        try:
            estimator = parse(name, models)
        except ConfigError as error:
            if right:
                return f"a right name was refused: {error}"
            raise
        y = np.arange(40) % 2
        X = np.random.default_rng(1).normal(size=(40, 12)) + y[:, None]
        with suppress(ValueError):  # said with data set, model and fold by the job
            estimator.fit(X, y)
        return ""

    return f"model {name!r}", read


def _right_name(chance: Random, models: dict[str, Any]) -> str:
    """Return the example of a word with other numbers, letters and separators, or after a mapping.

    Blanks and hyphens are the same, and so are capitals; a whole number stays one from 1 on.
    """
    examples = {word: entry["example"] for word, entry in models.items()}
    kinds = {word: entry["kind"] for word, entry in models.items()}
    word = chance.choice([word for word, kind in kinds.items() if kind != "detector"])
    name = str(examples[word])
    if kinds[word] == "mapping" and not name.split()[-1].startswith(("mlp", "nmc", "mindist")):
        name += chance.choice([" nmc", " ldc", " qdc"])
    if kinds[word] != "system" and chance.random() < 0.4:
        name = f"{chance.choice(['sc', 'pca3', 'fisher'])} {name}"
    name = re.sub(r"(?<![\d.])\d+(?!\.?\d)", lambda _: str(chance.randint(1, 9)), name)
    name = re.sub(r"0\.\d+", lambda _: f"0.{chance.randint(1, 9)}", name)
    name = name.replace(" ", chance.choice([" ", "  ", " "]))
    if "+" not in name and chance.random() < 0.3:
        name = name.replace(" ", "-")
    return name.upper() if chance.random() < 0.2 else name


def _damaged_name(chance: Random) -> str:
    """Return a name of an experiment with up to three places replaced."""
    names = sorted(
        {
            model
            for entry in read_studies(ROOT / "src/opchar_reproduction").experiments.values()
            for group in entry.get("scores", [])
            for model in group["models"]
        }
    )
    pieces = ["", "0", "-", " ", ",", "+", ".", "99999", "é", "ldc", " sc ", "pca0", ":"]
    text = list(chance.choice(names))
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(text) + 1)
        text[place : place + chance.randrange(3)] = chance.choice([*pieces, "os:system"])
    return "".join(text)


def kept(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a configuration kept for the jobs of a run whose bytes were changed."""
    path = write_resolved(_right(), folder)
    right = path.read_bytes()
    path.write_bytes(of_bytes(right, chance))

    def judge() -> str:
        read_resolved(path)
        return "" if path.read_bytes() == right else "another configuration is believed"

    return "a configuration kept for jobs", judge


@cache
def _right() -> configuration.Config:
    return load(ROOT, check=False)
