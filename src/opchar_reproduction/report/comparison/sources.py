"""What the ledger is built from, read from files."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from opchar_reproduction.report.comparison.causes import shown_by
from opchar_reproduction.report.comparison.ledger import labels_built
from opchar_reproduction.report.comparison.published_values import (
    Folders,
    read_apart,
    read_causes,
    read_errata,
    read_lines,
    read_margins,
)
from opchar_reproduction.report.variant_tables import read_variant_tables
from opchar_reproduction.results import read_results
from opchar_reproduction.statements.judging import read_judged


def read_sources(
    works: Folders,
    built: Mapping[str, Mapping[str, Any]],
    *,
    results: Iterable[Path],
    statements: Iterable[Path],
    weights: Sequence[Path] = (),
) -> tuple[Any, ...]:
    """Return the arguments of `opchar_reproduction.report.comparison.ledger.build`, in its order.

    They are the published lines, errata, causes and margins of the works, and what was measured.
    """
    tables = [read_results(path).assign(paper=path.parent.name) for path in results]
    lines = read_lines(works)
    weighed = read_variant_tables(weights)
    return (
        lines,
        pd.concat(tables, ignore_index=True),
        read_errata(works),
        labels_built(built),
        pd.concat([read_judged(path) for path in statements], ignore_index=True),
        weighed.cells_of_lines(lines),
        read_causes(works),
        read_margins(),
        read_apart(works),
        shown_by(weighed.cells, weighed.statements, weighed.weights),
    )
