"""Why lines differ: the table of causes, and how it ends the reasons of the ledger."""

import pandas as pd
import pytest

from opchar.errors import DataError
from opchar.publication import folders
from opchar.report.comparison.ledger import build
from opchar.report.comparison.published import LINES, first_fitting, read_causes, read_lines
from opchar.report.comparison.summaries import causes
from opchar.results import COLUMNS

TABLES = ["table-4.4", "table-4.5", "table-4.9", "table-4.10"]


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
        ("looked for", "looked for, not found: other rows (table-2)", "looked for, not found"),
    ],
)
def test_a_cause_ends_the_reason_of_what_differs_only(kind, said, group):
    given = [
        {"paper": "p", "artefact": "table-1", "row": row, "column": "*", "kind": kind}
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


def test_an_unknown_kind_is_one_clear_line(tmp_path):
    table = read_causes(folders("landgrebe2007"))
    table.assign(kind="guessed").to_csv(tmp_path / "causes.csv", index=False)
    with pytest.raises(DataError, match="kind 'guessed'; write one of computed, looked for"):
        read_causes({"landgrebe2007": tmp_path})
