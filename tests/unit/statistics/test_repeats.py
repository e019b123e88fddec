"""Standard deviations of the ledger against those of whole experiments made again."""

import numpy as np
import pandas as pd
import pytest

from checkout import configured
from opchar.datasets.features import FeatureTable
from opchar.models.training import train
from opchar.seeds import spawner
from opchar.statistics.repeats import repeated_experiments
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.gains import (
    SUMMARIES,
    costs_variance,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import (
    EXPERIMENTS,
    WON,
    WON_CLEARLY,
    compare_algorithms,
    losses_by_algorithm,
    spreads_of_counts,
)

COSTS, FOLDS = 50, 10


def losses(rng, split=1.0, gain=0.0):
    """One whole experiment: costs that all folds share, and folds that move all costs together."""
    of_costs = rng.normal(gain, 1.0, size=(COSTS, 1))
    of_folds = split * rng.normal(size=(1, FOLDS)) * rng.uniform(0.5, 1.5, size=(COSTS, 1))
    return of_costs + of_folds + 0.5 * rng.normal(size=(COSTS, FOLDS))


def frame(differences):
    rows = pd.MultiIndex.from_product([range(COSTS), range(FOLDS)], names=["scenario", "fold"])
    own = pd.DataFrame({"loss": -differences.ravel()}, index=rows).reset_index()
    parts = [own.assign(algorithm="A"), own.assign(algorithm="B", loss=0.0)]
    return losses_by_algorithm(pd.concat(parts, ignore_index=True))


def test_drawn_experiments_have_the_means_and_the_covariance_of_the_one_measured():
    rng = np.random.default_rng(1)
    values = losses(rng)
    drawn = repeated_experiments(values, rng, 4000).mean(axis=2)
    means = values.mean(axis=1)
    assert drawn.mean() == pytest.approx(means.mean(), abs=0.03)
    over_folds = values.mean(axis=0).var(ddof=1) / FOLDS
    inside = np.cov(values).diagonal().mean() / FOLDS - over_folds
    of_costs = (means.var() + inside) / COSTS
    assert drawn.mean(axis=1).var() == pytest.approx(over_folds + of_costs, rel=0.1)


def test_one_split_is_refused():
    with pytest.raises(ValueError, match="two or more"):
        repeated_experiments(np.zeros((3, 1)), np.random.default_rng(0), 2)


@pytest.mark.check
@pytest.mark.parametrize("split", [0.3, 1.0])
def test_counts_of_won_scenarios_spread_as_whole_experiments_do(split):
    rng = np.random.default_rng(2)
    found = [compare_algorithms(frame(losses(rng, split)), "A", "B", 0.05) for _ in range(250)]
    again = {WON: [each["won"].sum() for each in found]}
    again[WON_CLEARLY] = [(each["won"] & each["clear"]).sum() for each in found]
    told = [
        spreads_of_counts(frame(losses(rng, split)), "A", "B", 0.05, "neither", rng)
        for _ in range(60)
    ]
    for column, counts in again.items():
        variance = np.mean([spread[column] ** 2 for spread in told])
        assert variance**0.5 == pytest.approx(np.std(counts, ddof=1), rel=0.3), column
        if split == 1.0:
            rate = np.mean(counts) / COSTS
            assert np.std(counts, ddof=1) > 1.2 * (COSTS * rate * (1 - rate)) ** 0.5


@pytest.mark.parametrize("column", ["Median", "Mean"])
def test_gains_spread_no_less_than_with_the_cost_matrices(column):
    """Each split draws costs of its own, so that one of few splits already shows their spread."""
    rng = np.random.default_rng(3)
    summary = SUMMARIES[column]
    again = [summary(rng.gamma(2.0, size=(1, COSTS)), axis=1)[0] for _ in range(2000)]
    told = [costs_variance(rng.gamma(2.0, size=(3, COSTS)), summary, rng) for _ in range(40)]
    assert np.mean(told) ** 0.5 == pytest.approx(np.std(again, ddof=1), rel=0.2)


def test_the_number_of_experiments_is_enough():
    """Two estimates of one spread differ by less than a tenth."""
    rng = np.random.default_rng(4)
    values = frame(losses(rng))
    one, other = (spreads_of_counts(values, "A", "B", 0.05, "won", rng) for _ in range(2))
    assert EXPERIMENTS >= 400
    assert one[WON] == pytest.approx(other[WON], rel=0.15)


VOCABULARY = configured("models")
HOLDOUT = "opchar.models.splits.protocols:holdout"
FIXED = "opchar.models.splits.protocols:fixed"
KINDS = {
    "folds and their test sets": ("ldc", HOLDOUT, {"test": 0.3, "stratified": True}),
    "prototypes": ("dis4 mindist", HOLDOUT, {"test": 0.3, "stratified": True}),
    "seeds of trainings": ("mogc3", FIXED, {"train": 120}),
    "prototypes on one split": ("dis4 mindist", FIXED, {"train": 120}),
}


def errors(kind, repeats, seed):
    """The errors of one experiment, a repeat each, as the ledger's spreads are made of."""
    model, function, parameters = KINDS[kind]
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], 90))
    lobes = rng.choice([-2.0, 0.0, 2.0], size=len(y))
    X = np.column_stack([lobes + 0.7 * y, rng.normal(size=len(y))])
    X += rng.normal(scale=0.6, size=X.shape)
    features = FeatureTable(X, y, ("a", "b"), ("p", "q"), {"data": "lobes"})
    protocol = {"function": function, "parameters": parameters | {"repeats": repeats}}
    found = train(features, model, VOCABULARY, protocol, spawner(seed))
    return np.array([np.mean(part.scores.argmax(axis=1) != part.y) for _, part in found.folds()])


@pytest.mark.parametrize("kind", KINDS)
def test_repeats_spread_as_whole_experiments_made_again_do(kind):
    told = errors(kind, 50, 1).std(ddof=1)
    again = np.std([errors(kind, 1, seed)[0] for seed in range(2, 42)], ddof=1)
    assert told > 0
    assert told == pytest.approx(again, rel=0.35), kind
