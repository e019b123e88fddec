"""The search for weights of the classes behind a detector."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from opchar.reject.sweep import Floats, Ints, least_over_pairs
from opchar.reject.two_stage.stage_scores import OUTLIER
from opchar.ties import EQUAL, first_least

LARGEST_LOG_WEIGHT = 300.0


@dataclass(frozen=True)
class WeightSearch:
    """The search for weights of the outputs of three target classes or more.

    The loss falls by `gain` when an object is recognised and rises by `outlier` when an outlier
    passes.
    """

    label: Ints
    log_outputs: Floats
    detector: Floats
    gain: Floats
    outlier: Floats

    @cached_property
    def _passing_targets(self) -> PassingTargets:
        return PassingTargets(self.detector)

    def best_of_grid(self, steps: int) -> tuple[float, Floats]:
        """Return the best detector threshold and output weights of a grid."""
        best, design = np.inf, (np.inf, np.ones(self.log_outputs.shape[1]))
        for theta_c in weight_grid(self.log_outputs.shape[1], steps):
            thetas, losses = self._losses(theta_c)
            if losses.min() < best - EQUAL * self._scale:
                best, design = losses.min(), (self._first(thetas, losses), theta_c)
        return design

    @property
    def _scale(self) -> float:
        """What all objects together can change."""
        return float(self.gain.sum() + self.outlier.sum())

    def _first(self, thetas: Floats, losses: Floats) -> float:
        return float(thetas[first_least(losses, scale=self._scale)])

    def _losses(self, theta_c: Floats) -> tuple[Floats, Floats]:
        """Return all detector thresholds and the loss at each, less that of rejecting all."""
        assigned = np.argmax(self.log_outputs + np.log(theta_c), axis=1)
        change = self.outlier - np.where(assigned == self.label, self.gain, 0.0)
        return self._passing_targets.thetas, self._passing_targets.losses(change)

    def improve(self, theta_d: float, theta_c: Floats) -> tuple[float, Floats]:
        """Move one output weight at a time to its optimum, until none lowers the loss."""
        thetas, losses = self._losses(theta_c)
        loss, least_step = losses.min(), EQUAL * self._scale
        improves = True
        while improves:
            improves = False
            for axis in range(self.log_outputs.shape[1]):
                tried = self._best_along(theta_c, axis)
                thetas, losses = self._losses(tried)
                if losses.min() < loss - least_step:
                    loss, theta_c, improves = losses.min(), tried, True
                    theta_d = self._first(thetas, losses)
        return theta_d, theta_c

    def _best_along(self, theta_c: Floats, axis: int) -> Floats:
        """Return the best output weights when one of them is free, and the detector with it.

        An object goes to the class of that output when its lead over the best other output is at
        least minus the logarithm of the weight.
        """
        logs = np.log(theta_c)
        others = np.delete(self.log_outputs + logs, axis, axis=1)
        runner_up = np.delete(np.arange(len(theta_c)), axis)[others.argmax(axis=1)]
        lead = self.log_outputs[:, axis] - others.max(axis=1)
        lead[self.label == OUTLIER] = 0.0
        taken = np.where(self.label == axis, -self.gain, 0.0)
        left = np.where(runner_up == self.label, -self.gain, 0.0)
        pairs = least_over_pairs(self.detector, lead, taken - left, left + self.outlier)
        logs[axis] = -_below(np.unique(lead), pairs.inner[pairs.best])
        changed = np.exp(np.maximum(logs - logs.max(), -LARGEST_LOG_WEIGHT))
        return changed / changed.sum()


class PassingTargets:
    """Which objects pass a detector at each of its thresholds, from infinity down."""

    def __init__(self, detector: Floats) -> None:
        self._descending = np.argsort(-detector, kind="stable")
        ordered = detector[self._descending]
        self._last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
        self.thetas = np.append(np.inf, ordered[self._last])

    def losses(self, change: Floats) -> Floats:
        """Return the sum of what the passing objects change, at each threshold, of each row."""
        losses = np.zeros((*change.shape[:-1], len(self.thetas)))
        losses[..., 1:] = change[..., self._descending].cumsum(axis=-1)[..., self._last]
        return losses

    def rows(self, theta_ds: Floats) -> Ints:
        """Return the rows of `losses` at which the same objects pass as at some thresholds."""
        return np.searchsorted(-self.thetas[1:], -theta_ds, side="right")


def _below(ordered: Floats, theta: float) -> float:
    """Return a threshold between a value and the one below it; above all for infinity."""
    index = int(np.searchsorted(ordered, theta))
    if index == len(ordered):
        return float(ordered[-1] + 1)
    return float(ordered[0] - 1) if index == 0 else float(ordered[index - 1 : index + 1].mean())


def weight_grid(n_classes: int, steps: int, decades: float = 3.0) -> list[Floats]:
    """Return weights of a classifier's outputs on a logarithmic grid, the last class fixed.

    Parameters
    ----------
    n_classes : int
        At least 2.
    steps : int
        Values an axis: ``steps ** (n_classes - 1)`` weightings.
    decades : float
        The weights are in ``10 ** [-decades, decades]`` of the last class's.

    Returns
    -------
    list of ndarray of shape (C,)
        Each sums to one (landgrebe2007, Eq. 6.3).

    Raises
    ------
    ValueError
        For fewer than two steps.
    """
    if steps < 2:
        raise ValueError(f"a grid of weights needs two steps or more, got {steps}")
    axis = np.logspace(-decades, decades, steps)
    grid = [np.array([*point, 1.0]) for point in product(axis, repeat=n_classes - 1)]
    return [point / point.sum() for point in grid]
