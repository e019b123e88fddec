"""Why lines differ: the table of causes, and how it ends the reasons of the ledger."""

from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from opchar.errors import DataError
from opchar_reproduction.project.variants import variant_changes
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.causes import by_chance, proven, with_printed_inputs
from opchar_reproduction.report.comparison.ledger import _with_cause, build
from opchar_reproduction.report.comparison.published_values import (
    LINES,
    first_fitting,
    read_causes,
    read_lines,
)
from opchar_reproduction.report.comparison.summaries import causes
from opchar_reproduction.report.comparison.verdicts import Verdict
from opchar_reproduction.results import COLUMNS

ROOT = Path(__file__).parents[3]
TABLES = ["table-4.4", "table-4.5", "table-4.9", "table-4.10"]


@cache
def entries():
    return read_causes(folders()).to_dict("records")


def test_every_entry_fits_a_published_line_before_all_others():
    lines = read_lines(folders("landgrebe2007")).to_dict("records")
    given = entries()
    used = [first_fitting(line, given) for line in lines]
    assert not [entry for entry in given if not any(entry is one for one in used)]


@pytest.mark.parametrize("label", TABLES)
def test_tables_with_clusters_of_differences_are_covered(label):
    lines = read_lines(folders("landgrebe2007"))
    for line in lines[lines["artefact"] == label].to_dict("records"):
        assert first_fitting(line, entries()) is not None, line["row"]


# The kinds of cause that evidence shows, by what the table of causes says of the line.
SHOWN = {"beside": "cause computed beside", "chance": "chance of one split"}
OF_VARIANTS = {"cause computed", "cause of a part computed", "cause with a printed input"}
PROVEN = {*OF_VARIANTS, *SHOWN.values()}


def test_the_differing_lines_of_the_thesis_without_a_proven_cause_are_counted_as_in_the_ledger():
    """After a run put aside what its variants do not show; the aim was at most sixty lines."""
    kept = pd.read_csv(ROOT / "docs/agreement.csv", dtype=str, keep_default_na=False)
    primary = ~kept["verdict"].isin(["agrees otherwise", "holds otherwise"])
    kept = kept[primary & (kept["outcome"] == "differs")].set_index("id")["cause"]
    lines = read_lines(folders("landgrebe2007")).set_index("id", drop=False)
    kept = kept[kept.index.isin(lines.index)]
    assert (len(kept), (~kept.isin(PROVEN)).sum()) == (181, 60)
    assert "60 differing lines have no proven" in " ".join(
        (ROOT / "CHANGELOG.md").read_text().split()
    )
    for name, cause in kept.items():
        entry = first_fitting(lines.loc[name], entries())
        if entry and entry["kind"] != "computed":
            assert cause == SHOWN.get(entry["kind"], "tried without success"), name


def test_each_cause_says_what_shows_it():
    for entry in entries():
        assert entry["cause"] and entry["evidence"]


def ledger(value, given):
    published = pd.DataFrame(
        [["p:0001", "p", "table-1", "a", "b", "number", "0.50", "", "", "", ""]], columns=LINES
    )
    values = {"artefact": "table-1", "row": "a", "column": "b", "kind": "number", "value": value}
    results = pd.DataFrame([values | {"basis": "exact", "data": "none", "note": ""}])
    results = results.reindex(columns=[*COLUMNS, "paper"]).assign(paper="p")
    results = results.astype({"unit": object}).fillna({"unit": ""})
    errata = pd.DataFrame(columns=["id"])
    return build(published, results, errata, ["p/table-1"], causes=pd.DataFrame(given))


@pytest.mark.parametrize(
    ("kind", "said", "group"),
    [
        ("computed", "cause: other rows (table-2)", "cause computed"),
        ("looked for", "tried without success: other rows (table-2)", "tried without success"),
    ],
)
def test_a_cause_ends_the_reason_of_what_differs_only(kind, said, group):
    given = [
        {
            "paper": "p",
            "artefact": "table-1",
            "row": row,
            "column": "*",
            "kind": kind,
            "variant": "",
        }
        | {"cause": words, "evidence": "table-2"}
        for row, words in (("z*", "no such row"), ("*", "other rows"), ("a", "too late"))
    ]
    wrong, right = ledger(0.7, given), ledger(0.5, given)
    assert wrong["verdict"].item() == "differs"
    assert wrong["reason"].item().endswith(f"; {said}")
    assert causes(wrong).item() == group
    assert right["verdict"].item() == "agrees"
    assert said not in right["reason"].item()
    assert causes(right).item() == ""


