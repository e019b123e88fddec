"""Support vector classifiers with the kernels of the thesis."""

from __future__ import annotations

import numpy as np
from sklearn.svm import SVC

from opchar.models.posterior import OneAgainstRest


class SupportVectors(OneAgainstRest):
    """svc: support vectors with C = 1, one class against the rest.

    The score of a class is the sigmoid of its decision value, one half on the boundary; for more
    than two classes rows are divided by their sum. (Landgrebe, 2007, Sec. 2.2.6; PRTools' ``svc``.)

    Parameters
    ----------
    kernel : {"p", "r"}
        ``p`` for ``(x.y + 1)**q``, ``r`` for ``exp(-|x - y|**2 / s**2)``.
    value : float or None
        The degree ``q`` or the width ``s``, positive. None for the width that is the square root of
        the number of features, LibSVM's default.
    C : float
        Weight of the slack.

    Attributes
    ----------
    machines_ : list of sklearn.svm.SVC
        One for two classes, else one per class.
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
            return SVC(C=self.C, kernel="poly", degree=int(self.value), gamma=1.0, coef0=1.0)
        raise ValueError(
            f"svc wants p and a degree, or r and a width, not {self.kernel} {self.value}"
        )

    def _fit(self, X: np.ndarray, labels: np.ndarray) -> None:
        number = len(self.classes_)
        positive = [1] if number == 2 else list(range(number))
        self.machines_ = [self._machine(X.shape[1]).fit(X, labels == group) for group in positive]

    def _decide(self, X: np.ndarray) -> np.ndarray:
        return np.column_stack([machine.decision_function(X) for machine in self.machines_])


def svc(kernel: str, value: float) -> SupportVectors:
    """Return the support vector classifier, ``"svc p2"`` or ``"svc r 16"``.

    Parameters
    ----------
    kernel : {"p", "r"}
        Polynomial or radial basis functions.
    value : float
        Degree of the polynomial, or width of the functions.

    Returns
    -------
    SupportVectors
        Not fitted.
    """
    return SupportVectors(kernel, value)
