import numpy as np
import pytest
from scipy.stats import PermutationMethod, wilcoxon

from opchar.statistics.signed_rank import signed_rank_p


@pytest.mark.parametrize("n", [1, 2, 9, 30])
def test_signed_ranks_equal_scipy_without_ties(n):
    gain = np.random.default_rng(n).normal(0.3, 1, n)
    expected = wilcoxon(gain, method="exact").pvalue
    assert signed_rank_p(gain) == pytest.approx(expected)
    assert signed_rank_p(np.append(gain, [0.0, 1e-16])) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(8))
def test_signed_ranks_equal_scipy_over_all_signs_with_ties(seed):
    gain = np.random.default_rng(seed).integers(-4, 6, 10)
    gain = gain[gain != 0] / 10
    every_sign = PermutationMethod(n_resamples=2 ** len(gain) + 1)
    assert signed_rank_p(gain) == pytest.approx(wilcoxon(gain, method=every_sign).pvalue)


def test_signed_ranks_with_ties_count_all_signs():
    gain = np.array([0.1, 0.1, -0.1, 0.2, 0.3, 0.3])
    ranks = np.array([2, 2, 2, 4, 5.5, 5.5])
    signs = (np.arange(64)[:, np.newaxis] >> np.arange(6)) & 1
    sums = signs @ ranks
    tail = (sums >= ranks[gain > 0].sum()).mean()
    assert signed_rank_p(gain) == pytest.approx(2 * tail)
    assert signed_rank_p(-gain) == pytest.approx(2 * tail)
    assert signed_rank_p(np.zeros(5)) == 1
