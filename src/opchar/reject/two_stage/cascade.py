"""A cheap model first: thresholds of two stages from their scores, by exact search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, label_vector, probabilities
from opchar.reject.sweep import Floats, least_over_pairs
from opchar.retired import accept_old_arguments
from opchar.seeds import generator
from opchar.spaces.points import checked_weights
from opchar.spaces.scored.sample import check_same_index, points_of, positive_label
from opchar.statistics.areas import normal_quantile
from opchar.statistics.calibration import LARGEST
from opchar.statistics.cross_fitting import drawn_folds

# Second thresholds that a band is searched at.
CUTS = 400
_Chosen = tuple[float, float, float, float]


@dataclass(frozen=True)
class CascadeDesign:
    """The thresholds of two stages, and their cost on objects that did not choose them.

    Attributes
    ----------
    first_threshold : float
        An object goes on to the second stage when its first score is at least this; otherwise it is
        not accepted. Minus infinity sends all on, infinity none.
    accept_threshold : float
        An object whose first score is at least this is accepted without the second stage; infinity
        unless ``band``.
    second_threshold : float
        An object that goes on is accepted when its second score is at least this.
    cost, low, high : float
        Cross-fitted cost of an object, in the units of the costs, and its interval: thresholds
        chosen on all folds but one are judged on that one.
    own_cost : float
        On the objects that the thresholds were chosen on (optimistic): no pair of thresholds costs
        less there, which is proven by search over all; with ``band``, over `CUTS` second ones.
    lower_bound : float
        No second stage, however good, brings the cost below this on the same objects and with the
        same first stage.
    sent_on, tpr, fpr : float
        Cross-fitted shares: of objects that need the second stage, of positives and of negatives
        that are accepted.
    alternatives : dict of str to float
        Cross-fitted cost of other ways: ``"first stage alone"``, ``"second stage for all"`` (which
        does without the first), ``"accept all"`` and ``"accept none"``.
    """

    first_threshold: float
    second_threshold: float
    cost: float
    low: float
    high: float
    own_cost: float
    lower_bound: float
    sent_on: float
    tpr: float
    fpr: float
    alternatives: dict[str, float]
    accept_threshold: float = np.inf

    def accepts(self, first_score: ArrayLike, second_score: ArrayLike) -> NDArray[np.bool_]:
        """Return which objects are accepted.

        Parameters
        ----------
        first_score, second_score : array_like of float, shape (n,)
            The second is looked at only where the first sends an object on, and may be NaN
            elsewhere.

        Returns
        -------
        ndarray of bool, shape (n,)
            True where both stages accept, or the first does so alone.
        """
        first = np.asarray(first_score, dtype=float)
        second = np.asarray(second_score, dtype=float) >= self.second_threshold
        return (first >= self.accept_threshold) | ((first >= self.first_threshold) & second)


@dataclass(frozen=True)
class _Stages:
    """Scores of both stages, with the cost of each object under each outcome."""

    first: Floats
    second: Floats
    is_positive: NDArray[np.bool_]
    share: Floats
    stage_costs: tuple[float, float]
    cost_fn: float
    cost_fp: float
    band: bool

    def part(self, keep: NDArray[np.bool_]) -> _Stages:
        return replace(
            self,
            first=self.first[keep],
            second=self.second[keep],
            is_positive=self.is_positive[keep],
            share=self.share[keep],
        )

    def best(self, first: Floats, second: Floats, cost: float) -> tuple[float, float, float]:
        """Return the pair of thresholds of least cost, and the cost without that of all objects.

        Thresholds lie halfway between scores, so that they do not lean to one side on others.
        """
        joint = self.share * np.where(self.is_positive, -self.cost_fn, self.cost_fp)
        pairs = least_over_pairs(first, second, joint, self.share * cost)
        best = pairs.best
        return (
            _halfway(first, float(pairs.outer[best])),
            _halfway(second[first >= pairs.outer[best]], float(pairs.inner[best])),
            float(pairs.least[best]),
        )

    def cascade(self) -> _Chosen:
        if self.band:
            return self.best_band(self.second)
        first, second, least = self.best(self.first, self.second, self.stage_costs[1])
        return first, np.inf, second, least

    def best_band(self, second: Floats) -> _Chosen:
        """Return the band of first scores that are asked of, the second threshold, and the cost.

        With the second threshold fixed, the best band follows from sums of costs in the order of
        first scores.
        """
        order = np.argsort(self.first, kind="stable")
        first, second, share = self.first[order], second[order], self.share[order]
        positive = self.is_positive[order]
        refused, taken = share * self.cost_fn * positive, share * self.cost_fp * ~positive
        cuts = np.flatnonzero(np.append(np.diff(first, prepend=-np.inf) > 0, True))
        below, above = (np.append(0.0, np.cumsum(each))[cuts] for each in (refused, taken))
        places = np.unique(second)
        places = places[np.unique(np.linspace(0, len(places) - 1, CUTS).astype(np.intp))]
        best = (np.inf, 0, 0, 0.0)
        for place in places:
            asked = share * self.stage_costs[1] + np.where(second >= place, taken, refused)
            between = np.append(0.0, np.cumsum(asked))[cuts]
            starts = below - between
            cost = np.minimum.accumulate(starts) + between - above
            high = int(np.argmin(cost))
            if cost[high] < best[0]:  # of equal bands the one that asks least
                low = high - int(np.argmin(starts[high::-1]))
                best = float(cost[high]), low, high, float(place)
        scores = np.append(first, np.inf)[cuts]
        start, end = (_halfway(first, float(scores[at])) for at in best[1:3])
        found = _halfway(second[(first >= start) & (first < end)], best[3])
        return start, end, found, best[0] + float(taken.sum() - refused.sum())

    def threshold_alone(self, score: Floats) -> float:
        """Return the threshold of least cost on one score."""
        return self.best(np.zeros(len(score)), score, 0.0)[1]

    def errors(self, accepted: NDArray[np.bool_]) -> Floats:
        """Return the cost of the errors of decisions, object by object."""
        missed = self.cost_fn * (self.is_positive & ~accepted)
        return np.asarray(missed + self.cost_fp * (~self.is_positive & accepted))


@accept_old_arguments(level="confidence", seed="random_state")
def design_cascade(
    y_true: ArrayLike,
    first_score: ArrayLike,
    second_score: ArrayLike,
    *,
    first_cost: float,
    second_cost: float,
    cost_fn: float,
    cost_fp: float,
    band: bool = False,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: float | None = None,
    fold: ArrayLike | None = None,
    random_state: int = 0,
    confidence: float = 0.95,
) -> CascadeDesign:
    """Return the thresholds of a cheap first stage and a costly second one of least cost.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels.
    first_score, second_score : array_like of float, shape (n,)
        Of both stages for all objects, higher means more positive; from models that were not
        trained on them.
    first_cost, second_cost : float
        Cost of each stage for an object that reaches it, not negative.
    cost_fn, cost_fp : float
        Cost of a missed positive and of a false alarm, in the same units; not negative and not both
        zero.
    band : bool
        Whether the first stage may also accept without the second: a high first score is accepted,
        a low one is not, and between them the second stage decides.
    pos_label, sample_weight
        See `opchar.spaces.scored.points_of`.
    prior : float, optional
        P(+) in use, in (0, 1); that of the sample when not given.
    fold : array_like, shape (n,), optional
        Folds by which thresholds are judged on other objects; ten are drawn when not given.
    random_state : int
        Seed of the draw of folds.
    confidence : float
        Coverage of the interval, in (0, 1).

    Returns
    -------
    CascadeDesign
        Both thresholds, their cross-fitted cost with its interval, and what each stage does.

    Raises
    ------
    ValueError
        As `points_of`; for costs or a prior out of range, or folds that all of a class are in.

    Notes
    -----
    landgrebe2007, Sec. 6.2.2: both thresholds are set together, exactly over all pairs in
    ``n log n`` (`opchar.reject.sweep.least_over_pairs`), here with a cost of each stage.

    Examples
    --------
    >>> design = design_cascade(
    ...     [1, 1, 1, 0, 0, 0, 0, 0],
    ...     [7, 6, 3, 5, 4, 2, 1, 0],
    ...     [9, 8, 7, 2, 1, 0, 0, 0],
    ...     first_cost=0.1,
    ...     second_cost=1,
    ...     cost_fn=10,
    ...     cost_fp=10,
    ... )
    >>> design.first_threshold, design.second_threshold, round(design.own_cost, 4)
    (2.5, 4.5, 0.725)
    """
    check_same_index(y_true, first_score, second_score, sample_weight)
    stages = _stages(
        *(y_true, first_score, second_score, pos_label, sample_weight, prior),
        (first_cost, second_cost, cost_fn, cost_fp),
        band,
    )
    normal_quantile(confidence)
    positive = stages.is_positive
    if fold is None:
        folds = drawn_folds(positive, generator(random_state, "cascade folds"))
    else:
        folds = np.unique(np.asarray(fold), return_inverse=True)[1]
        if folds.shape != positive.shape or folds.max() < 1:
            raise ValueError("give each object a fold, and at least two folds")
    first, accept, second, least = stages.cascade()
    misses = cost_fn * float(stages.share[positive].sum())
    costs, sent_on, accepted, others = _cross_fit(stages, folds)
    centre, reach = _interval(costs, stages, confidence)
    of_class = [stages.share * (positive == value) for value in (True, False)]
    tpr, fpr = (float(share @ accepted / share.sum()) for share in of_class)
    return CascadeDesign(
        first,
        second,
        centre,
        max(centre - reach, 0.0),
        centre + reach,
        first_cost + misses + least,
        first_cost + misses + _without_confusion(stages),
        float(stages.share @ sent_on),
        tpr,
        fpr,
        {name: float(stages.share @ cost) for name, cost in others.items()},
        accept,
    )


def _stages(
    y_true: ArrayLike,
    first_score: ArrayLike,
    second_score: ArrayLike,
    pos_label: Any,
    sample_weight: ArrayLike | None,
    prior: float | None,
    costs: tuple[float, float, float, float],
    band: bool,
) -> _Stages:
    for score in (first_score, second_score):
        points = points_of(y_true, score, pos_label=pos_label, sample_weight=sample_weight)
    costs = tuple(map(float, costs))  # type: ignore[assignment]
    if not all(0 <= cost <= LARGEST for cost in costs) or not max(costs[2:]) > 0:
        raise ValueError(
            f"costs must lie between 0 and {LARGEST:g}, and one of the errors' be positive"
        )
    share = points.prior if prior is None else float(probabilities(prior, "prior"))
    if not 0 < share < 1:
        raise ValueError(f"prior must lie strictly between 0 and 1, got {share}")
    labels = label_vector(y_true)
    positive = labels == positive_label(labels, pos_label)
    weight = np.ones(len(labels))
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(labels)).astype(float)
    of_class = np.where(positive, weight[positive].sum(), weight[~positive].sum())
    shares = np.where(positive, share, 1 - share) * weight / of_class
    first, second = (floats(each, "scores") for each in (first_score, second_score))
    return _Stages(first, second, positive, shares, (costs[0], costs[1]), costs[2], costs[3], band)


def _cross_fit(
    stages: _Stages, folds: NDArray[np.intp]
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Floats]]:
    """Return costs, who is sent on and who accepted by thresholds of the other folds."""
    number = len(folds)
    sent_on, accepted = np.zeros(number, dtype=bool), np.zeros(number, dtype=bool)
    ways = {"first stage alone": stages.first, "second stage for all": stages.second}
    taken = {name: np.zeros(number, dtype=bool) for name in ways}
    for fold in range(int(folds.max()) + 1):
        mine = folds == fold
        others = stages.part(~mine)
        if len(np.unique(others.is_positive)) < 2:
            raise ValueError(f"all objects of a class are in one fold, number {fold}")
        first, accept, second, _ = others.cascade()
        sent_on[mine] = (stages.first[mine] >= first) & (stages.first[mine] < accept)
        accepted[mine] = np.where(
            sent_on[mine], stages.second[mine] >= second, stages.first[mine] >= max(accept, first)
        )
        for name, score in ways.items():
            taken[name][mine] = score[mine] >= others.threshold_alone(score[~mine])
    of_first, of_second = stages.stage_costs
    costs = of_first + of_second * sent_on + stages.errors(accepted)
    alternatives = {
        name: cost + stages.errors(taken[name])
        for name, cost in zip(ways, stages.stage_costs, strict=True)
    }
    for name, all_of_them in (("accept all", True), ("accept none", False)):
        alternatives[name] = stages.errors(np.full(number, all_of_them))
    return costs, sent_on, accepted, alternatives


def _interval(costs: Floats, stages: _Stages, level: float) -> tuple[float, float]:
    """Return the mean cost under the prior and the reach of its interval, by class."""
    variance = 0.0
    for of_class in (stages.is_positive, ~stages.is_positive):
        share, class_costs = stages.share[of_class], costs[of_class]
        part = share / share.sum()
        number = 1 / float(part @ part)
        spread = float(part @ (class_costs - part @ class_costs) ** 2)
        variance += float(share.sum()) ** 2 * spread / max(number - 1, 1.0)
    return float(stages.share @ costs), normal_quantile(level) * float(np.sqrt(variance))


def _without_confusion(stages: _Stages) -> float:
    """Return the least cost beside that of all objects when the second stage makes no error."""
    perfect = stages.is_positive.astype(float)
    if stages.band:
        return stages.best_band(perfect)[3]
    return stages.best(stages.first, perfect, stages.stage_costs[1])[2]


def _halfway(scores: Floats, threshold: float) -> float:
    """Return the middle of the gap below a threshold among scores; minus infinity below all."""
    if not np.isfinite(threshold):
        return threshold
    below = scores[scores < threshold]
    if not len(below):
        return -np.inf
    middle = float(below.max() / 2 + threshold / 2)
    return middle if middle > below.max() else threshold
