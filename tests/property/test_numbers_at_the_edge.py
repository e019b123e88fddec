"""Every public number at the edge of what it can be asked: stated values, or one clear error."""

import inspect
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opchar
from opchar.arguments import cost_weight
from opchar.metrics.counts import confusion_matrix
from opchar.metrics.indices import costs
from opchar.metrics.registry import INDICES
from opchar.multiclass.label_volume import roc_volume
from opchar.reject.options import error_reject_curve, is_ambiguous
from opchar.spaces import scored
from opchar.statistics import signed_rank_p
from opchar.statistics.areas import newcombe_interval, student_quantile
from opchar.statistics.proportions import objects_needed, wilson

ROWS = 60
RNG = np.random.default_rng(7)
LABELS = (np.arange(ROWS) % 3 == 0).astype(int)
SCORES = np.round((RNG.random(ROWS) + LABELS) / 2, 2)

# Every function of labels and scores, with what it needs besides.
OF_SCORES: dict[str, dict[str, Any]] = {
    "roc_auc": {},
    "pr_auc": {},
    "mean_pr_auc": {"low": 0.1, "high": 0.9},
    "f_curve": {},
    "cost_curve": {},
    "brier_curve": {},
    "brier_score": {},
    "roc_curve": {},
    "det_curve": {},
    "precision_recall_curve": {},
    "equal_error_rate": {},
    "best_f": {"prior": [0.0, 0.5, 1.0]},
    "best_threshold": {"prior": [0.0, 0.5, 1.0]},
    "least_cost": {"prior": [0.0, 0.5, 1.0]},
    "neyman_pearson": {"max_fpr": 0.1},
}

RETIRED = {"best_threshold", "neyman_pearson"}  # still called by old names


def value(name: str, labels: Any, scores: Any, **more: Any) -> list[np.ndarray]:
    """Return all numbers of a function of labels and scores."""
    found = getattr(scored, name)(labels, scores, **(OF_SCORES[name] | more))
    parts = found if isinstance(found, tuple) else (found,)
    return [np.asarray(part, dtype=float) for part in parts]


def numbers_alone(name: str, parts: list[np.ndarray]) -> list[np.ndarray]:
    """Leave the thresholds out, which are in the units of the scores."""
    if name == "best_threshold":
        return []
    if name == "neyman_pearson":
        return parts[1:]
    return parts[:2] if name.endswith("_curve") else parts


def test_every_function_of_scores_is_among_them() -> None:
    public = {name for name in opchar._SCORED if name != "points_of"}
    assert public | RETIRED == set(OF_SCORES)


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize(
    "kind", ["float32", "float64", "object", "longdouble", "list", "integers", "bool labels"]
)
def test_the_type_of_scores_changes_no_number(name: str, kind: str) -> None:
    exact = np.round(SCORES * 64) / 64  # the same number in every type
    scores: Any = exact if kind in ("bool labels", "integers") else exact.astype("float64")
    labels: Any = LABELS.astype(bool) if kind == "bool labels" else LABELS
    if kind in ("float32", "object", "longdouble"):
        scores = exact.astype(kind)
    if kind == "list":
        scores, labels = exact.tolist(), LABELS.tolist()
    if kind == "integers":
        if name.startswith("brier"):
            scores = (exact > 0.5).astype(np.uint8)
            exact = scores.astype(float)
        else:
            scores = (exact * 64).astype(np.int16)
    for mine, theirs in zip(
        numbers_alone(name, value(name, labels, scores)),
        numbers_alone(name, value(name, LABELS, exact)),
        strict=True,
    ):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("name", [name for name in OF_SCORES if not name.startswith("brier")])
@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1.0, 1e300])
def test_subnormal_and_huge_scores_rank_like_any_other(name: str, scale: float) -> None:
    whole = np.round(SCORES * 100)
    for mine, theirs in zip(
        numbers_alone(name, value(name, LABELS, whole * scale)),
        numbers_alone(name, value(name, LABELS, whole)),
        strict=True,
    ):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("name", OF_SCORES)
def test_constant_scores_and_two_objects_have_numbers(name: str) -> None:
    for labels, scores in ((LABELS, np.full(ROWS, 0.5)), ([1, 0], [0.25, 0.25]), ([1, 0], [1, 0])):
        for part in numbers_alone(name, value(name, labels, scores)):
            assert np.isfinite(part).all()
            assert ((part >= 0) & (part <= 1)).all()


def with_nan() -> np.ndarray:
    scores = SCORES.copy()
    scores[4] = np.nan
    return scores


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize(
    ("labels", "scores", "said"),
    [
        ([], [], "positive|empty"),
        ([1], [0.5], "needs objects of class 1 and others"),
        (np.ones(ROWS, int), SCORES, "needs objects of class 1 and others"),
        (LABELS, with_nan(), "score 4 is NaN"),
        (LABELS, SCORES[:-1], "equally long"),
        (LABELS, SCORES[:, None], "1 column;|one-dimensional"),
        (LABELS, SCORES + 1j, "no order as numbers"),
        (LABELS, np.arange(ROWS).astype("datetime64[D]"), "no order as numbers"),
        (LABELS, np.arange(ROWS) + 2**53, r"beyond 2\*\*53"),
        (np.arange(ROWS) % 200, SCORES, "pos_label"),
    ],
)
def test_what_cannot_be_ranked_is_one_clear_error(name, labels, scores, said) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        value(name, labels, scores)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["best_f", "best_threshold", "least_cost"])
@pytest.mark.parametrize("prior", [-0.1, 1.1, np.nan, np.inf])
def test_priors_that_are_none(name: str, prior: float) -> None:
    with pytest.raises(ValueError, match=r"prior|operating conditions"):
        value(name, LABELS, SCORES, prior=prior)


