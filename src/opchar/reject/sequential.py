"""A one-class model that rejects, then a classifier of what it accepts (SOCMC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import train_test_split
from sklearn.utils import get_tags

from opchar.models.posterior import posteriors_of
from opchar.models.wrapping import class_place, new_objects, training_objects
from opchar.reject.sweep import Floats
from opchar.scores import rejecting_threshold

TRAINING = ("accepted", "all", "split")


class SequentialOneClassMultiClass(ClassifierMixin, BaseEstimator):
    """SOCMC: what the one-class model rejects is outlier, the rest goes to the classifier.

    Parameters
    ----------
    detector : one-class estimator or density model
        An outlier detector, such as those of `opchar.models.classifiers.one_class`,
        ``OneClassSVM`` or a pipeline that ends in one, accepts what it predicts to be 1. Of another
        estimator with ``score_samples``, such as ``KernelDensity`` or ``GaussianMixture``, the
        threshold is set by `share`. Each stage has its own representation.
    classifier : classifier
        With ``predict_proba`` or ``decision_function``. It is given the objects in the original
        representation.
    outlier : label or None
        The outlier class, all others being targets; None for the last class.
    training : {"accepted", "all", "split"}
        What the classifier is trained on: the training objects that the detector accepts, as
        published; all; or one half of the objects, of which the detector accepts some, when the
        other half trains the detector. (The text names all three.)
    share : float
        The share of the targets that train a density model which it rejects, in [0, 1). An outlier
        detector has a setting of its own.
    random_state : int, RandomState or None
        Source of the split.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        In ascending order, the outlier class among them.
    detector_, classifier_ : fitted stages
        The classifier knows the classes of which training objects passed; the others have
        posteriors of zero. If these are of one class, it is a ``DummyClassifier``: all that passes
        is of that class.
    threshold_ : float or None
        The least score of an accepted object; None for an outlier detector.

    Notes
    -----
    landgrebe2007, Sec. 5.2.4, Eqs. 5.6 and 5.7.

    Examples
    --------
    The last class, 2, holds outliers.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import IsolationForest
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> system = SequentialOneClassMultiClass(IsolationForest(random_state=0), GaussianNB())
    >>> system.fit(X, y).predict([[5.1, 3.5, 1.4, 0.2], [9.0, 9.0, 9.0, 9.0]]).tolist()
    [0, 2]
    """

    def __init__(
        self,
        detector: Any,
        classifier: Any,
        *,
        outlier: Any = None,
        training: str = "accepted",
        share: float = 0.05,
        random_state: Any = None,
    ) -> None:
        self.detector = detector
        self.classifier = classifier
        self.outlier = outlier
        self.training = training
        self.share = share
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> SequentialOneClassMultiClass:
        """Fit both stages.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.
        y : array_like of shape (n,)
            Labels, that of the outlier class among them.

        Returns
        -------
        SequentialOneClassMultiClass
            Itself.

        Raises
        ------
        ValueError
            For one class only, no such outlier class, an unknown training, a share out of range, a
            detector that can neither detect nor score, or one that accepts no training object.
        """
        X, y, _ = training_objects(self, X, y)
        if self.training not in TRAINING:
            raise ValueError(f"unknown training {self.training!r}: use {', '.join(TRAINING)}")
        if not 0 <= self.share < 1:
            raise ValueError(f"the share to reject must be in [0, 1), got {self.share}")
        self._outlier = class_place(self.classes_, self.outlier, "outlier")
        first, second = (X, y), (X, y)
        if self.training == "split":
            halves = train_test_split(
                X, y, train_size=0.5, stratify=y, random_state=self.random_state
            )
            first, second = (halves[0], halves[2]), (halves[1], halves[3])
        is_target = first[1] != self.classes_[self._outlier]
        self.detector_ = clone(self.detector).fit(first[0][is_target])
        self.threshold_ = self._threshold(first[0][is_target])
        kept = np.ones(len(second[0]), dtype=bool)
        if self.training != "all":
            kept = self._accepts(second[0])
        if not kept.any():
            raise ValueError("the detector accepts no training object, so there is no second stage")
        self._fit_classifier(second[0][kept], second[1][kept])
        return self

    def _fit_classifier(self, X: Floats, y: NDArray) -> None:
        """Fit the classifier to the classes that passed; one class needs none."""
        passed = np.unique(y)
        classifier = self.classifier if len(passed) > 1 else DummyClassifier()
        self.classifier_ = clone(classifier).fit(X, y)

    def _posteriors(self, X: Floats) -> Floats:
        """Return the classifier's posteriors, zero for classes of which no object passed."""
        posteriors = np.zeros((len(X), len(self.classes_)))
        passed = np.searchsorted(self.classes_, self.classifier_.classes_)
        posteriors[:, passed] = posteriors_of(self.classifier_, X)
        return posteriors

    def _threshold(self, targets: Floats) -> float | None:
        """Return the threshold on the scores of a density model; a detector has its own."""
        if get_tags(self.detector_).estimator_type == "outlier_detector":
            return None
        if not hasattr(self.detector_, "score_samples"):
            raise ValueError(
                f"{type(self.detector_).__name__} is no outlier detector and has no score_samples "
                "to threshold"
            )
        return rejecting_threshold(self.detector_.score_samples(targets), self.share)

    def _accepts(self, X: Floats) -> NDArray[np.bool_]:
        if self.threshold_ is None:
            return np.asarray(self.detector_.predict(X) == 1)
        return np.asarray(self.detector_.score_samples(X) >= self.threshold_)

    def accepts(self, X: Any) -> NDArray[np.bool_]:
        """Tell whether the detector accepts each object of `X`, shape (n,)."""
        return self._accepts(new_objects(self, X))

    def predict_proba(self, X: Any) -> Floats:
        """Return the classifier's posteriors, shape (n, C), or certainty of outlier if rejected."""
        X = new_objects(self, X)
        certain = np.eye(len(self.classes_))[self._outlier]
        posteriors = self._posteriors(X)
        return np.where(self._accepts(X)[:, None], posteriors, certain)

    def predict(self, X: Any) -> NDArray:
        """Return the class of each object of `X`, shape (n,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def stage_scores(self, X: Any) -> tuple[Floats, Floats]:
        """Return the scores of both stages, for thresholds that are set together.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        detector : ndarray of shape (n,)
            Its ``score_samples`` or, without one, ``decision_function``: higher is more like a
            target.
        posteriors : ndarray of shape (n, C)
            Of the classifier, in the order of its ``classes_``.
        """
        X = new_objects(self, X)
        scores = getattr(self.detector_, "score_samples", None) or self.detector_.decision_function
        return np.asarray(scores(X), dtype=float), posteriors_of(self.classifier_, X)
