"""How well each variant of a protocol explains a published table as a whole.

A *variant* is one admissible set of choices that a publication leaves open. Each gives a value and
a spread for every published cell; from these follow the likelihood of the published cells, the
weight of the variant among all, and whether exactly one other variant explains what the primary
one does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp
from scipy.stats import binom, norm

from opchar.arguments import floats
from opchar.statistics.joint_likelihood import MISPRINT, SLACK, Floats, Joint, cell_log_likelihood

__all__ = ["Variants", "cell_log_likelihood"]
LIMIT = 2.0
FAMILY = 0.05
SHARE = 0.9
LEAST_FACTOR = 100.0
FALSE_POSITIVES = 0.01
_AT_ONCE = 200_000


@dataclass(frozen=True)
class Variants:
    """Published cells, and what each variant gives for them.

    Shapes: `published` (k,); `unit` (k,); `values` (R, k); `spread` (R, k); `correlation` (k, k);
    `block` (k,).
    """

    published: Floats
    unit: Floats
    values: Floats
    spread: Floats
    correlation: Floats | None = None
    block: NDArray[np.intp] | None = None
    contradicted: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        k = len(self.published)
        if self.values.ndim != 2 or self.values.shape != self.spread.shape:
            raise ValueError(
                f"values and spread must have one shape (R, k), got {self.values.shape} and "
                f"{self.spread.shape}"
            )
        if k == 0 or self.values.shape[0] == 0 or self.values.shape[1] != k or len(self.unit) != k:
            raise ValueError(f"{k} published cells, but values of shape {self.values.shape}")
        if not (np.all(self.unit > 0) and np.all(self.spread >= 0)):
            raise ValueError("units must be positive and spreads not negative")
        if self.correlation is not None and self.correlation.shape != (k, k):
            raise ValueError(f"the correlation of {k} cells has shape {self.correlation.shape}")
        if self.block is not None and self.block.shape != (k,):
            raise ValueError(f"each of {k} cells has a block, got shape {self.block.shape}")

    @property
    def blocks(self) -> NDArray[np.intp]:
        """The block of each cell, shape (k,), numbered from 0."""
        given = np.arange(len(self.published)) if self.block is None else self.block
        return np.asarray(np.unique(given, return_inverse=True)[1])

    @property
    def dependence(self) -> Floats:
        """The correlation of the deviations, shape (k, k)."""
        return np.eye(len(self.published)) if self.correlation is None else self.correlation

    @cached_property
    def joint(self) -> list[Joint]:
        """The joint probability of tables under each variant."""
        dependence = self.dependence
        return [
            Joint(self.unit, values, spread, dependence)
            for values, spread in zip(self.values, self.spread, strict=True)
        ]


def deviations(variants: Variants) -> Floats:
    """Return z of every cell under every variant, shape (R, k), rounding included.

    Where nothing is random, z is 0 within half a unit of the last digit and the distance in
    standard deviations of rounding elsewhere. NaN values stay NaN.
    """
    return _deviations(variants.published, variants)


def _deviations(published: Floats, variants: Variants) -> Floats:
    """Return `deviations` from published cells of shape (..., 1, k): shape (..., R, k)."""
    off = variants.values - published
    error = np.sqrt(variants.spread**2 + variants.unit**2 / 12)
    exact = (variants.spread == 0) & (np.abs(off) <= variants.unit / 2 * (1 + SLACK))
    return np.where(exact, 0.0, off / error)


def log_likelihoods(variants: Variants) -> Floats:
    """Return the joint log likelihood of all published cells under each variant, shape (R,)."""
    return np.stack([joint.log_likelihood(variants.published)[0] for joint in variants.joint])


def weights(log_likelihood: ArrayLike) -> Floats:
    """Return the share of each variant in the likelihood of all, each as likely as any before.

    Shapes: `log_likelihood` (R,); returned (R,).
    """
    given = floats(log_likelihood, "log_likelihood")
    if (given == np.inf).any():
        raise ValueError("a likelihood is infinite")
    return np.asarray(np.exp(given - logsumexp(given)))


def cells_within(variants: Variants) -> NDArray[np.int64]:
    """Return the number of cells with ``|z| <= 2`` under each variant, shape (R,)."""
    z = np.abs(deviations(variants))
    return np.asarray((z <= LIMIT + 1e-9).sum(axis=1))


def certain(variants: Variants) -> NDArray[np.int64]:
    """Return the number of cells that differ by Holm's procedure at 5 %, shape (R,)."""
    tails = 2 * norm.sf(np.abs(np.nan_to_num(deviations(variants), nan=np.inf)))
    cells = tails.shape[1]
    kept = np.sort(tails, axis=1) > FAMILY / np.arange(cells, 0, -1)
    return np.where(kept.any(axis=1), kept.argmax(axis=1), cells)


