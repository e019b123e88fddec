import numpy as np
import pytest

from checkout import configured
from opchar.datasets.features import FeatureTable
from opchar.datasets.generators import grid_points
from opchar.errors import ConfigError, DataError
from opchar.models.splits.protocols import splits
from opchar.models.training import train
from opchar.seeds import spawner

PROTOCOLS = configured("protocols")
MODELS = configured("models")
SPAWN = spawner(3, "set", "protocol")
RNG = np.random.default_rng(0)
PLACES = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 6.0]])
Y = np.repeat([0, 1, 2], [60, 80, 40])
X = PLACES[Y] + RNG.normal(size=(180, 2))
TWO = np.minimum(Y, 1)


def made(name, y, groups=None, **changes):
    entry = PROTOCOLS[name]
    parameters = entry["parameters"] | {"artificial": 50} | changes
    if "artificial" not in entry["parameters"]:
        del parameters["artificial"]
    found = splits({"function": entry["function"], "parameters": parameters}, y, SPAWN, groups, X)
    return list(found)


def test_artificial_objects_stand_behind_those_of_the_table():
    found = made("unseen-20-fold", TWO, folds=4)
    assert [one.test_set for one in found[:4]] == ["known", "a1", "a2", "training targets"]
    assert len(found) == 16
    for one in found:
        assert np.array_equal(one.X[:180], X)
        assert (one.y[one.train] != 2).all()
        if one.test_set in ("a1", "a2"):
            assert (one.test >= 180).all()
            assert (one.y[one.test] == 2).all()
            assert len(one.test) == 50
    known = [one.test for one in found if one.test_set == "known"]
    assert sorted(np.concatenate(known)) == list(range(180))
    own = found[3]
    assert np.array_equal(own.test, own.train[TWO[own.train] == 0])
    assert all(np.array_equal(found[0].X, one.X) for one in found)


def test_only_some_folds_may_be_tested():
    whole, some = (made("unseen-20-fold", TWO, folds=5, tested=t) for t in (0, 2))
    assert len(some) == 8
    assert all(np.array_equal(a.test, b.test) for a, b in zip(whole, some, strict=False))


def test_a_hidden_class_is_in_no_training_set():
    found = made("hidden-class-10", Y, repeats=3)
    assert [one.fold for one in found] == [0] * 4 + [1] * 2 + [2] * 4 + [3] * 2 + [4] * 4 + [5] * 2
    for one in found:
        assert set(one.y[one.train].tolist()) == {0, 1}
    by_name = {(one.fold, one.test_set): one for one in found}
    validation = by_name[1, "validation"].test
    assert set(np.flatnonzero(Y == 2)) <= set(validation.tolist())
    assert (Y[validation] == 0).sum() == 30
    assert not set(validation.tolist()) & set(by_name[1, "train"].train.tolist())
    assert not set(validation.tolist()) & set(by_name[0, "held out"].train.tolist())
    both = set(by_name[0, "held out"].test.tolist()) | set(by_name[0, "held out"].train.tolist())
    assert both == set(by_name[1, "train"].test.tolist())
    reach = [by_name[0, name] for name in ("sphere", "sphere of deviations")]
    spread = [np.ptp(one.X[one.test], axis=0).max() for one in reach]
    assert spread[0] > 1.5 * spread[1]


def test_the_last_cluster_is_hidden_once_for_all():
    found = made("hidden-cluster-10", TWO, repeats=2, clusters=2)
    hidden = [set(np.flatnonzero(one.y[:180] == 2).tolist()) for one in found]
    assert all(one == hidden[0] for one in hidden)
    clusters = [set(np.flatnonzero(k == Y).tolist()) for k in (1, 2)]
    assert max(len(hidden[0] & one) / len(one) for one in clusters) > 0.9


