"""What the nearest mean can gain by rejection at any threshold (Table 5.3)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from opchar.reject.characteristic import RejectCharacteristic
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    OUTLIER,
    TARGET,
    UNSEEN,
    pairs,
)
from opchar_reproduction.publications.landgrebe2007.chapter5.validation.gains import Tests, repeats
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

ROWS = settings(__file__, "nearest_mean_rows.csv")

GAINS = "table-5.3-nearest-mean"
Floats = np.ndarray


class _Repeat(NamedTuple):
    """What one repeat of the validation has: log odds of training objects, and the rates."""

    targets: Floats
    outliers: Floats
    shown: RejectCharacteristic
    theta: float

    def gain(self, log_odds: float) -> float:
        """Return the gain where targets of lower log odds than given are rejected."""
        before = self.shown.at(self.theta, -np.inf)
        after = self.shown.at(self.theta, -np.logaddexp(0.0, -log_odds))
        return 50 * float(after.tpr - before.tpr + before.fpr_unseen - after.fpr_unseen)


@study(
    "reject-nearest-mean",
    kind="reject",
    scores=[
        """mfeat-fou-26; mfeat-fou-26-numbers; satellite-stubble | hidden-class-10 | fisher
        reject nmc"""
    ],
    profiles={"tiny": {"steps": 21}},
)
def nearest_mean(
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    rows: Sequence[Mapping[str, Any]] = ROWS,
    steps: int = 201,
) -> Results:
    """Measure the gain of the nearest mean at all thresholds, and at t_d under other posteriors.

    `scores`: score tables by data set and model, as for `validation`; `rows`: ``row``, ``data``,
    ``model``, ``t_d`` and the ``printed`` gain, in percentage points; `steps`: thresholds tried, at
    even shares of rejected training targets. Returns: lines of table-5.3-nearest-mean: the least
    and the largest mean gain over all thresholds; the shares of rejected training targets at which
    the gain passes the printed one; and the gain at t_d where the posterior is the one of the
    vocabulary, the logistic one of maximum likelihood, and that of two Gaussians of equal variance,
    each also weighted by theta, or a ratio of distances to the means.

    In the one dimension of a Fisher projection every posterior of the nearest mean rises with the
    same log odds, so that all of them trace the gains over all thresholds, whatever their scale.
    A classifier whose operating point is theta may have it in its outputs: the classes are weighted
    so that the posterior is one half at theta. The log odds are then those above theta, and t_d
    counts from there.
    """
    results = Results()
    for entry in rows:
        table = scores[entry["data"], entry["model"]]
        found = [_repeat(one, two) for one, two in repeats(table)]
        about: dict[str, Any] = {"data": table.data}
        shares = np.linspace(0, 1, steps)
        curve = np.mean([_curve(repeat, shares) for repeat in found], axis=0)
        row, points = entry["row"], {"unit": "% points", **about}
        results.number(GAINS, row, "least gain at any threshold", curve.min(), **points)
        results.number(GAINS, row, "largest gain at any threshold", curve.max(), **points)
        passed = shares[1:][np.diff(curve < entry["printed"])]
        for column, values in {"first": passed[:1], "last": passed[-1:]}.items():
            for value in values:
                name = f"{column} share of targets rejected at the printed gain"
                results.number(GAINS, row, name, float(value), unit="fraction", **about)
        _at_threshold(results, row, found, float(np.log(entry["t_d"] / (1 - entry["t_d"]))), points)
    return results


def _repeat(one: Tests, two: Tests) -> _Repeat:
    known, shown = two["train"], two["validation"]
    targets, outliers = (pairs(known, kind, "posterior") for kind in (TARGET, OUTLIER))
    sample = RejectCharacteristic(targets, outliers, np.empty((0, 2)))
    seen = RejectCharacteristic(
        pairs(shown, TARGET, "posterior"), np.empty((0, 2)), pairs(shown, UNSEEN, "posterior")
    )
    return _Repeat(targets[:, 0], outliers[:, 0], seen, sample.equal_error_theta())


def _curve(repeat: _Repeat, shares: Floats) -> list[float]:
    """Return the gain where each share of the training targets is rejected."""
    levels = np.quantile(repeat.targets, shares)
    return [0.0, *(repeat.gain(float(level)) for level in levels[1:])]


def _at_threshold(
    results: Results, row: str, found: Sequence[_Repeat], wanted: float, about: dict[str, Any]
) -> None:
    """Add the gain at t_d, given as log odds, where the posterior has another scale or weights."""
    scales = {
        "as in the vocabulary": lambda repeat: 1.0,
        "of maximum likelihood": _likeliest_scale,
        "of equal variances": _scale_of_equal_variances,
    }
    levels: dict[str, list[float]] = {}
    for name, scale in scales.items():
        steps = [wanted / scale(repeat) for repeat in found]
        levels[f"posterior {name}"] = steps
        levels[f"posterior {name}, weighted by theta"] = [
            repeat.theta + step for repeat, step in zip(found, steps, strict=True)
        ]
    levels["ratio of the distances"] = [_between_means(repeat, wanted) for repeat in found]
    for name, chosen in levels.items():
        gains = [one.gain(level) for one, level in zip(found, chosen, strict=True)]
        results.mean(GAINS, row, f"gain, {name}", gains, **about)


def _likeliest_scale(repeat: _Repeat) -> float:
    """Return the factor of the log odds that makes the labels of the training objects likeliest."""

    def unlikely(scale: float) -> float:
        ours = np.logaddexp(0.0, -scale * repeat.targets).sum()
        return float(ours + np.logaddexp(0.0, scale * repeat.outliers).sum())

    return float(minimize_scalar(unlikely, bounds=(0.01, 50.0), method="bounded").x)


def _scale_of_equal_variances(repeat: _Repeat) -> float:
    """Return the factor of the log odds for two Gaussians with the mean of both variances."""
    apart = repeat.targets.mean() - repeat.outliers.mean()
    return float(2 * apart / (repeat.targets.var() + repeat.outliers.var()))


def _between_means(repeat: _Repeat, wanted: float) -> float:
    """Return the log odds where d_o / (d_t + d_o) is t_d, for distances to both means.

    On the line between the means d_o - d_t is 2 t_d - 1 of their distance, and the log odds of the
    nearest mean are linear, zero in the middle.
    """
    apart = repeat.targets.mean() - repeat.outliers.mean()
    return float(np.tanh(wanted / 2) * apart / 2)
