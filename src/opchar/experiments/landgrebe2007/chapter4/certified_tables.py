"""How far the algorithms of the printed tables stay from the best class weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from opchar.experiments.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Priors,
    of_set,
    random_costs,
    scenarios,
)
from opchar.experiments.landgrebe2007.chapter4.section2 import pairwise_tables
from opchar.experiments.landgrebe2007.chapter4.section3 import decomposed_tables
from opchar.multiclass.cost_weights.certificate import Certificate, certify
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import CostProblem, Floats
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn

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

    def of(self, n_classes: int) -> tuple[int, int]:
        """Return the cost matrices and the zones for each of them."""
        if n_classes <= FEW:
            return self.matrices, self.zones
        return self.matrices_of_many, self.zones_of_many


def pairwise_gaps(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    artefact: str,
    tables: Mapping[str, Sequence[str]],
    sets: Sequence[Mapping[str, Any]],
    matrices: int,
    law: Law,
    search: Search,
    pairs: pairwise_tables.Pairs,
    cap: int,
    certified: Mapping[str, int],
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
        As for `opchar.experiments.landgrebe2007.chapter4.section2.pairwise_tables.pairwise_tables`.
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
        first, zones = effort.of(c)
        compared = pairwise_tables.algorithms(
            pairwise_tables.pair_limit(setting, pairs), search, min(setting.get("cap", cap), cap)
        )
        problem = scenarios(part, costs[:first]).judged
        losses, proven = _losses(problem, compared, spawn, (data, 0), zones)
        about = {"data": by_data[data].data, "basis": setting.get("basis")}
        _add(results, artefact, tables, setting["row"], losses, proven, about)
    return results


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
        `opchar.experiments.landgrebe2007.chapter4.section3.decomposed_tables.decomposed_tables`.

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
        first, zones = effort.of(c)
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
        results.curve("gaps", pd.DataFrame(gaps).assign(**place, loss=loss, best=best, bound=bound))
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
