"""The volume under the multi-class ROC for labels and scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import checked_classes, floats, label_vector, sorted_classes
from opchar.spaces.scored.sample import check_same_index

# A hypersurface is an array with a dimension a class.
_MOST = 64


def roc_volume(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    steps: int = 50,
    normalised: bool = True,
) -> float:
    """Return the simplified volume under the multi-class ROC (VUS).

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels of any type.
    y_score : array_like of float, shape (n, C)
        Finite and not negative, one column per class.
    labels : array_like, shape (C,), optional
        The classes in the order of the columns; the sorted ones of `y_true` when not given.
    steps : int
        Weights that each class but one takes; work and memory grow with ``steps ** (C - 1)``.
    normalised : bool
        Whether to map a random classifier to zero and a perfect one to one.

    Returns
    -------
    float
        Normalised, below zero for what is worse than random: scores that are all zero give every
        object to the first class, and no surface.

    Raises
    ------
    ValueError
        If there are more than 64 classes, a label is none of them, two pandas arguments have
        different indices, and as `opchar.multiclass.roc.weighted_scores.weighted_scores`.

    References
    ----------
    landgrebe2007, Sec. 3.3.4.

    Examples
    --------
    >>> scores = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7]]
    >>> round(roc_volume(["a", "b", "c"], scores, steps=20), 6)
    1.0
    """
    from opchar.multiclass.roc.bootstrap import normalised_vus
    from opchar.multiclass.roc.hypersurface import vus
    from opchar.multiclass.roc.weighted_scores import weighted_scores

    check_same_index(y_true, y_score)
    truth, scores = label_vector(y_true), floats(y_score, "y_score")
    if scores.ndim == 2 and scores.shape[1] > _MOST:
        raise ValueError(f"a volume has at most {_MOST} classes, not {scores.shape[1]}")
    classes = sorted_classes(truth) if labels is None else checked_classes(labels)
    index = {label: number for number, label in enumerate(classes.tolist())}
    if unknown := sorted({str(label) for label in truth.tolist() if label not in index}):
        raise ValueError(f"label {unknown[0]!r} is none of the classes {classes.tolist()}")
    numbers = np.array([index[label] for label in truth.tolist()], dtype=np.intp)
    volume = vus(weighted_scores(numbers, scores, steps))
    return normalised_vus(volume, len(classes)) if normalised else volume