@cache
def allowed_misprints(number: int) -> int:
    """Return how many cells or blocks misprints can explain at a chance of 5 % or more."""
    return int(binom.ppf(1 - FAMILY, number, MISPRINT))


@dataclass(frozen=True)
class Fit:
    """How variants explain the cells.

    Shapes: `fits` (R,); `left_out` (R, k).

    `fits`: whether the variant explains the cells that are not left out: 90 % with ``|z| <= 2``,
    and none significantly different but as many as misprints can explain.
    """

    fits: NDArray[np.bool_]
    left_out: NDArray[np.bool_]


def fits(variants: Variants) -> Fit:
    """Tell which variants explain the cells, and which blocks have to be left out."""
    return _fits(deviations(variants), variants)


def _fits(z: Floats, variants: Variants) -> Fit:
    """Return `fits` for deviations of shape (..., k)."""
    size = np.nan_to_num(np.abs(z), nan=np.inf)
    beyond = size > LIMIT + 1e-9
    blocks = variants.blocks
    member = blocks == np.arange(blocks.max() + 1)[:, None]
    outside = beyond.astype(float) @ member.T.astype(float)
    out = np.zeros(outside.shape, dtype=bool)
    named = list(variants.contradicted)
    out[..., named] = outside[..., named] > 0
    result = out[..., blocks]
    found = _is_explained(size, beyond, result)
    # Cells are misprinted one by one below; only blocks of several cells can be of another run.
    spare = allowed_misprints(len(member)) if len(member) < len(blocks) else 0
    for _ in range(spare):
        worst = np.where(out, -1.0, outside / member.sum(axis=1)).argmax(axis=-1)
        np.put_along_axis(out, worst[..., None], True, axis=-1)
        tried = out[..., blocks]
        better = ~found
        better[better] = _is_explained(size[better], beyond[better], tried[better])
        result[better] = tried[better]
        found |= better
    return Fit(found, result)


def _is_explained(
    size: Floats, beyond: NDArray[np.bool_], left_out: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell where the cells that are not left out are explained."""
    total = size.shape[-1]
    cells = total - left_out.sum(axis=-1)
    found = (beyond & ~left_out).sum(axis=-1) <= (1 - SHARE) * cells + 1e-9
    found &= 2 * cells >= total
    cells = cells[found]
    ordered = np.sort(np.where(left_out[found], 0.0, size[found]), axis=-1)
    spare = np.array([allowed_misprints(number) for number in range(total + 1)])[cells]
    index = np.clip(total - 1 - spare, 0, total - 1)
    largest = np.take_along_axis(ordered, index[..., None], axis=-1)[..., 0]
    found[found] = 2 * norm.sf(largest) > FAMILY / np.maximum(cells - spare, 1)
    return np.asarray(found)


def explaining_variant(variants: Variants, factor: float = LEAST_FACTOR) -> int | None:
    """Return the one other variant that explains the cells where the primary one does not."""
    found = factors(variants.published[None], variants)[0]
    if not found >= np.log(factor):
        return None
    return int(np.argmax(log_likelihoods(variants)))


def factors(tables: Floats, variants: Variants, least: float = 1.0) -> Floats:
    """Return the log ratio by which the most likely variant explains each table.

    Shapes: `tables` (T, k); returned (T,).
    """
    parts = np.array_split(tables, max(1, tables.size * len(variants.values) // _AT_ONCE))
    fit = np.concatenate(
        [_fits(_deviations(part[:, None], variants), variants).fits for part in parts]
    )
    likely = np.full(fit.shape, -np.inf)
    some = np.flatnonzero(fit[:, 1:].any(axis=1))
    fit[:, 0] = True
    # Only tables that some fitting variant explains so well need the variants that do not fit.
    for fitting in (True, False):
        for number, joint in enumerate(variants.joint):
            asked = some[fit[some, number] == fitting]
            if len(asked):
                likely[asked, number] = joint.log_likelihood(tables[asked])
        some = some[likely[some].max(axis=1) - likely[some, 0] >= np.log(least)]
    best = likely[some].argmax(axis=1)
    found = np.full(len(tables), -np.inf)
    ahead = likely[some, best] - likely[some, 0]
    found[some] = np.where((best > 0) & fit[some, best], ahead, -np.inf)
    return found
