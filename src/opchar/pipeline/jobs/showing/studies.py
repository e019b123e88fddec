"""Write the page of our own studies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opchar.report.pages.studies import write_studies


def run(profile: str, entries: Mapping[str, Mapping[str, Any]], *, page: Path) -> None:
    """Write the page beside the folders of the figures and tables that it shows.

    Parameters
    ----------
    profile : str
        Whose results.
    entries : mapping of str to mapping
        Kind, title, caption and choices of each artefact, by address.
    page : pathlib.Path
        The page.
    """
    write_studies(entries, profile, page)
