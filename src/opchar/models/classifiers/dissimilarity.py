"""The dissimilarity approach: distances to prototypes, and the minimum-distance classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from opchar.models.posterior import LEAST, PosteriorClassifier, from_distances, refuse_extremes
from opchar.ties import first_least

DRAWS = 1000


class RandomPrototypes(TransformerMixin, BaseEstimator):
    """dis: Euclidean distances to training objects drawn at random.

    The prototypes are drawn without replacement from the whole training set, and drawn again until
    each class has one, so that large classes have more. (Landgrebe, 2007, Sec. 2.3.6, models B and
    C; Duin, de Ridder and Tax, 1997.)

    Shapes: `prototypes_` (number, d).
    """

    def __init__(self, number: int = 15, random_state: Any = None) -> None:
        self.number = number
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> RandomPrototypes:
        """Draw the prototypes.

        Shapes: `X` (n, d); `y` (n,).
        """
        X = refuse_extremes(validate_data(self, X, dtype=np.float64), least=LEAST)
        labels = (
            np.zeros(len(X), int)
            if y is None
            else np.unique(column_or_1d(y), return_inverse=True)[1]
        )
        classes = int(labels.max()) + 1
        if not classes <= self.number <= len(X):
            raise ValueError(
                f"dis{self.number}: prototypes must number between the {classes} classes and the "
                f"n_samples={len(X)} training objects"
            )
        random = check_random_state(self.random_state)
        for _ in range(DRAWS):
            drawn = random.permutation(len(X))[: self.number]
            if len(np.unique(labels[drawn])) == classes:
                self.prototypes_ = X[drawn]
                return self
        raise ValueError(
            f"dis{self.number}: {DRAWS} draws never had a prototype of each class; draw more"
        )

    def transform(self, X: Any) -> np.ndarray:
        """Return the distances of `X`, shape (n, d), to the prototypes, shape (n, number)."""
        check_is_fitted(self)
        X = refuse_extremes(validate_data(self, X, dtype=np.float64, reset=False))
        return cdist(X, self.prototypes_)


class MinimumDistance(PosteriorClassifier):
    """mindist: the class of the nearest prototype, from dissimilarities to prototypes.

    A feature is the dissimilarity to a prototype, which is one of the training objects: the one for
    which the feature is smallest (zero), the first of equal ones. Posteriors follow from the
    distances ``d_j`` to the nearest prototype of each class: proportional to
    ``1 - d_j**2 / sum_c d_c**2``. (Landgrebe, 2007, Sec. 2.3.6, models B and C.)
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if (X < 0).any():
            raise ValueError("Negative values in data passed to mindist: it wants dissimilarities")
        owners = labels[first_least(X)]
        self._columns = [np.flatnonzero(owners == group) for group in range(len(self.classes_))]
        for name, columns in zip(self.classes_, self._columns, strict=True):
            if not len(columns):
                raise ValueError(f"class {name} has no prototype; put 'dis' before 'mindist'")

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        nearest = [X[:, columns].min(axis=1) for columns in self._columns]
        return from_distances(np.column_stack(nearest))


def dis(number: int) -> RandomPrototypes:
    """Return the mapping to distances from random prototypes, ``"dis15"``.

    `number`: of prototypes.
    """
    return RandomPrototypes(number)


def mindist() -> MinimumDistance:
    """Return the minimum-distance classifier, ``"dis15 mindist"``."""
    return MinimumDistance()
