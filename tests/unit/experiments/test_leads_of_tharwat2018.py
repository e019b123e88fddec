"""What was suspected of tharwat2018, decided by its own numbers."""

from fractions import Fraction

import numpy as np
import pytest

from leads import decide
from opchar.metrics import evaluate, g_mean, mcc, youden
from opchar.metrics.counts import Counts
from opchar_reproduction.publications.tharwat2018 import listings
from opchar_reproduction.publications.tharwat2018.identities import measure as identities
from opchar_reproduction.publications.tharwat2018.thresholds.measure import as_sample

POSITIVES = [0.82, 0.80, 0.70, 0.62, 0.60, 0.49, 0.40, 0.37, 0.23, 0.19]
NEGATIVES = [0.75, 0.54, 0.50, 0.45, 0.39, 0.32, 0.30, 0.26, 0.21, 0.10]
BALANCED, ENLARGED = [[70, 30], [20, 80]], [[70, 30], [200, 800]]
IN_THE_EXAMPLE = [
    "accuracy",
    "tpr",
    "tnr",
    "precision",
    "npv",
    "error_rate",
    "balanced_accuracy",
    "fpr",
    "fnr",
    "f1",
    "optimisation_precision",
    "positive_likelihood",
    "negative_likelihood",
    "diagnostic_odds_ratio",
    "youden",
    "jaccard",
]
SAID_TO_CHANGE = {
    "accuracy",
    "precision",
    "npv",
    "error_rate",
    "optimisation_precision",
    "f1",
    "jaccard",
}


def test_u4_second_form_of_mcc():
    counts = Counts(*map(np.array, (70.0, 30.0, 20.0, 80.0)))
    exact, corrected = float(mcc(*counts)), float(identities.mcc_corrected(counts))
    printed = [float(identities.mcc_as_printed(counts, np.array(n))) for n in (200.0, 100.0)]
    assert corrected == pytest.approx(exact)
    assert all(abs(value - exact) > 0.1 for value in printed)
    decide(
        "U4",
        "error",
        f"example: MCC {exact:.4f}",
        f"form {printed[0]:.4f}",
        f"samples, {printed[1]:.4f}",
        f"negatives, {corrected:.4f}",
    )


def test_u5_false_negatives_get_no_alpha():
    tp, fn, fp, alpha = 70, 30, 20, 10
    right = Fraction(2 * tp, 2 * tp + alpha * fp + fn)
    printed = Fraction(2 * tp, 2 * tp + alpha * fp + alpha * fn)
    by_counts = float(evaluate(ENLARGED, ["f1"])["f1"][0])
    assert by_counts == pytest.approx(float(right))
    decide("U5", "error", f"has F = {by_counts:.4f}", f"form {float(printed):.4f}")


def test_u6_negatives_are_identified_better():
    labels, scores = as_sample(POSITIVES, NEGATIVES)
    cuts = np.unique(scores)
    best = cuts[np.argmax([((scores >= cut) == labels).mean() for cut in cuts])]
    tpr, tnr = (scores[labels] >= best).mean(), (scores[~labels] < best).mean()
    assert tpr < tnr
    decide("U6", "error", f"threshold {best:g}", f"TPR is {tpr:g}, TNR {tnr:g}")


def test_u7_accepting_all_has_the_precision_of_the_prior():
    ends = [10 / (10 + negatives) for negatives in (10, 90)]
    assert ends[0] == 0.5
    decide("U7", "error", f"precision {ends[0]:g} or {ends[1]:g}", f"table has {ends[0]:.2f}")


def test_u8_listing():
    sample = as_sample(POSITIVES, NEGATIVES)
    printed, corrected = listings.roc_as_printed(*sample), listings.roc_corrected(*sample)
    lost = [point for point in corrected if point not in printed]
    end = listings.roc_as_printed(*sample, divide_by_all=True)[-1]
    assert lost
    assert end != (1.0, 1.0)
    decide(
        "U8",
        "error",
        f"gives {len(printed)} of {len(corrected)}",
        f"loses {lost[0]}",
        f"ends in {end}",
    )


def test_u9_range_of_youden():
    always_wrong = float(youden(0, 10, 10, 0))
    assert always_wrong == -1
    decide("U9", "error", f"YI = {always_wrong:g}")


def test_u10_root_and_names():
    counts = 70, 30, 20, 80
    on_slide_11 = np.sqrt(0.7) * 0.8
    true = float(g_mean(*counts))
    assert abs(on_slide_11 - true) > 0.05
    decide("U10", "notation", f"example: GM {true:.4f}", f"defined, {on_slide_11:.4f}")


def test_u11_both_columns_do_not_imply_sensitivity():
    names = ["youden", "g_mean", "positive_likelihood", "discriminant_power"]
    before, after = evaluate(BALANCED, names), evaluate(ENLARGED, names)
    moves = [float(abs(after[name][0] - before[name][0])) for name in names]
    assert max(moves) < 1e-12
    decide("U11", "inconsistent", f"move by {', '.join(f'{move:.0f}' for move in moves)}")


def test_u13_what_changes():
    before, after = evaluate(BALANCED), evaluate(ENLARGED)
    moved = {
        name for name in before if before[name].ndim and abs(before[name] - after[name])[0] > 1e-9
    }
    assert moved & set(IN_THE_EXAMPLE) == SAID_TO_CHANGE
    beside = [name for name in ("mcc", "markedness", "adjusted_g_mean") if name in moved]
    assert beside
    values = ", ".join(f"{name} {before[name][0]:.4f} -> {after[name][0]:.4f}" for name in beside)
    decide(
        "U13",
        "correct",
        f"of the {len(IN_THE_EXAMPLE)}",
        f"exactly the {len(SAID_TO_CHANGE)}",
        f"beyond it {values}",
    )
