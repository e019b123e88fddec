"""Every refusal of the spaces, and what their rarest branches return."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from opchar.spaces import brier, cost, precision_recall, preferences, printing, roc, sorting
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.integers import all_integers
from opchar.spaces.object_costs import object_thresholds
from opchar.spaces.points import (
    OperatingPoints,
    checked_weights,
    from_rates,
    interpolate,
    operating_points,
)
from opchar.spaces.score_counts import ScoreCounts
from opchar.spaces.scored import curves, sample, summary_metrics, thresholds

Y, SCORE = [True, False, True, False], [0.9, 0.6, 0.4, 0.1]
POINTS = operating_points(Y, SCORE)
ONE = from_rates([0.5], [0.1])
COUNTS = ScoreCounts.from_arrays(Y, SCORE)
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: brier.rates_at(POINTS, [0.5, math.nan]), "a threshold is NaN"),
    (lambda: brier.brier_curve(operating_points(Y, [9, 6, 4, 1]), 0.5), r"\[0, 1\]"),
    (lambda: brier.sample_brier_score(Y, [0.9, 0.6, 1.4, 0.1]), r"\[0, 1\]"),
    (lambda: checked_weights([1.0, 2.0], 3), r"one weight for each of 3, got \(2,\)"),
    (lambda: checked_weights([[1.0, 1.0]], 2), r"one weight for each of 2, got \(1, 2\)"),
    (lambda: checked_weights([-1.0, 2.0], 2), "finite and not negative"),
    (lambda: checked_weights([math.nan, 2.0], 2), "finite and not negative"),
    (lambda: checked_weights([math.inf, 2.0], 2), "finite and not negative"),
    (lambda: checked_weights([0.0, 0.0], 2), "all weights are zero"),
    (lambda: checked_weights([1.5e308, 1.1e308, 0.5], 3), "too large for a sum"),
    (lambda: precision_recall.auprec(POINTS, 0.5, "last"), "'one' or 'zero', not 'last'"),  # type: ignore[arg-type]
    (lambda: precision_recall.gain(0.5, 1.0), r"a prior in \(0, 1\), got 1"),
    (lambda: preferences.costs_from_skew(0.0, 0.5), "skew must be positive, got 0"),
    (lambda: preferences.costs_from_pc(0.5, 1.0), "both excluded, got 1"),
    (lambda: preferences.bayes_threshold(training_prior=0.5), "needs the prior in use"),
    (lambda: preferences.excess_costs(1.0, 1.0, 2.0, 0.0), "at least the right one"),
    (lambda: preferences.excess_costs(1.0, 1.0, 1.0, 1.0), "one of both more"),
    (lambda: printing.shortest_number(1.0, 1.0, 1.0), "1.0 does not lie above 1.0"),
    (lambda: printing.shortest_number(0.5, 0.5, 0.5), "0.5 does not lie above 0.5"),
    (lambda: roc.binormal_auc(1.0, 0.0), "standard deviation of normal scores must be positive"),
    (lambda: roc.binormal_auc(0.0, -1.0), "normal scores must be positive"),
    (lambda: roc.binormal_roc(0.5, 0.0, 0.0), "normal scores must be positive"),
    (lambda: roc.binormal_roc(1.1, 0.0, 1.0), "rates lie"),
    (lambda: roc.binormal_roc(math.nan, 0.0, 1.0), "false positive rates lie"),
    (lambda: roc.neyman_pearson(ONE, 0.05), r"FPR <= 0.05"),
    (lambda: roc.partial_auc(POINTS, 0.4, 0.3), "low < high"),
    (lambda: precision_recall.iauprec(ONE, 0.5, 0.5), "low < high"),
    (lambda: upper_envelope(ONE, 1.5), "alpha"),
    (lambda: cost.lower_envelope(ONE).best(-0.1), "conditions"),
    (lambda: sample.positive_label(np.array([0.1, 0.5, 0.9])), "y_true comes first"),
    (lambda: sample.positive_label(np.array([0.0, 1.0, 2.0])), "pos_label is one of 0.0, 1.0, 2.0"),
    (lambda: sample.positive_label(np.array(["a", "b"])), "pos_label is one of a, b"),
    (lambda: sample.positive_label(np.array(["1", "2"])), "pos_label is one of 1, 2"),
    (lambda: sample.points_of([1, 1], [0.1, 0.2]), "objects of class 1 and others"),
    (lambda: sample.check_one_score([[0.1, 0.9]]), r"y_score has 2 columns.* y_score\[:, 1\]"),
    (lambda: sample.check_one_score([[0.1]]), r"y_score has 1 column;.* y_score\[:, 0\]"),
    (lambda: sample.points_of([1, 0]), "give y_score beside y_true"),
    (lambda: sample.points_of(COUNTS, [0.1]), "give them alone"),
    (lambda: sample.prior_in_use(math.nan), r"between 0 and 1, got nan"),
    (lambda: COUNTS.on_cells([0.5, 0.2]), "scores of a grid must ascend"),
    (lambda: summary_metrics.brier_score([1, 1], [0.1, 0.2]), "objects of class 1 and others"),
    (lambda: thresholds.criterion_of("gain", None, None, None), "'f' or 'cost', not 'gain'"),  # type: ignore[arg-type]
    (lambda: thresholds.criterion_of("f", None, 1.0, None), "leave out one of both"),
    (lambda: thresholds.criterion_of("cost", 0.5, None, None), "alpha, the weight of precision"),
    (lambda: thresholds.threshold_for(POINTS, 0.5, "gain"), "'f' or 'cost', not 'gain'"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_has_no_answer_is_refused_in_one_line(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_a_brier_score_with_weights_and_a_prior_is_that_of_the_rates() -> None:
    weight = [2.0, 0.5, 0.0, 1.0]
    points = operating_points(Y, SCORE, weight)
    assert brier.sample_brier_score(Y, SCORE, 0.3, weight) == pytest.approx(
        brier.brier_score(points, 0.3), abs=1e-15
    )
    assert brier.sample_brier_score(Y, SCORE, None, weight) == pytest.approx(
        brier.brier_score(points, points.prior), abs=1e-15
    )
    assert math.isnan(brier.sample_brier_score(Y, SCORE, None, [1, 0, 1, 0]))


def test_integers_of_python_count_as_integers() -> None:
    assert all_integers(np.array([10**30, 1], dtype=object))
    assert not all_integers(np.array([10**30, 1.0], dtype=object))
    assert not all_integers(np.array([1.0]))
    large = checked_weights([2**60, 1], 2)
    assert large.dtype == object
    assert large.tolist() == [2**60, 1]
    assert checked_weights([2**60, 1], 2, exact=False).tolist() == [1.0, 2.0**-60]
    with pytest.raises(ValueError, match="finite and not negative"):
        checked_weights(np.array([10**400, -1], dtype=object), 2)
    huge = checked_weights(np.array([10**400, 1], dtype=object), 2)
    assert huge.tolist() == [10**400, 1]


def test_points_without_a_sample_have_no_prior_and_are_their_rates() -> None:
    bare = OperatingPoints(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    assert math.isnan(bare.prior)
    x, y, *units = bare.coordinates
    assert (x.tolist(), y.tolist(), units) == ([0.0, 1.0], [0.0, 1.0], [1, 1])
    alone = operating_points([True, True], [0.1, 0.2])
    assert alone.coordinates[2:] == (1, 1)
    assert alone.prior == 1.0


def test_a_bayes_threshold_without_a_prior_in_use_is_none() -> None:
    assert math.isnan(preferences.bayes_threshold(math.nan))
    with_gains = preferences.bayes_threshold(cost_fn=4.0, cost_fp=2.0, cost_tp=1.0, cost_tn=0.5)
    assert with_gains == pytest.approx(1.5 / (1.5 + 3.0))
    assert object_thresholds(4.0, 2.0, cost_tp=1.0, cost_tn=0.5) == with_gains
    costs = pd.Series([4.0, 1.0], index=["a", "b"])
    found = preferences.bayes_threshold(cost_fn=costs)
    assert list(found.index) == ["a", "b"]
    assert found.tolist() == pytest.approx([0.2, 0.5])


def test_the_area_of_gains_is_that_of_its_straight_lines() -> None:
    assert math.isnan(precision_recall.auprg(operating_points([True], [1.0]), 0.5))
    assert precision_recall.auprg(operating_points([True, False], [1.0, 0.0]), 0.5) == 1.0
    none_found = operating_points([False, False], [1.0, 0.0])
    assert math.isnan(precision_recall.auprg(none_found, 0.5))


def test_a_number_between_infinities_and_one_at_the_end_of_digits() -> None:
    assert printing.shortest_number(1.0, math.inf, 1.96) == 2.0
    one = math.nextafter(1.0, 2.0)
    assert printing.shortest_number(1.0, one, one) == one
    for low, high in ((0.1234, 0.1299), (-5.7, -5.2), (999.4, 1000.2), (-1e-9, 3e-9)):
        near = low + (high - low) / 3
        found = printing.shortest_number(low, high, near)
        assert low < found <= high and len(repr(found)) <= len(repr(near))


def test_expected_ties_leave_the_points_as_they_are() -> None:
    tied = operating_points([True, False], [1.0, 1.0])
    assert roc.resolve_ties(tied, "expected") is tied
    assert len(roc.resolve_ties(tied, "optimistic").fpr) == 3


def test_curves_and_sums_of_probabilities_that_are_believed() -> None:
    y = [1, 0, 1, 0]
    frame = curves.brier_curve(pd.Series(y), pd.Series(SCORE), pc=[0.25, 0.75])
    assert frame.cost.tolist() == [0.125, 0.125]
    points = sample.points_of(y, SCORE)
    assert summary_metrics.equal_error_rate(y, SCORE) == 0.5
    grid = np.linspace(0.1, 0.5, 2001)
    areas = [precision_recall.auprec(points, prior) for prior in grid]
    mean = np.trapezoid(areas, grid) / 0.4
    assert summary_metrics.mean_pr_auc(y, SCORE, 0.1, 0.5) == pytest.approx(mean, abs=1e-6)
    assert sample.prior_of(points, None) == 0.5
    assert sample.prior_of(points, 0.2) == 0.2
    series = pd.Series([0.2, 0.4], index=["a", "b"])
    found: Any = thresholds.best_threshold(y, SCORE, prior=series)  # type: ignore[call-overload]
    assert list(found.index) == ["a", "b"]


def test_files_without_a_row_are_refused(tmp_path: Path) -> None:
    pd.DataFrame({"y": np.zeros(0, int), "s": np.zeros(0)}).to_parquet(tmp_path / "none.parquet")
    with pytest.raises(ValueError, match=r"none\.parquet: no rows"):
        ScoreCounts.from_parquet(tmp_path / "none.parquet", label="y", score="s")


RARE: list[tuple[Callable[[], Any], Any]] = [
    (lambda: cost.finite_costs(math.inf, 1.0), (1.0, 0.0)),
    (lambda: cost.finite_costs(1.5e308, 1.5e308), (3.75e307, 3.75e307)),
    (lambda: precision_recall.auprg(POINTS, 0.5), 0.25),  # a point at which the recall gain is 0
    (lambda: preferences.bayes_threshold(0.02, cost_fn=5, training_prior=0.5), 0.98 / 1.08),
    (lambda: preferences.preference(0.0, cost_fn=0.0).skew, math.inf),
    (lambda: preferences.preference(0.0, cost_fn=0.0).beta, 0.0),
    (lambda: preferences.preference(0.5, cost_fp=0.0).beta, math.inf),
    (lambda: sample.positive_label(np.array(["no", "yes"])), "yes"),
    (lambda: sample.positive_label(np.array(["0", "1"])), "1"),
    (lambda: interpolate(POINTS, [0.0, 0.5]).tpr[:4].tolist(), [0, 0.25, 0.5, 0.5]),
    (lambda: printing.printed_thresholds([5e-324], [0.0, 5e-324]).tolist(), [5e-324]),
    (lambda: COUNTS.__add__(1), NotImplemented),  # type: ignore[operator]
    (lambda: COUNTS.with_fewer_bits(4), COUNTS),
    (lambda: COUNTS.with_fewer_bits(2).positives.tolist(), [0, 2]),
    (
        lambda: ScoreCounts.from_table(
            {"score": [1], "positives": [0.5], "negatives": [1]}
        ).positives.tolist(),
        [0.5],
    ),
]


@pytest.mark.parametrize(("call", "value"), RARE)
def test_rare_branches_return_what_is_right(call: Callable[[], Any], value: Any) -> None:
    found = call()
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


@pytest.mark.parametrize("worth", [0, math.inf])
@pytest.mark.parametrize("ends", [(0.0, 1.0), (-math.inf, -5e-324, 5e-324, math.inf)])
def test_sums_do_not_depend_on_what_sorts(monkeypatch: Any, worth: float, ends: Any) -> None:
    """Keys of scores from one end of all floats to the other have no room for a label."""
    score, positive = np.resize(ends, 3000), np.arange(3000) % 3 == 0
    monkeypatch.setattr(sorting.COMPILED, "worth", worth)
    found = sorting.sums_by_score(positive, score)
    assert found[0][1:].tolist() == sorted(ends, reverse=True)
    for sums, chosen in zip(found[1:], (positive, ~positive), strict=True):
        assert sums[1:].tolist() == [(chosen & (score >= at)).sum() for at in found[0][1:]]
