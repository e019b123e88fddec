import importlib.util
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opchar.spaces import sorting
from opchar.spaces.points import OperatingPoints, from_rates, operating_points, upper_hull
from opchar.spaces.sorting import counts_by_key


def test_the_rates_of_a_missing_class_are_nan():
    points = operating_points([True, True], [0.2, 0.1])
    assert np.isnan(points.fpr).all()
    assert points.tpr.tolist() == [0, 0.5, 1]
    with pytest.raises(ValueError, match="both classes"):
        upper_hull(points)


@pytest.mark.parametrize(
    ("is_positive", "score", "message"),
    [
        ([True], [0.1, 0.2], "equally long"),
        ([[True], [False]], [[0.1], [0.2]], r"one-dimensional .*got shapes \(2, 1\) and \(2, 1\)"),
        ([], [], "empty"),
        ([True, False], [0.1, np.nan], "score 1 is NaN"),
        ([2, 1], [0.1, 0.2], "boolean"),
    ],
)
def test_a_wrong_sample_is_refused(is_positive, score, message):
    with pytest.raises(ValueError, match=message):
        operating_points(is_positive, score)


def test_rates_are_sorted_with_their_thresholds():
    points = from_rates([0.9, 0.5, 0.7], [0.4, 0.1, 0.1], [1.0, 3.0, 2.0])
    assert points.fpr.tolist() == [0.1, 0.1, 0.4]
    assert points.tpr.tolist() == [0.5, 0.7, 0.9]
    assert points.thresholds.tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("tpr", "fpr", "message"),
    [
        ([0.5], [0.1, 0.2], "equally long"),
        ([1.2], [0.1], "tpr must"),
        ([0.5], [np.nan], "fpr must"),
    ],
)
def test_wrong_rates_are_refused(tpr, fpr, message):
    with pytest.raises(ValueError, match=message):
        from_rates(tpr, fpr)


def test_the_hull_of_rates_leaves_out_points_inside_on_edges_and_twice():
    hull = from_rates([0, 0.5, 0.6, 0.7, 0.7, 0.75, 1, 1], [0, 0, 0.4, 0.1, 0.1, 0.2, 0.6, 1]).hull
    assert hull.fpr.tolist() == [0, 0, 0.1, 0.6, 1]
    assert hull.tpr.tolist() == [0, 0.5, 0.7, 1, 1]


def test_sizes_that_are_not_whole_leave_rates_as_they_are():
    points = operating_points([True, False, True], [3.0, 2.0, 1.0])
    for sizes in ({"n_positive": 2.5}, {"n_negative": 1.5}):
        x, y, *units = replace(points, **sizes).coordinates
        assert x is points.fpr and y is points.tpr and units == [1, 1]


def test_the_hull_does_not_depend_on_the_order_of_points() -> None:
    rng = np.random.default_rng(0)
    fpr, tpr = rng.integers(0, 4, 30) / 4, rng.integers(0, 9, 30) / 9
    points = from_rates(np.append(tpr, [0, 1]), np.append(fpr, [0, 1]))
    for _ in range(20):
        hull = upper_hull(points[rng.permutation(len(points))])
        assert hull.fpr.tolist() == points.hull.fpr.tolist()
        assert hull.tpr.tolist() == points.hull.tpr.tolist()


@pytest.mark.parametrize("weight", [0.1, 0.7, 1 / 3])
def test_rounded_weights_leave_no_corner_where_whole_ones_have_none(weight) -> None:
    rng = np.random.default_rng(6)
    score = np.repeat(np.arange(40), 5)
    is_positive = np.tile(rng.permutation([True, True, False, False, False]), 40)
    whole = operating_points(is_positive, score)
    rounded = operating_points(is_positive, score, sample_weight=np.full(200, weight))
    assert upper_hull(whole).fpr.tolist() == [0, 1]
    assert upper_hull(rounded).fpr.tolist() == [0, 1]


