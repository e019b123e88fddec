"""The catalogues of the documentation site: publications, data sets, models.

They are made from the configuration whenever the site is.
"""

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opchar.datasets.registry import DataSet, Registry, View, is_view, load, load_view
from opchar.datasets.standins import describe, substitute
from opchar_reproduction.project.configuration.config import load as load_config
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_about, read_catalogue

ROOT = Path(__file__).resolve().parents[1]


def catalogues() -> dict[str, str]:
    """Return the text of each page by its name."""
    config = load_config(ROOT)
    models = runpy.run_path(str(ROOT / "tools/models.py"))
    return {
        **{key: publication(key, folder, config) for key, folder in folders().items()},
        "data-sets": data_sets(config.datasets),
        "models": models["page"](config),
    }


def publication(key: str, folder: Path, config: Config) -> str:
    """Return the page of a publication: its artefacts, and the choices that it leaves open."""
    about = read_about(folder)
    lines = [f"# {about['title']}", "", about["citation"], "", about["description"], ""]
    built = {a: e for a, e in config.artefacts.items() if a.startswith(f"{key}/")}
    listed = read_catalogue({key: folder})["artefact"]
    pending = [label for label in listed if f"{key}/{label}" not in built]
    lines += [f"{len(built)} figures, tables, equations, algorithms and theorems are made.", ""]
    if built:
        lines += ["| artefact | study | drawn by |", "| --- | --- | --- |"]
        lines += [_artefact(address, entry, config) for address, entry in built.items()]
        lines.append("")
    chosen = {a: e["choices"] for a, e in built.items() if e.get("choices")}
    if chosen:
        lines += ["## Choices that the publication leaves open", ""]
        for address, choices in chosen.items():
            lines += [f"- **{address.split('/')[1]}**"]
            lines += [f"  - {' '.join(choice.split())}" for choice in choices]
        lines.append("")
    if note := about.get("notes"):
        lines += [note]
    if pending:
        lines += ["## Not built yet", "", ", ".join(pending), ""]
    return "\n".join(lines)


def _artefact(address: str, entry: dict, config: Config) -> str:
    experiment = config.experiments[entry["experiment"]]
    cells = [
        f"`{address}`",
        f"`{experiment['function'].removeprefix('opchar_reproduction.publications.')}`",
        f"`{entry['renderer'].removeprefix('opchar_reproduction.publications.')}`",
    ]
    return f"| {' | '.join(cells)} |"


def data_sets(registry: Registry) -> str:
    """Return the page of all data sets, from ``config/datasets.yaml``."""
    lines = ["# Data sets", "", "How data are found, and your own folders: [data](data.md).", ""]
    lines += ["| set | objects | features | classes | real data |"]
    lines.append("| --- | --- | --- | --- | --- |")
    lines += [_row(name, entry) for name, entry in registry.items()]
    for name, entry in registry.items():
        part = _view(load_view(name, entry)) if is_view(entry) else _set(load(name, entry))
        lines += ["", *part]
    return "\n".join(lines) + "\n"


def _row(name: str, entry: Mapping[str, Any]) -> str:
    if is_view(entry):
        view = load_view(name, entry)
        return _cells(name, view.shape, view.classes, f"view of {view.base}")
    data = load(name, entry)
    return _cells(name, data.shape, data.classes, _whence(data))


def _cells(name: str, shape: tuple[int, int], classes: Mapping[str, int], whence: str) -> str:
    known = [shape[0], shape[1], len(classes)] if classes else ["varies"] * 3
    return f"| [{name}](#{name}) | {known[0]} | {known[1]} | {known[2]} | {whence} |"


def _whence(data: DataSet) -> str:
    if data.generator:
        return "synthetic"
    if data.licensed:
        return "licensed: your own folder"
    if not data.files:
        return "never published: stand-in"
    return "official address" if data.official else "mirror or own folder"


def _set(data: DataSet) -> list[str]:
    lines = [f"## {data.name}", "", f"{data.title}. {data.notes}".strip(), ""]
    if data.classes:
        lines.append(f"* Classes: {_counts(data.classes)}")
    if data.official:
        lines.append(f"* Official address: <{data.official.url}>")
    if data.page:
        lines.append(f"* About it: <{data.page}>")
    lines.append(f"* Licence: {data.licence}")
    lines.append(f"* Cite: {data.citation}")
    if data.recommended_split:
        split = data.recommended_split
        lines.append(
            f"* Recommended split: the first {split['train']} objects train, the other "
            f"{data.shape[0] - int(split['train'])} test ({split['note']})"
        )
    if data.generator:
        lines.append(f"* Made by: `{data.generator['function']}`")
    else:
        real = data.stand_in.get("real")
        lines.append(f"* Stand-in: {f'{real}, else ' if real else ''}{describe(data)}")
    if (other := substitute(data)) is not None:
        lines.append(f"* Licence of {other.folder}: {other.licence}; cite: {other.citation}")
    if data.files:
        lines += ["", f"| file in `{data.folder}/` | bytes | SHA-256 |", "| --- | --- | --- |"]
        lines += [f"| {name} | {raw.size} | `{raw.sha256}` |" for name, raw in data.files.items()]
    return lines


def _view(view: View) -> list[str]:
    lines = [f"## {view.name}", "", f"{view.title}. View of [{view.base}](#{view.base}).", ""]
    if view.classes:
        lines.append(f"* Classes: {_counts(view.classes)}")
    for group, members in view.groups.items():
        if members != [group]:
            lines.append(f"* {group}: {', '.join(members)}")
    if view.leave_out:
        lines.append(f"* Left out: {', '.join(view.leave_out)}")
    lines.append(f"* Used in: {view.notes}")
    return lines


def _counts(classes: Mapping[str, int]) -> str:
    return ", ".join(f"{label} {count}" for label, count in classes.items())
