"""How far the algorithms for class weights stay from a certified optimum."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.multiclass.cost_weights.algorithms import default, greedy, lachiche_flach, naive, simple
from opchar.multiclass.cost_weights.certificate import Certificate, certify
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import Weighting
from opchar.multiclass.decomposition import DecomposedROC
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Scenarios,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.searches import (  # noqa: E501
    algorithms as pair_algorithms,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.searches import (  # noqa: E501
    algorithms as group_algorithms,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.searches import (  # noqa: E501
    decomposition,
)
from opchar_reproduction.publications.landgrebe2007.chapter4_figures import Curves
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, settings, study

SETS = settings(__file__, "certified_gaps_sets.csv")

ARTEFACT = "certified-optimum"
SHARE = "share of the possible gain, %"
ROUNDING = 1e-9


def all_algorithms(
    roc: DecomposedROC, search: Search, cap: int, pairs: int
) -> dict[str, Algorithm]:
    """Return every algorithm of chapter 4 by name."""
    by_pairs = pair_algorithms({"number": pairs}, search, cap)
    by_groups = group_algorithms(roc, search, constrained=True)
    searches: dict[str, Algorithm] = {
        "Default": lambda problem, rng: default(problem),
        "Simple": lambda problem, rng: simple(problem),
        "Naive": lambda problem, rng: naive(problem, search=search),
        "Greedy": lambda problem, rng: greedy(problem, rng, search=search),
        "Lachiche": lambda problem, rng: lachiche_flach(problem, search=search),
    }
    return (
        searches
        | {name: by_pairs[name] for name in ("Pairs", "PairsG")}
        | {name: by_groups[name] for name in ("Decomp", "DecompG")}
    )


@study(
    "costs-certified",
    kind="costs",
    scores=[
        "prtools8 | shuffled-half-10-own | qdc",
        "clusters-8 | holdout-10-own | qdc",
        "delve-segmentation | holdout-10-own | fisher qdc",
        "dermatology | holdout-10-own | fisher ldc",
        "statlog-satimage | holdout-10-own | fisher mogc2",
        "image-segmentation | holdout-10-own | fisher qdc",
        "nist16 | holdout-10-own | nlfisher mogc2",
        "letter-recognition | first-16000-own | fisher qdc",
    ],
    profiles={
        "tiny": {
            "matrices": 2,
            "cap": 5,
            "r": 12,
            "nodes": 200,
            "sets": [
                {"data": "dermatology", "row": "Dermatology", "t_s": 0.04},
                {"data": "nist16", "row": "Nist", "t_s": 0.2, "certify": False},
            ],
        },
        "quick": {"matrices": 5, "cap": 30, "nodes": 3000},
    },
)
def certified_gaps(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]] = SETS,
    matrices: int = 20,
    law: Law = "uniform",
    search: Search = "grid",
    cap: int = 200,
    r: int = 80,
    largest_group: int = 4,
    nodes: int = 20000,
) -> Results:
    """Compare every algorithm with the best weights and a proven lower bound of the loss.

    `scores`: one table a data set; the first fold is used; `sets`: ``data``, ``row`` and ``t_s``;
    at most eight classes. A set of more classes has ``certify`` false: its bound would be
    uninformative, and losses are compared with the lowest found; `matrices`: cost matrices a data
    set, with zeros on the diagonal, at balanced priors; `law`, `search`, `cap`: as in
    `pairwise_tables`; `r`, `largest_group`: of the decomposition; `nodes`: nodes that branch and
    bound may look at, for each cost matrix.
    """
    results = Results()
    tables = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        table = tables[setting["data"]]
        _, part = next(table.folds())
        c = len(table.classes)
        costs = random_costs(law, matrices, c, spawn("costs", setting["data"]))
        case = scenarios(part, costs, priors="balanced")
        roc, _, _ = decomposition(of_set(part, "test"), setting["t_s"], largest_group, r)
        found = {
            name: find(case.judged, spawn(name, setting["data"]))
            for name, find in all_algorithms(roc, search, cap, c).items()
        }
        if setting.get("certify", True):
            rng = spawn("certify", setting["data"])
            start = found["PairsG"].log_weights
            proven = certify(case.judged, rng, max_nodes=nodes, start=start)
            best = np.array([one.loss for one in proven])
            bound = np.array([one.lower_bound for one in proven])
        else:
            proven = []
            best = np.full(matrices, np.inf)
            bound = np.full(matrices, np.nan)
        best = np.min([best, *(weighting.losses for weighting in found.values())], axis=0)
        _add(results, setting["row"], case, found, best, bound, table.data)
        _about(results, setting["row"], best, bound, proven, table.data)
    return results


def _add(
    results: Results,
    row: str,
    case: Scenarios,
    found: Mapping[str, Weighting],
    best: np.ndarray,
    bound: np.ndarray,
    data: str,
) -> None:
    """Add the gaps of each algorithm, mean and spread over the cost matrices."""
    default_loss = found["Default"].losses
    for name, weighting in found.items():
        losses = weighting.losses
        gaps = {"loss above the best": losses - best, "loss above the bound": losses - bound}
        gaps[SHARE] = possible_share(losses, default_loss, best)
        who = {"data set": row, "algorithm": name, "scenario": np.arange(len(losses))}
        results.add_frame("gaps", gaps | who | {"best": best})
        counted = np.isfinite(gaps[SHARE])
        if not counted.any():
            answer = "none: equal weights are the best under every cost matrix"
            results.text(ARTEFACT, f"{row} / {name}", SHARE, answer, data=data)
        for column, values in gaps.items():
            values = values[counted] if column == SHARE else values
            if len(values) and np.isfinite(values).all():
                results.mean(ARTEFACT, f"{row} / {name}", column, values, data=data)


def possible_share(losses: np.ndarray, default_loss: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Return how much of the way from equal weights to the best weights has been gone.

    Shapes: `losses` and `default_loss` and `best` (M,); returned (M,).
    """
    possible = default_loss - best
    there = possible > ROUNDING * np.maximum(np.abs(default_loss), np.abs(best))
    share = np.full(len(possible), np.nan)
    np.divide(default_loss - losses, possible, out=share, where=there)
    return 100 * share


