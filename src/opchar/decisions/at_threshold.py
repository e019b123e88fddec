"""What a threshold that is already in use does: rates, predictive values, cost, with intervals."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, label_vector, plain_array
from opchar.decisions.smooth_curves import Labelled
from opchar.decisions.threshold_rules import Rule, check_rule, thresholds_by
from opchar.decisions.two_decisions import Interval as Interval
from opchar.decisions.two_decisions import difference_of, measure_of, paired_difference
from opchar.spaces.points import checked_weights
from opchar.spaces.scored.sample import (
    check_same_index,
    condition_of,
    points_of,
    positive_label,
    prior_in_use,
)
from opchar.statistics.cross_fitting import drawn_folds
from opchar.statistics.proportions import of_two_rates, wilson

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
WORDS = {"accept all": -np.inf, "accept none": np.inf}
MEASURES = ("tpr", "fnr", "fpr", "tnr", "precision", "npv", "alerts", "cost")


@dataclass(frozen=True, repr=False)
class AtThreshold:
    """What accepting all scores at or above a threshold does."""

    threshold: float
    prior: float
    confidence: float
    tpr: Interval
    fnr: Interval
    fpr: Interval
    tnr: Interval
    precision: Interval
    npv: Interval
    alerts: Interval
    cost: Interval
    recommended: float = np.nan
    differences: dict[str, Interval] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return the main measures with their intervals, on one line."""
        texts = [
            "{} {:.3g} ({:.3g} to {:.3g})".format(name, *getattr(self, name))
            for name in ("tpr", "fpr", "precision", "cost")
        ]
        if "cost" in self.differences:
            less = "{:.3g} ({:.3g} to {:.3g})".format(*self.differences["cost"])
            texts.append(f"{less} more than at {self.recommended:.3g}, recommended")
        return f"AtThreshold({self.threshold:g} at prior {self.prior:.3g}: {', '.join(texts)})"

    def to_frame(self) -> pd.DataFrame:
        """Return a row per measure: ``measure``, ``value``, ``low``, ``high``, differences."""
        import pandas as pd

        names = ["measure", "value", "low", "high"]
        names += [f"difference{end}" for end in ("", " low", " high")] * bool(self.differences)
        rows = [(name, *getattr(self, name), *self.differences.get(name, ())) for name in MEASURES]
        return pd.DataFrame(rows, columns=names)


