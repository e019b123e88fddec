"""Labels and scores as a sample: the positive class, weights, and pandas in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats, label_vector, plain_array, probabilities
from opchar.spaces.blocks import blocks
from opchar.spaces.cost import condition_of as condition_of
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.score_counts import ScoreCounts

GRID = 1001
# Labels of which the one is the positive class when nobody says which.
PLAIN = ((0, 1), (-1, 1))
POSITIVE = ("1", "true", "yes", "positive", "pos", "+", "+1", "ja", "oui", "si", "sí")
BESIDE = {"y": "n", "t": "f", "positiv": "negativ", "positivo": "negativo", "case": "control",
          "malignant": "benign", "abnormal": "normal", "spam": "ham"}  # fmt: skip
# Classes beside which 1 is the positive one; beside any other number it need not be.
NEGATIVE = ("0", "-1")


def points_of(
    y_true: ArrayLike | ScoreCounts,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> OperatingPoints:
    """Return the operating points of labels and scores, from which the other functions start.

    Parameters
    ----------
    y_true : array_like, shape (n,), or ScoreCounts
        Labels of any type; or counts by distinct score, alone.
    y_score : array_like of float, shape (n,)
        Higher means more positive.
    pos_label : object, optional
        The positive class; 1 when the labels are 0 and 1, -1 and 1, or booleans, and the one of
        two texts that is called yes, true, positive or 1.
    sample_weight : array_like of float, shape (n,), optional
        How often each object counts; whole weights give what repeated objects give, exactly.

    Returns
    -------
    OperatingPoints
        From (0, 0) to (1, 1), thresholds descending.

    Raises
    ------
    ValueError
        If the positive class is unclear or lacks objects, or all objects are of it; if two pandas
        arguments have different indices; and as `opchar.spaces.points.operating_points`.

    Examples
    --------
    >>> points = points_of([1, 0, 1, 0], [4, 3, 2, 1])
    >>> points.tpr.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    >>> points.prior
    0.5
    """
    if isinstance(y_true, ScoreCounts):
        if not all(each is None for each in (y_score, pos_label, sample_weight)):
            raise ValueError("counts have scores, positives and weights already; give them alone")
        points, positive = y_true.points(), "positives"
    elif y_score is None:
        raise ValueError("give y_score beside y_true, or ScoreCounts alone")
    else:
        check_same_index(y_true, y_score, sample_weight)
        check_one_score(y_score)
        labels = label_vector(y_true)
        positive = positive_label(labels, pos_label)
        points = operating_points(labels == positive, y_score, sample_weight)
    if not points.n_positive or not points.n_negative:
        raise ValueError(f"y_true needs objects of class {positive!r} and others")
    return points


def positive_label(labels: np.ndarray, pos_label: Any = None) -> Any:
    """Return the label of the positive class.

    Parameters
    ----------
    labels : ndarray, shape (n,)
        Label of each object.
    pos_label : object, optional
        What the user said.

    Returns
    -------
    object
        `pos_label` where given, whether or not it occurs; else 1, True, or the text that says so.

    Raises
    ------
    ValueError
        If it must be said: no label says by itself that it is the positive one.

    Examples
    --------
    >>> positive_label(np.array([-1, 1, 1])), positive_label(np.array(["yes", "no"]))
    (1, 'yes')
    """
    if pos_label is not None:
        return pos_label
    if labels.dtype.kind in "biuf" and any(_are_of(labels, *pair) for pair in PLAIN):
        return True if labels.dtype.kind == "b" else 1
    texts = np.unique(labels.astype(str)).tolist()
    if labels.dtype.kind in "OUT" and (place := plainly_positive(texts)) is not None:
        return next(label for label in labels.tolist() if str(label) == texts[place])
    if labels.dtype.kind == "f" and len(texts) > 2 and (labels != np.rint(labels)).any():
        raise ValueError("y_true has many different numbers, as scores do: y_true comes first")
    raise ValueError(f"say which class is positive: pos_label is one of {', '.join(texts[:5])}")


def _are_of(labels: np.ndarray, one: int, other: int) -> bool:
    each = (labels[part] for part in blocks(len(labels)))
    return all(((part == one) | (part == other)).all() for part in each)


def plainly_positive(classes: Sequence[str]) -> int | None:
    """Return the index of the class of two whose name says that it is the positive one."""
    for number, name in enumerate(classes if len(classes) == 2 else ()):
        other = classes[1 - number]
        beside = name not in ("1", "+1") or other in NEGATIVE or other.strip("+-.0123456789") != ""
        if (name.lower() in POSITIVE and beside) or BESIDE.get(name.lower()) == other.lower():
            return number
    return None


def check_one_score(y_score: ArrayLike) -> None:
    """Refuse the columns of ``predict_proba``, of which one is the score."""
    if (given := plain_array(y_score, "y_score")).ndim == 2:
        raise ValueError(
            f"y_score has {given.shape[1]} column{'s'[: given.shape[1] - 1]}; give that of the "
            f"positive class, as y_score[:, {int(given.shape[1] > 1)}]"
        )


def check_same_index(*given: Any) -> None:
    """Refuse pandas arguments whose rows are named differently.

    Parameters
    ----------
    *given : object
        Arguments; those that are not pandas do not count.

    Raises
    ------
    ValueError
        If two of them have different indices: they would be matched by position.
    """
    indices = [each.index for each in given if is_pandas(each)]
    if any(not index.equals(indices[0]) for index in indices[1:]):
        raise ValueError("pandas arguments have different indices; align them first")


def is_pandas(given: Any) -> bool:
    """Tell whether an argument is a pandas series or data frame, without importing pandas."""
    return hasattr(given, "iloc") and hasattr(given, "index")


def as_given(curve: Any, *given: Any) -> Any:
    """Return a curve as a data frame if one of the arguments is pandas."""
    if not any(is_pandas(each) for each in given):
        return curve
    import pandas as pd

    return pd.DataFrame(curve._asdict())


def by_condition(value: np.ndarray, condition: Any, name: str) -> Any:
    """Return values in the form of the operating conditions that they belong to."""
    if is_pandas(condition):
        import pandas as pd

        return pd.Series(value, index=condition.index, name=name)
    return value if np.ndim(condition) else float(value)


def prior_of(points: OperatingPoints, prior: float | None) -> float:
    """Return the prior in use: the given one, or that of the sample."""
    return points.prior if prior is None else prior_in_use(prior)


def prior_in_use(prior: float) -> float:
    """Return a prior, which is a number."""
    if np.isnan(found := float(probabilities(prior, "prior"))):
        raise ValueError("prior must be between 0 and 1, got nan")
    return found


def grid_of(condition: ArrayLike | None) -> np.ndarray:
    """Return operating conditions as an array: the given ones, or an even grid of [0, 1].

    Shapes: returned (k,).
    """
    if condition is None:
        return np.linspace(0.0, 1.0, GRID)
    return np.atleast_1d(floats(condition, "conditions"))
