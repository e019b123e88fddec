"""What a page shows of one artefact, and its files beside the page."""

from __future__ import annotations

import re
import shutil
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from opchar.files import write_text
from opchar.report.content import Content
from opchar.report.layout import Entry
from opchar.report.ledger import named_stand_ins
from opchar.report.lines import counts

FILES = "files"
# Larger vector files are neither shown nor copied: a page must open at once.
INLINE_LIMIT = 300_000
COPY_LIMIT = 1_000_000
OPEN_LINES = 12


def item(
    entry: Entry, lines: Sequence[Mapping[Any, Any]], content: Content, folder: Path
) -> dict[str, Any]:
    """Return what the page of a work shows of one artefact, and put its files into the report.

    Parameters
    ----------
    entry : Entry
        Its place on the page.
    lines : sequence of mapping
        Its ledger lines (`opchar.report.lines.readable`).
    content : Content
    folder : pathlib.Path
        The report.

    Returns
    -------
    dict
        What the template ``paper.html`` reads.
    """
    data = dict.fromkeys(line["data"] for line in lines if line["data"])
    replaced = Counter(name for line in lines for name in named_stand_ins(line["data"]))
    stem = Path(FILES) / entry.paper / entry.label
    shown: dict[str, Any] = {
        "entry": entry,
        "lines": lines,
        "counts": counts(line["verdict"] for line in lines),
        "stand_ins": [name for name, _ in replaced.most_common()],
        "data": [name for name in data if not named_stand_ins(name)],
        "open": entry.config is not None and len(lines) <= OPEN_LINES,
        "table": None,
        "image": None,
        "downloads": {},
    }
    if entry.address in content.tables:
        shown["open"] = False
        shown |= _table(entry, content, stem, folder)
    if entry.address in content.figures:
        copied = _copy(content.figures[entry.address], folder, stem)
        shown["downloads"] |= copied
        shown["image"] = _image(copied, folder)
    return shown


def _table(entry: Entry, content: Content, stem: Path, folder: Path) -> dict[str, Any]:
    block = content.tables[entry.address]
    texts = {
        "csv": block.to_csv(),
        "md": block.to_markdown(),
        "tex": block.to_latex(entry.title, f"tab:{entry.paper}-{entry.label}"),
    }
    downloads = {}
    for kind, text in texts.items():
        place = stem.with_name(f"{stem.name}.{kind}")
        write_text(text, folder / place)
        downloads[kind] = place.as_posix()
    table = Markup(block.to_html(f"{entry.name}: {entry.title}"))
    return {"table": table, "downloads": downloads}


def _copy(files: Mapping[str, Path], folder: Path, stem: Path) -> dict[str, str]:
    copied = {}
    for kind, source in sorted(files.items()):
        if kind != "png" and Path(source).stat().st_size > COPY_LIMIT:
            continue
        place = stem.with_name(f"{stem.name}.{kind}")
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / place)
        copied[kind] = place.as_posix()
    return copied


def _image(copied: Mapping[str, str], folder: Path) -> dict[str, Any] | None:
    """Choose the vector file when it is small, and tell its size for the layout."""
    for kind in ("svg", "png"):
        if kind not in copied:
            continue
        content = (folder / copied[kind]).read_bytes()
        if kind == "svg" and len(content) >= INLINE_LIMIT and "png" in copied:
            continue
        width, height = _svg_size(content) if kind == "svg" else _png_size(content)
        return {"src": copied[kind], "width": width, "height": height}
    return None


def _svg_size(content: bytes) -> tuple[int, int]:
    """Return width and height of an SVG in CSS pixels (a point is 4/3 of one)."""
    head = content[:4000].decode("utf-8", "replace")
    box = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', head)
    width, height = (float(box[1]), float(box[2])) if box else (518.4, 388.8)
    return round(width * 4 / 3), round(height * 4 / 3)


def _png_size(content: bytes) -> tuple[int, int]:
    """Return width and height of a PNG drawn at 200 dots an inch, in CSS pixels."""
    width, height = struct.unpack(">II", content[16:24])
    return round(width * 96 / 200), round(height * 96 / 200)
