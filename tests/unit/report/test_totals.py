"""What enters the totals could have come out otherwise, and all places tell the same totals."""

import re
import runpy
from itertools import combinations

import pandas as pd
import pytest

from checkout import ROOT
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.outcomes import (
    EVIDENCE,
    IMPLIED,
    MEASURED,
    OUTCOMES,
    count_outcomes,
    evidence,
    tally,
    with_outcomes,
)
from opchar_reproduction.report.comparison.published_values import read_papers, short_title
from opchar_reproduction.report.comparison.totals import fixed_lines_by_kind

EXPERIMENTS = [basis for basis, rests_on in EVIDENCE.items() if rests_on == "experiment"]
TOOL = runpy.run_path(str(ROOT / "tools/totals.py"))
# Spreads of `opchar_reproduction.report.comparison.verdicts.SPREADS` where something is random.
RANDOM = ("both", "ours", "printed", "printed, one repeat", "binomial")
# Sums that leave the last of the summands no choice: shares, percentages, scenarios.
WHOLE = (1.0, 100.0, 50.0)


@pytest.fixture(scope="module")
def lines():
    return TOOL["lines"]()


def unable_to_vary(ledger):
    """Return the lines in the totals of experiments that could not have come out otherwise."""
    compared = (ledger["kind"] != "claim") & (ledger["outcome"] != "wrong or contradictory")
    lines = ledger[(evidence(ledger) == "experiment") & compared]
    still = ~lines["spread"].isin(RANDOM) & (lines["apart"] != MEASURED)
    found = dict.fromkeys(lines.loc[still, "id"], "nothing in it is random")
    for _, table in lines[lines["kind"] == "number"].groupby(["paper", "artefact"], sort=False):
        found |= implied_lines(table)
    return pd.DataFrame(list(found.items()), columns=["id", "why"])


def implied_lines(table):
    """Return the lines of one artefact that others of it imply."""
    found = {}
    sides = [
        table.pivot_table(name, "row", "column", aggfunc="first").astype(float)
        for name in ("published", "reproduced")
    ]
    ids = table.pivot_table("id", "row", "column", aggfunc="first")
    columns = list(ids.columns)
    sets = [list(pair) for pair in combinations(columns, 2)]
    if len(columns) > 2:
        sets.append(columns)
    for names in sets:
        sums = [side[names].sum(axis="columns", skipna=False).dropna() for side in sides]
        if len(sums[0]) > 1 and whole_share(sums[0]) == 1.0 and whole_share(sums[1]) > 0.5:
            why = f"{' + '.join(names)} is the same in every row"
            found |= {str(line): why for line in ids[names[-1]].dropna()}
    for name in columns:
        parent = name.partition(" significant")[0]
        if parent != name and parent in columns:
            none = ids[name][sides[0][parent] == 0].dropna()
            found |= {str(line): f"{parent} is 0" for line in none}
    return found


def whole_share(sums):
    """Return the largest share of the sums that equal one whole, within rounding."""
    return max(float(((sums - whole).abs() <= 0.0006 * whole).mean()) for whole in WHOLE)


def test_no_line_of_the_totals_is_unable_to_vary(lines):
    assert unable_to_vary(lines).to_dict("records") == []


@pytest.mark.parametrize("kind", ["property", "complement"])
def test_a_line_that_cannot_vary_is_refused_once_nobody_sets_it_apart(lines, kind):
    entered = with_outcomes(lines.assign(apart=lines["apart"].replace(kind, "")))
    refused = unable_to_vary(entered)
    wanted = lines[(lines["apart"] == kind) & lines["basis"].isin(EXPERIMENTS)]
    wanted = wanted[wanted["outcome"] != "wrong or contradictory"]
    assert len(wanted)
    if kind == "property":
        assert set(refused["id"]) == set(wanted["id"])
    else:
        assert len(set(refused["id"]) & set(wanted["id"])) > 0


def test_what_is_so_by_construction_agrees(lines):
    """Their repeats are all alike, as those of a value that might differ can be."""
    assert set(lines.loc[lines["apart"] == "by construction", "verdict"]) == {"agrees"}


