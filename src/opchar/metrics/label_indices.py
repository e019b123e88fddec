"""Indices of labels and predictions, in the manner of scikit-learn's metrics."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import checked_classes, label_vector
from opchar.metrics.counts import confusion_matrix, counting_weights, one_vs_rest
from opchar.metrics.stacks import evaluate, index
from opchar.spaces.scored.sample import check_same_index, is_pandas, positive_label

Average = Literal["binary", "macro"]
# Whole labels within so many of each other are counted, not sorted.
NEAR = 1024
LARGEST = 2**62
# Letters that are looked at one after the other; of longer text, each label is.
WIDE = 10
# Objects that are counted in one go: a cache holds their labels.
PIECE = 2**15


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
        Counts or sums of weights; a data frame with the labels for pandas arguments.

    Raises
    ------
    ValueError
        If the labels are no equally long vectors, one is missing (None or NaN) or none of `labels`,
        `labels` name a class twice, or two pandas arguments have different indices.

    Examples
    --------
    >>> confusion(["a", "b", "b"], ["a", "a", "b"]).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    classes, matrix = _count(y_true, y_pred, labels, sample_weight)
    if not (is_pandas(y_true) or is_pandas(y_pred)):
        return matrix
    import pandas as pd

    return pd.DataFrame(matrix, pd.Index(classes, name="true"), pd.Index(classes, name="predicted"))


def _count(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None, sample_weight: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return the classes, and the decisions counted by true and predicted class."""
    check_same_index(y_true, y_pred, sample_weight)
    named = labels is not None
    truth = label_vector(y_true, allow_missing=named)
    guess = label_vector(y_pred, "y_pred", allow_missing=named)
    if truth.shape != guess.shape:
        raise ValueError(
            f"y_true {truth.shape} and y_pred {guess.shape} must be equally long vectors"
        )
    if labels is None and truth.dtype.kind == guess.dtype.kind:
        return _count_by_pieces(truth, guess, counting_weights(sample_weight, len(truth)))
    try:
        both = np.concatenate([truth, guess])
    except TypeError:
        kinds = f"y_true of type {truth.dtype} and y_pred of type {guess.dtype}"
        raise ValueError(f"{kinds} have no labels in common") from None
    classes = _label_indices(both)[0] if labels is None else checked_classes(labels)
    numbers = [_places(given, classes) for given in (truth, guess)]
    return classes, confusion_matrix(numbers[0], numbers[1], len(classes), sample_weight)


def _count_by_pieces(
    truth: NDArray[Any], guess: NDArray[Any], weight: NDArray[np.float64] | None
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return the classes and the counted decisions, each piece while a cache holds it.

    Pieces are longer where a matrix of all classes is: each of them makes one.
    """
    classes, matrix, size = truth[:0], np.zeros((0, 0)), PIECE
    if len(truth) > PIECE:
        first = _label_indices(np.concatenate([truth[:PIECE], guess[:PIECE]]))[0]
        size = max(PIECE, len(first) ** 2)
    for start in range(0, len(truth), size):
        piece = slice(start, start + size)
        named, both = _label_indices(np.concatenate([truth[piece], guess[piece]]))
        a, b = np.split(both, 2)
        c = len(named)
        cells = np.bincount(a * c + b, None if weight is None else weight[piece], c * c)
        counted = cells.reshape(c, c).astype(float)
        if start:
            union, places = _label_indices(np.concatenate([classes, named]))
            total = np.zeros((len(union), len(union)))
            for place, part in zip(
                np.split(places, [len(classes)]), (matrix, counted), strict=True
            ):
                total[np.ix_(place, place)] += part
            named, counted = union, total
        classes, matrix = named, counted
    return classes, matrix


def _places(given: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index of each label among the classes."""
    index = {label: number for number, label in enumerate(classes.tolist())}
    if given.dtype.kind == "O":
        found = np.array([index.get(label, -1) for label in given.tolist()], dtype=np.intp)
    else:
        distinct, numbers = _label_indices(given)
        found = np.array([index.get(label, -1) for label in distinct.tolist()], np.intp)[numbers]
    if len(found) and found.min() < 0:
        label = given.tolist()[int(np.argmin(found))]
        raise ValueError(f"label {label!r} is none of {classes.tolist()}")
    return found


def _label_indices(given: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the labels that occur, sorted, and the index of each label among them."""
    if given.dtype.kind == "O" or (given.dtype.kind == "U" and given.dtype.itemsize > 4 * WIDE):
        listed = given.tolist()
        try:
            distinct = np.fromiter(sorted(set(listed)), dtype=given.dtype)
        except TypeError:
            raise ValueError("labels of types without an order: say them all by labels") from None
        index = {label: number for number, label in enumerate(distinct)}
        return distinct, np.fromiter(map(index.__getitem__, listed), np.intp, len(listed))
    codes = _codes_of_text(given) if given.dtype.kind == "U" else given
    low = _lowest(codes)
    if low is not None:
        codes = codes.astype(np.intp) - low
        seen = np.bincount(codes) > 0
        numbers = (np.cumsum(seen) - 1)[codes]
    else:
        numbers = np.unique(codes, return_inverse=True)[1]
    example = np.empty(numbers.max(initial=-1) + 1, dtype=np.intp)
    example[numbers] = np.arange(len(given))
    return given[example], numbers


def _codes_of_text(given: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers in the order of text, equal where it is equal.

    The digits of a number are the ranks of the letters among those at the same place. Text with
    more combinations of letters than there are numbers is returned as it is.
    """
    width = given.dtype.itemsize // 4
    if not given.size or not width:
        return given
    letters = np.ascontiguousarray(given).view(np.uint32).reshape(len(given), width)
    codes, largest = np.zeros(len(given), dtype=np.int64), 1
    for column in letters.T.astype(np.intp):
        seen = np.bincount(column) > 0
        radix = int(np.count_nonzero(seen))
        largest *= radix
        if largest > LARGEST:
            return given
        if radix > 1:
            codes *= radix
            codes += (np.cumsum(seen) - 1)[column]
    return codes


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
        Of an index, as in ``opchar.metrics.INDICES``.
    pos_label : object, optional
        The positive class of an index of two classes; when not given, as `opchar.points_of` says.
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
        In units of the index; NaN where it is undefined, as for 0/0.

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
    classes, matrix = _count(y_true, y_pred, labels, sample_weight)
    if entry.of != "counts" or average == "macro":
        return float(np.mean(evaluate(matrix, [name])[name]))
    if pos_label is None and len(classes) > 2:
        raise ValueError(
            f"{name} is an index of two classes, and there are {len(classes)}: give pos_label or "
            "average='macro', or name an index of all classes, as overall_accuracy"
        )
    positive = positive_label(classes, pos_label)
    found = np.flatnonzero(classes == positive)
    if not len(found):
        raise ValueError(f"pos_label {positive!r} is none of {classes.tolist()}")
    counts = one_vs_rest(matrix)
    return float(entry.function(*(np.asarray(each)[found[0]] for each in counts)))
