"""Plots in the manner of scikit-learn's displays: F-measure, cost and Brier curves.

Each display draws one classifier over all operating conditions. It is made of plain arrays, a
condition and the height of the curve there, as the figures of the works do with the curves of their
experiments; or from a fitted estimator, from predictions, or from the folds of a cross-validation
(mean and spread), which compute the curve and are meant for one's own classifiers.

Examples
--------
>>> import numpy as np
>>> prior = np.array([0.0, 0.5, 1.0])
>>> display = CostCurveDisplay(prior, [[0.0, 0.3, 0.0], [0.0, 0.1, 0.0]], name="two folds")
>>> display.mean.round(3).tolist(), display.spread.round(3).tolist()
([0.0, 0.2, 0.0], [0.0, 0.141, 0.0])
>>> line = display.plot(legend=False).line_
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from opchar.spaces.brier import brier_curve
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints, operating_points

GRID = 1001

_D = TypeVar("_D", bound="ConditionDisplay")


@dataclass
class ConditionDisplay(ABC):
    """One or more curves of a classifier over an operating condition in [0, 1].

    Use a subclass; each says what its curve is.

    Parameters
    ----------
    condition : array_like of float, shape (g,)
        Ascending operating conditions.
    curves : array_like of float, shape (g,) or (folds, g)
        The height of the curve there; one curve a fold when cross-validated.
    name : str, optional
        For the legend.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where `plot` drew.
    line_ : matplotlib.lines.Line2D
        The curve, or the mean of the folds.
    band_ : matplotlib.collections.PolyCollection or None
        One standard deviation (n - 1) around the mean of several folds.
    """

    condition: Any
    curves: Any
    name: str | None = None
    ax_: Axes = field(init=False, repr=False)
    figure_: Any = field(init=False, repr=False)
    line_: Any = field(init=False, repr=False)
    band_: Any = field(init=False, repr=False, default=None)

    x_label: ClassVar[str]
    y_label: ClassVar[str]
    weights: ClassVar[dict[str, float]] = {}
    wants_probabilities: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.condition = np.asarray(self.condition, dtype=float)
        self.curves = np.atleast_2d(np.asarray(self.curves, dtype=float))
        if self.curves.ndim != 2 or self.condition.shape != self.curves.shape[1:]:
            raise ValueError(
                "curves need one height a condition, got shapes "
                f"{self.condition.shape} and {self.curves.shape}"
            )

    @staticmethod
    @abstractmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: float) -> np.ndarray:
        """Return the curve of one classifier at given operating conditions."""

    @classmethod
    def from_predictions(
        cls: type[_D],
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = 1,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> _D:
        """Draw from labels and scores.

        Parameters
        ----------
        y_true : array_like, shape (n,)
            Labels.
        y_score : array_like of float, shape (n,)
            Higher means more positive.
        pos_label : object
            The positive class.
        name : str, optional
            For the legend.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure when not given.
        **options
            Weights of the curve, such as ``alpha`` of `FMeasureDisplay`; the rest goes to
            ``Axes.plot``.

        Returns
        -------
        ConditionDisplay
            The display, drawn.

        Raises
        ------
        ValueError
            If the labels do not hold both classes.
        """
        return cls._drawn([_points(y_true, y_score, pos_label)], name, ax, options)

    @classmethod
    def from_estimator(
        cls: type[_D],
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> _D:
        """Draw from a fitted two-class estimator and test data.

        Parameters
        ----------
        estimator : object
            With ``classes_`` and ``decision_function`` or ``predict_proba``.
        X, y
            Test data.
        pos_label : object, optional
            The positive class; the second of ``classes_`` when not given.
        name, ax, **options
            See `from_predictions`; the name is that of the estimator when not given.

        Returns
        -------
        ConditionDisplay
            The display, drawn.

        Raises
        ------
        ValueError
            If the estimator or the labels do not have two classes, or `pos_label` is none of them.
        """
        points = _estimator_points(estimator, X, y, pos_label, cls.wants_probabilities)
        return cls._drawn([points], name or type(estimator).__name__, ax, options)

    @classmethod
    def from_cv_results(
        cls: type[_D],
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> _D:
        """Draw mean and spread of the test folds of a cross-validation.

        Parameters
        ----------
        cv_results : mapping
            From ``cross_validate(..., return_estimator=True, return_indices=True)``.
        X, y
            The data that was cross-validated.
        pos_label, name, ax, **options
            See `from_estimator` and `from_predictions`.

        Returns
        -------
        ConditionDisplay
            The display, drawn.

        Raises
        ------
        ValueError
            If `cv_results` lacks estimators or indices, or a fold does not have both classes.
        """
        if "estimator" not in cv_results or "indices" not in cv_results:
            raise ValueError(
                "cv_results must come from cross_validate(..., return_estimator=True, "
                "return_indices=True)"
            )
        labels = np.asarray(y)
        folds = zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)
        points = [
            _estimator_points(
                estimator, _rows(X, test), labels[test], pos_label, cls.wants_probabilities
            )
            for estimator, test in folds
        ]
        return cls._drawn(points, name, ax, options)

    @property
    def mean(self) -> np.ndarray:
        """The mean curve over folds, shape (g,)."""
        return self.curves.mean(axis=0)

    @property
    def spread(self) -> np.ndarray:
        """The standard deviation (n - 1) over folds, shape (g,); zeros for a single curve."""
        if len(self.curves) == 1:
            return np.zeros_like(self.condition)
        return self.curves.std(axis=0, ddof=1)

    def plot(
        self: _D,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> _D:
        """Draw the curve, with a band of one standard deviation for several folds.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure when not given.
        name : str, optional
            For the legend instead of the display's own.
        legend : bool
            Whether to draw a legend when there is a name.
        **line
            Passed on to ``Axes.plot``.

        Returns
        -------
        ConditionDisplay
            Itself.
        """
        if ax is None:
            _, ax = plt.subplots()
        label = name or self.name
        (self.line_,) = ax.plot(self.condition, self.mean, **({"label": label} | line))
        if len(self.curves) > 1:
            low, high = self.mean - self.spread, self.mean + self.spread
            colour = self.line_.get_color()
            self.band_ = ax.fill_between(
                self.condition, low.clip(0, 1), high.clip(0, 1), color=colour, alpha=0.2, lw=0
            )
        ax.set(xlabel=self.x_label, ylabel=self.y_label, xlim=(0, 1))
        if label and legend:
            ax.legend()
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @classmethod
    def _drawn(
        cls: type[_D],
        folds: list[OperatingPoints],
        name: str | None,
        ax: Axes | None,
        options: dict[str, Any],
    ) -> _D:
        weights = {key: options.pop(key, value) for key, value in cls.weights.items()}
        condition = np.linspace(0, 1, GRID)
        curves = np.stack([cls.curve(points, condition, **weights) for points in folds])
        return cls(condition, curves, name).plot(ax, **options)


class FMeasureDisplay(ConditionDisplay):
    """Best F-measure over the prior P(+): the upper envelope of all thresholds' F curves.

    Its option ``alpha`` is the weight of precision, 0.5 when not given.

    References
    ----------
    soleymani2020, Sec. 3.
    """

    x_label = "P(+)"
    y_label = r"$F_\alpha$"
    weights: ClassVar[dict[str, float]] = {"alpha": 0.5}

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: float) -> np.ndarray:
        """Return the best F-measure at given priors."""
        return upper_envelope(points, weights["alpha"])(condition)


class CostCurveDisplay(ConditionDisplay):
    """Least normalised expected cost over PC(+): the lower envelope of all cost lines.

    References
    ----------
    soleymani2020, Sec. 2.3.
    """

    x_label = "PC(+)"
    y_label = "normalised expected cost"

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: float) -> np.ndarray:
        """Return the least normalised expected cost at given probability costs."""
        return lower_envelope(points)(condition)


class BrierCurveDisplay(ConditionDisplay):
    """Expected cost over PC(+) when scores are taken for probabilities.

    References
    ----------
    soleymani2020, Sec. 2.3.
    """

    x_label = "PC(+)"
    y_label = "normalised expected cost"
    wants_probabilities = True

    @staticmethod
    def curve(points: OperatingPoints, condition: np.ndarray, **weights: float) -> np.ndarray:
        """Return the expected cost of believing the scores at given probability costs."""
        return brier_curve(points, condition)


def _points(y_true: ArrayLike, y_score: ArrayLike, pos_label: Any) -> OperatingPoints:
    is_positive = np.asarray(y_true) == pos_label
    if is_positive.all() or not is_positive.any():
        raise ValueError(f"y_true needs objects of class {pos_label!r} and others")
    return operating_points(is_positive, y_score)


def _estimator_points(
    estimator: Any, X: Any, y: ArrayLike, pos_label: Any, wants_probabilities: bool
) -> OperatingPoints:
    classes = list(estimator.classes_)
    if len(classes) != 2:
        raise ValueError(f"the estimator has {len(classes)} classes; these curves are for two")
    positive = classes[1] if pos_label is None else pos_label
    if positive not in classes:
        raise ValueError(f"pos_label {positive!r} is none of the classes {classes}")
    column = classes.index(positive)
    if wants_probabilities or not hasattr(estimator, "decision_function"):
        score = estimator.predict_proba(X)[:, column]
    else:
        score = estimator.decision_function(X) * (1 if column == 1 else -1)
    return _points(y, score, positive)


def _rows(X: Any, test: np.ndarray) -> Any:
    return X.iloc[test] if hasattr(X, "iloc") else X[test]
