"""What classifiers of two classes with a threshold have in common: their classes and scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def classes_of(y: NDArray[Any], pos_label: Any = None) -> tuple[NDArray[Any], Any]:
    """Return the two classes, sorted, and which of them is the positive one.

    Shapes: `y` (n,); `classes` (2,).
    """
    classes = np.unique(y)
    if len(classes) != 2:
        number = len(classes)
        raise ValueError(
            "Only binary classification is supported: a threshold separates two classes, and "
            f"there {'is 1 class' if number == 1 else f'are {number}'}"
        )
    if pos_label is not None and pos_label not in classes.tolist():
        raise ValueError(f"pos_label {pos_label!r} is none of the classes {classes.tolist()}")
    return classes, classes[1] if pos_label is None else pos_label


def positive_scores(model: Any, X: Any, positive: Any) -> NDArray[np.float64]:
    """Return how positive a fitted model finds each object.

    Shapes: `X` (n, d); returned (n,).
    """
    column = model.classes_.tolist().index(positive)
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=float) * (1 if column else -1)
    return np.asarray(model.predict_proba(X)[:, column], dtype=float)
