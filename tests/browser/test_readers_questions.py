"""Eleven questions of a clinician or fraud lead, answered on the first screen or by one click."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

import opchar
from watching import BRIEF, Watched

pytestmark = pytest.mark.browser
SCREEN = {"width": 1440, "height": 900}
# Question: where it is answered, and words of the answer.
SEEN = {
    "which threshold?": ("h1", "accept scores at or above"),
    "which model?": ("h1", "Use good"),
    "how frequent are positives in use?": (".question", "estimated from 600 unlabelled objects"),
    "how many are found and missed?": (".icons .legend", "missed"),
    "how many alarms are false?": (".facts", "False alarms, of 1"),
    "how often is an alarm right?": (".facts", "Precision"),
    "is it worth it at all?": (".facts", "Cost saved compared with"),
    "which threshold gives no more alarms than we can look at?": (
        "h2:has-text('limits') + .plainly",
        "for alerts at most 20 % of all objects",
    ),
    "how sure are model and threshold?": (
        "h2:has-text('How sure') + .plainly",
        "of samples of this size would give",
    ),
}
OPENED = {
    "what does a threshold for each object save?": ("object-costs", "a threshold each"),
    "what would another rule choose?": ("rules", "theory"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    y = (np.arange(400) % 5 == 0).astype(int)
    new = (np.arange(600) % 20 == 0).astype(int)
    scores = {name: rng.normal(size=400) + by * y for name, by in (("good", 2), ("poor", 1))}
    unlabelled = {name: rng.normal(size=600) + by * new for name, by in (("good", 2), ("poor", 1))}
    costs = {"cost_fp": np.full(400, 2.0), "cost_fn": rng.lognormal(2, 1, 400)}
    found = opchar.analyse(
        y, scores, unlabelled=unlabelled, object_costs=costs, resamples=50, max_alert_rate=0.2
    )
    path = tmp_path_factory.mktemp("page") / "out"
    found.save(path)
    return path


@pytest.fixture(scope="module")
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    watched = Watched(browser.new_page(viewport=SCREEN), folder)
    yield watched.open("index")
    assert watched.complaints == []


@pytest.mark.parametrize("question", SEEN)
def test_the_first_screen_answers(page: Page, question: str) -> None:
    place, words = SEEN[question]
    found = page.locator(place).first
    assert words in found.inner_text().replace("\N{NO-BREAK SPACE}", " ")
    box = found.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= SCREEN["height"]


@pytest.mark.parametrize("question", OPENED)
def test_one_click_answers(page: Page, question: str) -> None:
    place, words = OPENED[question]
    fold = page.locator(f"details#{place}")
    fold.locator("summary").first.click()
    assert fold.locator("table").is_visible()
    assert words in fold.locator("table").inner_text()


def test_the_new_folds_are_accessible(page: Page) -> None:
    page.locator("details#priors summary").first.click()
    assert Axe().run(page, options=BRIEF).response["violations"] == []