@pytest.mark.parametrize(
    ("artefact", "column"),
    [
        ("table-4.7", "Lost"),
        ("table-4.9", "Lost"),
        ("table-4.10", "Lost"),
        ("text-3.2.5-confusion-3", "estimated grey"),
        ("table-4.8", "Decomposition"),
    ],
)
def test_each_way_of_not_varying_is_noticed(lines, artefact, column):
    chosen = (lines["artefact"] == artefact) & (lines["column"] == column)
    entered = with_outcomes(lines.assign(apart=lines["apart"].mask(chosen, "")))
    assert unable_to_vary(entered)["why"].nunique() >= 1


def test_none_lost_implies_none_lost_significantly(lines):
    column = "Lost significant (95%)"
    chosen = lines["column"].isin([column, "Lost"])
    entered = with_outcomes(lines.assign(apart=lines["apart"].mask(chosen, "")))
    refused = unable_to_vary(entered)
    said = refused.loc[refused["why"] == "Lost is 0", "id"]
    apart = lines[(lines["column"] == column) & (lines["apart"] == "complement")]
    assert set(said) == set(apart["id"])


def test_outcomes_and_totals_add_up(lines):
    table = tally(lines)
    every = count_outcomes(table, "all")
    assert sum(every[name] for name in OUTCOMES) == len(lines)
    verdicts = lines["verdict"].value_counts()
    assert every["wrong or contradictory"] == verdicts["erratum"] + verdicts["inconsistent"]
    by_paper = [count_outcomes(table, paper) for paper in lines["paper"].unique()]
    assert {name: sum(found[name] for found in by_paper) for name in every} == every
    assert sum(fixed_lines_by_kind(lines).values()) == (lines["detail"] == IMPLIED).sum()


@pytest.mark.parametrize("name", ["README.md", "docs/ledger.md"])
def test_documents_tell_the_totals_of_the_one_file(lines, name):
    text = (ROOT / name).read_text(encoding="utf-8")
    block = TOOL["texts"](lines)[name]
    assert "<!-- totals -->" in text
    assert TOOL["renewed"](text, block) == text, "run: python tools/totals.py"
    changed = lines.assign(outcome="differs", detail=IMPLIED, apart="property")
    assert TOOL["texts"](changed)[name] != block


def test_the_readme_has_the_publications_in_the_order_of_the_report(lines, plan):
    rows = re.findall(r"^\| ([A-Z].*?\(\d{4}\)) \|", TOOL["texts"](lines)["README.md"], re.M)
    papers = read_papers({key: folders()[key] for key in plan.works()}).to_dict("records")
    assert rows == [short_title(paper) for paper in papers]


def test_a_ledger_renews_the_file(lines, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "data").symlink_to(ROOT / "data")
    TOOL["keep"](lines, tmp_path)
    again = TOOL["lines"](tmp_path)
    pd.testing.assert_frame_equal(again[lines.columns], lines)


def test_each_verdict_that_changed_since_the_last_version_has_its_reason(lines):
    """Taken back, the listed changes give the totals of 0.2.0."""
    changed = pd.read_csv(ROOT / "docs/changed-verdicts.csv", dtype=str, keep_default_na=False)
    changed, now = changed.set_index("id"), lines.set_index("id")["verdict"]
    assert now[changed.index].to_dict() == changed["verdict"].to_dict()
    assert (changed["verdict"] != changed["verdict_0.2.0"]).all()
    assert set(changed["decided_by"]) <= set(TOOL["REASONS"])
    by_sentence = changed.loc[changed["decided_by"] == "sentence", "reason"]
    assert by_sentence.str.contains('".+" \\((?:Sec|Table)', regex=True).all()
    counted = now.mask(now.index.isin(changed.index)).fillna(changed["verdict_0.2.0"])
    before = counted.value_counts().to_dict()
    assert before == {
        "agrees": 656,
        "input": 257,
        "differs": 204,
        "not comparable": 173,
        "holds": 120,
        "erratum": 68,
        "inconsistent": 31,
        "fails": 29,
        "agrees otherwise": 21,
        "unavailable": 18,
    }
    table = TOOL["changes"](lines)
    told = {verdict: before.get(verdict, 0) for verdict in table.index}
    assert table["0.2.0"].to_dict() == told
    for side, column in (("in", "verdict"), ("out", "verdict_0.2.0")):
        by_reason = pd.crosstab(changed[column], changed["decided_by"])
        shown = table.filter(regex=f"^{side}: ").rename(columns=lambda n: n.partition(": ")[2])
        assert shown.loc[by_reason.index].to_dict() == by_reason.to_dict()
