"""Write a table of our values beside the published ones, as CSV, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.figures.tables import TableBlock
from opchar.files import write_text
from opchar.functions import import_function, require_type
from opchar.report.comparison.published_values import LINES, read_lines
from opchar.results import read_results


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
    write_text(block.to_markdown(), markdown)
    write_text(block.to_latex(entry["title"], f"tab:{name.replace('/', '-')}"), latex)
