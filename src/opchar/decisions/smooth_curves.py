"""Objects to choose a threshold on, and the smooth ROC curves that rules take for the true one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtr, ndtri

from opchar.arguments import floats, label_vector
from opchar.spaces.cost import expected_cost
from opchar.spaces.points import OperatingPoints, checked_weights, operating_points
from opchar.spaces.scored.sample import check_one_score, check_same_index, positive_label
from opchar.statistics.calibration import LARGEST, Calibration, Method, calibration

Floats = NDArray[np.float64]
# Kernel width as a part of that of Silverman's rule.
WIDTH = 0.5
# Ranks next to 0 and 1, where a weight is lost beside the others.
LEAST = 2.0**-53
# Standard deviations beyond which the normal distribution is one to the last bit.
CERTAIN = 8.3
# Distinct scores of which a smooth cost curve is made at most.
CELLS = 1000
# The numbers next to 0 and 1.
NEAR, CLOSE = map(float, np.nextafter([0.0, 1.0], [1.0, 0.0]))
# Parts of the gap between classes that a threshold separates.
GAP = 32


@dataclass(frozen=True)
class Labelled:
    """Objects with labels, scores and weights, from which a threshold is chosen.

    Shapes: `positive` (n,); `scores` (n,); `weight` (n,).
    """

    positive: NDArray[np.bool_]
    scores: Floats
    weight: NDArray[Any]

    @property
    def points(self) -> OperatingPoints:
        """Operating points of all thresholds."""
        return operating_points(self.positive, self.scores, self.weight)

    @property
    def size(self) -> float:
        """How many objects the weights are worth; whole ones say how often an object is there."""
        if self.weight.dtype.kind != "f":
            return float(self.weight.sum())
        share = self.weight / self.weight.max()
        return float(share.sum() ** 2 / (share**2).sum())

    def part(self, kept: NDArray[Any]) -> Labelled:
        """Return some of the objects."""
        return Labelled(self.positive[kept], self.scores[kept], self.weight[kept])

    def costs(self, thresholds: ArrayLike, pc: ArrayLike) -> Floats:
        """Return the normalised expected cost of accepting what scores at or above thresholds."""
        tpr, fpr = (
            share_reached(self.scores[mine], self.weight[mine], thresholds)
            for mine in (self.positive, ~self.positive)
        )
        return expected_cost(tpr, fpr, pc)


def share_reached(scores: Floats, weight: Floats, thresholds: ArrayLike) -> Floats:
    """Return the weighted share of scores at or above thresholds.

    Shapes: `scores` and `weight` (n,).
    """
    order = np.argsort(scores)
    above = np.append(np.cumsum(weight[order][::-1])[::-1], 0.0) / weight.sum()
    index = np.searchsorted(scores[order], np.asarray(thresholds, dtype=float), side="left")
    return np.clip(above[index], 0.0, 1.0)


def check_labelled(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Labelled:
    """Return checked labels and scores."""
    check_same_index(y_true, y_score, sample_weight)
    check_one_score(y_score)
    labels, scores = label_vector(y_true), floats(y_score, "y_score")
    positive = labels == positive_label(labels, pos_label)
    if scores.shape != positive.shape or scores.ndim != 1:
        raise ValueError(f"y_true and y_score differ in shape: {positive.shape}, {scores.shape}")
    if not np.isfinite(scores).all():
        raise ValueError("y_score must be finite numbers")
    if np.abs(scores).max(initial=0.0) > LARGEST:
        raise ValueError(f"scores beyond {LARGEST:g} have no squares; divide them by one number")
    weight = np.ones(len(scores), dtype=int)
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(scores), exact=False)
        if weight.dtype.kind == "f":
            weight = weight / weight.max()
    counted = weight > 0
    data = Labelled(positive, scores, weight).part(counted)
    if data.positive.all() or not data.positive.any():
        raise ValueError("y_true needs objects of the positive class and others")
    return data


def smooth_points(data: Labelled) -> OperatingPoints:
    """Return the smooth ROC curve that ``auto`` takes for the true one: the mean of three.

    One counts the labels, with half an object of each class in the gap that holds the threshold, as
    the expected share beyond an order statistic asks for. One counts probabilities: the mean of
    those by a sigmoid, as in ``theory``, and by beta calibrations. One smooths the labels by
    Gaussian kernels. Beta calibrations and kernels are fitted on two scales, that of the scores
    (the logit of probabilities) and that of normal scores of their ranks, and averaged. Labels
    alone follow chance, calibration errs where its form does not fit, and kernels blur; where two
    agree, the third is outvoted. Where a threshold separates the sample, labels alone count. Beyond
    all scores of a class they fall as an exponential tail; for probabilities it is the mean of one
    on their own scale and one on that of the logit. The threshold may then lie anywhere in the gap.
    As the curve does not depend on the operating condition, thresholds never rise with PC(+).
    """
    share = data.weight[data.positive].sum() / data.weight.sum()
    if not LEAST < share < 1 - LEAST:
        raise ValueError("a threshold needs objects of both classes, of weights that count")
    cells = _cells(data)
    if len(cells.scores) == 1:
        ends = np.array([0.0, 1.0])
        return OperatingPoints(ends, ends, np.array([np.inf, -np.inf]))
    both = cells.positive + cells.negative
    sigmoid = cells.calibration(cells.scores, "sigmoid")
    inner = cells.below[1:]
    if cells.is_separated:
        inner = _with_gap(inner, cells)
        fpr, tpr = _counted_rates(cells, inner)
        return OperatingPoints(fpr, tpr, np.concatenate([[np.inf], inner[::-1], [-np.inf]]))
    thresholds = np.concatenate([[np.inf], inner[::-1], [-np.inf]])
    scale = sigmoid.to_scale(cells.scores)
    rank = np.asarray(ndtri(np.clip((np.cumsum(both) - both / 2) / both.sum(), LEAST, 1 - LEAST)))
    odds = [cells.calibration(each, "beta").log_odds(each) for each in (cells.scores, rank)]
    share = expit(sigmoid.log_odds(cells.scores)) / 2 + expit(np.mean(odds, axis=0)) / 2
    rates = []
    for of_class, part, size in zip(
        (cells.negative, cells.positive), (1 - share, share), cells.sizes, strict=True
    ):
        counted = (_falling_share(of_class) * size + 0.5) / (size + 1)
        counted[[0, -1]] = 0.0, 1.0
        kernels = [_smooth_rates(each, of_class, size) for each in (scale, rank)]
        rates.append((counted + _falling_share(both * part) + np.mean(kernels, axis=0)) / 3)
    return OperatingPoints(rates[0], rates[1], thresholds)


def _with_gap(inner: Floats, cells: _Cells) -> Floats:
    """Return thresholds between scores with even steps in the gap between the classes.

    Shapes: `inner` (k - 1,).
    """
    place = int(np.flatnonzero(cells.positive > 0)[0])
    low, high = cells.scores[place - 1 : place + 1]
    ends = cells.to_tails(np.array([low, high]))
    steps = ends[0] + (ends[1] - ends[0]) * np.arange(1, GAP) / GAP
    if cells.of_probabilities:
        steps = expit(steps)
    steps = np.unique(steps[(steps > low) & (steps <= high)])
    within = steps if len(steps) else inner[place - 1 : place]
    return np.concatenate([inner[: place - 1], within, inner[place:]])


def _counted_rates(cells: _Cells, inner: Floats) -> list[Floats]:
    """Return FPR and TPR at falling thresholds, means over the scales of the tails.

    Shapes: `inner` (m,), none of them infinite; returned (m + 2,) each, with both ends.
    """
    place = int(np.flatnonzero(cells.positive > 0)[0])
    rates = []
    for values, at in zip(cells.on_scales(cells.scores), cells.on_scales(inner), strict=True):
        gap = float(values[place] - values[place - 1])
        if not gap > 0:  # both ends are as near to 0 or 1 as a logit of floats tells
            continue
        false = _share_below(-values[::-1], cells.negative[::-1], cells.sizes[0], -at[::-1], gap)
        true = 1 - _share_below(values, cells.positive, cells.sizes[1], at, gap)[::-1]
        rates.append([np.concatenate([[0.0], each, [1.0]]) for each in (false, true)])
    return list(np.mean(rates, axis=0))


def _share_below(values: Floats, counts: Floats, size: float, at: Floats, gap: float) -> Floats:
    """Return the expected share of a class below thresholds, also below its lowest score.

    Among the scores half an object is added. Below the lowest, the tail is exponential with an
    unknown scale. The distances of the lowest square root of n scores to the next one estimate it,
    and the share is the predictive one under the prior 1/scale. Davison and Smith, Models for
    exceedances over high thresholds (1990). Where all scores are equal, no distance is known: the
    share falls to 0 over the gap to the other class, as of a triangle.

    Shapes: `values` and `counts` (k,); `at` (m,).
    """
    kept = counts > 0
    values, place = np.unique(values[kept], return_inverse=True)
    number = np.bincount(place, counts[kept] / counts.sum() * size)
    below = np.append(0.0, np.cumsum(number))[np.searchsorted(values, at)]
    share = (below + 0.5) / (size + 1)
    beyond = at <= values[0]
    if len(values) == 1:
        fall = np.maximum(1 - (values[0] - at[beyond]) / gap, 0) ** 2
    else:
        base = min(int(np.searchsorted(np.cumsum(number), np.sqrt(size))) + 1, len(values) - 1)
        distance = number[:base] @ (values[base] - values[:base]) + values[base] - values[0]
        fall = (distance / (distance + (values[0] - at[beyond]))) ** number[:base].sum()
    share[beyond] = min(1.0, number[0] + 0.5) / (size + 1) * fall
    return share


class _Cells(NamedTuple):
    """Neighbouring scores joined: mean score, class weights, and the threshold below each."""

    scores: Floats
    positive: Floats
    negative: Floats
    below: Floats
    # Effective numbers of negatives and of positives.
    sizes: tuple[float, float]

    @property
    def is_separated(self) -> bool:
        """Whether all positives score higher than all negatives."""
        return bool(self.scores[self.positive > 0].min() > self.scores[self.negative > 0].max())

    @property
    def of_probabilities(self) -> bool:
        """Whether all scores lie from 0 to 1."""
        return bool(self.scores[0] >= 0 and self.scores[-1] <= 1)

    def to_tails(self, scores: Floats) -> Floats:
        """Return scores, of probabilities the logit; 0 and 1 are half as near as the next one."""
        if not self.of_probabilities:
            return scores
        inside = self.scores[(self.scores > 0) & (self.scores < 1)]
        least, most = inside.min(initial=0.5) / 2, 0.5 + inside.max(initial=0.5) / 2
        return np.asarray(logit(np.clip(scores, max(least, NEAR), min(most, CLOSE))))

    def on_scales(self, scores: Floats) -> list[Floats]:
        """Return scores on each scale of the tails: as they are, and of probabilities the logit."""
        return [scores, self.to_tails(scores)] if self.of_probabilities else [scores]

    def calibration(self, scores: Floats, method: Method) -> Calibration:
        """Return the map that fits the objects with other scores."""
        counts = np.concatenate([self.positive, self.negative])
        kept, label = counts > 0, np.repeat([True, False], len(scores))
        return calibration(label[kept], np.tile(scores, 2)[kept], method, counts[kept])


def _cells(data: Labelled, most: int = CELLS) -> _Cells:
    # With the index the sort is a stable one, which only merges scores that come in sorted runs.
    values, _, value_index = np.unique(data.scores, return_index=True, return_inverse=True)
    positive, negative = (
        np.bincount(value_index[mine], data.weight[mine], len(values))
        for mine in (data.positive, ~data.positive)
    )
    both = positive + negative
    first = np.arange(len(values))
    if len(values) > most:
        # Even steps of the logit of the rank leave single objects at both ends.
        rank = logit((np.cumsum(both) - both / 2) / both.sum())
        steps = np.floor((rank - rank[0]) / (rank[-1] - rank[0]) * most)
        starts = np.diff(steps, prepend=-1) != 0
        lowest = int((positive > 0).argmax())
        if positive.any() and not negative[lowest:].any():
            starts[lowest] = True  # no group of scores hides a gap between the classes
        first = np.flatnonzero(starts)
    low = values[np.maximum(first - 1, 0)]
    below = middle(low, values[first])
    below[0] = -np.inf
    sizes = [data.part(mine).size for mine in (~data.positive, data.positive)]
    sums = [np.add.reduceat(each, first) for each in (values * both, both, positive, negative)]
    means = values if len(first) == len(values) else sums[0] / sums[1]
    return _Cells(means, sums[2], sums[3], below, (sizes[0], sizes[1]))


def middle(low: Floats, high: Floats) -> Floats:
    """Return thresholds halfway between scores: the higher reach them, the lower do not."""
    with np.errstate(over="ignore", invalid="ignore"):
        apart = high - low
        halfway = np.where(np.isinf(apart) & np.isfinite(low), low / 2 + high / 2, low + apart / 2)
    return np.where((halfway > low) | np.isnan(low), halfway, high)


def join_neighbours(data: Labelled, most: int) -> Labelled:
    """Return objects with neighbouring scores joined into about `most` distinct ones."""
    cells = _cells(data, most)
    counts = np.concatenate([cells.positive, cells.negative])
    kept = counts > 0
    positive = np.repeat([True, False], len(cells.scores))[kept]
    weight = counts[kept].astype(data.weight.dtype)
    return Labelled(positive, np.tile(cells.scores, 2)[kept], weight)


def _falling_share(counts: Floats) -> Floats:
    """Return the share that lies above each threshold, of descending ones."""
    sums = np.append(0.0, np.cumsum(counts[::-1]))
    return sums / sums[-1]


def _smooth_rates(values: Floats, counts: Floats, size: float) -> Floats:
    """Return the kernel-smoothed share beyond each middle of two values and beyond both ends."""
    thresholds = np.concatenate([[-np.inf], values[:-1] / 2 + values[1:] / 2, [np.inf]])[::-1]
    kept = counts > 0
    values, share = values[kept], counts[kept] / counts.sum()
    mean = share @ values
    spread = np.sqrt(share @ (values - mean) ** 2)
    if spread > 0:
        below, above = np.interp((0.25, 0.75), np.cumsum(share) - share / 2, values)
        spread = min(spread, (above - below) / 1.34) or spread
    bandwidth = WIDTH * 1.06 * max(spread, 1e-6) * size**-0.2
    first, last = (
        np.searchsorted(values, thresholds + side * CERTAIN * bandwidth) for side in (-1, 1)
    )
    # Objects further above count whole, those further below not at all.
    above = np.append(np.cumsum(share[::-1])[::-1], 0.0)[last]
    near = first[:, None] + np.arange(int((last - first).max(initial=0)))
    inside = near < last[:, None]
    far = (values.take(near, mode="clip") - thresholds[:, None]) / bandwidth
    reached = np.zeros(near.shape)
    reached[inside] = ndtr(far[inside])
    part = share.take(near, mode="clip")
    return np.asarray(above + np.einsum("ij,ij->i", reached, part))
