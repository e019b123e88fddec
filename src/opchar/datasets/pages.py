"""The page of the data sets, made from the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opchar.datasets.registry import DataSet, Registry, View, is_view, load, load_view
from opchar.datasets.standins import describe, substitute

INTRODUCTION = """# Data sets

This page is made from `config/datasets.yaml` by `python -m opchar.datasets.pages`.

## Where data come from

Sources are tried in this order, and the first one with the right bytes is taken:

1. your own folder, named under `folders:` in `config/config.yaml`;
2. mirrors: `OPCHAR_MIRROR`, then those under `mirrors:`, a directory or an address laid out as
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
licence and citation of what is there. A server that cannot be reached is not asked again for ten
minutes, or until the next run.

`opchar data` lists the state of each set, `opchar data verify` re-checks all bytes.

## Your own folders

In `config/config.yaml`, with the files of a public set as listed below:

```yaml
mirrors: [/data/mirror]
folders:
  sonar: /data/uci/sonar
  cox: /data/COX
  imagenet-inception: /data/imagenet
```

COX Face and ImageNet are licensed: they are read from your folder and never copied. Images need
`pip install 'opchar[images]'`.

The folder of `cox` has one folder a video and in it one folder a person, in either layout; the
images of a person may lie deeper:

```
/data/COX/COX-S2V-Video/video1/20110319_0010/...    /data/COX/camera1/20110319_0010/...
/data/COX/COX-S2V-Video/video2/20110319_0010/...    /data/COX/camera3/20110319_0010/...
```

Other names of folders and persons go under `images:` of `cox` in `config/datasets.yaml`. Only
persons that are in both videos count, and of each the first 25 images by the numbers in their
names. A face table has the person as class and a column `frame`, which counts from 0; rows stand in
the order of the persons and, for each, of the frames. The local binary patterns are the 59 uniform
ones, which are not rotation invariant.

The folder of `imagenet-inception` has one folder a synset, at any depth, and at its top one
Inception-v3 network in the ONNX format (a link will do):

```
/data/imagenet/inception_v3.onnx
/data/imagenet/train/n02123045/n02123045_1.JPEG
```

The network takes 299 x 299 photographs, red, green, blue from -1 to 1, channels first or last; its
first output is the average pool of 2048 features, or the map before it. Which synsets make a group
stands in `config/datasets.yaml`. Features are kept in `data/raw/imagenet-inception-shards/`: a
killed run goes on where it was.

## Licences

Nothing is redistributed. The licence of each set stands below, in its `PROVENANCE.json` and in the
report: CC BY 4.0 for the UCI sets; none that is known for the sets that come with PRTools and for
phoneme, so ask before passing them on; a written agreement for COX Face, registration for ImageNet.
Generated sets and stand-ins have none.

## Missing values and codes

As in the thesis, only complete objects are used: objects with a missing value are left out, 8 of
366 in dermatology (no age) and 121 of 683 in soybean-large, which leaves 15 of its 19 classes. No
other set has missing values, and a file in which one turns up is refused. Category codes
(soybean-large) and grades (dermatology) are kept as the numbers in the files, nominal values of
ARFF files as their position from 0; none is spread out into indicators.
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


def main() -> None:
    """Write ``docs/data.md`` from ``config/datasets.yaml``, both in the working directory."""
    from pathlib import Path

    import yaml

    from opchar.files import write_text

    registry = yaml.safe_load(Path("config/datasets.yaml").read_text(encoding="utf-8"))
    write_text(markdown(registry), "docs/data.md")


if __name__ == "__main__":
    main()
