"""What was measured to find the causes of differences in chapters 4 and 5 of the thesis."""

import numpy as np
import pytest
from scipy import integrate

from opchar.scores import ScoreTable
from opchar.seeds import spawner
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.law_of_costs import (
    law_of_costs,
    log_likelihoods,
)
from opchar_reproduction.publications.studies.gains_redrawn import gains_redrawn
from opchar_reproduction.publications.studies.nearest_mean import nearest_mean


def value(results, artefact, row, column):
    frame = results.frame()
    chosen = frame[
        (frame["artefact"] == artefact) & (frame["row"] == row) & (frame["column"] == column)
    ]
    return float(chosen["value"].item())


def test_likelihood_of_rows_is_the_integral_over_their_limits():
    costs = np.array([[0, 0.3, 0.5], [0.02, 0, 0.05], [0.2, 0.25, 0]])
    limits = np.geomspace(0.5 * (1 + 1e-9), 50, 4000)
    by_hand = max(
        sum(
            np.log(integrate.quad(lambda a, top: a**-2.0 / top, largest, limit, args=(limit,))[0])
            for largest in (0.5, 0.05, 0.25)
        )
        for limit in limits[::40]
    )
    found = log_likelihoods(costs[None])
    assert found["rows of different size"] == pytest.approx(by_hand, abs=0.02)
    assert found["uniform entries"] == pytest.approx(-6 * np.log(0.5))
    assert log_likelihoods(costs.T[None])["columns of different size"] == pytest.approx(
        found["rows of different size"]
    )


@pytest.mark.parametrize("law", ["uniform entries", "rows of different size"])
def test_the_law_that_draws_is_the_likelier_one(law):
    rng = np.random.default_rng(3)
    (other,) = {"uniform entries", "rows of different size"} - {law}
    costs = rng.uniform(size=(20, 8, 8)) * (1 - np.eye(8))
    if law == "rows of different size":
        costs *= rng.uniform(size=(20, 8, 1))
    found = log_likelihoods(costs, steps=400)
    assert (found[law] > found[other]).sum() >= 18


def test_the_printed_matrix_is_not_uniform_and_a_uniform_one_is():
    share = "share of draws as unlike it"
    printed = law_of_costs(spawn=spawner(1, "t"), draws=2000)
    assert value(printed, "text-4.2.5-law", "uniform costs", share) == 1 / 2001
    drawn = np.random.default_rng(5).uniform(size=(8, 8)) * (1 - np.eye(8))
    uniform = law_of_costs(spawn=spawner(1, "t"), draws=2000, costs=drawn.tolist())
    assert 0.05 < value(uniform, "text-4.2.5-law", "uniform costs", share) < 0.95


SETS = [{"data": "made", "row": "Made", "t_p": 0.9, "pairs": 3, "kept": [3, 6], "few": 2}]


def redrawn(**changes):
    rng = np.random.default_rng(0)
    y = np.tile(np.arange(4), 60)
    raw = rng.normal(size=(240, 4)) + 1.5 * np.eye(4)[y]
    scores = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
    table = ScoreTable(
        fold=np.zeros(240, dtype=int),
        index=np.arange(240),
        y=y,
        scores=scores,
        classes=("a", "b", "c", "d"),
        provenance={"data": "made"},
    )
    given = {
        "sets": SETS,
        "law": "rows",
        "search": "grid and present",
        "matrices": 12,
        "together": 4,
        "tables": 30,
        "cap": 5,
    }
    return gains_redrawn(scores={("made", "m"): table}, spawn=spawner(0, "test"), **given | changes)


def test_redrawn_tables_lie_between_their_least_and_largest():
    results = redrawn()
    for name in ("Naive", "Greedy", "PairsG"):
        for column in ("Min", "Median", "Best", "Mean"):
            low, mid, high = (
                value(results, "table-4.4-redrawn", f"Made / {name}", f"{word}{column}")
                for word in ("least ", "", "largest ")
            )
            assert 0 <= low <= mid <= high
    greedy = [value(results, "table-4.4-pairs-kept", f"Made / {k} pairs", "Greedy") for k in (3, 6)]
    assert greedy[0] == greedy[1]
    (one,) = redrawn(sets=[SETS[0] | {"only": ["Naive"], "kept": []}]).frame()["row"].unique()
    assert one == "Made / Naive"
    with pytest.raises(ValueError, match="8 or more matrices are needed, not 7"):
        redrawn(matrices=7)


def validated(scale):
    """Return scores of the validation: log odds are `scale` times a place on a line."""
    rng = np.random.default_rng(1)
    sets = {
        ("train", 0): rng.normal(1.0, 1.0, 300),
        ("train", 1): rng.normal(-1.0, 1.0, 300),
        ("validation", 0): rng.normal(1.0, 1.0, 200),
        ("validation", 2): rng.normal(0.3, 0.5, 200),
    }
    place = np.concatenate(list(sets.values()))
    y = np.concatenate([np.full(len(part), kind) for (_, kind), part in sets.items()])
    test_set = np.concatenate([np.full(len(part), name) for (name, _), part in sets.items()])
    target = 1 / (1 + np.exp(-scale * place))
    first = np.flatnonzero(test_set == "train")[:1]
    rows = np.concatenate([first, np.arange(len(y))])
    return ScoreTable(
        fold=np.concatenate([[0], np.ones(len(y), dtype=int)]),
        index=rows,
        y=y[rows],
        scores=np.column_stack([target, 1 - target, np.zeros(len(target))])[rows],
        classes=("target", "outlier", "unseen"),
        provenance={"data": "made"},
        test_set=test_set[rows],
        detector=place[rows],
    )


def measured(scale, printed=-2.0):
    row = {"row": "Made", "data": "made", "model": "m", "t_d": 0.7, "printed": printed}
    return nearest_mean({("made", "m"): validated(scale)}, rows=[row], steps=41)


@pytest.mark.parametrize(
    "column",
    [
        "least gain at any threshold",
        "largest gain at any threshold",
        "gain, posterior of maximum likelihood",
        "gain, posterior of maximum likelihood, weighted by theta",
        "gain, posterior of equal variances",
        "gain, ratio of the distances",
    ],
)
def test_gains_do_not_depend_on_the_scale_that_the_posterior_has(column):
    """Only the posterior as it is does: thresholds of all others follow the training objects."""
    once, thrice = (
        value(measured(scale), "table-5.3-nearest-mean", "Made", column) for scale in (1.0, 3.0)
    )
    assert once == pytest.approx(thrice, abs=0.6)


def test_gains_of_posteriors_lie_among_those_of_all_thresholds():
    results = measured(3.0)
    own = value(results, "table-5.3-nearest-mean", "Made", "gain, posterior as in the vocabulary")
    place = "table-5.3-nearest-mean", "Made"
    low = value(results, *place, "least gain at any threshold")
    high = value(results, *place, "largest gain at any threshold")
    assert low <= own <= high
    assert own != value(measured(1.0), *place, "gain, posterior as in the vocabulary")
