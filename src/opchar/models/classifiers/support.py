"""Support vector classifiers with the kernels of the thesis."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from opchar.models.posterior import OneAgainstRest

# Steps of a search; without a limit one on large features may go on for ever.
STEPS = 10**8
# Numbers in a block of differences that stays in the processor's cache.
BLOCK = 1 << 17


def kernel_of_pairs(X: np.ndarray, gamma: float) -> np.ndarray:
    """Return the RBF kernel of each pair of training objects, to the bit as LibSVM computes it.

    Shapes: `X` (n, d); returned (n, n).

    `gamma`: of ``exp(-gamma |x - y|**2)``.
    """
    products = np.empty((len(X), len(X)))
    for block in _blocks(X):
        for i, x in enumerate(X[: block.stop]):
            products[i, block] = np.vecdot(X[block], x)
        products[block, : block.start] = products[: block.start, block].T
    squares = products.diagonal()
    return np.exp(-gamma * (squares[:, None] + squares - 2 * products))


def kernel_of_new(X: np.ndarray, among: np.ndarray, gamma: float) -> np.ndarray:
    """Return the RBF kernel of new objects, to the bit as LibSVM computes it when it predicts.

    Shapes: `X` (m, d); `among` (n, d); returned (m, n).
    """
    squared = np.empty((len(X), len(among)))
    for block in _blocks(among):
        for row, x in zip(squared, X, strict=True):
            apart = among[block] - x
            row[block] = np.vecdot(apart, apart)
    return np.exp(-gamma * squared)


def _blocks(X: np.ndarray) -> Iterator[slice]:
    step = max(BLOCK // X.shape[1], 1)
    for start in range(0, len(X), step):
        yield slice(start, min(start + step, len(X)))


class SupportVectors(OneAgainstRest):
    """svc: support vectors with C = 1, one class against the rest.

    The score of a class is the sigmoid of its decision value, one half on the boundary; for more
    than two classes rows are divided by their sum. (Landgrebe, 2007, Sec. 2.2.6; PRTools' ``svc``.)

    `kernel`: ``p`` for ``(x.y + 1)**q``, ``r`` for ``exp(-|x - y|**2 / s**2)``.
    """

    def __init__(self, kernel: str = "p", value: float | None = 1, C: float = 1.0) -> None:
        self.kernel = kernel
        self.value = value
        self.C = C

    def _machine(self, features: int) -> SVC:
        if self.value is None and self.kernel == "r":
            return SVC(C=self.C, kernel="rbf", gamma=1 / features)
        if self.value is None or not self.value > 0:
            raise ValueError(f"svc {self.kernel} wants a positive number, not {self.value}")
        if self.kernel == "r":
            return SVC(C=self.C, kernel="rbf", gamma=1 / self.value**2)
        if self.kernel == "p" and self.value == int(self.value):
            degree = int(self.value)
            return SVC(C=self.C, kernel="poly", degree=degree, gamma=1.0, coef0=1.0, max_iter=STEPS)
        raise ValueError(
            f"svc wants p and a degree, or r and a width, not {self.kernel} {self.value}"
        )

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        number = len(self.classes_)
        positive = [1] if number == 2 else list(range(number))
        try:
            with warnings.catch_warnings(category=ConvergenceWarning, action="error"):
                self.machines_ = [
                    self._machine(X.shape[1]).fit(X, labels == group) for group in positive
                ]
        except ConvergenceWarning:
            raise ValueError(
                f"svc {self.kernel} {self.value} has not converged in {STEPS} steps; scale the "
                "features first (as with sc)"
            ) from None

    def _decide(self, X: np.ndarray) -> np.ndarray:
        return np.column_stack([machine.decision_function(X) for machine in self.machines_])


def svc(kernel: str, value: float) -> SupportVectors:
    """Return the support vector classifier, ``"svc p2"`` or ``"svc r 16"``.

    `value`: degree of a polynomial kernel (p), or width of radial basis functions (r).
    """
    return SupportVectors(kernel, value)
