"""What the classifiers share: posteriors from log densities, distances and decision values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, log_expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

# Squares of features between these neither overflow nor underflow.
LARGEST, LEAST = 1e150, 1e-150


def refuse_extremes(X: np.ndarray, *, least: float = 0.0) -> np.ndarray:
    """Return objects as they are, unless the squares of their features overflow or underflow.

    Shapes: `X` (n, d); returned (n, d).
    """
    largest = float(np.abs(X).max(initial=0.0))
    if largest > LARGEST or 0 < largest < least:
        raise ValueError(
            f"the largest feature is {largest:.3g}: its square overflows or underflows; "
            "rescale the features"
        )
    return X


def last_step(estimator: Any, X: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return the last step of a fitted pipeline and the objects as it meets them.

    Shapes: `X` (n, d); returned (n, e).
    """
    if not isinstance(estimator, Pipeline):
        return estimator, X
    for _, step in estimator.steps[:-1]:
        X = step.transform(X) if hasattr(step, "transform") else X
    return estimator[-1], X


class PosteriorClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A classifier that assigns to the class of largest posterior.

    A subclass implements ``_fit(X, labels)`` with ``labels`` as indices into ``classes_``, and
    ``_posterior(X)``, an array of shape (n, C).

    Shapes: `classes_` (C,).
    """

    classes_: np.ndarray

    @abstractmethod
    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None: ...

    @abstractmethod
    def _posterior(self, X: np.ndarray) -> np.ndarray: ...

    def fit(self, X: Any, y: Any) -> PosteriorClassifier:
        """Fit to training objects.

        Shapes: `X` (n, d); `y` (n,).
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        refuse_extremes(X, least=LEAST)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} wants at least two classes; the training set has 1 class"
            )
        self._fit(X, labels)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return posteriors.

        Shapes: `X` (n, d); returned (n, C).
        """
        return self._posterior(self._check_input(X))

    def _check_input(self, X: Any) -> np.ndarray:
        """Return `X` as the array that the fitted classifier expects."""
        check_is_fitted(self)
        return refuse_extremes(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of largest posterior of each object, shape (n,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]


class OneAgainstRest(PosteriorClassifier, ABC):
    """A classifier of machines that part one class from the rest, with their decision values.

    A subclass implements ``_fit`` and ``_decide(X)``, an array of shape (n, 1) for two classes
    (positive for the second), else (n, C).
    """

    row_by_row = True

    @abstractmethod
    def _decide(self, X: np.ndarray) -> np.ndarray: ...

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the decision values of the machines, not scaled.

        Shapes: `X` (n, d); returned (n,) or (n, C).
        """
        decisions = self._decide(self._check_input(X))
        return decisions[:, 0] if decisions.shape[1] == 1 else decisions

    def posteriors_from(self, decisions: np.ndarray) -> np.ndarray:
        """Return posteriors, shape (n, C), from what `decision_function` has returned."""
        return from_one_against_rest(decisions.reshape(len(decisions), -1))

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        return from_one_against_rest(self._decide(X))


def from_log_densities(log_joint: np.ndarray) -> np.ndarray:
    """Return posteriors from the log of prior times density.

    Small posteriors keep their relative precision, unlike one minus a large one.

    Shapes: `log_joint` (n, C); returned (n, C).
    """
    return softmax(log_joint, axis=1)


def posteriors_of(estimator: Any, X: np.ndarray, decisions: np.ndarray | None = None) -> np.ndarray:
    """Return the posteriors of any fitted classifier, of its distances where it has no others.

    Shapes: `X` (n, d); returned (n, C).
    """
    if decisions is not None and hasattr(estimator, "posteriors_from"):
        found = estimator.posteriors_from(decisions)
    elif hasattr(estimator, "predict_proba"):
        found = estimator.predict_proba(X)
    elif hasattr(estimator, "decision_function"):
        given = estimator.decision_function(X) if decisions is None else decisions
        found = from_decision(given)
    else:
        raise ValueError("the classifier has neither predict_proba nor decision_function")
    if found.shape[1] != len(estimator.classes_):
        raise ValueError(
            f"the classifier gives {found.shape[1]} scores for {len(estimator.classes_)} class(es)"
        )
    return found


def from_decision(decision: np.ndarray) -> np.ndarray:
    """Return posteriors from log odds, shape (n,), or logs of prior times density, shape (n, C).

    Shapes: `decision` (n,) or (n, C); returned (n, 2) or (n, C).
    """
    return from_log_odds(decision) if decision.ndim == 1 else from_log_densities(decision)


def from_log_odds(log_odds: np.ndarray) -> np.ndarray:
    """Return the posteriors of two classes from the log odds of the second, shape (n, 2).

    Shapes: `log_odds` (n,).
    """
    return np.column_stack([expit(-log_odds), expit(log_odds)])


def from_one_against_rest(decisions: np.ndarray) -> np.ndarray:
    """Return scores from the decision values of machines that part one class from the rest.

    Shapes: `decisions` (n, 1) or (n, C); returned (n, 2) or (n, C).
    """
    if decisions.shape[1] == 1:
        return from_log_odds(decisions[:, 0])
    return softmax(log_expit(decisions), axis=1)


def from_distances(distances: np.ndarray) -> np.ndarray:
    """Return the posteriors that PRTools' 1-NN rule gives to distances.

    With ``d_j`` the distance to the nearest object of class ``j``, ``p_j`` is proportional to
    ``1 - d_j**2 / sum_c d_c**2``, so that even one neighbour yields a full ROC.

    Shapes: `distances` (n, C); returned (n, C).
    """
    largest = distances.max(axis=1, keepdims=True)
    squared = (distances / np.where(largest > 0, largest, 1.0)) ** 2
    total = squared.sum(axis=1, keepdims=True)
    number = distances.shape[1]
    with np.errstate(invalid="ignore"):
        others = np.where(total > 0, (total - squared) / total, 1 - 1 / number)
    return others / (number - 1)


def likelihood_scale(decision: np.ndarray, positive: np.ndarray) -> float:
    """Return the scale of a linear discriminant under which a sigmoid is most likely.

    Maximises ``sum_i log sigmoid(s * t_i * g_i)`` with ``t_i`` = 1 for the positive class and -1
    for the other. Where the classes are separated there is no finite maximum: then, and where the
    discriminant is worse than chance, the scale ends at a bound with ``s * max|g|`` = 30 or 1e-3.

    Shapes: `decision` (n,); `positive` (n,).
    """
    largest = float(np.abs(decision).max())
    if largest == 0:
        return 1.0
    signed = np.where(positive, decision, -decision) / largest

    def slope(scale: float) -> float:
        return float(np.sum(signed * expit(-scale * signed)))

    low, high = 1e-3, 30.0
    if slope(high) >= 0:
        return high / largest
    if slope(low) <= 0:
        return low / largest
    return float(brentq(slope, low, high, xtol=1e-14, rtol=1e-14)) / largest
