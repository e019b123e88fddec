"""What the ledger is built from, read from files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from opchar.plan import Plan
from opchar.report.ledger import labels_built
from opchar.report.published import read_errata, read_lines
from opchar.results import read_results


class Sources(NamedTuple):
    """The arguments of `opchar.report.ledger.build`, in its order."""

    published: pd.DataFrame
    results: pd.DataFrame
    errata: pd.DataFrame
    built: set[str]


def read_sources(plan: Plan, profile: str, *, results: Iterable[Path], published: Path) -> Sources:
    """Read the published lines and errata of the chosen works, and all results.

    Parameters
    ----------
    plan : Plan
    profile : str
        Whose artefacts count as built.
    results : iterable of pathlib.Path
        Result tables ``<paper>/<experiment>.csv``.
    published : pathlib.Path
        ``data/published``.
    """
    papers = plan.config.settings["papers"]
    errata = read_errata(published)
    wanted = {name: plan.config.artefacts[name] for name in plan.wanted(profile)}
    tables = [read_results(path).assign(paper=path.parent.name) for path in results]
    return Sources(
        read_lines(published, papers),
        pd.concat(tables, ignore_index=True),
        errata[errata["paper"].isin(papers)],
        labels_built(wanted),
    )
