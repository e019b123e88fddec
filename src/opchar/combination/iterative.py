"""Iterative Boolean combination (Khreich et al. 2010): one classifier after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from opchar.combination.functions import NAMES, combine
from opchar.combination.pairwise import pairwise
from opchar.combination.ranks import RankedScores, rank
from opchar.combination.rules import Combination, Detector, Rule
from opchar.combination.selection import Selection, select
from opchar.spaces.roc import auc


def iterative(
    scores: Mapping[str, ArrayLike],
    is_positive: ArrayLike,
    *,
    functions: Sequence[str] = NAMES,
    tolerance: float = 1e-3,
    max_rounds: int = 20,
) -> Selection:
    """Combine soft classifiers in the given order, then again until the hull stops growing.

    The first two classifiers are combined at all thresholds. The rules on the hull are combined
    with the third classifier, and so on; a combination is kept if it is on the new hull. Then, in
    rounds, the rules on the hull are combined with every classifier, until a round adds no more
    than `tolerance` to the area under the hull. Among equals the older rule is kept, then the first
    in the order of functions, rules and ascending thresholds.

    soleymani2020, Sec. 3.4.2 describes this method (ref. 11) before Algorithm 1, which is not
    iterative.

    Shapes: `scores` (M,); `is_positive` (M,).
    """
    ranked = rank(scores, is_positive)
    first_two = dict(list(scores.items())[:2])
    selection = pairwise(first_two, is_positive, functions=functions)
    for e in range(2, len(ranked.names)):
        selection = _with_classifiers(selection, ranked, scores, [e], functions)
    for _ in range(max_rounds):
        everyone = range(len(ranked.names))
        grown = _with_classifiers(selection, ranked, scores, everyone, functions)
        gain = auc(grown.points.hull) - auc(selection.points.hull)
        selection = grown
        if gain <= tolerance:
            break
    return selection


def _with_classifiers(
    selection: Selection,
    ranked: RankedScores,
    scores: Mapping[str, ArrayLike],
    classifiers: Sequence[int],
    functions: Sequence[str],
) -> Selection:
    """Combine the rules on the hull with each of the classifiers at all thresholds."""
    arrays = {name: np.asarray(values, dtype=float) for name, values in scores.items()}
    responses = np.array([rule.decide(arrays) for rule in selection.rules])
    first_codes = responses @ ranked.weights
    stacks = [first_codes] + [
        combine(
            function,
            first_codes[:, np.newaxis],
            ranked.singles[e],
            _intersections(responses, ranked, e),
            ranked.everything,
        ).ravel()
        for e in classifiers
        for function in functions
    ]
    codes = np.concatenate(stacks)
    starts = np.cumsum([0] + [len(stack) for stack in stacks])
    fp, tp = ranked.best(ranked.distinct(codes))

    def rule_at(number: int) -> Rule:
        code = fp[number] * (ranked.n_positive + 1) + tp[number]
        index = int(np.argmax(codes == code))
        stack = int(np.searchsorted(starts, index, side="right")) - 1
        if stack == 0:
            return selection.rules[index]
        e = classifiers[(stack - 1) // len(functions)]
        function = functions[(stack - 1) % len(functions)]
        s, t = divmod(index - int(starts[stack]), len(ranked.thresholds[e]))
        detector = Detector(ranked.names[e], float(ranked.thresholds[e][t]))
        return Combination(function, selection.rules[s], detector)

    sizes = (ranked.n_positive, ranked.n_negative)
    n_candidates = selection.n_candidates + len(codes) - len(first_codes)
    return select(fp, tp, sizes, lambda numbers: [rule_at(n) for n in numbers], n_candidates)


def _intersections(responses: np.ndarray, ranked: RankedScores, e: int) -> np.ndarray:
    """Return the codes of "response s and classifier e at threshold t", shape (S, T)."""
    width = len(ranked.thresholds[e])
    cell = np.arange(len(responses))[:, np.newaxis] * width + ranked.ranks[e]
    counts = np.bincount(
        cell.ravel(), (responses * ranked.weights).ravel(), minlength=len(responses) * width
    )
    by_threshold = counts.reshape(-1, width)[:, ::-1].cumsum(axis=1)[:, ::-1]
    return by_threshold.astype(np.int64)
