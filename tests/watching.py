"""A browser for tests, and pages of which all requests and complaints are noted."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
BRIEF = {"resultTypes": ["violations"]}
LOCAL = {"file", "data", "about", "blob"}
# What Chromium says where it draws three dimensions without a graphics card.
CHATTER = ("GL Driver Message", "willReadFrequently")

# Slow machines are slow, not wrong.
expect.set_options(timeout=60_000)


class Watched:
    """A page, with all that it asked for and complained about."""

    def __init__(self, page: Page, report: Path) -> None:
        self.page, self.report = page, report
        self.complaints: list[str] = []
        self.away: list[str] = []
        self.failed: list[str] = []
        page.on("console", lambda message: self._hear(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", self._fail)
        page.on("request", self._note)
        page.route("**/*", self._stop)

    def _hear(self, text: str) -> None:
        if not any(words in text for words in CHATTER):
            self.complaints.append(text)

    def _note(self, request: Request) -> None:
        if urlparse(request.url).scheme not in LOCAL:
            self.away.append(request.url)

    def _fail(self, request: Request) -> None:
        """Note what failed; what the page's own policy has stopped has not gone away."""
        self.failed.append(request.url)
        if request.failure == "csp" and request.url in self.away:
            self.away.remove(request.url)

    def _stop(self, route: Route) -> None:
        if urlparse(route.request.url).scheme in LOCAL:
            route.continue_()
        else:
            route.abort()

    def open(self, name: str) -> Page:
        path, mark, rest = re.fullmatch(r"([\w.-]+)([?#]?)(.*)", name).groups()
        self.page.goto((self.report / f"{path}.html").as_uri() + mark + rest)
        return self.page


def until(page: Page, expression: str, arg: Any = None, timeout: float = 60_000) -> None:
    """Wait until an expression of a page is true; what waits inside the page needs its `eval`."""
    end = time.monotonic() + timeout / 1000
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(100)


def focused(page: Page, attribute: str) -> str:
    return page.evaluate(f"document.activeElement.getAttribute('{attribute}') || ''")


@contextmanager
def launched() -> Iterator[Browser]:
    """A headless Chromium; without one the test is skipped, or fails where it must not be."""
    wanted = os.environ.get("OPCHAR_CHROMIUM")
    path = wanted or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        reason = "no Chromium: install one or name it in OPCHAR_CHROMIUM"
        if os.environ.get("OPCHAR_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    flags = [*FLAGS, "--no-sandbox"] if os.getuid() == 0 else FLAGS
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()
