"""The prior in use, estimated from unlabelled scores under prior shift."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, expit, logit, ndtr, ndtri

from opchar.arguments import floats
from opchar.decisions.smooth_curves import Labelled, check_labelled, join_neighbours
from opchar.retired import accept_old_arguments, old_attribute
from opchar.spaces.points import OperatingPoints
from opchar.statistics.areas import normal_quantile
from opchar.statistics.calibration import METHODS as CALIBRATIONS
from opchar.statistics.calibration import Method, calibration

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
PriorMethod = Literal["em", "confusion", "subset"]
# Those for another share of positives than that of the labelled objects.
METHODS: tuple[PriorMethod, ...] = ("em", "confusion")
BISECTIONS = 50
# By which resamples of ``em`` are estimated in turn, besides the map that is asked for.
WAYS: tuple[tuple[PriorMethod, Method], ...] = (
    ("em", "sigmoid"),
    ("em", "beta"),
    ("em", "isotonic"),
    ("confusion", "none"),
)
# Standard deviation of how far scores of a class move in use, in units of theirs.
DRIFT = 0.2
# The least share that has a normal score.
TAIL = 1e-12
# Distinct scores of resamples at most.
CELLS = 1000
# p-values below which scores in use are doubted to be a mixture of the classes, or are none; ranges
# of scores at most by which that is tested, and steps in which their covariance settles.
DOUBT, REFUSED, BINS, ROUNDS = 0.05, 0.001, 10, 6


@dataclass(frozen=True)
class PriorEstimate:
    """A prior estimated from unlabelled scores.

    Shapes: `draws` (resamples,).
    """

    prior: float
    low: float
    high: float
    confidence: float
    method: PriorMethod
    mixture: float
    draws: Floats = field(repr=False)
    level = old_attribute("level", "confidence")

    def to_frame(self) -> pd.DataFrame:
        """Return one line: method, prior, low, high, confidence and mixture."""
        import pandas as pd

        names = ("method", "prior", "low", "high", "confidence", "mixture")
        return pd.DataFrame([{name: getattr(self, name) for name in names}])


@accept_old_arguments(level="confidence", unlabelled_scores="unlabelled", repeats="resamples")
def estimate_prior(
    y_true: ArrayLike,
    y_score: ArrayLike,
    unlabelled: ArrayLike,
    method: PriorMethod = "em",
    *,
    calibrate: Method = "sigmoid",
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    confidence: float = 0.95,
    drift: float = DRIFT,
    resamples: int = 200,
    random_state: int | np.random.Generator | None = 0,
) -> PriorEstimate:
    """Return the share of positive objects among unlabelled ones, with a bootstrap interval.

    Within each class the scores must be distributed as in the labelled sample, up to `drift`; only
    the prior differs. With ``subset`` the labelled objects are a random part of those in use.
    Whether they can be is tested: drift, and scores of a retrained model beside those of the models
    of folds, break it.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `opchar.points_of`; of objects that the scorer was not trained on.
    unlabelled : array_like of float, shape (m,)
        Scores of the objects in use, by the same scorer.
    method : {"em", "confusion", "subset"}
        ``em``: the prior of largest likelihood after calibration, the limit of the EM algorithm.
        ``confusion``: the share accepted, corrected by TPR and FPR at the threshold where the two
        errors are most alike. ``subset``: the share among the labelled, moved by how far the mean
        of the unlabelled scores lies from theirs (prediction-powered inference); its interval is
        never wider than that of the labels alone (Agresti and Coull) before both are cut to [0, 1].
    calibrate : {"sigmoid", "beta", "isotonic", "none"}
        For ``em``, see `opchar.statistics.calibration`.
    confidence : float
        Of the interval, between 0 and 1.
    drift : float
        How far the scores of a class may have moved in use: the standard deviation of the move, in
        standard deviations of the class (of normal scores of its ranks). No sample of another time
        tells it. With 0 the interval holds for scores that have not moved. ``subset`` needs none.
    resamples : int
        Of both samples; labelled objects are drawn within their class. The map of the
        calibration is fitted anew to each. With ``em`` they are estimated by sigmoid, beta and
        isotonic maps and by ``confusion`` in turn, so that the interval holds how much the estimate
        depends on that choice. Of more than `CELLS` distinct scores, neighbours are
        joined for the resamples.
    random_state : int, Generator or None
        Source of the bootstrap samples; the same number gives the same answer.

    Returns
    -------
    PriorEstimate
        The estimate with its interval. A warning says where the scores are no such mixture; the
        interval is then wider by the root of the misfit's chi-squared over its degrees of freedom,
        and from 0 to 1 where the p-value is at most `REFUSED`: nothing is known. With ``subset``
        the p-value is that of equal means of both samples' scores, and there are no draws.

    Raises
    ------
    ValueError
        For an unknown method, empty or infinite scores, a class that is missing, or numbers out of
        range.

    References
    ----------
    Saerens, Latinne and Decaestecker, Adjusting the outputs of a classifier to new a priori
    probabilities (2002); Forman, Quantifying counts and costs via classification (2008);
    Angelopoulos, Duchi and Zrnic, PPI++: efficient prediction-powered inference (2023).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 200)
    >>> new = np.repeat([0, 1], [450, 50])
    >>> found = estimate_prior(y, rng.normal(size=400) + 2 * y, rng.normal(size=500) + 2 * new)
    >>> found.low < 0.1 < found.high
    True
    """
    if method not in get_args(PriorMethod):
        names = ", ".join(get_args(PriorMethod))
        raise ValueError(f"method is one of {names}, not {method!r}")
    if calibrate not in CALIBRATIONS:
        raise ValueError(f"calibrate is one of {', '.join(CALIBRATIONS)}, not {calibrate!r}")
    if not 0 <= drift < np.inf:
        raise ValueError(f"drift is a number from 0 upwards, not {drift}")
    if not (0 < confidence < 1 and resamples >= 2):
        raise ValueError(
            f"confidence lies in (0, 1), resamples are 2 or more, not {confidence}, {resamples}"
        )
    data = check_labelled(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    new = floats(unlabelled, "unlabelled")
    if new.ndim != 1 or not len(new) or not np.isfinite(new).all():
        raise ValueError("unlabelled must be finite scores, at least one")
    if np.ptp(floats(y_score, "y_score")) == 0:
        raise ValueError("y_score is the same for all objects, which tells nothing of the prior")
    if method == "subset":
        found = _prior_by_subset(data, new, confidence)
        if found.mixture < DOUBT:
            warnings.warn(
                "the labelled objects are no random part of those in use: their mean score differs "
                f"(p = {found.mixture:.2g})",
                UserWarning,
                stacklevel=3,
            )
        return found
    found = prior_in(
        data,
        new,
        method,
        calibrate=calibrate,
        level=confidence,
        drift=drift,
        repeats=resamples,
        rng=np.random.default_rng(random_state),
    )
    if found.mixture < DOUBT:
        warnings.warn(
            f"the unlabelled scores are no mixture of both classes (p = {found.mixture:.2g}): "
            "another scale or drift; label some objects in use",
            UserWarning,
            stacklevel=3,
        )
    return found


def prior_in(
    data: Labelled,
    unlabelled: Floats,
    method: PriorMethod = "em",
    *,
    calibrate: Method = "sigmoid",
    level: float = 0.95,
    drift: float = DRIFT,
    repeats: int = 200,
    rng: np.random.Generator,
) -> PriorEstimate:
    """Return what `estimate_prior` does, of checked labels and scores.

    Shapes: `unlabelled` (m,).
    """
    estimate = _estimate(data, unlabelled, None, method, calibrate)
    whole = data.weight.dtype.kind != "f"
    small = join_neighbours(data, CELLS) if whole else data
    scores, numbers = _cells(unlabelled)
    classes = [np.flatnonzero(small.positive), np.flatnonzero(~small.positive)]
    ways = list(dict.fromkeys([(method, calibrate), *(WAYS if method == "em" else ())]))
    moves, place = drift * rng.normal(size=(repeats, 2)), _normal_scores(small)
    draws = np.empty(repeats)
    for index in range(repeats):
        weight: NDArray[Any] = np.zeros(len(small.scores), dtype=small.weight.dtype)
        for members in classes:
            often = small.weight[members] if whole else np.ones(len(members), dtype=np.int64)
            weight[members] = rng.multinomial(often.sum(), often / often.sum())
        weight = weight if whole else weight * small.weight
        kept = weight > 0
        if drift:
            weight = weight * np.exp(moves[index][small.positive.astype(np.intp)] * place)
        drawn = Labelled(small.positive[kept], small.scores[kept], weight[kept])
        new = rng.multinomial(len(unlabelled), numbers / len(unlabelled))
        draws[index] = _estimate(drawn, scores, new, *ways[index % len(ways)])
    known = draws[~np.isnan(draws)]
    tails = (1 - level) / 2, (1 + level) / 2
    low, high = np.quantile(known, tails) if len(known) else (np.nan, np.nan)
    low, high = min(float(low), estimate), max(float(high), estimate)
    misfit, free = mixture_misfit(data, unlabelled)
    chance = float(chdtrc(free, misfit)) if free else 1.0
    if chance < DOUBT:
        wider = float(np.sqrt(misfit / free))
        low = max(estimate - wider * (estimate - low), 0.0) if chance > REFUSED else 0.0
        high = min(estimate + wider * (high - estimate), 1.0) if chance > REFUSED else 1.0
    return PriorEstimate(estimate, low, high, level, method, chance, draws)


def _normal_scores(data: Labelled) -> Floats:
    """Return normal scores of the ranks within each class; weights exp(move * score) move a class.

    Of normal scores such weights move the mean by so many standard deviations, and keep the spread;
    values that scores cannot have stay without weight.

    Shapes: returned (n,).
    """
    found = np.empty(len(data.scores))
    for mine in (data.positive, ~data.positive):
        values, place = np.unique(data.scores[mine], return_inverse=True)
        share = np.bincount(place, data.weight[mine] / data.weight[mine].sum(), len(values))
        # Shares of rounded sums may reach 1.
        middle = np.clip(np.cumsum(share) - share / 2, TAIL, 1 - TAIL)
        found[mine] = ndtri(middle)[place]
    return found


def _prior_by_subset(data: Labelled, unlabelled: Floats, level: float) -> PriorEstimate:
    """Return the share of positives where a random part is labelled.

    As many objects of each class as Agresti and Coull add to the labels stand at the mean score.
    Whatever weight the scores get, zero among others gives the labels alone.
    """
    z = normal_quantile(level)
    share, number, added = data.weight / data.weight.sum(), data.size, z**2 / 2
    total = number + 2 * added
    apart = data.scores - share @ data.scores
    own = float(share @ data.positive)
    centre = (number * own + added) / total
    spread = number * float(share @ apart**2) / total
    joint = number * float(share @ (apart * data.positive)) / total
    beyond = total / len(unlabelled) * float(np.var(unlabelled))
    weight = joint / (spread + beyond) if joint else 0.0
    move = float(np.mean(unlabelled) - share @ data.scores)
    variance = (centre * (1 - centre) - weight * joint) / total
    reach = z * float(np.sqrt(variance))
    noise = (float(share @ apart**2) / number + float(np.var(unlabelled)) / len(unlabelled)) ** 0.5
    chance = float(2 * ndtr(-abs(move) / noise)) if noise else float(move == 0)
    ends = (own, centre - reach, centre + reach)
    prior, low, high = (float(np.clip(end + weight * move, 0, 1)) for end in ends)
    return PriorEstimate(prior, low, high, level, "subset", chance, np.empty(0))


def mixture_misfit(data: Labelled, unlabelled: Floats) -> tuple[float, int]:
    """Return how far scores are from every mixture of those of two classes.

    Shapes: `unlabelled` (m,).
    """
    parts = data.part(data.positive), data.part(~data.positive)
    samples = [(part.scores, part.weight / part.weight.sum()) for part in parts]
    samples.append((unlabelled, np.full(len(unlabelled), 1 / len(unlabelled))))
    sizes = [*(part.size for part in parts), float(len(unlabelled))]
    bins = int(np.clip(min(sizes) // 4, 3, BINS))
    scores, weight = (np.concatenate(each) for each in zip(*samples, strict=True))
    order = np.argsort(scores, kind="stable")
    reached = np.searchsorted(np.cumsum(weight[order]), 3 * np.arange(1, bins) / bins)
    edges = np.setdiff1d(scores[order][reached], scores.max())
    free = len(edges) - 1
    if free < 1:
        return 0.0, 0
    shares, noise = [], []
    for (own, part), size in zip(samples, sizes, strict=True):
        counts = size * np.bincount(np.searchsorted(edges, own), part, len(edges) + 1)
        share = ((counts + 0.5 / len(counts)) / (size + 0.5))[:-1]
        shares.append(share)
        noise.append((np.diag(share) - np.outer(share, share)) / size)
    apart, rest, prior = shares[0] - shares[1], shares[2] - shares[1], 0.5
    for _ in range(ROUNDS):
        inverse = np.linalg.pinv(prior**2 * noise[0] + (1 - prior) ** 2 * noise[1] + noise[2])
        least = apart @ inverse @ apart
        prior = float(np.clip(apart @ inverse @ rest / least, 0, 1)) if least > 0 else 0.5
    error = rest - prior * apart
    return float(error @ inverse @ error), free


def _cells(scores: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return distinct scores and their numbers, of more than `CELLS` neighbours joined."""
    values, numbers = np.unique(scores, return_counts=True)
    if len(values) <= CELLS:
        return values, numbers
    first = np.unique(np.linspace(0, len(values), CELLS, endpoint=False).astype(np.intp))
    sums = np.add.reduceat(numbers, first)
    return np.add.reduceat(values * numbers, first) / sums, sums


