"""What the pages show, gathered from the files of a run."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from opchar import __version__
from opchar.figures.tables import TableBlock
from opchar.files import read_json
from opchar.functions import imported
from opchar.plan import Plan
from opchar.report.pages import write
from opchar.report.published import read_catalogue, read_errata, read_lines, read_papers
from opchar.results import read_results

SHOWN = ("numpy", "scipy", "scikit-learn", "statsmodels", "pandas", "matplotlib", "snakemake")
KEPT = "fetched by an earlier run"
WHENCE = {
    "data set": "set",
    "title": "title",
    "source": "source",
    "stand-in": "stand_in",
    "licence": "licence",
    "citation": "citation",
}


def assemble(
    plan: Plan, profile: str, *, ledger: Path, published: Path, provenance: Iterable[Path]
) -> Path:
    """Write the pages of a run beside its ledger.

    Parameters
    ----------
    plan : Plan
    profile : str
        Whose results.
    ledger : pathlib.Path
        ``results/<profile>/report/ledger.csv``.
    published : pathlib.Path
        Folder of the published lines.
    provenance : iterable of pathlib.Path
        ``PROVENANCE.json`` of each data set that the results rest on.

    Returns
    -------
    pathlib.Path
        ``index.html``.
    """
    entries = plan.config.artefacts
    figures = plan.wanted(profile, kind="figure")
    papers = plan.config.settings["papers"]
    works = read_papers(published)
    errata = read_errata(published)
    lines = read_lines(published, papers)
    return write(
        ledger.parent,
        papers=works[works["paper"].isin(papers)],
        catalogue=read_catalogue(published),
        artefacts={address: entries[address] for address in plan.wanted(profile)},
        published=lines,
        ledger=pd.read_csv(ledger, dtype=str, keep_default_na=False),
        tables={
            address: table_block(plan, profile, address, lines)
            for address in plan.wanted(profile, kind="table")
        },
        figures={
            address: {Path(f).suffix[1:]: Path(f) for f in plan.artefact_files(profile, address)}
            for address in figures
        },
        provenance=_sources(provenance),
        run=_facts(plan, profile),
        errata=errata[errata["paper"].isin(papers)],
    )


def table_block(plan: Plan, profile: str, address: str, published: pd.DataFrame) -> TableBlock:
    """Return the table of an artefact from the result lines of its experiment.

    Parameters
    ----------
    plan : Plan
    profile : str
        Whose results.
    address : str
        The artefact.
    published : pandas.DataFrame
        Published lines, of its work at least.

    Returns
    -------
    TableBlock
    """
    entry = plan.config.artefacts[address]
    labels = plan.labels(address)
    results = read_results(plan.artefact_sources(profile, address)[0])
    same_work = published["paper"] == address.split("/")[0]
    return imported(entry["renderer"])(
        results[results["artefact"].isin(labels)],
        published[same_work & published["artefact"].isin(labels)],
        **entry.get("parameters", {}),
    )


def _sources(provenance: Iterable[Path]) -> pd.DataFrame:
    """Return one row a data set: what was used, under which licence."""
    rows = []
    for path in sorted(provenance):
        said = read_json(path)
        row = {name: str(said.get(key) or "") for name, key in WHENCE.items()}
        rows.append(row | ({"source": KEPT} if row["source"] == "kept" else {}))
    return pd.DataFrame(rows, columns=list(WHENCE))


def _facts(plan: Plan, profile: str) -> dict[str, str]:
    facts = {"profile": profile, "seed": str(plan.config.seed), "opchar": __version__}
    facts["Python"] = platform.python_version()
    return facts | {name: version(name) for name in SHOWN}