def at_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    threshold: float | str,
    *,
    pos_label: Any = None,
    prior: float | None = None,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    rule: Rule | None = "auto",
) -> AtThreshold:
    """Return what a threshold that was fixed beforehand does, each number with its interval.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.spaces.scored.points_of`.
    threshold : float, "accept all" or "accept none"
        Scores at or above it are accepted. A threshold that was chosen on the same objects looks
        better than it is; `opchar.choose_threshold` judges those on other folds.
    prior : float, optional
        P(+) in use, in (0, 1); that of the objects when not given.
    cost_fn, cost_fp : float
        Costs of a miss and of a false alarm, not negative and not both zero.
    confidence : float
        Of each interval, in (0, 1).
    groups : array_like, shape (n,), optional
        Which object a row belongs to, where objects have several rows: intervals count objects.
    rule : {"auto", "search", "theory"}, optional
        How the recommended threshold is chosen, see `opchar.choose_threshold`; None compares with
        none.

    Returns
    -------
    AtThreshold
        Intervals of rates are Wilson's. What combines two rates has Zou and Donner's. What
        accepting all or none does is known at the prior: its intervals have no width.
        ``recommended`` is the threshold of the rule, and ``differences`` has each measure less that
        of the recommendation, with its interval. These are paired: objects of each of ten folds are
        judged by the threshold that the others recommend, so that it was not chosen on them. There
        are none where a rule cannot answer, as for one object of a class or infinite scores.

    Raises
    ------
    ValueError
        As `points_of`; for a threshold that is NaN, and a prior, cost or confidence out of range.

    References
    ----------
    Wilson, Journal of the American Statistical Association 22, 1927; Zou and Donner, Statistics in
    Medicine 27, 2008.

    Examples
    --------
    >>> found = at_threshold([0, 0, 0, 1, 1], [1, 2, 6, 4, 9], 5, prior=0.1)
    >>> found.tpr.value, round(found.fpr.value, 3), round(found.precision.value, 3)
    (0.5, 0.333, 0.143)
    """
    check_same_index(y_true, y_score, sample_weight, groups)
    points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    labels, score = label_vector(y_true), floats(y_score, "y_score")
    positive = labels == positive_label(labels, pos_label)
    weight = np.ones(len(score))
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(score)).astype(float)
    unit = None
    if groups is not None:
        unit = plain_array(groups, "groups")
        if unit.shape != score.shape:
            raise ValueError(f"groups: shape {unit.shape}; give {score.shape}")
    if not isinstance(threshold, Real) or np.isnan(float(threshold)):
        if str(threshold) not in WORDS:
            words = " or ".join(map(repr, WORDS))
            raise ValueError(f"threshold must be a number, {words}, not {threshold!r}")
        threshold = WORDS[str(threshold)]
    if prior is not None and not 0 < prior_in_use(prior) < 1:
        raise ValueError(f"prior must lie in (0, 1), got {prior}")
    if not (min(cost_fn, cost_fp) >= 0 and 0 < cost_fn + cost_fp < np.inf):
        raise ValueError("cost_fn and cost_fp must be finite, not negative and not both zero")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie in (0, 1), got {confidence}")
    found = of_decisions(
        positive, score >= threshold, weight, unit, threshold=float(threshold), prior=prior,
        cost_fn=cost_fn, cost_fp=cost_fp, confidence=confidence,
    )  # fmt: skip
    if rule is None:
        return found
    check_rule(rule, "sigmoid")
    if rule != "search" and not np.isfinite(score).all():
        return found  # rules that smooth take finite scores
    pc = float(condition_of(found.prior, cost_fn, cost_fp))
    try:
        own, advised = _recommendation(Labelled(positive, score, weight), unit, pc, rule)
    except ValueError:  # too few objects, or scores that the rule cannot take
        return found
    sizes = effective_number(weight, unit, positive), effective_number(weight, unit, ~positive)
    both = score >= threshold, advised
    differences = {}
    for name in MEASURES:
        value = measure_of(name, found.prior, cost_fn, cost_fp)
        change, reach, _ = paired_difference(value, positive, both, weight, sizes, confidence)
        known = np.isinf(threshold) and np.isinf(own)
        differences[name] = difference_of(name, change, 0.0 if known else reach)
    return replace(found, recommended=own, differences=differences)


def _recommendation(
    data: Labelled, unit: NDArray[Any] | None, pc: float, rule: Rule
) -> tuple[float, NDArray[np.bool_]]:
    """Return a rule's threshold, and what the thresholds of the other folds accept.

    Accepting all, or none, is one decision for all folds.

    Shapes: `unit` (n,); the second returned (n,).
    """
    own = float(thresholds_by(data, np.array([pc]), rule)[0])
    accepted = data.scores >= own
    if accepted.all() or not accepted.any():
        return own, accepted
    fold = drawn_folds(data.positive, np.random.default_rng(0), unit=unit)
    for number in range(int(fold.max()) + 1):
        mine = fold == number
        at = thresholds_by(data.part(~mine), np.array([pc]), rule)[0]
        accepted[mine] = data.scores[mine] >= at
    return own, accepted


