"""What is gained on other objects than those on which the class weights were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from opchar.experiments.landgrebe2007.chapter4.certified_gaps import all_algorithms
from opchar.experiments.landgrebe2007.chapter4.scenarios import (
    Law,
    imbalance,
    of_set,
    random_costs,
    run,
    scenarios,
)
from opchar.experiments.landgrebe2007.chapter4.section3.decomposed_tables import decomposition
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import mean_subjective_utilities
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn

OPTIMISM, WINNERS = "cost-weights-optimism", "cost-weights-winners"


def optimism(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    matrices: int,
    law: Law,
    search: Search,
    cap: int,
    r: int,
    largest_group: int,
) -> Results:
    """Find weights on the objects that judge them, and on training objects, and compare the gains.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table a data set, with the test sets ``train`` and ``test``; the first fold is used.
    spawn : callable
        Generators by name.
    sets : sequence of mapping
        ``data``, ``row`` and ``t_s``.
    matrices : int
        Cost matrices a data set, with zeros on the diagonal, at the priors of the objects.
    law, search, cap, r, largest_group
        As in `opchar.experiments.landgrebe2007.chapter4.certified_gaps.certified_gaps`.

    Returns
    -------
    Results
        Lines of cost-weights-optimism and cost-weights-winners; frame ``gains by set``.
    """
    results = Results()
    tables = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        table = tables[setting["data"]]
        _, part = next(table.folds())
        costs = random_costs(law, matrices, len(table.classes), spawn("costs", setting["data"]))
        found = _gains(setting, part, costs, search, cap, r, largest_group, spawn)
        results.curve("gains by set", found)
        _optimism(results, setting["row"], found, table.data)
        _winners(results, setting["row"], found, table.data)
    _over_sets(results)
    return results


def _gains(
    setting: Mapping[str, Any],
    part: ScoreTable,
    costs: np.ndarray,
    search: Search,
    cap: int,
    r: int,
    largest_group: int,
    spawn: Spawn,
) -> pd.DataFrame:
    """Return what each algorithm gains over equal weights, wherever its weights are found."""
    c = len(part.classes)
    off = ~np.eye(c, dtype=bool)
    frames = []
    for place in ("test", "train"):
        case = scenarios(part, costs, tuned_on=place)
        roc, _, _ = decomposition(of_set(part, place), setting["t_s"], largest_group, r)
        losses = run(
            case,
            all_algorithms(roc, search, cap, c),
            lambda name, place=place: spawn(name, setting["data"], place),
        )
        utility = {n: mean_subjective_utilities(case.judged, loss) for n, loss in losses.items()}
        frames += [
            pd.DataFrame(
                {
                    "data set": setting["row"],
                    "C": c,
                    "imbalance": imbalance(of_set(part, "test")),
                    "scenario": np.arange(len(costs)),
                    "cost spread": [matrix[off].std() / matrix[off].mean() for matrix in costs],
                    "algorithm": name,
                    "found on": place,
                    "gain": utility[name] - utility["Default"],
                }
            )
            for name in losses
            if name != "Default"
        ]
    return pd.concat(frames, ignore_index=True)


def _optimism(results: Results, row: str, found: pd.DataFrame, data: str) -> None:
    """Add the mean gains of each algorithm, and by how much the same objects flatter it."""
    wide = found.pivot_table(
        "gain", index=["algorithm", "scenario"], columns="found on", sort=False
    )
    wide["optimism"] = wide["test"] - wide["train"]
    columns = {
        "test": "gain, found on the same objects",
        "train": "gain, found on training objects",
        "optimism": "optimism",
    }
    for name, part in wide.groupby("algorithm", sort=False):
        for column, title in columns.items():
            results.number(
                OPTIMISM,
                f"{row} / {name}",
                title,
                part[column].mean(),
                std=float(part[column].std(ddof=1)),
                n=len(part),
                unit="MSU",
                data=data,
            )


def _winners(results: Results, row: str, found: pd.DataFrame, data: str) -> None:
    """Add how often each algorithm gains most on other objects, and what goes with the gain."""
    other = found[found["found on"] == "train"]
    wide = other.pivot_table("gain", index="scenario", columns="algorithm")
    best = wide.max(axis=1)
    for name in wide:
        share = 100 * float((wide[name] >= best - 1e-12).mean())
        unit = f"% of {len(wide)} scenarios"
        results.number(WINNERS, row, f"{name} best or equal", share, unit=unit, data=data)
    spread = other.drop_duplicates("scenario").set_index("scenario")["cost spread"]
    margin = wide["PairsG"] - wide["Greedy"]
    for title, values in (("largest gain", best), ("PairsG less Greedy", margin)):
        varied = float(np.ptp(values)) > 0
        rho = float(spearmanr(spread[values.index], values).statistic) if varied else float("nan")
        results.number(
            WINNERS, row, f"rank correlation of cost spread and {title}", rho, unit="rho", data=data
        )
    results.number(WINNERS, row, "C", other["C"].iloc[0], unit="classes", data=data)
    results.number(WINNERS, row, "imbalance", other["imbalance"].iloc[0], unit="ratio", data=data)


def _over_sets(results: Results) -> None:
    """Add rank correlations over the data sets with numbers of classes and imbalance."""
    found = results.curves["gains by set"]
    other = found[found["found on"] == "train"]
    means = other.pivot_table("gain", index="data set", columns="algorithm")
    about = other.groupby("data set")[["C", "imbalance"]].first().loc[means.index]
    quantities = {
        "PairsG less Greedy": means["PairsG"] - means["Greedy"],
        "DecompG less Greedy": means["DecompG"] - means["Greedy"],
        "largest mean gain": means.max(axis=1),
    }
    for title, values in quantities.items():
        for factor in ("C", "imbalance"):
            varied = float(np.ptp(about[factor])) > 0
            rho = float(spearmanr(about[factor], values).statistic) if varied else float("nan")
            row = f"all {len(means)} data sets"
            results.number(
                WINNERS, row, f"rank correlation of {factor} and {title}", rho, unit="rho"
            )
