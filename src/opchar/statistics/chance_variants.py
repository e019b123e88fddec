"""How much more likely than the primary variant a wrong one becomes by chance.

Tables are made that none of the variants has made, in six ways; what a variant explains there it
explains by chance. Each way asks for a factor; a variant needs the largest of the six.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from opchar.arguments import floats
from opchar.statistics.joint_likelihood import SLACK, Floats
from opchar.statistics.variants import FALSE_POSITIVES, LEAST_FACTOR, Variants, factors

STRONGER = 0.9
# Stricter than the rate that is kept: the simulated tables are not quite those of a protocol.
CHANCE = FALSE_POSITIVES / 4


def chance_factors(
    variants: Variants, rng: np.random.Generator, draws: int = 1000, least: float = 1.0
) -> Floats:
    """Return the likelihood ratios by which wrong variants explain tables that none of them made.

    Shapes: returned (6, draws).
    """
    given = ~np.isnan(variants.values)
    total = np.where(given, variants.values, 0.0).sum(axis=0)
    centre = np.where(
        given.any(axis=0), total / np.maximum(given.sum(axis=0), 1), variants.published
    )
    error = np.sqrt((variants.spread**2).mean(axis=0) + variants.unit**2 / 12)
    z = (variants.published - centre) / error
    dealt = rng.permuted(np.tile(z, (draws, 1)), axis=1)
    dealt *= rng.choice([-1.0, 1.0], size=dealt.shape)
    first = np.where(given[0], variants.values[0], centre)
    spread_of_cells = np.sqrt(variants.spread[0] ** 2 + variants.unit**2 / 12)
    stronger = _stronger(variants)
    moved = [
        _moves(variants, centre, error, z, rng, draws) + _noise(correlation, rng, draws)
        for correlation in (variants.dependence, *stronger)
    ]
    made = [centre + error * deviations for deviations in (dealt, *moved)]
    made += [first + spread_of_cells * _noise(correlation, rng, draws) for correlation in stronger]
    rounded = np.round(np.concatenate(made) / variants.unit) * variants.unit
    return factors(rounded, variants, least).reshape(len(made), draws)


def _stronger(variants: Variants) -> list[Floats]:
    """Return correlations with most of the variance in common in blocks, and in dependent cells."""
    blocks = variants.blocks
    alike = (blocks[:, None] == blocks, np.abs(variants.dependence) > SLACK)
    return [STRONGER * one + (1 - STRONGER) * np.eye(len(blocks)) for one in alike]


def _moves(
    variants: Variants,
    centre: Floats,
    error: Floats,
    z: Floats,
    rng: np.random.Generator,
    draws: int,
) -> Floats:
    """Return moves of the blocks of tables, each as some other variant has it, shape (draws, k)."""
    patterns = np.nan_to_num((variants.values - centre) / error)
    found = np.zeros((draws, len(z)))
    for block in range(variants.blocks.max() + 1):
        inside = variants.blocks == block
        patterns_inside = patterns[:, inside]
        norms = np.sqrt((patterns_inside**2).mean(axis=1))
        used = patterns_inside[norms > SLACK] / norms[norms > SLACK, None]
        if not len(used):
            continue
        size = np.sqrt(max(float((z[inside] ** 2).mean()) - 1.0, 0.0))
        amount = rng.normal(0.0, size, (draws, 1))
        found[:, inside] = amount * used[rng.integers(len(used), size=draws)]
    return found


def _noise(correlation: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Return standard normal errors that depend on each other, shape (draws, k)."""
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(rng.normal(size=(draws, len(correlation))) @ root.T)


def least_factor(log_factors: ArrayLike, rate: float = CHANCE) -> float:
    """Return the least likelihood ratio that chance reaches in fewer than `rate` of the tables.

    Shapes: `log_factors` (..., draws).
    """
    given = -np.sort(-np.atleast_2d(floats(log_factors, "log_factors")), axis=1)
    if not given.size or np.isnan(given).any() or not 0 < rate < 1:
        raise ValueError("draws must be numbers, at least one, and a rate between 0 and 1")
    reached = given[:, int(np.ceil(rate * given.shape[1])) - 1].max()
    with np.errstate(over="ignore"):
        threshold = float(np.exp(reached)) if np.isfinite(reached) else 0.0
    return max(LEAST_FACTOR, threshold * (1 + SLACK))
