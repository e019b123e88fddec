"""Systems of a detector and a classifier of target classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from opchar.models.wrapping import class_place, new_objects


class TwoStage(ClassifierMixin, BaseEstimator):
    """A detector of all target classes together, then a classifier among them.

    The description of the detector is trained on the targets, and mappings before it on all
    objects. PRTools and dd_tools do the same. The classifier does not know the outlier class, so
    that an outlier the detector lets pass is taken for a target. (Landgrebe, 2007, Secs. 6.2.2 to
    6.2.4.)
    """

    classes_: np.ndarray

    def __init__(self, detector: Any, classifier: Any, outlier: Any = None) -> None:
        self.detector = detector
        self.classifier = classifier
        self.outlier = outlier

    def fit(self, X: Any, y: Any) -> TwoStage:
        """Fit all stages to objects `X`, shape (n, d), and classes `y`, shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("a system wants at least two classes; the training set has 1 class")
        self._outlier = class_place(self.classes_, self.outlier, "outlier")
        targets = y != self.classes_[self._outlier]
        if len(self.classes_) < 3:
            raise ValueError(
                "a two-stage system wants an outlier class and two or more target classes"
            )
        self.detector_ = _fit_detector(clone(self.detector), X, targets)
        self.classifier_ = clone(self.classifier).fit(X[targets], y[targets])
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return a score in [0, 1] for each class, shape (n, C); rows sum to one."""
        X = new_objects(self, X)
        posteriors = np.insert(self.classifier_.predict_proba(X), self._outlier, 0.0, axis=1)
        certain = np.eye(len(self.classes_))[self._outlier]
        return np.where(self.detector_.predict(X)[:, None] == 1, posteriors, certain)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of largest score of each object, shape (n,)."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def stage_scores(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of both stages, for thresholds that are set together.

        Shapes: `X` (n, d); `detector` (n,); `classifier` (n, C - 1).
        """
        X = new_objects(self, X)
        return self.detector_.score_samples(X), self.classifier_.predict_proba(X)


def _fit_detector(detector: Any, X: np.ndarray, targets: np.ndarray) -> Any:
    """Fit mappings to all objects and the description, the last step, to the targets."""
    if not isinstance(detector, Pipeline):
        return detector.fit(X[targets])
    mapped = X
    for _, step in detector.steps[:-1]:
        mapped = step.fit_transform(mapped, targets)
    detector[-1].fit(mapped[targets])
    return detector
