"""The page of models: the words of model names, protocols, and choices that the works leave open.

    python tools/models.py

The words are written into the package, for use outside a project; `tools/site.py` makes the page.
The prose stands in tools/models.yaml.
"""

import json
from pathlib import Path

from opchar_reproduction.project.configuration.config import read_yaml
from opchar_reproduction.project.configuration.model import Config

ROOT = Path(__file__).resolve().parents[1]
PROSE = ROOT / "tools/models.yaml"
WORDS = ROOT / "src/opchar/models/vocabulary.json"


def page(config: Config) -> str:
    """Return the page."""
    prose = read_yaml(PROSE)
    lines = ["# Models", ""]
    for paragraph in prose["introduction"]:
        lines += [paragraph, ""]
    lines += [*_words(config), "## Protocols", "", *_head("protocol", "meaning")]
    lines += [_cells(f"`{name}`", entry["summary"]) for name, entry in config.protocols.items()]
    lines += ["", "## Choices that the works leave open", ""]
    lines += [f"- {choice}" for choice in prose["choices"]]
    return "\n".join(lines) + "\n"


def _words(config: Config) -> list[str]:
    lines = ["## Words", ""]
    for kind, title in (
        ("mapping", "Mappings, before a classifier or detector"),
        ("classifier", "Classifiers, last in a name"),
        ("detector", "Detectors of one class, last in the name of a first stage"),
        ("system", "Systems, before the names of a detector and, after a plus, of a classifier"),
    ):
        lines += [f"### {title}", "", *_head("word", "meaning", "example", "also", "function")]
        for word, entry in config.models.items():
            if entry["kind"] == kind:
                given = [f"{name} = {value}" for name, value in entry.get("parameters", {}).items()]
                lines.append(
                    _cells(
                        f"`{word}`",
                        "; ".join([entry["summary"], *given]),
                        f"`{entry.get('example', word)}`",
                        ", ".join(f"`{alias}`" for alias in entry.get("aliases", [])),
                        f"`{entry['function'].removeprefix('opchar.models.')}`",
                    )
                )
        lines.append("")
    return lines


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _head(*names: str) -> list[str]:
    return [_cells(*names), _cells(*["---"] * len(names))]


def words() -> str:
    """Return the words of ``config/models.yaml`` as the package has them."""
    return json.dumps(read_yaml(ROOT / "config/models.yaml"), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    WORDS.write_text(words(), encoding="utf-8")
