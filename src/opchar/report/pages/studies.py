"""The page of our own studies: figures and tables that no publication prints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from opchar.files import write_text
from opchar.page_policy import with_policy
from opchar.report.pages.writing import environment


def write_studies(entries: Mapping[str, Mapping[str, Any]], profile: str, page: Path) -> None:
    """Write one page with all figures and tables of our own studies.

    Parameters
    ----------
    entries : mapping of str to mapping
        Kind, title, caption and choices of each artefact, by address.
    profile : str
        Whose results.
    page : pathlib.Path
        The page; files of artefacts stand in folders beside it.
    """
    items = [
        dict(entry) | {"address": address, "table": _table(page.parent, address, entry)}
        for address, entry in entries.items()
    ]
    text = environment().get_template("studies.html").render(items=items, profile=profile)
    write_text(with_policy(text), page)


def _table(folder: Path, address: str, entry: Mapping[str, Any]) -> Markup:
    """Return the cells of a table as HTML; nothing for a figure."""
    if entry["kind"] == "figure":
        return Markup()
    frame = pd.read_csv(folder / f"{address}.csv", dtype=str).fillna("")
    return Markup(frame.to_html(index=False, border=0, escape=True))
