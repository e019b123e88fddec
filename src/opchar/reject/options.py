"""The two reject options as rules on scores: distance and ambiguity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats, plain_array, truths
from opchar.spaces.points import checked_weights

Protected = Literal["assigned", "any"]
REJECTED_AS_AMBIGUOUS = -1
REJECTED_AS_DISTANT = -2


def is_ambiguous(posteriors: ArrayLike, threshold: float) -> NDArray[np.bool_]:
    """Tell which objects the ambiguity reject option rejects.

    Parameters
    ----------
    posteriors : array_like of shape (n, C)
        Each in [0, 1].
    threshold : float
        Smallest posterior of an accepted object, in [0, 1]. Up to ``1/C`` none is rejected; above
        one minus the smallest error all are.

    Returns
    -------
    ndarray of bool, shape (n,)
        True where the largest posterior lies below the threshold.

    Raises
    ------
    ValueError
        For posteriors or a threshold outside [0, 1].

    Notes
    -----
    Chow (1970); landgrebe2007, Eq. 5.4.

    Examples
    --------
    >>> is_ambiguous([[0.9, 0.1], [0.4, 0.6]], 0.7).tolist()
    [False, True]
    """
    given = floats(posteriors, "posteriors")
    if given.ndim != 2 or not ((given >= 0) & (given <= 1 + 1e-9)).all():
        raise ValueError("posteriors must have shape (n, C) and lie in [0, 1]")
    if not 0 <= threshold <= 1:
        raise ValueError(f"a threshold on posteriors must be in [0, 1], got {threshold}")
    return np.asarray(given.max(axis=1) < threshold)


def is_distant(
    typicality: ArrayLike, threshold: float, *, assigned: ArrayLike | None = None
) -> NDArray[np.bool_]:
    """Tell which objects the distance reject option rejects.

    Parameters
    ----------
    typicality : array_like of shape (n, C)
        Of each object to each class: the class's density, or minus a distance. Not NaN.
    threshold : float
        Smallest typicality of an accepted object, t_d; any number: above all objects it rejects
        all, below all none.
    assigned : array_like of int, shape (n,), optional
        The class that each object was given to, whose typicality is looked at (landgrebe2007,
        Eq. 5.5); if not given, the nearest class: an object is rejected when it is far from all.

    Returns
    -------
    ndarray of bool, shape (n,)
        True where the typicality to the assigned class, or else to the nearest, is below the
        threshold.

    Raises
    ------
    ValueError
        For NaN, or assigned classes that the typicality has no column of.

    Notes
    -----
    Dubuisson and Masson (1993); landgrebe2007, Eq. 5.5. The text there rejects what exceeds the
    threshold, its equations what falls below.

    Examples
    --------
    >>> is_distant([[0.3, 0.0], [0.0, 0.3]], 0.1, assigned=[0, 0]).tolist()
    [False, True]
    """
    given = floats(typicality, "typicality")
    if given.ndim != 2 or np.isnan(given).any() or np.isnan(threshold):
        raise ValueError("typicality must have shape (n, C); neither it nor t_d may be NaN")
    if assigned is None:
        return np.asarray(given.max(axis=1) < threshold)
    columns = plain_array(assigned, "assigned")
    whole = columns.dtype.kind in "iu"
    if (
        not whole
        or columns.shape != given.shape[:1]
        or not np.isin(columns, np.arange(given.shape[1])).all()
    ):
        raise ValueError(f"assigned must be {len(given)} columns of the typicality")
    return np.asarray(given[np.arange(len(given)), columns] < threshold)


def decide(
    posteriors: ArrayLike,
    typicality: ArrayLike,
    *,
    ambiguity: float = 0.0,
    distance: float = -np.inf,
    protected: Protected = "assigned",
) -> NDArray[np.intp]:
    """Return the class of each object under both reject options.

    Parameters
    ----------
    posteriors, typicality : array_like of shape (n, C)
        Columns in the order of the classes; rows are objects.
    ambiguity : float
        Threshold on the largest posterior, in [0, 1].
    distance : float
        Threshold t_d on the typicality.
    protected : {"assigned", "any"}
        Whether the typicality for the assigned class counts, or to the nearest.

    Returns
    -------
    ndarray of int, shape (n,)
        The column of the largest posterior; -1 for an object rejected as ambiguous, -2 for one
        rejected as distant, which is looked at first.

    Raises
    ------
    ValueError
        As `is_ambiguous` and `is_distant`; for unequal shapes or an unknown `protected`.

    Examples
    --------
    >>> decide(
    ...     [[0.9, 0.1], [0.4, 0.6], [1.0, 0.0]],
    ...     [[0.3, 0.0], [0.2, 0.3], [1e-9, 0.0]],
    ...     ambiguity=0.7,
    ...     distance=0.1,
    ... ).tolist()
    [0, -1, -2]
    """
    if np.shape(posteriors) != np.shape(typicality):
        raise ValueError(
            f"posteriors and typicality must have one shape, got {np.shape(posteriors)} and "
            f"{np.shape(typicality)}"
        )
    if protected not in ("assigned", "any"):
        raise ValueError(f"unknown protected={protected!r}: use 'assigned' or 'any'")
    ambiguous = is_ambiguous(posteriors, ambiguity)
    best = np.argmax(posteriors, axis=1)
    distant = is_distant(typicality, distance, assigned=best if protected == "assigned" else None)
    decided = np.where(ambiguous, REJECTED_AS_AMBIGUOUS, best)
    return np.where(distant, REJECTED_AS_DISTANT, decided)


@dataclass(frozen=True)
class ErrorRejectCurve:
    """The trade-off of errors and rejection, over all thresholds.

    Attributes
    ----------
    thresholds : ndarray of shape (m,)
        All distinct confidences, ascending: an object is accepted when its confidence is at least
        the threshold.
    rejected : ndarray of shape (m,)
        Share of all objects that is rejected.
    errors : ndarray of shape (m,)
        Share of all objects that is accepted and wrong.
    """

    thresholds: NDArray[np.float64]
    rejected: NDArray[np.float64]
    errors: NDArray[np.float64]

    @property
    def errors_of_accepted(self) -> NDArray[np.float64]:
        """Share of the accepted objects that is wrong, shape (m,).

        NaN where rounding leaves nothing of the accepted ones, beside rejected ones of huge weight.
        """
        accepted = 1 - self.rejected
        unknown = np.full(accepted.shape, np.nan)
        return np.divide(self.errors, accepted, out=unknown, where=accepted > 0)


def error_reject_curve(
    is_right: ArrayLike, confidence: ArrayLike, sample_weight: ArrayLike | None = None
) -> ErrorRejectCurve:
    """Return how the errors of a classifier fall as it rejects more.

    Parameters
    ----------
    is_right : array_like of bool, shape (n,)
        Whether the class that each object was given to is its own.
    confidence : array_like of float, shape (n,)
        What is thresholded: the largest posterior for the ambiguity option, the typicality for the
        assigned class for the distance option.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts; one each when not given.

    Returns
    -------
    ErrorRejectCurve
        For each threshold the objects that it rejects and the errors that it accepts, as shares of
        all.

    Raises
    ------
    ValueError
        For unequal lengths, no objects, NaN, or weights that are negative or all zero.

    Notes
    -----
    Chow (1970).

    Examples
    --------
    >>> curve = error_reject_curve([True, False, True, True], [0.9, 0.6, 0.6, 0.8])
    >>> curve.rejected.tolist(), curve.errors.tolist()
    ([0.0, 0.5, 0.75], [0.25, 0.0, 0.0])
    """
    right, given = truths(is_right, "is_right"), floats(confidence, "confidence")
    if right.ndim != 1 or right.shape != given.shape or not len(right) or np.isnan(given).any():
        raise ValueError(
            "is_right and confidence must be equally long and not empty, without NaN; got shapes "
            f"{right.shape} and {given.shape}"
        )
    weight = np.ones(len(right), dtype=np.int64)
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(right))
        weight = weight.astype(float) if weight.dtype == object else weight
        right, given, weight = (part[weight > 0] for part in (right, given, weight))
    thresholds, rank = np.unique(given, return_inverse=True)
    counts = np.bincount(rank, weight, minlength=len(thresholds))
    wrong = np.bincount(rank, weight * ~right, minlength=len(thresholds))
    summed = np.cumsum(counts)
    return ErrorRejectCurve(
        thresholds=thresholds,
        rejected=np.append(0.0, summed[:-1]) / summed[-1],
        errors=np.minimum(wrong[::-1].cumsum()[::-1] / summed[-1], 1),  # sums of weights round
    )
