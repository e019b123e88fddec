"""The report: a folder of plain pages that opens from disk and asks nothing of any server."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from opchar.figures.notation import html, plain, spoken
from opchar.files import write_text
from opchar.metrics.page import SECTIONS
from opchar.metrics.registry import INDICES
from opchar.report import citations, summaries
from opchar.report.content import Content
from opchar.report.crate import METADATA, write_crate
from opchar.report.items import FILES, item
from opchar.report.layout import Entry, entries
from opchar.report.ledger import stand_ins, totals
from opchar.report.lines import (
    DECISIONS,
    Homes,
    Line,
    by_label,
    counts,
    homes,
    names,
    readable,
    shown_under,
    wrong_in_print,
)
from opchar.report.mathml import mathml
from opchar.report.method import methods, page_of
from opchar.report.verdicts import LIMIT, MEANINGS

TEMPLATES = Path(__file__).parent / "templates"
WORKFLOW = f"{FILES}/workflow"
# Made before the pages, beside them.
NUMBERS = ("ledger.csv", "multiple-comparisons.csv", "by-artefact.csv", "by-cause.csv")
BIBLIOGRAPHY = "citations.bib"


@dataclass
class Report:
    """A report that is being written: its folder, and the pages and files that it has so far."""

    folder: Path
    environment: Environment
    common: dict[str, Any]
    written: list[str] = field(default_factory=list)

    def page(self, name: str, template: str, **values: Any) -> None:
        """Write ``<name>.html`` from a template."""
        text = self.environment.get_template(f"{template}.html").render(
            self.common, here=name, kind=template, **values
        )
        self.file(f"{name}.html", text)

    def file(self, name: str, text: str) -> None:
        """Write a text file of the report."""
        write_text(text, self.folder / name)
        self.written.append(name)

    def files(self) -> list[str]:
        """Return every file of the report, figures, tables and an existing ledger included."""
        copied = (self.folder / FILES).rglob("*")
        found = {path.relative_to(self.folder).as_posix() for path in copied if path.is_file()}
        found |= {name for name in NUMBERS if (self.folder / name).is_file()}
        return sorted(found | set(self.written))


def write(folder: Path | str, content: Content) -> Path:
    """Write the report.

    Parameters
    ----------
    folder : path-like
        Where to; made when missing. Its ``files`` folder is replaced, pages of earlier runs that
        this one has not are removed.
    content : Content
        What to show; works without ledger lines have no page.

    Returns
    -------
    pathlib.Path
        ``index.html``. The same input gives the same bytes.
    """
    folder = Path(folder)
    shutil.rmtree(folder / FILES, ignore_errors=True)
    chosen = set(content.ledger["paper"])
    works = [work for work in content.papers.to_dict("records") if work["paper"] in chosen]
    errata = content.errata[content.errata["paper"].isin(chosen)]
    leads = content.leads[content.leads["paper"].isin(chosen)]
    common = {"works": works, "meanings": MEANINGS, "wrong": len(errata), "leads": len(leads)}
    report = Report(folder, _environment(), common)

    found = {work["paper"]: _entries(work["paper"], content) for work in works}
    places = homes(entry for each in found.values() for entry in each)
    lines = readable(content.ledger, places)
    labelled = by_label(lines)
    for work in works:
        _write_work(report, work, found[work["paper"]], content, labelled)
    report.page("ledger", "ledger", lines=lines)
    _write_summary(report, content, places)
    if len(errata):
        report.page("errata", "errata", items=wrong_in_print(errata, content.ledger, places))
    if len(leads):
        _write_leads(report, leads)
    report.page("data", "data", data=content.data, places=places)
    sections = {title: [x for x in INDICES if x.of == of] for title, of in SECTIONS}
    report.page("indices", "indices", sections=sections)
    _write_citations(report, content)
    for name, text in content.workflow.items():
        report.file(f"{WORKFLOW}/{name}", text)
    _write_home(report, content)
    for stale in set(folder.glob("*.html")) - {folder / name for name in report.written}:
        stale.unlink()
    write_crate(folder, content, report.files(), f"{WORKFLOW}/Snakefile")
    return folder / "index.html"


def _entries(paper: str, content: Content) -> list[Entry]:
    lines = content.ledger[content.ledger["paper"] == paper]
    first = content.published[content.published["paper"] == paper].drop_duplicates("artefact")
    sections = dict(zip(first["artefact"], first["where"], strict=True))
    return entries(paper, content.catalogue, content.artefacts, lines, sections)


def _write_work(
    report: Report,
    work: Mapping[Any, Any],
    found: Iterable[Entry],
    content: Content,
    lines: Mapping[tuple[str, str], list[Line]],
) -> None:
    """Write the page of a work and the page of its methods."""
    paper = work["paper"]
    items = [item(entry, shown_under(entry, lines), content, report.folder) for entry in found]
    verdicts = content.ledger.loc[content.ledger["paper"] == paper, "verdict"]
    method = methods(paper, content)
    page = page_of(paper) if method["experiments"] else ""
    report.page(paper, "paper", work=work, items=items, counts=counts(verdicts), method=page)
    if page:
        report.page(Path(page).stem, "method", work=work, **method)


def _write_summary(report: Report, content: Content, places: Homes) -> None:
    report.page(
        "summary",
        "summary",
        chance=summaries.multiple_comparisons(content.ledger).to_dict("records"),
        artefacts=summaries.by_artefact(content.ledger).to_dict("records"),
        causes=[
            row | {"artefacts": _counted(row["artefacts"], places)}
            for row in summaries.by_cause(content.ledger).to_dict("records")
        ],
        dependence=summaries.DEPENDENCE,
        places=places,
    )


def _counted(text: str, places: Homes) -> list[dict[str, str]]:
    """Return the artefacts of ``paper/label (count); ...`` with where they stand."""
    found = re.findall(r"([^/; ]+)/(\S+) \((\d+)\)", text)
    return [
        {"paper": paper, "label": label, "count": count, "home": places[paper, label]}
        for paper, label, count in found
    ]


def _write_leads(report: Report, leads: pd.DataFrame) -> None:
    taken = leads["decision"].value_counts().to_dict()
    decisions = {name: (text, taken.get(name, 0)) for name, text in DECISIONS.items()}
    report.page("leads", "leads", items=leads.to_dict("records"), decisions=decisions)


def _write_citations(report: Report, content: Content) -> None:
    papers = content.papers[
        content.papers["paper"].isin(w["paper"] for w in report.common["works"])
    ]
    report.file(BIBLIOGRAPHY, citations.bibliography(papers, content.citation, content.data))
    report.page(
        "cite",
        "cite",
        citation=content.citation,
        software=citations.software(content.citation),
        entries=citations.works(papers, content.citation),
        data=citations.data_sets(content.data),
        bibliography=BIBLIOGRAPHY,
    )


def _write_home(report: Report, content: Content) -> None:
    table = totals(content.ledger)
    chance = summaries.multiple_comparisons(content.ledger)
    built = summaries.by_artefact(content.ledger)["state"].value_counts().to_dict()
    report.page(
        "index",
        "index",
        totals={str(name): dict(row) for name, row in table.iterrows()},
        chance=next(iter(chance[chance["level"] == "all"].to_dict("records")), None),
        states=built,
        limit=LIMIT,
        stand_ins=stand_ins(content.ledger),
        run=content.run,
        machine=[*(n for n in NUMBERS if (report.folder / n).is_file()), BIBLIOGRAPHY, METADATA],
    )


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
        "names": names,
        "mathml": mathml,
        "bounds": _bounds,
    }
    parts = {"style": "style.css", "script": "site.js", "filtering": "filter.js"}
    environment.globals |= {
        name: Markup((TEMPLATES / file).read_text(encoding="utf-8")) for name, file in parts.items()
    }
    return environment


def _slug(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _bounds(bounds: tuple[float, float]) -> str:
    """Return a range as people write it.

    Examples
    --------
    >>> _bounds((0.0, float("inf")))
    '0 to ∞'
    """
    return " to ".join(f"{bound:g}".replace("inf", "∞").replace("-", "−") for bound in bounds)
