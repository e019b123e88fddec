"""Systems of a detector and a classifier: exact design for costs and priors from scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.arguments import floats
from opchar.reject.sweep import Floats, least_over_pairs
from opchar.reject.two_stage.stage_scores import StageScores, SystemDesign
from opchar.reject.two_stage.weight_search import PassingTargets, WeightSearch
from opchar.ties import EQUAL, first_largest, first_least

DetectorCriterion = Literal["summed", "single", "each"]
Grid = tuple[ArrayLike, Sequence[Any] | Floats]


@dataclass(frozen=True)
class TwoStageScores(StageScores):
    """The thresholds of both stages that cost least on one sample; fields as in `StageScores`.

    Notes
    -----
    landgrebe2007, Secs. 6.2.2 and 6.2.4.

    Examples
    --------
    >>> sample = TwoStageScores([0, 0, 1, 1, -1], [5, 3, 4, 2, 3.5], [9, 8, 1, 2, 5])
    >>> design = sample.holistic([2, 3, 10], priors=[1, 1, 1])
    >>> design.theta_d, design.theta_c, design.loss
    (4.0, 9.0, 2.5)
    """

    def holistic(
        self,
        costs: ArrayLike,
        priors: ArrayLike | None = None,
        *,
        steps: int = 12,
        refine: bool = True,
        grid: Grid | None = None,
    ) -> SystemDesign:
        """Return the thresholds of both stages that together have the least loss on this sample.

        Parameters
        ----------
        costs, priors
            As for `weights`.
        steps : int
            For three target classes or more: weights per axis of the starting grid; 12 published.
        refine : bool
            For three target classes or more: whether to improve on the grid.
        grid : (theta_ds, theta_cs), optional
            Only these thresholds: of the detector, and of the classifier (thresholds for two target
            classes, weightings for more), as the thesis' experiments have them.

        Returns
        -------
        SystemDesign
            Of several with the least loss, one of those whose detector is strictest.

        Notes
        -----
        landgrebe2007, Sec. 6.2.2. Of two target classes the optimum is exact over all pairs of
        thresholds, in ``n log n`` (`opchar.reject.sweep`). Of more, the rules are all positive
        weightings of the outputs (Eq. 6.3): the loss is least over a grid of weights, exactly over
        all thresholds of the detector for each. ``refine`` then moves one weight at a time to its
        exact optimum over all its values and all thresholds of the detector. It stops at an optimum
        along every axis, which need not be the best of all. (The thesis proposes such a search
        after Lachiche and Flach, 2003.)
        """
        weights = self.weights(costs, priors)
        if grid is not None:
            theta_d, theta_c = self._best_of(grid, weights)
            return self.design(theta_d, theta_c, costs, priors)
        if self.n_classes > 2:
            search = self._search(weights, self.detector)
            theta_d, theta_c = search.best_of_grid(steps)
            if refine:
                theta_d, theta_c = search.improve(theta_d, theta_c)
            return self.design(theta_d, theta_c, costs, priors)
        first, second, outlier = self._steps(weights)
        pairs = least_over_pairs(self.detector, self.score, first - second, second + outlier)
        return self.design(pairs.outer[pairs.best], pairs.inner[pairs.best], costs, priors)

    def lower_bound(self, costs: ArrayLike, priors: ArrayLike | None = None) -> float:
        """Return a lower bound of any design: the loss of the best detector without confusion.

        Parameters
        ----------
        costs, priors
            As for `weights`.

        Returns
        -------
        float
            The least ``sum_i c_ti p(w_ti) FN_i + c_o p(w_o) FP_r^o`` over all thresholds of the
            detector, where a target is missed only if it does not pass.

        Notes
        -----
        landgrebe2007, Eqs. 6.8 and 6.10: a classifier can miss further targets, never find one that
        the detector left out, and outliers that pass are errors whatever it calls them. So the
        bound holds for any classifier and any way to choose thresholds, on these objects or on
        others, as long as these objects judge; it is sharp where a classifier makes no error on
        what passes. In ``n log n``.

        Examples
        --------
        >>> sample = TwoStageScores([0, 0, 1, 1, -1], [5, 3, 4, 2, 3.5], [1, 8, 9, 2, 5])
        >>> sample.lower_bound([2, 3, 10], [1, 1, 1])
        2.5
        >>> sample.holistic([2, 3, 10], [1, 1, 1]).loss
        3.5
        """
        weights = self.weights(costs, priors)
        share = (weights / self.sizes)[self.label]
        losses = self._passing_targets.losses(np.where(self.is_target, -share, share))
        return max(float(weights[:-1].sum() + losses.min()), 0.0)

    def _best_of(self, grid: Grid, weights: Floats) -> tuple[float, float | Floats]:
        """Return the best of given thresholds of both stages, the strictest detector of several."""
        share = (weights / self.sizes)[self.label]
        theta_ds = np.sort(np.asarray(grid[0], dtype=float))[::-1]
        rows = self._passing_targets.rows(theta_ds)
        scale = float(share.sum())
        best, found = np.inf, (np.inf, grid[1][0])
        gain, each = np.where(self.is_target, -share, 0.0), iter(grid[1])
        loss = np.where(self.is_target, 0.0, share)
        for right in self.recognised_targets(grid[1]):
            tables = self._passing_targets.losses(np.where(right, gain, loss))[:, rows]
            for losses, least, theta_c in zip(tables, tables.min(axis=1), each, strict=False):
                if least < best - EQUAL * scale:
                    index = first_least(losses, scale=scale)
                    best, found = least, (float(theta_ds[index]), theta_c)
        return found

    @cached_property
    def _passing_targets(self) -> PassingTargets:
        return PassingTargets(self.detector)

    def _search(self, weights: Floats, detector: Floats) -> WeightSearch:
        """Return the search over weights of the outputs of three target classes or more."""
        share = (weights / self.sizes)[self.label]
        return WeightSearch(
            label=self.label,
            log_outputs=self.log_outputs,
            detector=detector,
            gain=np.where(self.is_target, share, 0.0),
            outlier=np.where(self.is_target, 0.0, share),
        )

    def independent(
        self,
        costs: ArrayLike,
        priors: ArrayLike | None = None,
        *,
        criterion: DetectorCriterion = "summed",
        steps: int = 12,
        accepted_only: bool = False,
        grid: Grid | None = None,
    ) -> SystemDesign:
        """Return the thresholds of stages optimised one by one, and their cost.

        Parameters
        ----------
        costs, priors
            As for `weights`.
        criterion : {"summed", "single", "each"}
            What the detector minimises, which the text leaves open. ``"summed"``: the first form of
            Eq. 6.10, ``c_t p(w_t) FN_r + c_o p(w_o) FP_r^o`` with ``c_t`` the sum of the target
            classes' costs, ``p(w_t)`` the sum of their priors and ``FN_r`` of the targets merged by
            prior. ``"single"``: the same with ``c_t`` their mean by prior. ``"each"``: the second
            form, each target class with its own cost and prior.
        steps : int
            For three target classes or more, as in `holistic`; the search is refined there too.
        accepted_only : bool
            Whether the classifier is optimised on the targets that pass the detector, or on all.
            When none pass, on all.
        grid : (theta_ds, theta_cs), optional
            Only these thresholds, as in `holistic`.

        Returns
        -------
        SystemDesign
            The thresholds of both stages and their loss.

        Notes
        -----
        landgrebe2007, Sec. 6.2.2: the detector is optimised with ``w_t`` and ``w_o`` only, the
        classifier with ``w_t1`` and ``w_t2`` only; the loss belongs to the system. Of two target
        classes the classifier's threshold is exact over all; each stage takes the strictest
        threshold of several that are equally good.
        """
        weights = self.weights(costs, priors)
        theta_ds, theta_cs = (None, None) if grid is None else grid
        theta_d = self._detector_alone(weights, costs, priors, criterion, theta_ds)
        kept = self.is_target
        if accepted_only:
            kept = self._passing_or_all(theta_d)
        theta_c = self._classifier_alone(weights, kept, steps, theta_cs)
        return self.design(theta_d, theta_c, costs, priors)

    def _passing_or_all(self, theta_d: float) -> NDArray[np.bool_]:
        """Return the targets that pass the detector; all, when it lets none pass."""
        passing = self.is_target & (self.detector >= theta_d)
        return passing if passing.any() else self.is_target

    def _detector_alone(
        self,
        weights: Floats,
        costs: ArrayLike,
        priors: ArrayLike | None,
        criterion: DetectorCriterion,
        theta_ds: ArrayLike | None,
    ) -> float:
        """Return the detector's threshold of least loss between merged targets and outliers."""
        given = np.asarray(costs, dtype=float)[:-1]
        shares = self.weights(np.ones(self.n_classes + 1), priors)[:-1]
        if criterion == "summed":
            of_targets = shares * given.sum()
        elif criterion == "single":
            of_targets = shares * (weights[:-1].sum() / shares.sum() if shares.any() else 0.0)
        elif criterion == "each":
            of_targets = weights[:-1]
        else:
            raise ValueError(f"unknown criterion {criterion!r}: use 'summed', 'single' or 'each'")
        share = np.append(of_targets / self.sizes[:-1], -weights[-1] / self.sizes[-1])[self.label]
        thetas, losses = self._passing_targets.thetas, self._passing_targets.losses(-share)
        if theta_ds is not None:
            thetas = np.sort(np.asarray(theta_ds, dtype=float))[::-1]
            losses = losses[self._passing_targets.rows(thetas)]
        return float(thetas[first_least(losses, scale=float(np.abs(share).sum()))])

    def _classifier_alone(
        self,
        weights: Floats,
        kept: NDArray[np.bool_],
        steps: int,
        theta_cs: Sequence[Any] | Floats | None,
    ) -> float | Floats:
        """Return the classifier's threshold or weights of least loss among some targets."""
        if theta_cs is not None:
            share = (weights / self.sizes)[self.label] * kept
            found = [share @ right for part in self.recognised_targets(theta_cs) for right in part]
            return theta_cs[int(first_largest(found))]
        passes = np.zeros(int(kept.sum()))
        if self.n_classes > 2:
            search = self._search(weights, self.detector)
            alone = replace(
                search,
                label=self.label[kept],
                log_outputs=self.log_outputs[kept],
                detector=passes,
                gain=search.gain[kept],
                outlier=passes,
            )
            return alone.improve(*alone.best_of_grid(steps))[1]
        first, second, _ = self._steps(weights)
        pairs = least_over_pairs(passes, self.score[kept], (first - second)[kept], second[kept])
        return float(pairs.inner[-1])


def even_thresholds(scores: ArrayLike, number: int) -> Floats:
    """Return thresholds at even distances from the least to the largest score.

    Parameters
    ----------
    scores : array_like of shape (n,)
        Those that are infinite are left out.
    number : int
        Two or more.

    Returns
    -------
    ndarray of shape (number,)
        Source: landgrebe2007, Sec. 6.2.4, which takes 200 of the classifier and 100 of the
        detector. Their optimum is that of the grid: see `StageScores.loss_surface`.

    Raises
    ------
    ValueError
        For fewer than two thresholds, NaN, or scores without a finite one.
    """
    given = floats(scores, "scores")
    finite = given[np.isfinite(given)]
    if number < 2 or not len(finite) or np.isnan(given).any():
        raise ValueError("even thresholds need finite scores and a number of two or more")
    return np.linspace(finite.min(), finite.max(), number)
