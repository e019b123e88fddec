"""Pages made on demand only: studies that no publication prints, and the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from opchar.files import write_text
from opchar.page_policy import with_policy
from opchar.publication import folders
from opchar.report.comparison.published_values import read_about
from opchar.report.pages.layout import label_in_words
from opchar.report.pages.overview import short_title
from opchar.report.pages.rendering import environment


def write_apart(
    name: str, entries: Mapping[str, Mapping[str, Any]], profile: str, page: Path
) -> None:
    """Write one page with figures and tables that stand in folders beside it."""
    items = [
        dict(entry)
        | {
            "address": address,
            "source": _source(address, entry),
            "table": _table(page.parent, address, entry),
        }
        for address, entry in entries.items()
    ]
    text = environment().get_template(f"{name}.html").render(items=items, profile=profile)
    write_text(with_policy(text), page)


def _source(address: str, entry: Mapping[str, Any]) -> str:
    """Return the publication of an artefact and where it stands there."""
    paper, _, label = address.partition("/")
    name = label_in_words(label, entry.get("section", ""))
    if paper not in (known := folders()):
        return name
    about = read_about(known[paper])
    return f"{short_title(about | {'authors': '; '.join(about['authors'])})}, {name}"


def _table(folder: Path, address: str, entry: Mapping[str, Any]) -> Markup:
    """Return the cells of a table as HTML; nothing for a figure."""
    if entry["kind"] == "figure":
        return Markup()
    frame = pd.read_csv(folder / f"{address}.csv", dtype=str).fillna("")
    return Markup(frame.to_html(index=False, border=0, escape=True))
