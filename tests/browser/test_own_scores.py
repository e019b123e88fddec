"""The page of one's own scores in a real browser, from disk."""

import re
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from opchar.analysis.asking import Asked
from opchar.analysis.run import Answers, analyse
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.analysis.writing import write_answers
from watching import BRIEF, Watched

pytestmark = pytest.mark.browser


def test_the_page_answers_for_other_conditions_and_asks_nobody(
    browser: Browser, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    y = (np.arange(200) % 5 > 0).astype(int)
    scores = {f"m{m}": rng.normal(size=(200, 1)) + (2 - m) * (y == 0)[:, None] for m in range(2)}
    answers = analyse(ScoredSample(("sick", "well"), y, scores, 0), Asked(resamples=50))
    write_answers(answers, tmp_path)
    watched = Watched(browser.new_page(), tmp_path)
    page = watched.open("index")
    expect(page.locator("#explored tr")).to_have_count(2)
    shown = page.locator("#explored tr").first.locator("td")
    for prior in (0.01, 0.2, 0.3):
        page.locator("#prior-number").fill(str(prior))
        expected = at_condition(answers, "m0", prior)
        assert float(shown.nth(6).inner_text()) == pytest.approx(1000 * expected, rel=1e-2)
        told = shown.nth(1).inner_text()
        best = best_threshold(answers, "m0", prior)
        assert told.startswith("accept") == np.isinf(best)
        assert np.isinf(best) or float(told) == best
    page.locator("#show-benefit").check()
    page.locator("#over-ratio").check()
    expect(page.locator("#chart svg")).to_have_attribute("aria-label", re.compile("net benefit"))
    for each in page.locator("details.fold").all():
        each.locator("summary").first.click()
    assert Axe().run(page, options=BRIEF).response["violations"] == []
    page.close()
    assert watched.complaints == []
    assert watched.away == []


def test_what_saves_nothing_is_not_called_cheaper(browser: Browser, tmp_path: Path) -> None:
    """A saving of 2.22e-14 % was told, which is rounding."""
    y, scores = np.arange(60) % 2, np.random.default_rng(0).uniform(size=(60, 1))
    asked = Asked(priors=(0.001,), resamples=50)
    write_answers(analyse(ScoredSample(("ill", "well"), y, {"m": scores}, 0), asked), tmp_path)
    watched = Watched(browser.new_page(), tmp_path)
    page = watched.open("index")
    for prior in (0.001, 0.002, 0.003):
        page.locator("#prior-number").fill(str(prior))
        expect(page.locator("#said")).to_contain_text("accept none; no model is cheaper.")
    expect(page.locator(".facts")).not_to_contain_text("– to –")
    page.close()


def at_condition(answers: Answers, model: str, prior: float) -> float:
    """Return the cost of an object on other folds, for equal costs."""
    table = answers.tables["envelopes"]
    own = table[(table["model"] == model) & (table["space"] == "cost")]
    pc = np.concatenate([[0.0], own["condition"], [1.0]])
    return float(np.interp(prior, pc, np.concatenate([[0.0], own["value"], [0.0]])))


def best_threshold(answers: Answers, model: str, prior: float) -> float:
    """Return the threshold of least cost at a prior, for equal costs."""
    table = answers.tables["every-threshold"]
    own = table[(table["model"] == model) & (table["space"] == "cost")]
    return float(own[(own["from"] <= prior) & (own["to"] > prior)].iloc[0]["threshold"])
