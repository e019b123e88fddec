"""One table of scores, with the role of each column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.tables.cells import is_missing, is_percent, label_text, without_unit
from opchar.analysis.tables.columns import RAW, Found
from opchar.analysis.tables.values import keys_of
from opchar.errors import ScoresError

# Classes that programs write where none is known, beside two others.
GAPS = ("NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "?", ".")


@dataclass
class Table:
    """One file, with the role of each column."""

    where: str
    name: str
    frame: pd.DataFrame
    found: Found
    by: str | None
    ties: dict[str, int]
    times: NDArray[np.int64] | None = None
    labels: pd.Series = field(init=False)
    whole: int = field(init=False)
    classes: tuple[str, ...] = ()
    single: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    score_class: str | None = None
    predicted: tuple[str, list[str]] | None = None  # beside scores that are not turned by it
    turned_by: str | None = None
    differences: bool = False
    named: bool = False  # by --scores
    weight_guessed: bool = False

    def __post_init__(self) -> None:
        self.whole = len(self.frame)
        codes, values = pd.factorize(self.frame[self.label], use_na_sentinel=False)
        texts = ["" if pd.isna(value) else label_text(value) for value in values]
        gaps = {text for text in texts if text in GAPS and text not in self.frame}
        if len({*texts} - {"", *gaps}) > 1:
            texts = ["" if text in gaps else text for text in texts]
        self.labels = pd.Series(np.array(texts, object)[codes])

    @property
    def label(self) -> str:
        """The column of true classes."""
        return self.found.label

    @property
    def y(self) -> NDArray[np.intp]:
        """The place of each row's class among the classes, shape (n,)."""
        return pd.Categorical(self.labels, categories=list(self.classes)).codes.astype(np.intp)

    @property
    def identity(self) -> str | None:
        """The column that names objects."""
        return self.found.identity

    @property
    def other_columns(self) -> list[str]:
        """Columns that are taken for nothing."""
        used = {self.label, self.found.fold, self.found.weight, self.identity, self.by}
        used |= {self.turned_by, *(self.columns or self.single), *self.found.costs}
        kept = [name for name in self.frame.columns if name not in used]
        return [name for name in kept if not name.endswith(RAW)]

    @property
    def in_percent(self) -> list[str]:
        """The models whose scores are in percent."""
        found = [name for name in self.columns or self.single if is_percent(self.frame[name])]
        return [self.name] * bool(found) if self.columns or len(self.single) == 1 else found

    @property
    def names_of_models(self) -> dict[str, str]:
        """What else the models are called: as their column, without its unit."""
        if len(self.single) == 1:
            return {self.single[0]: self.name, without_unit(self.single[0]): self.name}
        return {without_unit(name): name for name in self.single}

    def keys(self, column: str | None) -> NDArray[Any] | None:
        """Return folds or ids; whole numbers, or texts."""
        if column is None:
            return None
        return keys_of(self.frame, self.where, column, folds=column == self.found.fold)

    def missing_rows(self) -> NDArray[np.bool_]:
        """Return which rows lack a class, a score, a weight or a name."""
        used = [*(self.columns or self.single), self.found.weight, self.found.fold, self.identity]
        used += self.found.costs
        missing = [is_missing(self.frame[name]) for name in used if name is not None]
        return np.any([(self.labels == "").to_numpy(), *missing], axis=0)

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Keep some of the rows; the index still counts those of the file."""
        self.frame = self.frame[rows]
        self.labels = self.labels[rows]
        if len(set(self.labels)) < len(self.classes):
            raise ScoresError(f"{self.where}: a class has no row without a missing value")
