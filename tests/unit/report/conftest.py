"""A small report, written once for all tests of the report."""

from pathlib import Path

import pytest

from opchar_reproduction.report.content import Content
from opchar_reproduction.report.pages import writing as pages
from reports import Page, inputs


@pytest.fixture(scope="session")
def given(tmp_path_factory: pytest.TempPathFactory) -> Content:
    return inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="session")
def folder(given: Content, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report")
    assert pages.write(place, given) == place / "index.html"
    return place


@pytest.fixture(scope="session")
def parsed(folder: Path) -> dict[str, Page]:
    return {path.name: Page(path) for path in sorted(folder.glob("*.html"))}
