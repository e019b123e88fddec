"""Decomposed ROCs against searches for class weights (Tables 4.7 to 4.10, Figure 4.18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.experiments.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Priors,
    TunedOn,
    of_set,
    random_costs,
    scenarios,
)
from opchar.experiments.landgrebe2007.chapter4.section3.decomposed_lines import (
    Ties,
    add_best_gain,
    add_comparisons,
    add_description,
    add_gain,
    add_groups,
)
from opchar.multiclass.cost_weights.algorithms import default, greedy, naive, simple
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    Floats,
    Weighting,
    mean_subjective_utilities,
)
from opchar.multiclass.decomposition import DecomposedROC, decomp, decomp_g, decomposed_roc
from opchar.multiclass.perturbation import (
    groups,
    groups_up_to,
    largest_by_class,
    score_sensitivities,
)
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.seeds import Spawn


@dataclass(frozen=True)
class Choices:
    """What Sec. 4.3.6 leaves open; the configuration says why.

    Attributes
    ----------
    law : {"uniform", "rows"}
    profits : bool
        Whether the diagonal of the cost matrices is drawn as well.
    priors : {"sample", "balanced"}
    tuned_on : {"test", "train"}
    search : {"grid", "exact"}
    constrained : bool
        Whether DecompG scales whole groups, or single weights.
    ties : {"neither", "won", "lost"}
        What equal mean losses count as.
    """

    law: Law
    profits: bool
    priors: Priors
    tuned_on: TunedOn
    search: Search
    constrained: bool
    ties: Ties

    def of_algorithm(self, name: str) -> tuple[Any, ...]:
        """Return the choices that an algorithm depends on."""
        always = (self.law, self.profits, self.priors, self.tuned_on)
        if name in ("Naive", "Greedy"):
            return (*always, self.search)
        return (*always, self.search, self.constrained) if name == "DecompG" else always


class Protocol(NamedTuple):
    """Numbers of cost matrices, steps, classes of a group; and the level of significance."""

    matrices: int
    r: int
    largest_group: int
    level: float


@dataclass(frozen=True)
class Shared:
    """What all readings read, and what they have found so far."""

    tables: Mapping[str, ScoreTable]
    features: Mapping[str, FeatureTable]
    spawn: Spawn
    protocol: Protocol
    decompositions: dict[tuple[Any, ...], tuple[DecomposedROC, float, int]]
    starts: dict[tuple[Any, ...], list[Weighting]]
    losses: dict[tuple[Any, ...], Floats]


def decomposition(
    part: ScoreTable, threshold: float, largest_group: int, r: int
) -> tuple[DecomposedROC, float, int]:
    """Decompose the ROC of scored objects at a threshold, or at the least that groups allow.

    Parameters
    ----------
    part : ScoreTable
    threshold : float
        t_s (landgrebe2007, Eq. 4.35).
    largest_group : int
        Classes of a group; where the threshold gives more, the smallest one that does not is used.
    r : int
        Steps a weight.

    Returns
    -------
    roc : DecomposedROC
    threshold : float
        The one that was used.
    size : int
        The largest group at the threshold given.
    """
    largest = largest_by_class(score_sensitivities(part.y, part.scores, r))
    found = groups(largest, threshold)
    size = max(map(len, found))
    if size > largest_group:
        found, threshold = groups_up_to(largest, largest_group)
    roc = decomposed_roc(part.y, part.scores, found, r, max_group=largest_group)
    return roc, threshold, size


def algorithms(
    roc: DecomposedROC, search: Search, constrained: bool, start: list[Weighting] | None = None
) -> dict[str, Algorithm]:
    """Return the algorithms of Sec. 4.3.6 by name; DecompG goes on from the weights of Decomp.

    These are kept in `start`, and taken from there if they are known.
    """
    start = [] if start is None else start

    def decomposed(problem: CostProblem, rng: np.random.Generator) -> Weighting:
        start[:] = [decomp(problem, roc)]
        return start[0]

    def greedily(problem: CostProblem, rng: np.random.Generator) -> Weighting:
        begin = start[0] if start else decomp(problem, roc)
        return decomp_g(
            problem, roc, begin, rng, constrained=constrained, restarts=3, search=search
        )

    return {
        "Default": lambda problem, rng: default(problem),
        "Simple": lambda problem, rng: simple(problem),
        "Naive": lambda problem, rng: naive(problem, search=search),
        "Greedy": lambda problem, rng: greedy(problem, rng, restarts=3, search=search),
        "Decomp": decomposed,
        "DecompG": greedily,
    }


def decomposed_tables(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str],
    described: bool,
    matrices: int,
    law: Law,
    profits: bool,
    priors: Priors,
    tuned_on: TunedOn,
    search: Search,
    constrained: bool,
    ties: Ties,
    r: int,
    largest_group: int,
    level: float,
) -> Results:
    """Compare Decomp and DecompG with searches over random cost matrices (Sec. 4.3.6).

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table a data set, with the test sets ``train`` and ``test``.
    features : dict of str to FeatureTable
    spawn : callable
        Generators by name.
    sets : sequence of mapping
        ``data``, ``row`` (and ``row_4.9`` where the tables of results spell it otherwise), ``t_s``,
        and ``model`` as printed.
    tables : mapping of str to str
        Artefact of the comparison of each algorithm, Decomp or DecompG.
    described : bool
        Whether the data sets are described (Table 4.8).
    matrices : int
        Cost matrices, the same in all folds.
    law, profits, priors, tuned_on, search, constrained, ties
        `Choices`.
    r : int
        Steps a weight.
    largest_group : int
        Classes of a group of the decomposition, at most.
    level : float
        Of significance, as in 0.05.

    Returns
    -------
    Results
        Lines of the tables and of figure-4.18; frames ``losses``, ``groups`` and ``gains``.
    """
    choices = Choices(law, profits, priors, tuned_on, search, constrained, ties)
    protocol = Protocol(matrices, r, largest_group, level)
    by_data = {data: table for (data, _), table in scores.items()}
    shared = Shared(by_data, features, spawn, protocol, {}, {}, {})
    return _tables(shared, choices, sets, tables, described)


def all_readings(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str],
    described: bool,
    matrices: int,
    r: int,
    largest_group: int,
    level: float,
    readings: Mapping[str, Mapping[str, Any]],
    **primary: Any,
) -> dict[str, Results]:
    """Return what `decomposed_tables` gives under several readings, each search made once.

    Parameters
    ----------
    scores, features, spawn, sets, tables, described, matrices, r, largest_group, level
        As for `decomposed_tables`.
    readings : mapping of str to mapping
        `Choices`, ``sets`` or ``level`` that each reading changes.
    **primary
        `Choices` of the primary reading.

    Returns
    -------
    dict of str to Results
    """
    protocol = Protocol(matrices, r, largest_group, level)
    by_data = {data: table for (data, _), table in scores.items()}
    shared = Shared(by_data, features, spawn, protocol, {}, {}, {})
    return {
        name: _tables(
            replace(shared, protocol=protocol._replace(level=changes.get("level", level))),
            Choices(
                **(primary | {key: changes[key] for key in changes if key not in ("sets", "level")})
            ),
            changes.get("sets", sets),
            tables,
            described,
        )
        for name, changes in readings.items()
    }


def _tables(
    shared: Shared,
    choices: Choices,
    sets: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str],
    described: bool,
) -> Results:
    """Return the tables under one reading."""
    results = Results()
    used = (
        f"weights found on {choices.tuned_on} objects, {choices.search} search, {choices.law} "
        f"costs, {'profits' if choices.profits else 'zeros'} on the diagonal"
    )
    gains = []
    for setting in sets:
        table = shared.tables[setting["data"]]
        found = [
            _fold(results, shared, choices, setting, fold, part) for fold, part in table.folds()
        ]
        measured = pd.concat(found, ignore_index=True)
        results.curve("losses", measured)
        about = {"data": table.data, "note": used}
        if described:
            add_description(results, setting, table, shared.features[setting["data"]], about)
        for algorithm, artefact in tables.items():
            add_comparisons(
                results,
                artefact,
                setting,
                measured,
                algorithm,
                shared.protocol.level,
                choices.ties,
                about,
            )
        gains.append(add_gain(results, setting["row"], measured) | about)
    if described:
        add_best_gain(results, gains, shared.spawn("bootstrap"))
    return results


def _fold(
    results: Results,
    shared: Shared,
    choices: Choices,
    setting: Mapping[str, Any],
    fold: int,
    part: ScoreTable,
) -> pd.DataFrame:
    """Decompose one fold, and return the loss of each algorithm under each cost matrix."""
    data, protocol = setting["data"], shared.protocol
    c = len(part.classes)
    costs = random_costs(
        choices.law, protocol.matrices, c, shared.spawn("costs", data), profits=choices.profits
    )
    case = scenarios(part, costs, priors=choices.priors, tuned_on=choices.tuned_on)
    place = (data, fold, choices.tuned_on)
    if place not in shared.decompositions:
        shared.decompositions[place] = decomposition(
            of_set(part, choices.tuned_on), setting["t_s"], protocol.largest_group, protocol.r
        )
    roc, threshold, size = shared.decompositions[place]
    add_groups(results, setting, fold, roc, threshold, size)
    losses = {}
    start = shared.starts.setdefault((data, fold, *choices.of_algorithm("Decomp")), [])
    for name, find in algorithms(roc, choices.search, choices.constrained, start).items():
        key = (data, fold, name, *choices.of_algorithm(name))
        if key not in shared.losses:
            shared.losses[key] = case.losses(find(case.tuned, shared.spawn(name, data, fold)))
        losses[name] = shared.losses[key]
    return _measured(setting["row"], c, fold, case.judged, losses)


def _measured(
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
