import numpy as np
import pytest

from checkout import configured
from opchar.errors import ConfigError, DataError
from opchar.models.splits.protocols import Split, drawn, fixed, holdout, k_fold, splits
from opchar.seeds import spawner

PROTOCOLS = configured("protocols")
Y = np.repeat([0, 1, 2], [100, 37, 13])
SPAWN = spawner(1, "set", "protocol")

FIXED = "opchar.models.splits.protocols:fixed"


# Those of test_representatives.py, test_trajectories.py and test_unseen.py leave objects out.
WHOLE = [
    name
    for name, entry in PROTOCOLS.items()
    if not name.startswith(("rrt-", "cox-", "drawn"))
    and "unseen" not in entry["function"]
    and "own" not in entry["parameters"]
]
SIZES = {"first-16000": 20_000}


@pytest.mark.parametrize("name", WHOLE)
def test_every_protocol_partitions_the_objects(name):
    n = SIZES.get(name, 6435)
    y = np.random.default_rng(0).integers(3, size=n)
    entry = PROTOCOLS[name]
    made = list(splits(entry, y, SPAWN))
    folds = entry["parameters"].get("folds", 1) * entry["parameters"].get("repeats", 1)
    assert [one.fold for one in made] == list(range(folds))
    for _, train, test, *_ in made:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(n))
        assert (np.diff(test) > 0).all()


def test_the_satellite_protocols_have_the_sizes_of_the_files():
    y = np.random.default_rng(0).integers(6, size=6435)
    for name in ("shuffled-4435-2000", "first-4435"):
        for _, train, test, *_ in splits(PROTOCOLS[name], y, SPAWN):
            assert (len(train), len(test)) == (4435, 2000)
    _, train, *_ = next(splits(PROTOCOLS["first-4435"], y, SPAWN))
    assert train.tolist() == list(range(4435))


def test_stratified_holdout_takes_the_share_of_each_class():
    tests = []
    for _, _, test, *_ in holdout(Y, SPAWN, repeats=5, test=0.2):
        assert np.bincount(Y[test]).tolist() == [20, 7, 3]
        tests.append(tuple(test))
    assert len(set(tests)) == 5


def test_the_training_objects_may_be_a_test_set_of_their_own():
    made = list(holdout(Y, SPAWN, repeats=2, test=0.2, own=True))
    assert [(one.fold, one.test_set) for one in made] == [
        (0, "train"),
        (0, "test"),
        (1, "train"),
        (1, "test"),
    ]
    for first, second in zip(made[::2], made[1::2], strict=True):
        assert np.array_equal(first.test, second.train)
        assert not set(first.test.tolist()) & set(second.test.tolist())


def test_plain_holdout_lets_the_shares_vary():
    counts = [
        tuple(np.bincount(Y[test], minlength=3))
        for _, _, test, *_ in holdout(Y, SPAWN, repeats=20, test=30, stratified=False)
    ]
    assert {sum(count) for count in counts} == {30}
    assert len(set(counts)) > 5


def test_a_lonely_object_stays_in_training():
    y = np.array([0] * 20 + [1] * 20 + [2])
    for _, train, test, *_ in holdout(y, SPAWN, repeats=5, test=0.9):
        assert 40 in train
        assert set(y[train]) == {0, 1, 2}
        assert len(test) == 36


def test_large_training_sets_can_be_thinned():
    full = list(holdout(Y, SPAWN, repeats=3, test=0.2))
    thin = list(holdout(Y, SPAWN, repeats=3, test=0.2, train_at_most=60))
    for (_, train, test, *_), (_, fewer, same, *_) in zip(full, thin, strict=True):
        assert np.array_equal(test, same)
        assert set(fewer) <= set(train)
        assert np.bincount(Y[fewer]).tolist() == [40, 15, 5]
    assert len(next(holdout(Y, SPAWN, repeats=1, test=0.2, train_at_most=500))[1]) == 120


def test_splits_depend_on_the_names_alone():
    first = [t.tolist() for _, _, t, *_ in holdout(Y, SPAWN, repeats=3, test=0.2)]
    again = [t.tolist() for _, _, t, *_ in holdout(Y, SPAWN, repeats=3, test=0.2)]
    other = [t.tolist() for _, _, t, *_ in holdout(Y, spawner(2, "set"), repeats=3, test=0.2)]
    assert first == again
    assert first != other
    longer = [t.tolist() for _, _, t, *_ in holdout(Y, SPAWN, repeats=5, test=0.2)]
    assert longer[:3] == first


def test_k_fold_tests_every_object_once_a_repetition_and_balances_the_classes():
    made = list(k_fold(Y, SPAWN, folds=5, repeats=2))
    assert [one.fold for one in made] == list(range(10))
    for half in (made[:5], made[5:]):
        assert np.array_equal(
            np.sort(np.concatenate([test for _, _, test, *_ in half])), np.arange(150)
        )
        for _, _, test, *_ in half:
            assert np.abs(np.bincount(Y[test], minlength=3) - [20, 7.4, 2.6]).max() < 1
    assert made[0][2].tolist() != made[5][2].tolist()


