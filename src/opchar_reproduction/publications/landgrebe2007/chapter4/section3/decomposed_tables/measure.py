"""Decomposed ROCs against searches for class weights (Tables 4.7 to 4.10, Figure 4.18)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import mean_subjective_utilities
from opchar.ranges import Rate
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    Priors,
    TunedOn,
    in_words,
    with_data,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import (
    Ties,
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
from opchar_reproduction.study import Shared, settings, study

GENERATED_SETS = settings(__file__, "generated_sets.csv")

REAL_SETS = settings(__file__, "real_sets.csv")


@study(
    "costs-decomposed-clusters",
    kind="costs",
    basis="simulation",
    scores=[
        """clusters-8; clusters-16; clusters-40; clusters-8-of-50; clusters-16-of-50;
        clusters-40-of-50; clusters-8-of-500; clusters-16-of-500; clusters-40-of-500 |
        holdout-10-own | qdc"""
    ],
    features=["clusters-8", "clusters-16", "clusters-40"],
    parameters={"sets": GENERATED_SETS, "tables": {"Decomp": "table-4.7"}, "described": False},
    profiles={"tiny": {"matrices": 5, "r": 12}},
    variants={"profiles": ["paper"], "combine": "single", "frames": ["comparisons", "groups"]},
    units="fold",
)
@study(
    "costs-decomposed-real",
    kind="costs",
    scores=[
        "delve-segmentation | holdout-10-own | fisher qdc",
        "soybean-large | holdout-10-own | ldc",
        "dermatology | holdout-10-own | fisher ldc",
        "statlog-satimage | holdout-10-own | fisher mogc2",
        "image-segmentation | holdout-10-own | fisher qdc",
        "nist16 | holdout-10-own | nlfisher mogc2",
    ],
    features=[
        "delve-segmentation",
        "soybean-large",
        "dermatology",
        "statlog-satimage",
        "image-segmentation",
        "nist16",
    ],
    parameters={
        "sets": REAL_SETS,
        "tables": {"Decomp": "table-4.9", "DecompG": "table-4.10"},
        "described": True,
    },
    profiles={"tiny": {"matrices": 5, "r": 12}},
    variants={
        "combine": "pairs",
        "pairs": [
            ["law of the costs", "profits"],
            ["law of the costs", "greedy end of DecompG"],
            ["law of the costs", "search of the weights"],
        ],
        "frames": ["comparisons", "groups"],
    },
    units="scenario",
)
def decomposed_tables(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    shared: Shared,
    sets: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str],
    described: bool,
    matrices: int = 50,
    law: Law = "uniform",
    profits: bool = False,
    priors: Priors = "balanced",
    tuned_on: TunedOn = "test",
    search: Search = "grid",
    constrained: bool = True,
    ties: Ties = "neither",
    r: int = 80,
    largest_group: int = 4,
    level: Rate = 0.05,
    instead: Mapping[str, str] = {},
) -> Results:
    """Compare Decomp and DecompG with searches over random cost matrices (Sec. 4.3.6).

    `sets`: ``data``, ``row`` (and ``row_4.9`` where the tables of results spell it otherwise),
    ``t_s``, and ``model`` as printed.
    `tables`: Artefact of the comparison of each algorithm, Decomp or DecompG.
    `described`: Whether the data sets are described (Table 4.8).
    `matrices`: Cost matrices, the same in all folds.
    `law`, `profits`, `priors`, `tuned_on`, `search`, `constrained`, `ties`: `Choices`.
    `instead`: Data sets that are read in place of those of `sets`.
    """
    results = Results()
    choices = Choices(law, profits, priors, tuned_on, search, constrained, ties)
    by_data = {data: table for (data, _), table in scores.items()}
    searches = shared(Searches, by_data, spawn, matrices=matrices, r=r, largest_group=largest_group)
    used = f"{in_words(choices)}, {'profits' if profits else 'zeros'} on the diagonal"
    gains = []
    for setting in with_data(sets, instead):
        table = by_data[setting["data"]]
        folds = [int(fold) for fold in np.unique(table.fold)]
        found = [_measure_fold(results, searches, choices, setting, fold) for fold in folds]
        measured = pd.concat(found, ignore_index=True)
        results.add_frame("losses", measured)
        about = {"data": table.data, "note": used}
        if described:
            add_description(results, setting, table, features[setting["data"]])
        losses = losses_by_algorithm(measured)
        for name, artefact in tables.items():
            add_comparisons(results, artefact, setting, losses, name, level, ties, about, spawn)
        gains.append(add_gain(results, setting["row"], measured) | about)
    if described:
        add_best_gain(results, gains, spawn("bootstrap"))
    return results


def _measure_fold(
    results: Results, searches: Searches, choices: Choices, setting: Mapping[str, Any], fold: int
) -> pd.DataFrame:
    """Decompose one fold, and return the loss of each algorithm under each cost matrix."""
    data, t_s = setting["data"], setting["t_s"]
    roc, threshold, size = searches.decomposition(data, fold, t_s, choices.tuned_on)
    add_groups(results, setting, fold, roc, threshold, size)
    judged = searches.case(data, fold, *choices.of_costs).judged
    where = {"data set": setting["row"], "C": judged.n_classes, "fold": fold}
    parts = []
    for name in ALGORITHMS:
        given = choices.of_algorithm(name)
        _, loss = searches.found(name, data, fold, t_s, choices.of_costs, **given)
        columns = {"scenario": np.arange(len(loss)), "algorithm": name, "loss": loss}
        utility = mean_subjective_utilities(judged, loss)
        parts.append(pd.DataFrame(where | columns | {"MSU": utility}))
    return pd.concat(parts)
