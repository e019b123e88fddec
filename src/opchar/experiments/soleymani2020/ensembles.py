"""What is chosen on a validation sample from a pool of classifiers, and how it does elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from opchar.combination.iterative import iterative
from opchar.combination.likelihood_ratio import LikelihoodRatio, likelihood_ratio
from opchar.combination.pairwise import pairwise
from opchar.combination.rules import Detector, Rule, Scores
from opchar.combination.selection import Selection

_LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class RatioRule(Rule):
    """Positive where the likelihood ratio of joint decisions reaches a threshold.

    Parameters
    ----------
    members : tuple of Detector
    fitted : LikelihoodRatio
        Fitted to the decisions of `members`.
    threshold : float
    """

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
    """Return the likelihood ratio of the members' decisions on samples, infinite ones cut."""
    decisions = np.column_stack([member.decide(scores) for member in members])
    return np.minimum(fitted.score(decisions), _LARGEST)


def ratio_rules(
    scores: Scores, is_positive: np.ndarray, priors: np.ndarray, alpha: float
) -> list[Rule]:
    """Choose by the likelihood ratio of all decisions, each classifier at its own best threshold.

    Parameters
    ----------
    scores : mapping of str to ndarray, shape (M,)
        Scores by name of the classifier on the validation sample.
    is_positive : ndarray of bool, shape (M,)
    priors : ndarray of float, shape (n,)
        P(+) at which thresholds are best.
    alpha : float
        Weight of precision.

    Returns
    -------
    list of Rule, length n
        The same object where neighbouring priors share everything.

    References
    ----------
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


def with_mean(scores: Scores) -> dict[str, np.ndarray]:
    """Return the scores of a pool and, as ``mean``, their average."""
    return {**scores, "mean": np.mean(list(scores.values()), axis=0)}


def selections(scores: Scores, is_positive: np.ndarray) -> dict[str, Selection]:
    """Let each way of combining a pool choose on a validation sample.

    Parameters
    ----------
    scores : mapping of str to ndarray, shape (M,)
        Scores by name of the member on the validation sample.
    is_positive : ndarray of bool, shape (M,)

    Returns
    -------
    dict of str to Selection
        ``score average``, ``single member``, ``pairwise`` (Algorithm 1) and ``iterative``; rules of
        the first read the scores of `with_mean`.
    """
    return {
        "score average": pairwise({"mean": with_mean(scores)["mean"]}, is_positive, functions=()),
        "single member": pairwise(scores, is_positive, functions=()),
        "pairwise": pairwise(scores, is_positive),
        "iterative": iterative(scores, is_positive),
    }


def chosen_rules(
    found: Mapping[str, Selection],
    scores: Scores,
    is_positive: np.ndarray,
    priors: np.ndarray,
    alpha: float,
) -> dict[str, list[Rule]]:
    """Return the rule of each way for each prior, the likelihood ratio among them.

    Parameters
    ----------
    found : mapping of str to Selection
        From `selections` on the same sample.
    scores, is_positive
        The validation sample.
    priors : ndarray of float, shape (n,)
        P(+).
    alpha : float
        Weight of precision.
    """
    rules = {way: selection.choose(priors, alpha) for way, selection in found.items()}
    return rules | {"likelihood ratio": ratio_rules(scores, is_positive, priors, alpha)}
