"""How sure a chosen threshold is: its interval, and the thresholds that cost no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.decisions.smooth_curves import (
    Labelled,
    check_labelled,
    join_neighbours,
    middle,
    share_reached,
)
from opchar.decisions.threshold_rules import Rule, check_rule, thresholds_by
from opchar.retired import accept_old_arguments, old_attribute
from opchar.spaces.scored.sample import condition_of, prior_of
from opchar.statistics.areas import normal_quantile
from opchar.statistics.calibration import Method

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator], Labelled]
# Distinct scores of resamples for rules that smooth: within the range of thresholds that cost no
# more, and to each side of it.
DRAWN, BESIDE = 150, 75


@dataclass(frozen=True)
class ThresholdSpread:
    """A chosen threshold among all others.

    All thresholds whose cost may be the same lie from `lowest` to `highest`.

    Shapes: `thresholds` and `costs` (k,); `differences` and `difference_low` and `difference_high`
    (k,).
    """

    threshold: float
    low: float
    high: float
    confidence: float
    lowest: float
    highest: float
    thresholds: Floats = field(repr=False)
    costs: Floats = field(repr=False)
    differences: Floats = field(repr=False)
    difference_low: Floats = field(repr=False)
    difference_high: Floats = field(repr=False)
    level = old_attribute("level", "confidence")

    def to_frame(self) -> pd.DataFrame:
        """Return one line per threshold, and whether it costs ``distinguishably`` more."""
        import pandas as pd

        return pd.DataFrame(
            {
                "threshold": self.thresholds,
                "cost": self.costs,
                "difference": self.differences,
                "low": self.difference_low,
                "high": self.difference_high,
                "distinguishably more": self.difference_low > 0,
            }
        )


@accept_old_arguments(level="confidence", repeats="resamples")
def threshold_spread(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    prior: float | None = None,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
    rule: Rule = "auto",
    calibrate: Method = "sigmoid",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 100,
    most: int = 200,
    random_state: int | np.random.Generator | None = 0,
) -> ThresholdSpread:
    """Return an interval for the threshold of least cost, and what the others cost.

    Parameters
    ----------
    y_true, y_score, prior, cost_fn, cost_fp, rule, calibrate, pos_label, sample_weight
        See `opchar.choose_threshold`.
    confidence : float
        Of the intervals, between 0 and 1.
    resamples : int
        Drawn within the classes, at least two.
    most : int
        Thresholds that are compared at most, besides the chosen one and the two infinite ones: even
        quantiles of those between two scores.
    random_state : int, Generator or None
        Seed of the resamples; None draws others at each call.

    Returns
    -------
    ThresholdSpread
        The chosen threshold with its interval, and each that is compared. Costs are per object.

    Raises
    ------
    ValueError
        As `opchar.choose_threshold`, and for a confidence or resamples out of range.

    Notes
    -----
    Two thresholds differ in the objects that score between them. The interval of a difference is
    normal, with the variance of these two shares, to each of which one object within and one
    outside are added; it holds for one threshold at a time, and takes the chosen one as given.
    Where the chosen one has no error, `lowest` and `highest` are the ends of the gap.

    Examples
    --------
    >>> y_true = [0] * 30 + [1] * 10
    >>> y_score = [*range(30), *range(22, 32)]
    >>> found = threshold_spread(y_true, y_score, cost_fn=3, rule="search")
    >>> found.threshold, found.lowest < found.threshold < found.highest
    (21.5, True)
    """
    check_rule(rule, calibrate)
    if not (0 < confidence < 1 and resamples >= 2):
        raise ValueError(
            f"confidence lies in (0, 1), resamples are 2 or more, not {confidence}, {resamples}"
        )
    data = check_labelled(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = prior_of(data.points, prior)
    rng = np.random.default_rng(random_state)
    return spread_in(
        data,
        at,
        (cost_fp, cost_fn),
        rule=rule,
        calibrate=calibrate,
        level=confidence,
        repeats=resamples,
        most=most,
        rng=rng,
    )


def spread_in(
    data: Labelled,
    prior: float,
    costs: tuple[float, float],
    *,
    rule: Rule,
    calibrate: Method = "sigmoid",
    level: float,
    repeats: int,
    most: int = 200,
    rng: np.random.Generator,
    sizes: tuple[float, float] | None = None,
    priors: Floats | None = None,
    drawn: Draw | None = None,
) -> ThresholdSpread:
    """Return what `threshold_spread` does, of checked labels and scores."""
    cost_fp, cost_fn = costs
    pc = np.atleast_1d(condition_of(prior, cost_fn, cost_fp))
    chosen = float(thresholds_by(data, pc, rule, calibrate)[0])
    at = np.full(repeats, prior) if priors is None else rng.choice(priors, repeats)
    thresholds = _cost_differences(data.scores, chosen, most)
    unit = prior * cost_fn + (1 - prior) * cost_fp
    difference, error = _differences(data, thresholds, chosen, float(pc[0]), sizes)
    margin = float(normal_quantile(level)) * error
    same = difference - margin <= 0
    index = int(np.searchsorted(thresholds, chosen))
    lowest, highest = (float(end) for end in thresholds[same][[0, -1]])
    small = data
    if rule != "search" and data.weight.dtype.kind != "f":
        small = _join_scores(data, lowest, highest)
    draws = _resampled_thresholds(
        small, condition_of(at, cost_fn, cost_fp), rule, calibrate, rng, drawn
    )
    tails = (1 - level) / 2, (1 + level) / 2
    low, high = np.quantile(draws, tails, method="inverted_cdf")
    if (costs_of := data.costs(thresholds, pc[0]))[index] == 0:
        # Beyond the gap between the classes there are errors.
        lowest = float(np.nextafter(data.scores[~data.positive].max(), np.inf))
        highest = float(data.scores[data.positive].min())
    return ThresholdSpread(
        *(chosen, float(low), float(high), level),
        *(lowest, highest),
        thresholds,
        costs_of * unit,
        *(difference * unit, (difference - margin) * unit, (difference + margin) * unit),
    )


def _join_scores(data: Labelled, lowest: float, highest: float) -> Labelled:
    """Return objects with neighbouring scores joined, least where thresholds cost much the same."""
    within = (data.scores >= lowest) & (data.scores <= highest)
    parts = (within, DRAWN), (data.scores < lowest, BESIDE), (data.scores > highest, BESIDE)
    few = [join_neighbours(data.part(own), most) for own, most in parts if own.any()]
    return Labelled(
        *(
            np.concatenate([getattr(each, name) for each in few])
            for name in ("positive", "scores", "weight")
        )
    )


def _resampled_thresholds(
    small: Labelled,
    pc: Floats,
    rule: Rule,
    method: Method,
    rng: np.random.Generator,
    drawn: Draw | None,
) -> Floats:
    """Return the thresholds that the rule chooses on resamples, one for each condition."""
    if drawn is not None:
        each = [thresholds_by(drawn(rng), pc[k : k + 1], rule, method)[0] for k in range(len(pc))]
        return np.array(each)
    whole = small.weight.dtype.kind != "f"
    classes = [np.flatnonzero(small.positive), np.flatnonzero(~small.positive)]
    found = np.empty(len(pc))
    for index in range(len(pc)):
        counts: NDArray[Any] = np.zeros(len(small.scores), dtype=np.int64)
        for members in classes:
            often = small.weight[members] if whole else np.ones(len(members), dtype=np.int64)
            counts[members] = rng.multinomial(often.sum(), often / often.sum())
        kept = counts > 0
        counts = counts if whole else counts * small.weight
        part = Labelled(small.positive[kept], small.scores[kept], counts[kept])
        found[index] = thresholds_by(part, pc[index : index + 1], rule, method)[0]
    return found


def _cost_differences(scores: Floats, chosen: float, most: int) -> Floats:
    values = np.unique(scores)
    middles = middle(values[:-1], values[1:])
    if len(middles) > most:
        middles = np.quantile(middles, np.linspace(0, 1, most), method="inverted_cdf")
    return np.unique(np.concatenate([[-np.inf, chosen, np.inf], middles]))


def _differences(
    data: Labelled, thresholds: Floats, chosen: float, pc: float, sizes: tuple[float, float] | None
) -> tuple[Floats, Floats]:
    """Return normalised cost less that of the chosen threshold, and standard errors."""
    difference = data.costs(thresholds, pc) - data.costs(chosen, pc)
    low, high = np.minimum(thresholds, chosen), np.maximum(thresholds, chosen)
    variance = np.zeros(len(thresholds))
    known = sizes or [data.part(own).size for own in (data.positive, ~data.positive)]
    for mine, price, size in zip((data.positive, ~data.positive), (pc, 1 - pc), known, strict=True):
        scores, weight = data.scores[mine], data.weight[mine]
        between = share_reached(scores, weight, low) - share_reached(scores, weight, high)
        share = (between * size + 1) / (size + 2)
        variance += price**2 * share * (1 - share) / size
    return difference, np.where(thresholds == chosen, 0.0, np.sqrt(variance))