NAMED = {"paper": "p", "artefact": "t", "column": "*"}
ONE = NAMED | {"row": "a*", "kind": "computed", "variant": "A", "cause": "one", "evidence": ""}
EXPLAINED = {("p", "t", "A")}
REST = NAMED | {"row": "*", "kind": "looked for", "variant": "A", "cause": "other", "evidence": ""}


@pytest.mark.parametrize(("back", "kind"), [(10, "computed"), (8, "computed"), (7, "partly")])
def test_a_computed_cause_is_called_by_the_share_that_its_variant_brings_back(back, kind):
    lines = [NAMED | {"id": str(number), "row": "a1"} for number in range(12)]
    verdicts = {line["id"]: "differs" for line in lines[:10]} | {"10": "agrees", "11": "agrees"}
    cells = {(str(number), "A"): 1.9 if number < back else 2.1 for number in range(10)}
    found = proven([ONE, REST], lines, verdicts, cells, explained=EXPLAINED)
    assert (found[0]["kind"], found[0]["cause"]) == (
        kind,
        f"one; its variant reproduces {back} of 10 lines",
    )
    assert found[1] == REST
    few = proven([ONE, REST], lines, verdicts, dict.fromkeys(cells, 2.1), explained=EXPLAINED)
    assert few[0]["kind"] == "looked for"
    held = {(str(number), "A") for number in range(5)}
    claims = proven([ONE, REST], lines, verdicts, {}, held, EXPLAINED)
    assert claims[0]["kind"] == "partly"
    other = proven([ONE, REST], lines, verdicts, {(name, "B"): 0.0 for name, _ in cells})
    assert other[0]["kind"] == "looked for"
    for elsewhere in ((), {("p", "t", "B")}, {("p", "u", "A")}):
        open_one = proven([ONE], lines, verdicts, cells, held, elsewhere)[0]
        assert open_one["kind"] == "unproven"
        assert (
            f"; chance is not excluded, although its variant reproduces {back}"
            in (open_one["cause"])
        )


@pytest.mark.parametrize("artefact", ["text-3.2.5-repeats", "other", "few"])
def test_chance_has_the_numbers_of_its_table_of_repeats(artefact):
    """Without the table, or with fewer own splits than chance makes likely, nothing is said."""
    shown = f"{artefact}; the claim"
    entry = ONE | {"kind": "chance", "cause": "of {splits} splits {found} cells", "evidence": shown}
    rows = [(f"split {number}", "cells", 3.0) for number in range(20)]
    tables = [
        pd.DataFrame([*rows, ("all splits", "with 7 or more", count)]).assign(artefact=name)
        for name, count in (("text-3.2.5-repeats", 5.0), ("few", 0.0))
    ]
    results = pd.concat(tables).assign(paper="p")
    results.columns = ["row", "column", "value", "artefact", "paper"]
    found = [one["cause"] for one in by_chance([entry, REST], results)]
    told = ["of 20 splits 5 with 7 or more cells"] if artefact == "text-3.2.5-repeats" else []
    assert found == [*told, "other"]


def test_a_line_that_the_variant_of_its_cause_does_not_reproduce_says_so():
    lines = [NAMED | {"id": str(number), "row": "a1"} for number in range(5)]
    cells = {(str(number), "A"): 1.0 for number in range(4)}
    found = proven([ONE], lines, dict.fromkeys("01234", "differs"), cells, (), EXPLAINED)
    said = [_with_cause(line, Verdict("differs", "off"), found).reason for line in lines]
    assert said[:4] == ["off; cause: one; its variant reproduces 4 of 5 lines"] * 4
    assert said[4] == f"{said[0]}, not this one"


