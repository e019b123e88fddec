"""What Sec. 1.2 says of weights on the outputs of one trained classifier (Fig. 1.1)."""

from __future__ import annotations

import numpy as np

from opchar.statements.measurements import Finding, Measurements


def weights_move_objects_towards_larger_weights(
    measured: Measurements, *, weights: list[float]
) -> Finding:
    """Tell whether some objects change class, each to a class of larger weight.

    Parameters
    ----------
    measured : Measurements
        Frame ``reassigned``: ``before`` and ``after``, class numbers from 1, and ``objects``.
    weights : list of float
        One a class.
    """
    counts = measured.frame("reassigned")
    weight = np.array(weights)
    before, after = (counts[name].to_numpy(dtype=int) - 1 for name in ("before", "after"))
    objects = counts["objects"].to_numpy(dtype=float)
    moved = before != after
    astray = objects[moved & (weight[after] <= weight[before])].sum()
    share = objects[moved].sum() / objects.sum()
    return Finding(
        bool(share > 0 and astray == 0),
        f"{100 * share:.1f} % of {objects.sum():.0f} test objects change class, {astray:.0f} of "
        "them to a class of no larger weight",
    )


def without_weights(measured: Measurements) -> Measurements:
    """Remove the effect: assign every object as it was before the weights."""
    return measured.with_frame(
        "reassigned", lambda counts: counts.assign(after=counts["before"].to_numpy())
    )
