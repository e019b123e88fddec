"""Secs. 4.2 and 4.3: known Gaussian classes, their operating points and their decomposition."""

import pytest

from measuring import values
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.perturbation import (
    perturbation,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.roc_surface import (
    three_gaussians,
)


def test_three_gaussians_give_a_falling_surface():
    results = three_gaussians(
        means=[-0.75, 0.0, 0.75], r=40, weights=[1e-3, 1e3], nodes=21, many_classes=10
    )
    lines = values(results, "figure-4.6")
    assert lines["3 Gaussians", "VUS est."] == pytest.approx(0.43647, rel=0.03)
    assert len(results.curves["surface"]) == 21**2


EXAMPLE = {
    "means": [-8.0, 0.0, -6.0, 5.0],
    "variance": 0.5,
    "r": 11,
    "weights": [1e-3, 1e3],
    "threshold": 0.01,
    "slices": [1e-3, 1.0, 1e3],
    "counted": [2, 3],
}


def test_printed_sensitivities_fit_a_wider_range_of_weights():
    """0.8554 needs weights beyond 10^3, the stated end; between the ends nothing is larger."""
    stated = values(perturbation(**EXAMPLE | {"r": 80}), "eq-4.36")
    assert stated["Lambda_1^v", "class 1"] == pytest.approx(0.8480, abs=5e-5)
    assert 0.8554 - stated["Lambda_1^v", "class 1"] > 0.007
    assert stated["Lambda_2^v", "class 2"] == pytest.approx(0.0056, abs=5e-5)
    finer = values(perturbation(**EXAMPLE | {"r": 801}), "eq-4.36")
    assert finer["Lambda_1^v", "class 1"] == pytest.approx(stated["Lambda_1^v", "class 1"])
    wider = perturbation(**EXAMPLE | {"weights": [1 / 1094, 1094.0]})
    found = values(wider, "eq-4.36")
    assert found["Lambda_1^v", "class 1"] == pytest.approx(0.8554, abs=3e-4)
    assert found["Lambda_2^v", "class 2"] == pytest.approx(0.0058, abs=1e-4)
