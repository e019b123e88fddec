from pathlib import Path

import numpy as np
import pytest
import yaml

from opchar.errors import ConfigError, DataError
from opchar.models.protocols import fixed, holdout, k_fold, splits
from opchar.seeds import spawner

PROTOCOLS = yaml.safe_load((Path(__file__).parents[3] / "config/protocols.yaml").read_text())
Y = np.repeat([0, 1, 2], [100, 37, 13])
SPAWN = spawner(1, "set", "protocol")


# Those of test_representatives.py and test_trajectories.py leave objects out.
WHOLE = [name for name in PROTOCOLS if not name.startswith(("rrt-", "cox-"))]
SIZES = {"first-16000": 20_000}


@pytest.mark.parametrize("name", WHOLE)
def test_every_protocol_partitions_the_objects(name):
    n = SIZES.get(name, 6435)
    y = np.random.default_rng(0).integers(3, size=n)
    entry = PROTOCOLS[name]
    made = list(splits(entry, y, SPAWN))
    folds = entry["parameters"].get("folds", 1) * entry["parameters"].get("repeats", 1)
    assert [fold for fold, _, _ in made] == list(range(folds))
    for _, train, test in made:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(n))
        assert (np.diff(test) > 0).all()


def test_the_satellite_protocols_have_the_sizes_of_the_files():
    y = np.random.default_rng(0).integers(6, size=6435)
    for name in ("shuffled-4435-2000", "first-4435"):
        for _, train, test in splits(PROTOCOLS[name], y, SPAWN):
            assert (len(train), len(test)) == (4435, 2000)
    _, train, _ = next(splits(PROTOCOLS["first-4435"], y, SPAWN))
    assert train.tolist() == list(range(4435))


def test_stratified_holdout_takes_the_share_of_each_class():
    tests = []
    for _, _, test in holdout(Y, SPAWN, repeats=5, test=0.2):
        assert np.bincount(Y[test]).tolist() == [20, 7, 3]
        tests.append(tuple(test))
    assert len(set(tests)) == 5


def test_plain_holdout_lets_the_shares_vary():
    counts = [
        tuple(np.bincount(Y[test], minlength=3))
        for _, _, test in holdout(Y, SPAWN, repeats=20, test=30, stratified=False)
    ]
    assert {sum(count) for count in counts} == {30}
    assert len(set(counts)) > 5


def test_a_lonely_object_stays_in_training():
    y = np.array([0] * 20 + [1] * 20 + [2])
    for _, train, test in holdout(y, SPAWN, repeats=5, test=0.9):
        assert 40 in train
        assert set(y[train]) == {0, 1, 2}
        assert len(test) == 36


def test_large_training_sets_can_be_thinned():
    full = list(holdout(Y, SPAWN, repeats=3, test=0.2))
    thin = list(holdout(Y, SPAWN, repeats=3, test=0.2, train_at_most=60))
    for (_, train, test), (_, fewer, same) in zip(full, thin, strict=True):
        assert np.array_equal(test, same)
        assert set(fewer) <= set(train)
        assert np.bincount(Y[fewer]).tolist() == [40, 15, 5]
    assert len(next(holdout(Y, SPAWN, repeats=1, test=0.2, train_at_most=500))[1]) == 120


def test_splits_depend_on_the_names_alone():
    first = [t.tolist() for _, _, t in holdout(Y, SPAWN, repeats=3, test=0.2)]
    again = [t.tolist() for _, _, t in holdout(Y, SPAWN, repeats=3, test=0.2)]
    other = [t.tolist() for _, _, t in holdout(Y, spawner(2, "set"), repeats=3, test=0.2)]
    assert first == again
    assert first != other
    longer = [t.tolist() for _, _, t in holdout(Y, SPAWN, repeats=5, test=0.2)]
    assert longer[:3] == first


def test_k_fold_tests_every_object_once_a_repetition_and_balances_the_classes():
    made = list(k_fold(Y, SPAWN, folds=5, repeats=2))
    assert [fold for fold, _, _ in made] == list(range(10))
    for half in (made[:5], made[5:]):
        assert np.array_equal(
            np.sort(np.concatenate([test for _, _, test in half])), np.arange(150)
        )
        for _, _, test in half:
            assert np.abs(np.bincount(Y[test], minlength=3) - [20, 7.4, 2.6]).max() < 1
    assert made[0][2].tolist() != made[5][2].tolist()


def test_a_split_that_cannot_be_used_says_so():
    with pytest.raises(DataError, match="1 classes to train on"):
        list(
            splits(
                {"function": "opchar.models.protocols:fixed", "parameters": {"train": 50}}, Y, SPAWN
            )
        )
    with pytest.raises(DataError, match="0 test objects"):
        list(
            splits(
                {"function": "opchar.models.protocols:fixed", "parameters": {"train": 150}},
                Y,
                SPAWN,
            )
        )
    assert len(list(fixed(Y, SPAWN, train=120))) == 1


@pytest.mark.parametrize(
    "entry",
    [
        {"function": "opchar.models.protocols:hold"},
        {"function": "opchar.nothing:holdout"},
        {"function": "opchar.models.protocols:holdout", "parameters": {"reps": 3}},
    ],
)
def test_wrong_protocols_are_one_line(entry):
    with pytest.raises(ConfigError, match=r"config/protocols\.yaml") as error:
        list(splits(entry, Y, SPAWN))
    assert "\n" not in str(error.value)
