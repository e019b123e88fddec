"""Three rules that choose the threshold with the least expected cost for a prior in use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtr, ndtri

from opchar.arguments import floats, unmasked
from opchar.spaces.cost import expected_cost, lower_envelope
from opchar.spaces.points import OperatingPoints, checked_weights, operating_points
from opchar.spaces.scored.sample import check_same_index, condition_of, positive_label
from opchar.statistics.calibration import LARGEST, METHODS, Method, calibration
from opchar.statistics.cross_fitting import drawn_folds

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Rule = Literal["auto", "search", "theory"]
RULES: tuple[Rule, ...] = ("auto", "search", "theory")
# Kernel widths as a part of those of Silverman's rule, on scores and on their ranks.
WIDTH, RANK_WIDTH = 0.6, 0.5
# At how many places a smooth cost curve is computed, and how near to 0 and 1 logits are taken.
PLACES, NEAREST = 400, 1e-3
# Cross-fitting: folds, and log odds around a condition at which the cost counts.
FOLDS, OFFSETS = 5, np.array([-1.0, -0.5, 0.0, 0.5, 1.0])


@dataclass(frozen=True)
class Labelled:
    """Objects with labels, scores and weights, from which a threshold is chosen.

    Attributes
    ----------
    positive : ndarray of bool, shape (n,)
    scores, weight : ndarray of float, shape (n,)
    """

    positive: NDArray[np.bool_]
    scores: Floats
    weight: Floats

    @property
    def points(self) -> OperatingPoints:
        """Operating points of all thresholds."""
        return operating_points(self.positive, self.scores, self.weight)

    def part(self, kept: NDArray[Any]) -> Labelled:
        """Return some of the objects."""
        return Labelled(self.positive[kept], self.scores[kept], self.weight[kept])

    def costs(self, thresholds: ArrayLike, pc: ArrayLike) -> Floats:
        """Return the normalised expected cost of accepting what scores more than thresholds.

        Parameters
        ----------
        thresholds, pc : array_like of float
            Which broadcast; see `opchar.spaces.cost.expected_cost`.

        Returns
        -------
        ndarray of float
        """
        tpr, fpr = (
            share_above(self.scores[mine], self.weight[mine], thresholds)
            for mine in (self.positive, ~self.positive)
        )
        return expected_cost(tpr, fpr, pc)


def share_above(scores: Floats, weight: Floats, thresholds: ArrayLike) -> Floats:
    """Return the weighted share of scores above thresholds.

    Parameters
    ----------
    scores, weight : ndarray of float, shape (n,)
    thresholds : array_like of float

    Returns
    -------
    ndarray of float
        In the shape of `thresholds`.
    """
    order = np.argsort(scores)
    above = np.append(np.cumsum(weight[order][::-1])[::-1], 0.0) / weight.sum()
    place = np.searchsorted(scores[order], np.asarray(thresholds, dtype=float), side="right")
    return np.clip(above[place], 0.0, 1.0)


@dataclass(frozen=True)
class ThresholdChoice:
    """A threshold, the rule that chose it, and what each rule gives.

    Attributes
    ----------
    threshold : float
        Objects that score more are positive; infinite where none, minus infinite where all are.
    rule : {"auto", "search", "theory"}
    why : str
        How the threshold was found, in one sentence.
    prior, cost_fp, cost_fn : float
        For which it was chosen.
    thresholds, costs : dict of str to float
        What each rule gives, and its expected cost an object on the sample, which is optimistic for
        ``search``.
    """

    threshold: float
    rule: Rule
    why: str
    prior: float
    cost_fp: float
    cost_fn: float
    thresholds: dict[str, float]
    costs: dict[str, float]

    def to_frame(self) -> pd.DataFrame:
        """Return one line a rule: ``rule``, ``threshold``, ``cost`` and whether it was ``chosen``.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "rule": list(self.thresholds),
                "threshold": list(self.thresholds.values()),
                "cost": list(self.costs.values()),
                "chosen": [name == self.rule for name in self.thresholds],
            }
        )


