"""Write a page that is made on demand only: our own studies, or the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opchar.report.pages.separate_pages import write_apart


def run(profile: str, name: str, entries: Mapping[str, Mapping[str, Any]], *, page: Path) -> None:
    """Write the page beside the folders of the figures and tables that it shows."""
    write_apart(name, entries, profile, page)
