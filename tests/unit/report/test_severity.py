"""Errata are sorted by what they change; the farthest off come first among numbers."""

import re

import pytest

from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import (
    read_errata,
    read_lines,
    read_papers,
)
from opchar_reproduction.report.pages.parts import severity
from opchar_reproduction.report.pages.parts.lines import gravest
from opchar_reproduction.report.pages.parts.severity import CHANGES, gravity, what_changes


@pytest.mark.parametrize(
    ("artefact", "printed", "corrected", "verdict", "kind", "changes"),
    [
        ("text-2", "A is better than B", "B is better", "erratum", "claim", severity.STATEMENT),
        ("eq-7", "a + b", "a - b", "erratum", "text", severity.FORMULA),
        (
            "text-3",
            "(1 - 1/P)/TPR F^2",
            "alpha (1 - 1/P)/TPR F^2",
            "erratum",
            "claim",
            severity.FORMULA,
        ),
        (
            "eq-mcc",
            "rewritten",
            "MCC = (a - b)/c with S a share",
            "erratum",
            "claim",
            severity.FORMULA,
        ),
        (
            "eq-A.8",
            "A < B; the end is C",
            "A > B; the end is D",
            "erratum",
            "claim",
            severity.FORMULA,
        ),
        (
            "eq-11",
            "they cross",
            "they do if TPR/FPR is smaller",
            "erratum",
            "claim",
            severity.STATEMENT,
        ),
        ("figure-4", "A beats B for P < 0.6", "A = B", "erratum", "", severity.FORMULA),
        ("table-2", "1.36", "0.737", "erratum", "number", severity.NUMBER),
        ("table-2", "0.02", "0.03", "erratum", "number", severity.ROUNDING),
        ("table-2", "120", "175", "erratum", "number", severity.NUMBER),
        ("table-2", "0.1", "", "inconsistent", "number", severity.CONTRADICTION),
        ("text-2", "exceeding", "below", "erratum", "", severity.WORDS),
    ],
)
def test_what_an_erratum_changes(artefact, printed, corrected, verdict, kind, changes):
    item = {"artefact": artefact, "printed": printed, "corrected": corrected, "verdict": verdict}
    assert what_changes(item, kind) == changes


def test_numbers_that_are_far_off_come_first():
    pairs = (("1.36", "0.737"), ("0.5", "-0.5"), ("0.2", "0.1"), ("1", "100"))
    items = [
        {"changes": severity.NUMBER, "printed": printed, "corrected": corrected}
        for printed, corrected in pairs
    ]
    assert [item["printed"] for item in sorted(items, key=gravity)] == ["0.5", "1", "0.2", "1.36"]


def test_every_erratum_of_the_publications_has_its_place():
    kinds = read_lines(folders()).set_index("id")["kind"].to_dict()
    found = [
        what_changes(item, kinds.get(item["id"], ""))
        for item in read_errata(folders()).to_dict("records")
    ]
    assert set(found) == set(CHANGES)


def test_the_page_has_the_order_of_what_errata_change(folder):
    text = (folder / "errata.html").read_text(encoding="utf-8")
    rows = re.findall(r'<td class="wrap">([^<]*)</td>\n<td>', text)
    places = [CHANGES.index(row) for row in rows]
    assert len(places) > 1 and places == sorted(places)
    assert "The gravest of each publication" in text


def test_the_gravest_error_in_our_words_is_an_erratum_of_its_publication():
    errata = read_errata(folders())
    papers = read_papers(folders())
    items = [item | {"changes": ""} for item in errata.to_dict("records")]
    found = gravest(items, papers)
    assert list(papers["paper"]) == [paper for paper in papers["paper"] if found[paper]["said"]]
    for paper, item in found.items():
        assert item["paper"] == paper and item["verdict"] == "erratum", item["id"]
    # A publication that names none has the first of its list, without words.
    other = gravest(items, papers.assign(gravest=""))
    assert {item["said"] for item in other.values()} == {""} and set(other) == set(found)
