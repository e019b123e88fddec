"""The multi-class indices of mullick2020 against their sums written out."""

import numpy as np
import pytest

from opchar import metrics


@pytest.fixture(scope="module", params=[2, 3, 4])
def matrices(request):
    return np.random.default_rng(request.param).integers(1, 50, (200, request.param, request.param))


def by_hand(m):
    C, n, k, total = len(m), m.sum(axis=1), m.sum(axis=0), m.sum()
    own = [m[i, i] / n[i] for i in range(C)]
    ovo = ova = rpc = mrpc = 0.0
    for i in range(C):
        ovo += 1 + own[i] - sum(m[j, i] / ((C - 1) * n[j]) for j in range(C) if j != i)
        ova += 1 + own[i] - (k[i] - m[i, i]) / (total - n[i])
        rpc += m[i, i] / k[i] + own[i]
        mrpc += own[i] / sum(m[j, i] / n[j] for j in range(C)) + own[i]
    lowest = (C - 2) / (2 * C)
    return {
        "overall_accuracy": m.trace() / total,
        "acsa": sum(own) / C,
        "g_mean_multiclass": np.prod(own) ** (1 / C),
        "auroc_ovo": ovo / (2 * C),
        "auroc_ova": ova / (2 * C),
        "normalised_auroc_ova": (ova / (2 * C) - lowest) / (1 - lowest),
        "aurpc_ova": rpc / (2 * C),
        "m_aurpc_ova": mrpc / (2 * C),
    }


def test_equals_the_written_out_sums(matrices):
    ours = metrics.evaluate(matrices)
    for place, matrix in enumerate(matrices):
        for name, expected in by_hand(matrix).items():
            assert ours[name][place] == pytest.approx(expected, rel=1e-12)


def test_two_classes_reduce_to_the_binary_indices():
    matrices = np.random.default_rng(9).integers(1, 50, (100, 2, 2))
    values, counts = metrics.evaluate(matrices), metrics.binary_counts(matrices)
    auroc = metrics.balanced_accuracy(*counts)
    for name in ("acsa", "auroc_ovo", "auroc_ova", "normalised_auroc_ova"):
        np.testing.assert_allclose(values[name], auroc, rtol=1e-12)
    np.testing.assert_allclose(values["g_mean_multiclass"], metrics.g_mean(*counts), rtol=1e-12)
    swapped = metrics.binary_counts(matrices, positive=1)
    mean = (metrics.aurpc(*counts) + metrics.aurpc(*swapped)) / 2
    np.testing.assert_allclose(values["aurpc_ova"], mean, rtol=1e-12)
    mean = (metrics.m_aurpc(*counts) + metrics.m_aurpc(*swapped)) / 2
    np.testing.assert_allclose(values["m_aurpc_ova"], mean, rtol=1e-12)


def test_an_empty_class_has_no_value():
    matrix = [[3, 1, 0], [0, 0, 0], [1, 1, 5]]
    for name in ("acsa", "auroc_ovo", "m_aurpc_ova", "g_mean_multiclass"):
        assert np.isnan(metrics.evaluate(matrix, [name])[name])
