"""Pairs of numbers that once contradicted each other: both are read where a reader meets them.

Each test has the name of its pair. The report is the small one of the tests; documents tell the
numbers of the kept outcomes of the whole run.
"""

import csv
import json
import re
import runpy
from collections import Counter
from dataclasses import replace

import pytest
import yaml

import opchar
from checkout import ROOT
from opchar_reproduction.report.comparison.outcomes import (
    EVIDENCE,
    IMPLIED,
    OUTCOMES,
    TESTED,
    evidence,
    with_outcomes,
)
from opchar_reproduction.report.pages import writing

TOOL = runpy.run_path(str(ROOT / "tools/totals.py"))
VERB = {
    r"match(?:es)?": "matches",
    r"(?:is|are) compatible": "compatible",
    r"(?:does|do) not match": "differs",
    r"(?:is|are) wrong or contradictory in print": "wrong or contradictory",
}
CLAIM = {
    "holds?": "matches",
    "fails?": "differs",
    "(?:is|are) wrong or contradictory in print": "wrong or contradictory",
}


def words(text):
    return " ".join(re.sub(r"<[^>]*>", "", text).split())


@pytest.fixture(scope="module")
def lines():
    return TOOL["lines"]()


@pytest.fixture(scope="module")
def front(folder):
    return (folder / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rows(given):
    return given.ledger.to_dict("records")


@pytest.fixture(scope="module")
def cards(front):
    return read_cards(front)


def read_cards(front):
    """Return the text and the bars of each publication: said, size, and counts by outcome."""
    found = {}
    for part in front.split('<div class="row">')[1:]:
        paper = re.search(r'href="(\w+)\.html"', part)[1]
        text = words(part[part.index('<p class="result">') : part.index("</p>")])
        bars = {}
        for said, size, drawing in re.findall(
            r'<dt>([^<]*) <span class="number">(\d+)</span></dt><dd>(.*?)</dd>', part, re.DOTALL
        ):
            counts = re.findall(r'outcome=([^"&]*)" title="[^"]*: (\d+) ', drawing)
            bars[said] = int(size), {k.replace("%20", " "): int(n) for k, n in counts}
        found[paper] = text, bars
    return found


def said_counts(text, about):
    """Return what a card says in words of values or claims, by outcome."""
    kind, rests_on = about
    match = re.search(rf"(\d+) {kind}s? (?:from|about) {rests_on}s: ([^.]*)\.", text, re.I)
    if match is None:
        return {}
    counts = {}
    for pattern, name in (CLAIM if kind == "claim" else VERB).items():
        number = re.search(rf"(\d+) {pattern}\b", match[2])
        counts |= {name: int(number[1])} if number else {}
    assert sum(counts.values()) == int(match[1]), match[0]
    return counts


@pytest.mark.parametrize("rests_on", ["experiment", "formula"])
def test_pairs_1_and_2_the_number_in_a_card_is_its_bar(cards, rests_on):
    """481 beside 525, and 55 beside 76: claims had their part in the bar only."""
    seen = 0
    for text, bars in cards.values():
        for kind in ("value", "claim"):
            said = said_counts(text, (kind, rests_on))
            drawn = [
                counts
                for name, (size, counts) in bars.items()
                if kind in name and rests_on in name and sum(counts.values()) == size
            ]
            seen += bool(said)
            assert (not said and not drawn) or drawn == [said], text
    assert seen


WRONG = {"tharwat2018": 7, "soleymani2020": 16}
FALSE = {"tharwat2018": 0, "soleymani2020": 21}


@pytest.fixture(scope="module")
def mended(given, tmp_path_factory):
    """Return a report whose publications have errors in print, and values that others imply."""
    lines = given.ledger.copy()
    for kind, many in (("number", WRONG), ("claim", FALSE)):
        for paper, count in many.items():
            own = (lines["paper"] == paper) & (lines["kind"] == kind) & (lines["basis"] == "exact")
            chosen = lines.index[own][:count]
            assert len(chosen) == count
            lines.loc[chosen, "verdict"] = "erratum"
            lines.loc[chosen[:2], "verdict"] = "inconsistent"
    differs = lines.index[(lines["verdict"] == "differs") & (lines["paper"] == "landgrebe2007")]
    lines.loc[[*differs[:5], lines.index[lines["verdict"] == "erratum"][0]], "apart"] = "complement"
    lines = with_outcomes(lines)
    folder = tmp_path_factory.mktemp("mended")
    writing.write(folder, replace(given, ledger=lines))
    return lines, (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", WRONG, ids=["pair-3-tharwat2018", "pair-4-soleymani2020"])
def test_pairs_3_and_4_errors_in_print_are_not_told_as_differences(mended, lines, paper):
    """ "7 different" above a bar without orange, and "16 different" above 37 in purple."""
    ledger, front = mended
    text, bars = read_cards(front)[paper]
    own = ledger[(ledger["paper"] == paper) & ledger["outcome"].isin(TESTED)]
    for name in ("differs", "wrong or contradictory"):
        drawn = sum(counts.get(name, 0) for _, counts in bars.values())
        told = [said_counts(text, (k, r)) for k in ("value", "claim") for r in EVIDENCE.values()]
        told = {json.dumps(each): each for each in told}.values()
        assert drawn == sum(each.get(name, 0) for each in told) == sum(own["outcome"] == name)
    wrong = own["verdict"].isin(["erratum", "inconsistent"])
    assert (
        sum(wrong) == WRONG[paper] + FALSE[paper] == sum(own["outcome"] == "wrong or contradictory")
    )
    # The documents tell the same of the whole run.
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (work,) = (w for w in TOOL["read_papers"](TOOL["folders"](paper)).to_dict("records"))
    (row,) = re.findall(rf"^\| {re.escape(TOOL['short_title'](work))} \|.*$", readme, re.M)
    whole = lines[lines["paper"] == paper]
    told = sum(int(n) for n in re.findall(r"(\d+) wrong or contradictory", row))
    assert told == sum(whole["verdict"].isin(["erratum", "inconsistent"])) > 0
    assert sum(int(n) for n in re.findall(r"(\d+) differ", row)) == sum(
        whole["outcome"] == "differs"
    )


def test_pair_6_values_that_others_imply_are_in_no_bar(mended):
    """ "could not differ 215" held 13 that differed and 7 errors in print."""
    ledger, front = mended
    implied = ledger[ledger["detail"] == IMPLIED]
    assert len(implied) == 5 and set(implied["verdict"]) == {"differs"}
    assert set(implied["outcome"]) == {"not testable"}
    assert "could not differ" not in front
    said = re.search(r"Implied by other values: ([^.]*)\.", words(front))[1]
    assert sum(int(n) for n in re.findall(r"\((\d+)\)", said)) == len(implied)
    drawn = sum(
        sum(counts.values())
        for _, bars in read_cards(front).values()
        for _, counts in bars.values()
    )
    assert drawn == sum(evidence(ledger) != "")


def test_pair_5_claims_in_the_headline_are_those_of_the_table(front):
    """119 in the headline, 120 in the table."""
    lead = words(front[front.index('class="lead"') : front.index('aria-labelledby="results"')])
    told = sum(int(n) for n in re.findall(r"claims?[^:.]*: (\d+) holds?", lead))
    table = front[front.index("Published values and claims by outcome") :]
    table = table[: table.index("</table>")]
    claims = r">claims about (?:experiment|formula)s<"
    every = [row for row in table.split("<tr")[2:] if 'class="all"' in row.split(">")[0]]
    kept = [re.findall(r">(\d+)<", row) for row in every if re.search(claims, row)]
    assert told == sum(int(row[0]) for row in kept) > 0


def test_pair_7_the_dates_of_criteria_are_counted_where_they_are_listed(folder, front):
    """12 criteria "set after" on the front page, 66 on the page of claims."""
    page = (folder / "statements.html").read_text(encoding="utf-8")
    told = re.search(r"(\d+) criteria were set, or changed, after", page)
    undated = re.search(r"after results were known; (\d+) are undated", page)
    listed = Counter(re.findall(r"criterion set: (\w+)<", page))
    assert (int(told[1]), int(undated[1])) == (listed["after"], listed["undated"])
    assert not re.search(r"criteri\w+ [^.]*\d+ claims", words(front))


def test_pair_8_errors_on_the_front_page_are_those_of_the_errata(folder, lines, rows):
    """68 on the front page, 174 entries, 149 suspicions: each number says what it counts."""
    errors = set(lines.loc[lines["verdict"] == "erratum", "id"])
    contradictions = int((lines["verdict"] == "inconsistent").sum())
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"**{len(errors)} are wrong in print**" in readme
    assert f"{contradictions} more contradict another passage" in readme
    entries = set()
    for path in (ROOT / "src/opchar_reproduction/publications").glob("*/errata.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            entries |= {row["id"] for row in csv.DictReader(file)}
    assert len(errors) > 60
    assert errors <= entries
    page = (folder / "errata.html").read_text(encoding="utf-8")
    listed = re.findall(r'<tr id="([^"]*)">', page)
    assert f"{len(listed)} entr" in page
    assert "Entries beside published values" in page
    counted = int(re.search(r"(\d+) are values and claims that count as wrong", page)[1])
    wrong = {row["id"] for row in rows if row["verdict"] in ("erratum", "inconsistent")}
    assert counted == len(wrong & set(listed))


def test_pair_9_stand_ins_are_counted_alike(folder, front, rows):
    """7 sets replaced, a list of 8, whose values were not those of the table."""
    told = int(re.search(r"(\d+) of them replaced by stand-ins", front)[1])
    data = (folder / "data.html").read_text(encoding="utf-8")
    assert told == data.count("<strong>Stand-in data.</strong>")
    section = front[front.index('aria-labelledby="standins"') :]
    section = section[: section.index("</section>")]
    listed = sum(int(n) for n in re.findall(r": (\d+) values?</li>", section))
    assert listed == sum(row["basis"] == "stand-in" for row in rows) > 0


def test_pair_10_there_is_one_order_of_publications(front, cards, given):
    """Bars began with one publication, tables and menu with another."""
    order = list(given.papers["paper"])
    assert list(cards) == order
    menu = re.findall(r'href="(\w+)\.html"', front[front.index("<nav") : front.index("</nav>")])
    assert [paper for paper in dict.fromkeys(menu) if paper in order] in ([], order)
    for caption in ("Published values and claims by outcome", "by publication and verdict"):
        table = front[front.index(caption) :]
        table = table[: table.index("</table>")]
        heads = re.findall(r'<th scope="row"><a href="(\w+)\.html">', table)
        assert list(dict.fromkeys(heads)) == order


def test_pair_11_page_file_documents_and_command_have_one_vocabulary(front, rows, capsys):
    """The report said "agrees under another protocol" where file and command had a code."""
    from opchar.cli import main

    assert {row["outcome"] for row in rows} <= set(OUTCOMES)
    ledger = (ROOT / "docs/ledger.md").read_text(encoding="utf-8")
    for name in OUTCOMES:
        assert name in ledger
        assert re.search(rf'class="badge [\w-]+">\S+ {name}</span>', front)
    with pytest.raises(SystemExit):
        main(["ledger", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "--outcome" in said
    for name in OUTCOMES:
        assert name in said


def test_pair_12_pages_documents_and_package_have_one_version(folder):
    """Pages said 0.2.0, documents spoke of 0.3.0."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == opchar.__version__
    newest = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert any(head.startswith((opchar.__version__, "Unreleased")) for head in newest[:1])
    assert opchar.__version__ in words((folder / "cite.html").read_text(encoding="utf-8"))
