"""The tutorial's experiments: every published line has a result, and each result is checked."""

import importlib
from itertools import product

import numpy as np
import pandas as pd
import pytest

from measuring import entries
from opchar.metrics.counts import one_vs_rest
from opchar.spaces.points import operating_points
from opchar_reproduction.publications.tharwat2018 import layouts, listings, precision_recall

CONFIG = entries("experiments", "tharwat2018")


def run(address):
    module, function = CONFIG[address]["function"].split(":")
    return getattr(importlib.import_module(module), function)(**CONFIG[address]["parameters"])


@pytest.fixture(scope="module")
def outcomes():
    return {address: run(address) for address in CONFIG}


@pytest.fixture(scope="module")
def lines(outcomes):
    frame = pd.concat(
        [
            results.frame(basis=CONFIG[address]["basis"])
            for address, results in outcomes.items()
            if results.lines
        ],
        ignore_index=True,
    )
    assert not frame.duplicated(["artefact", "row", "column"]).any()
    return frame


def value(lines, artefact, row, column=""):
    found = lines[
        (lines["artefact"] == artefact) & (lines["row"] == row) & (lines["column"] == column)
    ]
    assert len(found) == 1
    return found["value"].iloc[0]


def test_scores_and_labels_are_the_only_ones_that_give_the_table(lines):
    """Each printed threshold is a score; the count that rises at it is its class."""
    table = lines[lines["artefact"] == "table-roc-thresholds"]
    wide = table[table["kind"] == "number"].pivot_table(
        index="row", columns="column", values="value"
    )
    wide = wide.sort_values("threshold", ascending=False)
    rises = wide[["TP", "FP"]].diff().iloc[1:]
    assert (rises.sum(axis=1) == 1).all()
    parameters = CONFIG["tharwat2018/threshold-sweep"]["parameters"]
    positives = wide["threshold"].iloc[1:][rises["TP"] == 1]
    assert list(positives) == parameters["positive_scores"]


def test_table_equals_counting_by_hand(lines):
    parameters = CONFIG["tharwat2018/threshold-sweep"]["parameters"]
    positives, negatives = parameters["positive_scores"], parameters["negative_scores"]
    for number, cut in ((3, 0.80), (11, 0.45), (20, 0.19)):
        row = f"t_{number} = {cut:.2f}"
        tp, fp = sum(s >= cut for s in positives), sum(s >= cut for s in negatives)
        assert value(lines, "table-roc-thresholds", row, "TP") == tp
        assert value(lines, "table-roc-thresholds", row, "TN") == 10 - fp
        assert value(lines, "table-roc-thresholds", row, "PPV") == tp / (tp + fp)
        assert value(lines, "table-roc-thresholds", row, "Acc") == pytest.approx(5 * (tp + 10 - fp))


def test_corrected_listing_gives_the_operating_points_with_ties():
    rng = np.random.default_rng(5)
    for _ in range(50):
        labels, scores = rng.random(30) < 0.4, rng.integers(0, 8, 30)
        labels[:2] = True, False
        points = operating_points(labels, scores)
        listed = np.array(listings.roc_corrected(labels, scores))
        np.testing.assert_allclose(listed, np.column_stack([points.fpr, points.tpr]))
        pairs = list(product(scores[labels], scores[~labels]))
        won = np.mean([np.sign(up - down) / 2 + 0.5 for up, down in pairs])
        assert listings.auc_by_trapezoids(labels, scores) == pytest.approx(won)


def test_listings_refuse_one_class():
    with pytest.raises(ValueError, match="both classes"):
        listings.roc_corrected([True, True], [0.1, 0.2])


def test_tied_samples_have_the_mean_area_when_accepted_together(lines):
    best, expected, worst = (
        value(lines, "figure-roc-points", ties, "AUC")
        for ties in ("optimistic", "expected", "pessimistic")
    )
    assert worst < expected < best
    assert expected == pytest.approx((best + worst) / 2)


def test_errors_of_a_class_stand_in_its_column_and_row():
    """A different power of ten in every cell, so that no two sums agree by chance."""
    matrix = np.power(10.0, np.arange(9)).reshape(3, 3)
    counts = one_vs_rest(matrix, true_class="columns")
    cells = layouts.confusion_layouts(classes=["A", "B", "C"]).curves["3x3"]
    for place, name in enumerate("ABC"):
        wrong = cells[~cells["right"]]
        for sums, axis in ((counts.fn, "true"), (counts.fp, "predicted")):
            chosen = wrong[wrong[axis] == name]
            there = [
                matrix["ABC".index(cell["predicted"]), "ABC".index(cell["true"])]
                for cell in chosen.to_dict("records")
            ]
            assert sums[place] == sum(there)


def test_regions_equal_counted_points():
    """A fine grid of points over the square, counted, gives the areas."""
    radius, shift, side = 0.6, 0.25, 1.0
    centres = (np.arange(2000) + 0.5) / 1000 - 1
    x, y = np.meshgrid(centres, centres)
    called, positive = (x + shift) ** 2 + y**2 < radius**2, x < 0
    areas = layouts.regions(radius, shift, side)
    for area, where in zip(
        areas,
        (positive & called, positive & ~called, ~positive & called, ~positive & ~called),
        strict=True,
    ):
        assert float(area) == pytest.approx(where.mean() * 4, abs=1e-3)
    with pytest.raises(ValueError, match="circle"):
        layouts.regions(0.6, 0.6, 1.0)


def test_equal_error_rate_is_where_the_curves_meet(outcomes):
    results = outcomes["tharwat2018/verification"]
    equal, rates = results.curves["equal"].iloc[0], results.curves["rates"]
    far = np.interp(equal["threshold"], rates["threshold"], rates["far"])
    frr = np.interp(equal["threshold"], rates["threshold"], rates["frr"])
    assert far == pytest.approx(frr, abs=1e-5)
    assert far == pytest.approx(equal["rate"], abs=1e-5)
    deviates = results.curves["det"]
    slopes = np.diff(deviates["frr deviate"]) / np.diff(deviates["far deviate"])
    np.testing.assert_allclose(slopes, -0.10 / 0.12, rtol=1e-6)


def test_first_point_of_the_precision_recall_curve():
    recall, ppv = precision_recall.curve([0.8, 0.6], [0.7])
    assert (recall[0], ppv[0]) == (0, 1)
    recall, ppv = precision_recall.curve([0.8, 0.6], [0.9])
    assert (recall[0], ppv[0]) == (0, 0)
    recall, ppv = precision_recall.curve([0.8, 0.6], [0.8])
    assert (recall[0], ppv[0]) == (0, pytest.approx(0.5))
