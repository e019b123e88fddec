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
    made = list(rounds(PROTOCOLS["cox-99"], PERSONS, SPAWN))
    assert len({one.target for one in made}) == len(made) == 50
    for one in made:
        assert (one.video, one.fold, len(one.validation)) == (0, -1, 0)
        assert (PERSONS[1][one.test] == one.target).mean() == 0.01
        assert (PERSONS[0][one.train] == one.target).mean() == 0.01


def test_the_comparison_makes_do_with_fewer_persons():
    few = (np.repeat(np.arange(38), 25), np.repeat(np.arange(38), 25))
    made = list(rounds(PROTOCOLS["cox-99"], few, SPAWN))
    assert sorted(one.target for one in made) == list(range(38))
    assert all(sorted(one.persons) == list(range(38)) for one in made)
    assert all(one.persons[0] == one.target for one in made)
    alone = (np.zeros(25, dtype=int), np.arange(50) // 25)
    with pytest.raises(DataError, match=r"^1 persons have 1 face regions.* the protocol wants 2;"):
        list(rounds(PROTOCOLS["cox-99"], alone, SPAWN))


@pytest.mark.parametrize("at_most", [False, True])
def test_making_do_changes_nothing_where_there_are_enough(at_most):
    made = trajectories(PERSONS, SPAWN, targets=3, others=5, folds=2, at_most=at_most)
    plain = trajectories(PERSONS, SPAWN, targets=3, others=5, folds=2)
    for one, other in zip(made, plain, strict=True):
        assert one.persons.tolist() == other.persons.tolist()
        assert one.validation.tolist() == other.validation.tolist()


def test_fewer_others_are_among_more():
    small, large = (
        list(trajectories(PERSONS, SPAWN, targets=2, others=n, folds=5)) for n in (4, 9)
    )
    for one, other in zip(small, large, strict=True):
        assert one.persons.tolist() == other.persons[:5].tolist()
        assert set(one.train) < set(other.train)


def test_persons_with_too_few_regions_are_left_out():
    first = np.repeat(np.arange(12), 6)
    second = first[4:]
    made = list(trajectories((first, second), SPAWN, targets=11, others=10, folds=3))
    assert {one.target for one in made} == set(range(1, 12))
    for one in made:
        assert 0 not in one.persons


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
    with pytest.raises(DataError, match=r"20 persons have 5 face regions .* wants 25; give"):
        list(rounds(PROTOCOLS["cox-24"], few, SPAWN))
    short = (np.repeat(np.arange(30), 3), np.repeat(np.arange(30), 3))
    with pytest.raises(DataError, match=r"^0 persons have 5 face regions or more in both"):
        list(rounds(PROTOCOLS["cox-9"], short, SPAWN))
    with pytest.raises(ConfigError, match="at least 2, not 1"):
        list(trajectories(PERSONS, SPAWN, targets=1, others=1, folds=1))
    with pytest.raises(ConfigError, match="4 regions of a person cannot be dealt out to 5"):
        list(trajectories(PERSONS, SPAWN, targets=1, others=1, folds=5, regions=4))
    with pytest.raises(ConfigError, match="over two videos"):
        list(splits(PROTOCOLS["cox-9"], PERSONS[0], SPAWN))
    with pytest.raises(ConfigError, match=r"config/protocols\.yaml"):
        list(rounds(PROTOCOLS["cox-9"] | {"parameters": {"target": 1}}, PERSONS, SPAWN))
