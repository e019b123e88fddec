"""Synthetic sets of the five works: pure functions of sizes and a generator.

Every function takes ``n``, the number of objects, shared out evenly over the classes, or one number
a class, and a `numpy.random.Generator`; it returns ``X`` of shape (n, d) and ``y``, class indices
from 0 in ascending order. The toolbox' own definitions are those of PRTools (2004-2006).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Sizes = int | Sequence[int]
Set = tuple[np.ndarray, np.ndarray]

CLUSTER_OF_TWO = np.array([[0.0, 0.0], [3.0, 0.0]])
CLUSTER_OF_THREE = np.array([[0.0, 0.0], [2.5, 1.0], [2.0, -2.0]])


def sizes(n: Sizes, n_classes: int) -> list[int]:
    """Return the number of objects of each class.

    Parameters
    ----------
    n : int or sequence of int
        In all, shared out evenly with the first classes taking what is left over, or a class.
    n_classes : int
        How many classes there are.

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        If `n` has another number of classes.
    """
    if isinstance(n, int):
        return [n // n_classes + (number < n % n_classes) for number in range(n_classes)]
    if len(n) != n_classes:
        raise ValueError(f"n has {len(n)} sizes and the set has {n_classes} classes")
    return [int(size) for size in n]


def _stack(parts: Sequence[np.ndarray]) -> Set:
    labels = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.concatenate(parts), labels


def gaussian_classes(
    n: Sizes,
    rng: np.random.Generator,
    *,
    means: Sequence[Sequence[float] | float],
    std: Sequence[float] | float = 1.0,
) -> Set:
    """Gaussian classes with given means and spherical covariances.

    The sets of landgrebe2007 with known distributions (Secs. 3.3.4, 4.2.3, 4.3.3 to 4.3.5, 6.2.2).

    Parameters
    ----------
    n : int or sequence of int
        Objects in all, or of each class.
    rng : numpy.random.Generator
        Source of all randomness.
    means : sequence of float or of sequences of float
        One a class; numbers make a one-dimensional set.
    std : float or sequence of float
        Standard deviation, of all classes or of each.

    Returns
    -------
    X : ndarray, shape (n, d)
    y : ndarray of int, shape (n,)
    """
    centres = np.array(means, dtype=float).reshape(len(means), -1)
    stds = np.broadcast_to(np.asarray(std, dtype=float), len(centres))
    return _stack(
        [
            centre + s * rng.standard_normal((size, centres.shape[1]))
            for centre, s, size in zip(centres, stds, sizes(n, len(centres)), strict=True)
        ]
    )


def _arc(
    size: int, rng: np.random.Generator, radius: float, low: float, high: float, noise: float
) -> np.ndarray:
    """Points at angles U(low, high) from the vertical on a circle, blurred."""
    angle = rng.uniform(low, high, size)
    circle = radius * np.column_stack([np.sin(angle), np.cos(angle)])
    return circle + noise * rng.standard_normal((size, 2))


def banana(n: Sizes, rng: np.random.Generator, *, radius: float = 5.0, noise: float = 1.0) -> Set:
    """Two interlocked banana-shaped classes: PRTools ``gendatb`` (landgrebe2007, ref. [4]).

    Class A lies on the angles U(pi/8, 11 pi/8), class B on U(-7 pi/8, 3 pi/8), as
    ``(r sin, r cos) + N(0, noise^2 I)``; B is shifted by ``-0.75 r`` on both features.
    """
    first, second = sizes(n, 2)
    a = _arc(first, rng, radius, np.pi / 8, 11 * np.pi / 8, noise)
    b = _arc(second, rng, radius, -7 * np.pi / 8, 3 * np.pi / 8, noise) - 0.75 * radius
    return _stack([a, b])


def highleyman(n: Sizes, rng: np.random.Generator) -> Set:
    """Two Gaussian classes of Highleyman: PRTools ``gendath``.

    ``N([1, 1], diag(1, 0.25))`` and ``N([2, 0], diag(0.01, 4))``.
    """
    first, second = sizes(n, 2)
    a = [1.0, 1.0] + rng.standard_normal((first, 2)) * [1.0, 0.5]
    b = [2.0, 0.0] + rng.standard_normal((second, 2)) * [0.1, 2.0]
    return _stack([a, b])


def concentric(n: Sizes, rng: np.random.Generator) -> Set:
    """Two Gaussian classes about the origin: PRTools ``gendatc``, ``N(0, I)`` and ``N(0, 9 I)``."""
    return gaussian_classes(n, rng, means=[[0.0, 0.0], [0.0, 0.0]], std=[1.0, 3.0])


def lithuanian(n: Sizes, rng: np.random.Generator, *, noise: float = 1.0) -> Set:
    """Two arcs one inside the other: PRTools ``gendatl``.

    Angles U(-pi/3, pi/3) from the first axis, radii 10 and 6.2, Gaussian noise.
    """
    parts = []
    for size, radius in zip(sizes(n, 2), (10.0, 6.2), strict=True):
        arc = _arc(size, rng, radius, -np.pi / 3, np.pi / 3, noise)
        parts.append(arc[:, ::-1])
    return _stack(parts)


def prtools8(n: Sizes, rng: np.random.Generator) -> Set:
    """Eight classes in two dimensions: landgrebe2007, Sec. 4.2.5 ("PRTools8").

    A Highleyman pair; a concentric pair / 5 + 5; a banana pair / 5 + [5, 0]; a Lithuanian pair / 5
    + [0, 5].
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
    """`prtools8` and again with 10 added to both features: landgrebe2007, Sec. 4.2.6."""
    counts = sizes(n, 16)
    near, far = prtools8(counts[:8], rng), prtools8(counts[8:], rng)
    return np.concatenate([near[0], far[0] + 10]), np.concatenate([near[1], far[1] + 8])


