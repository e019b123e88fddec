"""Three rules that choose the threshold with the least expected cost for a prior in use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit

from opchar.arguments import floats
from opchar.decisions.smooth_curves import Labelled, check_labelled, middle, smooth_points
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.spaces.scored.sample import condition_of, points_of, prior_of
from opchar.spaces.scored.thresholds import Criterion, criterion_of
from opchar.statistics.calibration import METHODS, Method, calibration

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Rule = Literal["auto", "search", "theory"]
RULES: tuple[Rule, ...] = ("auto", "search", "theory")


@dataclass(frozen=True)
class ThresholdChoice:
    """A threshold, the rule that chose it, and what each rule gives."""

    threshold: float
    rule: Rule
    why: str
    prior: float
    cost_fp: float
    cost_fn: float
    thresholds: dict[str, float]
    costs: dict[str, float]

    def to_frame(self) -> pd.DataFrame:
        """Return a line for each rule: ``rule``, ``threshold``, ``cost``, whether ``chosen``."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rule": list(self.thresholds),
                "threshold": list(self.thresholds.values()),
                "cost": [self.costs.get(name, np.nan) for name in self.thresholds],
                "chosen": [name == self.rule for name in self.thresholds],
            }
        )


def choose_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: float | None = None,
    criterion: Criterion | None = None,
    alpha: float | None = None,
    cost_fn: float | None = None,
    cost_fp: float | None = None,
    rule: Rule = "auto",
    calibrate: Method | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ThresholdChoice:
    """Return the threshold whose expected cost is least, by one of three rules, or of the best F.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.points_of`; of objects that the scorer was not trained on, such as scores out of
        fold, pooled.
    prior : float, optional
        P(+) in use, in [0, 1]; that of the sample when not given.
    criterion : {"cost", "f"}, optional
        F where `alpha` is given, else the cost.
    alpha : float, optional
        Weight of precision in F, in [0, 1]; 0.5 when not given. F is searched for, whatever the
        rule.
    cost_fn, cost_fp : float, optional
        Cost of a missed positive and of a false alarm, not negative and not both zero; 1 when not
        given.
    rule : {"auto", "search", "theory"}
        ``search`` takes the least cost on the sample; ``theory`` the score whose calibrated
        probability, shifted to `prior`, is the Bayes threshold; ``auto`` the least cost on a smooth
        ROC curve, the mean of what labels, calibration and kernels say, see `smooth_points`.
    calibrate : {"sigmoid", "beta", "isotonic", "none"}, optional
        How ``theory`` turns scores into probabilities, see `opchar.statistics.calibration`; by a
        sigmoid when not given. With ``isotonic`` it is ``search`` again.

    Returns
    -------
    ThresholdChoice
        The threshold of `rule`, with those of the others and their costs on the sample. A rule that
        cannot answer is left out where it was not asked for: ``search`` and F take any scores and
        weights that can be ranked and summed, ``auto`` and ``theory`` finite scores up to 1e150
        and weights of both classes within 16 digits.

    Raises
    ------
    ValueError
        For an unknown rule or method, options that contradict the criterion, a class that is
        missing, or numbers out of range; and where the least cost is that of accepting none, and
        infinity is itself a score.

    References
    ----------
    Elkan, The foundations of cost-sensitive learning (2001); soleymani2020, Sec. 2.3.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 0, 0, 1, 1, 1]
    >>> y_score = [-2.1, -1.5, -1.2, -0.8, -0.6, -0.1, 0.2, 0.7, 1.1, 2.3]
    >>> found = choose_threshold(y_true, y_score, cost_fn=5, rule="search")
    >>> round(found.threshold, 4)
    -0.7
    """
    method = calibrate or "sigmoid"
    check_rule(rule, method)
    by, weight, miss, alarm = criterion_of(criterion, alpha, cost_fn, cost_fp, "cost")
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = prior_of(points, prior)
    if by == "f":
        check_f(rule, calibrate)
        best = halfway(points, float(upper_envelope(points, weight).threshold(at)))
        why = "largest F on the sample"
        return ThresholdChoice(best, "search", why, at, alarm, miss, {"search": best}, {})
    pc = np.atleast_1d(condition_of(at, miss, alarm))
    found: dict[str, float] = {}
    for name in RULES:
        try:
            if name == "search":
                best = float(searched_thresholds(points, pc)[0])
                if np.isnan(best):
                    raise ValueError("accepting none is best: nothing lies above infinite scores")
                found[name] = best
                continue
            data = check_labelled(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
            found[name] = float(thresholds_by(data, pc, name, method)[0])
        except ValueError:
            if name == rule:
                raise
    unit = at * miss + (1 - at) * alarm
    costs = {name: float(cost_on(points, each, pc[0])) * unit for name, each in found.items()}
    return ThresholdChoice(found[rule], rule, reason(rule, method), at, alarm, miss, found, costs)


def check_f(rule: str, calibrate: str | None) -> None:
    """Refuse options that have no effect on the search for F."""
    if rule == "theory" or calibrate is not None:
        raise ValueError("F has no fixed costs: rule 'theory' needs criterion 'cost'")


def reason(rule: Rule, method: Method = "sigmoid") -> str:
    """Return how a rule finds its threshold, as a part of a sentence."""
    if rule == "search":
        return "least cost on the sample"
    if rule == "theory":
        return f"Bayes threshold of scores after calibration ({method})"
    return "least cost on the mean of three curves: of the labels, after calibration, smoothed"


def check_rule(rule: str, calibrate: str) -> None:
    """Refuse a rule or a calibration that does not exist."""
    if rule not in RULES:
        raise ValueError(f"rule is one of {', '.join(RULES)}, not {rule!r}")
    if calibrate not in METHODS:
        raise ValueError(f"calibrate is one of {', '.join(METHODS)}, not {calibrate!r}")


def thresholds_by(data: Labelled, pc: Floats, rule: Rule, method: Method = "sigmoid") -> Floats:
    """Return the thresholds that a rule chooses for operating conditions.

    Shapes: `pc` (g,); returned (g,).
    """
    if rule == "search":
        return searched_thresholds(data.points, pc)
    if rule == "theory":
        return bayes_thresholds(data, pc, method)
    return lower_envelope(smooth_points(data)).threshold(pc)


def cost_on(points: OperatingPoints, threshold: float, pc: float) -> Floats:
    """Return the normalised expected cost of a threshold on the sample of the points."""
    if np.isnan(threshold):
        raise ValueError("threshold must not be NaN")
    reached = int(np.count_nonzero(points.thresholds[1:] >= threshold))
    return expected_cost(points.tpr[reached], points.fpr[reached], pc)


def searched_thresholds(points: OperatingPoints, pc: Floats) -> Floats:
    """Return the thresholds of least cost on the sample, halfway between two scores.

    Shapes: returned (g,).
    """
    found = lower_envelope(points).threshold(np.atleast_1d(floats(pc, "pc")))
    return np.array([halfway(points, float(each)) for each in found])


def bayes_thresholds(data: Labelled, pc: Floats, method: Method = "sigmoid") -> Floats:
    """Return the scores whose calibrated probabilities are the Bayes thresholds.

    Shapes: returned (g,).
    """
    found = calibration(data.positive, data.scores, method, data.weight)
    return found.threshold(logit(found.prior) - logit(pc))


def bayes_ranges(data: Labelled) -> tuple[Floats, Floats]:
    """Return the ends of the ranges of PC(+) with one decision, and the least score accepted.

    Shapes: returned (k + 1,) and (k,), one infinite where none is accepted.
    """
    found = calibration(data.positive, data.scores, "sigmoid", data.weight)
    falling = np.unique(data.scores)[::-1]
    ends = np.hstack([0.0, expit(logit(found.prior) - found.log_odds(falling)), 1.0])
    wide = np.diff(ends) > 0
    return np.append(ends[:-1][wide], 1.0), np.append(np.inf, falling)[wide]


def halfway(points: OperatingPoints, threshold: float) -> float:
    """Return the middle of the gap below the lowest accepted score."""
    scores = points.thresholds[1:]
    if not np.isfinite(threshold):
        return threshold
    rejected = scores[scores < threshold]
    if not len(rejected):
        return -np.inf
    return float(middle(rejected[:1], np.array([threshold]))[0])
