"""docs/models.md is what the configuration and the measured numbers give."""

import runpy

import pandas as pd

from checkout import ROOT
from opchar.pipeline.configuration.config import load
from opchar.publication import folders
from opchar.report.comparison.published import read_lines

TOOL = runpy.run_path(str(ROOT / "tools/models.py"))
NUMBERS = pd.read_csv(ROOT / "docs/models.csv", dtype={"table": str})


def test_the_page_is_current():
    page = TOOL["page"](load(ROOT), NUMBERS)
    assert (ROOT / "docs/models.md").read_text(encoding="utf-8") == page, "run: tools/models.py"


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


def test_the_page_shows_every_word_and_protocol():
    text = (ROOT / "docs/models.md").read_text(encoding="utf-8")
    config = load(ROOT)
    for name in [*config.models, *config.protocols]:
        assert f"| `{name}` |" in text
