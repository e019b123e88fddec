"""Lines of Tables 4.7 to 4.10: groups, and gains of decomposed class weights."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, mean_subjective_utilities
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import in_words
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import (
    add_best_gain,
    add_comparisons,
    add_description,
    add_gain,
    add_groups,
    losses_by_algorithm,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.searches import (  # noqa: E501
    ALGORITHMS,
    Choices,
    Searches,
)
from opchar_reproduction.results import Results


def measure_tables(
    searches: Searches,
    features: Mapping[str, FeatureTable],
    choices: Choices,
    level: float,
    sets: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str],
    described: bool,
) -> Results:
    """Return the tables under one variant."""
    results, ties, spawn = Results(), choices.ties, searches.spawn
    used = f"{in_words(choices)}, {'profits' if choices.profits else 'zeros'} on the diagonal"
    gains = []
    for setting in sets:
        table = searches.tables[setting["data"]]
        found = [
            _fold(results, searches, choices, setting, int(fold)) for fold in np.unique(table.fold)
        ]
        measured = pd.concat(found, ignore_index=True)
        results.add_frame("losses", measured)
        about = {"data": table.data, "note": used}
        if described:
            add_description(results, setting, table, features[setting["data"]])
        losses = losses_by_algorithm(measured)
        for algorithm, artefact in tables.items():
            add_comparisons(
                results, artefact, setting, losses, algorithm, level, ties, about, spawn
            )
        gains.append(add_gain(results, setting["row"], measured) | about)
    if described:
        add_best_gain(results, gains, spawn("bootstrap"))
    return results


def _fold(
    results: Results, searches: Searches, choices: Choices, setting: Mapping[str, Any], fold: int
) -> pd.DataFrame:
    """Decompose one fold, and return the loss of each algorithm under each cost matrix."""
    data, t_s = setting["data"], setting["t_s"]
    roc, threshold, size = searches.decomposition(data, fold, t_s, choices.tuned_on)
    add_groups(results, setting, fold, roc, threshold, size)
    judged = searches.case(data, fold, *choices.of_costs).judged
    losses = {
        name: searches.found(name, data, fold, t_s, choices.of_costs, **choices.of_algorithm(name))[
            1
        ]
        for name in ALGORITHMS
    }
    return _measure_fold(setting["row"], judged.n_classes, fold, judged, losses)


def _measure_fold(
    row: str, n_classes: int, fold: int, problem: CostProblem, losses: Mapping[str, Floats]
) -> pd.DataFrame:
    """Return the loss and utility of each algorithm under each cost matrix of one fold."""
    return pd.concat(
        pd.DataFrame(
            {
                "data set": row,
                "C": n_classes,
                "fold": fold,
                "scenario": np.arange(len(loss)),
                "algorithm": name,
                "loss": loss,
                "MSU": mean_subjective_utilities(problem, loss),
            }
        )
        for name, loss in losses.items()
    )
