"""The registry: complete, named once, and its page current."""

from inspect import isfunction

import numpy as np
import pytest

from opchar import metrics
from opchar.metrics.page import markdown


def test_page_has_a_row_for_each_index():
    rows = [line for line in markdown().splitlines() if line.startswith("| `")]
    assert len(rows) == len(metrics.INDICES) == len({e.name for e in metrics.INDICES})
    for row in rows:
        assert row.count("|") == 8


def test_every_function_of_the_room_that_is_an_index_is_registered():
    functions = {name for name, value in vars(metrics).items() if isfunction(value)}
    assert functions - NO_INDEX == {entry.name for entry in metrics.INDICES}


NO_INDEX = {
    "binary_counts",
    "bounds",
    "class_accuracies",
    "conditions_of",
    "confusion",
    "confusion_matrix",
    "counts_at",
    "enlarge_negatives",
    "evaluate",
    "false_acceptance",
    "false_rejection",
    "index",
    "index_score",
    "invariant_to_test_set",
    "limit_of_a_failing_class",
    "make_scorers",
    "of_two_classes",
    "one_vs_rest",
}
OF_A_MATRIX = [entry for entry in metrics.INDICES if entry.of != "conditions"]


@pytest.mark.parametrize("entry", OF_A_MATRIX, ids=lambda e: e.name)
def test_range_is_respected_and_reached(entry):
    rng = np.random.default_rng(11)
    stack = rng.integers(0, 4, (20000, 2, 2)) if entry.of == "counts" else extremes(rng)
    values = metrics.evaluate(stack, [entry.name])[entry.name]
    values = values[~np.isnan(values)]
    low, high = entry.range
    assert values.min() >= low - 1e-12
    assert values.max() <= high + 1e-12
    finite = [bound for bound in entry.range if np.isfinite(bound)]
    for bound in finite:
        nearest = np.abs(values - bound).min()
        assert nearest < (0.35 if entry.name in LIMITS else 0.02)


LIMITS = {"auroc_ovo", "auroc_ova", "optimisation_precision"}


def extremes(rng):
    random = rng.integers(0, 4, (20000, 3, 3))
    worst = np.array([[[0, 500, 0], [500, 0, 0], [1, 0, 0]]])
    return np.concatenate([random, worst, 5 * np.eye(3, dtype=int)[None]])
