"""A density for each target class as the detector of Table 6.1 (Eqs. 6.8 and 6.9)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import multivariate_normal

from opchar.reject.two_stage.design import (
    DetectorCriterion,
    SystemDesign,
    TwoStageScores,
    even_thresholds,
)

Floats = NDArray[np.float64]


def log_densities(
    X: Floats,
    names: NDArray[np.object_],
    targets: Sequence[str],
    components: int,
    train: NDArray[np.intp],
) -> Floats:
    """Return the log density of each target class at all objects, shape (n, C).

    A Gaussian each, its covariance shrunk by 0.001, in principal components of all training
    objects, or in `X` for 0 components.
    """
    mapped = X
    if components:
        _, vectors = np.linalg.eigh(np.cov(X[train].T))
        mapped = X @ vectors[:, -components:]
    found = []
    for name in targets:
        mine = mapped[train][names[train] == name]
        spread = np.cov(mine.T)
        sphere = np.trace(spread) / len(spread) * np.eye(len(spread))
        gauss = multivariate_normal(mine.mean(axis=0), 0.999 * spread + 0.001 * sphere)
        found.append(gauss.logpdf(mapped))
    return np.stack(found, axis=1)


@dataclass(frozen=True)
class ByClass:
    """Scores of both stages, and log densities of the target classes, shape (n, C).

    An object passes if the density of the class that the classifier gives it is large enough.
    """

    scores: TwoStageScores
    densities: Floats

    def with_classes(self, weights: Floats) -> TwoStageScores:
        """Return the scores with the density of the class assigned as that of the detector."""
        assigned = self.scores.assign(weights)
        return replace(self.scores, detector=self.densities[np.arange(len(assigned)), assigned])

    def best(
        self,
        weightings: Sequence[Floats],
        number: int,
        costs: Floats,
        priors: Floats | None,
        criterion: DetectorCriterion | None,
    ) -> SystemDesign:
        """Return the design of least loss over a grid; with a criterion, of stages one by one.

        Alone, the detector thresholds the density of the likelier target class.
        """
        merged = replace(self.scores, detector=self.densities.max(axis=1))
        theta_ds = even_thresholds(merged.detector, number)
        if criterion is not None:
            grid = theta_ds, weightings
            return merged.independent(costs, priors, criterion=criterion, grid=grid)
        losses = self._losses(np.asarray(weightings), theta_ds, self.scores.weights(costs, priors))
        # Of several with the least loss, the strictest detector of the first weighting.
        row, column = divmod(int(np.round(losses[:, ::-1], 12).argmin()), number)
        weights = weightings[row]
        chosen = self.with_classes(weights)
        return chosen.design(theta_ds[number - 1 - column], weights, costs, priors)

    def _losses(self, weightings: Floats, theta_ds: Floats, weights: Floats) -> Floats:
        """Return the loss of each weighting at each rising threshold, up to a constant."""
        scores, size = self.scores, len(theta_ds) + 1
        assigned = scores.assign(weightings)
        share = (weights / scores.sizes)[scores.label]
        wrong = np.where(scores.is_target, 0.0, share)
        loss = np.where(scores.is_target & (assigned == scores.label), -share, wrong)
        detector = self.densities[np.arange(len(share)), assigned]
        passed = np.searchsorted(theta_ds, detector, side="right")
        cell = passed + size * np.arange(len(weightings))[:, np.newaxis]
        found = np.bincount(cell.ravel(), loss.ravel(), minlength=size * len(weightings))
        return found.reshape(-1, size)[:, :0:-1].cumsum(axis=1)[:, ::-1]
