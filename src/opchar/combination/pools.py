"""Ways of combining a pool of classifiers: what a validation sample chooses for each P(+)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np

from opchar.arguments import floats
from opchar.combination.functions import NAMES
from opchar.combination.iterative import iterative
from opchar.combination.likelihood_ratio import ratio_rules
from opchar.combination.pairwise import pairwise
from opchar.combination.rules import Rule, Scores
from opchar.combination.selection import Selection

WAYS = ("score average", "single member", "pairwise", "iterative")


def with_mean(scores: Scores) -> dict[str, np.ndarray]:
    """Return the scores of a pool and, as ``mean``, their average.

    Shapes: `scores` (n,); returned (n,).
    """
    if not scores:
        raise ValueError("there is no detector to take the mean of")
    return {**scores, "mean": np.mean([floats(each, "scores") for each in scores.values()], axis=0)}


def selections(
    scores: Scores, is_positive: np.ndarray, *, ways: Collection[str] = WAYS, last: bool = False
) -> dict[str, Selection]:
    """Let each way of combining a pool choose on a validation sample.

    Shapes: `scores`, `is_positive` (M,).
    """
    order: Scores = dict(reversed(list(scores.items()))) if last else scores
    functions = NAMES[::-1] if last else NAMES
    made: dict[str, Callable[[], Selection]] = {
        "score average": lambda: pairwise(
            {"mean": with_mean(scores)["mean"]}, is_positive, functions=()
        ),
        "single member": lambda: pairwise(order, is_positive, functions=()),
        "pairwise": lambda: pairwise(order, is_positive, functions=functions),
        "iterative": lambda: iterative(order, is_positive),
    }
    return {way: choose() for way, choose in made.items() if way in ways}


def chosen_rules(
    found: Mapping[str, Selection],
    scores: Scores,
    is_positive: np.ndarray,
    priors: np.ndarray,
    alpha: float,
) -> dict[str, list[Rule]]:
    """Return the rule of each way for each prior, the likelihood ratio among them.

    Shapes: `priors` (n,).
    """
    rules = selected_rules(found, priors, alpha)
    return rules | {"likelihood ratio": ratio_rules(scores, is_positive, priors, alpha)}


def selected_rules(
    found: Mapping[str, Selection], priors: np.ndarray, alpha: float
) -> dict[str, list[Rule]]:
    """Return the rule of each way for each prior."""
    return {way: selection.choose(priors, alpha) for way, selection in found.items()}
