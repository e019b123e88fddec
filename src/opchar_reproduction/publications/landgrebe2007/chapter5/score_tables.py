"""Score tables of rejecting classifiers as operating characteristics."""

import numpy as np
import pandas as pd

from opchar.reject.analytic import RejectRates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.scores import ScoreTable, rejecting_threshold

TARGET, OUTLIER, UNSEEN = range(3)
FARTHEST = 20.0


def by_test_set(table: ScoreTable) -> dict[str, ScoreTable]:
    """Return the lines of each test set of one fold by name."""
    return {str(name): part for name, part in table.test_sets()}


def pairs(table: ScoreTable, kind: int, typicality: str = "density") -> np.ndarray:
    """Return the log odds of the target class and the typicality for it, of objects of one class.

    Shapes: returned (n, 2).
    """
    assert table.detector is not None
    _, odds = table.log_odds("target")
    near = table.detector if typicality == "density" else -np.logaddexp(0.0, -odds)
    return np.column_stack([odds, near])[table.y == kind]


def characteristic(
    known: ScoreTable, unseen: ScoreTable, typicality: str = "density"
) -> RejectCharacteristic:
    """Return all operating points for the known objects of one test set and unseen ones."""
    return RejectCharacteristic(
        pairs(known, TARGET, typicality),
        pairs(known, OUTLIER, typicality),
        pairs(unseen, UNSEEN, typicality),
    )


def level_of(near: np.ndarray, t_d: float, unit: str) -> float:
    """Return t_d on the scale of the typicality, given that of targets."""
    if unit == "share":
        return rejecting_threshold(near, t_d)
    return float(np.log(t_d) + (near.max() if unit == "relative" else 0.0))


def after_rejection(table: ScoreTable, training_targets: ScoreTable, share: float) -> np.ndarray:
    """Return log odds of the target class; below all others for what the detector rejects.

    Shapes: returned (n,).
    """
    assert table.detector is not None and training_targets.detector is not None
    is_target = training_targets.y == TARGET
    threshold = rejecting_threshold(training_targets.detector[is_target], share)
    _, odds = table.log_odds("target")
    return np.where(table.detector >= threshold, odds, odds.min() - 1.0)


def target_margin(table: ScoreTable, theta: float, least: float) -> np.ndarray:
    """Return how far inside the region of the target class each object lies, shape (n,)."""
    _, odds = table.log_odds("target")
    inside = odds - theta
    if table.detector is not None:
        inside = np.minimum(inside, table.detector - least)
    return np.clip(inside, -FARTHEST, FARTHEST)


def rates_frame(rates: RejectRates, t_d: np.ndarray, theta: np.ndarray) -> dict[str, np.ndarray]:
    """Return the rates at all pairs of thresholds as a long table, with names of the thresholds."""
    return {
        "t_d": np.repeat(t_d, len(theta)),
        "theta": np.tile(theta, len(t_d)),
        "tpr": rates.tpr.ravel(),
        "fpr_o": rates.fpr_outlier.ravel(),
        "fpr_r": rates.fpr_reject.ravel(),
        "mean_performance": rates.mean_performance().ravel(),
    }


def area(targets: np.ndarray, others: np.ndarray) -> float:
    """Return the share of pairs in which a target scores higher, ties counting one half."""
    ranks = pd.Series(np.concatenate([targets, others])).rank()[: len(targets)]
    above = ranks.sum() - len(targets) * (len(targets) + 1) / 2
    return float(above / (len(targets) * len(others)))
