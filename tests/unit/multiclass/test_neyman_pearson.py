"""Multi-class Neyman-Pearson optimisation against brute force."""

import numpy as np
import pytest

from opchar.multiclass.neyman_pearson import (
    _line,
    confusion_at,
    limits_from_matrices,
    neyman_pearson,
)
from opchar.multiclass.roc.hypersurface import confusion_lattice
from opchar.multiclass.roc.weighted_scores import weighted_scores


def problem(c=3, n=120, seed=0, r=15):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % c
    scores = rng.dirichlet(np.ones(c), n)
    scores[np.arange(n), y] += 0.4
    return weighted_scores(y, scores, r)


def brute(data, limits):
    """Return the best sum of unlimited errors on the stored lattice, and how many are feasible."""
    c = data.n_classes
    rates = confusion_lattice(data).reshape(-1, c, c) / data.class_sizes()[:, None]
    limited = ~np.isnan(limits)
    feasible = np.all(rates[:, limited] <= limits[limited] + 1e-12, axis=1)
    free = ~limited & ~np.eye(c, dtype=bool)
    sums = rates[:, free].sum(axis=1)
    return (sums[feasible].min() if feasible.any() else np.inf), int(feasible.sum())


@pytest.mark.parametrize("c", [2, 3, 4])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_grid_answer_equals_brute_force(c, seed):
    data = problem(c=c, seed=seed, r=9)
    limits = np.full((c, c), np.nan)
    limits[0, 1], limits[1, 0] = 0.1, 0.4
    found = neyman_pearson(data, limits, refine=False)
    best, count = brute(data, limits)
    assert found.objective == pytest.approx(best)
    assert found.n_feasible == count
    assert found.feasible == np.isfinite(best)


def test_refinement_keeps_the_limits_and_does_not_lose():
    gains = []
    for seed in range(6):
        data = problem(seed=seed, r=7)
        limits = np.full((3, 3), np.nan)
        limits[0, 1] = 0.1
        rough = neyman_pearson(data, limits, refine=False)
        fine = neyman_pearson(data, limits)
        assert fine.rates[0, 1] <= 0.1 + 1e-12
        assert fine.objective <= rough.objective
        assert fine.objective == pytest.approx(
            fine.rates.sum() - np.trace(fine.rates) - fine.rates[0, 1]
        )
        assert confusion_at(data, fine.weights) / data.class_sizes()[:, None] == pytest.approx(
            fine.rates
        )
        gains.append(rough.objective - fine.objective)
    assert max(gains) > 0


def test_two_classes_refined_reach_the_exact_optimum():
    data = problem(c=2, n=200, seed=5, r=5)
    limits = np.array([[np.nan, 0.1], [np.nan, np.nan]])
    ratio = data.scores[:, 0] / data.scores[:, 1]
    points = np.unique(ratio)
    cuts = np.concatenate([[points[0] / 2], np.sqrt(points[:-1] * points[1:]), [points[-1] * 2]])
    missed = np.array([(ratio[data.y == 0] < cut).mean() for cut in cuts])
    false = np.array([(ratio[data.y == 1] >= cut).mean() for cut in cuts])
    assert neyman_pearson(data, limits).objective == pytest.approx(false[missed <= 0.1].min())


def test_one_limit_can_always_be_met_and_several_need_not():
    data = problem(seed=3, r=15)
    for i in range(3):
        for j in range(3):
            if i != j:
                one = np.full((3, 3), np.nan)
                one[i, j] = 0.01
                assert neyman_pearson(data, one, refine=False).feasible
    all_errors = np.where(np.eye(3) == 1, np.nan, 0.0)
    none = neyman_pearson(data, all_errors)
    assert not none.feasible
    assert none.n_feasible == 0 and np.isinf(none.objective) and np.isnan(none.weights).all()


def test_matrices_of_the_thesis_give_the_limits():
    indicator, errors = np.zeros((3, 3)), np.full((3, 3), 0.5)
    indicator[2, 0], errors[2, 0] = 1, 0.05
    limits = limits_from_matrices(indicator, errors)
    assert limits[2, 0] == 0.05
    assert np.isnan(limits).sum() == 8


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (np.full((2, 2), np.nan), "do not fit 3 classes"),
        (np.diag([0.1, np.nan, np.nan]) + np.where(np.eye(3), 0, np.nan), "diagonal"),
        (np.array([[np.nan, 1.5, np.nan]] + [[np.nan] * 3] * 2), r"in \[0, 1\]"),
        (np.zeros((2, 3)), "square"),
    ],
)
def test_impossible_limits_are_refused(limits, message):
    with pytest.raises(ValueError, match=message):
        neyman_pearson(problem(), limits)


@pytest.mark.parametrize("scale", [2.0**-100, 2.0**100])
def test_a_line_between_classes_changes_with_the_size_of_scores_alone(scale):
    """All points where an object changes its class lie as far apart, whatever the size."""
    data = problem(seed=3, r=7)
    larger = weighted_scores(data.y, data.scores * np.array([1.0, 1.0, scale]), 7)
    weights = np.array([1.0, 1.3, 0.8])
    _, counts = _line(data, weights, 2)
    points, found = _line(larger, weights / np.array([1.0, 1.0, scale]), 2)
    assert len(points) > 50
    np.testing.assert_array_equal(found, counts)


@pytest.mark.parametrize("limit", [0.0, 1.0])
def test_a_limit_may_be_an_end_of_its_range(limit):
    limits = np.full((3, 3), np.nan)
    limits[0, 1] = limit
    data = problem(r=9)
    best, count = brute(data, limits)
    found = neyman_pearson(data, limits, refine=False)
    assert (found.objective, found.n_feasible) == (pytest.approx(best), count)
