"""Beyond mullick2020: spread by sampling, stability of the order of classifiers, power."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from opchar.metrics.conditions import MatrixIndex
from opchar.metrics.distortion import power, rank_stability, spread_over_test_sets
from opchar.models.splits.representatives import TEST_SETS
from opchar.seeds import Spawn
from opchar_reproduction.publications.mullick2020.problems import UNSHIFTED, Problem
from opchar_reproduction.results import Results

Indices = Mapping[str, MatrixIndex]


def record_sampling(
    results: Results,
    artefact: str,
    problems: list[Problem],
    indices: Indices,
    spawn: Spawn,
    draws: int,
) -> None:
    """Divide the expected spread over test sets at constant class rates, classifier by classifier.

    Class rates belong to a classifier over the tested objects of all folds, and test sets to one
    fold; over F folds the sampling part shrinks with the root of F.
    """
    rows = []
    for problem in problems:
        sizes = [
            tuple(int(size) for size in sums)
            for sums in next(iter(problem.matrices.values()))[0].sum(axis=-1)
        ]
        for classifier, matrix in problem.tested.items():
            for name, index in indices.items():
                rng = spawn("sampling", problem.name, classifier, name)
                found = spread_over_test_sets(index, matrix, sizes, rng=rng, draws=draws)
                rows.append(
                    {
                        "problem": problem.name,
                        "classes": problem.about["classes"],
                        "classifier": classifier,
                        "index": name,
                        "distortion": found.distortion,
                        "sampling": found.sampling,
                        "expected": found.expected,
                    }
                )
    spread = pd.DataFrame(rows)
    results.add_frame("sampling spread", spread)
    for index_name, part in spread.groupby("index", sort=False):
        for column in ("distortion", "sampling", "expected"):
            results.number(artefact, str(index_name), column, part[column].mean(), n=len(part))


def record_stability(results: Results, artefact: str, means: pd.DataFrame) -> None:
    """Record Kendall's tau of the classifiers' order, averaged over the pairs of test sets."""
    rows = []
    for (problem, index), part in means.groupby(["problem", "index"], sort=False):
        values = part.pivot_table(
            index="test set", columns="classifier", values="value", dropna=False
        )
        taus = rank_stability(values.reindex(list(TEST_SETS)).to_numpy())
        pairs = taus[np.triu_indices(len(taus), 1)]
        tau = float(np.nanmean(pairs)) if not np.isnan(pairs).all() else np.nan
        rows.append({"problem": problem, "index": index, "tau": tau})
    stability = pd.DataFrame(rows)
    results.add_frame("rank stability", stability)
    for index, part in stability.groupby("index", sort=False):
        results.mean(artefact, str(index), "Kendall's tau", part["tau"].dropna())


def record_power(
    results: Results,
    artefact: str,
    problems: list[Problem],
    indices: Indices,
    spawn: Spawn,
    draws: int,
) -> None:
    """Record how often two classifiers differ clearly, averaged over their pairs."""
    rows = []
    for problem in problems:
        sizes = next(iter(problem.matrices.values()))[0].sum(axis=-1).astype(int)
        pairs = combinations([name for name in problem.tested if name != UNSHIFTED], 2)
        matrices = [(problem.tested[first], problem.tested[second]) for first, second in pairs]
        for called, index in indices.items():
            for number, name in enumerate(TEST_SETS):
                rng = spawn("power", problem.name, called, name)
                wanted = tuple(sizes[number].tolist())
                found = [
                    power(index, first, second, wanted, rng=rng, draws=draws)
                    for first, second in matrices
                ]
                means = {
                    "power": float(np.mean([each.power for each in found])),
                    "order": float(np.mean([each.order for each in found])),
                }
                who = {"problem": problem.name, "index": called, "test set": name}
                rows.append(who | means)
    strength = pd.DataFrame(rows)
    results.add_frame("power", strength)
    for (index_name, test_set), part in strength.groupby(["index", "test set"], sort=False):
        results.number(artefact, str(index_name), str(test_set), part["power"].mean(), n=len(part))
