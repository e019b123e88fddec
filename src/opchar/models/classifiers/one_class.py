"""One-class models: descriptions of a target class."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.utils.validation import check_is_fitted, validate_data

from opchar.models.classifiers.gaussian import unbiased_covariance
from opchar.models.posterior import LEAST, refuse_extremes
from opchar.scores import rejecting_threshold


class Description(OutlierMixin, BaseEstimator, ABC):
    """A description of a target class: a score, and a threshold that rejects a share of it.

    A subclass implements ``_fit(X)`` and ``_score(X)``, an array of shape (n,).
    """

    reject: float

    @abstractmethod
    def _fit(self, X: np.ndarray) -> None: ...

    @abstractmethod
    def _score(self, X: np.ndarray) -> np.ndarray: ...

    def fit(self, X: Any, y: Any = None) -> Description:
        """Describe target objects.

        Shapes: `X` (n, d).
        """
        if not 0 <= self.reject < 1:
            raise ValueError(f"the share of targets to reject must be in [0, 1), not {self.reject}")
        X = refuse_extremes(validate_data(self, X, dtype=np.float64), least=LEAST)
        if not (X.var(axis=0) > 0).any():
            raise ValueError(
                f"a description wants objects that vary, not n_samples={len(X)} equal ones "
                "(1 sample is too few)"
            )
        self._fit(X)
        self.threshold_ = rejecting_threshold(self._score(X), self.reject)
        self.offset_ = self.threshold_
        return self

    def score_samples(self, X: Any) -> np.ndarray:
        """Return the score of objects `X`, shape (n, d): higher is more like the target class."""
        check_is_fitted(self)
        return self._score(refuse_extremes(validate_data(self, X, dtype=np.float64, reset=False)))

    def decision_function(self, X: Any) -> np.ndarray:
        """Return score minus threshold, shape (n,): not negative for accepted objects."""
        return self.score_samples(X) - self.threshold_

    def predict(self, X: Any) -> np.ndarray:
        """Return 1 for accepted and -1 for rejected objects, shape (n,)."""
        return np.where(self.decision_function(X) >= 0, 1, -1)


class GaussianDescription(Description):
    """gauss_dd: minus the squared Mahalanobis distance to the mean of the target class.

    The unbiased covariance is shrunk to a sphere of its mean variance. (Landgrebe, 2007, Secs.
    5.2.5 and 6.2.4; dd_tools' ``gauss_dd``.)

    Shapes: `mean_` (d,); `covariance_` (d, d).
    """

    def __init__(self, reject: float = 0.1, shrink: float = 0.001) -> None:
        self.reject = reject
        self.shrink = shrink

    def _fit(self, X: np.ndarray) -> None:
        covariance = unbiased_covariance(X, full_rank=False)
        sphere = np.diag(covariance).mean() * np.eye(X.shape[1])
        self.mean_ = X.mean(axis=0)
        self.covariance_ = (1 - self.shrink) * covariance + self.shrink * sphere

    def _score(self, X: np.ndarray) -> np.ndarray:
        residuals = X - self.mean_
        return -(residuals * np.linalg.solve(self.covariance_, residuals.T).T).sum(axis=1)


class MixtureDescription(Description):
    """mog_dd: log density of a mixture of Gaussians, fitted by EM.

    At each step a share of the mean variance is added to the diagonal of all covariances.
    (Landgrebe, 2007, Sec. 5.2.5; dd_tools' ``mog_dd``.)
    """

    def __init__(
        self,
        components: int = 5,
        reject: float = 0.1,
        regularise: float = 0.01,
        random_state: Any = None,
    ) -> None:
        self.components = components
        self.reject = reject
        self.regularise = regularise
        self.random_state = random_state

    def _fit(self, X: np.ndarray) -> None:
        added = self.regularise * X.var(axis=0, ddof=1).mean()
        mixture = GaussianMixture(
            self.components, reg_covar=added, max_iter=500, random_state=self.random_state
        )
        self.mixture_ = fit_mixture(mixture, X)

    def _score(self, X: np.ndarray) -> np.ndarray:
        return self.mixture_.score_samples(X)


def fit_mixture(mixture: GaussianMixture, X: np.ndarray) -> GaussianMixture:
    """Fit a mixture of Gaussians, also from a start with fewer different objects than components.

    The warning of scikit-learn concerns the start by k-means, not EM, and is silenced.

    Shapes: `X` (n, d).
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Number of distinct clusters", ConvergenceWarning)
        return mixture.fit(X)


def gauss() -> GaussianDescription:
    """Return the Gaussian one-class model, ``"gauss"``."""
    return GaussianDescription()


def mog(components: int = 5) -> MixtureDescription:
    """Return the mixture-of-Gaussians one-class model, ``"MoG-8"``.

    `components`: at least 1.
    """
    return MixtureDescription(components)
