import numpy as np
import pytest

from checkout import configured
from opchar.errors import DataError
from opchar.models.splits.protocols import k_fold, splits
from opchar.models.splits.representatives import (
    TEST_SETS,
    drawn_rows,
    relative_sizes,
    representatives,
)
from opchar.models.training import train
from opchar.seeds import spawner

PROTOCOLS = configured("protocols")
VOCABULARY = configured("models")
SPAWN = spawner(1, "set", "rrt")
TWO = np.repeat([0, 1], [1200, 100])
THREE = np.repeat([0, 1, 2], [600, 300, 50])


def test_ratios_of_two_classes_are_those_of_the_text():
    sizes = relative_sizes(np.array([120, 10]))
    assert tuple(sizes) == TEST_SETS
    ratios = [float(relative[0] / relative[1]) for relative in sizes.values()]
    assert ratios == [1, 0.5, 6, 12, 24]


def test_ratios_of_many_classes_are_those_of_the_text():
    sizes = relative_sizes(np.array([40, 80, 4]))
    assert sizes["balanced"].tolist() == [1, 1, 1]
    assert sizes["reversed"] * 20 == pytest.approx([2, 1, 20])
    assert sizes["halved"].tolist() == [5, 10, 1]
    assert sizes["original"].tolist() == [10, 20, 1]
    assert sizes["doubled"].tolist() == [20, 40, 1]
    equal = relative_sizes(np.array([7, 7, 14]))
    assert equal["doubled"].tolist() == [1, 1, 4]


def test_a_test_set_is_the_largest_with_its_ratio():
    rows = np.arange(0, 1300, 2)
    drawn = drawn_rows(TWO, rows, np.array([24.0, 1.0]), np.random.default_rng(0))
    assert np.bincount(TWO[drawn]).tolist() == [600, 25]
    assert set(drawn) <= set(rows)
    assert (np.diff(drawn) > 0).all()
    one = drawn_rows(TWO, np.array([0, 1, 1299]), np.array([24.0, 1.0]), np.random.default_rng(0))
    assert np.bincount(TWO[one]).tolist() == [2, 1]


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_five_test_sets_share_the_training_set_of_each_fold(y):
    made = list(representatives(y, SPAWN, folds=5, repeats=2))
    assert [(one.fold, one.test_set) for one in made] == [
        (fold, name) for fold in range(10) for name in TEST_SETS
    ]
    plain = list(k_fold(y, SPAWN, folds=5, repeats=2))
    for fold, train_rows, test_rows, *_ in plain:
        five = made[5 * fold : 5 * fold + 5]
        counts = np.bincount(y[train_rows])
        for (_, rows, test, *_), relative in zip(
            five, relative_sizes(counts).values(), strict=True
        ):
            assert np.array_equal(rows, train_rows)
            assert set(test) <= set(test_rows)
            most = (np.bincount(y[test_rows]) / relative).min() * relative
            tested = np.bincount(y[test])
            assert (tested <= np.maximum(most + 1e-9, 1)).all()
            assert (tested > most - 1).all()
    first = [one.test.tolist() for one in made]
    again = representatives(y, SPAWN, folds=5, repeats=2)
    assert first == [one.test.tolist() for one in again]


def test_a_class_too_small_for_the_folds_is_an_error():
    y = np.repeat([0, 1], [30, 3])
    with pytest.raises(DataError, match="5 folds want 5 objects or more of each class"):
        list(splits(PROTOCOLS["rrt-5x5-fold"], y, SPAWN))


def test_a_model_is_fitted_once_a_fold_and_scored_on_all_five(monkeypatch):
    from types import SimpleNamespace

    from opchar.models import training

    fits = []

    def counted(estimator, rng):
        fits.append(estimator)
        return estimator

    monkeypatch.setattr(training, "seed_estimator", counted)
    X = np.random.default_rng(0).normal(size=(950, 2)) + THREE[:, None]
    table = SimpleNamespace(X=X, y=THREE, classes=("a", "b", "c"), provenance={"data": "mine"})
    scored = train(table, "ldc", VOCABULARY, PROTOCOLS["rrt-5x5-fold"], SPAWN)
    assert len(fits) == 25
    assert np.unique(scored.fold).tolist() == list(range(25))
    assert np.array_equal(scored.y, THREE[scored.index])
    for fold, part in scored.folds():
        tested = dict(part.test_sets())
        assert tuple(tested) == TEST_SETS
        for each in tested.values():
            assert np.array_equal(each.scores, fits[fold].predict_proba(X[each.index]))
