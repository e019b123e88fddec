import numpy as np
import pytest
import yaml

from checkout import ROOT
from opchar.errors import ConfigError, DataError
from opchar.models.protocols import splits
from opchar.models.trajectories import rounds, trajectories
from opchar.seeds import spawner

PROTOCOLS = yaml.safe_load((ROOT / "config/protocols.yaml").read_text())
SPAWN = spawner(1, "cox")
PERSONS = (np.repeat(np.arange(100), 25), np.repeat(np.arange(100), 27))


@pytest.mark.parametrize(("name", "others"), [("cox-9", 9), ("cox-24", 24)])
def test_a_hundred_rounds_with_the_sizes_of_the_text(name, others):
    made = list(rounds(PROTOCOLS[name], PERSONS, SPAWN))
    assert len(made) == 100
    assert len({one.target for one in made}) == 10
    for one in made:
        assert one.persons[0] == one.target
        assert len(set(one.persons)) == others + 1
        trained, tested = PERSONS[one.video], PERSONS[1 - one.video]
        assert set(trained[one.train]) == set(one.persons)
        for rows, person, number in (
            (one.train, trained, 25),
            (one.validation, tested, 5),
            (one.test, tested, 20),
        ):
            assert (np.bincount(person[rows])[one.persons] == number).all()
            assert np.isin(person[rows], one.persons).all()
            assert (np.diff(rows) > 0).all()


def test_folds_part_the_testing_video_and_roles_are_swapped():
    made = list(trajectories(PERSONS, SPAWN, targets=2, others=3, folds=5))
    assert [(one.video, one.fold) for one in made[:10]] == [
        (v, f) for v in (0, 1) for f in range(5)
    ]
    for start in range(0, 20, 5):
        five = made[start : start + 5]
        validated = np.concatenate([one.validation for one in five])
        assert len(validated) == len(set(validated)) == 4 * 25
        for one in five:
            assert set(one.validation) | set(one.test) == set(validated)
            assert not set(one.validation) & set(one.test)
            assert np.array_equal(one.train, five[0].train)


def test_only_the_first_regions_take_part():
    (one,) = trajectories(PERSONS, SPAWN, targets=1, others=1, swapped=False, regions=4)
    expected = np.concatenate([25 * p + np.arange(4) for p in sorted(one.persons)])
    assert one.train.tolist() == expected.tolist()
    assert len(one.test) == 8


def test_the_comparison_has_one_percent_positives():
    (one,) = rounds(PROTOCOLS["cox-99"], PERSONS, SPAWN)
    assert (one.video, one.fold, len(one.validation)) == (0, -1, 0)
    assert (PERSONS[1][one.test] == one.target).mean() == 0.01
    assert (PERSONS[0][one.train] == one.target).mean() == 0.01


def test_rounds_depend_on_the_names_alone():
    first, again = (
        [one.validation.tolist() for one in rounds(PROTOCOLS["cox-9"], PERSONS, SPAWN)]
        for _ in range(2)
    )
    other = [
        one.validation.tolist() for one in rounds(PROTOCOLS["cox-9"], PERSONS, spawner(2, "cox"))
    ]
    assert first == again
    assert first != other


def test_what_cannot_be_split_is_one_line():
    few = (PERSONS[0][:500], PERSONS[1])
    with pytest.raises(DataError, match="20 persons are in both videos; 10 targets and 24 others"):
        list(rounds(PROTOCOLS["cox-24"], few, SPAWN))
    short = (np.repeat(np.arange(30), 3), np.repeat(np.arange(30), 3))
    with pytest.raises(DataError, match="has 3 face regions for 5 folds"):
        list(rounds(PROTOCOLS["cox-9"], short, SPAWN))
    with pytest.raises(ConfigError, match="at least 2, not 1"):
        list(trajectories(PERSONS, SPAWN, targets=1, others=1, folds=1))
    with pytest.raises(ConfigError, match="over two videos"):
        list(splits(PROTOCOLS["cox-9"], PERSONS[0], SPAWN))
    with pytest.raises(ConfigError, match=r"config/protocols\.yaml"):
        list(rounds(PROTOCOLS["cox-9"] | {"parameters": {"target": 1}}, PERSONS, SPAWN))
