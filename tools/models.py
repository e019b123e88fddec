"""The page of models: the words of model names, protocols, and choices that the works leave open.

    python tools/models.py

The words are written into the package, for use outside a project; `tools/site.py` makes the page.
The prose stands in tools/models.yaml.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opchar_reproduction.project.configuration.config import read_yaml
from opchar_reproduction.project.configuration.model import Config

ROOT = Path(__file__).resolve().parents[1]
PROSE = ROOT / "tools/models.yaml"
WORDS = ROOT / "src/opchar/models/vocabulary.json"


KINDS = {
    "mapping": "Mappings, before a classifier or detector",
    "classifier": "Classifiers, last in a name",
    "detector": "Detectors of one class, last in the name of a first stage",
    "system": "Systems, before the names of a detector and, after a plus, of a classifier",
}


def page(config: Config) -> str:
    """Return the page."""
    prose = read_yaml(PROSE)
    lines = ["# Models", ""]
    for paragraph in prose["introduction"]:
        lines += [paragraph, ""]
    lines += ["## Words", ""]
    for kind, title in KINDS.items():
        lines += [f"### {title}", "", *head("word", "meaning", "example", "also", "function")]
        lines += [_word(*each) for each in config.models.items() if each[1]["kind"] == kind]
        lines.append("")
    lines += ["## Protocols", "", *head("protocol", "meaning")]
    lines += [cells(f"`{name}`", entry["summary"]) for name, entry in config.protocols.items()]
    lines += ["", "## Choices that the works leave open", ""]
    lines += [f"- {choice}" for choice in prose["choices"]]
    return "\n".join(lines) + "\n"


def _word(word: str, entry: Mapping[str, Any]) -> str:
    given = [f"{name} = {value}" for name, value in entry.get("parameters", {}).items()]
    return cells(
        f"`{word}`",
        "; ".join([entry["summary"], *given]),
        f"`{entry.get('example', word)}`",
        ", ".join(f"`{alias}`" for alias in entry.get("aliases", [])),
        f"`{entry['function'].removeprefix('opchar.models.')}`",
    )


def cells(*values: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, values))} |"


def head(*names: str) -> list[str]:
    """Return the first two rows of a table."""
    return [cells(*names), cells(*["---"] * len(names))]


def words() -> str:
    """Return the words of ``config/models.yaml`` as the package has them."""
    return json.dumps(read_yaml(ROOT / "config/models.yaml"), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    WORDS.write_text(words(), encoding="utf-8")
