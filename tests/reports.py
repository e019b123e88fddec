"""A small report to test with, and what a browser would see of its pages."""

import json
from collections.abc import Collection
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from opchar.scores import ScoreTable
from opchar_reproduction.figures.surface import Part, View
from opchar_reproduction.figures.tables import grid
from opchar_reproduction.jobs.showing.assembly import sources
from opchar_reproduction.publication import folders
from opchar_reproduction.publications.mullick2020.proofs.measure import proofs
from opchar_reproduction.report.comparison import ledger
from opchar_reproduction.report.comparison.published_values import (
    ERRATA,
    read_catalogue,
    read_chapters,
    read_leads,
    read_lines,
    read_papers,
)
from opchar_reproduction.report.content import Content, DataSet
from opchar_reproduction.report.explorer.tables import explorer_data
from opchar_reproduction.report.exports.citations import read_citation
from opchar_reproduction.results import Results
from opchar_reproduction.statements.judging import COLUMNS as STATEMENT_COLUMNS

ROOT = Path(__file__).parents[1]
RENDERER = "opchar_reproduction.figures.tables:grid"
FUNCTION = "opchar_reproduction.publications.soleymani2020.section2.worked_examples:table_1"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 252 189"></svg>'
PANEL = '<g id="axes_{n}"><g id="patch_{n}"><path d="M {x} 10 L {y} 10 L {y} 90 z"/></g></g>'
TWO = "".join(PANEL.format(n=n, x=x, y=x + 100) for n, x in ((1, 10), (2, 140)))
SIDE_BY_SIDE = SVG.replace(b"></svg>", f">{TWO}</svg>".encode())
STAND_IN = "stand-in for COX Face (Yale <B>)"
VOID = {"meta", "link", "img", "br", "input", "col"}


class Page(HTMLParser):
    """What a browser would see of a page: its elements in order, and unbalanced tags."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.open, self.wrong, self.text = [], [], [], []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if not self.open or self.open[-1] not in {"style", "script"}:
            self.text.append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def ids(self):
        return [attrs["id"] for _, attrs in self.elements if "id" in attrs]


def measured(line):
    return line["artefact"] in {"table-2.2", "table-3.4"}


def reproduce(published):
    parts = []
    for paper, lines in published.groupby("paper", sort=False):
        results = Results()
        for place, line in enumerate(lines.to_dict("records")):
            key = line["artefact"], line["row"], line["column"]
            data = STAND_IN if line["artefact"] in {"figure-9", "figure-10"} else None
            if line["kind"] == "number" and line["artefact"] != "figure-A.12":
                value = float(line["value"]) * (1.2 if place % 9 == 0 else 1)
                more = {"basis": "data", "std": 0.1 * abs(value), "n": 10} if measured(line) else {}
                results.number(*key, value, data=data, unit=line["unit"], **more)
        parts.append(results.frame().assign(paper=paper))
    return pd.concat(parts, ignore_index=True)


def judged(published):
    """Every second claim holds; those of two figures rest on a stand-in."""
    said = {
        "function": "opchar_reproduction.statements.x:y",
        "evidence": "0.1 < 0.2 & <b>",
        "criterion_set": "after",
    }
    said |= {"criterion": "lower <everywhere>", "control": "C_1 and C_2 exchanged"}
    said |= {"control_fails": True, "control_evidence": "0.2 > 0.1"}
    said |= {"resamples": 200, "units": "fold", "elsewhere": "p/other: fails: 0.1 <b> 0.2"}
    parts = [
        {"says": "C_1 < C_2", "holds": True, "fails_on": "C_1 and C_2 exchanged"},
        {"says": "both are small", "holds": False, "fails_on": ""},
    ]
    said["leaves"] = json.dumps(parts)
    rows = []
    for place, line in enumerate(published.to_dict("records")):
        if line["kind"] == "claim":
            replaced = line["artefact"] in {"figure-9", "figure-10"}
            basis = ("stand-in", STAND_IN) if replaced else ("exact", "none (analytic)")
            holds = place % 2 == 0
            more = {"id": line["id"], "holds": holds, "support": 0.99 if holds else 0.01}
            more |= {"basis": basis[0], "data": basis[1]}
            rows.append(said | more)
    return pd.DataFrame(rows, columns=STATEMENT_COLUMNS)


def errata(published):
    line = published[published["id"] == "soleymani2020:0016"].iloc[0]
    of_line = {name: line[name] for name in ("id", "paper", "artefact", "row", "column")}
    said = {"printed": "0.72", "corrected": "0.87", "why": "eq 9 gives <0.87>", "test": "t.py::t"}
    of_formula = {"id": "mullick2020:I7", "paper": "mullick2020", "artefact": "eq-99", "row": ""}
    return pd.DataFrame([of_line | said, of_formula | {"column": ""} | said], columns=ERRATA)


def score_table(sizes, seed, data="Made <up>"):
    """Posteriors of Gaussian classes that overlap."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.normal(size=len(y)) + 1.5 * y
    scores = np.exp(-0.5 * (x[:, None] - 1.5 * np.arange(len(sizes))) ** 2)
    scores /= scores.sum(axis=1, keepdims=True)
    names = ("sick", "well", "unknown", "dead")[: len(sizes)]
    return ScoreTable(np.zeros(len(y), int), np.arange(len(y)), y, scores, names, {"data": data})


