"""The multi-class ROC of scored objects: confusion matrices at every combination of weights.

An object keeps its class over rectangles of weight settings, and a rectangle is counted by one
entry at its corner. Counting rectangles instead of objects makes the whole hypersurface cost
``O(C r N + C r^(C-3) N + C^2 r^(C-1))`` instead of ``O(C r^(C-1) N)``. The last term is its size.
Its planes can be reduced as they come (landgrebe2007, Secs. 3.2.3 and 4.3.2).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from opchar.multiclass.roc.dominance_rectangles import packed_planes, packed_shape
from opchar.multiclass.roc.volume import resampled_volume
from opchar.multiclass.roc.weighted_scores import WeightedScores

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Counts = NDArray[np.int32]


def confusion_planes(data: WeightedScores) -> Iterator[tuple[tuple[int, ...], Counts]]:
    """Yield the confusion matrices of the hypersurface plane by plane.

    First the steps of the weights that the plane shares, axes ``data.free[:-2]`` (empty for C = 2
    and 3), then the matrices over the two last weights. These are valid until the next plane is
    asked for.

    Shapes: yielded (r, r, C, C), for C = 2 (1, r, 2, 2).
    """
    c = data.n_classes
    storage = np.empty(packed_shape(data), dtype=np.int32)
    counts = storage[..., : c * c].reshape(*storage.shape[:-1], c, c)
    for index, packed in packed_planes(data):
        np.copyto(storage, packed)
        yield index, counts


def confusion_lattice(data: WeightedScores, *, max_bytes: int = 2**31) -> Counts:
    """Return the confusion matrices at all weight settings in one array.

    They are in the order of `opchar.multiclass.gaussians.weight_grid`. An array of more than
    `max_bytes` is refused; reduce planes as they come instead.

    Shapes: returned (r,) * (C - 1) + (C, C).
    """
    c, r = data.n_classes, len(data.steps)
    size = 4 * c * c * r ** (c - 1)
    if size > max_bytes:
        raise ValueError(
            f"{r}^{c - 1} confusion matrices take {size / 2**30:.1f} GiB, more than the "
            f"{max_bytes / 2**30:.1f} GiB allowed: use confusion_planes or a smaller r"
        )
    lattice = np.empty((r,) * (c - 1) + (c, c), dtype=np.int32)
    for index, packed in packed_planes(data):
        lattice[index].reshape(-1, r, c * c)[...] = packed[..., : c * c]
    return lattice


def lowest_losses(
    data: WeightedScores, costs: ArrayLike, priors: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Return the lowest loss on the hypersurface for each cost matrix, and where it is reached.

    `costs` hold for taking a true class (row) for another (column); profits are negative. `priors`
    are those in use; of the objects when not given. Losses are ``sum_ij p(w_i) xi_ij s_ij``
    (landgrebe2007, Eqs. 4.6 and 4.28). Of equal losses the first in the order of the grid is taken.

    Shapes: `costs` (M, C, C); `priors` (C,); returned (M,) and the weights (M, C).
    """
    costs = np.asarray(costs, dtype=float)
    sizes, c = data.class_sizes(), data.n_classes
    priors = sizes / sizes.sum() if priors is None else np.asarray(priors, dtype=float)
    if costs.ndim != 3 or costs.shape[1:] != (c, c) or not np.isfinite(costs).all():
        raise ValueError(f"costs must be finite, of shape (M, {c}, {c}), not {costs.shape}")
    if priors.shape != (c,) or not np.all((priors >= 0) & (priors < np.inf)):
        raise ValueError(f"give a prior that is not negative for each of the {c} classes")
    if abs(priors.sum() - 1) > 1e-6:
        raise ValueError(f"priors must sum to 1, not to {priors.sum():g}")
    best, indices = _lowest_sums(data, costs * (priors / sizes)[:, None])
    return best, np.array([data.weights(index) for index in indices]).reshape(-1, c)


def _lowest_sums(data: WeightedScores, costs: Floats) -> tuple[Floats, list[tuple[int, ...]]]:
    """Return the lowest sums of costs times counts, and the first places that reach them.

    Sums that differ by no more than rounding count as equal.
    """
    *shape, width = packed_shape(data)
    cells = data.n_classes**2
    flat = np.zeros((len(costs), width))
    flat[:, :cells] = costs.reshape(-1, cells)
    scale = np.abs(costs).max(axis=2) @ data.class_sizes()
    scale[scale == 0] = 1
    rounding = cells * np.finfo(float).eps * scale
    counts = np.empty((*shape, width))
    matrices = counts.reshape(-1, width)
    sums = np.empty((len(costs), len(matrices)))
    best = np.full(len(costs), np.inf)
    indices: list[tuple[int, ...]] = [()] * len(costs)
    for index, packed in packed_planes(data):
        np.copyto(counts, packed)
        lowest = np.matmul(flat, matrices.T, out=sums).min(axis=1)
        # Two ways to add are apart by half of the rounding each at most.
        for m in np.flatnonzero(lowest < best - rounding / 2):
            near = np.flatnonzero(sums[m] <= lowest[m] + 2 * rounding[m])
            exact = matrices[near] @ flat[m]
            if exact.min() < best[m] - rounding[m]:
                first = int(np.argmax(exact <= exact.min() + rounding[m]))
                best[m] = exact[first]
                indices[m] = (*index, *divmod(int(near[first]), shape[1]))[-len(data.free) :]
    return best, indices


def vus(data: WeightedScores, nodes: int | None = None) -> float:
    """Return the simplified volume under the ROC hypersurface of scored objects.

    The thesis' estimate: linear resampling and trapezoid (landgrebe2007, Sec. 3.3.4). `nodes` are
    the points an axis of the regular grid; as many as weights when not given.

    Examples
    --------
    >>> from opchar.multiclass.roc.weighted_scores import weighted_scores
    >>> scores = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7]]
    >>> round(vus(weighted_scores([0, 1, 2], scores, 20)), 6)
    1.0
    """
    return resampled_volume(diagonal_rates(data), nodes or len(data.steps))


def diagonal_rates(data: WeightedScores) -> Floats:
    """Return the recognised share of each class at all weights of the grid.

    Shapes: returned (r,).
    """
    c, r = data.n_classes, len(data.steps)
    rates = np.empty((r,) * max(c - 3, 0) + ((1, r) if c == 2 else (r, r)) + (c,))
    for index, packed in packed_planes(data):
        rates[index] = packed[..., : c * c : c + 1] / data.class_sizes()
    ordered = rates[..., [*data.free, data.fixed]]
    return np.asarray(ordered.reshape((r,) * (c - 1) + (c,)))
