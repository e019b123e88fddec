"""Decision boundaries of quadratic classifiers, read back from the scores of their objects."""

import numpy as np
import pandas as pd

from opchar.multiclass.cost_weights.problem import Floats

LEAST = 1e-280


def quadratic_terms(x: Floats) -> Floats:
    """Return one, the features and their products, shape (n, 6) for two features."""
    a, b = x[:, 0], x[:, 1]
    return np.column_stack([np.ones(len(x)), a, b, a * a, a * b, b * b])


def quadratic_log_scores(x: Floats, scores: Floats) -> Floats:
    """Return the quadratic functions whose differences are the log ratios of posteriors.

    The log ratio of two Gaussian posteriors is a quadratic function, so that the least-squares fit
    on the objects that both classes can have is exact. Classes are joined by a spanning tree over
    the numbers of such objects.

    Shapes: `x` (n, 2); `scores` (n, C); returned (C, 6).
    """
    with np.errstate(divide="ignore"):
        logs = np.log(scores)
    seen = scores > LEAST
    shared = seen.T.astype(int) @ seen.astype(int)
    c = scores.shape[1]
    found = np.zeros((c, 6))
    joined, open_classes = [0], set(range(1, c))
    while open_classes:
        near, new = max(
            ((a, b) for a in joined for b in sorted(open_classes)),
            key=lambda pair: shared[pair[0], pair[1]],
        )
        both = seen[:, near] & seen[:, new]
        if both.sum() < 6:
            raise ValueError(f"classes {near} and {new} share {both.sum()} objects, six are needed")
        ratio = logs[both, new] - logs[both, near]
        found[new] = found[near] + _fit(x[both], ratio)
        joined.append(new)
        open_classes.remove(new)
    return found


def _fit(x: Floats, values: Floats) -> Floats:
    """Return the quadratic function through values at objects."""
    return np.asarray(np.linalg.lstsq(quadratic_terms(x), values, rcond=None)[0], dtype=float)


def regions(
    coefficients: Floats, log_weights: Floats, x: Floats, *, step: float, margin: float
) -> pd.DataFrame:
    """Return which class gets each point of a grid around objects.

    Shapes: `coefficients` (C, 6); `log_weights` (C,); `x` (n, 2).
    """
    low, high = x.min(axis=0) - margin, x.max(axis=0) + margin
    first, second = np.arange(low[0], high[0], step), np.arange(low[1], high[1], step)
    points = np.stack(np.meshgrid(first, second), axis=-1).reshape(-1, 2)
    values = quadratic_terms(points) @ coefficients.T + log_weights
    return pd.DataFrame(
        {"x": points[:, 0], "y": points[:, 1], "class": values.argmax(axis=1) + 1.0}
    )
