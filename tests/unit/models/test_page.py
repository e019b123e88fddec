"""Model words in the package are those of the configuration; each printed model is measured."""

import runpy

import pandas as pd

from checkout import ROOT
from opchar_reproduction.publication import folders
from opchar_reproduction.report.comparison.published_values import read_lines

TOOL = runpy.run_path(str(ROOT / "tools/models.py"))
NUMBERS = pd.read_csv(ROOT / "tools/models.csv", dtype={"table": str})


def test_the_words_in_the_package_are_current():
    shipped = (ROOT / "src/opchar/models/vocabulary.json").read_text(encoding="utf-8")
    assert shipped == TOOL["words"](), "run: tools/models.py"


def test_every_printed_model_of_the_five_tables_is_measured():
    rows = TOOL["printed_rows"](read_lines(folders("landgrebe2007")))
    assert [(row.table, row.row) for row in rows] == list(
        zip(NUMBERS["table"], NUMBERS["row"], strict=True)
    )
    assert len(rows) == 53
    assert NUMBERS[["error", "whole"]].notna().all().all()
