"""Known classes and unseen ones under one threshold: the open-set classification rate (OSCR)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import checked_classes, floats, label_vector
from opchar.spaces.points import checked_weights
from opchar.spaces.scored.sample import as_given, check_same_index

Floats = NDArray[np.float64]


class OscrCurve(NamedTuple):
    """Right decisions on known classes over accepted objects of unseen ones, ascending.

    Attributes
    ----------
    fpr : ndarray of float, shape (m,)
        Share of the objects of unseen classes that is accepted.
    ccr : ndarray of float, shape (m,)
        Share of the objects of known classes that is accepted and given to its own class.
    threshold : ndarray of float, shape (m,)
        Objects of at least this confidence are accepted; infinity first.
    """

    fpr: Any
    ccr: Any
    threshold: Any


def oscr_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike,
    sample_weight: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
) -> OscrCurve | Any:
    """Return the correct classification rate over the false positive rate of unseen classes.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels; one that is not among `labels` is of an unseen class.
    y_proba : array_like of float, shape (n, C)
        Posteriors or other outputs, one column per known class; each object is given to the class
        with the largest.
    labels : array_like, shape (C,)
        The known classes in the order of the columns.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts.
    confidence : array_like of float, shape (n,), optional
        What is thresholded; the largest output when not given.

    Returns
    -------
    OscrCurve or pandas.DataFrame
        A point for each distinct confidence and one for accepting none: objects of equal confidence
        are accepted together. The last CCR is the accuracy on known classes.

    Raises
    ------
    ValueError
        If the columns do not fit the classes, a class is named twice, an output is NaN or a label
        missing (an unseen class has a name, too), or there are no objects of known or none of
        unseen classes.

    References
    ----------
    Dhamija, Guenther and Boult, Advances in Neural Information Processing Systems 31, 2018.

    Examples
    --------
    >>> y_proba = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.5, 0.5]]
    >>> curve = oscr_curve(["a", "b", "?", "?"], y_proba, labels=["a", "b"])
    >>> curve.fpr.tolist(), curve.ccr.tolist()
    ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0])
    """
    check_same_index(y_true, y_proba, sample_weight, confidence)
    truth, outputs = label_vector(y_true), floats(y_proba, "y_proba")
    classes = checked_classes(label_vector(labels, "labels"))
    if outputs.ndim != 2 or outputs.shape != (len(truth), len(classes)):
        raise ValueError(
            f"{len(truth)} objects and {len(classes)} known classes need outputs of shape "
            f"{(len(truth), len(classes))}, got {outputs.shape}"
        )
    sure = outputs.max(axis=1) if confidence is None else floats(confidence, "confidence")
    if sure.shape != truth.shape or np.isnan(outputs).any() or np.isnan(sure).any():
        raise ValueError("outputs and confidence must not be NaN, one confidence an object")
    weight: NDArray[Any] = np.ones(len(truth), dtype=np.int64)
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(truth), exact=False)
    is_known = np.isin(truth, classes)
    is_right = is_known & (classes[outputs.argmax(axis=1)] == truth)
    known, unseen = weight[is_known].sum(), weight[~is_known].sum()
    if not known or not unseen:
        raise ValueError("y_true needs objects of known classes (in labels) and of unseen ones")
    thresholds, rank = np.unique(sure[weight > 0], return_inverse=True)

    def share(counted: NDArray[np.bool_], total: float) -> Floats:
        counted_at = np.bincount(rank, (weight * counted)[weight > 0], minlength=len(thresholds))
        # Sums of weights round, each in its own way.
        return np.append(0.0, np.minimum(counted_at[::-1].cumsum() / total, 1))

    fpr, ccr = share(~is_known, unseen), share(is_right, known)
    found = OscrCurve(fpr, ccr, np.append(np.inf, thresholds[::-1]))
    return as_given(found, y_true, y_proba)


def oscr_auc(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike,
    sample_weight: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
) -> float:
    """Return the area under the open-set classification rate.

    Parameters
    ----------
    y_true, y_proba, labels, sample_weight, confidence
        See `oscr_curve`.

    Returns
    -------
    float
        In [0, accuracy]: the probability that an object of a known class is given to it, and with
        more confidence than an object of an unseen class; ties count half.

    Raises
    ------
    ValueError
        As `oscr_curve`.

    Examples
    --------
    >>> y_proba = [[0.9, 0.1], [0.2, 0.8], [0.9, 0.1], [0.5, 0.5]]
    >>> oscr_auc(["a", "b", "?", "?"], y_proba, labels=["a", "b"])
    0.625
    """
    given = {"labels": labels, "sample_weight": sample_weight, "confidence": confidence}
    curve = oscr_curve(y_true, y_proba, **given)  # type: ignore[arg-type]
    area = float(np.trapezoid(np.asarray(curve.ccr), np.asarray(curve.fpr)))
    return min(area, float(np.asarray(curve.ccr)[-1]))
