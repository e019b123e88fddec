"""Losses, limits and volumes over two thresholds, against brute force over all pairs."""

import moocore
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opchar.reject import volume
from opchar.reject.characteristic import RejectCharacteristic
from opchar.reject.operating_point import mean_error
from opchar.reject.sweep import least_over_pairs
from opchar.reject.two_stage.design import TwoStageScores
from opchar.reject.volume import vuc

SCORES = st.integers(0, 5).map(float) | st.just(-np.inf)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=7)
WEIGHTS = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0, 8.0]), min_size=3, max_size=3)


@st.composite
def characteristics(draw):
    return RejectCharacteristic(draw(PAIRS), draw(PAIRS), draw(PAIRS))


def every_point(sample):
    scores = np.concatenate([sample.target, sample.outlier, sample.unseen])
    thetas, distances = (np.append(np.unique(column), np.inf) for column in scores.T)
    return [sample.at(theta, t_d) for theta in thetas for t_d in distances]


@st.composite
def systems(draw):
    rows = draw(
        st.lists(st.tuples(st.integers(-1, 1), SCORES, st.integers(0, 4).map(float)), max_size=9)
    )
    rows += [(label, draw(SCORES), float(draw(st.integers(0, 4)))) for label in (-1, 0, 1)]
    label, detector, classifier = zip(*rows, strict=True)
    return TwoStageScores(list(label), list(detector), list(classifier))


@given(st.lists(st.tuples(SCORES, SCORES, st.integers(-3, 3), st.integers(-3, 3)), min_size=1))
def test_least_sums_equal_brute_force(rows):
    outer, inner, joint, alone = np.array(rows, dtype=float).T
    pairs = least_over_pairs(outer, inner, joint, alone)
    assert np.all(np.diff(pairs.outer) < 0)
    for t, theta, least in zip(pairs.outer, pairs.inner, pairs.least, strict=True):
        passes = outer >= t
        sums = {x: alone[passes].sum() + joint[passes & (inner >= x)].sum() for x in inner}
        sums[np.inf] = alone[passes].sum()
        assert least == min(sums.values())
        assert sums[theta] == least
        assert theta == max(x for x, total in sums.items() if total == least)


@given(systems(), WEIGHTS, st.sampled_from([None, [0.2, 0.3, 0.5], [1.0, 1.0, 1.0]]))
def test_no_design_goes_below_the_loss_of_a_detector_without_confusion(system, costs, priors):
    bound, weights = system.lower_bound(costs, priors), system.weights(costs, priors)
    by_hand = []
    for theta_d in np.append(system.detector, np.inf):
        passes = system.detector >= theta_d
        missed = [1 - passes[system.label == k].mean() for k in (0, 1)]
        by_hand.append(weights[:2] @ missed + weights[2] * passes[system.label == -1].mean())
    assert bound == pytest.approx(min(by_hand), abs=1e-12)
    theta_cs = np.append(np.unique(system.score), np.inf)
    losses = system.loss_surface(np.append(system.detector, np.inf), theta_cs, costs, priors)
    assert bound <= losses.min() + 1e-12
    right = np.where(system.label == 0, 1.0, 0.0)
    perfect = TwoStageScores(system.label, system.detector, right).holistic(costs, priors)
    assert bound == pytest.approx(perfect.loss, abs=1e-12)


@given(characteristics(), WEIGHTS, st.sampled_from([0.0, 0.2, 0.9]), st.sampled_from([0.1, 0.5]))
def test_the_optimum_is_the_least_loss_of_all_pairs(sample, costs, share, prior):
    best = sample.optimum(costs, (prior, 1 - prior), share)
    weights = sample.weights(costs, (prior, 1 - prior), share)
    least = min(sample.loss(point, weights) for point in every_point(sample))
    assert best.loss == pytest.approx(least, abs=1e-12)
    assert best.loss <= best.loss_of_rejecting_all + 1e-12
    in_turn = sample.classification_first(costs, (prior, 1 - prior), share)
    assert in_turn.loss >= best.loss - 1e-12


@given(characteristics(), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_limit_on_missed_targets_is_kept_or_refused(sample, max_outlier, max_unseen, min_target):
    limits = max_outlier, max_unseen, min_target
    kept = [
        point.tpr
        for point in every_point(sample)
        if point.fpr_outlier <= max_outlier
        and point.fpr_unseen <= max_unseen
        and point.tpr >= min_target
    ]
    if kept:
        assert sample.within_limits(*limits).tpr == max(kept)
    else:
        with pytest.raises(ValueError, match="no thresholds keep all limits"):
            sample.within_limits(*limits)


@given(characteristics())
def test_no_rate_rises_with_either_threshold(sample):
    scores = np.concatenate([sample.target, sample.outlier, sample.unseen])
    rates = sample.surface(scores[:, 0], scores[:, 1])
    for table in (rates.tpr, rates.fpr_outlier, rates.fpr_reject):
        assert np.all(np.diff(table, axis=0) <= 0)
        assert np.all(np.diff(table, axis=1) <= 0)


@given(characteristics())
def test_a_point_of_the_surface_is_that_of_the_pair(sample):
    points = every_point(sample)
    thetas, distances = {p.theta for p in points}, {p.t_d for p in points}
    rates = sample.surface(list(thetas), list(distances))
    for point in points:
        row = int(np.searchsorted(rates.distances, point.t_d))
        column = int(np.searchsorted(rates.thetas, point.theta))
        assert rates.tpr[row, column] == point.tpr
        called = (sample.unseen >= [point.theta, point.t_d]).all(axis=1)
        assert rates.fpr_reject[row, column] == point.fpr_unseen == called.mean()
        assert 0 <= mean_error(point) <= 1


@settings(max_examples=200)
@given(
    characteristics(),
    st.none() | st.tuples(st.sampled_from([-1.0, 0.5, 2.0]), st.sampled_from([2.5, 4.0, 9.0])),
    st.sampled_from([7, volume.BYTES]),
)
def test_the_volume_is_the_union_of_all_boxes(sample, limits, memory):
    thresholds = np.concatenate([sample.target, sample.outlier, sample.unseen])[:, 1]
    if limits is not None:
        inside = (thresholds > limits[0]) & (thresholds <= limits[1])
        thresholds = np.append(thresholds[inside], limits[1])
    rates = sample.surface(sample.target[:, 0], thresholds)
    corners = np.stack([1 - rates.fpr_outlier, 1 - rates.fpr_reject, rates.tpr], axis=-1)
    expected = moocore.hypervolume(-corners.reshape(-1, 3), ref=np.zeros(3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(volume, "BYTES", memory)
        assert vuc(sample, limits) == pytest.approx(expected, abs=1e-12)


@given(characteristics())
def test_the_volume_depends_on_ranks_only_and_not_on_which_kind_is_which(sample):
    cubed = [kind**3 for kind in (sample.target, sample.outlier, sample.unseen)]
    assert vuc(RejectCharacteristic(*cubed)) == vuc(sample)
    exchanged = RejectCharacteristic(sample.target, sample.unseen, sample.outlier)
    assert vuc(exchanged) == pytest.approx(vuc(sample), abs=1e-12)
    turned = [kind[:, ::-1] for kind in (sample.target, sample.outlier, sample.unseen)]
    assert vuc(RejectCharacteristic(*turned)) == pytest.approx(vuc(sample), abs=1e-12)


@given(systems(), WEIGHTS, st.none() | st.just([1.0, 1.0, 1.0]) | st.just([0.1, 0.6, 0.3]))
def test_holistic_design_is_the_least_loss_of_all_pairs(system, costs, priors):
    best = system.holistic(costs, priors)
    theta_ds = np.append(np.unique(system.detector), np.inf)
    theta_cs = np.append(np.unique(system.score), np.inf)
    losses = [[system.design(d, c, costs, priors).loss for c in theta_cs] for d in theta_ds]
    assert best.loss == pytest.approx(np.min(losses), abs=1e-12)
    assert best.loss <= best.loss_of_rejecting_all + 1e-12
    surface = system.loss_surface(theta_ds, theta_cs, costs, priors)
    np.testing.assert_allclose(surface, losses, atol=1e-12)
    for criterion in ("summed", "single", "each"):
        for accepted_only in (False, True):
            alone = system.independent(
                costs, priors, criterion=criterion, accepted_only=accepted_only
            )
            assert alone.loss >= best.loss - 1e-12


@given(systems(), WEIGHTS)
def test_a_stage_alone_is_the_best_of_its_thresholds(system, costs):
    ones = [1.0, 1.0, 1.0]
    found = system.independent(costs, ones, criterion="each")
    open_door = [
        system.design(-np.inf, c, [*costs[:2], 0.0], ones).loss for c in [*system.score, np.inf]
    ]
    assert system.design(-np.inf, found.theta_c, [*costs[:2], 0.0], ones).loss == pytest.approx(
        min(open_door)
    )

    def detection(theta_d):
        missed = [np.mean(system.detector[system.label == k] < theta_d) for k in (0, 1)]
        alarms = np.mean(system.detector[system.label == -1] >= theta_d)
        return costs[0] * missed[0] + costs[1] * missed[1] + costs[2] * alarms

    thresholds = [*system.detector, np.inf]
    assert detection(found.theta_d) == pytest.approx(min(map(detection, thresholds)))
