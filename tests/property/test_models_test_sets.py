"""Test sets of wanted ratios: nothing repeated, nothing larger than there is, none larger fits."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from opchar.models.splits.representatives import drawn_rows, relative_sizes
from opchar.models.splits.trajectories import trajectories
from opchar.seeds import spawner

COUNTS = st.lists(st.integers(1, 60), min_size=2, max_size=5)


@given(trained=COUNTS, data=st.data())
def test_test_sets_are_the_largest_with_their_ratios(trained, data):
    counts = np.array(trained)
    available = np.array([data.draw(st.integers(1, 40)) for _ in trained])
    y = np.repeat(np.arange(len(counts)), available)
    rows = np.arange(len(y))
    for relative in relative_sizes(counts).values():
        assert (relative > 0).all()
        drawn = drawn_rows(y, rows, relative, np.random.default_rng(0))
        sizes = np.bincount(y[drawn], minlength=len(counts))
        factor = (available / relative).min()
        assert len(set(drawn)) == len(drawn)
        assert (sizes >= 1).all()
        assert (sizes <= available).all()
        assert (sizes <= np.maximum(factor * relative * (1 + 1e-9), 1)).all()
        assert (sizes > factor * relative - 1).all()


@given(scale=st.integers(1, 20), trained=COUNTS)
def test_ratios_do_not_depend_on_the_size_of_the_training_set(scale, trained):
    small, large = relative_sizes(np.array(trained)), relative_sizes(scale * np.array(trained))
    assert all(np.allclose(small[name], large[name]) for name in small)


@given(
    persons=st.integers(3, 12),
    regions=st.integers(2, 7),
    folds=st.integers(2, 4),
    seed=st.integers(0, 99),
)
def test_no_region_is_in_two_sets_of_a_round(persons, regions, folds, seed):
    folds = min(folds, regions)
    first, second = np.repeat(np.arange(persons), regions), np.tile(np.arange(persons), regions + 1)
    y = np.concatenate([first, second])
    groups = {"video": np.repeat(["one", "two"], [len(first), len(second)])}
    spawn = spawner(seed, "property")
    made = list(trajectories(y, spawn, groups=groups, targets=2, others=2, folds=folds))
    for fold in {one.fold for one in made}:
        parts = [one for one in made if one.fold == fold]
        tested = np.concatenate([one.test for one in parts])
        here = regions + (parts[0].about["trained on"] == "one")
        assert len(set(tested)) == len(tested) == 3 * here
        assert not set(tested) & set(parts[0].train)
        assert all(set(y[one.test]) == set(y[parts[0].train]) for one in parts)
