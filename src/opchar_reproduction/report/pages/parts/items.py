"""What a page shows of one artefact, and its files beside the page."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from opchar.files import write_text
from opchar_reproduction.figures.latex_tables import to_latex
from opchar_reproduction.figures.model_words import spell_row
from opchar_reproduction.figures.tables import Cell
from opchar_reproduction.report.charts import dumbbells
from opchar_reproduction.report.comparison.published_values import short_title
from opchar_reproduction.report.content import Content
from opchar_reproduction.report.drawing import draw
from opchar_reproduction.report.explorer.interactive_3d import script
from opchar_reproduction.report.marks import count_unconfirmed
from opchar_reproduction.report.pages.layout import Entry
from opchar_reproduction.report.pages.parts.lines import counts
from opchar_reproduction.results import named_stand_ins

FILES = "files"
# Larger vector files are neither shown nor copied: a page must open at once.
INLINE_LIMIT = 300_000
COPY_LIMIT = 1_000_000
OPEN_LINES = 12
# A longer part of a reason is printed once for all values of an artefact that share it.
FIRST = 90
THUMBNAILS = f"{FILES}/thumbnails"
THUMB_WIDTH = 280
# Lets a picture be written from a PNG under a name, so wide; returns its address and size.
Picture = Callable[[Path, str, int], dict[str, Any]]


def item(
    entry: Entry, lines: Sequence[Mapping[Any, Any]], content: Content, folder: Path
) -> dict[str, Any]:
    """Return the entry of an artefact on a page, and put its files into the report."""
    data = dict.fromkeys(line["data"] for line in lines if line["data"])
    replaced = Counter(name for line in lines for name in named_stand_ins(line["data"]))
    stem = Path(FILES) / entry.paper / entry.label
    own_lines = [dict(line) for line in lines]
    found = counts(line["shown"] for line in own_lines)
    shown: dict[str, Any] = {
        "entry": entry,
        "evidence": condense_reasons(own_lines),
        "lines": own_lines,
        "against": count_unconfirmed(found),
        "dumbbells": [],
        "sets": any(entry.address in used.used_by for used in content.data),
        "counts": found,
        "stand_ins": [name for name, _ in replaced.most_common()],
        "data": [name for name in data if not named_stand_ins(name)],
        "open": entry.config is not None and len(own_lines) <= OPEN_LINES,
        "table": None,
        "image": None,
        "downloads": {},
        "surface": "",
    }
    if entry.address in content.tables:
        shown["open"] = False
        shown |= _table(entry, own_lines, content, stem, folder)
        shown["dumbbells"] = dumbbells(own_lines)
    if entry.address in content.figures:
        copied = _copy(content.figures[entry.address], folder, stem)
        shown["downloads"] |= copied
        shown["image"] = _image(copied, folder)
    if entry.address in content.surfaces:
        path = stem.with_name(f"{stem.name}.surface.js").as_posix()
        write_text(script(entry.address, content.surfaces[entry.address]), folder / path)
        shown["surface"] = path
    return shown


def _table(
    entry: Entry, lines: Sequence[Mapping[Any, Any]], content: Content, stem: Path, folder: Path
) -> dict[str, Any]:
    block = content.tables[entry.address]
    title = f"{entry.name}: {entry.title}"
    by_id = {line["id"]: line for line in lines}
    works = {work["paper"]: short_title(work) for work in content.papers.to_dict("records")}

    def outcome_and_basis(cell: Cell) -> tuple[str, bool]:
        line = by_id.get(cell.id)
        return (line["outcome"], line["basis"] == "stand-in") if line else ("", False)

    texts = {
        "csv": block.to_csv(),
        "md": block.to_markdown(title),
        "tex": to_latex(
            block,
            entry.title,
            f"tab:{entry.paper}-{entry.label}",
            source="" if entry.added else f"{works[entry.paper]}, {entry.name}",
            judged=outcome_and_basis,
            worded=spell_row,
        ),
    }
    downloads = {}
    for kind, text in texts.items():
        path = stem.with_name(f"{stem.name}.{kind}")
        write_text(text, folder / path)
        downloads[kind] = path.as_posix()

    table = draw("table", block=block, caption=title, lines=by_id)
    return {"table": table, "downloads": downloads}


def thumbnail(entry: Entry, content: Content, picture: Picture) -> dict[str, Any]:
    """Let the small picture of a figure be written that lists show."""
    name = f"{entry.paper}-{entry.label}-small"
    return picture(content.figures[entry.address]["png"], name, THUMB_WIDTH)


def write_small(png: Path, file: Path, size: tuple[int, int]) -> None:
    """Write an image of a size in pixels as WebP."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(png) as image:
        small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    # The quickest methods make files a twentieth larger.
    small.save(file, quality=85, method=2)


def _copy(files: Mapping[str, Path], folder: Path, stem: Path) -> dict[str, str]:
    """Copy the files of a figure: the vector file if it is small, else the image, and the PDF."""
    size = files["svg"].stat().st_size if "svg" in files else INLINE_LIMIT
    kept = {kind: path for kind, path in files.items() if kind != "png" or size >= INLINE_LIMIT}
    copied = {}
    for kind, source in sorted((kept or files).items()):
        if kind != "png" and Path(source).stat().st_size > COPY_LIMIT:
            continue
        path = stem.with_name(f"{stem.name}.{kind}")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / path)
        copied[kind] = path.as_posix()
    return copied


def _image(copied: Mapping[str, str], folder: Path) -> dict[str, Any] | None:
    """Choose the vector file when it is small, and tell its size for the layout."""
    for kind in ("svg", "png"):
        if kind not in copied:
            continue
        file = folder / copied[kind]
        if kind == "svg" and file.stat().st_size >= INLINE_LIMIT and "png" in copied:
            continue
        width, height = _svg_size(file) if kind == "svg" else _png_size(file)
        return {"src": copied[kind], "width": width, "height": height}
    return None


def _svg_size(file: Path) -> tuple[int, int]:
    """Return width and height of an SVG in CSS pixels (a point is 4/3 of one)."""
    head = file.read_bytes()[:4000].decode("utf-8", "replace")
    box = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', head)
    width, height = (float(box[1]), float(box[2])) if box else (518.4, 388.8)
    return round(width * 4 / 3), round(height * 4 / 3)


def _png_size(file: Path) -> tuple[int, int]:
    """Return width and height of a PNG drawn at 200 dots an inch, in CSS pixels."""
    with Image.open(file) as image:
        return round(image.width * 96 / 200), round(image.height * 96 / 200)


def condense_reasons(lines: Sequence[dict[Any, Any]]) -> list[dict[str, Any]]:
    """Move a reason that several values of an artefact share out of them."""
    holders: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        for part in dict.fromkeys(_parts(line["reason"])):
            if len(part) >= FIRST:
                holders.setdefault(part, []).append(index)
    shared = {part: indices for part, indices in holders.items() if len(indices) > 1}
    letters = {part: _letter(number) for number, part in enumerate(shared)}
    for line in lines:
        parts = _parts(line["reason"])
        line["told"] = "; ".join(part for part in parts if part not in shared)
        line["shared"] = [letters[part] for part in dict.fromkeys(parts) if part in shared]
    return [
        {"letter": letters[part], "text": part, "values": len(indices)}
        for part, indices in shared.items()
    ]


def _parts(reason: str) -> list[str]:
    return [part for part in reason.split("; ") if part]


def _letter(number: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    first, last = divmod(number, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)
