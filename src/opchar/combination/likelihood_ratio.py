"""The best ROC that any combination of crisp decisions can have: order by likelihood ratio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import plain_array
from opchar.combination.pairwise import pairwise
from opchar.combination.rules import Detector, Rule, Scores
from opchar.combination.selection import Selection
from opchar.spaces.points import OperatingPoints, operating_points

_LARGEST = 1e300


@dataclass(frozen=True)
class LikelihoodRatio:
    """A combination by the likelihood ratio of joint outcomes.

    Shapes: `outcomes` (k, K); `ratio` (k,).

    `ratio`: ``P(outcome | +) / P(outcome | -)`` of each; infinite where no negative has it.
    """

    outcomes: np.ndarray
    ratio: np.ndarray

    def score(self, outcomes: ArrayLike) -> np.ndarray:
        """Return the likelihood ratio of new samples, 1 for an outcome never seen in fitting.

        Shapes: `outcomes` (n, K); returned (n,).
        """
        new = _table(outcomes)
        if new.shape[1] != self.outcomes.shape[1]:
            raise ValueError(f"fitted on {self.outcomes.shape[1]} detectors, got {new.shape[1]}")
        seen = zip(map(tuple, self.outcomes.tolist()), self.ratio.tolist(), strict=True)
        ratios = dict(seen)
        return np.array([ratios.get(tuple(outcome), 1.0) for outcome in new.tolist()])


def likelihood_ratio(
    outcomes: ArrayLike, is_positive: ArrayLike, *, smoothing: float = 0.0
) -> LikelihoodRatio:
    """Fit the likelihood-ratio combination of crisp detectors.

    Shapes: `outcomes` (M, K); `is_positive` (M,).

    Barreno, Cardenas and Tygar, "Optimal ROC curve for a combination of classifiers", NIPS 2007.

    >>> fitted = likelihood_ratio([[1, 1], [1, 0], [1, 0], [0, 0]], [True, True, False, False])
    >>> fitted.score([[1, 1], [1, 0], [0, 0], [0, 1]]).tolist()
    [inf, 1.0, 0.0, 1.0]
    """
    table, labels = _table(outcomes), plain_array(is_positive, "is_positive").astype(bool)
    if labels.shape != (len(table),):
        raise ValueError(f"{len(table)} outcomes, but labels of shape {labels.shape}")
    if not labels.any() or labels.all():
        raise ValueError("a likelihood ratio needs samples of both classes")
    if smoothing < 0:
        raise ValueError(f"smoothing must not be negative, got {smoothing}")
    seen, row = np.unique(table, axis=0, return_inverse=True)
    row = row.reshape(-1)
    positive = np.bincount(row[labels], minlength=len(seen)) + smoothing
    negative = np.bincount(row[~labels], minlength=len(seen)) + smoothing
    never_negative = np.full(len(seen), np.inf)
    ratio = np.divide(
        positive * negative.sum(), negative * positive.sum(), out=never_negative, where=negative > 0
    )
    return LikelihoodRatio(seen, ratio)


def likelihood_ratio_roc(outcomes: ArrayLike, is_positive: ArrayLike) -> OperatingPoints:
    """Return the best operating points that any rule on these joint outcomes has on this sample.

    Shapes: `outcomes` (M, K); `is_positive` (M,).
    """
    fitted = likelihood_ratio(outcomes, is_positive)
    return operating_points(is_positive, fitted.score(outcomes))


@dataclass(frozen=True, eq=False)
class RatioRule(Rule):
    """Positive where the likelihood ratio of joint decisions reaches a threshold."""

    members: tuple[Detector, ...]
    fitted: LikelihoodRatio
    threshold: float

    def decide(self, scores: Scores) -> np.ndarray:
        """Decide on samples, see `Rule.decide`."""
        return ratios(self.fitted, self.members, scores) >= self.threshold

    def detectors(self) -> tuple[Detector, ...]:
        """Return the members."""
        return self.members

    def __format__(self, spec: str) -> str:
        inside = ", ".join(format(member, spec) for member in self.members)
        return f"LR({inside}) >= {format(self.threshold, spec or 'g')}"


def ratios(fitted: LikelihoodRatio, members: tuple[Detector, ...], scores: Scores) -> np.ndarray:
    """Return the likelihood ratio of the members' decisions on samples, infinite ones cut.

    Shapes: `scores`, returned (n,).

    Returns: In [0, 1e300]; 1 for decisions never seen in fitting.
    """
    decisions = np.column_stack([member.decide(scores) for member in members])
    return np.minimum(fitted.score(decisions), _LARGEST)


def ratio_rules(
    scores: Scores, is_positive: np.ndarray, priors: np.ndarray, alpha: float
) -> list[Rule]:
    """Choose by the likelihood ratio of all decisions, each classifier at its own best threshold.

    Shapes: `scores`, `is_positive` (M,); `priors` (n,).

    Barreno, Cardenas and Tygar, "Optimal ROC curve for a combination of classifiers", NIPS 2007.
    """
    alone = zip(
        *(
            pairwise({name: score}, is_positive, functions=()).choose(priors, alpha)
            for name, score in scores.items()
        ),
        strict=True,
    )
    choices: dict[tuple[Rule, ...], tuple[LikelihoodRatio, Selection]] = {}
    rules: dict[tuple[tuple[Rule, ...], Rule], Rule] = {}
    chosen = []
    for prior, members in zip(priors.tolist(), alone, strict=True):
        if members not in choices:
            decisions = np.column_stack([member.decide(scores) for member in members])
            fitted = likelihood_ratio(decisions, is_positive)
            ratio = np.minimum(fitted.score(decisions), _LARGEST)
            choices[members] = fitted, pairwise({"ratio": ratio}, is_positive, functions=())
        fitted, selection = choices[members]
        (best,) = selection.choose(prior, alpha)
        if (members, best) not in rules:
            (reached,) = best.detectors()
            detectors = tuple(detector for member in members for detector in member.detectors())
            rules[members, best] = RatioRule(detectors, fitted, reached.threshold)
        chosen.append(rules[members, best])
    return chosen


def _table(outcomes: ArrayLike) -> np.ndarray:
    table = plain_array(outcomes, "outcomes")
    if table.ndim != 2 or not table.size:
        raise ValueError(f"outcomes must be a table (samples, detectors), got shape {table.shape}")
    return table
