"""Secs. 3.2.2 to 3.2.4: the multi-class ROC of known classes."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from opchar.experiments.landgrebe2007.hypersurface import (
    five_class_scatter,
    five_classes,
    fixed_false_negatives,
)
from opchar.seeds import spawner

OPTIONS = {
    "means": [-6.0, -3.0, 0.0, 6.0, 9.0],
    "objects": 4000,
    "r": 30,
    "shown": 6,
    "weights": [1e-3, 1e3],
    "limit": 0.01,
}


def values(results, artefact):
    frame = results.frame()
    lines = frame[frame["artefact"] == artefact]
    return {(line.row, line.column): line.value for line in lines.itertuples()}


def test_counts_of_a_sample_stand_beside_the_exact_rates():
    results = five_classes(spawn=spawner(1, "test"), **OPTIONS)
    counts, rates = values(results, "table-3.1"), values(results, "table-3.2")
    assert rates["true 1", "assigned 2"] == pytest.approx(ndtr(-1.5) - ndtr(-4.5))
    for (row, column), rate in rates.items():
        spread = 5 * np.sqrt(max(rate * (1 - rate), 1e-4) / 4000)
        assert abs(counts[row, column] / 4000 - rate) < spread
    assert sum(counts["true 3", f"assigned {j}"] for j in range(1, 6)) == counts["true 3", "N"]
    sums = values(results, "eq-3.5")
    assert sums["row 2", "sum of the rates"] == pytest.approx(1)
    assert sums["row 2", "sum with the printed factors"] == pytest.approx(0.2)


def test_counts_of_the_text_and_the_guarantee():
    results = five_classes(spawn=spawner(1, "test"), **OPTIONS)
    text = values(results, "text-3.2.3")
    assert text["5-class Gaussian example", "number of weight combinations"] == 810_000
    assert text["5-class Gaussian example", "ROC dimensions"] == 20
    assert values(results, "text-3.2.4")["guarantee", ""] == 1
    apart = five_classes(spawn=spawner(1, "test"), **OPTIONS | {"means": [-30, -15, 0, 15, 30]})
    assert values(apart, "text-3.2.4")["guarantee", ""] == 0
    assert values(apart, "eq-3.15")["first 5 classes", "VUS exact"] == pytest.approx(1)


def test_false_positives_are_read_at_the_fixed_false_negatives():
    results = fixed_false_negatives(means=[0.0, 2.0], alpha=0.1, nodes=11)
    percent = values(results, "figure-3.4")["xi_{1,2} fixed at 10.00%", "xi_{2,1}"]
    assert percent == pytest.approx(100 * ndtr(-ndtri(0.1) - 2))
    assert results.frame()["data"].str.startswith("stand-in for ").all()
    curve = results.curves["roc"]
    assert curve["xi_21"].is_monotonic_decreasing
    assert curve["xi_21"].iloc[0] == 1 and curve["xi_21"].iloc[-1] == 0


def test_scatter_has_objects_and_a_map_of_decisions():
    means = [[-4.0, 0.0], [-1.0, 2.0], [0.0, -2.5], [3.0, 2.5], [3.5, -1.0]]
    results = five_class_scatter(spawn=spawner(1, "test"), means=means, objects=40, nodes=15)
    assert len(results.curves["objects"]) == 200
    assert set(results.curves["decisions"]["class"]) == {1, 2, 3, 4, 5}
    error = values(results, "figure-3.1")["quadratic classifier", "error on the objects drawn"]
    assert 0 < error < 0.15
