"""Everything that the pages of a report show, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from opchar.figures.surface import View
from opchar.figures.tables import TableBlock
from opchar.report.variant_tables import VariantTables, read_variant_tables


@dataclass(frozen=True)
class DataSet:
    """A data set of a run.

    Attributes
    ----------
    key : str
        Its name in ``config/datasets.yaml``.
    title, licence, citation : str
        Of what was used: of the replacement where there is one.
    stand_in : str
        What replaces the original; empty when the original was used.
    page : str
        Where its makers describe it; empty if nowhere.
    shape : tuple of int
        Objects and features; empty when a view decides them.
    files : mapping of str to str
        SHA-256 of each file that was read, by name.
    used_by : tuple of str
        Addresses of the artefacts that rest on it.
    """

    key: str
    title: str
    licence: str
    citation: str
    stand_in: str = ""
    page: str = ""
    shape: tuple[int, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    used_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """What `opchar.report.pages.writing.write` makes pages of.

    Attributes
    ----------
    papers, catalogue, published : pandas.DataFrame
        As `opchar.report.comparison.published_values` reads them.
    artefacts : mapping of str to mapping
        The built artefacts: config entries by address.
    experiments : mapping of str to mapping
        Config entries of their experiments by address, with the parameters of this run.
    code : mapping of str to (str, str)
        File and source of the functions that the entries name, by ``module:function``.
    versions : mapping of str to str
        Hashes of the code and configuration that each experiment was run with, by address.
    ledger : pandas.DataFrame
        As `opchar.report.comparison.ledger.build` returns it.
    tables : mapping of str to TableBlock
        Table by address.
    figures : mapping of str to mapping of str to pathlib.Path
        Files by address and format (``svg``, ``png``, ``pdf``).
    data : sequence of DataSet
        The data sets of the run.
    run : mapping of str to str
        Facts of the run (versions, profile, seed, ...), shown in this order.
    citation : mapping
        ``CITATION.cff``: how to cite this software, and what it reproduces.
    workflow : mapping of str to str
        Text by file name of what the run was planned with; a ``Snakefile`` among them.
    errata, leads : pandas.DataFrame
        As `opchar.report.comparison.published_values` reads them.
    statements : pandas.DataFrame
        Judged statements (`opchar.statements.judging.COLUMNS`).
    variants : VariantTables
        The weighed variants of the works.
    proofs : mapping of str to pandas.DataFrame
        As `opchar.report.pages.proofs.read_proofs` returns them.
    chapters : pandas.DataFrame
        As `opchar.report.comparison.published_values.read_chapters` reads them.
    explored : mapping
        What the explorer shows (`opchar.report.explorer.tables.explorer_data`); without it there is
        no explorer.
    surfaces : mapping of str to sequence of View
        What can be turned of figures, by address.
    """

    papers: pd.DataFrame
    catalogue: pd.DataFrame
    published: pd.DataFrame
    artefacts: Mapping[str, Mapping[str, Any]]
    experiments: Mapping[str, Mapping[str, Any]]
    code: Mapping[str, tuple[str, str]]
    versions: Mapping[str, str]
    ledger: pd.DataFrame
    tables: Mapping[str, TableBlock]
    figures: Mapping[str, Mapping[str, Path]]
    data: Sequence[DataSet]
    run: Mapping[str, str]
    citation: Mapping[str, Any]
    workflow: Mapping[str, str]
    errata: pd.DataFrame
    leads: pd.DataFrame
    statements: pd.DataFrame
    variants: VariantTables = field(default_factory=lambda: read_variant_tables([]))
    proofs: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    chapters: pd.DataFrame = field(
        default_factory=lambda: pd.DataFrame(columns=["paper", "chapter", "title"])
    )
    explored: Mapping[str, Any] = field(default_factory=dict)
    surfaces: Mapping[str, Sequence[View]] = field(default_factory=dict)