def score_tables():
    return {
        "two (small)": score_table((60, 140), 1),
        "two (large)": score_table((300, 900), 2),
        "three": score_table((80, 120, 100), 3),
        "four": score_table((20, 20, 20, 20), 4),
    }


def bowl():
    x, y = np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 7), indexing="ij")
    surface = Part("surface", x, y, 1 - x * y, "bowl")
    line = Part("line", x[:, 0], y[:, 0], x[:, 0], "line <1>")
    mark = Part("mark", x[:1, 0], y[:1, 0], x[:1, 0], "here")
    return [View("A bowl & a line.", ("a", "b", "c"), [surface, line, mark])]


def inputs(folder):
    papers = read_papers(folders())
    published = read_lines(folders())
    results = reproduce(published)
    small, large = folder / "small.svg", folder / "large.svg"
    png, pdf = folder / "f.png", folder / "f.pdf"
    small.write_bytes(SIDE_BY_SIDE)
    large.write_bytes(SVG.replace(b"></svg>", b">" + b"<g/>" * 90_000 + b"</svg>"))
    Image.new("RGB", (400, 300), "white").save(png)
    pdf.write_bytes(b"%PDF" + b"0" * 1_100_000)
    artefacts = {
        "soleymani2020/figure-4": {
            "kind": "figure",
            "title": "Two <soft> classifiers",
            "section": "3.2",
            "lines": ["figure-4a", "figure-4b", "figure-4c", "figure-4d"],
            "caption": "Envelopes & hulls",
            "choices": ["grid of P(+) -> 0.01 < P < 0.99"],
            "experiment": "soleymani2020/spaces",
            "renderer": RENDERER,
        },
        "soleymani2020/figure-9": {"kind": "figure", "title": "Spaces", "section": "4.1"},
        "soleymani2020/table-1": {"kind": "table", "title": "F-measure", "section": "2.1"},
        "tharwat2018/table-roc-thresholds": {"kind": "table", "title": "t", "section": "slide 50"},
    }
    figures = {
        "soleymani2020/figure-4": {"svg": small, "png": png, "pdf": pdf},
        "soleymani2020/figure-9": {"svg": large, "png": png},
    }
    tables = {}
    for name in ("soleymani2020/table-1", "tharwat2018/table-roc-thresholds"):
        paper, _, label = name.partition("/")
        ours = results[(results["paper"] == paper) & (results["artefact"] == label)]
        theirs = published[(published["paper"] == paper) & (published["artefact"] == label)]
        tables[name] = grid(ours, theirs)
    statements = judged(published)
    built = ledger.labels_built(artefacts)
    lines = ledger.build(published, results, pd.DataFrame(columns=ERRATA), built, statements)
    run = {"profile": "quick", "seed": "1 & 2", "opchar": "0", "Python": "3", "snakemake": "9"}
    data = [
        DataSet(
            "cox", "COX", "by agreement", "Faces, 2001.", "Yale <B>", "https://example.org/cox"
        ),
        DataSet(
            "sat",
            "Satellite",
            "CC BY 4.0",
            "A. B. Satellite. 1993.",
            page="https://example.org/sat",
            shape=(6435, 36),
            files={"sat.trn": "e8" * 32},
            used_by=("soleymani2020/figure-4",),
        ),
    ]
    return Content(
        papers=papers,
        catalogue=read_catalogue(folders()),
        published=published,
        artefacts=artefacts,
        experiments={
            "soleymani2020/spaces": {
                "kind": "metric",
                "function": FUNCTION,
                "parameters": {"alphas": [0.25, "<0.5>"]},
            }
        },
        code=sources([FUNCTION, RENDERER]),
        versions={"soleymani2020/spaces": "code 1 config 2"},
        ledger=lines,
        tables=tables,
        figures=figures,
        data=data,
        run=run,
        citation=read_citation(ROOT / "CITATION.cff"),
        workflow={"Snakefile": "rule all:\n", "config.json": "{}\n"},
        errata=errata(published),
        leads=read_leads(folders()),
        proofs={
            name: frame.assign(paper="mullick2020")
            for name, frame in proofs(classes=[2]).curves.items()
        },
        statements=statements,
        chapters=read_chapters(folders()),
        explored=explorer_data(score_tables().items()),
        surfaces={"soleymani2020/figure-4": bowl()},
    )


def of_works(content: Content, papers: Collection[str]) -> Content:
    """Return what of a content concerns some publications."""
    own = {
        name: frame[frame["paper"].isin(list(papers))]
        for name in ("papers", "ledger", "errata", "leads")
        for frame in [getattr(content, name)]
    }
    judged = content.statements["id"].str.split(":").str[0]
    return replace(content, statements=content.statements[judged.isin(list(papers))], **own)
