"""Thresholds chosen for a limit, or for priors and costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import probabilities
from opchar.retired import accept_old_arguments
from opchar.spaces import roc
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.spaces.scored.sample import by_condition, condition_of, points_of

Criterion = Literal["f", "cost"]


class Choice(NamedTuple):
    """One operating point that was chosen.

    Attributes
    ----------
    threshold : float
        Scores of at least so much are accepted.
    tpr, fpr : float
        Rates there, on the sample that it was chosen on.
    """

    threshold: float
    tpr: float
    fpr: float


@accept_old_arguments(fpr_max="max_fpr")
def neyman_pearson(
    y_true: ArrayLike,
    y_score: ArrayLike,
    max_fpr: float,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Choice:
    """Return the threshold with the largest TPR whose FPR on this sample is acceptable.

    New objects may break the limit: `opchar.controlled_threshold` promises it of them.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    max_fpr : float
        Largest acceptable FPR, in [0, 1].

    Returns
    -------
    Choice
        Among thresholds of equal TPR the one of smallest FPR.

    Raises
    ------
    ValueError
        If `max_fpr` is not between 0 and 1.

    Examples
    --------
    >>> neyman_pearson([1, 0, 1, 0], [4, 3, 2, 1], 0.5)
    Choice(threshold=2.0, tpr=1.0, fpr=0.5)
    """
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    best = roc.neyman_pearson(points, max_fpr)
    return Choice(*(float(each[best]) for each in (points.thresholds, points.tpr, points.fpr)))


@overload
def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: float | None = None,
    criterion: Criterion | None = None,
    alpha: float | None = None,
    cost_fn: float | None = None,
    cost_fp: float | None = None,
) -> float: ...


@overload
def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: Sequence[float] | NDArray[Any],
    criterion: Criterion | None = None,
    alpha: float | None = None,
    cost_fn: float | None = None,
    cost_fp: float | None = None,
) -> NDArray[np.float64]: ...


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prior: Any = None,
    criterion: Criterion | None = None,
    alpha: float | None = None,
    cost_fn: float | None = None,
    cost_fp: float | None = None,
) -> Any:
    """Return the best threshold for given priors: of the F-measure or of the expected cost.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        See `points_of`.
    prior : array_like of float, optional
        P(+), in [0, 1]; that of the sample when not given.
    criterion : {"f", "cost"}, optional
        What is best; the cost where one is given, else F.
    alpha : float, optional
        Weight of precision in F, in [0, 1]; 0.5 when not given.
    cost_fn, cost_fp : float, optional
        Cost of a missed positive and of a false alarm, not negative and not both zero; 1 when not
        given.

    Returns
    -------
    float, ndarray or pandas.Series
        As `prior`; scores at or above it are accepted. Choose it on other objects than those that
        it is judged on: `opchar.PriorThresholdClassifier` does.

    Raises
    ------
    ValueError
        For an unknown criterion, one that contradicts `alpha` or the costs, costs that are negative
        or both zero, or a prior outside [0, 1].

    Examples
    --------
    >>> best_threshold([1, 0, 1, 0], [4, 3, 2, 1])
    2.0
    >>> best_threshold([1, 0, 1, 0], [4, 3, 2, 1], cost_fp=5)
    4.0
    """
    asked = criterion_of(criterion, alpha, cost_fn, cost_fp)
    points = points_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    at = points.prior if prior is None else prior
    return by_condition(threshold_for(points, probabilities(at, "prior"), *asked), at, "threshold")


def criterion_of(
    criterion: Criterion | None,
    alpha: float | None,
    cost_fn: float | None,
    cost_fp: float | None,
    default: Criterion = "f",
) -> tuple[Criterion, float, float, float]:
    """Return the question of a criterion and its options, after a check for contradictions."""
    costs = cost_fn is not None or cost_fp is not None
    found = criterion or ("cost" if costs else "f" if alpha is not None else default)
    if found not in ("f", "cost"):
        raise ValueError(f"criterion is 'f' or 'cost', not {criterion!r}")
    if found == "f" and costs:
        raise ValueError("costs do not count with criterion 'f'; leave out one of both")
    if found == "cost" and alpha is not None:
        raise ValueError(
            "alpha, the weight of precision in F, does not count with costs; leave out one of both"
        )
    given = (alpha, 0.5), (cost_fn, 1.0), (cost_fp, 1.0)
    return found, *(other if each is None else each for each, other in given)  # type: ignore[return-value]


def threshold_for(
    points: OperatingPoints,
    prior: ArrayLike,
    criterion: Criterion = "f",
    alpha: float = 0.5,
    cost_fn: float = 1.0,
    cost_fp: float = 1.0,
) -> np.ndarray:
    """Return the best thresholds of given operating points, see `best_threshold`.

    Parameters
    ----------
    points : OperatingPoints
        Of a sample with both classes, see `points_of`.
    prior, criterion, alpha, cost_fn, cost_fp
        See `best_threshold`.

    Returns
    -------
    ndarray of float
        In the shape of `prior`.

    Raises
    ------
    ValueError
        For an unknown criterion, or costs that are negative or both zero.
    """
    if criterion == "f":
        return upper_envelope(points, alpha).threshold(np.asarray(prior, float))
    if criterion == "cost":
        return lower_envelope(points).threshold(condition_of(prior, cost_fn, cost_fp))
    raise ValueError(f"criterion is 'f' or 'cost', not {criterion!r}")
