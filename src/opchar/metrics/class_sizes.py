"""Confusion matrices at other class sizes, and of classifiers equally good on each class."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats
from opchar.metrics.counts import Array, as_matrices, class_rates, ratio


def with_class_sizes(matrices: ArrayLike, sizes: ArrayLike) -> Array:
    """Rescale the rows of matrices: the same class rates on a test set of other class sizes.

    Shapes: `matrices` (..., C, C); `sizes` (..., C); returned (..., C, C).

    Returned: matrices equivalent to the given ones, ``M ~ M'`` of mullick2020, Sec. 2.
    """
    stack, wanted = as_matrices(matrices), floats(sizes, "sizes")
    if wanted.shape[-1:] != stack.shape[-1:] or not ((wanted > 0) & (wanted < np.inf)).all():
        raise ValueError(f"sizes are {stack.shape[-1]} positive numbers, not {sizes!r}")
    if not (stack.sum(axis=-1) > 0).all():
        raise ValueError("every class needs an object for its rates to be known")
    return class_rates(stack) * wanted[..., None]


def ratio_of_representatives(sizes: ArrayLike, majority: int | None = None) -> float:
    """Return RRT, in the form for two classes or in that for many.

    mullick2020, Definition 2, whose two forms differ for a test set that is reversed.

    Shapes: `sizes` (C,).
    """
    counts = floats(sizes, "sizes")
    if counts.ndim != 1 or len(counts) < 2 or not ((counts > 0) & (counts < np.inf)).all():
        raise ValueError(f"sizes are two or more positive numbers, not {sizes!r}")
    if majority is None:
        return float(ratio(counts.max(), counts.min()))
    if len(counts) != 2 or majority not in (0, 1):
        raise ValueError("majority is 0 or 1, and of two classes")
    return float(ratio(counts[majority], counts[1 - majority]))


def even_classifier(accuracy: ArrayLike, classes: int) -> Array:
    """Return the rates of a classifier equally good on each class, its errors spread evenly.

    Shapes: `accuracy` (...); returned (..., C, C).

    Returned: over numbers of classes it shows Type 2 distortion (mullick2020, Fig. 2f).
    """
    right = np.asarray(accuracy, dtype=np.float64)[..., None, None]
    if classes < 2 or not ((right >= 0) & (right <= 1)).all():
        raise ValueError(f"accuracies lie in [0, 1] and classes are 2 or more, not {classes}")
    return np.asarray(np.where(np.eye(classes, dtype=bool), right, (1 - right) / (classes - 1)))
