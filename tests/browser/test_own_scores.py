"""The page of one's own scores in a real browser, from disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from opchar.analysis.asking import Asked
from opchar.analysis.run import analyse
from opchar.analysis.tables.reading import Scored
from opchar.analysis.writing import write_answers
from watching import BRIEF, Watched

pytestmark = pytest.mark.browser


def test_the_page_answers_for_other_conditions_and_asks_nobody(
    browser: Browser, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    y = (np.arange(200) % 5 > 0).astype(int)
    scores = {f"m{m}": rng.normal(size=(200, 1)) + (2 - m) * (y == 0)[:, None] for m in range(2)}
    answers = analyse(Scored(("sick", "well"), y, scores, 0), Asked(resamples=50))
    write_answers(answers, tmp_path)
    watched = Watched(browser.new_page(), tmp_path)
    page = watched.open("index")
    expect(page.locator("#explored tr")).to_have_count(4)
    for prior in (-2.0, -0.5):
        page.locator("#prior").fill(str(prior))
        row = page.locator("#explored tr").first.locator("td").all_inner_texts()
        tpr, fpr = answers_at(answers, "m0", 10**prior)
        expected = (1 - 10**prior) * fpr + 10**prior * (1 - tpr)
        assert float(row[3]) == pytest.approx(expected, rel=1e-3)
    assert Axe().run(page, options=BRIEF).response["violations"] == []
    page.close()
    assert watched.complaints == []
    assert watched.away == []


def answers_at(answers, model: str, prior: float) -> tuple[float, float]:
    """Return the rates of the threshold of least cost at a prior, for equal costs."""
    table = answers.tables["every-threshold"]
    own = table[(table["model"] == model) & (table["space"] == "cost")]
    row = own[(own["from"] <= prior) & (own["to"] >= prior)].iloc[0]
    return float(row["tpr"]), float(row["fpr"])
