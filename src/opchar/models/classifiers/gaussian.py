"""Gaussian classifiers by their definitions of 2004: ldc, qdc and nmc."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from opchar.models.posterior import (
    PosteriorClassifier,
    from_decision,
    from_distances,
    from_log_densities,
    from_log_odds,
    likelihood_scale,
)

NO_SPREAD = "wants some spread within the classes; all their objects are equal"


def unbiased_covariance(X: np.ndarray, *, full_rank: bool = True) -> np.ndarray:
    """Return the covariance that divides by n - 1; that of a single object is zero.

    Shapes: `X` (n, d); returned (d, d).

    `full_rank`: Whether a singular covariance is an error.
    """
    n, d = X.shape
    residuals = X - X.mean(axis=0)
    covariance = residuals.T @ residuals / max(n - 1, 1)
    if full_rank and not is_full_rank(covariance):
        raise ValueError(
            f"the covariance of a class of {n} samples in {d} dimensions is singular; reduce the "
            "dimensions first (as with pca) or take a simpler model"
        )
    return covariance


class UnbiasedCovariance(BaseEstimator):
    """`unbiased_covariance` as scikit-learn's discriminant analyses want it.

    `covariance_` (d, d): as `unbiased_covariance` gives it.
    """

    def fit(self, X: np.ndarray, y: Any = None) -> UnbiasedCovariance:
        """Estimate the covariance of `X`, shape (n, d); `y` is not used."""
        self.covariance_ = unbiased_covariance(X, full_rank=False)
        return self


def is_full_rank(covariance: np.ndarray) -> bool:
    """Tell whether a covariance can be inverted in floating point, whatever the features' units.

    Shapes: `covariance` (d, d).
    """
    spread = np.sqrt(np.diag(covariance))
    if not (spread > 0).all():
        return False
    values = np.linalg.eigvalsh(covariance / np.outer(spread, spread))
    return bool(values[0] > len(values) * np.finfo(float).eps * values[-1])


def log_gaussian(X: np.ndarray, mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Return the log density of a Gaussian.

    Shapes: `X` (n, d); `mean` (d,); `covariance` (d, d); returned (n,).
    """
    factor = np.linalg.cholesky(covariance)
    white = solve_triangular(factor, (X - mean).T, lower=True)
    log_determinant = 2 * np.log(np.diag(factor)).sum()
    return -0.5 * ((white**2).sum(axis=0) + log_determinant + len(mean) * np.log(2 * np.pi))


class LinearBayes(PosteriorClassifier):
    """ldc: Gaussian classes with one covariance, the prior-weighted mean of the unbiased ones.

    Priors are class frequencies; there is no regularisation. With a singular covariance the weights
    are the least-squares ones of smallest norm, as with a pseudo-inverse. A class of one object
    adds no scatter. (Landgrebe, 2007, Sec. 2.2.6; PRTools' ``ldc``.)

    `analysis_`: means, covariance and weights.
    """

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        if len(X) <= len(self.classes_):
            raise ValueError(
                f"ldc wants more objects than classes; there are n_samples={len(X)} of "
                f"{len(self.classes_)} classes (1 sample a class has no scatter)"
            )
        self.analysis_ = LinearDiscriminantAnalysis(
            solver="lsqr", covariance_estimator=UnbiasedCovariance()
        ).fit(X, labels)

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        return from_decision(self.analysis_.decision_function(X))

    def log_densities(self, X: Any) -> np.ndarray:
        """Return the log class-conditional densities of `X`, shape (n, C)."""
        covariance = self.analysis_.covariance_
        if not is_full_rank(covariance):
            raise ValueError("ldc has no densities: the common covariance is singular")
        X = self._check_input(X)
        return np.column_stack([log_gaussian(X, m, covariance) for m in self.analysis_.means_])


class QuadraticBayes(PosteriorClassifier):
    """qdc: Gaussian classes, each with its unbiased covariance; priors are class frequencies.

    There is no regularisation: a singular covariance is an error, whatever the features' units.
    (Landgrebe, 2007, Sec. 2.2.6; PRTools' ``qdc``.)

    `means_` (C, d): in the order of ``classes_``; `covariances_` (C, d, d): in the order of
    ``classes_``; `priors_` (C,): class frequencies in training.
    """

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        groups = [X[labels == group] for group in range(len(self.classes_))]
        self.means_ = np.array([group.mean(axis=0) for group in groups])
        self.covariances_ = np.array([unbiased_covariance(group) for group in groups])
        self.priors_ = np.bincount(labels) / len(labels)

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        return from_log_densities(self._log_densities(X) + np.log(self.priors_))

    def log_densities(self, X: Any) -> np.ndarray:
        """Return the log class-conditional densities of `X`, shape (n, C)."""
        return self._log_densities(self._check_input(X))

    def _log_densities(self, X: np.ndarray) -> np.ndarray:
        classes = zip(self.means_, self.covariances_, strict=True)
        return np.column_stack([log_gaussian(X, mean, covariance) for mean, covariance in classes])


class NearestMean(PosteriorClassifier):
    """nmc: the nearest class mean, with posteriors.

    Two classes: the linear discriminant along the difference of the means, halfway between them,
    scaled so that its sigmoid is the most likely one on the training set. More: the nearest
    neighbour among the means, with posteriors in proportion to ``1 - d_j**2 / sum_c d_c**2``, where
    ``d_j`` is the distance to the mean of class j. (Landgrebe, 2007, Sec. 3.3.5; PRTools' ``nmc``
    of 2004. The version of 2009 has spherical Gaussians of one variance, `log_densities`.)

    `means_` (C, d): in the order of ``classes_``; `variance_`: common variance of the spherical
    Gaussians: the mean over features and over classes of two objects or more; `scale_`: scale of
    the discriminant of two classes.
    """

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        groups = [X[labels == group] for group in range(len(self.classes_))]
        self.means_ = np.array([group.mean(axis=0) for group in groups])
        spreads = [group.var(axis=0, ddof=1).mean() for group in groups if len(group) > 1]
        self.variance_ = float(np.mean(spreads)) if spreads else 0.0
        if len(groups) == 2:
            self.scale_ = likelihood_scale(self._discriminant(X), labels == 1)

    def _discriminant(self, X: np.ndarray) -> np.ndarray:
        first, second = self.means_
        return (X - (first + second) / 2) @ (second - first)

    def _posterior(self, X: np.ndarray) -> np.ndarray:
        if len(self.classes_) == 2:
            return from_log_odds(self.scale_ * self._discriminant(X))
        return from_distances(cdist(X, self.means_))

    def log_densities(self, X: Any) -> np.ndarray:
        """Return the log densities of `X` under spherical Gaussians, shape (n, C)."""
        X = self._check_input(X)
        if self.variance_ == 0:
            raise ValueError(f"nmc {NO_SPREAD}")
        squared = cdist(X, self.means_, "sqeuclidean") / self.variance_
        return -0.5 * (squared + X.shape[1] * np.log(2 * np.pi * self.variance_))


def ldc() -> LinearBayes:
    """Return the Bayes linear classifier, ``"ldc"``."""
    return LinearBayes()


def qdc() -> QuadraticBayes:
    """Return the Bayes quadratic classifier, ``"qdc"``."""
    return QuadraticBayes()


def nmc() -> NearestMean:
    """Return the nearest mean classifier, ``"nmc"``."""
    return NearestMean()
