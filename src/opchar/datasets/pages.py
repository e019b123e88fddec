"""The page of the data sets, made from the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opchar.datasets.registry import DataSet, Registry, View, is_view, load, load_view
from opchar.datasets.standins import describe

INTRODUCTION = """# Data sets

This page is made from `config/datasets.yaml`; change that file and run
`python -m opchar.datasets.pages`.

## Where data come from

Sources are tried in this order, and the first one with the right bytes is taken:

1. your own folder, named under `folders:` in `config/config.yaml`;
2. mirrors: `OPCHAR_MIRROR`, then `data: mirrors:`, a directory or an address laid out as
   `<folder>/<file>`;
3. the official address, an archive whose files inside are checked;
4. the stand-in: a made-up set of the same size, dimension, classes and difficulty. Every figure,
   table row and ledger line that rests on it says so.

| policy | takes |
| --- | --- |
| `auto` | the first source that works |
| `real` | no stand-in: a run that lacks a set ends before it begins, with all that is missing |
| `offline` | no socket is opened: own folders, local mirrors, stand-ins |

A file counts only when its SHA-256 is the one below, or, for the two text tables of `mfeat`, when
its numbers are: a wrong, cut, or missing file sends the search to the next source. Files arrive in
`data/raw/<set>/` whole or not at all, with a `PROVENANCE.json` that names source, time, checksums,
licence and citation. A server that cannot be reached is not asked again for ten minutes, or until
the next run.

`opchar data` lists the state of each set, `opchar data verify` re-checks all bytes.

## Licensed sets

COX Face and ImageNet are read from your own folder and never copied. COX may be laid out as
`COX-S2V-Video/video1/<person>/...` or as camera folders `camera1/<person>/...`; only persons that
are in both videos count, and of each the first 25 images by the numbers in their names. Rows of a
face table stand in the order of the persons and, for each, of the frames. The local binary patterns
are the 59 uniform ones, which are not rotation invariant. The ImageNet folder has one folder a
synset, at any depth, and one Inception-v3 network as an `.onnx` file whose first output is the
average pool. Images need `pip install 'opchar[images]'`.

## Missing values and codes

As in the thesis, only complete objects are used: objects with a missing value are left out
(dermatology, soybean-large). Category codes are kept as numbers.
"""


def markdown(registry: Registry) -> str:
    """Return ``docs/data.md``.

    Parameters
    ----------
    registry : mapping
        ``config/datasets.yaml``.

    Returns
    -------
    str
        Markdown: how data are found, a table of all sets, then each set.
    """
    lines = [INTRODUCTION, "## All sets", "", "| set | objects | features | classes | real data |"]
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


def main() -> None:
    """Write ``docs/data.md`` from ``config/datasets.yaml``, both in the working directory."""
    from pathlib import Path

    import yaml

    from opchar.files import write_text

    registry = yaml.safe_load(Path("config/datasets.yaml").read_text(encoding="utf-8"))
    write_text(markdown(registry), "docs/data.md")


if __name__ == "__main__":
    main()
