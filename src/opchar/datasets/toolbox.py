"""What synthetic sets are made of: Gaussian classes, arcs, and the sets of PRTools (2004-2006)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Sizes = int | Sequence[int]
Set = tuple[np.ndarray, np.ndarray]


def sizes(n: Sizes, n_classes: int) -> list[int]:
    """Return the number of objects of each class."""
    if isinstance(n, int):
        return [n // n_classes + (number < n % n_classes) for number in range(n_classes)]
    if len(n) != n_classes:
        raise ValueError(f"n has {len(n)} sizes and the set has {n_classes} classes")
    return [int(size) for size in n]


def stack(parts: Sequence[np.ndarray]) -> Set:
    """Return objects of each class as one set.

    Shapes: `parts` (m, d); `X` (n, d); `y` (n,).
    """
    labels = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.concatenate(parts), labels


def gaussian_classes(
    n: Sizes,
    rng: np.random.Generator,
    *,
    means: Sequence[Sequence[float] | float],
    std: Sequence[float] | float = 1.0,
    covariances: Sequence[Sequence[Sequence[float]]] | None = None,
) -> Set:
    """Gaussian classes with given means and spherical or given covariances.

    The sets of landgrebe2007 with known distributions (Secs. 3.3.4, 4.2.3, 4.3.3 to 4.3.5, 6.2.2)
    and of its illustrations in the plane (Secs. 1.2, 3.2.2).

    Shapes: `X` (n, d); `y` (n,).
    """
    centres = np.array(means, dtype=float).reshape(len(means), -1)
    stds = np.broadcast_to(np.asarray(std, dtype=float), len(centres))
    noise = [
        s * rng.standard_normal((size, centres.shape[1]))
        for s, size in zip(stds, sizes(n, len(centres)), strict=True)
    ]
    if covariances is not None:
        matrices = np.array(covariances, dtype=float)
        if matrices.shape != (*centres.shape, centres.shape[1]):
            raise ValueError(
                f"covariances of shape {matrices.shape} do not fit means of shape {centres.shape}"
            )
        roots = np.linalg.cholesky(matrices)
        noise = [part @ root.T for part, root in zip(noise, roots, strict=True)]
    return stack([centre + part for centre, part in zip(centres, noise, strict=True)])


def arc_points(
    size: int, rng: np.random.Generator, radius: float, low: float, high: float, noise: float
) -> np.ndarray:
    """Points at angles U(low, high) from the vertical on a circle, blurred.

    Shapes: returned (size, 2).
    """
    angle = rng.uniform(low, high, size)
    circle = radius * np.column_stack([np.sin(angle), np.cos(angle)])
    return circle + noise * rng.standard_normal((size, 2))


def banana(n: Sizes, rng: np.random.Generator, *, radius: float = 5.0, noise: float = 1.0) -> Set:
    """Two interlocked banana-shaped classes: PRTools ``gendatb`` (landgrebe2007, ref. [4]).

    Class A lies on the angles U(pi/8, 11 pi/8), class B on U(-7 pi/8, 3 pi/8), as
    ``(r sin, r cos) + N(0, noise^2 I)``; B is shifted by ``-0.75 r`` on both features.

    Shapes: `X` (N, d); `y` (N,).
    """
    first, second = sizes(n, 2)
    a = arc_points(first, rng, radius, np.pi / 8, 11 * np.pi / 8, noise)
    b = arc_points(second, rng, radius, -7 * np.pi / 8, 3 * np.pi / 8, noise) - 0.75 * radius
    return stack([a, b])


def highleyman(n: Sizes, rng: np.random.Generator) -> Set:
    """Two Gaussian classes of Highleyman: PRTools ``gendath``.

    ``N([1, 1], diag(1, 0.25))`` and ``N([2, 0], diag(0.01, 4))``.

    Shapes: `X` (N, d); `y` (N,).
    """
    first, second = sizes(n, 2)
    a = [1.0, 1.0] + rng.standard_normal((first, 2)) * [1.0, 0.5]
    b = [2.0, 0.0] + rng.standard_normal((second, 2)) * [0.1, 2.0]
    return stack([a, b])


def concentric(n: Sizes, rng: np.random.Generator) -> Set:
    """Two Gaussian classes about the origin: PRTools ``gendatc``, ``N(0, I)`` and ``N(0, 9 I)``.

    Shapes: `X` (N, d); `y` (N,).
    """
    return gaussian_classes(n, rng, means=[[0.0, 0.0], [0.0, 0.0]], std=[1.0, 3.0])


def lithuanian(n: Sizes, rng: np.random.Generator, *, noise: float = 1.0) -> Set:
    """Two arcs one inside the other: PRTools ``gendatl``.

    Angles U(-pi/3, pi/3) from the first axis, radii 10 and 6.2, Gaussian noise.

    Shapes: `X` (N, d); `y` (N,).
    """
    parts = []
    for size, radius in zip(sizes(n, 2), (10.0, 6.2), strict=True):
        arc = arc_points(size, rng, radius, -np.pi / 3, np.pi / 3, noise)
        parts.append(arc[:, ::-1])
    return stack(parts)
