"""Thresholds of the other folds, where weights differ by many powers of ten."""

import numpy as np

from opchar.statistics.cross_fitting import cross_fitted_by_counts
from opchar.statistics.ranking import rank_scores


def test_a_heavy_object_of_a_fold_takes_no_light_one_of_the_others_with_it():
    data = rank_scores([1, 0, 1, 0], [1.0, 1.0, 1.0, 0.0], [1e16, 1e16, 0.5, 0.25])
    seen = []

    def choose(counts):
        seen.append([part.tolist() for part in counts])
        return np.array([1.0])

    cross_fitted_by_counts(data, np.array([0, 0, 1, 1]), choose)
    assert seen[0] == [[0.0, 0.5], [0.25, 0.0]]


def test_what_is_left_of_a_fold_is_no_rounding_of_decimals():
    data = rank_scores([1, 0, 1, 0, 1, 0], [1.0] * 6, [0.1, 0.2, 0.3, 0.7, 0.6, 0.1])
    seen = []

    def choose(counts):
        seen.append([float(part[0]) for part in counts])
        return np.array([0.5])

    cross_fitted_by_counts(data, np.array([0, 0, 1, 1, 2, 2]), choose)
    assert seen[0] == [0.3 + 0.6, 0.7 + 0.1]
    assert seen[2] == [0.1 + 0.3, 0.2 + 0.7]


def test_rates_of_accepted_weights_are_at_most_one():
    """Sums of tenths within folds and of all differ in the last digit."""
    weight = np.random.default_rng(0).choice([0.1, 0.2, 0.3, 0.7], (40, 24))
    fold, label = np.arange(24) // 2 % 3, np.arange(24) % 2
    for row in weight:
        data = rank_scores(label, np.arange(24.0), row)
        found = cross_fitted_by_counts(data, fold, lambda counts: np.array([-1.0]))
        assert max(found.tpr[0], found.fpr[0]) <= 1
