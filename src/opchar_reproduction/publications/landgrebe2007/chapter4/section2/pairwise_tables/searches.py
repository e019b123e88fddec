"""Searches for class weights on the splits of Secs. 4.2.5 and 4.2.6, shared by all variants."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from opchar.multiclass.cost_weights.algorithms import (
    default,
    greedy,
    lachiche_flach,
    naive,
    pairwise,
)
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.matchings import Matchings, Pair
from opchar.multiclass.cost_weights.pairs import Competitors, kept_pairs, pair_auc, pair_weights
from opchar.multiclass.cost_weights.problem import CostProblem, Floats, Weighting, cost_problem
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Scenarios,
    TunedOn,
    of_set,
    random_costs,
    scenarios,
)

Pairs = Literal["threshold", "number", "all"]
Errors = Literal["classes", "objects"]
# "Implemented according to" its authors (Sec. 4.2.6), who try all cuts between objects.
LACHICHE: Search = "exact"
COMPARED = ("Naive", "Greedy", "Lachiche", "Pairs", "PairsG")


@dataclass(frozen=True)
class Choices:
    """What Sec. 4.2.6 leaves open; the configuration says why."""

    law: Law
    tuned_on: TunedOn
    search: Search
    pairs: Pairs
    competitors: Competitors
    reverse: bool
    errors: Errors

    def of_algorithm(self, name: str, setting: Mapping[str, Any], cap: int) -> dict[str, Any]:
        """Return all choices on which the result of an algorithm on a set depends."""
        given: dict[str, Any] = {"law": self.law, "tuned_on": self.tuned_on}
        if name == "Lachiche":
            given["reverse"] = self.reverse
        elif name != "Default":
            given["search"] = self.search
        if name in ("Pairs", "PairsG"):
            limit = tuple(pair_limit(setting, self.pairs).items())
            given |= {"competitors": self.competitors, "limit": limit, "cap": cap}
        return given


def pair_limit(setting: Mapping[str, Any], pairs: Pairs) -> dict[str, Any]:
    """Return which pairs the pairwise algorithm keeps: all, by t_p, or as many as are printed."""
    if setting["t_p"] is None or pairs == "all":
        return {}
    return {"number": setting["pairs"]} if pairs == "number" else {"threshold": setting["t_p"]}


def algorithms(
    limit: Mapping[str, Any],
    search: Search,
    cap: int,
    *,
    competitors: Competitors = "all",
    reverse: bool = False,
    of_pair: Callable[[Pair], Floats] | None = None,
    start: list[Weighting] | None = None,
) -> dict[str, Algorithm]:
    """Return the algorithms of Sec. 4.2.6 by name; PairsG goes on from the weights of Pairs.

    These are kept in `start`, and taken from there if they are known, as those of a single pair
    are from `of_pair`.
    """
    start = [] if start is None else start

    def pairs(problem: CostProblem, rng: np.random.Generator) -> Weighting:
        options: dict[str, Any] = {"cap": cap, "search": search, "competitors": competitors}
        options["of_pair"] = of_pair
        start[:] = [pairwise(problem, rng, **limit, **options)]
        return start[0]

    def pairs_greedy(problem: CostProblem, rng: np.random.Generator) -> Weighting:
        begin = start[0] if start else pairs(problem, rng)
        end = greedy(problem, rng, restarts=3, search=search, start=begin.log_weights)
        return replace(end, matchings=begin.matchings)

    def lachiche(problem: CostProblem, rng: np.random.Generator) -> Weighting:
        order = list(range(problem.n_classes))
        return lachiche_flach(problem, order=order[::-1] if reverse else order, search=LACHICHE)

    return {
        "Default": lambda problem, rng: default(problem),
        "Naive": lambda problem, rng: naive(problem, search=search),
        "Greedy": lambda problem, rng: greedy(problem, rng, restarts=3, search=search),
        "Lachiche": lachiche,
        "Pairs": pairs,
        "PairsG": pairs_greedy,
    }


class Searches:
    """Searches for class weights on the folds of score tables, none of them made twice.

    What a search depends on are its arguments, of which `functools.cache` leaves out none.
    """

    def __init__(self, tables: Mapping[str, ScoreTable], matrices: int, spawn: Spawn) -> None:
        self._tables, self.matrices, self._spawn = tables, matrices, spawn
        self.folds = cache(self._folds)
        self.case = lru_cache(maxsize=1)(self._case)
        self.found = cache(self._find_weights)
        self.areas = cache(self._areas)
        self._kept = cache(self._kept_pairs)
        self._of_pair = cache(self._weights_of_pair)

    def _folds(self, data: str) -> list[ScoreTable]:
        return [part for _, part in self._tables[data].folds()]

    def _case(self, data: str, fold: int, law: Law, tuned_on: TunedOn) -> Scenarios:
        part = self.folds(data)[fold]
        rng = self._spawn("costs", data, fold)
        costs = random_costs(law, self.matrices, len(part.classes), rng)
        return scenarios(part, costs, tuned_on=tuned_on)

    def _without_costs(self, data: str, fold: int, name: str) -> CostProblem:
        """Return one test set of a split without costs."""
        part = of_set(self.folds(data)[fold], name)
        return cost_problem(part.y, part.scores, np.zeros((len(part.classes),) * 2))

    def _areas(self, data: str, fold: int, competitors: Competitors) -> list[float]:
        """Return the area of each pair of classes on the test objects."""
        test = self._without_costs(data, fold, "test")
        pairs = combinations(range(test.n_classes), 2)
        return [pair_auc(test, pair, competitors=competitors) for pair in pairs]

    def _kept_pairs(
        self,
        data: str,
        fold: int,
        tuned_on: TunedOn,
        competitors: Competitors,
        limit: tuple[tuple[str, Any], ...],
    ) -> list[Pair]:
        problem = self._without_costs(data, fold, tuned_on)
        return kept_pairs(problem, competitors=competitors, **dict(limit))

    def _weights_of_pair(
        self,
        data: str,
        fold: int,
        law: Law,
        tuned_on: TunedOn,
        competitors: Competitors,
        exact: bool,
        pair: Pair,
    ) -> Floats:
        problem = self.case(data, fold, law, tuned_on).tuned
        search: Search = "exact" if exact else "grid"
        return pair_weights(problem, pair, competitors=competitors, search=search)

    def _find_weights(
        self,
        name: str,
        data: str,
        fold: int,
        *,
        law: Law,
        tuned_on: TunedOn,
        search: Search = "exact",
        limit: tuple[tuple[str, Any], ...] = (),
        cap: int = 1,
        competitors: Competitors = "all",
        reverse: bool = False,
    ) -> tuple[Weighting, Floats]:
        """Return the weights that an algorithm finds, and their loss under each cost matrix."""
        case = self.case(data, fold, law, tuned_on)
        start: list[Weighting] = []
        kept: dict[str, Any] = {}
        if name == "Pairs":
            kept["pairs"] = self._kept(data, fold, tuned_on, competitors, limit)
        if name == "PairsG":
            # In the order of `Choices.of_algorithm`: by another one the same search is another key.
            given: dict[str, Any] = {"law": law, "tuned_on": tuned_on, "search": search}
            given |= {"competitors": competitors, "limit": limit, "cap": cap}
            start = [self.found("Pairs", data, fold, **given)[0]]
        options: dict[str, Any] = {"competitors": competitors, "reverse": reverse, "start": start}
        exact = search == "exact"
        options["of_pair"] = partial(self._of_pair, data, fold, law, tuned_on, competitors, exact)
        find = algorithms(kept, search, cap, **options)[name]
        weighting = find(case.tuned, self._spawn(name, data, fold))
        return weighting, case.losses(weighting)


def matchings_tried(found: Sequence[Matchings | None], each: str = "splits") -> str:
    """Return how many matchings the algorithm by pairs tried in each of some splits or searches."""
    tried = [one for one in found if one is not None]
    counts_text: list[str] = []
    for complete in (True, False):
        alike = [one for one in tried if one.complete is complete]
        if not alike:
            continue
        shown = _range(one.total for one in alike)
        if complete:
            text = f"all matchings tried ({shown})"
        else:
            text = f"{_range(len(one.matchings) for one in alike)} of {shown} matchings sampled"
        where = "" if len(alike) == len(tried) else f" in {len(alike)} of {len(tried)} {each}"
        counts_text.append(text + where)
    return ", ".join(counts_text)


def _range(numbers: Iterable[int | None]) -> str:
    """Return a number, or the least and largest of several."""
    every = list(numbers)
    known = sorted({number for number in every if number is not None})
    if len(known) < len(set(every)):
        return "an unknown number of"
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,} to {known[-1]:,}"
