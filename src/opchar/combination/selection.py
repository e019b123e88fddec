"""What a combination method found: the best operating points, and a rule for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from opchar.combination.rules import Rule, Scores
from opchar.combination.samples import Sample
from opchar.spaces.envelope import Envelope
from opchar.spaces.f_measure import f_measure, upper_envelope
from opchar.spaces.points import OperatingPoints


@dataclass(frozen=True)
class Selection:
    """The best operating points among many candidate rules, on the sample that chose them.

    soleymani2020, Algorithm 1, lines 11-17: the vertices of the ROC hull hold the best candidate
    for every P(+) and every alpha, so one selection serves all operating conditions.
    """

    points: OperatingPoints
    rules: tuple[Rule, ...]
    n_candidates: int

    def choose(self, prior: ArrayLike, alpha: float) -> list[Rule]:
        """Return the rule with the highest F-measure at each prior."""
        return self._rules_at(upper_envelope(self.points, alpha), prior)

    def _rules_at(self, envelope: Envelope, condition: ArrayLike) -> list[Rule]:
        _, fpr = envelope.rates(np.atleast_1d(np.asarray(condition, dtype=float)))
        return [self._rule_of_fpr[rate] for rate in fpr.tolist()]

    @cached_property
    def _rule_of_fpr(self) -> dict[float, Rule]:
        return dict(zip(self.points.hull.fpr.tolist(), self.rules, strict=True))


def select(
    false_positives: np.ndarray,
    true_positives: np.ndarray,
    sizes: tuple[int, int],
    rules_at: Callable[[Sequence[int]], list[Rule]],
    n_candidates: int,
) -> Selection:
    """Build a selection from the best TP for each FP.

    Shapes: `false_positives` and `true_positives` (n,).
    """
    positives, negatives = sizes
    numbered = OperatingPoints(
        false_positives / negatives,
        true_positives / positives,
        np.arange(len(false_positives), dtype=float),
        positives,
        negatives,
    )
    rules = tuple(rules_at([int(number) for number in numbered.hull.thresholds]))
    unknown = np.full(len(false_positives), np.nan)
    points = OperatingPoints(numbered.fpr, numbered.tpr, unknown, positives, negatives)
    return Selection(points, rules, n_candidates)


def apply_rules(
    rules: Sequence[Rule], scores: Scores, is_positive: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rates of rules on a sample, which may be another than the one that chose them.

    Shapes: `scores` (M,); `is_positive` (M,); `tpr` and `fpr` (n,).
    """
    positive = np.asarray(is_positive, dtype=bool)
    if not positive.any() or positive.all():
        raise ValueError("rates need samples of both classes")
    rates = {}
    for rule in dict.fromkeys(rules):
        decision = rule.decide(scores)
        rates[rule] = (float(decision[positive].mean()), float(decision[~positive].mean()))
    tpr, fpr = np.array([rates[rule] for rule in rules], dtype=float).reshape(-1, 2).T
    return tpr, fpr


def f_of_rules(
    rules: Sequence[Rule], sample: Sample, priors: np.ndarray, alpha: float
) -> np.ndarray:
    """Return the F-measure of one rule a prior on a sample that need not have chosen them.

    Shapes: `priors` (n,); returned (n,).
    """
    tpr, fpr = apply_rules(rules, *sample)
    return f_measure(tpr, fpr, priors, alpha)
