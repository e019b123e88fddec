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

    Parameters
    ----------
    rules : list of Rule, length N_D
        One for each decision vector, in the order in which the loops make them.
    true_positives, false_positives : ndarray of int, shape (N_D,)
        Counts on the validation sample, in the order of `rules`.
    best : ndarray of int, shape (N_op,)
        The first decision vector with the highest F-measure at each operating point.
    f : ndarray of float, shape (N_op,)
        That F-measure.
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

    Parameters
    ----------
    scores : mapping of str to array_like of float, shape (M,)
        Scores by name of the classifier, higher meaning positive.
    is_positive : array_like of bool, shape (M,)
        Whether each object is of the positive class.
    priors : array_like of float, shape (N_op,)
        Operating points P(+).
    alpha : float
        Weight of precision.
    functions : sequence of str
        The Boolean functions of line 5.

    Returns
    -------
    Listing
        All rules with their counts, and the best one for each of `priors`.

    Notes
    -----
    soleymani2020, Algorithm 1, with three interpretations without which it cannot run: decision
    vectors hold decisions, line 15 takes the prior p_i of the loop in line 12, and each classifier
    also has a threshold at infinity.
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

    Parameters
    ----------
    ranked : RankedScores
        The validation sample.
    functions : sequence of str
        The Boolean functions of line 5.

    Yields
    ------
    rule : Rule
        One threshold of one classifier first, then pairs by function, classifiers and thresholds.
    decisions : ndarray of bool, shape (n,)
        True where the rule accepts the sample as positive.
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
