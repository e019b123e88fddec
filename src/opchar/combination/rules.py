"""Rules that people can read and that apply to new scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from opchar.combination.functions import decide

Scores = Mapping[str, np.ndarray]


class Rule(ABC):
    """A decision on scores: a `Detector` or a `Combination` of two rules.

    ``str(rule)`` is exact; ``format(rule, ".2f")`` rounds the thresholds for reading.
    """

    @abstractmethod
    def decide(self, scores: Scores) -> np.ndarray:
        """Decide on samples.

        Shapes: `scores` (n,); returned (n,).
        """

    @abstractmethod
    def detectors(self) -> tuple[Detector, ...]:
        """Return the thresholds of the rule, from left to right."""

    @abstractmethod
    def __format__(self, spec: str) -> str: ...

    def __str__(self) -> str:
        return format(self, "")


@dataclass(frozen=True)
class Detector(Rule):
    """One classifier at one threshold: positive where score >= threshold."""

    classifier: str
    threshold: float

    def decide(self, scores: Scores) -> np.ndarray:
        """Decide on samples, see `Rule.decide`."""
        if self.classifier not in scores:
            raise ValueError(f"no scores of {self.classifier!r}, which the rule needs")
        return np.asarray(scores[self.classifier], dtype=float) >= self.threshold

    def detectors(self) -> tuple[Detector, ...]:
        """Return itself."""
        return (self,)

    def __format__(self, spec: str) -> str:
        number = format(self.threshold, spec) if spec else repr(float(self.threshold))
        return f"{self.classifier} >= {number}"

    def __str__(self) -> str:
        return format(self, "")


@dataclass(frozen=True)
class Combination(Rule):
    """Two rules joined by one of the ten Boolean functions."""

    function: str
    first: Rule
    second: Rule

    def decide(self, scores: Scores) -> np.ndarray:
        """Decide on samples, see `Rule.decide`."""
        return decide(self.function, self.first.decide(scores), self.second.decide(scores))

    def detectors(self) -> tuple[Detector, ...]:
        """Return the detectors of both rules."""
        return self.first.detectors() + self.second.detectors()

    def __format__(self, spec: str) -> str:
        return f"{self.function}({format(self.first, spec)}, {format(self.second, spec)})"

    def __str__(self) -> str:
        return format(self, "")
