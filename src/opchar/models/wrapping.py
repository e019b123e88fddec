"""What classifiers that wrap another one check: their objects and their classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

Floats = NDArray[np.float64]


def training_objects(model: BaseEstimator, X: Any, y: Any) -> tuple[Floats, NDArray, NDArray]:
    """Check the objects that a classifier is fitted to, and set its ``classes_``.

    Shapes: `X` (n, d); `y` (n,); `numbers` (n,).
    """
    X, y = validate_data(model, X, y, dtype=np.float64)
    check_classification_targets(y)
    model.classes_, numbers = np.unique(y, return_inverse=True)
    if len(model.classes_) < 2:
        raise ValueError(
            f"{type(model).__name__} wants at least two classes; the training set has 1 class"
        )
    return X, y, numbers


def new_objects(model: BaseEstimator, X: Any) -> Floats:
    """Check the objects that a fitted model is asked about.

    Shapes: `X` (n, d); returned (n, d).
    """
    check_is_fitted(model)
    return np.asarray(validate_data(model, X, dtype=np.float64, reset=False))


def class_place(classes: NDArray, label: Any, role: str) -> int:
    """Return the index of a class; None stands for the last one.

    Shapes: `classes` (C,).
    """
    if label is None:
        return len(classes) - 1
    found = np.flatnonzero(classes == label)
    if not len(found):
        raise ValueError(f"{role}={label!r} is none of the classes {classes.tolist()}")
    return int(found[0])
