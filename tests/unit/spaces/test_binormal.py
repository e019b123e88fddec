"""ROC curves of normally distributed scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opchar.spaces.points import operating_points
from opchar.spaces.roc import auc, binormal_auc, binormal_roc


@given(st.floats(-3, 3), st.floats(0.2, 4))
def test_curve_rises_from_corner_to_corner_and_has_its_area(mean, deviation):
    fpr = np.linspace(0, 1, 20_001)
    tpr = binormal_roc(fpr, mean, deviation)
    assert (tpr[0], tpr[-1]) == (0, 1)
    assert (np.diff(tpr) >= 0).all()
    assert np.trapezoid(tpr, fpr) == pytest.approx(float(binormal_auc(mean, deviation)), abs=2e-3)


def test_samples_approach_the_curve():
    rng = np.random.default_rng(3)
    labels = np.repeat([True, False], 40_000)
    scores = np.where(labels, rng.normal(1.2, 0.7, 80_000), rng.normal(size=80_000))
    points = operating_points(labels, scores)
    exact = binormal_roc(points.fpr, 1.2, 0.7)
    assert np.abs(points.tpr - exact).max() < 0.02
    assert auc(points) == pytest.approx(float(binormal_auc(1.2, 0.7)), abs=0.01)