def of_decisions(
    positive: NDArray[np.bool_],
    accepted: NDArray[np.bool_],
    weight: Floats,
    unit: NDArray[Any] | None,
    *,
    threshold: float,
    prior: float | None,
    cost_fn: float,
    cost_fp: float,
    confidence: float,
    counted: bool = False,
) -> AtThreshold:
    """Return what decisions on objects do; `counted` weights are numbers of objects.

    Shapes: `positive` and `accepted` (n,); `weight` (n,); `unit` (n,).
    """

    def number_of(among: NDArray[np.bool_]) -> float:
        return float(weight[among].sum()) if counted else effective_number(weight, unit, among)

    def share(true: NDArray[np.bool_], among: NDArray[np.bool_]) -> Interval:
        total = weight[among].sum()
        if not total > 0:
            return Interval(np.nan, np.nan, np.nan)
        value = min(float(weight[among & true].sum() / total), 1.0)
        low, high = wilson(value, number_of(among), confidence)
        return Interval(value, float(low), float(high))

    everything = np.ones(len(positive), dtype=bool)
    tpr, fpr = share(accepted, positive), share(accepted, ~positive)
    at = share(positive, everything).value if prior is None else prior
    nothing = Interval(np.nan, np.nan, np.nan)
    if np.isnan(tpr.value) or np.isnan(fpr.value):  # of one class nothing is known
        rates = tpr, share(~accepted, positive), fpr, share(~accepted, ~positive)
        found = AtThreshold(threshold, at, confidence, *rates, nothing, nothing, nothing, nothing)
        return _without_doubt(found) if np.isinf(threshold) else found
    sizes = [number_of(among) for among in (positive, ~positive)]

    def combined(value: Any) -> Interval:
        low, high = of_two_rates(value, tpr.value, fpr.value, sizes[0], sizes[1], confidence)
        return Interval(float(value(tpr.value, fpr.value)), float(low), float(high))

    def within(found: Interval) -> Interval:
        return Interval(found.value, max(found.low, 0.0), min(found.high, 1.0))

    if prior is None:
        precision, npv = share(positive, accepted), share(~positive, ~accepted)
        alerts = share(accepted, everything)
    else:
        some, other = accepted.any(), not accepted.all()
        precision = within(combined(lambda t, f: _ratio(at * t, (1 - at) * f)))
        npv = within(combined(lambda t, f: _ratio((1 - at) * (1 - f), at * (1 - t))))
        precision, npv = precision if some else nothing, npv if other else nothing
        alerts = within(combined(lambda t, f: at * t + (1 - at) * f))
    cost = combined(lambda t, f: at * (1 - t) * cost_fn + (1 - at) * f * cost_fp)
    found = AtThreshold(
        threshold, at, confidence,
        tpr, share(~accepted, positive), fpr, share(~accepted, ~positive),
        precision, npv, alerts, cost._replace(low=max(cost.low, 0.0)),
    )  # fmt: skip
    return _without_doubt(found) if np.isinf(threshold) else found


def _without_doubt(found: AtThreshold) -> AtThreshold:
    """Return what accepting all or none does: no sample is needed to know its rates."""
    known: dict[str, Any] = {}
    for name in MEASURES:
        value = getattr(found, name).value
        known[name] = Interval(value, value, value)
    return replace(found, **known)


def effective_number(weight: Floats, unit: NDArray[Any] | None, among: NDArray[np.bool_]) -> float:
    """Return how many objects of equal weight tell as much as some of the rows.

    Shapes: `weight` (n,); `unit` (n,); `among` (n,).
    """
    weights = weight[among]
    if unit is not None:
        index = np.unique(unit[among], return_inverse=True)[1]
        weights = np.asarray(np.bincount(index, weights), dtype=float)
    if not weights.sum() > 0:
        raise ValueError("a class has no objects, or they have no weight")
    weights = weights / weights.max()  # their squares may be beyond what a float holds
    return float(weights.sum() ** 2 / (weights @ weights))


def _ratio(part: Any, rest: Any) -> Any:
    whole = np.asarray(part + rest, dtype=float)
    return np.divide(part, whole, out=np.ones_like(whole), where=whole > 0)