def cluster_means(repeats: int, *, spacing: float = 12.0) -> np.ndarray:
    """Class means of the cluster sets of landgrebe2007, Sec. 4.3.6.

    A structure of eight classes is one cluster of two classes, 3 apart, and two clusters of three
    classes, sqrt(29/4), sqrt(8) and sqrt(37/4) apart. The places of the clusters are not given: we
    put the clusters of a structure `spacing` apart on a row, each next structure one row higher and
    staggered by half a spacing, so that clusters hardly meet.

    Parameters
    ----------
    repeats : int
        Structures: 1, 2 or 5 for 8, 16 or 40 classes.
    spacing : float
        Distance of the clusters.

    Returns
    -------
    ndarray, shape (8 * repeats, 2)
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


def clusters(n: Sizes, rng: np.random.Generator, *, repeats: int = 1, spacing: float = 12.0) -> Set:
    """Unit-variance Gaussian classes about `cluster_means`: landgrebe2007, Sec. 4.3.6."""
    return gaussian_classes(n, rng, means=cluster_means(repeats, spacing=spacing).tolist())


def prior_case_study(n: Sizes, rng: np.random.Generator, *, banana_class: str = "B") -> Set:
    """Two classes of the case study of landgrebe2007, Sec. 2.2.4.

    The first is ``N([3, 2], I)`` with a small part about ``[-2, 5]`` weighing 1/32 of it, the
    second one class of the banana set. Which one is not said: A would lie across the first class,
    far beyond the error of about 0.05 that the text speaks of, so B is the default.
    """
    first, second = sizes(n, 2)
    centres = np.array([[3.0, 2.0], [-2.0, 5.0]])
    small = rng.random(first) < 1 / 33
    a = centres[small.astype(int)] + rng.standard_normal((first, 2))
    both = banana([second, second], rng)
    return _stack([a, both[0][both[1] == "AB".index(banana_class)]])


def banana_three(n: Sizes, rng: np.random.Generator) -> Set:
    """Three overlapping classes of landgrebe2007, Table 3.5 ("Banana").

    A banana-shaped, a Gaussian and a bimodal Gaussian class. Their places are not given: we take
    class A of `banana`, ``N([0, 0], 2.25 I)`` inside it, and two equal parts about ``[7, 3]`` and
    ``[-6, 1]`` at its ends.
    """
    first, second, third = sizes(n, 3)
    both = banana([first, first], rng)
    inside = 1.5 * rng.standard_normal((second, 2))
    ends = np.array([[7.0, 3.0], [-6.0, 1.0]])
    outside = ends[rng.integers(2, size=third)] + rng.standard_normal((third, 2))
    return _stack([both[0][both[1] == 0], inside, outside])


def banana_in_outliers(n: Sizes, rng: np.random.Generator, *, margin: float = 4.0) -> Set:
    """Two banana classes and uniform outliers: landgrebe2007, Sec. 6.2.4 and Fig. 6.1.

    The outliers are uniform on the rectangle of the banana circles' centres, widened by their
    radius 5 and by `margin`.
    """
    first, second, third = sizes(n, 3)
    targets = banana([first, second], rng)
    corner = 5.0 + margin
    outliers = rng.uniform(-3.75 - corner, corner, (third, 2))
    return np.concatenate([targets[0], outliers]), np.repeat([0, 1, 2], [first, second, third])


def surrounded(
    n: Sizes,
    rng: np.random.Generator,
    *,
    mean: Sequence[float] = (0.5, 0.5),
    std: float = 0.33,
    delta: float = 0.15,
    low: float = 0.0,
    high: float = 1.0,
) -> Set:
    """Positives in the middle of negatives: soleymani2018, Sec. 4.

    The positive class (index 1) is ``N(mean, std^2 I)``; the negative class (index 0) is uniform on
    the square from `low` to `high`, no nearer than `delta` to `mean`. The square is not given: we
    take the unit square, whose middle the mean is.
    """
    negatives, positives = sizes(n, 2)
    kept = np.empty((0, 2))
    while len(kept) < negatives:
        drawn = rng.uniform(low, high, (2 * negatives + 16, 2))
        far = np.hypot(*(drawn - np.asarray(mean)).T) >= delta
        kept = np.concatenate([kept, drawn[far]])
    return _stack([kept[:negatives], np.asarray(mean) + std * rng.standard_normal((positives, 2))])


def imbalanced_pair(
    n: int, rng: np.random.Generator, *, rrt: float = 1.0, separation: float = 4.0, std: float = 1.0
) -> Set:
    """Two Gaussian classes of mullick2020, Example 1 (Figs. 2a and 2b).

    The class on the left has `n` objects, the one on the right ``n / rrt``; their means lie
    `separation` apart, evenly about x = 4. The works' own means are in a supplement that is not
    public.
    """
    means = [[4 - separation / 2, 4.0], [4 + separation / 2, 4.0]]
    return gaussian_classes([n, round(n / rrt)], rng, means=means, std=std)


def hexagon(
    n: Sizes, rng: np.random.Generator, *, n_classes: int = 6, radius: float = 4.0, std: float = 1.0
) -> Set:
    """Gaussian classes on the vertices of a regular hexagon: mullick2020, Example 1 (Figs. 2d, 2e).

    `n_classes` (1 to 6) adjacent vertices, anticlockwise from the first axis. Radius and standard
    deviation are in a supplement that is not public.
    """
    angle = np.arange(n_classes) * np.pi / 3
    means = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return gaussian_classes(n, rng, means=means.tolist(), std=std)


GENERATORS: dict[str, Callable[..., Set]] = {
    "opchar.datasets.generators:banana": banana,
    "opchar.datasets.generators:banana_in_outliers": banana_in_outliers,
    "opchar.datasets.generators:banana_three": banana_three,
    "opchar.datasets.generators:clusters": clusters,
    "opchar.datasets.generators:concentric": concentric,
    "opchar.datasets.generators:gaussian_classes": gaussian_classes,
    "opchar.datasets.generators:hexagon": hexagon,
    "opchar.datasets.generators:highleyman": highleyman,
    "opchar.datasets.generators:lithuanian": lithuanian,
    "opchar.datasets.generators:prior_case_study": prior_case_study,
    "opchar.datasets.generators:prtools16": prtools16,
    "opchar.datasets.generators:prtools8": prtools8,
    "opchar.datasets.generators:surrounded": surrounded,
}


def generate(
    function: str, counts: Sequence[int], rng: np.random.Generator, options: dict[str, Any]
) -> Set:
    """Make a synthetic set of the registry, its objects in random order.

    Parameters
    ----------
    function : str
        Dotted address of a function of this module.
    counts : sequence of int
        Objects of each class.
    rng : numpy.random.Generator
        Source of all randomness.
    options : dict
        Keyword options of the function.

    Returns
    -------
    X : ndarray, shape (n, d)
    y : ndarray of int, shape (n,)

    Raises
    ------
    KeyError
        If there is no such function.
    """
    X, y = GENERATORS[function](list(counts), rng, **options)
    order = rng.permutation(len(y))
    return X[order], y[order]
