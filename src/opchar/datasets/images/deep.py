"""Deep features that stand in for those of ImageNet photographs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def deep_features(
    counts: Sequence[int],
    rng: np.random.Generator,
    *,
    d: int = 2048,
    intrinsic: int = 30,
    separation: float = 0.65,
    sparsity: float = 0.35,
    noise: float = 0.3,
) -> tuple[np.ndarray, np.ndarray]:
    """Make non-negative, sparse features of low intrinsic dimension, like an average pool.

    Every class is a Gaussian cloud in `intrinsic` dimensions; a random rectified linear layer turns
    it into `d` features of which about the fraction `sparsity` is zero, each on its own scale.

    Shapes: `X` (n, d); `y` (n,).
    """
    y = np.repeat(np.arange(len(counts)), counts)
    means = separation * rng.standard_normal((len(counts), intrinsic))
    latent = means[y] + rng.standard_normal((len(y), intrinsic))
    layer = rng.standard_normal((intrinsic, d)) / np.sqrt(intrinsic * (1 + separation**2))
    active = latent.astype(np.float32) @ layer.astype(np.float32)
    active += np.float32(noise) * rng.standard_normal(active.shape, dtype=np.float32)
    threshold = np.quantile(active[:: max(1, len(active) // 500)], sparsity)
    scale = rng.gamma(2.0, 0.2, d).astype(np.float32)
    return np.maximum(active - np.float32(threshold), 0) * scale, y


def for_registry(
    shape: tuple[int, int], counts: Mapping[str, int], rng: np.random.Generator, **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Make `deep_features` with the shape and classes of a registry entry, shuffled.

    `shape`: objects and features; `counts`: objects of each class; `**options`: those of
    `deep_features`. Returns: `X` (n, d): generated features, shuffled; `y` (n,).
    """
    X, y = deep_features(list(counts.values()), rng, d=shape[1], **options)
    order = rng.permutation(len(y))
    return X[order].astype(float), y[order]
