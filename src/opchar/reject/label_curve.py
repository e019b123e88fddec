"""The trade-off of errors and rejection for labels and posteriors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import checked_classes, floats, label_vector, sorted_classes
from opchar.reject.options import error_reject_curve
from opchar.spaces.scored.sample import as_given, check_same_index


class RejectCurve(NamedTuple):
    """Errors over rejection, in ascending order of the threshold.

    Shapes: `threshold` (m,); `rejected` (m,); `error` (m,); `error_of_accepted` (m,).
    """

    threshold: Any
    rejected: Any
    error: Any
    error_of_accepted: Any


def reject_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
) -> RejectCurve | Any:
    """Return how errors fall as more objects are rejected, over all thresholds.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels of any type.
    y_proba : array_like of float, shape (n, C)
        Posteriors, one column per class; each object is given to the class with the largest.
    labels : array_like, shape (C,), optional
        The classes in the order of the columns; the sorted ones of `y_true` when not given.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts.
    confidence : array_like of float, shape (n,), optional
        What is thresholded; the largest posterior when not given.

    Returns
    -------
    RejectCurve or pandas.DataFrame
        A data frame if one of the arguments is from pandas.

    Raises
    ------
    ValueError
        If the columns do not fit the classes, a posterior or a label is NaN, `labels` lack one of
        `y_true` or name one twice, or two pandas arguments have different indices.

    References
    ----------
    landgrebe2007, Eq. 5.4, after Chow (1970).

    Examples
    --------
    >>> curve = reject_curve(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> curve.rejected.round(2).tolist(), curve.error.round(2).tolist()
    ([0.0, 0.33, 0.67], [0.33, 0.0, 0.0])
    """
    check_same_index(y_true, y_proba, sample_weight, confidence)
    truth, posteriors = label_vector(y_true), floats(y_proba, "y_proba")
    classes = sorted_classes(truth) if labels is None else checked_classes(labels, truth)
    if posteriors.shape != (len(truth), len(classes)):
        raise ValueError(
            f"{len(truth)} objects of {len(classes)} classes need posteriors of shape "
            f"{(len(truth), len(classes))}, got {posteriors.shape}; name all classes by labels"
        )
    if np.isnan(posteriors).any():
        raise ValueError("posteriors must not be NaN")
    is_right = classes[posteriors.argmax(axis=1)] == truth
    sure = posteriors.max(axis=1) if confidence is None else floats(confidence, "confidence")
    found = error_reject_curve(is_right, sure, sample_weight)
    curve = RejectCurve(found.thresholds, found.rejected, found.errors, found.errors_of_accepted)
    return as_given(curve, y_true, y_proba)
