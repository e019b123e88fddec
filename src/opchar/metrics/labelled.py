"""Indices of labels and predictions, in the manner of scikit-learn's metrics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import unmasked
from opchar.metrics.counts import confusion_matrix, one_vs_rest
from opchar.metrics.stacks import evaluate, index
from opchar.spaces.scored.sample import check_same_index, is_pandas, positive_label

Average = Literal["binary", "macro"]
# Whole labels within so many of each other are counted, not sorted.
NEAR = 1024


def confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Any:
    """Count decisions by true class (rows) and predicted class (columns).

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Labels of any type.
    labels : array_like, shape (C,), optional
        The classes in the order of rows and columns; all that occur, sorted, when not given.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts.

    Returns
    -------
    ndarray or pandas.DataFrame, shape (C, C)

    Raises
    ------
    ValueError
        If a label is none of `labels`, or two pandas arguments have different indices.

    Examples
    --------
    >>> confusion(["a", "b", "b"], ["a", "a", "b"]).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    check_same_index(y_true, y_pred, sample_weight)
    truth, guess = unmasked(y_true, "y_true"), unmasked(y_pred, "y_pred")
    classes = _distinct(np.concatenate([truth, guess])) if labels is None else np.asarray(labels)
    numbers = [_places(given, classes) for given in (truth, guess)]
    matrix = confusion_matrix(numbers[0], numbers[1], len(classes), sample_weight)
    if not (is_pandas(y_true) or is_pandas(y_pred)):
        return matrix
    import pandas as pd

    return pd.DataFrame(matrix, pd.Index(classes, name="true"), pd.Index(classes, name="predicted"))


def _distinct(given: NDArray[Any]) -> NDArray[Any]:
    """Return the labels that occur, sorted."""
    low = _lowest(given)
    if low is None:
        return np.unique(given)
    return (np.flatnonzero(np.bincount(given.astype(np.intp) - low)) + low).astype(given.dtype)


def _places(given: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place of each label among the classes.

    Raises
    ------
    ValueError
        For the first label that is none of them.
    """
    place = {label: number for number, label in enumerate(classes.tolist())}
    low = _lowest(given)
    seen: Iterable[Any]
    if given.dtype == object:
        seen, numbers = given.tolist(), np.arange(len(given))
    elif low is None:
        distinct, numbers = np.unique(given, return_inverse=True)
        seen = distinct.tolist()
    else:
        numbers = given.astype(np.intp) - low
        seen = range(low, int(given.max()) + 1)
    found = np.array([place.get(label, -1) for label in seen], dtype=np.intp)[numbers]
    if len(found) and found.min() < 0:
        label = given.tolist()[int(np.argmin(found))]
        raise ValueError(f"label {label!r} is none of {classes.tolist()}")
    return found


def _lowest(given: NDArray[Any]) -> int | None:
    """Return the lowest of whole labels that lie so near each other that a table can count them."""
    if given.dtype.kind not in "bi" or not given.size:
        return None
    low, high = int(given.min()), int(given.max())
    return low if high - low < NEAR else None


def index_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    name: str,
    *,
    pos_label: Any = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    average: Average = "binary",
) -> float:
    """Return one index of labels and predictions.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Labels of any type.
    name : str
        Of an index, as in ``docs/indices.md``.
    pos_label : object, optional
        The positive class of an index of two classes; 1 when the labels are 0 and 1, -1 and 1, or
        booleans.
    labels : array_like, shape (C,), optional
        All classes; those that occur when not given. A class that does not occur makes an index
        that needs its rate NaN.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts.
    average : {"binary", "macro"}
        Of an index of two classes: that of the positive class, or the mean of all classes, each
        against the rest.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For an unknown index, one over several operating conditions, an unknown average, or a
        positive class that is unclear or does not occur.

    Examples
    --------
    >>> index_score([1, 1, 0, 0], [1, 0, 0, 0], "f1")
    0.6666666666666666
    """
    entry = index(name)
    if average not in ("binary", "macro"):
        raise ValueError(f"average is 'binary' or 'macro', not {average!r}")
    if labels is None:
        labels = _distinct(np.concatenate([np.asarray(y_true), np.asarray(y_pred)]))
    matrix = np.asarray(confusion(y_true, y_pred, labels=labels, sample_weight=sample_weight))
    if entry.of != "counts" or average == "macro":
        return float(np.mean(evaluate(matrix, [name])[name]))
    positive = positive_label(np.asarray(labels), pos_label)
    found = np.flatnonzero(np.asarray(labels) == positive)
    if not len(found):
        raise ValueError(f"pos_label {positive!r} is none of {np.asarray(labels).tolist()}")
    counts = one_vs_rest(matrix)
    return float(entry.function(*(np.asarray(each)[found[0]] for each in counts)))
