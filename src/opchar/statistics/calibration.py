"""Scores turned into probabilities of the positive class, and back into thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, logit

from opchar.arguments import floats, plain_array

Floats = NDArray[np.float64]
Method = Literal["sigmoid", "beta", "isotonic", "none"]
METHODS: tuple[Method, ...] = ("sigmoid", "beta", "isotonic", "none")
# Probabilities nearer to 0 or 1 than this are taken as this near; those of 0 and 1 as half as near
# as the nearest other, within these bounds.
NEAREST, FARTHEST = 1e-6, 0.25
# Numbers up to here have squares, and sums of them.
LARGEST = 1e150
# Newton's method: steps and halvings at most, objects to start with, and the gain in the likelihood
# of an object below which the next step would change nothing.
STEPS = 100
HALVINGS = 30
FIRST = 5000
SETTLED = 1e-12


@dataclass(frozen=True)
class Calibration:
    """A map from scores to the log odds of the positive class that never decreases.

    Shapes: `steps` and `step_log_odds` (k,).

    `coefficients`: beta: weights of ``ln u`` and of ``-ln(1 - u)``, and intercept. `location` and
    `scale`: beta: scores other than probabilities are mapped to ``u = expit((score - location) /
    scale)``.
    """

    method: Method
    prior: float
    coefficients: Floats
    location: float
    scale: float
    nearest: float
    steps: Floats
    step_log_odds: Floats

    def log_odds(self, scores: ArrayLike) -> Floats:
        """Return the log odds of the positive class, under the prior of the fit.

        Shapes: `scores` (n,); returned (n,).
        """
        given = np.asarray(scores, dtype=float)
        if self.method == "none":
            return np.asarray(logit(given))
        if self.method == "isotonic":
            index = np.searchsorted(self.steps, given, side="right") - 1
            return self.step_log_odds[np.maximum(index, 0)]
        return _features(self.to_scale(given), self.method) @ self.coefficients

    def to_scale(self, scores: ArrayLike) -> Floats:
        """Return scores on the scale that a sigmoid or beta map is fitted on.

        Shapes: `scores` (n,); returned (n,).
        """
        return _to_scale(np.asarray(scores, float), self.location, self.scale, self.nearest)

    def probabilities(self, scores: ArrayLike, prior: float | None = None) -> Floats:
        """Return the probability of the positive class.

        Shapes: `scores` (n,); returned (n,).
        """
        shift = 0.0 if prior is None else logit(prior) - logit(self.prior)
        return np.asarray(expit(self.log_odds(scores) + shift))

    def threshold(self, log_odds: ArrayLike) -> Floats:
        """Return the lowest score whose log odds reach given ones."""
        wanted = np.asarray(log_odds, dtype=float)
        if self.method == "none":
            return np.asarray(expit(wanted))
        if self.method == "isotonic":
            index = np.searchsorted(self.step_log_odds, wanted, side="left")
            return np.append(np.append(-np.inf, self.steps[1:]), np.inf)[index]
        if self.method == "sigmoid":
            slope, intercept = self.coefficients
            if not slope:
                return np.where(wanted <= intercept, -np.inf, np.inf)
            return self._from_scale((wanted - intercept) / slope)
        return np.vectorize(self._beta_threshold, otypes=[float])(wanted)

    def _beta_threshold(self, wanted: float) -> float:
        """Find a score of the beta map by bisection, on the scale of logits."""
        if not self.coefficients[:2].any():
            return -np.inf if wanted <= self.coefficients[2] else np.inf
        low, high = -60.0, 60.0
        for _ in range(80):
            middle = (low + high) / 2
            ends = np.array([log_expit(middle), -log_expit(-middle), 1.0])
            low, high = (low, middle) if ends @ self.coefficients >= wanted else (middle, high)
        if abs(high) >= 60.0 - 1e-9 or abs(low) >= 60.0 - 1e-9:
            return float(np.copysign(np.inf, high))
        return float(self._from_scale(high))

    def _from_scale(self, scaled: ArrayLike) -> Floats:
        """Return the scores that were scaled for the map."""
        if np.isnan(self.scale):
            end = logit(self.nearest)
            beyond = np.where(np.asarray(scaled) > -end, np.inf, -np.inf)
            return np.where(np.abs(scaled) <= -end, expit(scaled), beyond)
        return self.location + self.scale * np.asarray(scaled)


def calibration(
    is_positive: ArrayLike,
    scores: ArrayLike,
    method: Method = "sigmoid",
    weights: ArrayLike | None = None,
) -> Calibration:
    """Return the map from scores to log odds that fits labelled objects.

    Platt (1999), with his smoothed targets; Kull, Silva Filho and Flach, Beta calibration (2017);
    Zadrozny and Elkan (2002) for the isotonic map.

    Shapes: `is_positive` (n,); `scores` (n,); `weights` (n,).
    """
    positive = plain_array(is_positive, "is_positive").astype(bool)
    given = floats(scores, "scores")
    if np.abs(given[np.isfinite(given)]).max(initial=0.0) > LARGEST:
        raise ValueError(f"scores beyond {LARGEST:g} have no squares; divide them by one number")
    weight = np.ones(len(given)) if weights is None else np.asarray(weights, dtype=float)
    total = weight.sum()
    prior = float(weight[positive].sum() / total)
    if not 0 < prior < 1:
        raise ValueError("calibration needs objects of both classes")
    none, coefficients, location, scale = np.empty(0), np.empty(0), np.nan, np.nan
    nearest = NEAREST
    steps, step_log_odds = none, none
    is_probability = bool(given.min() >= 0 and given.max() <= 1)
    if method == "none":
        if not is_probability:
            raise ValueError("scores must be probabilities in [0, 1] to be left as they are")
    elif method == "isotonic":
        steps, step_log_odds = _steps(positive, given, weight)
    elif method in ("sigmoid", "beta"):
        if is_probability:
            nearest = _nearest(given)
        elif method == "sigmoid":
            location, scale = 0.0, 1.0
        else:
            location = float(np.average(given, weights=weight))
            spread = float(np.sqrt(np.average((given - location) ** 2, weights=weight)))
            scale = spread or 1.0
        features = _features(_to_scale(given, location, scale, nearest), method)
        coefficients = _coefficients(features, positive, weight)
    else:
        raise ValueError(f"method is one of {', '.join(METHODS)}, not {method!r}")
    return Calibration(method, prior, coefficients, location, scale, nearest, steps, step_log_odds)


def _nearest(scores: Floats) -> float:
    """Return how near to 0 and 1 probabilities are taken: half as near as those that are neither.

    So 0 of three neighbours is a little less than 1 of three, and not a million times less.
    """
    inside = scores[(scores > 0) & (scores < 1)]
    least = min(inside.min(initial=1.0), 1 - inside.max(initial=0.0)) / 2
    return float(np.clip(least, NEAREST, FARTHEST))


def _to_scale(scores: Floats, location: float, scale: float, nearest: float) -> Floats:
    """Return logits of probabilities, and other scores less their location in units of scale."""
    if np.isnan(scale):
        return np.asarray(logit(np.clip(scores, nearest, 1 - nearest)))
    return (scores - location) / scale


def _features(scaled: Floats, method: str) -> Floats:
    """Return the columns of the linear model of the log odds, the constant last."""
    if method == "sigmoid":
        return np.column_stack([scaled, np.ones(len(scaled))])
    return np.column_stack([log_expit(scaled), -log_expit(-scaled), np.ones(len(scaled))])


def _coefficients(features: Floats, positive: NDArray[np.bool_], weight: Floats) -> Floats:
    """Return the likeliest coefficients; only the last may be negative.

    Where a slope of the likeliest ones is negative, the best fit without one of the slopes is
    wanted, or without any, for the likelihood is concave.
    """
    n_positive, n_negative = weight[positive].sum(), weight[~positive].sum()
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    centre, spread = features[:, :-1].mean(axis=0), features[:, :-1].std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    columns = np.column_stack([(features[:, :-1] - centre) / spread, features[:, -1]])
    share = weight / weight.sum()
    number = len(spread)
    start = np.append(np.full(number, 0.5), logit(n_positive / weight.sum()))
    fits: list[tuple[float, list[float]]] = []
    size = number
    while not fits:
        for slopes in combinations(range(number), size):
            kept = [*slopes, number]
            found = np.zeros(number + 1)
            loss, found[kept] = _likeliest(columns[:, kept], target, share, start[kept])
            if (found[:-1] >= 0).all():
                fits.append((loss, found.tolist()))
        size -= 1
    best = np.array(min(fits)[1])
    slope = best[:-1] / spread
    return np.append(slope, best[-1] - slope @ centre)


def _likeliest(
    columns: Floats, target: Floats, share: Floats, start: Floats
) -> tuple[float, Floats]:
    """Return the loss and the coefficients of a logistic regression, by Newton's method.

    Of many objects, some of them say where to start. What the objects do not tell stays as there.
    """
    if len(columns) > 2 * FIRST:
        few = slice(None, None, len(columns) // FIRST)
        _, start = _likeliest(columns[few], target[few], share[few] / share[few].sum(), start)
    found, odds = start, columns @ start
    loss = float(share @ (np.logaddexp(0, odds) - target * odds))
    for _ in range(STEPS):
        chance = expit(odds)
        slope = columns.T @ (share * (chance - target))
        curve = (columns.T * (share * chance * (1 - chance))) @ columns
        step = np.linalg.lstsq(curve, slope, rcond=1e-12)[0]
        gain = float(slope @ step)
        for halving in range(HALVINGS):
            new = found - step / 2**halving
            odds = columns @ new
            lower = float(share @ (np.logaddexp(0, odds) - target * odds))
            if lower <= loss or gain < SETTLED:
                break
        found, loss = new, lower
        if gain < SETTLED:
            break
    return loss, found


def _steps(positive: NDArray[np.bool_], scores: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the lowest score and the log odds of each step of isotonic regression."""
    from scipy.optimize import isotonic_regression

    values, rank = np.unique(scores, return_inverse=True)
    totals = np.bincount(rank, weight, len(values))
    positives = np.bincount(rank, weight * positive, len(values))
    kept = totals > 0
    values, totals, positives = values[kept], totals[kept], positives[kept]
    fitted = isotonic_regression(positives / totals, weights=totals)
    first = fitted.blocks[:-1]
    begins = values[first] - np.append(0.0, (values[first] - values[first - 1])[1:]) / 2
    return begins, np.asarray(logit(np.clip(fitted.x[first], 0, 1)))
