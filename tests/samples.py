"""Scored samples for property tests, and what they are exactly, in rational arithmetic."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

tied_scores = st.integers(0, 12).map(float)


@st.composite
def samples(draw, scores=tied_scores):
    size = draw(st.integers(2, 40))
    labels = draw(st.lists(st.booleans(), min_size=size - 2, max_size=size - 2))
    is_positive = np.array([True, False, *labels])
    return is_positive, np.array(draw(st.lists(scores, min_size=size, max_size=size)))


anything = st.one_of(
    st.floats(-1e300, 1e300), st.sampled_from([np.inf, -np.inf, 0.0, -0.0, 5e-324])
)
alphas = st.fractions(0, 1, max_denominator=20)


def exact_points(is_positive, score, weight=None):
    """Return [(fpr, tpr)] as fractions, counted threshold by threshold."""
    weight = [1] * len(score) if weight is None else weight
    rows = list(zip(map(bool, is_positive), map(float, score), weight, strict=True))

    def reached(of, threshold):
        return sum(w for label, value, w in rows if label == of and value >= threshold)

    sizes = [(of, reached(of, -np.inf)) for of in (False, True)]
    thresholds = sorted({value for _, value, _ in rows}, reverse=True)
    points = [tuple(Fraction(reached(of, t), size) for of, size in sizes) for t in thresholds]
    return [(Fraction(0), Fraction(0)), *points]


def exact_hull(points):
    """Return the points above every chord of two others, and both ends."""
    points = sorted(set(points))
    return [
        point
        for point in points
        if point in (points[0], points[-1])
        or not any(_below(point, left, right) for left in points for right in points)
    ]


def _below(point, left, right):
    """Return whether a point is on or below the chord, or straight below its left end."""
    if point in (left, right) or not left[0] <= point[0] <= right[0] or left[0] == right[0]:
        return False
    share = (point[0] - left[0]) / (right[0] - left[0])
    return point[1] <= left[1] + share * (right[1] - left[1])
