"""The report: a folder of plain pages that opens from disk and asks nothing of any server."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.errors import OpcharError, nearest
from opchar.metrics.page import SECTIONS
from opchar.metrics.registry import INDICES
from opchar_reproduction.report import charts
from opchar_reproduction.report.comparison import summaries
from opchar_reproduction.report.comparison.outcomes import (
    EXTREME,
    OTHER_PROTOCOL,
    OUTCOMES,
    TESTED,
    by_margin,
    count_outcomes,
    details,
    equal_digits,
    evidence,
)
from opchar_reproduction.report.comparison.published_values import APART_KINDS, short_title
from opchar_reproduction.report.comparison.totals import (
    by_basis,
    fixed_lines_by_kind,
    stand_ins,
    totals,
)
from opchar_reproduction.report.comparison.verdicts import LIMIT, MEANINGS
from opchar_reproduction.report.content import Content, Made
from opchar_reproduction.report.explorer.library import packed_library
from opchar_reproduction.report.exports import citations
from opchar_reproduction.report.exports.certificate import MANIFEST, certificate, manifest
from opchar_reproduction.report.exports.crate import METADATA, write_crate
from opchar_reproduction.report.marks import OUTCOME_SIGNS, legend
from opchar_reproduction.report.pages import explorer_page, overview
from opchar_reproduction.report.pages.chapters import Chapter, homes, spoken_names
from opchar_reproduction.report.pages.glossary import TERMS
from opchar_reproduction.report.pages.parts.items import FILES
from opchar_reproduction.report.pages.parts.lines import (
    DECISIONS,
    Line,
    by_label,
    gravest,
    judged_claims,
    readable,
    with_reasons,
    wrong_in_print,
)
from opchar_reproduction.report.pages.parts.severity import CHANGES
from opchar_reproduction.report.pages.proofs import theorem_entries
from opchar_reproduction.report.pages.rendering import (
    EXPLORER,
    NUMBERS,
    Report,
    asset_text,
    page_templates,
)
from opchar_reproduction.report.pages.works import Pages, chapters_of, front_of, pages_of_work
from opchar_reproduction.results import BASES

WORKFLOW = f"{FILES}/workflow"
BIBLIOGRAPHY = "citations.bib"
# One copy for all pages.
ASSETS = ("style.css", "site.js", "filter.js")
# The pages beside those of the publications, and what each is called.
BESIDE = {
    "ledger": "All values",
    EXPLORER: "Explorer",
    "statements": "Claims tested",
    "errata": "Errata",
    "summary": "Deviations and causes",
    "variants": "Alternative protocols",
    "leads": "Suspected errors",
    "proofs": "Proofs",
    "data": "Data",
    "indices": "Indices",
    "glossary": "Glossary",
    "certificate": "Certificate",
    "cite": "Cite",
}
# Which number of `_common` a page shows; it is not there where that is zero.
SHOWN = {EXPLORER: "explored", "statements": "judged", "errata": "wrong"}
SHOWN |= {name: name for name in ("variants", "leads", "proofs")}


def write(folder: Path | str, content: Content, first: str = "") -> Path:
    """Write the report; the page `first` is there, and named on standard output, before the rest.

    Raises
    ------
    opchar.errors.OpcharError
        If the report has no such page.
    """
    folder = Path(folder)
    if first:
        report, pages = _pages(folder, content)
        if first not in pages:
            raise OpcharError(f"the report has no page '{first}'{nearest(first, list(pages))}")
        pages[first]()
        report.wait()
        print(folder / f"{first}.html", flush=True)
    for made in (FILES, "assets"):
        shutil.rmtree(folder / made, ignore_errors=True)
    report, pages = _pages(folder, content)
    for name in ASSETS:
        report.file(f"assets/{name}", asset_text(name))
    if content.explored or content.surfaces:
        report.file(explorer_page.LIBRARY, packed_library())
        report.script("charts.js")
    if content.surfaces:
        report.script("surfaces.js")
    report.file(MANIFEST, manifest(content))
    texts = citations.bibliography(content.papers, content.citation, content.data)
    report.file(BIBLIOGRAPHY, texts)
    for make in pages.values():
        make()
    report.wait()
    for name, text in content.workflow.items():
        report.file(f"{WORKFLOW}/{name}", text)
    for stale in set(folder.glob("*.html")) - {folder / name for name in report.written}:
        stale.unlink()
    write_crate(folder, content, report.files(), f"{WORKFLOW}/Snakefile")
    return folder / "index.html"


def _pages(folder: Path, content: Content) -> tuple[Report, Pages]:
    """Return a report, and by name what writes each of its pages."""
    works = {
        work["paper"]: work | {"short": short_title(work)}
        for work in content.papers.to_dict("records")
    }
    chapters = {paper: chapters_of(paper, content) for paper in works}
    every = [chapter for each in chapters.values() for chapter in each]
    report = Report(folder, page_templates(), _common(content, list(works.values()), every))
    lines = readable(content.ledger, report.common["places"])
    for line, rests_on in zip(lines, evidence(content.ledger), strict=True):
        kind = "claims" if line["kind"] == "claim" else "values"
        line["evidence"] = f"{rests_on} {kind}" if rests_on else ""
    labelled = by_label(lines)
    fronts = Made(works, lambda paper: front_of(works[paper], chapters[paper], report, content))
    pages = _pages_beside(report, content, lines, labelled)
    pages |= _pages_of_errors(report, content, fronts)
    absent = {name for name, _, there in report.common["pages"] if not there}
    pages = {name: make for name, make in pages.items() if name not in absent}
    for paper, work in works.items():
        pages |= pages_of_work(report, work, chapters[paper], content, labelled, fronts)
    return report, pages


def _common(
    content: Content, works: list[dict[Any, Any]], chapters: list[Chapter]
) -> dict[str, Any]:
    """Return what every page may show."""
    counts = {
        "wrong": len(content.errata),
        "leads": len(content.leads) or len(content.found),
        "judged": len(content.statements),
        "variants": len(content.variants.weights),
        "proofs": len(content.proofs),
        "explored": len(content.explored),
    }
    pages = [
        (name, called, name not in SHOWN or counts[SHOWN[name]] > 0)
        for name, called in BESIDE.items()
    ]
    return {
        "works": works,
        "short": {work["paper"]: work["short"] for work in works},
        "pages": pages,
        "places": homes(chapters),
        "said": spoken_names(chapters),
        "meanings": MEANINGS,
        "outcomes": OUTCOMES,
        "tested": TESTED,
        "signs": OUTCOME_SIGNS,
        "marks": legend(),
        **counts,
        "run": content.run,
    }


def _pages_beside(
    report: Report,
    content: Content,
    lines: list[Line],
    labelled: Mapping[tuple[str, str], list[Line]],
) -> Pages:
    """Return what writes the pages of values, claims, variants, proofs, and of the background."""

    def write_variants() -> None:
        from opchar_reproduction.report.variants_page import panels, specifications

        claims = dict(zip(content.published["id"], content.published["claim"], strict=True))
        specified = specifications(content.variants, claims)
        report.page("variants", panels=panels(content.variants), specifications=specified)

    def write_claims() -> None:
        report.page("statements", items=judged_claims(content.statements, lines))

    def write_proofs() -> None:
        report.page("proofs", items=theorem_entries(content.proofs, labelled))

    def write_certificate() -> None:
        report.page("certificate", certified=certificate(content), manifest=MANIFEST)

    sections = {title: [x for x in INDICES if x.of == of] for title, of in SECTIONS}
    return {
        EXPLORER: lambda: explorer_page.write(report, content.explored),
        "ledger": lambda: report.page("ledger", lines=lines, evidences=overview.BARS),
        "summary": lambda: _write_summary(report, content, lines),
        "statements": write_claims,
        "variants": write_variants,
        "proofs": write_proofs,
        "data": lambda: report.page("data", data=content.data),
        "indices": lambda: report.page("indices", sections=sections),
        "glossary": lambda: report.page("glossary", terms=TERMS),
        "certificate": write_certificate,
        "cite": lambda: _write_citations(report, content),
    }


def _pages_of_errors(report: Report, content: Content, fronts: Mapping[str, Any]) -> Pages:
    """Return what writes the first page, and those of errors in print and of suspected ones."""
    items = wrong_in_print(content.errata, content.ledger, report.common["places"])
    worst = gravest(items, content.papers)

    def write_errata() -> None:
        changes = [item["changes"] for item in items]
        counts = {name: changes.count(name) for name in CHANGES if name in changes}
        reasoned = with_reasons(items, content.ledger)
        report.page("errata", items=reasoned, counts=counts, gravest=worst)

    return {
        "index": lambda: _write_home(report, content, list(fronts.values()), worst),
        "errata": write_errata,
        "leads": lambda: _write_leads(report, content),
    }


def _write_summary(report: Report, content: Content, lines: list[Line]) -> None:
    """Write the page of deviations and causes."""
    known = set(summaries.lines_with_z(content.ledger)["id"])
    judged = [line for line in lines if line["id"] in known]
    report.page(
        "summary",
        axis=charts.on_one_axis(judged, report.common["short"], report.common["said"]),
        quantiles=charts.quantiles(judged),
        chance=content.chance.to_dict("records"),
        artefacts=summaries.by_artefact(content.ledger).to_dict("records"),
        causes=summaries.counts_by_cause(content.ledger),
    )


def _write_leads(report: Report, content: Content) -> None:
    """Write the page of suspected errors: those noted, then those that checks find."""
    leads = pd.concat([content.leads, content.found], ignore_index=True)
    taken = leads["decision"].value_counts().to_dict()
    decisions = {name: (text, taken.get(name, 0)) for name, text in DECISIONS.items()}
    report.page("leads", items=leads.to_dict("records"), decisions=decisions)


def _write_citations(report: Report, content: Content) -> None:
    report.page(
        "cite",
        citation=content.citation,
        software=citations.software(content.citation),
        entries=citations.works(content.papers, content.citation),
        data=citations.data_sets(content.data),
        bibliography=BIBLIOGRAPHY,
    )


def _write_home(
    report: Report,
    content: Content,
    fronts: list[dict[str, Any]],
    worst: Mapping[str, Line],
) -> None:
    """Write the first page."""
    chance, counts = content.chance, content.counts
    found = {" ".join(pair): count_outcomes(counts, "all", *pair) for pair in overview.BARS}
    report.page(
        "index",
        fronts=fronts,
        gravest=worst,
        teaser=overview.teaser(content.explored),
        tally=overview.rows_in_order(counts),
        found=found | {"all": count_outcomes(counts, "all")},
        extreme=details(content.ledger, "matches").get(EXTREME, 0),
        other_protocol=details(content.ledger, "differs").get(OTHER_PROTOCOL, 0),
        untested=details(content.ledger, "not testable"),
        implied=fixed_lines_by_kind(content.ledger),
        implied_kinds=APART_KINDS,
        measured=[f["work"]["paper"] for f in fronts if f["found"]["experiment values"]["tested"]],
        margins=by_margin(content.ledger),
        digits=equal_digits(content.ledger),
        data_sets=len(content.data),
        replaced=sum(bool(used.stand_in) for used in content.data),
        totals=totals(content.ledger).to_dict("index"),
        bases=by_basis(content.ledger).to_dict("index"),
        explained=BASES,
        chance=next(iter(chance[chance["level"] == "all"].to_dict("records")), None),
        margin_of_rates=overview.margin_of_rates(content.ledger),
        states=summaries.by_artefact(content.ledger)["state"].value_counts().to_dict(),
        limit=LIMIT,
        stand_ins=stand_ins(content.ledger),
        machine=[
            *(n for n in NUMBERS if (report.folder / n).is_file()),
            BIBLIOGRAPHY,
            MANIFEST,
            METADATA,
        ],
    )