def test_a_cluster_may_be_hidden_by_its_size():
    sizes = []
    for rank in (0, 1):
        found = made("hidden-cluster-10", TWO, repeats=1, clusters=2, by_size=rank)
        hidden = np.flatnonzero(found[0].y[:180] == 2)
        sizes.append(len(hidden))
        assert (Y[hidden] == 2 - rank).mean() > 0.9
    assert sum(sizes) == 120
    assert sizes[0] < sizes[1]


def test_each_class_is_target_once_and_hidden_once():
    found = made("leave-class-out", Y, most=30)
    told = {(one.about["target"], one.about["unseen"]) for one in found}
    assert {t for t, _ in told} == {u for _, u in told} == {"0", "1", "2"}
    for one in found:
        assert str(Y[one.train][one.y[one.train] == 0][0]) == one.about["target"]
        assert one.about["unseen"] not in set(Y[one.train].astype(str))
        if one.test_set == "unseen":
            assert set(Y[one.test].astype(str)) == {one.about["unseen"]}
            assert len(one.test) == 30
    with pytest.raises(DataError, match="three classes"):
        made("leave-class-out", TWO)


def test_grids_have_regular_points_over_all_objects():
    points = grid_points(X, 5)
    assert points.shape == (25, 2)
    assert np.array_equal(points.min(0), X.min(0))
    assert np.array_equal(points.max(0), X.max(0))
    groups = {"part": np.where(np.arange(180) % 2, "train", "independent 0")}
    found = made("case-study", Y, groups, repeats=2, grid=5)
    assert [one.test_set for one in found] == [
        "held out",
        "held out",
        "train",
        "grid",
        "independent 0",
    ]
    assert np.array_equal(found[3].X[found[3].test], points)
    whole = np.flatnonzero((np.arange(180) % 2 == 1) & (Y != 2))
    assert np.array_equal(found[2].train, whole)
    assert len(found[0].train) == len(whole) - round(0.2 * 30) - round(0.2 * 40)


def test_draws_are_tested_on_all_their_parts():
    groups = {"draw": np.repeat([0, 1, 0], 60), "part": np.tile(["train", "test"], 90)}
    y = np.random.default_rng(1).permutation(TWO)
    found = made("drawn-and-grid", y, groups, grid=4)
    assert [(one.fold, one.test_set) for one in found] == [
        (draw, name) for draw in (0, 1) for name in ("test", "train", "grid")
    ]


def test_objects_are_wanted():
    with pytest.raises(ConfigError, match="given none"):
        list(splits(PROTOCOLS["unseen-20-fold"], TWO, SPAWN))


@pytest.mark.parametrize("model", ["reject qdc", "socmc gauss + ldc", "pca1 reject ldc"])
def test_score_tables_have_both_stages(model):
    features = FeatureTable(X, TWO, ("target", "outlier"), ("a", "b"), {"data": "set"})
    protocol = {
        "function": "opchar.reject.unseen:artificial_folds",
        "parameters": {"folds": 3, "artificial": 20},
    }
    table = train(features, model, MODELS, protocol, SPAWN)
    assert table.classes == ("target", "outlier", "unseen")
    assert (table.scores[:, 2] == 0).all()
    assert table.scores.sum(axis=1) == pytest.approx(1)
    near, far = (table.detector[table.y == kind].mean() for kind in (0, 2))
    assert near > far


def test_spheres_of_several_radii_reach_as_far_as_they_say():
    found = made("sphere-radii-3", Y, repeats=2, radii=[0.5, 1.1, 2.0])
    assert [one.test_set for one in found[:4]] == [
        "held out",
        "sphere 0.5",
        "sphere 1.1",
        "sphere 2",
    ]
    assert len(found) == 8
    spread = []
    for one in found:
        assert set(one.y[one.train]) == {0, 1}
        assert not set(one.train) & set(one.test)
        if one.test_set != "held out":
            assert len(one.test) == 50 and (one.y[one.test] == 2).all()
            spread.append(one.X[one.test].std(axis=0).mean())
    assert spread[0] < spread[1] < spread[2]
