"""Synthetic sets of the five works: pure functions of sizes and a generator.

Every function takes ``n``, the number of objects, shared out evenly over the classes, or one number
a class, and a `numpy.random.Generator`; it returns ``X`` of shape (n, d) and ``y``, class indices
from 0 in ascending order. The toolbox' own definitions come from PRTools (2004-2006).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from opchar.datasets.surrounding import (
    banana_in_outliers,
    bent_target,
    clusters_in_unseen,
    surrounded,
)
from opchar.datasets.toolbox import (
    Set,
    Sizes,
    banana,
    concentric,
    gaussian_classes,
    highleyman,
    lithuanian,
    sizes,
    stack,
)
from opchar.errors import ConfigError, nearest
from opchar.ranges import Count

CLUSTER_OF_TWO = np.array([[0.0, 0.0], [3.0, 0.0]])
CLUSTER_OF_THREE = np.array([[0.0, 0.0], [2.5, 1.0], [2.0, -2.0]])


def prtools8(n: Sizes, rng: np.random.Generator) -> Set:
    """Eight classes in two dimensions: landgrebe2007, Sec. 4.2.5 ("PRTools8").

    A Highleyman pair; a concentric pair / 5 + 5; a banana pair / 5 + [5, 0]; a Lithuanian pair / 5
    + [0, 5].

    `n`: objects in all, or of each class. Returns: `X` (N, d): features of the objects, class by
    class; `y` (N,).
    """
    counts = sizes(n, 8)
    pairs = [
        highleyman(counts[0:2], rng)[0],
        concentric(counts[2:4], rng)[0] / 5 + 5,
        banana(counts[4:6], rng)[0] / 5 + [5, 0],
        lithuanian(counts[6:8], rng)[0] / 5 + [0, 5],
    ]
    return np.concatenate(pairs), np.repeat(np.arange(8), counts)


def prtools16(n: Sizes, rng: np.random.Generator) -> Set:
    """`prtools8` and again with 10 added to both features: landgrebe2007, Sec. 4.2.6.

    `n`: objects in all, or of each class. Returns: `X` (N, d): features of the objects, class by
    class; `y` (N,).
    """
    counts = sizes(n, 16)
    near, far = prtools8(counts[:8], rng), prtools8(counts[8:], rng)
    return np.concatenate([near[0], far[0] + 10]), np.concatenate([near[1], far[1] + 8])


def cluster_means(repeats: int, *, spacing: float = 12.0) -> np.ndarray:
    """Class means of the cluster sets of landgrebe2007, Sec. 4.3.6.

    A structure of eight classes is one cluster of two classes, 3 apart, and two clusters of three
    classes, sqrt(29/4), sqrt(8) and sqrt(37/4) apart. The places of the clusters are not given. We
    put the clusters of a structure `spacing` apart on a row. Each next structure lies one row
    higher, staggered by half a spacing, so that clusters hardly meet.

    Shapes: returned (8 * repeats, 2).
    """
    structure = np.concatenate(
        [
            CLUSTER_OF_TWO,
            CLUSTER_OF_THREE + np.array([spacing, 0.0]),
            CLUSTER_OF_THREE + np.array([2 * spacing, 0.0]),
        ]
    )
    steps = [[row % 2 * spacing / 2, row * spacing] for row in range(repeats)]
    return np.concatenate([structure + step for step in steps])


def clusters(
    n: Sizes, rng: np.random.Generator, *, repeats: Count = 1, spacing: float = 12.0
) -> Set:
    """Unit-variance Gaussian classes about `cluster_means`: landgrebe2007, Sec. 4.3.6.

    `n`: objects in all, or of each class; `repeats`: structures: 1, 2 or 5 for 8, 16 or 40 classes;
    `spacing`: distance of the clusters. Returns: `X` (N, d): features of the objects, class by
    class; `y` (N,).
    """
    return gaussian_classes(n, rng, means=cluster_means(repeats, spacing=spacing).tolist())


def prior_case_study(
    n: Sizes,
    rng: np.random.Generator,
    *,
    banana_class: Literal["A", "B"] = "B",
    exchanged: bool = False,
    blur: float = 0.0,
) -> Set:
    """Two classes of the case study of landgrebe2007, Sec. 2.2.4.

    The first is ``N([3, 2], I)`` with a small part about ``[-2, 5]`` weighing 1/32 of it, the
    second one class of the banana set. Which one is not said: A would lie across the first class,
    far beyond the error of about 0.05 of the text, so B is the default. The thesis does not say
    which feature comes first in a mean. `exchanged` exchanges both features, which mirrors the
    other class of the banana set in the place of this one. With `blur`, the standard deviation of
    noise about each object, the objects cover the plane around the classes, so that decisions can
    be drawn there.

    `n`: objects in all, or of each class; `banana_class`: the class of the banana set that is the
    second class; `exchanged`: whether the two features change places; `blur`: standard deviation of
    noise about each object. Returns: `X` (N, d): features of the objects, class by class; `y` (N,).
    """
    first, second = sizes(n, 2)
    centres = np.array([[3.0, 2.0], [-2.0, 5.0]])
    small = rng.random(first) < 1 / 33
    centres = centres[:, ::-1] if exchanged else centres
    a = centres[small.astype(int)] + rng.standard_normal((first, 2))
    both = banana([second, second], rng)
    X, y = stack([a, both[0][both[1] == "AB".index(banana_class)]])
    return X + blur * rng.standard_normal(X.shape), y


def banana_three(n: Sizes, rng: np.random.Generator) -> Set:
    """Three overlapping classes of landgrebe2007, Table 3.5 ("Banana").

    A banana-shaped, a Gaussian and a bimodal Gaussian class. Their places are not given: we take
    class A of `banana`, ``N([0, 0], 2.25 I)`` inside it, and two equal parts about ``[7, 3]`` and
    ``[-6, 1]`` at its ends.

    `n`: objects in all, or of each class. Returns: `X` (N, d): features of the objects, class by
    class; `y` (N,).
    """
    first, second, third = sizes(n, 3)
    both = banana([first, first], rng)
    inside = 1.5 * rng.standard_normal((second, 2))
    ends = np.array([[7.0, 3.0], [-6.0, 1.0]])
    outside = ends[rng.integers(2, size=third)] + rng.standard_normal((third, 2))
    return stack([both[0][both[1] == 0], inside, outside])


def imbalanced_pair(
    n: int, rng: np.random.Generator, *, rrt: float = 1.0, separation: float = 4.0, std: float = 1.0
) -> Set:
    """Two Gaussian classes of mullick2020, Example 1 (Figs. 2a and 2b).

    The class on the left has `n` objects, the one on the right ``n / rrt``; their means lie
    `separation` apart, evenly about x = 4. The works' own means are in a supplement that is not
    public.

    Shapes: `X` (N, d); `y` (N,).
    """
    means = [[4 - separation / 2, 4.0], [4 + separation / 2, 4.0]]
    return gaussian_classes([n, round(n / rrt)], rng, means=means, std=std)


def hexagon(
    n: Sizes, rng: np.random.Generator, *, n_classes: int = 6, radius: float = 4.0, std: float = 1.0
) -> Set:
    """Gaussian classes on the vertices of a regular hexagon: mullick2020, Example 1 (Figs. 2d, 2e).

    `n_classes` (1 to 6) adjacent vertices, anticlockwise from the first axis. Radius and standard
    deviation are in a supplement that is not public.

    Shapes: `X` (N, d); `y` (N,).
    """
    angle = np.arange(n_classes) * np.pi / 3
    means = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return gaussian_classes(n, rng, means=means.tolist(), std=std)


GENERATORS: dict[str, Callable[..., Set]] = {
    f"opchar.datasets.generators:{each.__name__}": each
    for each in (
        *(banana, banana_in_outliers, banana_three, bent_target, clusters, clusters_in_unseen),
        *(concentric, gaussian_classes, hexagon, highleyman, lithuanian, prior_case_study),
        *(prtools16, prtools8, surrounded),
    )
}


def generate(
    function: str, counts: Sequence[int], rng: np.random.Generator, options: dict[str, Any]
) -> Set:
    """Make a synthetic set of the registry, its objects in random order.

    Shapes: `X` (n, d); `y` (n,).
    """
    if function not in GENERATORS:
        raise ConfigError(f"no generator '{function}'{nearest(function, list(GENERATORS))}")
    with np.errstate(over="ignore", invalid="ignore"):
        X, y = GENERATORS[function](list(counts), rng, **options)
    if not np.isfinite(X).all():
        raise ConfigError("features overflow; take smaller numbers in its options")
    order = rng.permutation(len(y))
    return X[order], y[order]


def grid_points(X: np.ndarray, number: int) -> np.ndarray:
    """Return a regular grid over the rectangle of planar objects.

    Shapes: `X` (n, 2); returned (number ** 2, 2).
    """
    axes = [np.linspace(low, high, number) for low, high in zip(X.min(0), X.max(0), strict=True)]
    first, second = np.meshgrid(*axes)
    return np.column_stack([first.ravel(), second.ravel()])
