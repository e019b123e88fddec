"""Sets with a class spread all around the others: outliers, unseen objects, negatives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opchar.datasets.toolbox import Set, Sizes, banana, sizes, stack

# How often points are drawn, twice as many as are wanted, before the place for them counts as none.
MOST_DRAWS = 1_000


def banana_in_outliers(n: Sizes, rng: np.random.Generator, *, margin: float = 4.0) -> Set:
    """Two banana classes and uniform outliers: landgrebe2007, Sec. 6.2.4 and Fig. 6.1.

    The outliers are uniform on the rectangle of the banana circles' centres, widened by their
    radius 5 and by `margin`.

    Shapes: `X` (N, d); `y` (N,).
    """
    first, second, third = sizes(n, 3)
    targets = banana([first, second], rng)
    corner = 5.0 + margin
    outliers = rng.uniform(-3.75 - corner, corner, (third, 2))
    return np.concatenate([targets[0], outliers]), np.repeat([0, 1, 2], [first, second, third])


def bent_target(
    n: Sizes,
    rng: np.random.Generator,
    *,
    outlier: Sequence[float] = (6.0, 0.0),
    std: float = 1.5,
    margin: float = 9.0,
) -> Set:
    """Draw a bent target class, an outlier class beside it, and unseen objects all around.

    The example of landgrebe2007, Figs. 5.2 and 5.4, whose distributions are not given. The target
    is class A of `banana`, the outlier class ``N(outlier, std^2 I)``, and the unseen class uniform
    on the square that reaches `margin` from the origin.

    Shapes: `outlier` length 2; `X` (N, d); `y` (N,).
    """
    first, second, third = sizes(n, 3)
    both = banana([first, first], rng)
    beside = np.asarray(outlier) + std * rng.standard_normal((second, 2))
    around = rng.uniform(-margin, margin, (third, 2))
    return stack([both[0][both[1] == 0], beside, around])


def clusters_in_unseen(
    n: Sizes, rng: np.random.Generator, *, std: float = 0.25, margin: float = 2.0
) -> Set:
    """Two classes of three clusters each among unseen objects: landgrebe2007, Sec. 5.3.3.

    The distributions are not given. In standard deviations the targets' clusters lie about
    ``[-3, 0]``, ``[0, 3]`` and ``[3, 0]``, the outliers' about ``[0, -0.5]``, ``[-1.5, -3]`` and
    ``[1.5, -3]``; the unseen class is uniform on the square that reaches `margin` from the origin.
    With `std` of 0.25 the density of 0.05 that the text rejects below lies in the targets' tails.

    Shapes: `X` (N, d); `y` (N,).
    """
    first, second, third = sizes(n, 3)
    centres_of = (
        np.array([[-3.0, 0.0], [0.0, 3.0], [3.0, 0.0]]),
        np.array([[0.0, -0.5], [-1.5, -3.0], [1.5, -3.0]]),
    )
    known = [
        std * (centres[rng.integers(3, size=size)] + rng.standard_normal((size, 2)))
        for centres, size in zip(centres_of, (first, second), strict=True)
    ]
    return stack([*known, rng.uniform(-margin, margin, (third, 2))])


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

    Shapes: `mean` length 2; `X` (N, d); `y` (N,).

    `low`, `high`: Limits of the square.
    """
    negatives, positives = sizes(n, 2)
    kept = np.empty((0, 2))
    for _ in range(MOST_DRAWS):
        if len(kept) >= negatives:
            break
        drawn = rng.uniform(low, high, (2 * negatives + 16, 2))
        far = np.hypot(*(drawn - np.asarray(mean)).T) >= delta
        kept = np.concatenate([kept, drawn[far]])
    else:
        raise ValueError(f"hardly any point of the square is {delta:g} or more from the mean")
    return stack([kept[:negatives], np.asarray(mean) + std * rng.standard_normal((positives, 2))])