def test_at_priors_of_zero_and_one_the_trivial_classifiers_are_best() -> None:
    assert value("best_f", LABELS, SCORES, prior=[1.0])[0].tolist() == [1.0]
    assert value("least_cost", LABELS, SCORES, prior=[0.0, 1.0])[0].tolist() == [0.0, 0.0]


def test_costs_of_zero_and_infinity_are_limits() -> None:
    for cost in (0.0, np.inf):
        assert value("least_cost", LABELS, SCORES, prior=0.5, cost_fn=cost)[0] == 0
    even = value("least_cost", LABELS, SCORES, prior=0.5)[0]
    for unit in (1e-320, 1e-300, 1e300, 1.7e308):
        found = value("least_cost", LABELS, SCORES, prior=0.5, cost_fn=unit, cost_fp=unit)[0]
        assert found == even
    for wrong in ((0, 0), (np.inf, np.inf), (np.nan, 1), (1, np.nan), (-1, 1)):
        with pytest.raises(ValueError, match="costs"):
            value("least_cost", LABELS, SCORES, prior=0.5, cost_fn=wrong[0], cost_fp=wrong[1])


@given(st.floats(0, 1e308, allow_subnormal=True), st.floats(0, 1e308, allow_subnormal=True))
def test_the_cost_weight_is_the_exact_quotient(fn: float, fp: float) -> None:
    if fn == fp == 0:
        return
    exact = Fraction(fp) / (Fraction(fn) + Fraction(fp))
    assert cost_weight(fn, fp) == pytest.approx(float(exact), rel=1e-12, abs=5e-324)


def test_expected_costs_want_finite_costs() -> None:
    cells = 5, 1, 2, 3
    with pytest.raises(ValueError, match="finite"):
        costs.expected_cost(*cells, cost_fn=np.inf)
    assert costs.normalised_expected_cost(*cells, cost_fn=np.inf) == pytest.approx(1 / 6)
    for wrong in (np.nan, -1.0):
        with pytest.raises(ValueError, match="costs"):
            costs.normalised_expected_cost(*cells, cost_fn=wrong)
    with pytest.raises(ValueError, match="NaN"):
        costs.expected_loss([[5, 1], [2, 3]], [[0, np.nan], [1, 0]])


cells = st.tuples(*[st.integers(0, 40)] * 4)


@settings(max_examples=60)
@given(cells, st.fractions(0, 1), st.integers(0, 20), st.integers(0, 20))
def test_expected_costs_are_those_of_rational_arithmetic(counts, prior, fn_cost, fp_cost) -> None:
    tp, fn, fp, tn = counts
    if not (tp + fn and fp + tn and fn_cost + fp_cost):
        return
    missed, alarmed = Fraction(fn, tp + fn), Fraction(fp, fp + tn)
    prior = Fraction(float(prior))
    exact = missed * prior * fn_cost + alarmed * (1 - prior) * fp_cost
    given_costs = {"cost_fn": fn_cost, "cost_fp": fp_cost, "prior": float(prior)}
    found = costs.expected_cost(*counts, **given_costs)
    assert float(found) == pytest.approx(float(exact), rel=1e-12, abs=1e-300)
    most = prior * fn_cost + (1 - prior) * fp_cost
    if most:
        normalised = costs.normalised_expected_cost(*counts, **given_costs)
        assert float(normalised) == pytest.approx(float(exact / most), rel=1e-9, abs=1e-300)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "interval without objects": (lambda: newcombe_interval(0.5, 0, 3), "both classes"),
    "interval of no area": (lambda: newcombe_interval(np.nan, 3, 3), "area"),
    "share that is NaN": (lambda: wilson(np.nan, 10), "share"),
    "level of one": (lambda: student_quantile(1.0, 3), "level"),
    "limit of zero": (lambda: objects_needed(0), "limit"),
    "volume of NaN": (lambda: roc_volume([0, 1, 2], np.full((3, 3), np.nan)), "finite"),
    "volume of one class": (lambda: roc_volume([0] * 5, np.ones((5, 3)), labels=range(3)), "class"),
    "volume of 200 classes": (lambda: roc_volume(range(200), np.eye(200)), "at most 64 classes"),
    "posteriors of NaN": (lambda: is_ambiguous([[np.nan, 0.5]], 0.5), "posteriors"),
    "rejection of NaN": (lambda: error_reject_curve([True, False], [np.nan, 0.5]), "NaN"),
    "rejection of nothing": (lambda: error_reject_curve([], []), "empty"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_value_is_one_clear_error(name: str) -> None:
    ask, said = REFUSED[name]
    with pytest.raises(ValueError, match=said) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_no_difference_is_no_evidence() -> None:
    assert signed_rank_p(np.zeros(5)) == signed_rank_p(np.array([])) == 1.0
    assert signed_rank_p(np.array([np.inf, 1.0])) == signed_rank_p(np.array([2.0, 1.0])) == 0.5


def test_areas_without_errors_have_intervals() -> None:
    low, high = newcombe_interval(1.0, 1, 1)
    assert 0 < low < 1 == high
    assert 0 < newcombe_interval(0.0, 3, 3)[1] < 1


def test_indices_of_two_hundred_classes() -> None:
    truth = np.arange(2000) % 200
    matrix = confusion_matrix(truth, np.where(np.arange(2000) < 200, 0, truth), 200)
    assert matrix.shape == (200, 200)
    multi = [entry for entry in INDICES if entry.of == "matrix"]
    assert multi
    for entry in multi:
        assert np.isfinite(np.asarray(entry.function(matrix), float)).all(), entry


def test_docstrings_state_what_is_refused() -> None:
    for name in OF_SCORES:
        text = inspect.getdoc(getattr(scored, name)) or ""
        assert "Raises" in text, name
