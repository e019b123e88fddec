"""The documentation is true: generated pages are current, and what is named exists."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.config import load


@pytest.mark.parametrize(
    "paper", ["tharwat2018", "soleymani2018", "soleymani2020", "mullick2020", "landgrebe2007"]
)
def test_the_page_of_a_work_is_current(paper: str) -> None:
    pages = runpy.run_path(str(ROOT / "tools/works.py"))["pages"](load(ROOT))
    current = (ROOT / f"docs/{paper}.md").read_text(encoding="utf-8")
    assert current == pages[paper], "run: python tools/works.py"


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("config/*.md")]


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (path.parent / target).exists(), target
