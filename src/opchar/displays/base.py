"""What all displays share: from an estimator, from predictions, or from the folds of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from opchar.spaces.scored.sample import points_of

GRID = 1001

_D = TypeVar("_D", bound="ConditionDisplay")


@dataclass
class ConditionDisplay(ABC):
    """One or more curves of a classifier over a condition in [0, 1].

    Use a subclass; each says what its curve is.

    Parameters
    ----------
    condition : array_like of float, shape (g,)
        Ascending operating conditions, or the rate on the horizontal axis.
    curves : array_like of float, shape (g,) or (folds, g)
        The height of the curve there; one curve per fold when cross-validated.
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
    weights: ClassVar[dict[str, Any]] = {}
    wants_probabilities: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

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
    def curve(points: Any, condition: np.ndarray, **weights: Any) -> np.ndarray:
        """Return the curve of one classifier at given operating conditions.

        Parameters
        ----------
        points : OperatingPoints
            Of the sample, see `operating_points`.
        condition : ndarray of float, shape (g,)
            Operating conditions in [0, 1].
        **weights
            Those of the display.

        Returns
        -------
        ndarray of float, shape (g,)
            Height of the curve at each condition.
        """

    @classmethod
    def grid(cls) -> np.ndarray:
        """Return the operating conditions at which curves are computed.

        Returns
        -------
        ndarray of float, shape (g,)
            Even and ascending from 0 to 1.
        """
        return np.linspace(0, 1, GRID)

    @classmethod
    def sample(cls, y_true: ArrayLike, y_score: ArrayLike, **given: Any) -> Any:
        """Return the input of `curve`.

        Parameters
        ----------
        y_true, y_score
            See `from_predictions`.
        **given
            ``pos_label`` and ``sample_weight``.

        Returns
        -------
        OperatingPoints
            From (0, 0) to (1, 1), thresholds descending.
        """
        return points_of(y_true, y_score, **given)

    @classmethod
    def scores(cls, estimator: Any, X: Any, pos_label: Any) -> tuple[ArrayLike, dict[str, Any]]:
        """Return what a fitted estimator gives to `sample`.

        Parameters
        ----------
        estimator : object
            A fitted classifier of two classes.
        X
            Test data.
        pos_label : object, optional
            The positive class; None for the estimator's second class.

        Returns
        -------
        y_score : ndarray
            Score of each row of `X`; higher means more positive.
        given : dict
            Further arguments of `sample`.

        Raises
        ------
        ValueError
            If the estimator does not have two classes, or `pos_label` is none of them.
        """
        return _binary_scores(estimator, X, pos_label, cls.wants_probabilities)

    @classmethod
    def from_predictions(
        cls: type[_D],
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
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
        pos_label : object, optional
            The positive class; when not given, as `opchar.points_of` says.
        sample_weight : array_like of float, shape (n,), optional
            How often each object counts.
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
        given = {"sample_weight": sample_weight}
        if pos_label is not None:
            given["pos_label"] = pos_label
        return cls._draw_folds([cls.sample(y_true, y_score, **given)], name, ax, options)

    @classmethod
    def from_estimator(
        cls: type[_D],
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
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
        sample_weight, name, ax, **options
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
        score, given = cls.scores(estimator, X, pos_label)
        points = cls.sample(y, score, sample_weight=sample_weight, **given)
        return cls._draw_folds([points], name or type(estimator).__name__, ax, options)

    @classmethod
    def from_cv_results(
        cls: type[_D],
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
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
        pos_label, sample_weight, name, ax, **options
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
        weight = None if sample_weight is None else np.asarray(sample_weight)
        points = []
        for estimator, test in zip(
            cv_results["estimator"], cv_results["indices"]["test"], strict=True
        ):
            score, given = cls.scores(estimator, _rows(X, test), pos_label)
            part = None if weight is None else weight[test]
            points.append(cls.sample(labels[test], score, sample_weight=part, **given))
        return cls._draw_folds(points, name, ax, options)

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
            ends = self.mean - self.spread, self.mean + self.spread
            low, high = (end.clip(*self.bounds) for end in ends)
            colour = self.line_.get_color()
            self.band_ = ax.fill_between(self.condition, low, high, color=colour, alpha=0.2, lw=0)
        ax.set(xlabel=self.x_label, ylabel=self.y_label)
        self._dress(ax)
        if label and legend:
            ax.legend()
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _dress(self, ax: Axes) -> None:
        """Set what a space needs of its axes beside labels."""
        ax.set_xlim(0, 1)

    @classmethod
    def _draw_folds(
        cls: type[_D], folds: list[Any], name: str | None, ax: Axes | None, options: dict[str, Any]
    ) -> _D:
        weights = {key: options.pop(key, value) for key, value in cls.weights.items()}
        condition = cls.grid()
        curves = np.stack([cls.curve(points, condition, **weights) for points in folds])
        return cls(condition, curves, name).plot(ax, **options)


def _binary_scores(
    estimator: Any, X: Any, pos_label: Any, wants_probabilities: bool
) -> tuple[np.ndarray, dict[str, Any]]:
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
    return score, {"pos_label": positive}


def _rows(X: Any, test: np.ndarray) -> Any:
    return X.iloc[test] if hasattr(X, "iloc") else X[test]
