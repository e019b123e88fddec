import numpy as np
import pytest

from opchar.statistics import subsample_to_prior


@pytest.mark.parametrize("prior", [0.5, 0.1, 0.01])
def test_thinned_samples_have_the_prior(prior):
    is_positive = np.repeat([True, False], [266, 1021])
    kept = subsample_to_prior(is_positive, prior, np.random.default_rng(0))
    assert len(np.unique(kept)) == len(kept)
    assert is_positive[kept].mean() == pytest.approx(prior, abs=0.001)
    assert is_positive[kept].sum() == 266 or (~is_positive[kept]).sum() == 1021


def test_thinning_keeps_one_of_each_class_and_refuses_what_it_cannot_draw():
    few = np.array([True, False, False])
    kept = subsample_to_prior(few, 0.001, np.random.default_rng(0))
    assert few[kept].sum() == 1
    with pytest.raises(ValueError, match="between 0 and 1, not be 1"):
        subsample_to_prior(few, 1.0, np.random.default_rng(0))
    with pytest.raises(ValueError, match="one class only"):
        subsample_to_prior(np.ones(3, bool), 0.5, np.random.default_rng(0))
