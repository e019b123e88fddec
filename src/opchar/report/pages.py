"""The report: a folder of plain pages that opens from disk and asks nothing of any server."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from opchar.figures.notation import html, plain, spoken
from opchar.figures.tables import TableBlock, shown
from opchar.files import write_text
from opchar.report.layout import Entry, entries
from opchar.report.ledger import named_stand_ins, select, stand_ins, totals
from opchar.report.verdicts import MEANINGS

TEMPLATES = Path(__file__).parent / "templates"
FILES = "files"
# Larger vector files are neither shown nor copied: a page must open at once.
INLINE_LIMIT = 300_000
COPY_LIMIT = 1_000_000
OPEN_LINES = 12
LEDGER = "ledger.html"
ERRATA = "errata.html"


def write(
    folder: Path | str,
    *,
    papers: pd.DataFrame,
    catalogue: pd.DataFrame,
    artefacts: Mapping[str, Mapping[str, Any]],
    published: pd.DataFrame,
    ledger: pd.DataFrame,
    tables: Mapping[str, TableBlock],
    figures: Mapping[str, Mapping[str, Path]],
    provenance: pd.DataFrame,
    run: Mapping[str, str],
    errata: pd.DataFrame | None = None,
) -> Path:
    """Write the report.

    Parameters
    ----------
    folder : path-like
        Where to; made when missing. Its ``files`` folder is replaced.
    papers, catalogue, published : pandas.DataFrame
        As `opchar.report.published` reads them.
    artefacts : mapping of str to mapping
        The built artefacts: config entries by address.
    ledger : pandas.DataFrame
        As `opchar.report.ledger.build` returns it.
    tables : mapping of str to TableBlock
        Table by address.
    figures : mapping of str to mapping of str to pathlib.Path
        Files by address and format (``svg``, ``png``, ``pdf``).
    provenance : pandas.DataFrame
        One row a data set; all columns are shown, addresses as links.
    run : mapping of str to str
        Facts of the run (versions, profile, seed, ...), shown in this order.
    errata : pandas.DataFrame, optional
        As `opchar.report.published.read_errata` reads it; has a page of its own when not empty.

    Returns
    -------
    pathlib.Path
        ``index.html``. The same input gives the same bytes.
    """
    folder = Path(folder)
    shutil.rmtree(folder / FILES, ignore_errors=True)
    works = [work for work in papers.to_dict("records") if work["paper"] in set(ledger["paper"])]
    environment = _environment()
    wrong = pd.DataFrame(columns=["paper"]) if errata is None else errata
    wrong = wrong[wrong["paper"].isin(set(ledger["paper"]))]
    common = {"works": works, "meanings": MEANINGS, "ledger_page": LEDGER, "wrong": len(wrong)}
    homes: dict[tuple[str, str], str] = {}
    for work in works:
        paper = work["paper"]
        lines = ledger[ledger["paper"] == paper]
        found = entries(paper, catalogue, artefacts, lines, _sections(published, paper))
        homes |= _homes(found)
        items = [_item(entry, lines, tables, figures, folder) for entry in found]
        page = environment.get_template("paper.html").render(
            common, work=work, items=items, counts=_counts(lines), here=paper
        )
        write_text(page, folder / f"{paper}.html")
    rows = [line | {"home": homes[line["paper"], line["artefact"]]} for line in _lines(ledger)]
    page = environment.get_template("ledger.html").render(common, lines=rows, here="ledger")
    write_text(page, folder / LEDGER)
    (folder / ERRATA).unlink(missing_ok=True)
    if len(wrong):
        items = _errata(wrong, ledger, homes)
        page = environment.get_template("errata.html").render(common, items=items, here="errata")
        write_text(page, folder / ERRATA)
    counts = totals(ledger)
    page = environment.get_template("index.html").render(
        common,
        here="index",
        totals={str(name): dict(row) for name, row in counts.iterrows()},
        stand_ins=stand_ins(ledger),
        provenance=provenance.astype(object).where(provenance.notna(), "").to_dict("split"),
        run=run,
    )
    write_text(page, folder / "index.html")
    return folder / "index.html"


def _sections(published: pd.DataFrame, paper: str) -> dict[str, str]:
    """Return the section of each published label of a work, as its first line has it."""
    first = published[published["paper"] == paper].drop_duplicates("artefact")
    return dict(zip(first["artefact"], first["where"], strict=True))


def _homes(found: list[Entry]) -> dict[tuple[str, str], str]:
    """Return where each published label stands; its own artefact comes before others."""
    homes: dict[tuple[str, str], str] = {}
    for entry in found:
        for label in entry.labels:
            if entry.label == label or (entry.paper, label) not in homes:
                homes[entry.paper, label] = f"{entry.paper}.html#{entry.label}"
    return homes


def _errata(
    errata: pd.DataFrame, ledger: pd.DataFrame, homes: Mapping[tuple[str, str], str]
) -> list[dict[Any, Any]]:
    """Return the errata with their verdicts and where they stand."""
    verdicts = dict(zip(ledger["id"], ledger["verdict"], strict=True))
    items = errata.to_dict("records")
    for item in items:
        item["verdict"] = verdicts.get(item["id"], "")
        item["home"] = homes.get((item["paper"], item["artefact"]), f"{item['paper']}.html")
    return items


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "plain": plain,
        "symbols": html,
        "spoken": spoken,
        "slug": _slug,
        "linked": _linked,
    }
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    script = (TEMPLATES / "filter.js").read_text(encoding="utf-8")
    environment.globals |= {"style": Markup(style), "script": Markup(script)}
    return environment


def _item(
    entry: Entry,
    ledger: pd.DataFrame,
    tables: Mapping[str, TableBlock],
    figures: Mapping[str, Mapping[str, Path]],
    folder: Path,
) -> dict[str, Any]:
    """Return what the page shows of one artefact, and put its files beside the page."""
    lines = select(ledger, [(entry.paper, label) for label in entry.labels])
    home = Path(FILES) / entry.paper
    item: dict[str, Any] = {
        "entry": entry,
        "lines": _lines(lines),
        "counts": _counts(lines),
        "stand_ins": list(stand_ins(lines)),
        "data": [
            data for data in dict.fromkeys(lines["data"]) if data and not named_stand_ins(data)
        ],
        "open": entry.config is not None and len(lines) <= OPEN_LINES,
        "table": None,
        "image": None,
        "downloads": {},
    }
    if entry.address in tables:
        block = tables[entry.address]
        item["table"] = Markup(block.to_html(f"{entry.name}: {entry.title}"))
        item["open"] = False
        texts = {
            "csv": block.to_csv(),
            "md": block.to_markdown(),
            "tex": block.to_latex(entry.title, f"tab:{entry.paper}-{entry.label}"),
        }
        for kind, text in texts.items():
            place = home / f"{entry.label}.{kind}"
            write_text(text, folder / place)
            item["downloads"][kind] = place.as_posix()
    if entry.address in figures:
        copied = _copy(figures[entry.address], folder, home / entry.label)
        item["downloads"] |= copied
        item["image"] = _image(copied, folder)
    return item


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


def _counts(ledger: pd.DataFrame) -> dict[str, int]:
    counts = ledger["verdict"].value_counts()
    return {verdict: int(counts[verdict]) for verdict in MEANINGS if verdict in counts}


def _lines(ledger: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return ledger lines with their numbers written for people."""
    lines = ledger.to_dict("records")
    for line in lines:
        line["printed_text"] = html(_spread(line["published"], line["published_std"]))
        line["reproduced_text"] = _reproduced(line)
    return lines


def _reproduced(line: Mapping[Any, Any]) -> str:
    if line["kind"] != "number" or not line["reproduced"]:
        return str(line["reproduced"])
    like = _one_more_digit(line["published"])
    std = shown(float(line["std"]), line["published_std"] or like) if line["std"] else ""
    return _spread(shown(float(line["reproduced"]), like), std)


def _one_more_digit(printed: str) -> str:
    return f"{printed}0" if re.fullmatch(r"[+-]?\d*\.\d+", printed) else printed


def _spread(value: str, std: str) -> str:
    return f"{value} ± {std}" if std else value


def _slug(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _linked(value: object) -> Markup:
    """Turn a web address into a plain link; everything else is escaped."""
    text = str(value)
    if re.fullmatch(r"https?://[^\s\"'<>]+", text):
        return Markup('<a href="{0}">{0}</a>').format(text)
    return Markup("{}").format(text)
