import re

import pandas as pd
import pytest

from opchar.errors import ConfigError, DataError
from opchar.files import write_csv
from opchar_reproduction.report.comparison.ledger import COLUMNS
from opchar_reproduction.report.comparison.query import (
    counts_in_words,
    matching_lines,
    read_ledger,
    table,
)


def entry(id_, paper, artefact, verdict, **more):
    known = {"id": id_, "paper": paper, "artefact": artefact, "verdict": verdict, "kind": "number"}
    return dict.fromkeys(COLUMNS, "") | known | more


LINES = pd.DataFrame(
    [
        entry("a:1", "a", "table-1", "agrees", row="Sonar", column="AUC", z="0.5", data="sonar"),
        entry(
            *("a:2", "a", "table-1", "differs"),
            row="Phoneme",
            column="AUC",
            published="0.85",
            published_std="0.02",
            reproduced="0.9123456789",
            std="0.0123456",
            z="-2.5",
            reason="z = -2.50 (both spreads, n = 10)",
        ),
        entry("b:1", "b", "table-1", "erratum", published="a" * 80),
        entry("b:2", "b", "figure-2", "pending", reason="not built yet"),
    ],
    columns=COLUMNS,
)


@pytest.mark.parametrize(
    ("conditions", "ids"),
    [
        ({}, ["a:1", "a:2", "b:1", "b:2"]),
        ({"paper": "a"}, ["a:1", "a:2"]),
        ({"artefact": "table-1"}, ["a:1", "a:2", "b:1"]),
        ({"artefact": "b/table-1"}, ["b:1"]),
        ({"paper": "a", "verdict": "differs"}, ["a:2"]),
        ({"verdict": "holds"}, []),
        ({"cause": "not built"}, ["b:2"]),
        ({"search": "SONAR auc"}, ["a:1"]),
        ({"search": "both spreads,"}, ["a:2"]),
        ({"search": "sonar phoneme"}, []),
        ({"search": "random spread"}, ["a:2"]),
    ],
)
def test_conditions_are_met_together(conditions, ids):
    assert list(matching_lines(LINES, **conditions)["id"]) == ids


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"paper": "c"}, "no work 'c'"),
        ({"artefact": "tabel-1"}, r"no artefact 'tabel-1' \(did you mean 'table-1'\?\)"),
        ({"verdict": "agree"}, r"no verdict 'agree' \(did you mean 'agrees'\?\)"),
        ({"cause": "noise"}, "no cause 'noise'"),
    ],
)
def test_unknown_names_are_told(conditions, message):
    with pytest.raises(ConfigError, match=message):
        matching_lines(LINES, **conditions)


def test_the_table_is_aligned_and_short():
    said = table(matching_lines(LINES, artefact="table-1"))
    assert said[0].split() == ["id", "artefact", "line", "published", "ours", "z", "verdict"]
    cells = re.split(r"  +", said[2])
    assert cells == [
        *("a:2", "table-1", "Phoneme | AUC", "0.85 (0.02)"),
        *("0.912346 (0.0123456)", "-2.50", "differs"),
    ]
    start = said[0].index("verdict")
    assert [line[start:].split()[0] for line in said[1:]] == ["agrees", "differs", "erratum"]
    assert "a" * 33 + "…" in said[3]


def test_reasons_stand_under_their_lines():
    said = table(matching_lines(LINES, paper="a"), reasons=True)
    assert len(said) == 5
    assert said[4] == "    z = -2.50 (both spreads, n = 10)"


def test_counts_and_chance_close_the_table():
    assert counts_in_words(matching_lines(LINES)) == (
        "4 lines: 1 agrees, 1 differs, 1 erratum, 1 pending; |z| > 2 in 1 of 2 random lines, "
        "0.1 expected by chance"
    )
    assert counts_in_words(matching_lines(LINES, verdict="holds")) == "0 lines: none"


def test_a_ledger_that_is_missing_or_old_is_told(tmp_path):
    path = tmp_path / "ledger.csv"
    with pytest.raises(DataError, match="not made yet; make it by 'opchar run'"):
        read_ledger(path)
    with pytest.raises(DataError, match="make it by 'opchar run --profile paper'"):
        read_ledger(tmp_path / "results/paper/report/ledger.csv")
    write_csv(LINES.drop(columns="z"), path)
    with pytest.raises(DataError, match="made by another version"):
        read_ledger(path)
    write_csv(LINES, path)
    assert read_ledger(path).equals(LINES)
