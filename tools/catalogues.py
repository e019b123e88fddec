"""The catalogues of the documentation site: publications, data sets, models.

They are made from the configuration whenever the site is.
"""

import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path

from opchar.datasets.registry import DataSet, Registry, View, is_view, load, load_view
from opchar.datasets.standins import describe, substitute
from opchar_reproduction.project.configuration.config import load as load_config
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_about, read_catalogue

ROOT = Path(__file__).resolve().parents[1]
MODELS = runpy.run_path(str(ROOT / "tools/models.py"))
cells, head = MODELS["cells"], MODELS["head"]


def catalogues() -> dict[str, str]:
    """Return the text of each page by its name."""
    config = load_config(ROOT)
    works = {key: publication(key, folder, config) for key, folder in folders().items()}
    return {
        **{key: "\n".join(lines) for key, lines in works.items()},
        "data-sets": "\n".join(data_sets(config.datasets)) + "\n",
        "models": MODELS["page"](config),
    }


def publication(key: str, folder: Path, config: Config) -> Iterator[str]:
    """Yield the page of a publication: its artefacts, and the choices that it leaves open."""
    about = read_about(folder)
    built = {a: e for a, e in config.artefacts.items() if a.startswith(f"{key}/")}
    listed = read_catalogue({key: folder})["artefact"]
    pending = [label for label in listed if f"{key}/{label}" not in built]
    yield from (f"# {about['title']}", "", about["citation"], "", about["description"], "")
    yield from (f"{len(built)} figures, tables, equations, algorithms and theorems are made.", "")
    if built:
        yield from head("artefact", "study", "drawn by")
        for address, entry in built.items():
            code = config.experiments[entry["experiment"]]["function"], entry["renderer"]
            names = (each.removeprefix("opchar_reproduction.publications.") for each in code)
            yield cells(*(f"`{each}`" for each in (address, *names)))
        yield ""
    chosen = {a: e["choices"] for a, e in built.items() if e.get("choices")}
    if chosen:
        yield from ("## Choices that the publication leaves open", "")
        for address, choices in chosen.items():
            yield f"- **{address.split('/')[1]}**"
            yield from (f"  - {' '.join(choice.split())}" for choice in choices)
        yield ""
    if note := about.get("notes"):
        yield note
    if pending:
        yield from ("## Not built yet", "", ", ".join(pending), "")


def data_sets(registry: Registry) -> Iterator[str]:
    """Yield the page of all data sets, from ``config/datasets.yaml``."""
    sets = [load_view(*each) if is_view(each[1]) else load(*each) for each in registry.items()]
    yield from ("# Data sets", "", "How data are found, and your own folders: [data](data.md).", "")
    yield from head("set", "objects", "features", "classes", "real data")
    for data in sets:
        known = [*data.shape, len(data.classes)] if data.classes else ["varies"] * 3
        yield cells(f"[{data.name}](#{data.name})", *known, _whence(data))
    for data in sets:
        yield from ("", f"## {data.name}", "")
        yield from _view(data) if isinstance(data, View) else _set(data)


def _whence(data: DataSet | View) -> str:
    if isinstance(data, View):
        return f"view of {data.base}"
    if data.generator:
        return "synthetic"
    if data.licensed:
        return "licensed: your own folder"
    if not data.files:
        return "never published: stand-in"
    return "official address" if data.official else "mirror or own folder"


def _set(data: DataSet) -> Iterator[str]:
    yield from (f"{data.title}. {data.notes}".strip(), "")
    if data.classes:
        yield f"* Classes: {_counts(data.classes)}"
    if data.official:
        yield f"* Official address: <{data.official.url}>"
    if data.page:
        yield f"* About it: <{data.page}>"
    yield f"* Licence: {data.licence}"
    yield f"* Cite: {data.citation}"
    if split := data.recommended_split:
        yield (
            f"* Recommended split: the first {split['train']} objects train, the other "
            f"{data.shape[0] - int(split['train'])} test ({split['note']})"
        )
    if data.generator:
        yield f"* Made by: `{data.generator['function']}`"
    else:
        real = data.stand_in.get("real")
        yield f"* Stand-in: {f'{real}, else ' if real else ''}{describe(data)}"
    if (other := substitute(data)) is not None:
        yield f"* Licence of {other.folder}: {other.licence}; cite: {other.citation}"
    if data.files:
        yield from ("", *head(f"file in `{data.folder}/`", "bytes", "SHA-256"))
        for name, raw in data.files.items():
            yield cells(name, raw.size, f"`{raw.sha256}`")


def _view(view: View) -> Iterator[str]:
    yield from (f"{view.title}. View of [{view.base}](#{view.base}).", "")
    if view.classes:
        yield f"* Classes: {_counts(view.classes)}"
    for group, members in view.groups.items():
        if members != [group]:
            yield f"* {group}: {', '.join(members)}"
    if view.leave_out:
        yield f"* Left out: {', '.join(view.leave_out)}"
    yield f"* Used in: {view.notes}"


def _counts(classes: Mapping[str, int]) -> str:
    return ", ".join(f"{label} {count}" for label, count in classes.items())
