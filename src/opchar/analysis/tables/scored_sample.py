"""Models scored on the same objects."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from opchar.analysis.asking import LARGEST_RATIO
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import count_text
from opchar.errors import ScoresError


@dataclass(frozen=True)
class ScoredSample:
    """Models scored on the same objects.

    Shapes: `y` (n,); `models` (n, C); `fold` (n,); `weight` (n,); `unit` (n,); `costs` (n,);
    `unlabelled` (m, C) or (m, 1); `by` (n,).

    `counted`: each weight is a number of objects of one class and score. `percent`: models whose
    scores were in percent. `columns`: models by the name of their only column.
    """

    classes: tuple[str, ...]
    y: NDArray[np.intp]
    models: dict[str, NDArray[np.float64]]
    positive: int
    fold: NDArray[np.intp] | None = None
    weight: NDArray[np.float64] | None = None
    unit: NDArray[np.intp] | None = None
    costs: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    unlabelled: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    source: str = "arrays"
    by: tuple[str, NDArray[np.str_]] | None = None
    doubts: tuple[Finding, ...] = ()
    percent: frozenset[str] = frozenset()
    counted: bool = False
    columns: dict[str, str] = field(default_factory=dict)

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many objects each class has, shape (C,)."""
        times = self.weight if self.counted else None
        return np.bincount(self.y, times, minlength=len(self.classes)).astype(np.intp)

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Whether an object is of the positive class, shape (n,)."""
        return self.y == self.positive

    def scores_of_class(self, column: int) -> dict[str, NDArray[np.float64]]:
        """Return by model the score of one class, or the only score that there is."""
        return {
            name: scores[:, 0 if scores.shape[1] == 1 else column]
            for name, scores in self.models.items()
        }

    def with_weight(self) -> ScoredSample:
        """Return the objects that have a weight."""
        if self.weight is None or self.counted:
            return self
        kept = self.weight > 0
        if len(lost := np.setdiff1d(self.y, self.y[kept])):
            raise ScoresError(f"objects of class '{self.classes[lost[0]]}' have no weight")
        together = np.bincount(self.y, self.weight, len(self.classes))
        if together.max() > LARGEST_RATIO * together.min():
            most, least = (self.classes[at] for at in (together.argmax(), together.argmin()))
            raise ScoresError(
                f"weights: objects of class '{most}' together weigh more than {LARGEST_RATIO:g} "
                f"times those of '{least}'"
            )
        if kept.all():
            return self
        note = f"{count_text((~kept).sum(), 'row')} of weight 0 left out."
        return replace(
            self,
            y=self.y[kept],
            models={name: scores[kept] for name, scores in self.models.items()},
            fold=None if self.fold is None else np.unique(self.fold[kept], return_inverse=True)[1],
            weight=self.weight[kept],
            unit=None if self.unit is None else self.unit[kept],
            costs={name: costs[kept] for name, costs in self.costs.items()},
            notes=(*self.notes, note),
            by=None if self.by is None else (self.by[0], self.by[1][kept]),
        )
