"""A classifier of scikit-learn with the threshold for a given prior and given costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
)

from opchar.decisions.smooth_curves import Labelled
from opchar.decisions.threshold_rules import Rule, check_f, check_rule, halfway, thresholds_by
from opchar.spaces.points import checked_weights, operating_points
from opchar.spaces.scored.sample import condition_of
from opchar.spaces.scored.thresholds import Criterion, criterion_of, threshold_for
from opchar.statistics.binary_classifiers import classes_of, positive_scores
from opchar.statistics.calibration import Method


def _has(method: str) -> Any:
    """Return whether the inner estimator has a method, for ``available_if``."""

    def check(self: PriorThresholdClassifier) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), method)

    return check


class PriorThresholdClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A two-class classifier with the best threshold for a prior, costs or a preference.

    The threshold is chosen by cross-validation: on scores that each object gets from a model that
    was not trained on it. The model itself is then trained on all objects.

    Parameters
    ----------
    estimator : classifier with decision_function or predict_proba
        Not fitted; clones of it are trained. The decision function is used where it has both.
    prior : float, optional
        P(+) where the classifier will be used, in [0, 1]; that of the training objects when not
        given.
    criterion : {"f", "cost"}, optional
        Whether the F-measure shall be large or the expected cost small; the cost where one is
        given, else F.
    alpha : float, optional
        Weight of precision in F, in [0, 1]; 0.5 when not given.
    cost_fn, cost_fp : float, optional
        Cost of a missed positive and of a false alarm, not negative and not both zero; 1 when not
        given.
    pos_label : object, optional
        The positive class; the second of ``classes_`` when not given.
    rule : {"auto", "search", "theory"}
        How the threshold of least cost is found, see `opchar.choose_threshold`. That of the largest
        F is searched for.
    calibrate : {"sigmoid", "beta", "isotonic", "none"}, optional
        How ``theory`` turns scores into probabilities; by a sigmoid when not given.
    cv : int, splitter or iterable
        As for `sklearn.model_selection.cross_val_predict`.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Both class labels, sorted.
    estimator_ : fitted classifier
        The clone that was trained on all objects.
    threshold_ : float
        Objects that score at least so much are positive; infinite when none, minus infinite when
        all are. With
        ``search`` halfway between the lowest score that the best operating point accepts and the
        highest one that it does not.
    points_ : OperatingPoints
        Those of the cross-validation, among which was chosen.

    Notes
    -----
    soleymani2020, Sec. 3.4: the envelopes of F and cost curves name the best threshold for each
    operating condition.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> rare = PriorThresholdClassifier(GaussianNB(), prior=0.01).fit(X, y)
    >>> even = PriorThresholdClassifier(GaussianNB(), prior=0.5).fit(X, y)
    >>> bool(rare.predict(X).sum() < even.predict(X).sum())
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        prior: float | None = None,
        criterion: Criterion | None = None,
        alpha: float | None = None,
        cost_fn: float | None = None,
        cost_fp: float | None = None,
        pos_label: Any = None,
        rule: Rule = "auto",
        calibrate: Method | None = None,
        cv: Any = 5,
    ) -> None:
        self.estimator = estimator
        self.prior = prior
        self.criterion = criterion
        self.alpha = alpha
        self.cost_fn = cost_fn
        self.cost_fp = cost_fp
        self.pos_label = pos_label
        self.rule = rule
        self.calibrate = calibrate
        self.cv = cv

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> PriorThresholdClassifier:
        """Choose the threshold by cross-validation, then train on all objects.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.
        y : array_like of shape (n,)
            Two classes.
        sample_weight : array_like of shape (n,), optional
            How often each object counts when the threshold is chosen. It is passed on to the
            estimator if that takes weights, or, with scikit-learn's metadata routing, if it asks.
        **params
            What else the estimator's ``fit`` asks for, with metadata routing.

        Returns
        -------
        PriorThresholdClassifier
            This classifier, fitted.

        Raises
        ------
        ValueError
            For other than two classes, a class with fewer objects than folds, a positive class that
            is none of them, or options out of range.
        """
        X, y = indexable(X, column_or_1d(y, warn=True))
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        y = np.asarray(y)
        self.classes_, self._positive = classes_of(y, self.pos_label)
        weight = np.ones(len(y), dtype=int)
        if sample_weight is not None:
            weight = checked_weights(sample_weight, len(y), exact=False)
            params["sample_weight"] = np.asarray(sample_weight, dtype=float)
        scores = self._scores_of_folds(X, y, self._fit_parameters(params))
        self.points_ = operating_points(y == self._positive, scores, weight)
        prior = self.points_.prior if self.prior is None else self.prior
        self.threshold_ = self._choose_threshold(
            Labelled(y == self._positive, scores, weight), float(prior)
        )
        self.estimator_ = clone(self.estimator).fit(X, y, **self._fit_parameters(params))
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _choose_threshold(self, data: Labelled, prior: float) -> float:
        """Return the threshold that the rule chooses on scores out of fold."""
        check_rule(self.rule, self.calibrate or "sigmoid")
        asked = criterion_of(self.criterion, self.alpha, self.cost_fn, self.cost_fp)
        if asked[0] == "f":
            check_f(self.rule, self.calibrate)
        elif self.rule != "search":
            pc = np.atleast_1d(condition_of(prior, *asked[2:]))
            data = data.part(data.weight > 0)
            return float(thresholds_by(data, pc, self.rule, self.calibrate or "sigmoid")[0])
        return halfway(self.points_, float(threshold_for(self.points_, prior, *asked)))

    def _fit_parameters(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters that the estimator's ``fit`` is given."""
        from sklearn import get_config

        if get_config()["enable_metadata_routing"]:
            return dict(process_routing(self, "fit", **params).estimator.fit)
        if "sample_weight" in params and not has_fit_parameter(self.estimator, "sample_weight"):
            return {name: value for name, value in params.items() if name != "sample_weight"}
        return params

    def _scores_of_folds(self, X: Any, y: np.ndarray, params: dict[str, Any]) -> np.ndarray:
        """Return the score of each object by a model that was not trained on it."""
        splitter = check_cv(self.cv, y, classifier=True)
        scores, tested = np.zeros(len(y)), np.zeros(len(y), dtype=int)
        for train, test in splitter.split(X, y):
            if len(np.unique(y[train])) < 2:
                raise ValueError("a fold lacks a class: there are fewer objects of it than folds")
            given = {
                name: _safe_indexing(value, train) if np.shape(value)[:1] == y.shape else value
                for name, value in params.items()
            }
            model = clone(self.estimator).fit(_safe_indexing(X, train), y[train], **given)
            scores[test] = positive_scores(model, _safe_indexing(X, test), self._positive)
            tested[test] += 1
        if (tested != 1).any():
            raise ValueError("cv must give every object one score: each is tested once")
        return scores

    def decision_function(self, X: Any) -> np.ndarray:
        """Return by how much each object's score lies on the side of ``classes_[1]``.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n,)
            Positive where ``classes_[1]`` is predicted.
        """
        check_is_fitted(self)
        above = positive_scores(self.estimator_, X, self._positive) - self.threshold_
        return above if self._positive == self.classes_[1] else -above

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each object.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n,)
            One of ``classes_`` for each row of `X`; the positive one at or above the threshold.
        """
        check_is_fitted(self)
        reached = positive_scores(self.estimator_, X, self._positive) >= self.threshold_
        return self.classes_[(reached == (self._positive == self.classes_[1])).astype(int)]

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the estimator's probabilities, on which the threshold has no influence.

        Parameters
        ----------
        X : array_like or DataFrame of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n, 2)
            Probabilities in [0, 1], columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return who is given which metadata: this classifier takes weights, and passes them on.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
            Requests of this classifier, and those of its estimator, whose ``fit`` gets them.
        """
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(
                estimator=self.estimator,
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        inner = get_tags(self.estimator)
        tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags
