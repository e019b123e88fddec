"""The volume under the classification-rejection surface."""

import numpy as np
import pytest

from opchar.reject.analytic import Gaussian, RejectRates, Uniform, reject_rates
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.volume import vuc, vuc_of_patch, vuc_resampled


def drawn(seed=0, number=400, agreement=0.5):
    rng = np.random.default_rng(seed)
    objects = []
    for mean in (1.2, 0.0, -0.5):
        scores = rng.normal(size=(number, 2))
        scores[:, 1] += agreement * scores[:, 0]
        objects.append(scores + mean)
    return RejectCharacteristic(*objects)


def test_extremes():
    near, far = [[2.0, 2.0]] * 3, [[1.0, 1.0]] * 2
    assert vuc(RejectCharacteristic(near, far, far)) == 1
    assert vuc(RejectCharacteristic(far, near, near)) == 0
    assert vuc(RejectCharacteristic(near, near, near)) == 0


def test_independent_thresholds_multiply_for_a_target_that_two_kinds_threaten_apart():
    """Known outliers never lack typicality, unseen objects never score: TP_r is a product."""
    rng = np.random.default_rng(1)
    score, typicality = rng.random(60), rng.random(40)
    target = np.stack(np.meshgrid(score, typicality), axis=-1).reshape(-1, 2)
    outlier = np.column_stack([rng.random(50) - 0.3, np.full(50, 9.0)])
    unseen = np.column_stack([np.full(30, 9.0), rng.random(30) - 0.2])
    by_score = np.mean(score[:, None] > outlier[:, 0])
    by_closeness = np.mean(typicality[:, None] > unseen[:, 1])
    found = vuc(RejectCharacteristic(target, outlier, unseen))
    assert found == pytest.approx(by_score * by_closeness, abs=1e-12)


def test_the_volume_over_all_thresholds_is_no_less_than_over_a_grid_or_a_range():
    sample = drawn()
    thetas = np.quantile(sample.target[:, 0], np.linspace(0, 1, 60))
    distances = np.quantile(sample.target[:, 1], np.linspace(0, 1, 60))
    exact = vuc(sample)
    assert 0 <= exact - vuc_resampled(sample.surface(thetas, distances), 60) < 0.03
    assert vuc(sample, (distances[30], distances[40])) < exact - 0.01
    assert vuc(sample, (distances[30], np.inf)) <= vuc(sample, (distances[10], np.inf)) <= exact
    assert vuc(sample, (-np.inf, np.inf)) == pytest.approx(exact)
    assert vuc(sample, (1e6, 1e7)) == 0


def plane(height, sheets=1):
    """A flat surface over the whole square, folded over itself `sheets` times."""
    x = np.linspace(1, 0, 5)
    y = np.concatenate(
        [np.linspace(1, 0, 9) if k % 2 == 0 else np.linspace(0, 1, 9) for k in range(sheets)]
    )
    shape = len(y), len(x)
    return RejectRates(
        np.arange(5.0),
        np.arange(float(len(y))),
        np.broadcast_to(height, shape).astype(float),
        np.broadcast_to(x, shape),
        np.broadcast_to(y[:, None], shape),
    )


def test_a_flat_patch_over_the_square():
    patch = vuc_of_patch(plane(0.7))
    assert patch.area == pytest.approx(1)
    assert patch.vuc == pytest.approx(patch.under_patch) == pytest.approx(0.7)
    assert vuc_resampled(plane(0.7), 33) == pytest.approx(0.7)
    assert vuc_of_patch(plane(0.7, sheets=2)).area == pytest.approx(2)


def test_a_sloping_patch_is_integrated_exactly():
    slope = np.linspace(1, 0, 5)
    assert vuc_of_patch(plane(slope)).vuc == pytest.approx(0.5)


def test_known_densities_converge():
    """Finer grids of thresholds of the example with known densities have the same patch."""
    classes = Gaussian(0.0), Gaussian(2.5), Uniform(-6.0, 9.0)
    patches = []
    for steps in (61, 121, 241):
        thetas, distances = np.linspace(-20, 20, steps), np.linspace(0, 0.3989, steps)
        patches.append(vuc_of_patch(reject_rates(*classes, thetas, distances)))
    gaps = np.abs(np.diff([patch.missed for patch in patches]))
    assert gaps[1] < gaps[0] < 0.01
    assert 0 < patches[-1].area < 1


@pytest.mark.parametrize("missing", ["outlier", "unseen"])
def test_a_kind_without_objects_has_no_volume(missing):
    kinds = {"target": [[1, 1]], "outlier": [[0, 0]], "unseen": [[0, 0]]} | {missing: []}
    sample = RejectCharacteristic(**kinds)
    with pytest.raises(ValueError, match=f"no {missing} objects"):
        vuc(sample)
    with pytest.raises(ValueError, match="all three kinds"):
        vuc_of_patch(sample.surface([0, 1], [0, 1]))


def test_bad_ranges_and_grids_are_refused():
    with pytest.raises(ValueError, match="low < high"):
        vuc(drawn(number=5), (0.2, 0.2))
    with pytest.raises(ValueError, match="low < high"):
        vuc(drawn(number=5), (np.nan, 0.2))
    with pytest.raises(ValueError, match="two or more thresholds"):
        vuc_resampled(drawn(number=5).surface([0.0], [0.0, 1.0]), 5)
