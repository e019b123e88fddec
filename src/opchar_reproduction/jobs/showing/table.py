"""Write a table of our values beside the published ones, as CSV, Markdown and LaTeX."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.files import write_text
from opchar.functions import import_function, require_type
from opchar_reproduction.figures.labels import label_in_words
from opchar_reproduction.figures.latex_tables import to_latex
from opchar_reproduction.figures.model_words import spell_row
from opchar_reproduction.figures.tables import TableBlock
from opchar_reproduction.report.comparison.published_values import (
    LINES,
    read_lines,
    read_papers,
    short_title,
)
from opchar_reproduction.results import read_results


def run(
    name: str,
    entry: Mapping[str, Any],
    labels: Iterable[str],
    *,
    results: Path,
    published: Sequence[Path],
    files: Iterable[Path],
) -> None:
    """Write a table in three formats."""
    chosen = list(labels)
    none = pd.DataFrame(columns=LINES)
    lines = read_lines({name.split("/")[0]: published[0].parent}) if published else none
    measured = read_results(results)
    block = import_function(entry["renderer"])(
        measured[measured["artefact"].isin(chosen)],
        lines[lines["artefact"].isin(chosen)],
        **entry["parameters"],
    )
    require_type(block, TableBlock, entry["renderer"])
    csv, markdown, latex = files
    write_text(block.to_csv(), csv)
    paper, _, label = name.partition("/")
    named = label_in_words(label) if re.search(r"\d", label) else ""
    title = f"{named}: {entry['title']}" if named else entry["title"]
    source = ""
    if lines["artefact"].isin(chosen).any():
        work = read_papers({paper: published[0].parent}).iloc[0].to_dict()
        source = ", ".join(filter(None, (short_title(work), named)))
    write_text(block.to_markdown(title), markdown)
    label = f"tab:{name.replace('/', '-')}"
    write_text(to_latex(block, entry["title"], label, source=source, worded=spell_row), latex)
