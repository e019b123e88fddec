"""The full operating characteristic of a classifier that may reject, from scored objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from opchar.reject.analytic import RejectRates
from opchar.reject.operating_point import OperatingPoint
from opchar.reject.sweep import Floats, Ints, least_over_pairs, most_within_limits
from opchar.ties import at_most, first_least

KINDS = ("target", "outlier", "unseen")


@dataclass(frozen=True)
class RejectCharacteristic:
    """All operating points of a classifier with a classification and a rejection threshold.

    Parameters
    ----------
    target, outlier, unseen : array_like of float, shape (n_k, 2)
        Of each object the score that `theta` is a threshold of and the typicality for the target
        class that `t_d` is a threshold of, such as its density or minus a distance; higher is more
        like a target in both. Neither NaN nor plus infinity. `outlier` and `unseen` may be empty:
        their rates are NaN, and what needs them is refused.

    Raises
    ------
    ValueError
        For arrays of another shape, scores that are no scores, or no targets.

    Notes
    -----
    landgrebe2007, Eqs. 5.11 to 5.13, as rates within each class (Eqs. 5.9 and 5.12 multiply them by
    priors, which would keep ``TP_r`` below the prior of the target). An object on a threshold is
    accepted, as in Eq. 5.5; Eq. 5.13 rejects it.

    Examples
    --------
    >>> sample = RejectCharacteristic(
    ...     target=[[0.9, 0.4], [0.7, 0.5]], outlier=[[0.2, 0.3]], unseen=[[0.8, 0.1], [0.6, 0.2]]
    ... )
    >>> sample.at(theta=0.5, t_d=0.15)
    OperatingPoint(theta=0.5, t_d=0.15, tpr=1.0, fpr_outlier=0.0, fpr_unseen=0.5, loss=nan, \
loss_of_rejecting_all=nan)
    >>> best = sample.optimum(costs=(1, 1, 1), priors=(0.5, 0.5), unseen_share=0.2)
    >>> best.theta, best.t_d, best.loss
    (0.7, 0.4, 0.0)
    """

    target: Floats
    outlier: Floats
    unseen: Floats

    def __post_init__(self) -> None:
        for kind in KINDS:
            scores = np.asarray(getattr(self, kind), dtype=float)
            scores = scores.reshape(0, 2) if scores.size == 0 else scores
            if scores.ndim != 2 or scores.shape[1] != 2:
                raise ValueError(
                    f"scores of {kind} objects must have shape (n, 2): classification score and "
                    f"typicality; got {scores.shape}"
                )
            if np.isnan(scores).any() or np.isposinf(scores).any():
                raise ValueError(f"scores of {kind} objects must not be NaN or plus infinity")
            object.__setattr__(self, kind, scores)
        if not len(self.target):
            raise ValueError("an operating characteristic needs at least one target object")

    @classmethod
    def from_labels(
        cls,
        y: ArrayLike,
        score: ArrayLike,
        typicality: ArrayLike,
        *,
        target: Any,
        outlier: Any,
        unseen: Any = (),
    ) -> RejectCharacteristic:
        """Take the columns of a score table.

        Parameters
        ----------
        y : array_like of shape (n,)
            Classes by name.
        score, typicality : array_like of float, shape (n,)
            The classifier's and the rejecting detector's.
        target, outlier, unseen : label or sequence of labels
            Which classes are of each kind; objects of others are left out.

        Returns
        -------
        RejectCharacteristic
            The objects by kind: target, known outlier, unseen.
        """
        labels = np.asarray(y)
        pairs = np.column_stack([np.asarray(score, float), np.asarray(typicality, float)])
        if labels.shape != pairs.shape[:1]:
            raise ValueError(f"y has shape {labels.shape}, the scores {pairs.shape[:1]}")
        names = labels.astype(object)
        return cls(
            *(
                pairs[np.isin(names, np.atleast_1d(np.asarray(kind, dtype=object)))]
                for kind in (target, outlier, unseen)
            )
        )

    @property
    def sizes(self) -> Ints:
        """Numbers of targets, known outliers and unseen objects."""
        return np.array([len(self.target), len(self.outlier), len(self.unseen)])

    @property
    def thetas(self) -> Floats:
        """All classification thresholds that matter, ascending: the targets' scores, infinity.

        Between two of them a higher threshold loses no target.
        """
        return np.append(np.unique(self.target[:, 0]), np.inf)

    @property
    def distances(self) -> Floats:
        """All rejection thresholds that matter, ascending: the targets' typicality, infinity."""
        return np.append(np.unique(self.target[:, 1]), np.inf)

    def at(self, theta: float, t_d: float) -> OperatingPoint:
        """Return the rates at a pair of thresholds.

        Parameters
        ----------
        theta, t_d : float
            Any numbers but NaN: `t_d` above all objects rejects all, below all none.

        Returns
        -------
        OperatingPoint
            The thresholds with their three rates.
        """
        rates = self.surface([theta], [t_d])
        return OperatingPoint(
            float(theta),
            float(t_d),
            float(rates.tpr[0, 0]),
            float(rates.fpr_outlier[0, 0]),
            float(rates.fpr_reject[0, 0]),
        )

    def surface(self, thetas: ArrayLike, distances: ArrayLike) -> RejectRates:
        """Return the rates at all pairs of given thresholds.

        Parameters
        ----------
        thetas : array_like of shape (k,)
            Classification thresholds, on the scale of the scores.
        distances : array_like of shape (m,)
            Rejection thresholds t_d, on the scale of the typicality.

        Returns
        -------
        RejectRates
            In ascending order of both. A single `distances` is a section at that t_d, the ROC in
            three dimensions; a single `thetas` the section at that theta.

        Raises
        ------
        ValueError
            For thresholds that are NaN.
        """
        columns, rows = (np.sort(np.atleast_1d(np.asarray(t, float))) for t in (thetas, distances))
        if np.isnan(columns).any() or np.isnan(rows).any():
            raise ValueError("thresholds must be numbers")
        tables = []
        for scores in (self.target, self.outlier, self.unseen):
            cell = (
                np.searchsorted(rows, scores[:, 1], side="right"),
                np.searchsorted(columns, scores[:, 0], side="right"),
            )
            counts = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.int64)
            np.add.at(counts, cell, 1)
            above = counts[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1][1:, 1:]
            tables.append(above / len(scores) if len(scores) else np.full(above.shape, np.nan))
        return RejectRates(columns, rows, *tables)

    def weights(
        self, costs: ArrayLike, priors: ArrayLike = (0.5, 0.5), unseen_share: float = 0.0
    ) -> Floats:
        """Return cost times prior of missing a target, and of accepting the two other kinds.

        Parameters
        ----------
        costs : array_like of shape (3,)
            ``c_t, c_o, c_r``, not negative.
        priors : array_like of shape (2,)
            Of targets and known outliers among the known objects, not negative, of sum one.
        unseen_share : float
            Assumed share of unseen objects among all, in [0, 1).

        Returns
        -------
        ndarray of shape (3,)
            In the order: missing a target, accepting an outlier, accepting an unseen object.

        Raises
        ------
        ValueError
            For numbers out of range, or a positive weight of a kind without objects.
        """
        given, known = np.asarray(costs, dtype=float), np.asarray(priors, dtype=float)
        if given.shape != (3,) or not ((given >= 0) & (given < np.inf)).all():
            raise ValueError(f"costs must be three numbers that are not negative, got {given}")
        if known.shape != (2,) or not (known >= 0).all() or not np.isclose(known.sum(), 1):
            raise ValueError(f"priors of targets and outliers must sum to one, got {known}")
        if not 0 <= unseen_share < 1:
            raise ValueError(f"the share of unseen objects must be in [0, 1), got {unseen_share}")
        weights = given * np.append(known * (1 - unseen_share), unseen_share)
        for kind, size, weight in zip(KINDS, self.sizes, weights, strict=True):
            if weight > 0 and not size:
                raise ValueError(f"the sample has no {kind} objects, and their weight is {weight}")
        return weights

    def loss(self, point: OperatingPoint, weights: Floats) -> float:
        """Return the loss of an operating point (landgrebe2007, Eq. 5.17).

        Parameters
        ----------
        point : OperatingPoint
            Of this sample or of another one.
        weights : ndarray of shape (3,)
            From `weights`: cost times prior. Eq. 5.17 has the thresholds among the factors, and no
            ``c_r``: with them the loss would be least where they are zero.
        """
        errors = 1 - point.tpr, point.fpr_outlier, point.fpr_unseen
        return float(sum(w * e for w, e in zip(weights, errors, strict=True) if w > 0))

    def optimum(
        self, costs: ArrayLike, priors: ArrayLike = (0.5, 0.5), unseen_share: float = 0.0
    ) -> OperatingPoint:
        """Return the pair of thresholds of least loss, exactly over all pairs.

        Parameters
        ----------
        costs, priors, unseen_share
            As for `weights`.

        Returns
        -------
        OperatingPoint
            With the loss, and beside it that of rejecting all, which is among the pairs.

        Notes
        -----
        landgrebe2007, Sec. 5.3.3; in ``n log n`` (`opchar.reject.sweep`). Of several with the least
        loss, one of those with the strictest rejection.
        """
        weights = self.weights(costs, priors, unseen_share)
        scores = np.concatenate([self.target, self.outlier, self.unseen])
        signed = np.append(-weights[0], weights[1:])
        change = np.repeat(signed / np.maximum(self.sizes, 1), self.sizes)
        pairs = least_over_pairs(scores[:, 1], scores[:, 0], change, np.zeros(len(scores)))
        return self._with_costs(pairs.inner[pairs.best], pairs.outer[pairs.best], weights)

    def _with_costs(self, theta: float, t_d: float, weights: Floats) -> OperatingPoint:
        point = self.at(theta, t_d)
        return OperatingPoint(
            point.theta,
            point.t_d,
            point.tpr,
            point.fpr_outlier,
            point.fpr_unseen,
            self.loss(point, weights),
            float(weights[0]),
        )

    def classification_first(
        self, costs: ArrayLike, priors: ArrayLike = (0.5, 0.5), unseen_share: float = 0.0
    ) -> OperatingPoint:
        """Return theta set for the known classes without rejection, then t_d for all at that theta.

        Parameters
        ----------
        costs, priors, unseen_share
            As for `weights`.

        Returns
        -------
        OperatingPoint
            Its loss is never below that of `optimum`.

        Notes
        -----
        landgrebe2007, Sec. 5.3.3: "the classification threshold should be optimised first".
        """
        weights = self.weights(costs, priors, unseen_share)
        target, outlier = (
            np.where([True, False], scores, 0.0) for scores in (self.target, self.outlier)
        )
        accept = RejectCharacteristic(target, outlier, np.empty((0, 2)))
        theta = accept.optimum((*np.asarray(costs, float)[:2], 0.0), priors).theta
        rates = self.surface([theta], self.distances)
        losses = weights[0] * (1 - rates.tpr[:, 0])
        for weight, table in zip(weights[1:], (rates.fpr_outlier, rates.fpr_reject), strict=True):
            losses = losses + weight * table[:, 0] if weight > 0 else losses
        strictest = len(losses) - 1 - int(first_least(losses[::-1]))
        return self._with_costs(theta, float(rates.distances[strictest]), weights)

    def equal_error_theta(self) -> float:
        """Return the theta at which both error rates of the known classes are nearest.

        Returns
        -------
        float
            Without rejection; the highest of several (landgrebe2007, Sec. 5.3.4).

        Raises
        ------
        ValueError
            Without known outliers.
        """
        self.needs("outlier")
        thetas = np.append(np.unique(np.concatenate([self.target, self.outlier])[:, 0]), np.inf)
        rates = self.surface(thetas, [-np.inf])
        apart = np.abs(1 - rates.tpr[0] - rates.fpr_outlier[0])
        return float(thetas[len(thetas) - 1 - int(first_least(apart[::-1], scale=1.0))])

    def within_limits(
        self, max_outlier: float = 1.0, max_unseen: float = 1.0, min_target: float = 0.0
    ) -> OperatingPoint:
        """Return the pair of thresholds with most targets among those that keep limits on errors.

        Parameters
        ----------
        max_outlier, max_unseen : float
            Largest admissible ``FP_r^o`` and ``FP_r^r``, in [0, 1].
        min_target : float
            Least admissible ``TP_r``, in [0, 1]: one less the largest share of missed targets.

        Returns
        -------
        OperatingPoint
            Exact over all pairs, in ``n log n``; of several, one with the strictest rejection.

        Raises
        ------
        ValueError
            For limits outside [0, 1], or below one for a kind without objects; and when no pair
            of thresholds keeps all limits, with the largest ``TP_r`` that the other two allow.
        """
        if not 0 <= min_target <= 1:
            raise ValueError(f"the limit on target objects must be in [0, 1], got {min_target}")
        allowed = [
            self._allowed_count(limit, kind)
            for limit, kind in ((max_outlier, "outlier"), (max_unseen, "unseen"))
        ]
        scores = np.concatenate([self.target, self.outlier, self.unseen])
        kinds = np.repeat(np.arange(3), self.sizes)
        found, best = most_within_limits(scores[:, 1], scores[:, 0], kinds, allowed)
        if (reached := found / len(self.target)) < min_target:
            raise ValueError(
                f"no thresholds keep all limits: TP_r is at most {reached:.4g}, not {min_target:g}"
            )
        return self.at(*best)

    def _allowed_count(self, limit: float, kind: str) -> int:
        """Return how many objects of a kind may be accepted."""
        if not 0 <= limit <= 1:
            raise ValueError(f"the limit on {kind} objects must be in [0, 1], got {limit}")
        if limit < 1:
            self.needs(kind)
        size = len(getattr(self, kind))
        return int(at_most(np.arange(size + 1) / max(size, 1), limit).sum()) - 1

    def needs(self, *kinds: str) -> None:
        """Raise ValueError unless the sample has objects of the kinds named."""
        for kind in kinds:
            if not len(getattr(self, kind)):
                raise ValueError(f"the sample has no {kind} objects")
