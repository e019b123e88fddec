"""Support vector machines for imbalanced classes, and the simple classifiers compared with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.utils import check_random_state

from opchar.models.classifiers.support import SupportVectors, kernel_of_new, kernel_of_pairs
from opchar.models.posterior import OneAgainstRest, refuse_extremes

# Training objects up to which machines share a kernel, three matrices of 128 MB.
SHARED = 4000


class NearBayesianSupportVectors(OneAgainstRest):
    """NBSVM: support vectors whose margins are the class priors (Datta and Das, 2015).

    It minimises ``|w|^2 / 2 + C sum_i xi_i / P(y_i)`` subject to ``y_i f(x_i) >= P(y_i) - xi_i``.
    That is a support vector machine with weight 4 C and balanced classes whose decision value ``g``
    gives ``2 f = g - (P(-) - P(+))``. Unequal costs multiply the priors in that threshold. More
    than two classes: one against the rest. The score of a class is the sigmoid of its ``2 f``,
    divided by the sum of the row for more than two classes. (mullick2020, Sec. 5.2)

    `width`: ``s`` of the kernel ``exp(-|x - y|^2 / (2 s^2))``. `shifted`: whether decision values
    must exceed ``P(-) - P(+)``, as published.
    """

    def __init__(
        self,
        width: float | None = None,
        C: float = 1.0,
        costs: Mapping[Any, float] | None = None,
        shifted: bool = True,
    ) -> None:
        self.width = width
        self.C = C
        self.costs = costs
        self.shifted = shifted

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if self.width is not None and not self.width > 0:
            raise ValueError(f"the width of the kernel must be positive, not {self.width}")
        self._gamma = 1 / X.shape[1] if self.width is None else 1 / (2 * self.width**2)
        costs = self.costs or {}
        price = np.array([float(costs.get(name, 1.0)) for name in self.classes_])
        if (price <= 0).any():
            raise ValueError("costs must be positive")
        weighed = np.bincount(labels) * price
        positive = [1] if len(price) == 2 else list(range(len(price)))
        shift = 1 - 2 * weighed[positive] / weighed.sum()
        self.thresholds_ = shift if self.shifted else np.zeros_like(shift)
        self._X = X if len(positive) > 1 and len(X) <= SHARED else None
        shared = self._X is not None
        seen = kernel_of_pairs(X, self._gamma) if shared else X
        machine = SVC(
            kernel="precomputed" if shared else "rbf",
            gamma=self._gamma,
            C=4 * self.C,
            class_weight="balanced",
        )
        self.machines_ = [clone(machine).fit(seen, labels == group) for group in positive]

    def _decide(self, X: np.ndarray) -> np.ndarray:
        seen = X
        if self._X is not None:
            used = np.unique(np.concatenate([machine.support_ for machine in self.machines_]))
            seen = np.zeros((len(X), len(self._X)))
            seen[:, used] = kernel_of_new(X, self._X[used], self._gamma)
        decisions = [machine.decision_function(seen) for machine in self.machines_]
        return np.column_stack(decisions) - self.thresholds_


def without_shift(decisions: np.ndarray, priors: np.ndarray) -> np.ndarray:
    """Return what near-Bayesian support vectors would decide without the shift of their threshold.

    Shapes: `decisions` (n, C); `priors` (n, C); returned (n, C).
    """
    shift = 1 - 2 * priors
    if decisions.shape[1] == 2:
        shift = np.column_stack([-shift[:, 1], shift[:, 1]])
    return np.asarray(decisions + shift)


class BalancedBagging(OneAgainstRest):
    """A pool of RBF support vector machines, each trained on a balanced bag, that average scores.

    A bag holds every object of the smaller class and as many of the larger one, drawn without
    replacement (Barandela, Valdovinos and Sanchez, 2003). Two classes. The score is the sigmoid of
    the members' mean decision value. (soleymani2020, Sec. 4.2.)

    `width`: ``s`` of the kernel ``exp(-|x - y|^2 / s^2)``.
    """

    def __init__(
        self,
        members: int = 20,
        width: float | None = None,
        C: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.members = members
        self.width = width
        self.C = C
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported. balanced bags want two classes, not "
                f"{len(self.classes_)}"
            )
        if self.members < 1 or (self.width is not None and not self.width > 0):
            raise ValueError("balanced bagging wants one member or more and a positive width")
        gamma = 1 / X.shape[1] if self.width is None else 1 / self.width**2
        random = check_random_state(self.random_state)
        rows = [np.flatnonzero(labels == group) for group in (0, 1)]
        size = min(map(len, rows))
        self.bags_ = [
            np.sort(np.concatenate([random.permutation(group)[:size] for group in rows]))
            for _ in range(self.members)
        ]
        self.members_ = [
            SVC(kernel="rbf", gamma=gamma, C=self.C).fit(X[bag], labels[bag]) for bag in self.bags_
        ]

    def member_decisions(self, X: Any) -> np.ndarray:
        """Return the decision values of all members on `X`, shape (n, members)."""
        return self._member_decisions(self._check_input(X))

    def _member_decisions(self, X: np.ndarray) -> np.ndarray:
        return np.column_stack([member.decision_function(X) for member in self.members_])

    def _decide(self, X: np.ndarray) -> np.ndarray:
        return self._member_decisions(X).mean(axis=1, keepdims=True)


class NaiveBayes(GaussianNB):
    """bayes: Gaussian features, independent within each class (soleymani2020, Sec. 4.1).

    As in scikit-learn, a billionth of the largest variance is added to all, so that a constant
    feature or a class of one object does no harm; only objects that are all equal are an error.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NaiveBayes:
        """Fit to objects `X`, shape (n, d), and classes `y`, shape (n,), perhaps weighted."""
        with np.errstate(over="ignore", invalid="ignore"):
            super().fit(X, y, sample_weight)
        refuse_extremes(self.theta_)
        refuse_extremes(np.sqrt(self.var_))
        if self.epsilon_ == 0:
            raise ValueError("bayes wants some spread; all training objects are equal (1 sample)")
        return self

    def _check_X(self, X: Any) -> np.ndarray:  # noqa: N802 (scikit-learn's name)
        return refuse_extremes(super()._check_X(X))

    def decision_function(self, X: Any) -> np.ndarray:
        """Return log odds, which order objects where posteriors are one to machine precision.

        Shapes: `X` (n, d); returned (n,) or (n, C).
        """
        log_posteriors = self.predict_log_proba(X)
        if len(self.classes_) == 2:
            return np.asarray(log_posteriors[:, 1] - log_posteriors[:, 0])
        return np.asarray(log_posteriors)


def nbsvm(threshold: str | None = None) -> NearBayesianSupportVectors:
    """Return the near-Bayesian support vector machine, ``"nbsvm"`` or ``"nbsvm unshifted"``.

    `threshold`: ``"unshifted"`` to leave the threshold where it is.
    """
    return NearBayesianSupportVectors(shifted=threshold is None)


def bagsvm(members: int) -> BalancedBagging:
    """Return a pool of support vector machines on balanced bags, ``"bagsvm20"``.

    `members`: of the pool.
    """
    return BalancedBagging(members)


def rbfsvm() -> SupportVectors:
    """Return an RBF support vector machine with LibSVM's defaults, ``"rbfsvm"``."""
    return SupportVectors("r", None)


def bayes() -> NaiveBayes:
    """Return the naive Bayes classifier with Gaussian features, ``"bayes"``."""
    return NaiveBayes()


def mlp(nodes: int) -> MLPClassifier:
    """Return a perceptron with one hidden layer of logistic nodes, fitted by L-BFGS, ``"mlp8"``.

    `nodes`: of the hidden layer.
    """
    return MLPClassifier((nodes,), activation="logistic", solver="lbfgs", max_iter=2000)
