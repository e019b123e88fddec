"""Sec. 5.3.2: rejection against classification for known densities."""

import numpy as np
import pytest

from measuring import values
from opchar_reproduction.publications.landgrebe2007.chapter5.known_densities import known_densities

OPTIONS = {
    "target": [0.0, 1.0],
    "outlier": [2.5, 1.0],
    "unseen": [-6.0, 9.0],
    "rule": "ratio",
    "theta_range": [-18.0, 18.0],
    "thetas": 41,
    "shown": 0.15,
    "distances": [0.0, 0.01, 0.05, 0.15, 0.3],
    "surface_distances": 9,
}


def test_the_region_has_its_closed_form():
    results = known_densities(**OPTIONS)
    example = values(results, "figure-5.7")
    reach = np.sqrt(-2 * np.log(0.15 * np.sqrt(2 * np.pi)))
    assert example["t_d=0.15, theta=0", "lower end of the target region"] == pytest.approx(-reach)
    assert example["t_d=0.15, theta=0", "upper end of the target region"] == pytest.approx(1.25)
    regions = results.curves["regions"].set_index("t_d")
    assert regions["least density"][0.15] == pytest.approx(0.15)
    assert regions["low"][0.0] == -np.inf


def test_surface_covers_all_pairs_of_thresholds():
    results = known_densities(**OPTIONS)
    assert len(results.curves["surface"]) == 9 * 41
    assert len(results.curves["roc"]) == 5 * 41
    open_curve = results.curves["roc"].query("t_d == 0")
    assert open_curve["tpr"].max() == pytest.approx(1) and open_curve["tpr"].min() < 1e-6
