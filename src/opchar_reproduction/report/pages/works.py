"""The pages of a publication: its first one, its chapters, and its methods."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from opchar_reproduction.report.content import Content, Made
from opchar_reproduction.report.drawing import dot
from opchar_reproduction.report.marks import AGAINST
from opchar_reproduction.report.pages import overview
from opchar_reproduction.report.pages.chapters import Chapter, divide_into_chapters
from opchar_reproduction.report.pages.layout import entries
from opchar_reproduction.report.pages.method import methods, page_of
from opchar_reproduction.report.pages.parts.items import item, thumbnail
from opchar_reproduction.report.pages.parts.lines import Line, counts, shown_under
from opchar_reproduction.report.pages.rendering import Report

# Pages of more artefacts begin as a list of their findings; each opens on demand.
OPENED = 11
Work = Mapping[Any, Any]
Pages = dict[str, Callable[[], None]]
Labelled = Mapping[tuple[str, str], list[Line]]


def chapters_of(paper: str, content: Content) -> list[Chapter]:
    """Return the pages of a publication with what stands on them."""
    lines = content.ledger[content.ledger["paper"] == paper]
    first = content.published[content.published["paper"] == paper].drop_duplicates("artefact")
    sections = dict(zip(first["artefact"], first["where"], strict=True))
    found = entries(paper, content.catalogue, content.artefacts, lines, sections)
    listed = content.chapters[content.chapters["paper"] == paper].to_dict("records")
    return divide_into_chapters(paper, found, listed)


def front_of(
    work: Work, chapters: list[Chapter], report: Report, content: Content
) -> dict[str, Any]:
    """Return what the first pages of the report and of a publication show of it."""
    common = report.common
    front = overview.publication(work, content, chapters, common["places"], common["said"])
    return front | {"picture": overview.picture(chapters, content, report.picture)}


def pages_of_work(
    report: Report,
    work: Work,
    chapters: list[Chapter],
    content: Content,
    lines: Labelled,
    fronts: Mapping[str, Any],
) -> Pages:
    """Return what writes the pages of a publication and of its methods, by name."""
    paper = work["paper"]
    has_method = any(
        address.startswith(f"{paper}/") and "experiment" in entry
        for address, entry in content.artefacts.items()
    )
    code = page_of(paper) if has_method else ""
    entries_shown = {entry.address: entry for c in chapters for entry in c.entries}
    shown = {address: shown_under(entry, lines) for address, entry in entries_shown.items()}
    dots = _dots(chapters, shown)
    stops = {chapter.page: _stops(chapter, shown) for chapter in chapters}
    drawn = [name for name in shown if "png" in content.figures.get(name, {})]
    thumbs = Made(drawn, lambda name: thumbnail(entries_shown[name], content, report.picture))

    def write_chapter(index: int, chapter: Chapter) -> None:
        whole = content.whole(paper, {entry.label for entry in chapter.entries})
        report.page(
            chapter.page,
            "chapter",
            work=work,
            chapter=chapter,
            chapters=chapters,
            items=[
                item(e, shown[e.address], content, report.folder)
                | {"whole": whole.get(e.label, [])}
                for e in chapter.entries
            ],
            dots=dots,
            thumbs=thumbs,
            found=counts(_verdicts(chapter, shown)),
            method=code,
            folded=len(chapter.entries) > OPENED,
            **_neighbours(chapters, index, stops),
        )

    def write_first() -> None:
        first = next((c.page for c in chapters if stops[c.page]), "")
        report.page(
            paper,
            "paper",
            work=work,
            front=fronts[paper],
            chapters=chapters,
            dots=dots,
            thumbs=thumbs,
            method=code,
            first=f"{first}.html#{stops[first][0]}" if first else "",
        )

    pages: Pages = {c.page: partial(write_chapter, i, c) for i, c in enumerate(chapters)}
    pages[paper] = write_first
    if code:
        name = Path(code).stem
        pages[name] = lambda: report.page(name, "method", work=work, **methods(paper, content))
    return pages


def _verdicts(chapter: Chapter, shown: Mapping[str, list[Line]]) -> list[str]:
    """Return the marks of the values of a page, each value once."""
    lines = [line for entry in chapter.entries for line in shown[entry.address]]
    return list({line["id"]: line["shown"] for line in lines}.values())


def _dots(chapters: list[Chapter], shown: Mapping[str, list[Line]]) -> dict[str, Any]:
    """Return the mark of each artefact and of each page."""
    dots = {name: dot(counts(line["shown"] for line in lines)) for name, lines in shown.items()}
    return dots | {c.page: dot(counts(_verdicts(c, shown))) for c in chapters}


def _neighbours(
    chapters: list[Chapter], index: int, stops: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Return the chapters before and after one, and the nearest values there that deviate."""
    before = [other.page for other in chapters[:index] if stops[other.page]]
    after = [other.page for other in chapters[index + 1 :] if stops[other.page]]
    return {
        "before": f"{before[-1]}.html#{stops[before[-1]][-1]}" if before else "",
        "after": f"{after[0]}.html#{stops[after[0]][0]}" if after else "",
        "previous": chapters[index - 1] if index else None,
        "following": chapters[index + 1] if index + 1 < len(chapters) else None,
    }


def _stops(chapter: Chapter, shown: Mapping[str, list[Line]]) -> list[str]:
    """Return the values of a page that do not confirm, in the order in which they stand there."""
    return [
        line["id"]
        for entry in chapter.entries
        for line in shown[entry.address]
        if line["shown"] in AGAINST and line["home"] == f"{chapter.page}.html#{entry.label}"
    ]