def test_a_split_that_cannot_be_used_says_so():
    with pytest.raises(DataError, match="1 classes to train on"):
        list(
            splits(
                {"function": "opchar.models.splits.protocols:fixed", "parameters": {"train": 50}},
                Y,
                SPAWN,
            )
        )
    with pytest.raises(DataError, match="0 test objects"):
        list(splits({"function": FIXED, "parameters": {"train": 150}}, Y, SPAWN))
    assert len(list(fixed(Y, SPAWN, train=120))) == 1
    again = list(fixed(Y, SPAWN, train=120, repeats=3))
    assert [split.fold for split in again] == [0, 1, 2]
    assert all(np.array_equal(split.test, again[0].test) for split in again)


@pytest.mark.parametrize(
    "entry",
    [
        {"function": "opchar.models.splits.protocols:hold"},
        {"function": "opchar.nothing:holdout"},
        {"function": "opchar.models.splits.protocols:holdout", "parameters": {"reps": 3}},
    ],
)
def test_wrong_protocols_are_one_line(entry):
    with pytest.raises(ConfigError, match=r"config/protocols\.yaml") as error:
        list(splits(entry, Y, SPAWN))
    assert "\n" not in str(error.value)


DRAWS = {
    "draw": np.repeat([0, 1, 2], 50),
    "part": np.tile(np.repeat(np.array(["train", "test", "later"], object), [20, 20, 10]), 3),
}


def test_drawn_sets_bring_their_splits_along():
    made = list(drawn(Y, SPAWN, groups=DRAWS))
    assert [(one.fold, one.test_set) for one in made] == [
        (draw, part) for draw in range(3) for part in ("later", "test")
    ]
    for one in made:
        assert (DRAWS["draw"][np.append(one.train, one.test)] == one.fold).all()
        assert (DRAWS["part"][one.train] == "train").all()
        assert (DRAWS["part"][one.test] == one.test_set).all()
    own = list(drawn(Y, SPAWN, groups=DRAWS, draws=1, own=True))
    assert [one.test_set for one in own] == ["later", "test", "train"]
    assert np.array_equal(own[-1].test, own[-1].train)
    two = DRAWS | {"part": np.where(DRAWS["part"] == "train", "train", "test")}
    assert [one.test_set for one in drawn(Y, SPAWN, groups=two)] == [None] * 3


def test_a_protocol_that_wants_columns_says_which():
    entry = {"function": "opchar.models.splits.protocols:drawn"}
    with pytest.raises(DataError, match="group column 'draw'; there is 'part'"):
        list(splits(entry, Y, SPAWN, {"part": DRAWS["part"]}))
    with pytest.raises(DataError, match="draw 0 has no objects in the part 'train'"):
        list(splits(entry, Y, SPAWN, DRAWS | {"part": np.full(150, "test")}))
    mixed = np.arange(150) % 3
    assert len(list(splits(entry, mixed, SPAWN, DRAWS))) == 6


def plain(y, spawn):
    yield 0, np.arange(100), np.arange(100, 150)


SPHERES = {"repeats": 1, "artificial": 5, "radii": [0.0]}
FOLDED = {"folds": 5, "repeats": 1}


@pytest.mark.parametrize(
    ("function", "parameters", "said"),
    [
        ("models.splits.representatives:drawn_problems", {"sizes": []}, "makes no split of these"),
        ("models.splits.representatives:paired_classes", {"most": 5}, "makes no split of these"),
        ("reject.unseen:sphere_radii", {}, "radius positive, got 0.999 and 0"),
        (
            "reject.unseen:sphere_radii",
            {"radii": [1.0, 1.0000001]},
            "two of them have the same name",
        ),
        ("reject.unseen:sphere_radii", {"clusters": 99}, "should be >= n_clusters=99"),
    ],
)
def test_objects_that_a_protocol_cannot_split_are_one_line(function, parameters, said):
    """No split at all ended in an error of NumPy's about nothing to concatenate."""
    name = f"opchar.{function}"
    usual = SPHERES if "unseen" in name else FOLDED
    if "drawn" in name:
        usual = usual | {"ratios": [20.0, 30.0]}
    entry = {"function": name, "parameters": usual | parameters}
    with pytest.raises(DataError, match=rf"'{name}'.*{said}") as error:
        list(splits(entry, Y, SPAWN, X=np.random.default_rng(0).normal(size=(len(Y), 2))))
    assert "\n" not in str(error.value)


def test_a_function_may_yield_plain_tuples():
    entry = {"function": f"{__name__}:plain"}
    (one,) = splits(entry, np.arange(150) % 3, SPAWN)
    assert isinstance(one, Split)
    assert one.test_set is None
