import numpy as np
import pytest

from checkout import configured
from opchar.errors import ConfigError, DataError
from opchar.models.splits.protocols import splits
from opchar.models.splits.trajectories import CLASSES, trajectories
from opchar.seeds import spawner

PROTOCOLS = configured("protocols")
SPAWN = spawner(1, "cox")


def joined(first, second):
    """Return whom each region of two videos shows, and the column ``video``."""
    video = np.repeat(np.array(["one", "two"], object), [len(first), len(second)])
    return np.concatenate([first, second]), {"video": video}


PERSONS, GROUPS = joined(np.repeat(np.arange(100), 25), np.repeat(np.arange(100), 27))


def made(name, y=PERSONS, groups=GROUPS, **changes):
    entry = PROTOCOLS[name]
    return list(splits(entry | {"parameters": entry["parameters"] | changes}, y, SPAWN, groups))


def test_a_hundred_rounds_a_setting_with_the_sizes_of_the_text():
    found = made("cox-9-24")
    assert len(found) == 10 * 2 * 2 * 5
    assert [one.fold for one in found] == list(np.repeat(np.arange(40), 5))
    assert len({one.about["target"] for one in found}) == 10
    for one in found:
        persons = np.unique(PERSONS[one.test])
        assert one.about["others"] + 1 == len(persons) in (10, 25)
        assert one.classes == CLASSES
        assert np.array_equal(one.y, one.about["target"] == PERSONS)
        for rows, number in ((one.train, 25), (one.test, 5)):
            assert (np.bincount(PERSONS[rows])[persons] == number).all()
            assert (np.diff(rows) > 0).all()
        assert set(GROUPS["video"][one.train]) == {one.about["trained on"]}
        assert set(GROUPS["video"][one.test]).isdisjoint(GROUPS["video"][one.train])


def test_parts_divide_the_testing_video_and_roles_are_swapped():
    found = made("cox-9-24", targets=2, others=[3])
    assert [one.about["trained on"] for one in found[:10]] == ["one"] * 5 + ["two"] * 5
    for start in range(0, 20, 5):
        five = found[start : start + 5]
        assert [one.test_set for one in five] == [f"part {number}" for number in range(5)]
        tested = np.concatenate([one.test for one in five])
        assert len(tested) == len(set(tested)) == 4 * 25
        assert all(np.array_equal(one.train, five[0].train) for one in five)


def test_only_the_first_regions_take_part():
    (one,) = trajectories(
        PERSONS, SPAWN, groups=GROUPS, targets=1, others=1, swapped=False, regions=4
    )
    persons = np.unique(PERSONS[one.train])
    expected = np.concatenate([25 * p + np.arange(4) for p in persons])
    assert one.train.tolist() == expected.tolist()
    assert len(one.test) == 8 and one.test_set is None


def test_the_comparison_has_one_percent_positives():
    found = made("cox-99")
    assert len({one.about["target"] for one in found}) == len(found) == 50
    for one in found:
        assert one.about["trained on"] == "one" and one.test_set is None
        assert one.y[one.test].mean() == one.y[one.train].mean() == 0.01


def test_the_comparison_makes_do_with_fewer_persons():
    few = joined(*[np.repeat(np.arange(38), 25)] * 2)
    found = made("cox-99", *few)
    assert sorted(one.about["target"] for one in found) == list(range(38))
    assert all(one.about["others"] == 37 for one in found)
    alone = joined(np.zeros(25, dtype=int), np.arange(50) // 25)
    with pytest.raises(DataError, match=r"^1 persons have 1 face regions.* the protocol wants 2;"):
        made("cox-99", *alone)


@pytest.mark.parametrize("at_most", [False, True])
def test_making_do_changes_nothing_where_there_are_enough(at_most):
    few = {"targets": 3, "others": 5, "folds": 2}
    one, other = (made("cox-9-24", at_most=choice, **few) for choice in (at_most, False))
    assert [split.test.tolist() for split in one] == [split.test.tolist() for split in other]


def test_fewer_others_are_among_more_and_lists_change_nothing():
    few = {"targets": 2, "swapped": False}
    both = made("cox-9-24", others=[4, 9], **few)
    small, large = (made("cox-9-24", others=number, **few) for number in (4, 9))
    for one, other in zip(small, large, strict=True):
        assert set(one.train) < set(other.train)
    listed = [one.train.tolist() for one in both]
    assert listed == [
        one.train.tolist()
        for start in (0, 5)
        for each in (small, large)
        for one in each[start : start + 5]
    ]


def test_persons_with_too_few_regions_are_left_out():
    first = np.repeat(np.arange(12), 6)
    y, groups = joined(first, first[4:])
    found = made("cox-9-24", y, groups, targets=11, others=10, folds=3)
    assert {one.about["target"] for one in found} == set(range(1, 12))
    assert all(0 not in y[one.train] for one in found)


def test_splits_depend_on_the_names_alone():
    first, again = ([one.test.tolist() for one in made("cox-9-24")] for _ in range(2))
    other = [
        one.test.tolist()
        for one in splits(PROTOCOLS["cox-9-24"], PERSONS, spawner(2, "cox"), GROUPS)
    ]
    assert first == again
    assert first != other


def test_what_cannot_be_split_is_one_line():
    few = joined(PERSONS[:500], PERSONS[2500:])
    with pytest.raises(DataError, match=r"20 persons have 5 face regions .* wants 25; give"):
        made("cox-9-24", *few)
    short = joined(*[np.repeat(np.arange(30), 3)] * 2)
    with pytest.raises(DataError, match=r"^0 persons have 5 face regions or more in both"):
        made("cox-9-24", *short)
    with pytest.raises(ConfigError, match="at least 2, not 1"):
        made("cox-9-24", folds=1)
    with pytest.raises(ConfigError, match="4 regions of a person cannot be dealt out to 5"):
        made("cox-9-24", regions=4)
    with pytest.raises(DataError, match="group column 'video'; there is none"):
        made("cox-9-24", groups={})
    with pytest.raises(DataError, match="split over two videos; there is one"):
        made("cox-9-24", PERSONS[:50], {"video": np.full(50, "one")})
    with pytest.raises(ConfigError, match=r"config/protocols\.yaml"):
        made("cox-9-24", target=1)
