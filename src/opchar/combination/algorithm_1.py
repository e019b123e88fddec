"""Algorithm 1 of soleymani2020 line by line: the slow reference of `pairwise`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats
from opchar.combination.functions import NAMES, decide
from opchar.combination.ranks import RankedScores, rank
from opchar.combination.rules import Combination, Detector, Rule
from opchar.spaces.f_measure import f_measure
from opchar.ties import first_largest


@dataclass(frozen=True)
class Listing:
    """What the listing leaves behind.

    Shapes: `true_positives` and `false_positives` (N_D,); `best` (N_op,); `f` (N_op,).
    """

    rules: list[Rule]
    true_positives: np.ndarray
    false_positives: np.ndarray
    best: np.ndarray
    f: np.ndarray


def run_listing(
    scores: Mapping[str, ArrayLike],
    is_positive: ArrayLike,
    *,
    priors: ArrayLike,
    alpha: float,
    functions: Sequence[str] = NAMES,
) -> Listing:
    """Run the loops of Algorithm 1 with one decision vector at a time.

    soleymani2020, Algorithm 1, with the three interpretations that it needs to run. Decision
    vectors hold decisions, line 15 takes the prior p_i of the loop in line 12, and each classifier
    also has a threshold at infinity.

    Shapes: `scores` (M,); `is_positive` (M,); `priors` (N_op,).
    """
    ranked = rank(scores, is_positive)
    rules, true_positives, false_positives = [], [], []
    for rule, decision in decision_vectors(ranked, functions):
        rules.append(rule)
        true_positives.append(int(np.count_nonzero(decision & ranked.is_positive)))
        false_positives.append(int(np.count_nonzero(decision & ~ranked.is_positive)))
    tp, fp = np.array(true_positives), np.array(false_positives)
    best, highest = [], []
    for prior in floats(priors, "priors"):
        f = f_measure(tp / ranked.n_positive, fp / ranked.n_negative, prior, alpha)
        best.append(int(first_largest(f)))
        highest.append(float(f[best[-1]]))
    return Listing(rules, tp, fp, np.array(best), np.array(highest))


def decision_vectors(
    ranked: RankedScores, functions: Sequence[str] = NAMES
) -> Iterator[tuple[Rule, np.ndarray]]:
    """Yield each rule of lines 1-10 with its decision vector.

    Shapes: `decisions` (n,).
    """
    E = len(ranked.names)
    detectors = [
        [Detector(name, float(threshold)) for threshold in thresholds]
        for name, thresholds in zip(ranked.names, ranked.thresholds, strict=True)
    ]
    d = [[ranked.ranks[e] >= t for t in range(len(detectors[e]))] for e in range(E)]
    for e in range(E):
        yield from zip(detectors[e], d[e], strict=True)
    for function in functions:
        for e in range(E):
            for k in (other for other in range(E) if other != e):
                for t in range(len(d[e])):
                    for n in range(len(d[k])):
                        rule = Combination(function, detectors[e][t], detectors[k][n])
                        yield rule, decide(function, d[e][t], d[k][n])
