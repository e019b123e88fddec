"""0/0, x/0, orientations, shapes, and what is refused."""

import numpy as np
import pytest

from opchar import metrics
from opchar.metrics.counts import as_matrices

EXAMPLE = np.array([[80, 15, 5], [15, 70, 15], [0, 10, 90]])


@pytest.mark.parametrize(
    ("index", "counts", "expected"),
    [
        (metrics.precision, (0, 5, 0, 5), np.nan),
        (metrics.npv, (5, 0, 5, 0), np.nan),
        (metrics.tpr, (0, 0, 1, 1), np.nan),
        (metrics.positive_likelihood, (1, 0, 0, 1), np.inf),
        (metrics.positive_likelihood, (0, 1, 0, 1), np.nan),
        (metrics.negative_likelihood, (0, 1, 1, 0), np.inf),
        (metrics.diagnostic_odds_ratio, (1, 0, 1, 1), np.inf),
        (metrics.diagnostic_odds_ratio, (1, 0, 1, 0), np.nan),
        (metrics.discriminant_power, (0, 1, 1, 1), -np.inf),
        (metrics.discriminant_power, (2, 0, 1, 1), np.inf),
        (metrics.mcc, (5, 0, 5, 0), np.nan),
        (metrics.f1, (0, 1, 0, 3), 0.0),
        (metrics.f1, (0, 0, 0, 3), np.nan),
        (metrics.adjusted_g_mean, (0, 3, 1, 2), 0.0),
        (metrics.adjusted_g_mean, (0, 0, 1, 2), np.nan),
        (metrics.optimisation_precision, (0, 1, 1, 0), np.nan),
        (metrics.jaccard, (0, 0, 0, 3), np.nan),
        (metrics.accuracy, (0, 0, 0, 0), np.nan),
        (metrics.m_precision, (0, 1, 0, 1), np.nan),
        (metrics.normalised_expected_cost, (1, 1, 1, 3), 1 / 3),
    ],
)
def test_zero_over_zero(index, counts, expected):
    np.testing.assert_allclose(index(*counts), expected)


@pytest.mark.parametrize("entry", [e for e in metrics.INDICES if e.of == "counts"])
def test_broadcasts_every_argument(entry):
    tp, fn = np.arange(1, 4)[:, None], np.arange(2, 7)
    for counts in ((tp, fn, 3, 4), (3, tp, 4, fn), (3, 4, fn, tp), (tp, 3, 4, fn)):
        values = entry.function(*counts)
        assert values.shape == (3, 5)
        full = np.broadcast_arrays(*counts)
        at = entry.function(*(c[2, 1] for c in full))
        np.testing.assert_allclose(values[2, 1], at)


def test_orientations_are_transposes():
    rows, columns = (
        metrics.one_vs_rest(EXAMPLE),
        metrics.one_vs_rest(EXAMPLE.T, true_class="columns"),
    )
    for ours, theirs in zip(rows, columns, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    swapped = metrics.one_vs_rest(EXAMPLE, true_class="columns")
    np.testing.assert_array_equal(swapped.fn, rows.fp)
    np.testing.assert_array_equal(swapped.tn, rows.tn)


def test_binary_counts():
    matrix = [[70, 30], [20, 80]]
    assert metrics.binary_counts(matrix) == (70, 30, 20, 80)
    assert metrics.binary_counts(matrix, positive=1) == (80, 20, 30, 70)
    assert metrics.binary_counts(matrix, true_class="columns") == (70, 20, 30, 80)


def test_stacks_of_any_depth():
    stack = np.random.default_rng(3).integers(1, 9, (2, 5, 3, 3))
    values, one = metrics.evaluate(stack), metrics.evaluate(stack[1, 4])
    for entry in (e for e in metrics.INDICES if e.of != "conditions"):
        assert values[entry.name].shape == ((2, 5, 3) if entry.of == "counts" else (2, 5))
        np.testing.assert_allclose(values[entry.name][1, 4], one[entry.name], rtol=1e-12)


@pytest.mark.parametrize(
    "matrices", [[1, 2], [[1, 2, 3], [1, 2, 3]], [[1, -1], [1, 1]], [[1, np.nan], [1, 1]], [[1]]]
)
def test_refuses_what_is_no_confusion_matrix(matrices):
    with pytest.raises(ValueError, match="confusion matri"):
        metrics.one_vs_rest(matrices)


BAD = [
    (lambda: as_matrices(EXAMPLE, "row"), "rows"),
    (lambda: metrics.binary_counts(EXAMPLE), "binary_counts"),
    (lambda: metrics.f_alpha(1, 1, 1, 1, alpha=1.5), "alpha"),
    (lambda: metrics.f_beta(1, 1, 1, 1, beta=-1), "beta"),
    (lambda: metrics.expected_cost(1, 1, 1, 1, prior=1.2), "prior"),
    (lambda: metrics.normalised_expected_cost(1, 1, 1, 1, cost_fn=0, cost_fp=0), "costs"),
    (lambda: metrics.confusion_matrix([0, 1], [0], 2), "equally long"),
    (lambda: metrics.confusion_matrix([0, 2], [0, 1], 2), r"0\.\.1"),
    (lambda: metrics.evaluate(EXAMPLE, ["jacard"]), "did you mean 'jaccard'"),
    (
        lambda: metrics.evaluate(EXAMPLE, ["tpr", "equal_error_rate"]),
        "equal_error_rate needs several",
    ),
]


@pytest.mark.parametrize(("call", "said"), BAD, ids=[said for _, said in BAD])
def test_refuses_bad_arguments(call, said):
    with pytest.raises(ValueError, match=said):
        call()
