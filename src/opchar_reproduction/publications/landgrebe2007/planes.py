"""Decisions of trained classifiers all over a plane, for drawings."""

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.multiclass.gaussians import Floats
from opchar.scores import ScoreTable


def on_grid(
    objects: Floats, values: Floats, shown: Floats, nodes: int
) -> tuple[Floats, Floats, Floats]:
    """Interpolate values that are known at objects on a grid around other objects.

    Shapes: `objects` (m, 2); `values` (m,) or (m, C); `shown` (n, 2); `first` and `second`
    (nodes**2,); `found` (nodes**2,) or (nodes**2, C).
    """
    from scipy.interpolate import LinearNDInterpolator

    low, high = shown.min(axis=0) - 0.5, shown.max(axis=0) + 0.5
    axes = [np.linspace(low[axis], high[axis], nodes) for axis in (0, 1)]
    first, second = (grid.ravel() for grid in np.meshgrid(*axes, indexing="ij"))
    return first, second, LinearNDInterpolator(objects, values)(first, second)


def log_posteriors(
    plane: ScoreTable, features: FeatureTable, shown: Floats, nodes: int
) -> tuple[Floats, Floats, Floats]:
    """Return a grid as `on_grid` does, with the logarithms of the posteriors of all classes."""
    logs = np.log(np.maximum(plane.scores, np.finfo(float).tiny))
    return on_grid(features.X[plane.index], logs, shown, nodes)
