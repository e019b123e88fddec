"""Ten questions of a reader of the report: from the first screen to the answer in three clicks."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from watching import Watched

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        "OPCHAR_REPORT" not in os.environ,
        reason="needs the report of a quick run: OPCHAR_REPORT=results/quick/report",
    ),
]
MENU = "summary: Menu"
# Question: what is clicked, one after the other, and the answer: where, and a pattern of its words.
QUESTIONS = {
    "how many experimental values could be confirmed?": (
        [],
        (".lead", r"Its \d+ values from experiments: \d+ match \(\d+ of .*?\), \d+ are compatible"),
    ),
    "when is a value equivalent?": ([], ("main", r"two one-sided tests at 5 %")),
    "which published values are wrong?": (
        ["link: Errata"],
        ("main article, main li, main td", r"Eq\.|Table|Slide"),
    ),
    "which claims fail?": (["link: Claims tested"], ("main", r"fails")),
    "does the F curve of a crisp classifier rise with the prior, as Figure 3 says?": (
        ["link: F-measure curves for visualizing", r"link: ^Figure 3"],
        ("article#figure-3", r"F curves of two crisp classifiers"),
    ),
    "why does the sensitivity of Sonar's third model differ?": (
        [
            "link: Operating characteristics for the design",
            r"link: ^Table 2.2 AUC",
            "mark: Sonar / 3)",
        ],
        ("tr.line:target, tr.line:focus", r"\d standard errors (above|below)"),
    ),
    "would another protocol explain Table 2.2?": (
        [MENU, "link: Alternative protocols"],
        ("main", r"Table 2\.2"),
    ),
    "which data are not the publications' own?": (
        [r"link: ^\d+ data sets|data sets$|^data sets"],
        ("main", r"in place of|[Ss]tand-in"),
    ),
    "how do I make Figure 4 again?": (
        ["link: F-measure curves: A tool", r"link: ^Figure 4 "],
        ("article#figure-4", r"opchar run soleymani2020/figure-4"),
    ),
    "which threshold is best for scores of mine?": (
        ["link: Choose a threshold yourself"],
        ("main", r"opchar analyse"),
    ),
}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield Watched(context.new_page(), Path(os.environ["OPCHAR_REPORT"]).resolve()).open("index")
    context.close()


def follow(page: Page, step: str) -> None:
    """Click on a link, the heading of a fold, or the first mark of a row."""
    kind, _, name = step.partition(": ")
    if kind == "mark":
        page.locator("table.numbers tr", has_text=name).locator("a.mark").nth(1).click()
    elif kind == "summary":
        page.locator("summary", has_text=name).first.click()
    else:
        page.get_by_role("link", name=re.compile(name)).first.click()


@pytest.mark.parametrize("question", QUESTIONS)
def test_three_clicks_lead_to_the_answer(page: Page, question: str) -> None:
    steps, (place, words) = QUESTIONS[question]
    assert len(steps) <= 3
    for step in steps:
        follow(page, step)
    found = page.locator(place).filter(has_text=re.compile(words, re.DOTALL)).first
    expect(found).to_be_visible()


def test_there_are_ten() -> None:
    assert len(QUESTIONS) == 10