def choose_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    rule: Rule = "auto",
    calibrate: Method = "sigmoid",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> ThresholdChoice:
    """Return the threshold whose expected cost is least, by one of three rules.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.points_of`; of objects that the scorer was not trained on, such as scores out of
        fold, pooled.
    prior : float, optional
        P(+) in use, in [0, 1]; that of the sample when not given.
    cost_fp, cost_fn : float
        Cost of a false alarm and of a missed positive, not negative and not both zero.
    rule : {"auto", "search", "theory"}
        ``search`` takes the least cost on the sample; ``theory`` the score whose calibrated
        probability, shifted to `prior`, is the Bayes threshold; ``auto`` the least of a
        smooth cost curve, of three that which is cheapest in cross-fitting, see
        `smooth_thresholds` and `smoothing_by_cross_fitting`.
    calibrate : {"sigmoid", "beta", "isotonic", "none"}
        How ``theory`` turns scores into probabilities, see `opchar.statistics.calibration`. With
        ``isotonic`` it is ``search`` again.

    Returns
    -------
    ThresholdChoice

    Raises
    ------
    ValueError
        For an unknown rule or method, a class that is missing, or numbers out of range.

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
    if rule not in RULES:
        raise ValueError(f"rule is one of {', '.join(RULES)}, not {rule!r}")
    if calibrate not in METHODS:
        raise ValueError(f"calibrate is one of {', '.join(METHODS)}, not {calibrate!r}")
    data = labelled(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = data.points.prior if prior is None else float(prior)
    pc = np.atleast_1d(condition_of(at, cost_fn, cost_fp))
    found: dict[str, float] = {
        name: float(thresholds_by(data, pc, name, calibrate)[0]) for name in RULES
    }
    unit = at * cost_fn + (1 - at) * cost_fp
    costs = {name: float(data.costs(each, pc[0])) * unit for name, each in found.items()}
    why = _why(rule, calibrate, smoothing_by_cross_fitting(data, pc)[0] if rule == "auto" else "")
    return ThresholdChoice(found[rule], rule, why, at, cost_fp, cost_fn, found, costs)


def _why(rule: Rule, method: Method, smoothing: str) -> str:
    if rule == "search":
        return "least cost on the sample"
    if rule == "theory":
        return f"Bayes threshold of scores after calibration ({method})"
    return f"least of a smooth cost curve ({smoothing}), the cheapest of three in cross-fitting"


def labelled(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Labelled:
    """Return checked labels and scores.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.points_of`.

    Returns
    -------
    Labelled

    Raises
    ------
    ValueError
        As `opchar.points_of`.
    """
    check_same_index(y_true, y_score, sample_weight)
    labels, scores = unmasked(y_true, "y_true"), floats(y_score, "y_score")
    positive = labels == positive_label(labels, pos_label)
    if scores.shape != positive.shape or scores.ndim != 1:
        raise ValueError(f"y_true and y_score differ in shape: {positive.shape}, {scores.shape}")
    if not np.isfinite(scores).all():
        raise ValueError("y_score must be finite numbers")
    if np.abs(scores).max(initial=0.0) > LARGEST:
        raise ValueError(f"scores beyond {LARGEST:g} have no squares; divide them by one number")
    weight = np.ones(len(scores), dtype=int)
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(scores))
        if weight.dtype.kind == "f":
            weight = weight / weight.max()
    counted = weight > 0
    data = Labelled(positive, scores, weight).part(counted)
    if data.positive.all() or not data.positive.any():
        raise ValueError("y_true needs objects of the positive class and others")
    return data


def thresholds_by(data: Labelled, pc: Floats, rule: Rule, method: Method = "sigmoid") -> Floats:
    """Return the thresholds that a rule chooses for operating conditions.

    Parameters
    ----------
    data : Labelled
    pc : ndarray of float, shape (g,)
        Probability costs PC(+), in [0, 1].
    rule : {"auto", "search", "theory"}
    method : {"sigmoid", "beta", "isotonic", "none"}
        Calibration of ``theory``.

    Returns
    -------
    ndarray of float, shape (g,)
    """
    if rule == "search":
        return searched_thresholds(data, pc)
    if rule == "theory":
        return bayes_thresholds(data, pc, method)
    found = smooth_thresholds(data, pc)
    chosen = smoothing_by_cross_fitting(data, pc)
    return np.array([found[name][place] for place, name in enumerate(chosen)])


def smoothing_by_cross_fitting(data: Labelled, pc: Floats) -> list[str]:
    """Return which of the smooth cost curves is cheapest on folds that it was not made of.

    The cost counts around each operating condition: at five log odds of it up to one apart,
    relative to the cost of the better trivial classifier, with Gaussian weights.

    Parameters
    ----------
    data, pc
        See `thresholds_by`.

    Returns
    -------
    list of str, length g
        Keys of `smooth_thresholds`; ``ranks`` where a class has one object only. The folds are
        drawn with a fixed seed among objects in the order of their scores, so that the order of
        rows does not matter.
    """
    if min(data.positive.sum(), (~data.positive).sum()) < 2:
        return ["ranks"] * len(pc)
    data = data.part(np.lexsort((data.weight, data.positive, data.scores)))
    near = expit((logit(pc)[:, None] + OFFSETS).ravel())
    unit = np.where((near > 0) & (near < 1), np.minimum(near, 1 - near), 1.0)
    fold = drawn_folds(data.positive, np.random.default_rng(0), FOLDS)
    totals: dict[str, Floats] = {}
    for number in range(int(fold.max()) + 1):
        mine = data.part(fold == number)
        for name, each in smooth_thresholds(data.part(fold != number), near).items():
            totals[name] = totals.get(name, 0.0) + mine.costs(each, near) / unit
    weights = np.exp(-(OFFSETS**2) / 2)
    around = {name: each.reshape(len(pc), -1) @ weights for name, each in totals.items()}
    names = list(around)
    return [names[best] for best in np.argmin(list(around.values()), axis=0)]


def searched_thresholds(data: Labelled, pc: Floats) -> Floats:
    """Return the thresholds of least cost on the sample, halfway between two scores.

    Parameters
    ----------
    data, pc
        See `thresholds_by`.

    Returns
    -------
    ndarray of float, shape (g,)
    """
    points = data.points
    return np.array([halfway(points, float(each)) for each in lower_envelope(points).threshold(pc)])


def bayes_thresholds(data: Labelled, pc: Floats, method: Method = "sigmoid") -> Floats:
    """Return the scores whose calibrated probabilities are the Bayes thresholds.

    Parameters
    ----------
    data, pc, method
        See `thresholds_by`.

    Returns
    -------
    ndarray of float, shape (g,)
    """
    found = calibration(data.positive, data.scores, method, data.weight)
    return found.threshold(logit(found.prior) - logit(pc))


def smooth_thresholds(data: Labelled, pc: Floats) -> dict[str, Floats]:
    """Return the thresholds of three smooth cost curves, of which ``auto`` takes one.

    Parameters
    ----------
    data, pc
        See `thresholds_by`.

    Returns
    -------
    dict of str to ndarray of float, shape (g,)
        ``beta``: after beta calibration; ``kernel``: rates smoothed by Gaussian kernels, on logits
        of scores that are probabilities; ``ranks``: likewise on normal scores of the ranks, which
        no change of the scale of the scores alters.
    """
    low, high = data.scores.min(), data.scores.max()
    if low == high:
        found = np.where(pc <= 0.5, np.inf, -np.inf)
        return dict.fromkeys(("beta", "kernel", "ranks"), found)
    to_place: Callable[[Floats], Floats]
    to_score: Callable[[Floats], Floats]
    if low >= 0 and high <= 1:
        to_place, to_score = _logit, expit
    else:
        to_place = to_score = np.asarray
    kernel = _kernel_thresholds(data, to_place(data.scores), pc, WIDTH)
    bounded = np.where(np.isfinite(kernel), to_score(kernel), kernel)
    values, place, totals = _ranked(data)
    ranks = _kernel_thresholds(data, place, pc, RANK_WIDTH)
    return {
        "beta": bayes_thresholds(data, pc, "beta"),
        "kernel": bounded,
        "ranks": np.where(np.isfinite(ranks), np.interp(ranks, totals, values), ranks),
    }


def _logit(scores: Floats) -> Floats:
    return np.asarray(logit(np.clip(scores, NEAREST, 1 - NEAREST)))


def _ranked(data: Labelled) -> tuple[Floats, Floats, Floats]:
    """Return the distinct scores, the normal score of each object, and those of the former."""
    values, inverse = np.unique(data.scores, return_inverse=True)
    counts = np.bincount(inverse, data.weight)
    below = (np.cumsum(counts) - counts / 2) / counts.sum()
    normal = np.asarray(ndtri(np.clip(below, np.finfo(float).tiny, 1 - np.finfo(float).epsneg)))
    return values, normal[inverse], normal


def _kernel_thresholds(data: Labelled, place: Floats, pc: Floats, width: float) -> Floats:
    """Return where the cost of kernel-smoothed rates is least; infinite ends are candidates."""
    grid = np.r_[-np.inf, np.linspace(place.min(), place.max(), PLACES), np.inf]
    tpr, fpr = (
        _smooth_rates(place[mine], data.weight[mine], grid, width)
        for mine in (data.positive, ~data.positive)
    )
    costs = np.asarray(expected_cost(tpr, fpr, pc[:, None]))
    return grid[costs.argmin(axis=1)]


def _smooth_rates(place: Floats, weight: Floats, grid: Floats, width: float) -> Floats:
    """Return the kernel-smoothed share of objects beyond each place of a grid."""
    values, inverse = np.unique(place, return_inverse=True)
    if weight.dtype.kind == "f":
        weight = weight / weight.max()
    counts = np.bincount(inverse, weight)
    if len(values) > PLACES:
        edges = np.linspace(values[0], values[-1], PLACES + 1)
        cell = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, PLACES - 1)
        values = (edges[:-1] + edges[1:])[cell] / 2
    share = counts / counts.sum()
    mean = share @ values
    spread = np.sqrt(share @ (values - mean) ** 2)
    size = counts.sum() ** 2 / (weight**2).sum()
    if spread > 0:
        below, above = np.interp((0.25, 0.75), np.cumsum(share) - share / 2, values)
        spread = min(spread, (above - below) / 1.34) or spread
    bandwidth = width * 1.06 * max(spread, 1e-6) * size**-0.2
    if len(values) > PLACES:
        kept, inverse = np.unique(values, return_inverse=True)
        values, share = kept, np.bincount(inverse, share)
    return np.asarray(ndtr((values - grid[:, None]) / bandwidth) @ share)


def halfway(points: OperatingPoints, threshold: float) -> float:
    """Return the middle of the gap below the lowest accepted score.

    Parameters
    ----------
    points : OperatingPoints
    threshold : float
        Of one of them.

    Returns
    -------
    float
        Minus infinity when all are accepted.
    """
    scores = points.thresholds[1:]
    if not np.isfinite(threshold):
        return threshold
    rejected = scores[scores < threshold]
    if not len(rejected):
        return -np.inf
    return float(rejected[0] + (threshold - rejected[0]) / 2)
