import numpy as np
import pytest
from scipy.special import expit

from opchar.errors import ConfigError
from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar_reproduction.publications.studies.repeated_significance import p_roc, prior_sensitivity

REPEATED, REDRAWN = "share of repeats", "share of redrawn experiments"


def scored(shift, folds, seed, positives=40, negatives=40, classes=("w1", "w2")):
    """Score unit Gaussians whose distance is `shift`, or one number per fold."""
    rng = np.random.default_rng(seed)
    n = positives + negatives
    y = np.tile(np.repeat([0, 1], [positives, negatives]), folds)
    fold = np.repeat(np.arange(folds), n)
    shifts = np.broadcast_to(shift, folds)[fold]
    z = shifts * (rng.normal(size=len(y)) + shifts * (y == 0) - shifts / 2)
    scores = np.column_stack([expit(z), expit(-z)])
    return ScoreTable(fold, np.arange(len(y)), y, scores, classes, {"data": "gaussians"})


def sonar(folds, shifts=(1.5, 4.0, 1.0, 1.0), size=4):
    tables = {
        ("s", f"m{number}"): scored(shift, folds, seed=number)
        for number, shift in enumerate(shifts, start=1)
    }
    found = prior_sensitivity(
        scores=tables,
        spawn=spawner(1, "test"),
        titles={"s": "Sonar"},
        prior_range=[0.1, 0.9],
        alpha=0.05,
        thresholds=100,
        size=size,
        redrawn=40,
    )
    return found.frame().set_index(["row", "column"])


def test_shares_count_experiments_of_their_own_and_redrawn_ones():
    cells = sonar(folds=14)
    for variant in (
        "least error",
        "equal weighted errors",
        "equal weighted errors, 100 thresholds",
    ):
        for column, number in ((REPEATED, 3), (REDRAWN, 40)):
            cell = cells.loc[(f"Sonar: {variant}", column)]
            assert cell["value"] > 0.9
            assert cell["note"] == f"in {round(cell['value'] * number)} of {number} experiments"
            assert cell["data"] == "gaussians"
    assert (
        "2 > 3 (1.00)"
        in cells.loc[("Sonar, pairs that differ in AUC: least error", REPEATED), "note"]
    )
    assert (
        "3 > 2 (" in cells.loc[("Sonar, pairs that differ in Sens: least error", REPEATED), "note"]
    )


def test_a_statement_that_is_false_is_never_found():
    cells = sonar(folds=8, shifts=(2.5, 1.0, 1.0, 1.0))
    assert cells.loc[("Sonar: least error", REDRAWN), "value"] == 0


def test_one_experiment_is_only_drawn_again_and_fewer_hold_outs_are_refused():
    assert set(sonar(folds=5).index.get_level_values("column")) == {REDRAWN}
    with pytest.raises(ConfigError, match="an experiment of 4 hold-outs cannot be taken from 3"):
        sonar(folds=3)


def satellite(shifts, folds=12):
    tables = {
        ("s", letter): scored(shift, folds, seed=number, classes=("positive", "rest"))
        for number, (letter, shift) in enumerate(zip("abc", shifts, strict=True))
    }
    found = p_roc(
        scores=tables,
        spawn=spawner(1, "test"),
        positive="positive",
        priors=[0.5, 0.1, 0.01],
        prior_range=[0.05, 0.2],
        alpha=0.05,
        size=4,
        redrawn=30,
    )
    return found.frame().set_index(["row", "column"])


def test_only_c_differs_as_the_two_way_analysis_says():
    cells = satellite((1.0, 1.0, 3.0))
    for column in (REPEATED, REDRAWN):
        assert cells.loc[("2-way ANOVA", column), "value"] > 0.6
        assert cells.loc[("pairs of priors", column), "value"] == 0
        assert (
            "C > A (1.00), C > B (1.00)" in cells.loc[("2-way: pairs that differ", column), "note"]
        )
        F = cells.loc[("2-way: F-value", column)]
        assert F["value"] > 10
        assert F["std"] > 0
    assert cells.loc[("2-way: F-value", REPEATED), "n"] == 3


def test_all_differ_in_the_order_of_the_text():
    cells = satellite((0.2, 2.0, 5.0))
    assert cells.loc[("three priors", REDRAWN), "value"] > 0.5
    assert satellite((5.0, 2.0, 0.2)).loc[("three priors", REDRAWN), "value"] == 0
