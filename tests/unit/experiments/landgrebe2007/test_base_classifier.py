"""Sec. 3.2.5: the base classifier on random splits."""

import numpy as np
import pytest

from opchar.errors import ScoresError
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter3.base_classifier import (
    base_confusion,
    fold_confusions,
)


def test_cells_are_the_mean_shares_of_each_true_class():
    y = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    chosen = np.array([0, 1, 1, 1, 0, 0, 0, 1])
    table = ScoreTable(
        np.repeat([0, 1], 4), np.arange(8), y, np.eye(2)[chosen], ("red", "grey"), {"data": "x"}
    )
    assert fold_confusions(table)[0].tolist() == [[1, 1], [0, 2]]
    frame = base_confusion(scores={("x", "m"): table}, artefact="t", data="x", model="m").frame()
    cells = frame.set_index(["row", "column"])
    assert cells.loc[("base / true red", "estimated grey"), "value"] == pytest.approx(0.25)
    assert cells.loc[("base / true red", "estimated grey"), "std"] == pytest.approx(np.sqrt(1 / 8))
    assert cells.loc[("base / true grey", "estimated grey"), "value"] == pytest.approx(0.75)
    assert cells.loc[("base / true grey", "test objects"), "value"] == 2
    assert set(frame["n"]) == {2}


def test_a_fold_without_a_class_is_named():
    y = np.array([0, 1, 0, 0])
    table = ScoreTable(np.array([0, 0, 1, 1]), np.arange(4), y, np.eye(2)[y], ("red", "grey"))
    with pytest.raises(ScoresError, match="no test object of class 'grey'"):
        base_confusion(scores={("x", "m"): table}, artefact="t", data="x", model="m")