def _about(
    results: Results,
    row: str,
    best: np.ndarray,
    bound: np.ndarray,
    proven: Sequence[Certificate],
    data: str,
) -> None:
    """Say how the best loss is known."""
    name = f"{row} / best found"
    results.number(ARTEFACT, name, "loss", best.mean(), n=len(best), data=data)
    if proven:
        optimal = sum(one.stopped == "optimal" for one in proven)
        gap = float((best - bound).mean())
        results.number(ARTEFACT, name, "loss above the bound", gap, n=len(best), data=data)
        results.text(ARTEFACT, name, "proven", f"{optimal} of {len(proven)} optimal", data=data)
    else:
        answer = (
            "more than eight classes: the bound is uninformative, the lowest loss of all algorithms"
        )
        results.text(ARTEFACT, name, "proven", answer, data=data)


@figure("certified-shares")
def certified_shares(results: pd.DataFrame, curves: Curves) -> Figure:
    """Draw the share of the possible gain that each algorithm reaches on each data set."""
    means, errors = (
        curves["gaps"].pivot_table(
            SHARE, index="algorithm", columns="data set", aggfunc=found, sort=False, dropna=False
        )
        for found in ("mean", "sem")
    )
    figure, (panel,) = style.panels(width=style.TWO_COLUMNS, height=2.8)
    shown = [name for name in means.index if name not in ("Default", "Lachiche", "Simple")]
    for number, name in enumerate(shown):
        panel.errorbar(
            np.arange(means.shape[1]) + 0.1 * (number - (len(shown) - 1) / 2),
            means.loc[name],
            errors.loc[name],
            label=name,
            marker=style.MARKERS[number],
            ls="none",
            elinewidth=0.9,
            color=style.COLOURS[number],
        )
    panel.set_xticks(range(means.shape[1]), means.columns)
    panel.set(ylabel="share of the possible gain, %")
    best = "best weights known (see caption)"
    panel.axhline(100, color=style.GREY, lw=0.9, ls=":", label=best)
    panel.set_title("bars: standard error over cost matrices", loc="left")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
