"""Mappings that go before a classifier: varying, sc, pca, fisher and nlfisher."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
from scipy.special import erf
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.feature_selection import VarianceThreshold
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from opchar.models.posterior import LEAST, refuse_extremes

EXPLAINED = ("explained_variance_", "explained_variance_ratio_")
# Training sets, and numbers in one, whose decomposition is kept for the next model.
KEPT, LARGEST = 64, 1 << 20
_known: dict[tuple[object, ...], tuple[PCA, np.ndarray]] = {}


class PrincipalComponents(PCA):
    """pca: scikit-learn's, which decomposes a training set once for any number of components.

    Models that follow each other on the same training sets (of 8 MB at most, the last `KEPT`) take
    their components from one decomposition: the same numbers as each by itself.
    """

    def fit(self, X: Any, y: Any = None) -> PrincipalComponents:
        """Find the components of objects `X`, shape (n, d)."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Find the components of objects `X`, shape (n, d); return these along them."""
        with np.errstate(over="ignore", invalid="ignore"):  # where all objects are equal, 0 / 0
            along = self._fit_transform(X)
        refuse_extremes(np.asarray(X, dtype=np.float64))
        return along

    def _fit_transform(self, X: Any) -> np.ndarray:
        wanted = self.n_components
        plain = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype == np.float64
        if not plain or X.size > LARGEST or not wanted or not 0 < wanted <= min(X.shape):
            return super().fit_transform(X)
        key = X.shape, X.strides, sha256(X.tobytes("A")).digest()
        if key not in _known:
            whole = PCA(svd_solver=self.svd_solver)
            _known[key] = whole, whole.fit_transform(X)
            if len(_known) > KEPT:
                del _known[next(iter(_known))]
        whole, along = _known[key]
        if wanted < 1:
            reached = np.cumsum(whole.explained_variance_ratio_)
            wanted = int(np.searchsorted(reached, wanted, side="right")) + 1
        self.n_components_, self.mean_ = wanted, whole.mean_
        self.n_samples_, self.n_features_in_ = X.shape
        for name in ("components_", "singular_values_", *EXPLAINED):
            setattr(self, name, getattr(whole, name)[:wanted].copy(order="K"))
        left = whole.explained_variance_[wanted:]
        self.noise_variance_ = left.mean() if len(left) else 0.0
        return along[:, :wanted].copy(order="K")


class UnitVariance(StandardScaler):
    """sc: scikit-learn's scaling, which refuses features whose squares overflow."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> UnitVariance:
        """Find mean and variance of objects `X`, shape (n, d), perhaps weighted."""
        with np.errstate(over="ignore", invalid="ignore"):
            super().fit(X, y, sample_weight)
        if not np.isfinite(self.var_).all():
            refuse_extremes(np.asarray(X, dtype=np.float64))
        return self


class Varying(VarianceThreshold):
    """varying: the features that have more than one value, however large they are."""

    def fit(self, X: Any, y: Any = None) -> Varying:
        """Find the features of objects `X`, shape (n, d), that have more than one value."""
        with np.errstate(over="ignore", invalid="ignore"):
            super().fit(X, y)
        return self


class FisherMapping(TransformerMixin, BaseEstimator):
    """fisher and nlfisher: within-class whitening, then the directions that part the class means.

    The within-class covariance is the prior-weighted mean of the unbiased class covariances;
    directions in which nothing varies within the classes are dropped. Plain: principal components
    of the class means. Weighted by pairs (Loog, Duin and Haeb-Umbach, 2001): each pair of means
    adds ``p_i p_j w(d) (m_i - m_j)(m_i - m_j)'`` to the scatter, with ``d`` the squared Mahalanobis
    distance and ``w(d) = erf(sqrt(d / 8)) / (2 d)``, so that close pairs count.
    (Landgrebe, 2007, Secs. 2.2.6 and 4.3.5; PRTools' ``fisherm`` and ``nlfisherm``.)

    Shapes: `components_` (k, d).

    `components_`: directions, ``k <= min(C - 1, d)``.
    """

    def __init__(self, pairwise: bool = False) -> None:
        self.pairwise = pairwise

    def fit(self, X: Any, y: Any) -> FisherMapping:
        """Find the directions from objects `X`, shape (n, d), and classes `y`, shape (n,)."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        refuse_extremes(X, least=LEAST)
        names, labels = np.unique(y, return_inverse=True)
        if len(names) < 2:
            raise ValueError("fisher wants at least two classes; the training set has 1 class")
        priors = np.bincount(labels) / len(labels)
        means = np.array([X[labels == group].mean(axis=0) for group in range(len(names))])
        whitening = _whitening(X - means[labels], labels)
        white = means @ whitening
        scatter = _pair_scatter(white, priors) if self.pairwise else np.cov(white, rowvar=False)
        values, vectors = np.linalg.eigh(np.atleast_2d(scatter))
        kept = values > values[-1] * len(values) * np.finfo(float).eps
        kept &= np.arange(len(values)) >= len(values) - (len(names) - 1)
        if not kept.any():
            raise ValueError("fisher wants class means that differ")
        self.components_ = (whitening @ vectors[:, kept][:, ::-1]).T
        self._mean = priors @ means
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return the objects `X`, shape (n, d), along the directions, shape (n, k)."""
        check_is_fitted(self)
        X = refuse_extremes(validate_data(self, X, dtype=np.float64, reset=False))
        return (X - self._mean) @ self.components_.T


def _whitening(residuals: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the mapping, shape (d, r), under which the within-class covariance is the identity."""
    counts = np.bincount(labels)
    weights = counts / np.maximum(counts - 1, 1) / len(labels)
    within = (residuals * weights[labels, None]).T @ residuals
    values, vectors = np.linalg.eigh(within)
    kept = values > max(values[-1], 0) * len(values) * np.finfo(float).eps
    if not kept.any():
        raise ValueError("fisher wants some spread within the classes; all their objects are equal")
    return vectors[:, kept] / np.sqrt(values[kept])


def pair_weight(squared: np.ndarray) -> np.ndarray:
    """Return Loog's weight of a pair of classes, ``erf(sqrt(d) / (2 sqrt 2)) / (2 d)``."""
    return erf(np.sqrt(squared / 8)) / (2 * squared)


def _pair_scatter(means: np.ndarray, priors: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(len(means), k=1)
    differences = means[first] - means[second]
    squared = (differences**2).sum(axis=1)
    weights = np.zeros(len(squared))
    apart = squared > 0
    weights[apart] = (priors[first] * priors[second])[apart] * pair_weight(squared[apart])
    return (differences * weights[:, None]).T @ differences


def varying() -> Varying:
    """Return the mapping that leaves out features with one value on all training objects."""
    return Varying()


def sc() -> UnitVariance:
    """Return the scaling to unit variance, ``"sc"``; constant features become zero."""
    return UnitVariance()


def pca(components: float) -> PrincipalComponents:
    """Return the principal component mapping, ``"pca17"`` or ``"pca0.999"``.

    `components`: a number, or the fraction of variance that the fewest components must exceed.
    """
    return PrincipalComponents(n_components=components, svd_solver="full")


def fisher() -> FisherMapping:
    """Return the Fisher mapping, ``"fisher"``."""
    return FisherMapping()


def nlfisher() -> FisherMapping:
    """Return the Fisher mapping with weighted pairs, ``"nlfisher"``."""
    return FisherMapping(pairwise=True)