def _estimate(
    data: Labelled,
    unlabelled: Floats,
    numbers: NDArray[np.int64] | None,
    method: PriorMethod,
    calibrate: Method,
) -> float:
    if method == "confusion":
        return prior_by_confusion(data.points, unlabelled, numbers)
    found = calibration(data.positive, data.scores, calibrate, data.weight)
    return likeliest_prior(found.log_odds(unlabelled) - logit(found.prior), numbers)


def likeliest_prior(log_ratios: ArrayLike, numbers: ArrayLike | None = None) -> float:
    """Return the prior with the largest likelihood for known ratios of the class densities.

    Shapes: `log_ratios` (m,); `numbers` (m,).
    """
    ratios = floats(log_ratios, "log_ratios")
    if not ratios.size:
        raise ValueError("a prior is estimated from one object or more, got none")
    if np.isnan(ratios).any():
        raise ValueError("log_ratios must be numbers, not NaN")
    weights = None if numbers is None else np.asarray(numbers)

    def slope(prior: float) -> float:
        return float(np.average(expit(ratios + logit(prior)), weights=weights)) - prior

    low, high = 1e-12, 1 - 1e-12
    if slope(low) <= 0:
        return 0.0
    if slope(high) >= 0:
        return 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2


def prior_by_confusion(
    points: OperatingPoints, unlabelled: ArrayLike, numbers: ArrayLike | None = None
) -> float:
    """Return the prior that explains the share of unlabelled objects that are accepted.

    Shapes: `unlabelled` (m,); `numbers` (m,).

    Returned: ``(accepted - FPR) / (TPR - FPR)``, cut to [0, 1], where FPR and 1 - TPR are most
    alike.
    """
    nearest = int(np.argmin(np.abs(points.fpr - (1 - points.tpr))))
    tpr, fpr = float(points.tpr[nearest]), float(points.fpr[nearest])
    scores = floats(unlabelled, "unlabelled")
    if not scores.size:
        raise ValueError("a prior is estimated from one object or more, got none")
    if np.isnan(scores).any():
        raise ValueError("unlabelled must be numbers, not NaN")
    above = scores >= points.thresholds[nearest]
    weights = None if numbers is None else np.asarray(numbers)
    accepted = float(np.average(above, weights=weights))
    return float(np.clip((accepted - fpr) / (tpr - fpr), 0, 1)) if tpr != fpr else np.nan
