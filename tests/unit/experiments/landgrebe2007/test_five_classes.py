"""Secs. 3.2.2 to 3.2.4: the multi-class ROC of known classes."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from drawn import drawn
from measuring import values
from opchar.multiclass.gaussians import confusion_rates
from opchar.multiclass.weight_grids import weight_grid
from opchar.seeds import spawner
from opchar_reproduction.publications.landgrebe2007.chapter3.five_classes import (
    five_class_scatter,
    five_classes,
)
from opchar_reproduction.publications.landgrebe2007.chapter3.fixed_error import (
    fixed_false_negatives,
)

OPTIONS = {"means": [-6.0, -3.0, 0.0, 6.0, 9.0], "objects": 4000, "r": 6, "weights": [1e-3, 1e3]}


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


def test_counts_of_the_text_and_least_errors():
    results = five_classes(spawn=spawner(1, "test"), **OPTIONS)
    text = values(results, "text-3.2.3")
    assert text["5-class Gaussian example", "number of weight combinations"] == 6**4
    assert text["5-class Gaussian example", "ROC dimensions"] == 20
    assert values(results, "eq-3.15")["first 2 classes", "VUS exact"] < 1
    rates = confusion_rates(OPTIONS["means"], 1.0, weight_grid(5, 6))
    single, pairs = results.curves["single errors"], results.curves["pairs of errors"]
    assert len(single) == 20 and len(pairs) == 190
    least = single.set_index("error")["least"]
    assert least["1->2"] == rates[:, 0, 1].min()
    pair = pairs.set_index(["first", "second"])["least"]
    assert pair["1->2", "2->1"] == np.maximum(rates[:, 0, 1], rates[:, 1, 0]).min()
    bases = results.frame().set_index("artefact")["basis"]
    assert set(bases["table-3.1"]) == {"simulation", "input"}
    assert set(bases["table-3.2"]) == {"exact"}


def test_false_positives_are_read_at_the_fixed_false_negatives():
    results = fixed_false_negatives(means=[0.0, 2.0], alpha=0.1, nodes=11)
    percent = values(results, "figure-3.4")["xi_{1,2} fixed at 10.00%", "xi_{2,1}"]
    assert percent == pytest.approx(100 * ndtr(-ndtri(0.1) - 2))
    assert not results.frame()["data"].str.contains("stand-in").any()
    curve = results.curves["roc"]
    assert curve["xi_21"].is_monotonic_decreasing
    assert curve["xi_21"].iloc[0] == 1 and curve["xi_21"].iloc[-1] == 0


def test_scatter_has_objects_and_margins_of_decisions(tmp_path):
    scores, features = drawn("five-gaussians", "qdc", "drawn-own", tmp_path, train=40, plane=1000)
    results = five_class_scatter(scores=scores, features=features, nodes=15)
    objects = results.curves["objects"]
    assert objects["class"].value_counts().to_dict() == dict.fromkeys(range(1, 6), 40)
    margins = results.curves["decisions"].filter(like="margin_").to_numpy()
    assert margins.shape == (225, 5) and np.isfinite(margins).all()
    assert set(margins.argmax(axis=1)) == {0, 1, 2, 3, 4}
    assert ((margins > 0).sum(axis=1) <= 1).all()
    error = values(results, "figure-3.1")["quadratic classifier", "error on the objects drawn"]
    (own,) = (part for name, part in next(iter(scores.values())).test_sets() if name == "train")
    assert error == np.mean(own.scores.argmax(axis=1) != own.y) and 0 < error < 0.15
    assert values(results, "figure-3.1")["quadratic classifier", "degrees of freedom"] == 4
