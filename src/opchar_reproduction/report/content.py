"""Everything that the pages of a report show, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from opchar_reproduction.figures.surface import View
from opchar_reproduction.figures.tables import TableBlock
from opchar_reproduction.report.variant_tables import VariantTables, read_variant_tables


@dataclass(frozen=True)
class DataSet:
    """A data set of a run."""

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
    """What `opchar_reproduction.report.pages.writing.write` makes pages of."""

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
