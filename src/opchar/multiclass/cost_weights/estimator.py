"""A classifier of scikit-learn whose classes are weighted for given costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils import check_random_state

from opchar.models.wrapping import new_objects, training_objects
from opchar.multiclass.cost_weights.methods import Method, cost_weights
from opchar.multiclass.cost_weights.problem import assign, never_empty

LACKING = -1e300


class CostWeightedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier whose posteriors are weighted so that given costs are low.

    The weights are chosen on scores of cross-validation, so that no object is scored by a model
    that was trained on it; the model itself is then trained on all objects.

    Parameters
    ----------
    estimator : classifier with predict_proba or predict_log_proba
        Cloned for each fold and for all objects; what is given stays unfitted.
    costs : array_like of shape (C, C), optional
        Cost of assigning a true class (row) to another (column), in the order of `classes_`;
        profits on the diagonal. One for each error when not given.
    method : str
        As for `opchar.multiclass.cost_weights.methods.cost_weights`.
    priors : array_like of shape (C,), optional
        Priors in use, in the order of `classes_`; those of the training objects when not given.
    cv : int, splitter or iterable
        As for `sklearn.model_selection.cross_val_predict`.
    options : dict, optional
        Further options of the algorithm, as for `cost_weights`.
    random_state : int, numpy.random.RandomState or None
        Source of the orders that some methods draw.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
        In ascending order.
    estimator_ : fitted classifier
        Trained on all objects.
    log_weights_ : ndarray of shape (C,)
        Logarithms of the weights.
    loss_ : float
        Loss in cross-validation at these weights, which were chosen on the same scores: expect
        that of new objects to be somewhat larger.
    lower_bound_ : float or None
        What no positive weights can go below on these scores, with ``method="certified"``.

    Notes
    -----
    landgrebe2007, Eqs. 4.5 and 4.6. A class that a fold has no training object of gets a score of
    zero there.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = [[0, 1, 1], [1, 0, 1], [1, 20, 0]]
    >>> model = CostWeightedClassifier(LogisticRegression(max_iter=1000), costs, random_state=0)
    >>> errors = model.fit(X, y).predict(X) != y
    >>> int(errors[y == 2].sum()) <= int(errors[y == 1].sum())
    True
    """

    def __init__(
        self,
        estimator: Any,
        costs: ArrayLike | None = None,
        *,
        method: Method = "greedy",
        priors: ArrayLike | None = None,
        cv: Any = 5,
        options: dict[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.method = method
        self.priors = priors
        self.cv = cv
        self.options = options
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> CostWeightedClassifier:
        """Choose the weights by cross-validation, then train on all objects.

        Parameters
        ----------
        X : array_like of shape (N, d)
            An object per row, a feature per column.
        y : array_like of shape (N,)
            Labels of at least two classes.

        Returns
        -------
        CostWeightedClassifier
            The classifier itself, fitted.

        Raises
        ------
        ValueError
            For fewer than two classes, or costs or priors that do not fit them.
        """
        X, y, number = training_objects(self, X, y)
        c = len(self.classes_)
        with np.errstate(divide="ignore"):
            scores = cross_val_predict(self.estimator, X, number, cv=self.cv, method=self._method())
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        found = cost_weights(
            number,
            self._as_logs(scores),
            1 - np.eye(c) if self.costs is None else self.costs,
            self.priors,
            method=self.method,
            rng=np.random.default_rng(seed),
            log=True,
            **(self.options or {}),
        )
        self.log_weights_, self.loss_ = found.log_weights[0], float(found.losses[0])
        bounds = found.lower_bounds
        self.lower_bound_ = None if bounds is None else float(bounds[0])
        self.estimator_ = clone(self.estimator).fit(X, y)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class with the largest weighted posterior of each object.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n,)
            Of equal ones the first.
        """
        log_posteriors = self._log_posteriors(X)
        return self.classes_[assign(log_posteriors, self.log_weights_)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the weighted posteriors, scaled so that each row sums to one.

        Parameters
        ----------
        X : array_like of shape (n, d)
            An object per row, a feature per column.

        Returns
        -------
        ndarray of shape (n, C)
            Decisions rest on them; as probabilities take those of `estimator_`.
        """
        weighted = self._log_posteriors(X) + self.log_weights_
        weighted = never_empty(weighted)
        shares = np.exp(weighted - weighted.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def _log_posteriors(self, X: ArrayLike) -> np.ndarray:
        """Return the logarithms of the model's posteriors."""
        X = new_objects(self, X)
        with np.errstate(divide="ignore"):
            return self._as_logs(getattr(self.estimator_, self._method())(X))

    def _method(self) -> str:
        """Return the model's own logarithms, which may not underflow, if it has them."""
        return (
            "predict_log_proba" if hasattr(self.estimator, "predict_log_proba") else "predict_proba"
        )

    def _as_logs(self, scores: np.ndarray) -> np.ndarray:
        """Return logarithms of posteriors; what a fold lacks scores zero."""
        if self._method() == "predict_proba":
            with np.errstate(divide="ignore"):
                return never_empty(np.log(scores))
        return never_empty(np.where(scores < LACKING, -np.inf, scores))
