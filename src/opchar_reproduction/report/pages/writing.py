"""The report: a folder of plain pages that opens from disk and asks nothing of any server."""

import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.metrics.page import SECTIONS
from opchar.metrics.registry import INDICES
from opchar_reproduction.report.charts import deviations
from opchar_reproduction.report.comparison import summaries
from opchar_reproduction.report.comparison.outcomes import (
    OUTCOMES,
    TESTED,
    by_margin,
    count_outcomes,
    equal_digits,
    evidence,
    tally,
)
from opchar_reproduction.report.comparison.published_values import short_title
from opchar_reproduction.report.comparison.totals import by_basis, stand_ins, totals
from opchar_reproduction.report.comparison.verdicts import LIMIT, MEANINGS
from opchar_reproduction.report.content import Content
from opchar_reproduction.report.explorer.library import packed_library
from opchar_reproduction.report.exports import citations
from opchar_reproduction.report.exports.certificate import MANIFEST, certificate, manifest
from opchar_reproduction.report.exports.crate import METADATA, write_crate
from opchar_reproduction.report.marks import AGAINST, OUTCOME_SIGNS, dot, legend
from opchar_reproduction.report.pages import explorer_page, overview
from opchar_reproduction.report.pages.chapters import (
    Chapter,
    divide_into_chapters,
    homes,
    spoken_names,
)
from opchar_reproduction.report.pages.glossary import TERMS
from opchar_reproduction.report.pages.layout import entries
from opchar_reproduction.report.pages.method import methods, page_of
from opchar_reproduction.report.pages.parts.items import FILES, item
from opchar_reproduction.report.pages.parts.lines import (
    DECISIONS,
    Homes,
    Line,
    by_label,
    counts,
    gravest,
    judged_claims,
    readable,
    shown_under,
    wrong_in_print,
)
from opchar_reproduction.report.pages.parts.severity import CHANGES
from opchar_reproduction.report.pages.proofs import theorem_entries
from opchar_reproduction.report.pages.rendering import EXPLORER, NUMBERS, Report, asset_text
from opchar_reproduction.report.pages.rendering import environment as templates
from opchar_reproduction.report.variants_page import panels, specifications
from opchar_reproduction.results import BASES

WORKFLOW = f"{FILES}/workflow"
BIBLIOGRAPHY = "citations.bib"
# Pages of more artefacts begin as a list of their findings; each opens on demand.
OPENED = 11
# One copy for all pages.
ASSETS = ("style.css", "site.js", "filter.js")


def write(folder: Path | str, content: Content) -> Path:
    """Write the report."""
    folder = Path(folder)
    for made in (FILES, "assets"):
        shutil.rmtree(folder / made, ignore_errors=True)
    content = _of_its_works(content)
    works = [work | {"short": short_title(work)} for work in content.papers.to_dict("records")]
    chapters = {work["paper"]: _chapters(work["paper"], content) for work in works}
    addresses = homes(chapter for each in chapters.values() for chapter in each)
    report = Report(folder, templates(), _common(content, works, chapters, addresses))
    for name in ASSETS:
        report.file(f"assets/{name}", asset_text(name))
    if content.explored or content.surfaces:
        report.file(explorer_page.LIBRARY, packed_library())
        report.script("charts.js")
    if content.explored:
        explorer_page.write(report, content.explored)
    if content.surfaces:
        report.script("surfaces.js")
    lines = readable(content.ledger, addresses)
    for line, rests_on in zip(lines, evidence(content.ledger), strict=True):
        kind = "claims" if line["kind"] == "claim" else "values"
        line["evidence"] = f"{rests_on} {kind}" if rests_on else ""
    labelled = by_label(lines)
    fronts = [
        _write_work(report, work, chapters[work["paper"]], content, labelled) for work in works
    ]
    report.page("ledger", "ledger", lines=lines, evidences=overview.BARS)
    _write_evidence(report, content, lines, labelled)
    _write_summary(report, content, lines, addresses)
    _write_errors(report, content, addresses)
    _write_background(report, content)
    for name, text in content.workflow.items():
        report.file(f"{WORKFLOW}/{name}", text)
    _write_home(report, content, fronts)
    for stale in set(folder.glob("*.html")) - {folder / name for name in report.written}:
        stale.unlink()
    write_crate(folder, content, report.files(), f"{WORKFLOW}/Snakefile")
    return folder / "index.html"


def _of_its_works(content: Content) -> Content:
    """Return what concerns the publications that have ledger lines."""
    chosen = set(content.ledger["paper"])
    return replace(
        content,
        papers=content.papers[content.papers["paper"].isin(chosen)],
        errata=content.errata[content.errata["paper"].isin(chosen)],
        leads=content.leads[content.leads["paper"].isin(chosen)],
        statements=content.statements[content.statements["id"].str.split(":").str[0].isin(chosen)],
    )


def _common(
    content: Content,
    works: list[dict[Any, Any]],
    chapters: Mapping[str, list[Chapter]],
    addresses: Homes,
) -> dict[str, Any]:
    """Return what every page may show."""
    counts = {
        "wrong": len(content.errata),
        "leads": len(content.leads),
        "judged": len(content.statements),
        "variants": len(content.variants.weights),
        "proofs": len(content.proofs),
        "explored": len(content.explored),
    }
    return {
        "works": works,
        "short": {work["paper"]: work["short"] for work in works},
        "pages": _names(counts),
        "places": addresses,
        "said": spoken_names(chapter for each in chapters.values() for chapter in each),
        "meanings": MEANINGS,
        "outcomes": OUTCOMES,
        "tested": TESTED,
        "signs": OUTCOME_SIGNS,
        "marks": legend(),
        **counts,
        "run": content.run,
        "gravest": {},
    }


def _names(counts: Mapping[str, int]) -> list[tuple[str, str, bool]]:
    """Return the pages beside those of the publications: file, name, whether it is there."""
    return [
        ("ledger", "All values", True),
        (EXPLORER, "Explorer", counts["explored"] > 0),
        ("statements", "Claims tested", counts["judged"] > 0),
        ("errata", "Errata", counts["wrong"] > 0),
        ("summary", "Deviations and causes", True),
        ("variants", "Alternative protocols", counts["variants"] > 0),
        ("leads", "Suspected errors", counts["leads"] > 0),
        ("proofs", "Proofs", counts["proofs"] > 0),
        ("data", "Data", True),
        ("indices", "Indices", True),
        ("glossary", "Glossary", True),
        ("certificate", "Certificate", True),
        ("cite", "Cite", True),
    ]


def _chapters(paper: str, content: Content) -> list[Chapter]:
    lines = content.ledger[content.ledger["paper"] == paper]
    first = content.published[content.published["paper"] == paper].drop_duplicates("artefact")
    sections = dict(zip(first["artefact"], first["where"], strict=True))
    found = entries(paper, content.catalogue, content.artefacts, lines, sections)
    listed = content.chapters[content.chapters["paper"] == paper].to_dict("records")
    return divide_into_chapters(paper, found, listed)


def _write_work(
    report: Report,
    work: Mapping[Any, Any],
    chapters: list[Chapter],
    content: Content,
    lines: Mapping[tuple[str, str], list[Line]],
) -> dict[str, Any]:
    """Write the pages of a publication and of its methods; return what the first page shows."""
    paper = work["paper"]
    method = methods(paper, content)
    code = page_of(paper) if method["experiments"] else ""
    shown = {entry.address: shown_under(entry, lines) for c in chapters for entry in c.entries}
    dots = _dots(chapters, shown)
    stops = {chapter.page: _stops(chapter, shown) for chapter in chapters}
    thumbs: dict[str, Any] = {}
    for index, chapter in enumerate(chapters):
        items = [item(e, shown[e.address], content, report.folder) for e in chapter.entries]
        thumbs |= {i["entry"].address: i["thumb"] for i in items if i["thumb"]}
        report.page(
            chapter.page,
            "chapter",
            work=work,
            chapter=chapter,
            chapters=chapters,
            items=items,
            dots=dots,
            found=counts(_verdicts(chapter, shown)),
            method=code,
            folded=len(chapter.entries) > OPENED,
            **_neighbours(chapters, index, stops),
        )
    front = overview.publication(
        work, content, chapters, report.common["places"], report.common["said"]
    )
    front["picture"] = overview.picture(chapters, content, report.folder)
    first = next((c.page for c in chapters if stops[c.page]), "")
    report.page(
        paper,
        "paper",
        work=work,
        front=front,
        chapters=chapters,
        dots=dots,
        thumbs=thumbs,
        method=code,
        first=f"{first}.html#{stops[first][0]}" if first else "",
    )
    if code:
        report.page(Path(code).stem, "method", work=work, **method)
    return front


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


