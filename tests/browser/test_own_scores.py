"""The page of one's own scores in a real browser, from disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from opchar.analysis.asking import Asked
from opchar.analysis.reading import Scored
from opchar.analysis.run import analyse
from opchar.analysis.writing import write_answers

pytestmark = pytest.mark.browser
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def test_the_page_answers_for_other_conditions_and_asks_nobody(tmp_path: Path) -> None:
    path = os.environ.get("OPCHAR_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        assert os.environ.get("OPCHAR_REQUIRE_BROWSER") != "1", "no Chromium"
        pytest.skip("no Chromium: install one or name it in OPCHAR_CHROMIUM")
    rng = np.random.default_rng(0)
    y = (np.arange(200) % 5 > 0).astype(int)
    scores = {f"m{m}": rng.normal(size=(200, 1)) + (2 - m) * (y == 0)[:, None] for m in range(2)}
    answers = analyse(Scored(("sick", "well"), y, scores, 0), Asked(resamples=50))
    write_answers(answers, tmp_path)
    complaints: list[str] = []
    away: list[str] = []
    with sync_playwright() as playwright:
        flags = ["--disable-gpu", *(["--no-sandbox"] if os.getuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        page = browser.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: away.append(request.url))
        page.goto((tmp_path / "index.html").as_uri())
        expect(page.locator("#explored tr")).to_have_count(4)
        for prior in (-2.0, -0.5):
            page.locator("#prior").fill(str(prior))
            row = page.locator("#explored tr").first.locator("td").all_inner_texts()
            tpr, fpr = answers_at(answers, "m0", 10**prior)
            expected = (1 - 10**prior) * fpr + 10**prior * (1 - tpr)
            assert float(row[3]) == pytest.approx(expected, rel=1e-3)
        violations = Axe().run(page).response["violations"]
        browser.close()
    assert complaints == []
    assert [url for url in away if not url.startswith(("file:", "data:"))] == []
    assert [each["id"] for each in violations] == []


def answers_at(answers, model: str, prior: float) -> tuple[float, float]:
    """Return the rates of the threshold of least cost at a prior, for equal costs."""
    table = answers.tables["every-threshold"]
    own = table[(table["model"] == model) & (table["space"] == "cost")]
    row = own[(own["from"] <= prior) & (own["to"] >= prior)].iloc[0]
    return float(row["tpr"]), float(row["fpr"])
