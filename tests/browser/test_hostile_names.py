"""Names and texts from data stay text in a real browser, whatever they hold."""

import os
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, sync_playwright

import reports
from opchar.analysis.asking import Asked
from opchar.analysis.run import analyse
from opchar.analysis.tables.reading import read_models
from opchar.analysis.writing import write_answers
from opchar_reproduction.report.pages import writing as pages

pytestmark = pytest.mark.browser
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CAUGHT = "document.title='caught'"
HOSTILE = (
    f"<script>{CAUGHT}</script>",
    f'<img src=x onerror="{CAUGHT}">',
    f'"><svg onload="{CAUGHT}"></svg>',
    f"</script><script>{CAUGHT}</script>",
    f"' onmouseover={CAUGHT} '",
)
# What a page does when it runs a script that it should not: it would change its title, or open.
RUNS = "() => document.title === 'caught' || !!document.querySelector('[onerror],[onload]')"
HOVERED = """() => {
  for (const each of document.querySelectorAll('*')) each.dispatchEvent(new Event('mouseover'));
}"""


@pytest.fixture(scope="module")
def browser():
    path = os.environ.get("OPCHAR_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        assert os.environ.get("OPCHAR_REQUIRE_BROWSER") != "1", "no Chromium"
        pytest.skip("no Chromium: install one or name it in OPCHAR_CHROMIUM")
    with sync_playwright() as playwright:
        flags = ["--disable-gpu", *(["--no-sandbox"] if os.getuid() == 0 else [])]
        opened = playwright.chromium.launch(executable_path=path, args=flags)
        yield opened
        opened.close()


def visited(browser: Browser, page_file: Path) -> tuple[bool, str]:
    """Return whether a page ran what it was given as text, and the text that it shows."""
    page = browser.new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"{page_file.name} opened a dialog"))
    page.goto(page_file.as_uri())
    page.evaluate(HOVERED)
    ran, text = bool(page.evaluate(RUNS)), page.locator("body").inner_text()
    page.close()
    return ran, text


def test_the_browser_would_run_what_is_not_escaped(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text(f"<html><body><main>{HOSTILE[0]}</main></body></html>")
    assert visited(browser, tmp_path / "x.html")[0]


def test_names_of_classes_and_models_on_the_page_of_ones_own_scores(
    browser: Browser, tmp_path: Path
) -> None:
    y = np.arange(100) % len(HOSTILE)
    scores = np.random.default_rng(1).random((100, len(HOSTILE))) + np.eye(len(HOSTILE))[y]
    table = pd.DataFrame(scores, columns=list(HOSTILE))
    table.insert(0, "y", [HOSTILE[label] for label in y])
    table.to_csv(tmp_path / "m<img src=x onerror=alert(1)>.csv", index=False)
    (path,) = tmp_path.glob("*.csv")
    answers = analyse(read_models([path]), Asked(resamples=50, folds=3))
    written = write_answers(answers, tmp_path / "out")
    ran, text = visited(browser, written[0])
    assert not ran
    assert HOSTILE[0] in text


@pytest.mark.check
def test_names_of_data_and_evidence_in_the_report(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = " ".join(HOSTILE)
    monkeypatch.setattr(reports, "STAND_IN", f"stand-in for COX Face ({hostile})")
    content = reports.inputs(tmp_path)
    pages.write(tmp_path / "report", content)
    seen = 0
    for path in sorted((tmp_path / "report").glob("*.html")):
        ran, text = visited(browser, path)
        assert not ran, path.name
        seen += HOSTILE[0] in text
    assert seen > 0
