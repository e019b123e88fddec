"""Write docs/<paper>.md: what stands behind each artefact, and the choices the work leaves open.

python tools/works.py
"""

from __future__ import annotations

from pathlib import Path

from opchar.pipeline.configuration.config import load
from opchar.pipeline.configuration.model import Config
from opchar.publication import folders
from opchar.report.comparison.published import read_about, read_catalogue

ROOT = Path(__file__).resolve().parents[1]


def pages(config: Config) -> dict[str, str]:
    """Return the text of each page by paper."""
    return {key: _page(key, folder, config) for key, folder in folders().items()}


def _page(key: str, folder: Path, config: Config) -> str:
    about = read_about(folder)
    lines = [f"# {key}", "", about["citation"], "", about["description"], ""]
    built = {a: e for a, e in config.artefacts.items() if a.startswith(f"{key}/")}
    labels = list(read_catalogue({key: folder})["artefact"])
    pending = [label for label in labels if f"{key}/{label}" not in built]
    lines += [
        f"{len(built)} artefacts are built, {len(pending)} of the work's own are not yet. "
        "Made by `python tools/works.py` from the configuration; do not edit.",
        "",
    ]
    if built:
        lines += ["| artefact | rule | experiment | renderer |", "| --- | --- | --- | --- |"]
        lines += [_row(address, entry, config) for address, entry in built.items()]
        lines.append("")
    chosen = {a: e["choices"] for a, e in built.items() if e.get("choices")}
    if chosen:
        lines += ["## Choices that the work leaves open", ""]
        for address, choices in chosen.items():
            lines += [f"- **{address.split('/')[1]}**"]
            lines += [f"  - {' '.join(choice.split())}" for choice in choices]
        lines.append("")
    if note := about.get("notes"):
        lines += [note]
    if pending:
        lines += ["## Not built yet", "", ", ".join(pending), ""]
    return "\n".join(lines)


def _row(address: str, entry: dict, config: Config) -> str:
    experiment = config.experiments[entry["experiment"]]
    cells = [
        f"`{address}`",
        f"`run_{experiment['kind']}`",
        f"`{experiment['function'].removeprefix('opchar.publications.')}`",
        f"`{entry['renderer'].removeprefix('opchar.publications.')}`",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    for name, text in pages(load(ROOT)).items():
        (ROOT / f"docs/{name}.md").write_text(text, encoding="utf-8")
