"""Classifiers with a reject option, and systems of a detector and a classifier."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from opchar.models.one_class import rejecting_threshold


def log_densities(estimator: Any, X: np.ndarray) -> np.ndarray:
    """Return the log class-conditional densities of a fitted density-based classifier.

    Parameters
    ----------
    estimator : classifier or sklearn.pipeline.Pipeline
        Whose last step has ``log_densities``: ldc, qdc, nmc, mogc or parzenc.
    X : ndarray of shape (n, d)

    Returns
    -------
    ndarray of shape (n, C)

    Raises
    ------
    ValueError
        If the classifier has no densities.
    """
    last = estimator
    if isinstance(estimator, Pipeline):
        last = estimator[-1]
        for _, step in estimator.steps[:-1]:
            X = step.transform(X) if hasattr(step, "transform") else X
    if not hasattr(last, "log_densities"):
        raise ValueError(f"{type(last).__name__} has no densities to threshold; take ldc or mogc")
    return last.log_densities(X)


class _System(ClassifierMixin, BaseEstimator, ABC):
    """What the systems below share: input checks and prediction by largest score."""

    classes_: np.ndarray

    @abstractmethod
    def _fit(self, X: np.ndarray, y: np.ndarray) -> None: ...

    @abstractmethod
    def _scores(self, X: np.ndarray) -> np.ndarray: ...

    def fit(self, X: Any, y: Any) -> _System:
        """Fit all stages to objects `X`, shape (n, d), and classes `y`, shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("a system wants at least two classes; the training set has 1 class")
        self._fit(X, y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return a score in [0, 1] for each class, shape (n, C); rows sum to one."""
        check_is_fitted(self)
        return self._scores(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of largest score of each object, shape (n,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def _column(self, label: Any, role: str) -> int:
        """Return the column of a class; None stands for the last one."""
        if label is None:
            return len(self.classes_) - 1
        found = np.flatnonzero(self.classes_ == label)
        if not len(found):
            raise ValueError(f"{role}={label!r} is none of the classes {self.classes_.tolist()}")
        return int(found[0])


def _given_to(scores: np.ndarray, accepted: np.ndarray, column: int) -> np.ndarray:
    """Return `scores` with rejected objects given wholly to the class in `column`."""
    certain = np.eye(scores.shape[1])[column]
    return np.where(accepted[:, None], scores, certain)


class DistanceReject(_System):
    """A classifier whose target class is closed by a density threshold (distance reject option).

    An object is accepted as target when the target's class-conditional density is at least the
    threshold; all others go to the outlier class. (Landgrebe, 2007, Eqs. 5.5 and 5.13, after
    Dubuisson and Masson, 1993. The text rejects what *exceeds* the threshold in one sentence, its
    equations what falls below it; this follows the equations.)

    Parameters
    ----------
    classifier : density-based classifier
        As for `log_densities`; two classes.
    outlier : label or None
        The outlier class, the other being the target; None for the last class.
    reject : float
        Share of the training targets to reject, in [0, 1): sets the threshold when that is None.
    threshold : float or None
        Threshold t_d on the density itself, not negative.

    Attributes
    ----------
    classifier_ : fitted classifier
    log_threshold_ : float
    """

    def __init__(
        self,
        classifier: Any,
        outlier: Any = None,
        reject: float = 0.05,
        threshold: float | None = None,
    ) -> None:
        self.classifier = classifier
        self.outlier = outlier
        self.reject = reject
        self.threshold = threshold

    def _fit(self, X: np.ndarray, y: np.ndarray) -> None:
        if len(self.classes_) != 2:
            raise ValueError(
                f"the reject option wants a target and an outlier class, not {len(self.classes_)}"
            )
        if not 0 <= self.reject < 1 or (self.threshold is not None and self.threshold < 0):
            raise ValueError("reject must be in [0, 1) and the threshold must not be negative")
        self._outlier = self._column(self.outlier, "outlier")
        self.classifier_ = clone(self.classifier).fit(X, y)
        if self.threshold is not None:
            with np.errstate(divide="ignore"):
                self.log_threshold_ = float(np.log(self.threshold))
            return
        targets = X[y != self.classes_[self._outlier]]
        self.log_threshold_ = rejecting_threshold(self._log_density(targets), self.reject)

    def _log_density(self, X: np.ndarray) -> np.ndarray:
        return log_densities(self.classifier_, X)[:, 1 - self._outlier]

    def accepts(self, X: np.ndarray) -> np.ndarray:
        """Tell whether the density lets each object pass as target, shape (n,)."""
        return self._log_density(X) >= self.log_threshold_

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return _given_to(self.classifier_.predict_proba(X), self.accepts(X), self._outlier)


class AmbiguityReject(_System):
    """A classifier that does not decide where no posterior is large enough (Chow, 1970).

    (Landgrebe, 2007, Eq. 5.4.)

    Parameters
    ----------
    classifier : classifier with predict_proba
    threshold : float
        Smallest posterior of an accepted object, t_d, in [0, 1].
    rejected : label
        What `decide` gives to the others.

    Attributes
    ----------
    classifier_ : fitted classifier
    """

    def __init__(self, classifier: Any, threshold: float = 0.5, rejected: Any = "reject") -> None:
        self.classifier = classifier
        self.threshold = threshold
        self.rejected = rejected

    def _fit(self, X: np.ndarray, y: np.ndarray) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"a threshold on posteriors is in [0, 1], not {self.threshold}")
        self.classifier_ = clone(self.classifier).fit(X, y)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return self.classifier_.predict_proba(X)

    def accepts(self, X: Any) -> np.ndarray:
        """Tell whether the largest posterior of each object is large enough, shape (n,)."""
        return self.predict_proba(X).max(axis=1) >= self.threshold

    def decide(self, X: Any) -> np.ndarray:
        """Return the class of each object, or `rejected`, as an array of objects, shape (n,)."""
        return np.where(self.accepts(X), self.predict(X).astype(object), self.rejected)


class SequentialCombination(_System):
    """SOCMC: a one-class model that rejects, then a classifier of what it accepts.

    The one-class model is trained on the target class. What it rejects is outlier; the rest goes to
    the classifier, in the original representation. (Landgrebe, 2007, Eqs. 5.6 and 5.7.)

    Parameters
    ----------
    detector : one-class model
        With ``fit`` and ``predict`` (1 to accept), as in `opchar.models.one_class`.
    classifier : classifier with predict_proba
    outlier : label or None
        The outlier class, all others being targets; None for the last class.
    retrain : bool
        Whether the classifier is trained only on the training objects that the detector accepts, as
        published, or on all.

    Attributes
    ----------
    detector_, classifier_ : fitted stages
    """

    def __init__(
        self, detector: Any, classifier: Any, outlier: Any = None, retrain: bool = True
    ) -> None:
        self.detector = detector
        self.classifier = classifier
        self.outlier = outlier
        self.retrain = retrain

    def _fit(self, X: np.ndarray, y: np.ndarray) -> None:
        self._outlier = self._column(self.outlier, "outlier")
        self.detector_ = clone(self.detector).fit(X[y != self.classes_[self._outlier]])
        kept = self.accepts(X) if self.retrain else np.ones(len(X), dtype=bool)
        if missing := set(self.classes_.tolist()) - set(y[kept].tolist()):
            raise ValueError(
                f"the detector accepts no training object of class {min(missing)}, so there is "
                "nothing to train the second stage on; take retrain=False or another detector"
            )
        self.classifier_ = clone(self.classifier).fit(X[kept], y[kept])

    def accepts(self, X: np.ndarray) -> np.ndarray:
        """Tell whether the detector accepts each object, shape (n,)."""
        return self.detector_.predict(X) == 1

    def _scores(self, X: np.ndarray) -> np.ndarray:
        return _given_to(self.classifier_.predict_proba(X), self.accepts(X), self._outlier)


class TwoStage(_System):
    """A detector of all target classes together, then a classifier among them.

    The detector is trained on the targets; the classifier does not know the outlier class, so that
    an outlier the detector lets pass is taken for a target. (Landgrebe, 2007, Secs. 6.2.2, 6.2.3.)

    Parameters
    ----------
    detector : one-class model
        With ``fit``, ``score_samples`` and ``predict``, as in `opchar.models.one_class`.
    classifier : classifier with predict_proba
    outlier : label or None
        The outlier class; None for the last one.

    Attributes
    ----------
    detector_, classifier_ : fitted stages
    """

    def __init__(self, detector: Any, classifier: Any, outlier: Any = None) -> None:
        self.detector = detector
        self.classifier = classifier
        self.outlier = outlier

    def _fit(self, X: np.ndarray, y: np.ndarray) -> None:
        self._outlier = self._column(self.outlier, "outlier")
        targets = y != self.classes_[self._outlier]
        if len(self.classes_) < 3:
            raise ValueError(
                "a two-stage system wants an outlier class and two or more target classes"
            )
        self.detector_ = clone(self.detector).fit(X[targets])
        self.classifier_ = clone(self.classifier).fit(X[targets], y[targets])

    def stage_scores(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return what both stages say, for thresholds that are set together.

        Parameters
        ----------
        X : array_like of shape (n, d)

        Returns
        -------
        detector : ndarray of shape (n,)
            Scores of the one-class model.
        classifier : ndarray of shape (n, C - 1)
            Posteriors of the target classes, in the order of ``classes_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.detector_.score_samples(X), self.classifier_.predict_proba(X)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        posteriors = np.insert(self.classifier_.predict_proba(X), self._outlier, 0.0, axis=1)
        return _given_to(posteriors, self.detector_.predict(X) == 1, self._outlier)
