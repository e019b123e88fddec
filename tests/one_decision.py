"""Scores of twelve kinds, and what a decision on them does, counted from the scores alone."""

import numpy as np

from opchar.analysis.answers.decision import Decision
from opchar.analysis.answers.judging import one_against_rest
from opchar.analysis.asking import Asked
from opchar.analysis.run import Answers

LABORATORY = """
0.225 1.936 0.0315 0.0078 0.4698 19.35 0.0531 1.7466176 0 0.02350828 0.0714725 0.5275296 7.68378
0.05376 0.020688 0.08143 1.127828 0 0.0313956 0.04976592 30.072 6.492 2.99 2.52 0.17 0.03321
0.3306 0 0.884 29.7 1.4 0 0 0.12320784 1.108 0.023104 66.448512 4.180792 0.5792 0.0444 0 0.0392 0
0 0.2105334 0.225 3.355 23.4
"""


def laboratory() -> tuple[np.ndarray, np.ndarray]:
    """Return a public report of 48 objects, of which three are positive."""
    score = np.array(LABORATORY.split(), dtype=float)
    return np.isin(score, [1.7466176, 29.7, 0.0392]).astype(int), score


def three() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    y = (np.arange(40) < 3).astype(int)
    return y, rng.normal(size=40) + 0.3 * y


def drawn(kind: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and scores of one of twelve kinds."""
    rng = np.random.default_rng(seed)
    n = 700 if kind == "many" else 120  # with more thresholds than a table has
    y = (rng.random(n) < 0.3).astype(int)
    y[:3] = 1, 0, 1
    y[3] = 0
    scores = {
        "laboratory": lambda: laboratory(),
        "three": lambda: three(),
        "three apart": lambda: (three()[0], three()[0] * 5 + rng.uniform(size=40)),
        "random": lambda: (y, rng.normal(size=n)),
        "many": lambda: (y, rng.normal(size=n) + y),
        "turned": lambda: (y, rng.normal(size=n) - 2.0 * y),
        "gap": lambda: (y, rng.uniform(size=n) * 0.1 + 0.8 * y),
        "ties": lambda: (y, np.round(rng.normal(size=n) + y)),
        "constant": lambda: (y, np.full(n, 0.4)),
        "two values": lambda: (y, (rng.random(n) < 0.2 + 0.5 * y).astype(float)),
        "saturated": lambda: (y, np.clip(rng.normal(0.5, 0.6, n) + 0.5 * y, 0, 1)),
        "probabilities": lambda: (y, 1 / (1 + np.exp(-rng.normal(size=n) - 2 * y + 1))),
    }
    return scores[kind]()


KINDS = ("laboratory", "three", "three apart", "random", "turned", "gap", "ties", "constant",
         "two values", "saturated", "probabilities", "many")  # fmt: skip
CONDITIONS = [(None, 1.0, 1.0), (0.02, 1.0, 5.0), (0.5, 1.0, 20.0), (0.9, 10.0, 1.0)]


def recomputed(answers: Answers, y: np.ndarray, score: np.ndarray) -> dict[str, float]:
    """Return counts and cost of the recommendation from the scores alone."""
    found = answers.decision
    assert found is not None
    at = found.advice.threshold
    if np.isinf(at):
        accepted = np.full(len(y), at < 0)
    else:
        judged = one_against_rest(answers.scored, answers.scored.positive, answers.asked)
        if answers.scored.costs and not answers.asked.cost_stated:
            asked = Asked(cost=(found.cost_fp, found.cost_fn), resamples=answers.asked.resamples)
            judged = one_against_rest(answers.scored, answers.scored.positive, asked)
        g = int(np.abs(judged.pc - judged.pc_of(np.array(found.prior))).argmin())
        own = judged.chosen_thresholds[judged.names.index(found.advice.model)]
        accepted = score >= own.thresholds[judged.fold, g]
        np.testing.assert_array_equal(score >= at, score >= own.own_thresholds[g])
    tpr, fpr = accepted[y == 1].mean(), accepted[y == 0].mean()
    hits, alarms = 1000 * found.prior * tpr, 1000 * (1 - found.prior) * fpr
    missed = 1000 * found.prior - hits
    return {
        "found": hits,
        "missed": missed,
        "alarms": alarms,
        "precision": hits / (hits + alarms) if hits + alarms else np.nan,
        "cost": (missed * found.cost_fn + alarms * found.cost_fp) / 1000,
    }


def sample_cost(found: Decision, y: np.ndarray, score: np.ndarray, at: float) -> float:
    """Return the cost of 1,000 objects if scores at or above a number are accepted."""
    miss, alarm = (score[y == 1] < at).mean(), (score[y == 0] >= at).mean()
    return 1000 * (found.prior * miss * found.cost_fn + (1 - found.prior) * alarm * found.cost_fp)