def test_whole_weights_keep_a_corner_of_one_part_in_ten_to_the_seventeen() -> None:
    n = 10**9
    points = operating_points(
        [True, False, True, False], [2, 2, 1, 1], sample_weight=[n // 2 + 1, n // 2, n // 2, n // 2]
    )
    assert len(upper_hull(points)) == 3


@pytest.mark.parametrize("each", [1, 2**52])
def test_counts_are_found_from_rates_only_where_floats_hold_them(each: int) -> None:
    points = OperatingPoints(
        np.array([0, 0.25, 1]), np.array([0, 0.75, 1]), np.array([np.inf, 0.5, 0]), 4 * each, 4
    )
    fpr, tpr, *units = points.coordinates
    assert units == ([1, 1] if each > 1 else [4, 4])
    assert (fpr[1] / units[0], tpr[1] / units[1]) == (0.25, 0.75)
    assert len(points.hull) == 3


class TestBothWaysOfSorting:
    """The compiled radix sort, NumPy's of keys and its of scores give the same sums, to the bit."""

    SPECIAL = (0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.0, np.nextafter(1.0, 2.0), -2.5)

    @given(
        st.lists(
            st.tuples(
                st.booleans(),
                st.one_of(st.sampled_from(SPECIAL), st.floats(allow_nan=False), st.floats(0, 1)),
                st.one_of(st.integers(0, 5), st.floats(1e-3, 1e3)),
            ),
            min_size=1,
            max_size=60,
        ),
        st.sampled_from([None, np.int64, np.float64]),
        st.sampled_from([np.float64, np.float32]),
    )
    def test_are_equal(self, rows, kind, precision):
        positive, score, weight = (np.array(column) for column in zip(*rows, strict=True))
        with np.errstate(over="ignore"):
            score = score.astype(precision).astype(float)
        weight = None if kind is None else weight.astype(kind)
        for way in ways(weight):
            found = way(positive, score)
            if found is None:  # magnitudes too far apart for a key
                assert np.isinf(score).any() or np.ptp(np.log2(np.abs(score[score != 0]))) > 1000
                continue
            for one, other in zip(found, _by_order(positive, score, weight), strict=True):
                np.testing.assert_array_equal(one[1:], other[1:])
                assert one.dtype == other.dtype

    def test_leave_weights_of_any_size_to_the_order_of_scores(self, monkeypatch):
        compiled = pytest.importorskip("opchar.spaces.compiled_sorting")
        monkeypatch.setattr(sorting.COMPILED, "module_after", lambda number: compiled)
        given = np.arange(2000) % 3 == 0, np.arange(2000) % 7 / 8.0, np.full(2000, 10**30, object)
        for one, other in zip(sorting.sums_by_score(*given), _by_order(*given), strict=True):
            np.testing.assert_array_equal(one, other)

    def test_read_no_weight_beyond_the_last(self):
        compiled = pytest.importorskip("opchar.spaces.compiled_sorting")
        keys, room, _, limits = compiled.sort_keys(np.array([True]), np.ones(1), np.ones(1))
        sums, weight, none = np.empty((2, 2)), np.array([2.0, np.nan])[:1], np.empty(0, np.int64)
        assert compiled.sum_down(keys, limits, room, *sums, weight, none) == 2
        np.testing.assert_array_equal(sums, [[0, 2], [0, 0]])

    def test_rates_are_sums_over_the_sizes_of_classes(self):
        compiled = pytest.importorskip("opchar.spaces.compiled_sorting")
        positive, score = np.arange(50) % 3 == 0, np.arange(50) % 7 / 8.0
        _, true, false = counts_by_key(positive, score)
        found = compiled.sums_by_score(positive, score, None, (17, 33))[1:]
        np.testing.assert_array_equal(found, (true / 17, false / 33))

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("spread", ["bits", "ties", "outlier", "constant"])
    def test_of_many_objects(self, spread, weighted):
        rng = np.random.default_rng(3)
        n = 40_000
        score = {
            "bits": 1 + rng.integers(0, 2**20, n) * np.finfo(float).eps,
            "ties": rng.integers(-50, 50, n) / 7,
            "outlier": np.append(1 + rng.integers(0, 999, n - 1) * np.finfo(float).eps, -1e300),
            "constant": np.full(n, -0.0),
        }[spread]
        positive, weight = rng.random(n) < 0.4, rng.random(n) if weighted else None
        given = None if weight is None else weight.copy()
        for way in ways(weight):
            for one, other in zip(
                way(positive, score), _by_order(positive, score, weight), strict=True
            ):
                np.testing.assert_array_equal(one[1:], other[1:])
        if weighted:
            np.testing.assert_array_equal(weight, given)


def ways(weight):
    """Return the ways of sorting that are installed and take such weights."""
    found = [] if weight is not None else [counts_by_key]
    if importlib.util.find_spec("numba"):
        from opchar.spaces import compiled_sorting

        for by_numpy in (False, True):
            found.append(
                lambda *given, chosen=by_numpy: compiled_sorting.sums_by_score(
                    *given, weight, by_numpy=chosen
                )
            )
    return found


def _by_order(positive, score, weight):
    """Return the sums by a stable sort, threshold by threshold from the highest down."""
    each = np.ones(len(score), dtype=np.int64) if weight is None else weight
    order = np.argsort(score, kind="stable")[::-1]
    score, positive, each = score[order], positive[order], each[order]
    ends = np.append(np.flatnonzero(score[1:] != score[:-1]), len(score) - 1)
    sums = [np.append(0, np.cumsum(each * chosen)[ends]) for chosen in (positive, ~positive)]
    return np.append(np.inf, score[ends]), *sums