def _write_summary(report: Report, content: Content, lines: list[Line], addresses: Homes) -> None:
    known = set(summaries.lines_with_z(content.ledger)["id"])
    judged = [line for line in lines if line["id"] in known]
    report.page(
        "summary",
        "summary",
        axis=deviations.on_one_axis(judged, report.common["short"], report.common["said"]),
        quantiles=deviations.quantiles(judged),
        chance=summaries.multiple_comparisons(content.ledger).to_dict("records"),
        artefacts=summaries.by_artefact(content.ledger).to_dict("records"),
        causes=[
            row | {"artefacts": _artefact_counts(row["artefacts"], addresses)}
            for row in summaries.by_cause(content.ledger).to_dict("records")
        ],
        dependence=summaries.DEPENDENCE,
    )


def _artefact_counts(text: str, addresses: Homes) -> list[dict[str, str]]:
    """Return the artefacts of ``paper/label (count); ...`` with where they stand."""
    found = re.findall(r"([^/; ]+)/(\S+) \((\d+)\)", text)
    return [
        {"paper": paper, "label": label, "count": count, "home": addresses[paper, label]}
        for paper, label, count in found
    ]


def _write_evidence(
    report: Report,
    content: Content,
    lines: list[Line],
    labelled: Mapping[tuple[str, str], list[Line]],
) -> None:
    """Write the pages of claims, variants and proofs, where there are any."""
    if len(content.statements):
        report.page("statements", "statements", items=judged_claims(content.statements, lines))
    if len(content.variants.weights):
        claims = dict(zip(content.published["id"], content.published["claim"], strict=True))
        specified = specifications(content.variants, claims)
        report.page(
            "variants", "variants", panels=panels(content.variants), specifications=specified
        )
    if content.proofs:
        report.page("proofs", "proofs", items=theorem_entries(content.proofs, labelled))


def _write_errors(report: Report, content: Content, addresses: Homes) -> None:
    """Write the pages of errors in print and of suspected ones, where there are any."""
    if len(content.errata):
        items = wrong_in_print(content.errata, content.ledger, addresses)
        report.common["gravest"] = gravest(items, content.papers)
        changes = [item["changes"] for item in items]
        counts = {name: changes.count(name) for name in CHANGES if name in changes}
        report.page("errata", "errata", items=items, counts=counts)
    if len(content.leads):
        _write_leads(report, content.leads)


def _write_background(report: Report, content: Content) -> None:
    """Write the pages of data sets, indices and citations."""
    report.page("data", "data", data=content.data)
    sections = {title: [x for x in INDICES if x.of == of] for title, of in SECTIONS}
    report.page("indices", "indices", sections=sections)
    report.page("glossary", "glossary", terms=TERMS)
    report.page("certificate", "certificate", certified=certificate(content), manifest=MANIFEST)
    report.file(MANIFEST, manifest(content))
    _write_citations(report, content)


def _write_leads(report: Report, leads: pd.DataFrame) -> None:
    taken = leads["decision"].value_counts().to_dict()
    decisions = {name: (text, taken.get(name, 0)) for name, text in DECISIONS.items()}
    report.page("leads", "leads", items=leads.to_dict("records"), decisions=decisions)


def _write_citations(report: Report, content: Content) -> None:
    papers = content.papers[content.papers["paper"].isin(report.common["short"])]
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


def _write_home(report: Report, content: Content, fronts: list[dict[str, Any]]) -> None:
    table = totals(content.ledger)
    chance = summaries.multiple_comparisons(content.ledger)
    counts = tally(content.ledger)
    found = {" ".join(pair): count_outcomes(counts, "all", *pair) for pair in overview.BARS}
    report.page(
        "index",
        "index",
        fronts=fronts,
        teaser=overview.teaser(content.explored),
        tally=overview.rows_in_order(counts),
        found=found | {"all": count_outcomes(counts, "all")},
        told=overview.details_in_words(content.ledger),
        measured=[f["work"]["paper"] for f in fronts if f["found"]["experiment values"]["tested"]],
        margins=by_margin(content.ledger),
        digits=equal_digits(content.ledger),
        data_sets=len(content.data),
        replaced=sum(bool(used.stand_in) for used in content.data),
        totals={str(name): dict(row) for name, row in table.iterrows()},
        bases={str(name): dict(row) for name, row in by_basis(content.ledger).iterrows()},
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
