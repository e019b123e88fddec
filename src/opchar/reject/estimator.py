"""Any classifier with reject options."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from opchar.models.posterior import last_step, posteriors_of
from opchar.models.wrapping import class_place, new_objects, training_objects
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.options import is_ambiguous
from opchar.reject.sweep import Floats
from opchar.retired import accept_old_arguments, old_attribute, warn_of
from opchar.scores import rejecting_threshold


class NeighbourCloseness(BaseEstimator):
    """Minus the mean distance to the nearest objects of a class.

    Dubuisson and Masson (1993), for classifiers that have no densities; landgrebe2007, footnote of
    Sec. 5.2.3.
    """

    def __init__(self, neighbours: int = 5) -> None:
        self.neighbours = neighbours

    def fit(self, X: Any, y: Any = None) -> NeighbourCloseness:
        """Keep the objects `X` of a class, shape (n, d)."""
        if self.neighbours < 1:
            raise ValueError(f"typicality needs one neighbour or more, not {self.neighbours}")
        X = validate_data(self, X, dtype=np.float64)
        from sklearn.neighbors import NearestNeighbors

        self.nearest_ = NearestNeighbors(n_neighbors=min(self.neighbours, len(X))).fit(X)
        return self

    def score_samples(self, X: Any) -> Floats:
        """Return the typicality of each object of `X`, shape (n,)."""
        X = new_objects(self, X)
        distances, _ = self.nearest_.kneighbors(X)
        return -distances.mean(axis=1)

    def training_scores(self) -> Floats:
        """Return the typicality of each object that was fitted to the others, shape (n,)."""
        check_is_fitted(self)
        others = self.nearest_.n_samples_fit_ - 1
        if not others:
            return np.zeros(1)
        distances, _ = self.nearest_.kneighbors(n_neighbors=min(self.neighbours, others))
        return -distances.mean(axis=1)


class RejectClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that may reject what is far from its class, and what is ambiguous.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``; distances to the boundaries (``decision_function``) of a classifier
        without it are made posteriors by the logistic function.
    describe : None, "neighbours" or estimator with ``score_samples``
        What the typicality of an object to a class is. None: the logarithm of the classifier's own
        class-conditional density (ldc, qdc, mogc, parzen of `opchar.models`, scikit-learn's naive
        Bayes classifiers, and pipelines that end in one). ``"neighbours"``: minus the mean distance
        to the five nearest training objects of the class. An estimator, such as ``KernelDensity()``
        or ``GaussianMixture(3)``: its score, fitted to each class.
    distance : float or None
        Threshold t_d of the distance option: the smallest density (not its logarithm), the largest
        mean distance, or the smallest score of the estimator, of an accepted object. Beyond all
        values it rejects everything or nothing.
    share : float or None
        Without `distance`: the share of each class's training objects to reject, in [0, 1), which
        sets the threshold of the class; None for no distance option.
    ambiguity : float or None
        Threshold of the ambiguity option: the smallest posterior of an accepted object, in [0, 1].
    outlier : label or None
        The class that rejected objects are given to; the objects that the classifier itself gives
        to it are accepted there. With None, ``predict`` and ``predict_proba`` are those of the
        classifier, since they have no label for rejection; `accepts` and `decide` tell.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        In ascending order.
    estimator_ : fitted classifier
        Trained on all objects.
    descriptions_ : list of fitted estimators, or None
        One for each class; None where the classifier itself gives densities.
    thresholds_ : ndarray of shape (C,)
        On the typicality; minus infinity where nothing is rejected.

    Notes
    -----
    landgrebe2007, Secs. 5.2.3 and 5.3.2: an object that was assigned to a class is judged by its
    typicality of that class (Eq. 5.5) and its posterior (Eq. 5.4).

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]], ["a"] * 3 + ["b"] * 3
    >>> model = RejectClassifier(GaussianNB(), distance=0.01).fit(X, y)
    >>> model.decide([[1.0], [6.5], [11.5], [99.0]]).tolist()
    ['a', 'reject', 'b', 'reject']
    """

    classifier = old_attribute("classifier", "estimator")
    classifier_ = old_attribute("classifier_", "estimator_")

    @accept_old_arguments(classifier="estimator")
    def __init__(
        self,
        estimator: Any,
        *,
        describe: Any = None,
        distance: float | None = None,
        share: float | None = 0.05,
        ambiguity: float | None = None,
        outlier: Any = None,
    ) -> None:
        self.estimator = estimator
        self.describe = describe
        self.distance = distance
        self.share = share
        self.ambiguity = ambiguity
        self.outlier = outlier

    def set_params(self, **params: Any) -> RejectClassifier:
        """Set parameters, also those of the classifier, as ``estimator__name``.

        Parameters
        ----------
        **params
            Values by name.

        Returns
        -------
        RejectClassifier
            Itself.

        Raises
        ------
        ValueError
            For an unknown name.
        TypeError
            For the old and the new name of one parameter.

        Examples
        --------
        >>> from sklearn.naive_bayes import GaussianNB
        >>> model = RejectClassifier(GaussianNB()).set_params(estimator__var_smoothing=0.1)
        >>> model.estimator.var_smoothing
        0.1
        """
        for old in [name for name in params if re.fullmatch("classifier(__.*)?", name)]:
            new = old.replace("classifier", "estimator", 1)
            warn_of(f"RejectClassifier.set_params({old}=...)", f"{new}=")
            if new in params:
                raise TypeError(f"set_params() got both {old} and {new}")
            params[new] = params.pop(old)
        return super().set_params(**params)

    def fit(self, X: Any, y: Any) -> RejectClassifier:
        """Fit the classifier, describe the classes and set the thresholds.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.
        y : array_like of shape (n,)
            Labels of at least two classes.

        Returns
        -------
        RejectClassifier
            Itself.

        Raises
        ------
        ValueError
            For one class only, thresholds out of range, no such outlier class, or a classifier
            without densities when these shall be thresholded.
        """
        X, y, _ = training_objects(self, X, y)
        self._check_options()
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.descriptions_ = self._describe(X, y)
        self.thresholds_ = self._thresholds(X, y)
        return self

    def _check_options(self) -> None:
        if self.outlier is not None:
            class_place(self.classes_, self.outlier, "outlier")
        if self.share is not None and not 0 <= self.share < 1:
            raise ValueError(f"the share to reject must be in [0, 1), got {self.share}")
        if self.ambiguity is not None and not 0 <= self.ambiguity <= 1:
            raise ValueError(f"a threshold on posteriors must be in [0, 1], got {self.ambiguity}")
        if isinstance(self.describe, str) and self.describe != "neighbours":
            raise ValueError(
                f"unknown describe={self.describe!r}: use None, 'neighbours' or a model"
            )
        if self.distance is not None:
            is_scale = self.describe is None or isinstance(self.describe, str)
            if np.isnan(self.distance) or (is_scale and self.distance < 0):
                raise ValueError(
                    f"t_d must be a number, of densities not negative: {self.distance}"
                )

    @property
    def _rejects_distant(self) -> bool:
        return self.distance is not None or self.share is not None

    def _describe(self, X: Floats, y: NDArray) -> list[Any] | None:
        """Fit what describes each class, if the classifier does not."""
        if self.describe is None or not self._rejects_distant:
            return None
        model = NeighbourCloseness() if isinstance(self.describe, str) else self.describe
        return [clone(model).fit(X[y == name]) for name in self.classes_]

    def _thresholds(self, X: Floats, y: NDArray) -> Floats:
        """Return the threshold on the typicality for each class."""
        thresholds = np.full(len(self.classes_), -np.inf)
        protected = np.array([name != self.outlier for name in self.classes_.tolist()])
        if self.distance is not None:
            thresholds[protected] = self._on_closeness(self.distance)
        elif self.share is not None:
            for column in np.flatnonzero(protected):
                thresholds[column] = rejecting_threshold(self._own(X, y, int(column)), self.share)
        return thresholds

    def _on_closeness(self, distance: float) -> float:
        """Return t_d on the scale of the typicality."""
        if self.describe is None:
            with np.errstate(divide="ignore"):
                return float(np.log(distance))
        return -distance if isinstance(self.describe, str) else float(distance)

    def _own(self, X: Floats, y: NDArray, column: int) -> Floats:
        """Return the typicality of the training objects of a class to it."""
        if self.descriptions_ is not None and isinstance(self.describe, str):
            return self.descriptions_[column].training_scores()
        return self._closeness(X[y == self.classes_[column]])[:, column]

    def _closeness(self, X: Floats) -> Floats:
        if self.descriptions_ is None:
            return class_log_densities(self.estimator_, X)
        return np.column_stack([model.score_samples(X) for model in self.descriptions_])

    def typicality(self, X: Any) -> Floats:
        """Return the typicality of each object to each class, for `thresholds_`.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n, C)
            Larger means closer to the class; columns in the order of ``classes_``.
        """
        return self._closeness(new_objects(self, X))

    def accepts(self, X: Any) -> NDArray[np.bool_]:
        """Tell whether each object of `X` is accepted in its class, shape (n,)."""
        X = new_objects(self, X)
        return self._accepts(X, posteriors_of(self.estimator_, X))

    def _accepts(self, X: Floats, posteriors: Floats) -> NDArray[np.bool_]:
        best = posteriors.argmax(axis=1)
        accepted = np.ones(len(X), dtype=bool)
        if (self.thresholds_ > -np.inf).any():
            accepted = self._closeness(X)[np.arange(len(X)), best] >= self.thresholds_[best]
        if self.ambiguity is not None:
            accepted = accepted & ~is_ambiguous(posteriors, self.ambiguity)
        return accepted

    def predict_proba(self, X: Any) -> Floats:
        """Return the posteriors, shape (n, C); of rejected objects see `outlier`."""
        X = new_objects(self, X)
        posteriors = posteriors_of(self.estimator_, X)
        if self.outlier is None:
            return posteriors
        certain = np.eye(len(self.classes_))[class_place(self.classes_, self.outlier, "outlier")]
        return np.where(self._accepts(X, posteriors)[:, None], posteriors, certain)

    def predict(self, X: Any) -> NDArray:
        """Return the class of each object of `X`, shape (n,); of rejected ones see `outlier`."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def decide(self, X: Any, rejected: Any = "reject") -> NDArray[np.object_]:
        """Return the class of each object of `X`, or `rejected`, as objects, shape (n,)."""
        accepted, best = self.accepts(X), self.predict_proba(X).argmax(axis=1)
        return np.where(accepted, self.classes_[best].astype(object), rejected)

    def stage_scores(self, X: Any) -> tuple[Floats, Floats]:
        """Return the scores on which both thresholds are set, before any rejection.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        typicality : ndarray of shape (n,)
            To the nearest class that is not `outlier`.
        posteriors : ndarray of shape (n, C)
            Of the classifier.
        """
        near = self.typicality(X)
        protected = np.array([name != self.outlier for name in self.classes_.tolist()])
        return near[:, protected].max(axis=1), posteriors_of(self.estimator_, X)

    def reject_scores(self, X: Any, target: Any) -> Floats:
        """Return the scores of which theta and t_d are thresholds.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.
        target : label
            One of ``classes_``.

        Returns
        -------
        ndarray of shape (n, 2)
            Log odds of the target class, and the typicality for it.
        """
        X = new_objects(self, X)
        column = class_place(self.classes_, target, "target")
        posteriors = np.maximum(posteriors_of(self.estimator_, X), 0)
        least = np.finfo(float).tiny
        others = np.delete(posteriors, column, axis=1).sum(axis=1)
        odds = np.log(np.maximum(posteriors[:, column], least)) - np.log(np.maximum(others, least))
        return np.column_stack([odds, self._closeness(X)[:, column]])

    def operating_characteristic(
        self, X: ArrayLike, y: ArrayLike, *, target: Any, unseen: ArrayLike | None = None
    ) -> RejectCharacteristic:
        """Return all operating points on a sample, for one class as target and the rest as outlier.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Objects that were not used in training.
        y : array_like of shape (n,)
            Their classes.
        target : label
            One of ``classes_``.
        unseen : array_like of shape (m, d), optional
            Objects of the class that was not seen in training, real or drawn, as by
            `opchar.reject.outliers`.

        Returns
        -------
        RejectCharacteristic
            The characteristic of that class.
        """
        scores, is_target = self.reject_scores(X, target), np.asarray(y) == target
        new = np.empty((0, 2)) if unseen is None else self.reject_scores(unseen, target)
        return RejectCharacteristic(scores[is_target], scores[~is_target], new)


def class_log_densities(estimator: Any, X: Floats) -> Floats:
    """Return the log class-conditional densities of a fitted density-based classifier.

    Shapes: `X` (n, d); returned (n, C).
    """
    last, X = last_step(estimator, X)
    if hasattr(last, "log_densities"):
        return last.log_densities(X)
    if hasattr(last, "predict_joint_log_proba"):
        priors = getattr(last, "class_prior_", None)
        logs = last.class_log_prior_ if priors is None else np.log(priors)
        return last.predict_joint_log_proba(X) - logs
    raise ValueError(
        f"{type(last).__name__} has no densities to threshold; take a classifier that has, such as "
        "ldc or GaussianNB, or say how to describe a class: describe='neighbours' or a model"
    )
