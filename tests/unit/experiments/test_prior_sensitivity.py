import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from opchar.experiments.landgrebe2007.prior_sensitivity import (
    WEIGHTED,
    least_error_points,
    measure_fold,
    real_data,
)
from opchar.scores import ScoreTable
from opchar.spaces.points import from_rates

PUBLISHED = [
    "Road sign 1) vs 2)",
    "Road sign 3) vs 4)",
    "Road sign 3)-6)",
    "Phoneme",
    "Sonar",
    "Ionosphere AUC",
    "Ionosphere AccSens",
    "overall",
]


def scored(shift, folds=6, n=400, seed=0, scale=1.0):
    """Score two unit Gaussians `shift` apart by `scale` times their log odds, classes halved."""
    rng = np.random.default_rng(seed)
    y = np.tile(np.repeat([0, 1], n // 2), folds)
    x = rng.normal(size=len(y)) + shift * (y == 0)
    z = scale * shift * (x - shift / 2)
    fold = np.repeat(np.arange(folds), n)
    scores = np.column_stack([expit(z), expit(-z)])
    return ScoreTable(fold, np.arange(len(y)), y, scores, ("w1", "w2"), {"data": "gaussians"})


def test_two_gaussians_drift_as_theory_says():
    shift, prior = 1.5, 0.1
    measured = measure_fold(scored(shift, folds=1, n=200_000), prior, 1 - prior)
    bound = shift / 2 + np.log((1 - prior) / prior) / shift
    fpr, tpr = norm.sf(bound), norm.sf(bound - shift)
    sens = np.hypot(tpr - (1 - fpr), fpr - (1 - tpr)) / np.sqrt(2)
    grid = np.linspace(fpr, 1 - tpr, 10_001)
    area = norm.sf(norm.isf(grid) - shift).mean()
    assert measured["Sens"] == pytest.approx(sens, abs=0.02)
    assert measured[WEIGHTED] == pytest.approx(sens, abs=0.02)
    assert measured["AUC"] == pytest.approx(area, abs=0.01)
    assert measured["equal error rate eps"] == pytest.approx(norm.sf(shift / 2), abs=0.01)
    both = np.sqrt(((1 - measured["AUC"]) ** 2 + measured["Sens"] ** 2) / 2)
    assert measured["AccSens"] == pytest.approx(both)


def test_only_the_second_reading_depends_on_the_scale_of_the_scores():
    plain, flat = (
        measure_fold(scored(1.5), 0.1, 0.9),
        measure_fold(scored(1.5, scale=0.2), 0.1, 0.9),
    )
    for name in ("AUC", "Sens", "AccSens", "equal error rate eps"):
        assert plain[name] == pytest.approx(flat[name])
    assert flat[WEIGHTED] > plain[WEIGHTED] + 0.1


def test_a_perfect_classifier_does_not_drift():
    measured = measure_fold(scored(60.0), 0.1, 0.9)
    assert measured["AUC"] == 1
    assert measured["Sens"] == 0
    assert measured["equal error rate eps"] == 0


def test_least_error_points_are_found_by_brute_force():
    rng = np.random.default_rng(0)
    fpr, tpr = np.sort(rng.random(30)), np.sort(rng.random(30))
    points = from_rates(tpr, fpr)
    for prior in (0.1, 0.5, 0.9):
        t, f = least_error_points(points.hull, np.array([prior]))
        errors = prior * (1 - points.tpr) + (1 - prior) * points.fpr
        assert prior * (1 - t[0]) + (1 - prior) * f[0] == pytest.approx(errors.min())


def run(shifts):
    titles = {"r": "Road sign", "p": "Phoneme", "s": "Sonar", "i": "Ionosphere"}
    numbers = {"r": 6, "p": 3, "s": 4, "i": 4}
    scores = {
        (data, f"m{number}"): scored(shifts(data, number), seed=17 * number)
        for data in titles
        for number in range(1, numbers[data] + 1)
    }
    results = real_data(scores=scores, titles=titles, prior_range=[0.1, 0.9], alpha=0.005)
    return results.frame()


def test_every_published_line_has_its_result_and_claims_can_hold_and_fail():
    better_two = run(lambda data, number: 3.0 if number == 2 else 1.0)
    claims = better_two[better_two["kind"] == "claim"].set_index("row")["value"].astype(bool)
    assert claims.index.tolist() == PUBLISHED
    assert claims["Sonar"]
    assert not claims["Road sign 3) vs 4)"]
    assert not claims["Ionosphere AccSens"]
    better_late = run(lambda data, number: 3.0 if number in (3, 4, 5, 6) else 1.0)
    late = better_late[better_late["kind"] == "claim"].set_index("row")["value"].astype(bool)
    assert late["Road sign 3)-6)"]
    assert not late["Sonar"]
    cells = better_two[better_two["kind"] == "number"]
    assert len(cells) == 17 * 5
    assert set(cells["n"]) == {6}
    assert "Phoneme / 2) m2" in set(cells["row"])
    assert set(better_two["data"]) <= {"gaussians", "none (analytic)"}
