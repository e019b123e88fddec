import numpy as np
import pytest

from opchar.spaces import blocks
from opchar.spaces.points import from_rates, operating_points
from opchar.spaces.precision_recall import auprec, average_precision, iauprec, precision
from opchar.spaces.roc import auc, with_corners


def test_precision_is_undefined_where_nothing_is_accepted():
    assert np.isnan(precision(0.0, 0.0, 0.3))
    assert precision(0.0, 0.2, 0.3) == 0
    assert precision(0.3, 0.3, 0.3) == pytest.approx(0.3)


def test_the_first_point_rule_changes_only_the_first_step():
    points = from_rates([0, 0.4, 1], [0, 0.1, 1])
    first = float(precision(0.4, 0.1, 0.5))
    assert auprec(points, 0.5, "one") - auprec(points, 0.5) == pytest.approx(0.2 * (1 - first))
    assert auprec(points, 0.5) - auprec(points, 0.5, "zero") == pytest.approx(0.2 * first)


def test_iauprec_of_points_near_the_diagonal_does_not_cancel():
    tpr = np.array([0.3, 0.5, 1.0])
    points = from_rates(tpr, tpr * (1 - 1e-9))
    assert iauprec(points, 0.2, 0.6) == pytest.approx(0.4 * 0.7, rel=1e-8)


@pytest.mark.parametrize("block", [1, 3, 7, blocks.BLOCK])
@pytest.mark.parametrize("n", [2, 3, 8, 50])
@pytest.mark.parametrize("weighted", [False, True])
def test_areas_in_blocks_are_those_of_whole_arrays(monkeypatch, block, n, weighted):
    """To the bit where one block is enough; sums of several blocks round otherwise."""
    exactly = 0 if block > n else 1e-15
    rng = np.random.default_rng(n)
    positive = np.append([True, False], rng.random(n - 2) < 0.4)
    weight = rng.random(n) if weighted else None
    points = operating_points(positive, rng.integers(0, n, n), weight)
    monkeypatch.setattr(blocks, "BLOCK", block)
    fpr, tpr = with_corners(points)
    whole = min(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2, 1)
    assert auc(points) == pytest.approx(whole, rel=exactly, abs=0)
    for prior in (points.prior, 1.0, 1e-9):
        height = precision(points.tpr, points.fpr, prior)
        height[np.isnan(height)] = 0
        whole = np.diff(points.tpr, prepend=0.0) @ height
        assert average_precision(points, prior) == pytest.approx(whole, rel=exactly, abs=0)
