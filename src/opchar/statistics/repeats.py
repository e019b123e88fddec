"""What a whole experiment would give if it were made again: its draws and its splits together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def repeated_experiments(values: Floats, rng: np.random.Generator, number: int) -> Floats:
    """Draw whole experiments like one in which the same units were measured on several splits.

    Resampling splits would repeat some, and tests over splits would take these for agreement;
    normal combinations of the deviations have their covariance exactly and are all different. Where
    units differ on one split in ten only, the standard deviation of a count made of them is right
    within a factor of two or three. Where they differ on three in ten or more, it is right within
    15 %.

    Shapes: `values` (units, splits); returned (number, units, splits).
    """
    units, splits = values.shape
    if splits < 2:
        raise ValueError("one split shows no spread over splits; measure on two or more")
    means = values.mean(axis=1)
    deviations = (values - means[:, None]) / np.sqrt(splits - 1)
    chosen = rng.integers(units, size=(number, units))
    mixed = rng.normal(size=(number, splits, splits))
    found: Floats = means[chosen][:, :, None] + deviations[chosen] @ mixed
    return found
