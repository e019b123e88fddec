"""Searches for decomposed class weights on the splits of Sec. 4.3.6, shared by all variants."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from opchar.multiclass.cost_weights.algorithms import default, greedy, naive, simple
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Weighting
from opchar.multiclass.decomposition import DecomposedROC, decomp, decomp_g, decomposed_roc
from opchar.multiclass.perturbation import (
    groups,
    groups_up_to,
    largest_by_class,
    score_sensitivities,
)
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Priors,
    Scenarios,
    TunedOn,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_lines import Ties

ALGORITHMS = ("Default", "Simple", "Naive", "Greedy", "Decomp", "DecompG")


@dataclass(frozen=True)
class Choices:
    """What Sec. 4.3.6 leaves open; the configuration says why."""

    law: Law
    profits: bool
    priors: Priors
    tuned_on: TunedOn
    search: Search
    constrained: bool
    ties: Ties

    @property
    def of_costs(self) -> tuple[Law, bool, Priors, TunedOn]:
        """The choices behind the cost problems."""
        return self.law, self.profits, self.priors, self.tuned_on

    def of_algorithm(self, name: str) -> dict[str, Any]:
        """Return the other choices on which the result of an algorithm depends."""
        given: dict[str, Any] = {}
        if name in ("Naive", "Greedy", "DecompG"):
            given["search"] = self.search
        if name == "DecompG":
            given["constrained"] = self.constrained
        return given


def decomposition(
    part: ScoreTable, threshold: float, largest_group: int, r: int
) -> tuple[DecomposedROC, float, int]:
    """Decompose the ROC of scored objects at a threshold, or at the least that groups allow.

    `threshold`: t_s (landgrebe2007, Eq. 4.35).
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


class Searches:
    """Searches for class weights on the folds of score tables, none of them made twice.

    What a search depends on are its arguments, of which `functools.cache` leaves out none.
    """

    def __init__(
        self,
        tables: Mapping[str, ScoreTable],
        spawn: Spawn,
        *,
        matrices: int,
        r: int,
        largest_group: int,
    ) -> None:
        self.tables, self.spawn = tables, spawn
        self._matrices, self._r, self._largest_group = matrices, r, largest_group
        self._folds = cache(lambda data: dict(tables[data].folds()))
        self.decomposition = cache(self._decomposition)
        self.case = lru_cache(maxsize=1)(self._case)
        self.found = cache(self._find_weights)

    def _decomposition(
        self, data: str, fold: int, t_s: float, tuned_on: TunedOn
    ) -> tuple[DecomposedROC, float, int]:
        part = of_set(self._folds(data)[fold], tuned_on)
        return decomposition(part, t_s, self._largest_group, self._r)

    def _case(
        self, data: str, fold: int, law: Law, profits: bool, priors: Priors, tuned_on: TunedOn
    ) -> Scenarios:
        part = self._folds(data)[fold]
        rng = self.spawn("costs", data)
        costs = random_costs(law, self._matrices, len(part.classes), rng, profits=profits)
        return scenarios(part, costs, priors=priors, tuned_on=tuned_on)

    def _find_weights(
        self,
        name: str,
        data: str,
        fold: int,
        t_s: float,
        of_costs: tuple[Law, bool, Priors, TunedOn],
        *,
        search: Search = "exact",
        constrained: bool = True,
    ) -> tuple[Weighting, Floats]:
        """Return the weights that an algorithm finds, and their loss under each cost matrix."""
        case = self.case(data, fold, *of_costs)
        roc, _, _ = self.decomposition(data, fold, t_s, of_costs[-1])
        start: list[Weighting] = []
        if name == "DecompG":
            start = [self.found("Decomp", data, fold, t_s, of_costs)[0]]
        find = algorithms(roc, search, constrained, start)[name]
        weighting = find(case.tuned, self.spawn(name, data, fold))
        return weighting, case.losses(weighting)
