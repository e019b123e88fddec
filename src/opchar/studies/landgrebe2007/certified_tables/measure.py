"""How far the algorithms of the printed tables stay from the best class weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from opchar.multiclass.cost_weights.certificate import Certificate, certify
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import CostProblem, Floats
from opchar.publications.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Priors,
    of_set,
    random_costs,
    scenarios,
)
from opchar.publications.landgrebe2007.chapter4.section2.pairwise_tables import (
    searches as pairwise_tables,
)
from opchar.publications.landgrebe2007.chapter4.section3.decomposed_tables import (
    searches as decomposed_tables,
)
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.study import study, table

FEW = 8
BEST = "best known"
ABOVE = "loss above the best"
PROVEN = "loss above the bound"


class Effort(NamedTuple):
    """Cost matrices and zones for sets of up to eight classes, and for those of more."""

    matrices: int
    zones: int
    matrices_of_many: int
    zones_of_many: int

    def for_classes(self, n_classes: int) -> tuple[int, int]:
        """Return the cost matrices and the zones for each of them."""
        if n_classes <= FEW:
            return self.matrices, self.zones
        return self.matrices_of_many, self.zones_of_many


@study(
    "costs-certified-pairwise",
    kind="costs",
    basis="data",
    scores=[
        {"data": "prtools8", "protocol": "shuffled-half-10-own", "models": ["qdc"]},
        {"data": "prtools16", "protocol": "shuffled-half-10-own", "models": ["qdc"]},
        {"data": "letter-recognition", "protocol": "first-16000-own", "models": ["fisher qdc"]},
        {"data": "chromosome-bands", "protocol": "half-10-own", "models": ["pca10 mogc2"]},
        {"data": "mfeat-fou", "protocol": "half-10-own", "models": ["ldc"]},
        {"data": "statlog-satimage", "protocol": "first-4435-own-10", "models": ["fisher mogc2"]},
    ],
    profiles={
        "tiny": {
            "matrices": 3,
            "cap": 5,
            "certified": {"matrices": 2, "zones": 20, "matrices_of_many": 1, "zones_of_many": 1},
        },
        "quick": {
            "certified": {"matrices": 5, "zones": 1000, "matrices_of_many": 3, "zones_of_many": 30}
        },
    },
    same_draws_as="landgrebe2007/costs-pairwise",
)
def pairwise_gaps(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    artefact: str = "certified-tables-4.4-4.5",
    tables: Mapping[str, Sequence[str]] = {
        "4.4": ["Naive", "Greedy", "Lachiche", "Pairs", "PairsG"],
        "4.5": ["Greedy", "PairsG"],
    },
    sets: Sequence[Mapping[str, Any]] = [
        {
            "data": "prtools8",
            "row": "PRTools8",
            "basis": "simulation",
            "t_p": None,
            "pairs": 28,
            "model": "qdc",
        },
        {
            "data": "prtools16",
            "row": "PRTools16",
            "basis": "simulation",
            "t_p": 0.996,
            "pairs": 17,
            "model": "qdc",
        },
        {
            "data": "letter-recognition",
            "row": "Letter",
            "t_p": 0.98,
            "pairs": 22,
            "model": "fisherm qdc",
            "cap": 10,
        },
        {
            "data": "chromosome-bands",
            "row": "CBands",
            "row_4.4": "Cbands",
            "t_p": 0.975,
            "pairs": 34,
            "model": "pca10 mogc2",
            "cap": 10,
        },
        {"data": "mfeat-fou", "row": "Digits", "t_p": 0.98, "pairs": 10, "model": "ldc"},
        {
            "data": "statlog-satimage",
            "row": "Satellite",
            "t_p": None,
            "pairs": 15,
            "model": "fisherm mogc2",
        },
    ],
    matrices: int = 50,
    law: Law = "uniform",
    search: Search = "grid and present",
    pairs: pairwise_tables.Pairs = "threshold",
    cap: int = 1000,
    certified: Mapping[str, int] = {
        "matrices": 50,
        "zones": 20000,
        "matrices_of_many": 10,
        "zones_of_many": 300,
    },
) -> Results:
    """Measure the distance from the best weights in the first fold of Tables 4.4 and 4.5.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
    spawn : callable
        Generators of the experiment that makes these tables.
    artefact : str
        Of the lines.
    tables : mapping of str to sequence of str
        The printed tables by name, and the algorithms that each has.
    sets, matrices, law, search, pairs, cap
        As for `pairwise_tables`.
    certified : mapping of str to int
        `Effort`: the first cost matrices of each set that are looked at, and the zones for each.

    Returns
    -------
    Results
        Lines of the artefact; frame ``gaps``, a row an algorithm and cost matrix.
    """
    results, effort = Results(), Effort(**certified)
    by_data = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        data = setting["data"]
        _, part = next(by_data[data].folds())
        c = len(part.classes)
        costs = random_costs(law, matrices, c, spawn("costs", data, 0))
        first, zones = effort.for_classes(c)
        compared = pairwise_tables.algorithms(
            pairwise_tables.pair_limit(setting, pairs), search, min(setting.get("cap", cap), cap)
        )
        problem = scenarios(part, costs[:first]).judged
        losses, proven = _losses(problem, compared, spawn, (data, 0), zones)
        about = {"data": by_data[data].data, "basis": setting.get("basis")}
        _add(results, artefact, tables, setting["row"], losses, proven, about)
    return results


@study(
    "costs-certified-clusters",
    kind="costs",
    basis="simulation",
    scores=[
        {"data": "clusters-8", "protocol": "holdout-10-own", "models": ["qdc"]},
        {"data": "clusters-16", "protocol": "holdout-10-own", "models": ["qdc"]},
        {"data": "clusters-40", "protocol": "holdout-10-own", "models": ["qdc"]},
    ],
    parameters={
        "artefact": "certified-table-4.7",
        "tables": {"4.7": ["Simple", "Naive", "Greedy", "Decomp"]},
        "sets": [
            {"data": "clusters-8", "row": "Synth8C", "t_s": 0.08, "model": "qdc"},
            {"data": "clusters-16", "row": "Synth16C", "t_s": 0.08, "model": "qdc"},
            {"data": "clusters-40", "row": "Synth40C", "t_s": 0.08, "model": "qdc"},
        ],
        "matrices": 50,
        "law": "uniform",
        "profits": True,
        "priors": "balanced",
        "search": "grid and present",
        "constrained": True,
        "r": 80,
        "largest_group": 4,
        "certified": {
            "matrices": 50,
            "zones": 20000,
            "matrices_of_many": 10,
            "zones_of_many": 1000,
        },
    },
    profiles={
        "tiny": {
            "matrices": 5,
            "r": 12,
            "certified": {"matrices": 2, "zones": 20, "matrices_of_many": 1, "zones_of_many": 1},
        },
        "quick": {
            "certified": {
                "matrices": 10,
                "zones": 3000,
                "matrices_of_many": 5,
                "zones_of_many": 100,
            }
        },
    },
    same_draws_as="landgrebe2007/costs-decomposed-clusters",
)
@study(
    "costs-certified-real",
    kind="costs",
    basis="data",
    scores=[
        {"data": "delve-segmentation", "protocol": "holdout-10-own", "models": ["fisher qdc"]},
        {"data": "soybean-large", "protocol": "holdout-10-own", "models": ["ldc"]},
        {"data": "dermatology", "protocol": "holdout-10-own", "models": ["fisher ldc"]},
        {"data": "statlog-satimage", "protocol": "holdout-10-own", "models": ["fisher mogc2"]},
        {"data": "image-segmentation", "protocol": "holdout-10-own", "models": ["fisher qdc"]},
        {"data": "nist16", "protocol": "holdout-10-own", "models": ["nlfisher mogc2"]},
    ],
    parameters={
        "artefact": "certified-tables-4.9-4.10",
        "tables": {
            "4.9": ["Simple", "Naive", "Greedy", "Decomp"],
            "4.10": ["Simple", "Naive", "Greedy", "DecompG"],
        },
        "sets": [
            {"data": "delve-segmentation", "row": "Delve", "t_s": 0.2, "model": "fish qdc"},
            {"data": "soybean-large", "row": "Soybean", "t_s": 0.05, "model": "ldc"},
            {"data": "dermatology", "row": "Dermatology", "t_s": 0.04, "model": "fish ldc"},
            {
                "data": "statlog-satimage",
                "row": "Satellite",
                "row_4.9": "Satimage",
                "t_s": 0.5,
                "model": "fish mogc2",
            },
            {"data": "image-segmentation", "row": "Segmentation", "t_s": 0.4, "model": "fish qdc"},
            {"data": "nist16", "row": "Nist", "t_s": 0.2, "model": "nlfish mogc2"},
        ],
        "matrices": 50,
        "law": "uniform",
        "profits": True,
        "priors": "balanced",
        "search": "grid and present",
        "constrained": True,
        "r": 80,
        "largest_group": 4,
        "certified": {
            "matrices": 50,
            "zones": 20000,
            "matrices_of_many": 10,
            "zones_of_many": 1000,
        },
    },
    profiles={
        "tiny": {
            "matrices": 5,
            "r": 12,
            "certified": {"matrices": 2, "zones": 20, "matrices_of_many": 1, "zones_of_many": 1},
        },
        "quick": {
            "certified": {
                "matrices": 10,
                "zones": 3000,
                "matrices_of_many": 5,
                "zones_of_many": 100,
            }
        },
    },
    same_draws_as="landgrebe2007/costs-decomposed-real",
)
def decomposed_gaps(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    artefact: str,
    tables: Mapping[str, Sequence[str]],
    sets: Sequence[Mapping[str, Any]],
    matrices: int,
    law: Law,
    profits: bool,
    priors: Priors,
    search: Search,
    constrained: bool,
    r: int,
    largest_group: int,
    certified: Mapping[str, int],
) -> Results:
    """Measure the distance from the best weights in the first fold of Tables 4.7, 4.9 and 4.10.

    Parameters
    ----------
    scores, spawn, artefact, tables, certified
        As for `pairwise_gaps`.
    sets, matrices, law, profits, priors, search, constrained, r, largest_group
        As for
        `opchar.publications.landgrebe2007.chapter4.section3.decomposed_tables.measure.decomposed_tables`.

    Returns
    -------
    Results
        Lines of the artefact; frame ``gaps``, a row an algorithm and cost matrix.
    """
    results, effort = Results(), Effort(**certified)
    by_data = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        data = setting["data"]
        _, part = next(by_data[data].folds())
        c = len(part.classes)
        costs = random_costs(law, matrices, c, spawn("costs", data), profits=profits)
        first, zones = effort.for_classes(c)
        test = of_set(part, "test")
        roc, _, _ = decomposed_tables.decomposition(test, setting["t_s"], largest_group, r)
        compared = decomposed_tables.algorithms(roc, search, constrained)
        problem = scenarios(part, costs[:first], priors=priors).judged
        losses, proven = _losses(problem, compared, spawn, (data, 0), zones)
        about = {"data": by_data[data].data}
        _add(results, artefact, tables, setting["row"], losses, proven, about)
    return results


def _losses(
    problem: CostProblem,
    compared: Mapping[str, Algorithm],
    spawn: Spawn,
    names: tuple[Any, ...],
    zones: int,
) -> tuple[dict[str, Floats], list[Certificate]]:
    """Return the loss of each algorithm, drawn as for its table, and the certificates.

    Branch and bound begins with the best weights of all algorithms.
    """
    found = {name: find(problem, spawn(name, *names)) for name, find in compared.items()}
    losses = {name: weighting.losses for name, weighting in found.items()}
    lowest = np.argmin(list(losses.values()), axis=0)
    weights = np.array([weighting.log_weights for weighting in found.values()])
    start = weights[lowest, np.arange(len(lowest))]
    proven = certify(problem, spawn("certify", *names), max_zones=zones, start=start)
    return losses, proven


def _add(
    results: Results,
    artefact: str,
    tables: Mapping[str, Sequence[str]],
    row: str,
    losses: Mapping[str, Floats],
    proven: Sequence[Certificate],
    about: Mapping[str, Any],
) -> None:
    """Add the gaps of the algorithms of each printed table, and how the best loss is known."""
    known = np.array([one.loss for one in proven])
    best = np.min(np.array([known, *losses.values()]), axis=0)
    bound = np.array([one.lower_bound for one in proven])
    for name, loss in losses.items():
        printed = [table for table, listed in tables.items() if name in listed]
        if not printed:
            continue
        gaps = {ABOVE: loss - best, PROVEN: loss - bound}
        place: dict[str, Any] = {
            "data set": row,
            "algorithm": name,
            "scenario": np.arange(len(loss)),
        }
        results.add_frame(
            "gaps", pd.DataFrame(gaps).assign(**place, loss=loss, best=best, bound=bound)
        )
        for column, values in gaps.items():
            _mean(results, artefact, (_row(printed, row, name), column), values, about)
    name = _row(list(tables), row, BEST)
    _mean(results, artefact, (name, "loss"), best, about)
    _mean(results, artefact, (name, PROVEN), best - bound, about)
    share = np.zeros(len(best))
    np.divide(best - bound, np.abs(best), out=share, where=best != bound)
    _mean(results, artefact, (name, "gap proven, % of the loss"), 100 * share, about)
    optimal = sum(one.stopped == "optimal" for one in proven)
    results.text(artefact, name, "proven", f"{optimal} of {len(proven)} optimal", **about)


def _row(printed: Sequence[str], row: str, name: str) -> str:
    """Return the name of a line: the printed tables, the data set and the algorithm."""
    return f"Table{'s' * (len(printed) > 1)} {', '.join(printed)} / {row} / {name}"


def _mean(
    results: Results,
    artefact: str,
    place: tuple[str, str],
    values: Floats,
    about: Mapping[str, Any],
) -> None:
    """Add a mean over the cost matrices, with its spread."""
    std = float(values.std(ddof=1)) if len(values) > 1 else None
    results.number(artefact, *place, float(values.mean()), std=std, n=len(values), **about)


table(
    "certified-tables-4.4-4.5",
    study="costs-certified-pairwise",
    title="Distance of the algorithms of Tables 4.4 and 4.5 from the best weights",
    section="4.2.6",
    caption="""The algorithms of Tables 4.4 and 4.5 on all sets of these tables, with the
        first split and the first of the same cost matrices and random orders: mean loss above
        the lowest loss known, and above a lower bound that branch and bound proved. For more
        than eight classes (PRTools16, Letter, CBands, Digits) the bound is weak, most of the
        loss lies above it, and fewer cost matrices and zones are looked at.""",
)


table(
    "certified-table-4.7",
    study="costs-certified-clusters",
    title="Distance of the algorithms of Table 4.7 from the best weights",
    section="4.3.6",
    caption="""The algorithms of Table 4.7 on all sets of this table, with the first split
        and the first of the same cost matrices and random orders: mean loss above the lowest
        loss known, and above a lower bound that branch and bound proved. Losses are negative,
        because the cost matrices have profits. For more than eight classes (Synth16C, Synth40C)
        the bound is weak, further from the lowest loss than the better algorithms are, and
        fewer cost matrices and zones are looked at.""",
)


table(
    "certified-tables-4.9-4.10",
    study="costs-certified-real",
    title="Distance of the algorithms of Tables 4.9 and 4.10 from the best weights",
    section="4.3.6",
    caption="""The algorithms of Tables 4.9 and 4.10 on all sets of these tables, with the
        first split and the first of the same cost matrices and random orders: mean loss above
        the lowest loss known, and above a lower bound that branch and bound proved. Losses are
        negative, because the cost matrices have profits. For more than eight classes (Soybean,
        Nist) the bound is weak, and fewer cost matrices and zones are looked at.""",
)
