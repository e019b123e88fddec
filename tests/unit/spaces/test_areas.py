import numpy as np
import pytest

from opchar.spaces.points import from_rates
from opchar.spaces.precision_recall import auprec, iauprec, precision


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


def test_iauprec_refuses_a_range_that_is_none():
    with pytest.raises(ValueError, match="low < high"):
        iauprec(from_rates([0.5], [0.1]), 0.5, 0.5)