@pytest.mark.parametrize(("share", "likely"), [(0.001, True), (0.002, True), (0.001, False)])
def test_a_printed_input_supports_a_cause_that_chance_rarely_gives(share, likely):
    """Both are asked: an input that contradicts the primary variant, and a fit beyond chance."""
    column = "share of draws as unlike it"
    shown = {"paper": "p", "artefact": "u", "row": "law", "column": column, "value": share}
    entry = ONE | {"printed_input": "u / law"}
    (entry,) = with_printed_inputs([entry], pd.DataFrame([shown]))
    lines = [NAMED | {"id": str(number), "row": "a1"} for number in range(5)]
    cells = {(str(number), "A"): 1.0 for number in range(4)}
    found = proven(
        [entry],
        lines,
        dict.fromkeys("01234", "differs"),
        cells,
        (),
        (),
        EXPLAINED if likely else (),
    )
    said = [_with_cause(line, Verdict("differs", "off"), found).reason for line in lines]
    supported = share <= 0.001 and likely
    assert [reason.startswith("off; cause, with a printed input: one") for reason in said] == [
        supported
    ] * 4 + [False]
    assert said[4].startswith("off; cause not proven: one")
    few = {("0", "A"): 1.0, ("1", "A"): 1.0, ("2", "A"): 1.0}
    part = proven([entry], lines, dict.fromkeys("01234", "differs"), few, likely=EXPLAINED)
    assert part[0]["kind"] == "unproven"


def test_a_variant_that_makes_others_differ_explains_less():
    lines = [NAMED | {"id": str(number), "row": "a1"} for number in range(8)]
    verdicts = {
        line["id"]: "differs" if number < 4 else "agrees" for number, line in enumerate(lines)
    }
    cells = {(line["id"], "A"): 0.0 for line in lines}
    assert proven([ONE], lines, verdicts, cells, (), EXPLAINED)[0]["kind"] == "computed"
    worse = cells | {("4", "A"): 3.0, ("5", "A"): -3.0}
    found = proven([ONE], lines, verdicts, worse, (), EXPLAINED)[0]
    assert (found["kind"], found["cause"]) == (
        "partly",
        "one; its variant reproduces 4 of 4 lines and loses 2 that agree",
    )
    assert proven([ONE], lines, verdicts, worse | {("6", "A"): 9.0})[0]["kind"] == "looked for"


def test_a_cause_that_nothing_shows_is_one_clear_line(tmp_path):
    table = read_causes(folders("landgrebe2007"))
    table.loc[table["kind"] == "computed", ["variant", "evidence"]] = ["", "said so"]
    table.to_csv(tmp_path / "causes.csv", index=False)
    with pytest.raises(DataError, match="nothing shows the cause of"):
        read_causes({"landgrebe2007": tmp_path})


def test_every_test_that_shows_a_cause_is_there():
    named = [entry["evidence"] for entry in entries() if entry["evidence"].startswith("tests/")]
    assert named
    for evidence in named:
        path, _, name = evidence.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text()


def test_every_variant_of_a_cause_is_declared_for_the_study_of_its_artefact(plan):
    studies = plan.config.experiments

    @cache
    def declared(name):
        given = studies[name].get("variants")
        return set(variant_changes(given)) if given else set()

    for entry in entries():
        if entry["variant"]:
            address = f"{entry['paper']}/{entry['artefact']}"
            shown = plan.config.artefacts.get(address)
            # What other artefacts show belongs to one of the studies of the work.
            names = (
                [shown["experiment"]]
                if shown
                else [n for n in studies if n.startswith(entry["paper"])]
            )
            assert any(entry["variant"] in declared(name) for name in names), address


def test_an_unknown_kind_is_one_clear_line(tmp_path):
    table = read_causes(folders("landgrebe2007"))
    table.assign(kind="guessed").to_csv(tmp_path / "causes.csv", index=False)
    with pytest.raises(
        DataError, match="kind 'guessed'; write one of computed, beside, looked for, chance"
    ):
        read_causes({"landgrebe2007": tmp_path})
