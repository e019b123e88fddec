"""Where the tutorial contradicts its own definitions: the printed form fails, ours holds."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from opchar.metrics import (
    accuracy,
    f1,
    g_mean,
    mcc,
    one_vs_rest,
    optimisation_precision,
    tnr,
    tpr,
    youden,
)
from opchar.metrics.counts import Counts, enlarge_negatives
from opchar_reproduction.publications.tharwat2018 import listings, precision_recall
from opchar_reproduction.publications.tharwat2018.identities import measure as identities
from opchar_reproduction.publications.tharwat2018.sensitivity import measure as sensitivity
from opchar_reproduction.publications.tharwat2018.thresholds.measure import as_sample

POSITIVES = [0.82, 0.80, 0.70, 0.62, 0.60, 0.49, 0.40, 0.37, 0.23, 0.19]
NEGATIVES = [0.75, 0.54, 0.50, 0.45, 0.39, 0.32, 0.30, 0.26, 0.21, 0.10]
PREDICTED_BY_TRUE = [[80, 15, 0], [15, 70, 10], [5, 15, 90]]


@pytest.mark.parametrize(
    ("counts", "printed", "corrected"),
    [((70, 30, 20, 80), 1.36, 0.737), ((70, 30, 200, 800), 2.64, 0.378)],
)
def test_f_measure_printed_is_its_reciprocal(counts, printed, corrected):
    tp, fn, fp, _ = counts
    by_slide_24 = Fraction(2 * tp, 2 * tp + fp + fn)
    assert float(f1(*counts)) == pytest.approx(float(by_slide_24))
    assert float(by_slide_24) == pytest.approx(corrected, abs=5e-4)
    assert printed > 1, "an F-measure lies in [0, 1]"
    rounded = 0.5 * (1 / round(tp / (tp + fp), 2) + 1 / 0.7)
    assert round(rounded, 2) == printed
    assert float(1 / by_slide_24) == pytest.approx(printed, abs=0.01)


def test_optimisation_precision_was_computed_from_a_rounded_accuracy():
    counts = (70, 30, 200, 800)
    exact = Fraction(870, 1100) - Fraction(1, 10) / Fraction(15, 10)
    assert float(optimisation_precision(*counts)) == pytest.approx(float(exact))
    assert round(float(exact), 3) == 0.724
    assert round(0.79 - 0.1 / 1.5, 3) == 0.723
    assert round(float(accuracy(*counts)), 4) == 0.7909


@pytest.mark.parametrize(("place", "printed", "corrected"), [(1, 120, 175), (2, 105, 180)])
def test_true_negatives_of_b_and_c_leave_out_the_own_diagonal_cells(place, printed, corrected):
    counts = one_vs_rest(PREDICTED_BY_TRUE, true_class="columns")
    assert counts.tn[place] == corrected != printed
    others = [k for k in range(3) if k != place]
    by_rule = sum(PREDICTED_BY_TRUE[i][j] for i, j in product(others, others))
    assert by_rule == corrected
    total = sum(map(sum, PREDICTED_BY_TRUE))
    assert counts.tp[place] + counts.fn[place] + counts.fp[place] + corrected == total
    assert counts.tp[place] + counts.fn[place] + counts.fp[place] + printed != total


@pytest.mark.parametrize(
    ("place", "printed", "corrected", "wrong_tn", "fp"),
    [(1, 0.82, 0.875, 120, 25), (2, 0.84, 0.90, 105, 20)],
)
def test_specificity_of_b_and_c_follows_from_wrong_true_negatives(
    place, printed, corrected, wrong_tn, fp
):
    values = tnr(*one_vs_rest(PREDICTED_BY_TRUE, true_class="columns"))
    assert values[place] == pytest.approx(corrected)
    assert abs(values[place] - printed) > 0.05
    assert wrong_tn / (wrong_tn + fp) == pytest.approx(printed, abs=0.01)
    assert wrong_tn + fp != 200, "there are 200 samples of the other two classes"


def test_at_the_best_accuracy_negatives_are_identified_better():
    labels, scores = as_sample(POSITIVES, NEGATIVES)
    cuts = np.unique(scores)
    best = cuts[np.argmax([((scores >= cut) == labels).mean() for cut in cuts])]
    called = scores >= best
    counts = (
        (called & labels).sum(),
        (~called & labels).sum(),
        (called & ~labels).sum(),
        (~called & ~labels).sum(),
    )
    assert best == 0.60
    assert tpr(*counts) == 0.5
    assert tnr(*counts) == 0.9
    assert tpr(*counts) < tnr(*counts)


def test_perfect_precision_recall_curve_ends_at_the_prior():
    for negatives in (1, 10, 1000):
        recall, ppv = precision_recall.curve([2.0] * 10, [1.0] * negatives)
        assert (recall[-1], ppv[-1]) == (1, pytest.approx(10 / (10 + negatives)))
        assert ppv[-1] > 0
    recall, ppv = precision_recall.curve(POSITIVES, NEGATIVES)
    assert ppv[-1] == 0.5, "as the tutorial's own table has it at t_21"


def grid():
    axes = np.meshgrid(*[np.array([1.0, 2, 5, 17, 60])] * 4, indexing="ij")
    return Counts(*(axis.ravel() for axis in axes))


def test_second_form_of_mcc_needs_prevalence_and_positive_fraction():
    counts = grid()
    exact = mcc(*counts)
    np.testing.assert_allclose(identities.mcc_corrected(counts), exact, atol=1e-12)
    for size in (sum(counts), counts.fp + counts.tn):
        printed = identities.mcc_as_printed(counts, size)
        assert (np.abs(printed - exact) > 1e-6).mean() > 0.9
        assert np.abs(printed).max() > 1, "a correlation lies in [-1, 1]"


def test_youden_reaches_minus_one():
    assert youden(0, 10, 10, 0) == -1
    assert youden(3, 7, 8, 2) == pytest.approx(-0.5)
    values = youden(*grid())
    assert values.min() < 0
    assert values.min() >= -1


def test_f_under_alpha_scales_false_positives_only():
    counts = grid()
    tp, fn, fp, _ = counts
    for alpha in (2, 10):
        scaled = f1(*enlarge_negatives(counts, alpha))
        np.testing.assert_allclose(scaled, 2 * tp / (2 * tp + alpha * fp + fn))
        printed = sensitivity.f_as_printed(counts, alpha)
        assert (printed < scaled - 1e-6).all()


def test_printed_listing_loses_the_point_of_the_last_sample():
    sample = as_sample(POSITIVES, NEGATIVES)
    printed, corrected = listings.roc_as_printed(*sample), listings.roc_corrected(*sample)
    assert [point for point in corrected if point not in printed] == [(0.9, 1.0)]
    assert len(corrected) == len(printed) + 1 == 21, "the work's own table has 21 thresholds"


def test_printed_listing_cannot_divide_by_all_samples():
    sample = as_sample(POSITIVES, NEGATIVES)
    assert listings.roc_as_printed(*sample, divide_by_all=True)[-1] == (0.5, 1.0)
    assert listings.roc_as_printed(*sample)[-1] == (1.0, 1.0)


def test_geometric_mean_has_both_rates_under_the_root():
    counts = grid()
    as_on_slide_11 = np.sqrt(tpr(*counts)) * tnr(*counts)
    np.testing.assert_allclose(g_mean(*counts) ** 2, tpr(*counts) * tnr(*counts))
    assert (as_on_slide_11 < g_mean(*counts) - 1e-3).all()
