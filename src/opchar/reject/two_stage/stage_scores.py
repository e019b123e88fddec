"""The scores of a detector and a classifier, and the cost of given thresholds of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.reject.sweep import Floats, Ints

OUTLIER = -1
# Numbers of a block that stays in the cache of the processor.
TOGETHER = 1 << 15


@dataclass(frozen=True)
class SystemDesign:
    """Thresholds of both stages, and their cost.

    Attributes
    ----------
    theta_d : float
        An object passes the detector when its score is at least this; infinity lets none pass.
    theta_c : float or ndarray of shape (C,)
        Of two target classes: an object is of the first when its score is at least this. Of more:
        the weights of the classifier's outputs, which sum to one.
    misses : ndarray of shape (C,)
        Share of each target class that is not recognised as such, ``FN_r^ti``.
    fpr : float
        Share of the outliers that pass the detector, ``FP_r^o``.
    loss : float
        By Eq. 6.10.
    loss_of_rejecting_all : float
        What it costs to recognise nothing and accept nothing: the sum of ``c_ti p(w_ti)``.
    """

    theta_d: float
    theta_c: float | Floats
    misses: Floats
    fpr: float
    loss: float
    loss_of_rejecting_all: float

    @property
    def rejects_all(self) -> bool:
        """Whether nothing passes the detector, target or outlier."""
        return bool(self.fpr == 0 and np.all(self.misses == 1))


@dataclass(frozen=True)
class StageScores:
    """The scores of a detector and a classifier on one sample, and the cost of given thresholds.

    Parameters
    ----------
    label : array_like of int, shape (n,)
        The target class as a column of the classifier, -1 for outliers.
    detector : array_like of float, shape (n,)
        Higher is more like a target. Neither NaN nor plus infinity.
    classifier : array_like of float, shape (n, C) or (n,)
        Posteriors, or other outputs that are not negative, of the target classes; or, of two
        target classes, any score that is higher for the first. Those of outliers are used nowhere.

    Raises
    ------
    ValueError
        For unequal lengths, fewer than two target classes, a target class or the outlier class
        without objects, and scores that are no scores.

    Notes
    -----
    landgrebe2007, Sec. 6.2.2. An outlier that passes the detector is an error whatever the
    classifier calls it, so the loss has one term for each target class and one for outliers.

    Examples
    --------
    >>> sample = StageScores([0, 0, 1, 1, -1], [5, 3, 4, 2, 3.5], [9, 8, 1, 2, 5])
    >>> sample.design(4.0, 9.0, [2, 3, 10], priors=[1, 1, 1]).loss
    2.5
    """

    label: Ints
    detector: Floats
    classifier: Floats

    def __post_init__(self) -> None:
        for name, kind in (("label", np.intp), ("detector", float), ("classifier", float)):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=kind))
        if self.label.ndim != 1 or not (
            self.label.shape == self.detector.shape == self.classifier.shape[:1]
        ):
            raise ValueError(
                f"label, detector and classifier must be equally long, got shapes "
                f"{self.label.shape}, {self.detector.shape} and {self.classifier.shape}"
            )
        if self.n_classes < 2 or self.classifier.ndim > 2:
            raise ValueError("a two-stage system wants scores of two target classes or more")
        for number in range(OUTLIER, self.n_classes):
            if not np.any(self.label == number):
                name = "outliers" if number == OUTLIER else f"objects of target class {number}"
                raise ValueError(f"the sample has no {name}")
        if not OUTLIER <= self.label.min() <= self.label.max() < self.n_classes:
            raise ValueError(f"labels must lie in [-1, {self.n_classes - 1}]")
        self._check_scores()

    def _check_scores(self) -> None:
        if np.isnan(self.detector).any() or np.isposinf(self.detector).any():
            raise ValueError("scores of a detector must not be NaN or plus infinity")
        if not np.isfinite(self.classifier[self.is_target]).all():
            raise ValueError("scores of a classifier must be finite")
        if self.classifier.ndim == 2 and not (
            (self.classifier[self.is_target] >= 0).all()
            and (self.classifier[self.is_target].max(axis=1) > 0).all()
        ):
            raise ValueError("outputs of a classifier must not be negative, nor all be zero")

    @classmethod
    def from_labels(
        cls,
        y: ArrayLike,
        detector: ArrayLike,
        classifier: ArrayLike,
        *,
        classes: tuple[Any, ...] | list[Any],
        outlier: Any,
    ) -> Self:
        """Take the columns of a score table.

        Parameters
        ----------
        y : array_like of shape (n,)
            True classes by name.
        detector : array_like of float, shape (n,)
            Larger means more likely one of the target classes.
        classifier : array_like of float, shape (n, C)
            One column for each of `classes`.
        classes : sequence of length C
            Names of the target classes; of a column of the outlier class, which a score table has
            and the classifier does not know, no use is made.
        outlier : label
            Name of the outlier class.

        Returns
        -------
        StageScores
            Or the class that this is called of.

        Raises
        ------
        ValueError
            For a label that is neither, besides what the class itself refuses.
        """
        labels = np.asarray(y)
        numbers = np.full(labels.shape, OUTLIER - 1)
        columns = [column for column, name in enumerate(classes) if name != outlier]
        targets = [classes[column] for column in columns]
        for number, name in [(OUTLIER, outlier), *enumerate(targets)]:
            numbers[labels == name] = number
        if (numbers < OUTLIER).any():
            unknown = labels[numbers < OUTLIER][0]
            raise ValueError(
                f"class {str(unknown)!r} is neither a target class nor the outlier class"
            )
        scores = np.asarray(classifier, dtype=float)
        if scores.ndim != 2 or scores.shape[1] != len(classes):
            raise ValueError(f"{len(classes)} classes need as many columns, not {scores.shape}")
        return cls(numbers, np.asarray(detector), scores[:, columns])

    @property
    def n_classes(self) -> int:
        """Number of target classes."""
        if self.classifier.ndim == 1:
            return 2
        return self.classifier.shape[1] if self.classifier.ndim == 2 else 0

    @cached_property
    def is_target(self) -> NDArray[np.bool_]:
        """Whether each object is of a target class, shape (n,)."""
        return self.label != OUTLIER

    @cached_property
    def log_outputs(self) -> Floats:
        """Logarithms of the classifier's outputs, shape (n, C); zeros become the least number."""
        return np.log(np.maximum(self.classifier, np.finfo(float).tiny))

    @cached_property
    def score(self) -> Floats:
        """What ``theta_c`` is a threshold of, for two classes: the log odds of the first."""
        if self.classifier.ndim == 1:
            return np.where(self.is_target, self.classifier, 0.0)
        if self.n_classes != 2:
            raise ValueError("more than two target classes have weights, not one threshold")
        odds = self.log_outputs[:, 0] - self.log_outputs[:, 1]
        return np.where(self.is_target, odds, 0.0)

    @cached_property
    def sizes(self) -> Ints:
        """Objects of each target class and, last, outliers."""
        return np.bincount(np.where(self.is_target, self.label, self.n_classes))

    def assign(self, theta_c: float | ArrayLike) -> Ints:
        """Return the target class that the classifier gives each object, shape (n,) or (k, n).

        Parameters
        ----------
        theta_c : float or array_like of shape (C,) or (k, C)
            As in `SystemDesign`, or k weightings.
        """
        theta = np.asarray(theta_c, dtype=float)
        if theta.ndim == 0:
            return np.where(self.score >= theta, 0, 1)
        known = theta.ndim <= 2 and theta.shape[-1] == self.n_classes
        if not known or (theta < 0).any() or not theta.any(axis=-1).all():
            raise ValueError(f"weights must be {self.n_classes} numbers that are not negative")
        if self.classifier.ndim == 1:
            raise ValueError("one score for two classes has a threshold, not weights")
        with np.errstate(divide="ignore"):
            return np.argmax(self.log_outputs + np.log(theta)[..., np.newaxis, :], axis=-1)

    def recognised_targets(self, theta_cs: Sequence[Any] | Floats) -> Iterator[NDArray[np.bool_]]:
        """Yield which targets the classifier gives their class, for several thresholds at a time.

        Parameters
        ----------
        theta_cs : sequence of float, or of array_like of shape (C,)
            Each as in `SystemDesign`.

        Yields
        ------
        ndarray of shape (k, n)
            For the next k of them, as many as stay near the processor.
        """
        step = max(1, TOGETHER // max(len(self.label), 1))
        for start in range(0, len(theta_cs), step):
            part = theta_cs[start : start + step]
            if np.ndim(part[0]) == 0:
                first = self.score >= np.asarray(part, dtype=float)[:, np.newaxis]
                yield np.where(first, self.label == 0, self.label == 1)
            else:
                yield self.is_target & (self.assign(part) == self.label)

    def rates(self, theta_d: float, theta_c: float | ArrayLike) -> tuple[Floats, float]:
        """Return the share of each target class that is missed, and of outliers that pass.

        Parameters
        ----------
        theta_d : float
            Objects that score less are rejected by the detector.
        theta_c : float or array_like of shape (C,)
            Of two target classes the threshold of their log odds, else log weights of the classes.

        Returns
        -------
        misses : ndarray of shape (C,)
            Shares of each target class that are rejected, or given another class.
        fpr : float
            Source: landgrebe2007, Eq. 6.8.
        """
        if np.isnan(theta_d):
            raise ValueError("a threshold of the detector must be a number")
        passes = self.detector >= theta_d
        right = passes & (self.assign(theta_c) == self.label)
        found = np.bincount(self.label[right], minlength=self.n_classes)
        fpr = float(passes[~self.is_target].mean())
        return 1 - found / self.sizes[:-1], fpr

    def weights(self, costs: ArrayLike, priors: ArrayLike | None = None) -> Floats:
        """Return cost times prior of each target class and, last, of the outliers.

        Parameters
        ----------
        costs : array_like of shape (C + 1,)
            ``c_t1 ... c_tn, c_o``, not negative.
        priors : array_like of shape (C + 1,), optional
            Not negative; shares of the sample if not given. They need not sum to one: with ones the
            loss is that of the example of Sec. 6.2.2, ``2 eps_I + 3 eps_II + 10 FP_r^o``.

        Returns
        -------
        ndarray of shape (C + 1,)
            In the units of the costs.
        """
        shares = self.sizes / self.sizes.sum() if priors is None else np.asarray(priors, float)
        given = np.asarray(costs, dtype=float)
        for name, numbers in (("costs", given), ("priors", shares)):
            if numbers.shape != self.sizes.shape or not ((numbers >= 0) & (numbers < np.inf)).all():
                raise ValueError(
                    f"{name} must be {len(self.sizes)} numbers that are not negative, one a target "
                    f"class and one for outliers, got {numbers.tolist()}"
                )
        return given * shares

    def design(
        self,
        theta_d: float,
        theta_c: float | ArrayLike,
        costs: ArrayLike,
        priors: ArrayLike | None = None,
    ) -> SystemDesign:
        """Return the cost of given thresholds on this sample.

        Thresholds set on one sample are judged on another by this method of the other.

        Parameters
        ----------
        theta_d, theta_c
            As in `SystemDesign`.
        costs, priors
            As for `weights`.

        Returns
        -------
        SystemDesign
            The thresholds, their errors on this sample, and the loss.
        """
        weights = self.weights(costs, priors)
        misses, fpr = self.rates(theta_d, theta_c)
        theta = np.asarray(theta_c, dtype=float)
        return SystemDesign(
            theta_d=float(theta_d),
            theta_c=float(theta) if theta.ndim == 0 else theta,
            misses=misses,
            fpr=fpr,
            loss=float(weights[:-1] @ misses + weights[-1] * fpr),
            loss_of_rejecting_all=float(weights[:-1].sum()),
        )

    def loss_surface(
        self,
        theta_ds: ArrayLike,
        theta_cs: ArrayLike,
        costs: ArrayLike,
        priors: ArrayLike | None = None,
    ) -> Floats:
        """Return the loss at all pairs of given thresholds, for two target classes.

        Parameters
        ----------
        theta_ds : array_like of shape (m,)
            Thresholds of the detector.
        theta_cs : array_like of shape (k,)
            Thresholds of the classifier.
        costs, priors
            As for `weights`.

        Returns
        -------
        ndarray of shape (m, k)
            In the order of the thresholds given.
        """
        weights = self.weights(costs, priors)
        first, second, flat = self._steps(weights)
        ds, cs = np.asarray(theta_ds, dtype=float), np.asarray(theta_cs, dtype=float)
        rows, columns = np.sort(ds), np.sort(cs)
        d = np.searchsorted(rows, self.detector, side="right")
        c = np.searchsorted(columns, self.score, side="right")
        shape = len(rows) + 1, len(columns) + 1
        table = np.zeros(shape)
        np.add.at(table, (d, c), first)
        above = table[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1][1:, 1:]
        below = np.zeros(shape)
        np.add.at(below, (d, c), second)
        below = below[::-1].cumsum(axis=0)[::-1].cumsum(axis=1)[1:, :-1]
        passing = np.bincount(d, flat, minlength=shape[0])[::-1].cumsum()[::-1][1:, None]
        surface = weights[:-1].sum() + above + below + passing
        return surface[np.searchsorted(rows, ds)][:, np.searchsorted(columns, cs)]

    def _steps(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what each object adds to the loss when it passes and is called first, second.

        The third array is its contribution under any name.
        """
        share = (weights / self.sizes)[self.label]
        outlier = np.where(self.is_target, 0.0, share)
        first = np.where(self.label == 0, -share, 0.0)
        second = np.where(self.label == 1, -share, 0.0)
        return first, second, outlier
