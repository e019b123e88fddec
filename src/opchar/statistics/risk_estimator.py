"""A classifier of scikit-learn that keeps limits on its errors, with a stated confidence."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold, check_cv, train_test_split
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, assert_all_finite, check_is_fitted, column_or_1d

from opchar.spaces.points import checked_weights
from opchar.statistics.binary_classifiers import classes_of, positive_scores
from opchar.statistics.risk_control import Control, allowed_beyond, controlled_threshold

Floats = NDArray[np.float64]
Method = Literal["split", "cross", "prefit"]


def _has_probabilities(self: RiskControlledClassifier) -> bool:
    fitted = getattr(self, "estimators_", [self.estimator])
    return all(hasattr(model, "predict_proba") for model in fitted)


class RiskControlledClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A two-class classifier whose threshold keeps limits for all future objects.

    What keeps them is the object that predicts, made in one of three ways. A model that is
    retrained on all objects is a different one, of which nothing is known without further objects.

    Parameters
    ----------
    estimator : classifier with decision_function or predict_proba
        Cloned before it is fitted; what is given stays unfitted.
    max_fpr, max_fnr, min_precision, max_alert_rate : float, optional
        Limits, see `opchar.controlled_threshold`; ``"cross"`` takes one of the first, second and
        last.
    method : {"split", "cross", "prefit"}
        ``"split"``: one part of the objects trains the estimator, the other sets its threshold.
        ``"cross"``: an estimator is trained for each fold on the others, and all are kept; an
        object is accepted when few objects of the limited class reach its score, each by the
        estimator that was not trained on it (cross-conformal). ``"prefit"``: the estimator is
        fitted already, on other objects than those given.
    confidence : float
        Probability, over samples, that all limits are kept; in (0, 1).
    test_size : float
        Share of the objects that sets the threshold, for ``"split"``.
    cv : int, splitter or iterable
        Folds, for ``"cross"``: a number of drawn ones, or what puts each object into one test part.
    pos_label : object, optional
        The positive class; the second of ``classes_`` when not given.
    random_state : int, RandomState or None
        Source of the split or the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Negative class, then positive class.
    estimators_ : list of fitted classifiers
        One, or one per fold.
    control_ : Control
        For ``"split"`` and ``"prefit"``: the thresholds.
    allowed_ : int
        For ``"cross"``: how many objects of the limited class may reach an accepted object (or, for
        `max_fnr`, lie below a rejected one).

    Notes
    -----
    ``"split"`` and ``"prefit"`` are exact. For ``"cross"`` theory bounds the mean error, by twice
    the limit; that the limit is kept with the confidence asked for is a finding of simulations, see
    ``docs/promises.md``.

    References
    ----------
    Vovk, Annals of Mathematics and Artificial Intelligence 74, 2015 (cross-conformal); Barber,
    Candes, Ramdas and Tibshirani, Annals of Statistics 49, 2021 (jackknife+ and CV+).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RiskControlledClassifier(GaussianNB(), max_fpr=0.1, random_state=0).fit(X, y)
    >>> bool(model.predict(X)[y == 0].mean() < 0.1)
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        max_fpr: float | None = None,
        max_fnr: float | None = None,
        min_precision: float | None = None,
        max_alert_rate: float | None = None,
        method: Method = "split",
        confidence: float = 0.95,
        test_size: float = 0.5,
        cv: Any = 10,
        pos_label: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.max_fpr = max_fpr
        self.max_fnr = max_fnr
        self.min_precision = min_precision
        self.max_alert_rate = max_alert_rate
        self.method = method
        self.confidence = confidence
        self.test_size = test_size
        self.cv = cv
        self.pos_label = pos_label
        self.random_state = random_state

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> RiskControlledClassifier:
        """Train as the method says, and set what keeps the limits.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.
        y : array_like of shape (n,)
            Two classes.
        sample_weight : array_like of shape (n,), optional
            By which the estimator trains. The limits count each object once: the binomial
            distribution is that of objects drawn alike.

        Returns
        -------
        RiskControlledClassifier
            The classifier itself, fitted. It warns where it can only accept none or all.

        Raises
        ------
        ValueError
            For other than two classes, an unknown method, limits that it does not take, and as
            `opchar.statistics.risk_control.controlled_threshold`.
        """
        X, y = indexable(X, column_or_1d(y, warn=True))
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        y = np.asarray(y)
        self._weight = None
        if sample_weight is not None:
            self._weight = checked_weights(sample_weight, len(y), exact=False)
        self.classes_, self._positive = classes_of(y, self.pos_label)
        if self.method == "cross":
            return self._fit_cross(X, y)
        if self.method == "split":
            train, test = train_test_split(
                np.arange(len(y)),
                test_size=self.test_size,
                stratify=y,
                random_state=self.random_state,
            )
            self.estimators_ = [self._train(X, y, train)]
        elif self.method == "prefit":
            self.estimators_, test = [self.estimator], np.arange(len(y))
        else:
            raise ValueError(f"method is 'split', 'cross' or 'prefit', not {self.method!r}")
        self.control_: Control = controlled_threshold(
            y[test] == self._positive,
            positive_scores(self.estimators_[0], _safe_indexing(X, test), self._positive),
            **self._limits,
            confidence=self.confidence,
        )
        return self

    @property
    def _limits(self) -> dict[str, float]:
        names = ("max_fpr", "max_fnr", "min_precision", "max_alert_rate")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    @property
    def n_features_in_(self) -> int:
        """Number of features in training."""
        check_is_fitted(self, "estimators_")
        return int(self.estimators_[0].n_features_in_)

    def _train(self, X: Any, y: NDArray[Any], train: NDArray[np.intp]) -> Any:
        given = {} if self._weight is None else {"sample_weight": self._weight[train]}
        return clone(self.estimator).fit(_safe_indexing(X, train), y[train], **given)

    def _fit_cross(self, X: Any, y: NDArray[Any]) -> RiskControlledClassifier:
        limits = self._limits
        if len(limits) != 1 or "min_precision" in limits:
            raise ValueError(
                "method 'cross' takes one limit: max_fpr, max_fnr or max_alert_rate; use 'split' "
                "for precision and for several"
            )
        (self._kind, limit) = next(iter(limits.items()))
        limited = {
            "max_fpr": y != self._positive,
            "max_fnr": y == self._positive,
            "max_alert_rate": np.ones(len(y), dtype=bool),
        }[self._kind]
        self.estimators_, self._references = [], []
        for train, test in self._folds(y):
            model = self._train(X, y, train)
            chosen = test[limited[test]]
            scores = np.empty(0)
            if len(chosen):
                scores = positive_scores(model, _safe_indexing(X, chosen), self._positive)
            self.estimators_.append(model)
            self._references.append(np.sort(scores))
        self.allowed_ = allowed_beyond(int(limited.sum()), limit, self.confidence)
        return self

    def _folds(self, y: NDArray[Any]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        drawn = isinstance(self.cv, Integral)
        random = {"shuffle": True, "random_state": self.random_state}
        cv = StratifiedKFold(self.cv, **random) if drawn else check_cv(self.cv)
        every = np.arange(len(y))
        folds = [(every[train], every[test]) for train, test in cv.split(y, y)]
        if not np.array_equal(np.sort(np.concatenate([test for _, test in folds])), every):
            raise ValueError("cv must put each object into exactly one test part")
        return folds

    def _margins(self, X: Any) -> Floats:
        """Return by how much each object is accepted, or, below zero, not accepted.

        For ``"cross"`` in objects of the limited class, else in scores.
        """
        check_is_fitted(self, "estimators_")
        if self.method != "cross":
            scores = positive_scores(self.estimators_[0], X, self._positive)
            return scores - self.control_.threshold
        beyond = np.zeros(_num_samples(X), dtype=np.intp)
        for model, reference in zip(self.estimators_, self._references, strict=True):
            scores = positive_scores(model, X, self._positive)
            if self._kind == "max_fnr":
                beyond = beyond + np.searchsorted(reference, scores, side="right")
            else:
                beyond = beyond + len(reference) - np.searchsorted(reference, scores, side="left")
        few = self.allowed_ + 0.5 - beyond
        return -few if self._kind == "max_fnr" else few

    def decision_function(self, X: Any) -> Floats:
        """Return by how much each object lies on the side of ``classes_[1]``.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n,)
            In scores of the estimator; for ``"cross"`` in objects of the limited class.
        """
        margins = self._margins(X)
        return margins if self._positive == self.classes_[1] else -margins

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Return the mean probabilities of the estimators, on which the limits have no influence.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n, 2)
            In [0, 1], columns in the order of ``classes_``.
        """
        check_is_fitted(self, "estimators_")
        return np.mean([model.predict_proba(X) for model in self.estimators_], axis=0)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each object.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n,)
            The positive class where the score reaches the threshold, else the other.
        """
        accepted = self._margins(X) >= 0
        return self.classes_[(accepted == (self._positive == self.classes_[1])).astype(int)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        inner = get_tags(self.estimator)
        tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags
