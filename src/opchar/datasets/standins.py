"""Stand-ins: made-up sets with the size, dimension, classes and difficulty of a missing one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from opchar.datasets.images.deep import for_registry
from opchar.datasets.registry import DataSet, raw_files
from opchar.errors import ConfigError, nearest
from opchar.ranges import Count, Rate

REFERENCE = 4000
HALVINGS = 24


@dataclass(frozen=True)
class Mixtures:
    """Class-conditional Gaussian mixtures with unit covariances.

    Shapes: `means` (C, K, q); `priors` (C,).
    """

    means: np.ndarray
    priors: np.ndarray

    def sample(self, classes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw one point for each entry of `classes`; shape (n, q)."""
        component = rng.integers(self.means.shape[1], size=len(classes))
        noise = rng.standard_normal((len(classes), self.means.shape[2]))
        return self.means[classes, component] + noise

    def joint(self, points: np.ndarray) -> np.ndarray:
        """Return prior times density of each class, up to a factor a point; shape (n, C)."""
        means = self.means.transpose(1, 0, 2)
        exponents = points @ means.transpose(0, 2, 1) - 0.5 * (means**2).sum(axis=2)[:, None]
        exponents -= exponents.max(axis=0).max(axis=1)[:, None]
        return self.priors * np.exp(exponents).sum(axis=0)


def bayes_error(mixtures: Mixtures, points: np.ndarray, classes: np.ndarray) -> float:
    """Return the fraction of `points` that the Bayes rule gives another class than `classes`.

    Shapes: `points` (n, d); `classes` (n,).
    """
    return float(np.mean(mixtures.joint(points).argmax(axis=1) != classes))


def with_error(
    directions: np.ndarray, priors: np.ndarray, error: float, rng: np.random.Generator
) -> Mixtures:
    """Spread component means along `directions` until the Bayes error is `error`.

    Shapes: `directions` (C, K, q); `priors` (C,).
    """
    if error >= (most := 1 - priors.max()):
        raise ValueError(
            f"error {error:g} is not below {most:.3g}, that of always choosing the largest class"
        )
    classes = rng.choice(len(priors), size=REFERENCE, p=priors)
    component = rng.integers(directions.shape[1], size=REFERENCE)
    noise = rng.standard_normal((REFERENCE, directions.shape[2]))
    low, high = 0.0, 64.0
    for _ in range(HALVINGS):
        spread = (low + high) / 2
        mixtures = Mixtures(spread * directions, priors)
        points = mixtures.means[classes, component] + noise
        if bayes_error(mixtures, points, classes) > error:
            low = spread
        else:
            high = spread
    return Mixtures(high * directions, priors)


def gaussian_mixtures(
    shape: tuple[int, int],
    counts: Mapping[str, int],
    rng: np.random.Generator,
    *,
    error: Rate,
    components: Count = 2,
    intrinsic: Count = 8,
    noise: float = 0.1,
) -> tuple[np.ndarray, np.ndarray]:
    """Make a set of class-conditional Gaussian mixtures with a given Bayes error.

    Class means are drawn around the origin in `intrinsic` dimensions, and component means around
    class means. They are spread until the Bayes error is `error`, and rotated into the feature
    space. The remaining directions hold independent noise.

    `shape`: objects and features; `counts`: objects of each class; `error`: Bayes error, between 0
    and 1; `components`: gaussians per class; `intrinsic`: dimensions in which classes differ; at
    most the number of features; `noise`: standard deviation in the remaining directions. Returns:
    `X` (n, d): features of the objects; `y` (n,).
    """
    n, d = shape
    sizes = np.array(list(counts.values()))
    q = min(d, intrinsic)
    centres = rng.standard_normal((len(sizes), 1, q))
    directions = centres + 0.5 * rng.standard_normal((len(sizes), components, q))
    mixtures = with_error(directions, sizes / sizes.sum(), error, rng)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    latent = mixtures.sample(y, rng)
    basis, _ = np.linalg.qr(rng.standard_normal((d, q)))
    ambient = noise * rng.standard_normal((n, d))
    ambient -= (ambient @ basis) @ basis.T
    return latent @ basis.T + ambient, y


GENERATORS: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "opchar.datasets.images.deep:for_registry": for_registry,
    "opchar.datasets.standins:gaussian_mixtures": gaussian_mixtures,
}


def make(data: DataSet, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Make the stand-in that the registry names for a set.

    Shapes: `X` (n, d); `y` (n,).
    """
    generator = str(data.stand_in.get("generator", ""))
    if generator not in GENERATORS:
        raise ConfigError(
            f"config/datasets.yaml: '{data.name}' has the unknown stand-in generator "
            f"'{generator}'{nearest(generator, list(GENERATORS))}"
        )
    options: dict[str, Any] = dict(data.stand_in.get("options") or {})
    try:
        return GENERATORS[generator](data.shape, data.classes, rng, **options)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"config/datasets.yaml: stand-in of '{data.name}': {str(error).split('() ')[-1]}"
        ) from None


def describe(data: DataSet, files: Mapping[str, Any] | None = None) -> str:
    """Return the phrase that results resting on the stand-in carry."""
    options = data.stand_in.get("options") or {}
    if files:
        return str(data.stand_in["real"])
    n, d = data.shape
    if "made" in data.stand_in:
        return str(data.stand_in["made"])
    return (
        f"Gaussian mixtures, {n} x {d}, {len(data.classes)} classes, "
        f"Bayes error {options.get('error', 0):g}"
    )


def substitute(data: DataSet) -> DataSet | None:
    """Return the real set that stands in for a licensed one, or None."""
    files = data.stand_in.get("files")
    if not files:
        return None
    return replace(
        data,
        folder=str(data.stand_in["folder"]),
        files=raw_files(files),
        official=None,
        licence=str(data.stand_in["licence"]),
        citation=str(data.stand_in["citation"]),
        licensed=False,
    )
