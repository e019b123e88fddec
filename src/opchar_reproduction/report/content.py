"""Everything that the pages of a report show, as plain values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from opchar_reproduction.figures.surface import View
from opchar_reproduction.figures.tables import TableBlock
from opchar_reproduction.report.comparison.outcomes import tally
from opchar_reproduction.report.comparison.published_values import LEADS
from opchar_reproduction.report.comparison.summaries import multiple_comparisons
from opchar_reproduction.report.comparison.whole_tables import Repeats, whole_tables
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
    """What `opchar_reproduction.report.pages.writing.write` makes pages of.

    It concerns publications with ledger lines only.
    `leads`: suspected errors that people noted; `found`: those that checks of the print find.
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
    found: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=LEADS))
    variants: VariantTables = field(default_factory=lambda: read_variant_tables([]))
    proofs: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    chapters: pd.DataFrame = field(
        default_factory=lambda: pd.DataFrame(columns=["paper", "chapter", "title"])
    )
    explored: Mapping[str, Any] = field(default_factory=dict)
    surfaces: Mapping[str, Sequence[View]] = field(default_factory=dict)
    repeats: Mapping[str, Repeats] = field(default_factory=dict)

    @cached_property
    def chance(self) -> pd.DataFrame:
        """Differences beside what chance gives (`multiple_comparisons`)."""
        return multiple_comparisons(self.ledger)

    def whole(self, paper: str, labels: Set[str]) -> dict[str, list[str]]:
        """Return the judgements of tables of a publication as a whole (`whole_tables`)."""
        lines = self.ledger[self.ledger["paper"] == paper]
        return whole_tables(lines, self.repeats.get(paper, {}), labels)

    @cached_property
    def counts(self) -> pd.DataFrame:
        """Numbers of lines by outcome (`tally`)."""
        return tally(self.ledger)


class OnDemand(Content):
    """Content whose parts are made when a page first asks for them."""

    def __init__(self, **parts: Callable[[], Any]) -> None:
        self.__dict__["_parts"] = parts

    def __getattr__(self, name: str) -> Any:
        parts = self.__dict__["_parts"]
        if name not in parts:
            raise AttributeError(name)
        self.__dict__[name] = made = parts[name]()
        return made


class Made(Mapping[str, Any]):
    """A mapping whose values are made when they are first asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], Any]) -> None:
        self._names, self._make = dict.fromkeys(names), cache(make)

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
