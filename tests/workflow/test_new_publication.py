"""A publication from outside, from its printed table to ledger, pages and errata."""

import re
from pathlib import Path

import pandas as pd
import pytest

from publications import KEY, PAGE, blocks, followed


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) < 200


@pytest.mark.check
def test_the_page_can_be_followed_from_nothing(tmp_path: Path) -> None:
    said = followed(tmp_path)
    (shown,) = [text.strip() for _, kind, text in blocks() if kind == "text"]
    assert shown in said
    assert re.search(rf"{KEY}:0002 .*\.45 +0\.54 +differs", said)
    assert re.search(rf"{KEY}:0002 .*\.45 +0\.54 +erratum", said)
    assert "expected.csv of fawcett2006: 5 verdicts" in said
    assert "5 verdicts as expected, 0 better, 0 other, 0 worse, 0 left out" in said
    project = tmp_path / "roc-example"
    report = project / "results/quick/report"
    assert KEY in (report / "errata.html").read_text(encoding="utf-8")
    assert "60 % at .45" in (report / "errata.html").read_text(encoding="utf-8")
    index = (report / "index.html").read_text(encoding="utf-8")
    assert "How far can one publication" in index and f"{KEY}.html" in index
    (shown,) = project.glob(f"results/quick/{KEY}/*/text-4.csv")
    laid_out = pd.read_csv(shown, dtype=str)
    assert "0.68" in laid_out.to_string()
