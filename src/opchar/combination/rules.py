"""Rules that people can read and that apply to new scores."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from opchar.combination.functions import FUNCTIONS, decide

Scores = Mapping[str, np.ndarray]


class Rule(ABC):
    """A decision on scores: a `Detector` or a `Combination` of two rules.

    ``str(rule)`` is exact and `parse_rule` reads it back; ``format(rule, ".2f")`` rounds the
    thresholds for reading.
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


def parse_rule(text: str) -> Rule:
    """Read a rule from what ``str`` wrote.

    `text`: as in ``"NAND(svm07 >= 0.31, svm12 >= 0.55)"``.
    """
    rule, rest = _parse(text.strip(), text)
    if rest:
        raise ValueError(f"not a rule: {text!r} goes on after its end with {rest!r}")
    return rule


def _parse(text: str, whole: str) -> tuple[Rule, str]:
    function, opening, inside = text.partition("(")
    if opening and function in FUNCTIONS:
        first, rest = _parse(inside, whole)
        second, rest = _parse(_text_after(",", rest, whole), whole)
        return Combination(function, first, second), _text_after(")", rest, whole)
    found = re.match(r"([^(),]+?)\s*>=\s*([^\s(),]+)\s*", text)
    if found is None:
        raise ValueError(f"not a rule: {whole!r} has no 'classifier >= threshold' at {text!r}")
    try:
        detector = Detector(found.group(1), float(found.group(2)))
    except ValueError:
        raise ValueError(f"not a rule: threshold {found.group(2)!r} in {whole!r}") from None
    return detector, text[found.end() :]


def _text_after(mark: str, text: str, whole: str) -> str:
    if not text.startswith(mark):
        raise ValueError(f"not a rule: {whole!r} lacks {mark!r} before {text!r}")
    return text[len(mark) :].lstrip()
