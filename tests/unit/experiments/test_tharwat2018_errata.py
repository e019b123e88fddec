"""Where the tutorial contradicts its own definitions: the printed form fails, ours holds."""

from fractions import Fraction
from itertools import product

import pytest

from opchar.metrics import accuracy, f1, one_vs_rest, optimisation_precision, tnr

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
