"""Pairwise and greedy class weights over random costs (Tables 4.3 to 4.5, Figure 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.algorithms import (
    default,
    greedy,
    lachiche_flach,
    naive,
    pairwise,
)
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.matchings import Matchings, Pair
from opchar.multiclass.cost_weights.pairs import (
    Competitors,
    kept_pairs,
    pair_auc,
    pair_weights,
)
from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    Floats,
    Ints,
    Weighting,
    cost_problem,
    mean_subjective_utilities,
)
from opchar.publications.landgrebe2007.chapter4.scenarios import (
    Algorithm,
    Law,
    Scenarios,
    TunedOn,
    imbalance,
    mean_error,
    of_set,
    random_costs,
    scenarios,
    share_wrong,
)
from opchar.results import Results, keep_repeats
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.study import study, table, variant

Pairs = Literal["threshold", "number"]
Errors = Literal["classes", "objects"]
COMPARED = ("Naive", "Greedy", "Lachiche", "Pairs", "PairsG")
GAIN_UNIT = "MSU difference to default"
SUMMARIES: dict[str, Any] = {"Min": np.min, "Median": np.median, "Best": np.max, "Mean": np.mean}
READ_FOLDS = 3
REPEATED = 50


@dataclass(frozen=True)
class Choices:
    """What Sec. 4.2.6 leaves open; the configuration says why.

    Attributes
    ----------
    law : {"uniform", "rows"}
    tuned_on : {"test", "train"}
    search : {"exact", "grid", "grid and present"}
    pairs : {"threshold", "number"}
    competitors : {"all", "none"}
        Whether the other classes compete while a pair of classes is looked at.
    reverse : bool
        Whether Lachiche adds the classes from the last to the first.
    errors : {"classes", "objects"}
        What the mean error is a mean of.
    """

    law: Law
    tuned_on: TunedOn
    search: Search
    pairs: Pairs
    competitors: Competitors
    reverse: bool
    errors: Errors

    def of_algorithm(self, name: str, setting: Mapping[str, Any], cap: int) -> dict[str, Any]:
        """Return what an algorithm is given on a set, which is all that it depends on."""
        given: dict[str, Any] = {"law": self.law, "tuned_on": self.tuned_on}
        if name != "Default":
            given["search"] = self.search
        if name == "Lachiche":
            given["reverse"] = self.reverse
        if name in ("Pairs", "PairsG"):
            limit = tuple(pair_limit(setting, self.pairs).items())
            given |= {"competitors": self.competitors, "limit": limit, "cap": cap}
        return given


def pair_limit(setting: Mapping[str, Any], pairs: Pairs) -> dict[str, Any]:
    """Return which pairs the pairwise algorithm keeps: all, by t_p, or as many as are printed."""
    if setting["t_p"] is None:
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
        return lachiche_flach(problem, order=order[::-1] if reverse else order, search=search)

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
    """Return how many matchings the algorithm by pairs tried in each of some splits or searches.

    Examples
    --------
    >>> from opchar.multiclass.cost_weights.matchings import find_matchings
    >>> tried = [find_matchings(c, np.random.default_rng(0), cap=10) for c in (4, 8)]
    >>> matchings_tried(tried[:1]), matchings_tried(tried[1:])
    ('all matchings tried (3)', '10 of 105 matchings sampled')
    >>> matchings_tried(tried)
    'all matchings tried (3) in 1 of 2 splits, 10 of 105 matchings sampled in 1 of 2 splits'
    """
    tried = [one for one in found if one is not None]
    said: list[str] = []
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
        said.append(text + where)
    return ", ".join(said)


def _range(numbers: Iterable[int | None]) -> str:
    """Return a number, or the least and largest of several."""
    every = list(numbers)
    known = sorted({number for number in every if number is not None})
    if len(known) < len(set(every)):
        return "an unknown number of"
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,} to {known[-1]:,}"


@study(
    "costs-pairwise",
    choices=[
        """splits: Letter and Satellite as their files come, Satellite with several trainings of its
        mixtures, whose start is drawn; the others random halves""",
        "costs: uniform between 0 and 1, zero diagonal, drawn anew for each split",
        """weights are found and judged on the test objects, on the grid of 80 steps
        and the present weight (pairs in steps of 1/80)""",
        """pairs: those with an area up to t_p, all other classes competing with weight
        one, as Eq. 4.7 has them; at the printed thresholds far fewer are left than are printed,
        with or without competitors (table-4.3-pairs)""",
        """law: the printed 8 x 8 matrix has rows more different than uniform entries
        give (text-4.2.5-law); rows of different size are a variant""",
        """variants: those that end with 'joined after results' join the law of the
        costs with the search of the weights, or with the objects on which these are found""",
        """spreads: over the splits, and no less than by resampling the cost matrices of a split""",
        """matchings: all up to 1,000, for Letter and CBands up to 10, beyond that a
        random sample of as many; the remark of each row says how many of how many""",
    ],
    kind="costs",
    basis="data",
    scores=[
        {"data": "prtools8", "protocol": "shuffled-half-10-own", "models": ["qdc"]},
        {"data": "prtools16", "protocol": "shuffled-half-10-own", "models": ["qdc"]},
        {"data": "letter-recognition", "protocol": "first-16000-own", "models": ["fisher qdc"]},
        {"data": "chromosome-bands", "protocol": "half-10-own", "models": ["pca10 mogc2"]},
        {"data": "mfeat-fou", "protocol": "half-10-own", "models": ["ldc"]},
        {"data": "statlog-satimage", "protocol": "first-4435-own-10", "models": ["fisher mogc2"]},
        {
            "data": "letter-recognition-random",
            "protocol": "shuffled-16000-own",
            "models": ["fisher qdc"],
        },
        {"data": "satellite-random", "protocol": "shuffled-4435-own", "models": ["fisher mogc2"]},
    ],
    features=[
        "prtools8",
        "prtools16",
        "letter-recognition",
        "chromosome-bands",
        "mfeat-fou",
        "statlog-satimage",
        "letter-recognition-random",
        "satellite-random",
    ],
    profiles={"tiny": {"matrices": 3, "cap": 5}},
    variants={
        "combine": "pairs",
        "pairs": [["law of the costs", "pairs that are kept"]],
        "joined_after_results": [
            ["law of the costs", "search of the weights"],
            ["law of the costs", "search of the weights", "pairs that are kept"],
            ["law of the costs", "weights found on"],
            ["law of the costs", "weights found on", "pairs that are kept"],
        ],
        "measure_all": "all_variants",
        "frames": ["scenarios", "kept pairs"],
    },
)
@variant(
    "law of the costs",
    section="4.2.6",
    why="""The costs are sampled uniformly, and whether each entry alone or rows of
        different size is not said; the printed matrix of Section 4.2.5 has rows of different
        size.""",
    primary="uniform entries",
    values={"uniform entries": {}, "rows of different size": {"law": "rows"}},
)
@variant(
    "weights found on",
    section="4.2.2",
    why="""The confusion rates come from a representative independent test set, and
        whether the losses are those of the same set or of another is not said.""",
    primary="the test objects",
    values={"the test objects": {}, "the training objects": {"tuned_on": "train"}},
)
@variant(
    "search of the weights",
    section="4.2.4",
    why="""Weights are searched on 80 logarithmic steps, as Eqs. 4.9 to 4.12 have them, which leave
        the weight one out; but both searches "should always improve on an initial 'default'
        classifier", which they do if the present weight counts as a step. Every cut between
        objects tried instead shows the effect of the steps.""",
    primary="80 steps and the present weight",
    values={
        "80 steps and the present weight": {},
        "80 steps alone": {"search": "grid"},
        "all cuts": {"search": "exact"},
    },
)
@variant(
    "pairs that are kept",
    section="4.2.6",
    why="""Table 4.3 prints a threshold and a number of pairs, which contradict each
        other on these data.""",
    primary="by the threshold",
    values={"by the threshold": {}, "as many as printed": {"pairs": "number"}},
)
@variant(
    "order of Lachiche",
    section="4.2.6",
    why="The order in which the algorithm adds the classes is not given.",
    primary="as numbered",
    values={"as numbered": {}, "from the last": {"reverse": True}},
)
@variant(
    "mean error",
    section="4.2.6",
    why="""The mean error is a sum over all cells of the confusion matrix, of rates by
        class or of shares of all objects.""",
    primary="over the classes",
    values={"over the classes": {}, "over the objects": {"errors": "objects"}},
)
@variant(
    "split of Letter and Satellite",
    section="4.2.6",
    why="""Table 4.3 prints the sizes of the splits that the files of Letter and
        Satellite come with; whether these were used or random ones of the same sizes, as for
        the other sets, is not said. Declared after results had been seen.""",
    primary="as the files come",
    values={
        "as the files come": {},
        "random (declared after results)": {
            "sets": [
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
                    "data": "letter-recognition-random",
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
                    "data": "satellite-random",
                    "row": "Satellite",
                    "t_p": None,
                    "pairs": 15,
                    "model": "fisherm mogc2",
                },
            ]
        },
    },
)
def pairwise_tables(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
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
    tuned_on: TunedOn = "test",
    search: Search = "grid and present",
    pairs: Pairs = "threshold",
    competitors: Competitors = "all",
    reverse: bool = False,
    errors: Errors = "classes",
    cap: int = 1000,
) -> Results:
    """Compare algorithms for class weights over random cost matrices (Sec. 4.2.6).

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table a data set, with the test sets ``train`` and ``test``.
    features : dict of str to FeatureTable
    spawn : callable
        Generators by name.
    sets : sequence of mapping
        ``data``, ``row`` (the work's name, and ``row_4.4`` where a table spells it otherwise),
        ``t_p`` or None, ``pairs`` as printed, ``model`` as printed, and, where they are not given
        by the configuration, ``basis``, the number of ``folds`` that are used and a ``cap``.
    matrices : int
        Cost matrices a fold, drawn anew for each.
    law, tuned_on, search, pairs, competitors, reverse, errors
        `Choices`.
    cap : int
        The largest number of matchings tried; a random sample of them where there are more.

    Returns
    -------
    Results
        Lines of table-4.3 to -4.5 and of text-4.2.6; frames ``scenarios`` and ``kept pairs``.
    """
    choices = Choices(law, tuned_on, search, pairs, competitors, reverse, errors)
    tables = {data: table for (data, _), table in scores.items()}
    return _tables(choices, Searches(tables, matrices, spawn), tables, features, spawn, sets, cap)


def all_variants(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    matrices: int,
    cap: int,
    variants: Mapping[str, Mapping[str, Any]],
    **primary: Any,
) -> dict[str, Results]:
    """Return what `pairwise_tables` gives under several variants, each search made once.

    Parameters
    ----------
    scores, features, spawn, sets, matrices, cap
        As for `pairwise_tables`. Of sets that are split several times the first three splits are
        read; the lines say how many.
    variants : mapping of str to mapping
        `Choices` or ``sets`` that each variant changes.
    **primary
        `Choices` of the primary variant.

    Returns
    -------
    dict of str to Results
    """
    tables = {data: table for (data, _), table in scores.items()}
    searches = Searches(tables, matrices, spawn)
    found = {}
    for name, changes in variants.items():
        choices = Choices(**(primary | {key: changes[key] for key in changes if key != "sets"}))
        fewer = [
            {**one, "folds": min(one.get("folds", READ_FOLDS), READ_FOLDS)}
            for one in changes.get("sets", sets)
        ]
        found[name] = _tables(choices, searches, tables, features, spawn, fewer, cap)
    return found


def _tables(
    choices: Choices,
    searches: Searches,
    tables: Mapping[str, ScoreTable],
    features: Mapping[str, FeatureTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    cap: int,
) -> Results:
    """Return the tables under one variant."""
    results = Results()
    used = (
        f"weights found on {choices.tuned_on} objects, {choices.search} search, {choices.law} "
        f"costs, pairs by {choices.pairs}"
    )
    for setting in sets:
        table = tables[setting["data"]]
        about: dict[str, Any] = {"data": table.data, "basis": setting.get("basis")}
        folds = searches.folds(setting["data"])[: setting.get("folds")]
        most = min(setting.get("cap", cap), cap)
        made = [
            _scenarios(fold, part, setting, choices, most, searches)
            for fold, part in enumerate(folds)
        ]
        found = pd.concat([measured for measured, _ in made])
        about["note"] = f"{used}, at most {most} matchings"
        by_pairs = about | {"note": f"{used}, {matchings_tried([tried for _, tried in made])}"}
        shown = [
            searches.areas(setting["data"], fold, choices.competitors) for fold in range(len(folds))
        ]
        _describe(results, setting, folds, shown, features[setting["data"]], choices, about)
        results.add_frame("scenarios", found)
        rng = spawn("bootstrap", setting["data"])
        name = setting.get("row_4.4", setting["row"])
        number = searches.matrices
        together = spawn("repeats", setting["data"]).integers(number, size=(REPEATED, number))
        _gains(results, name, found, rng, together, about, by_pairs)
        _wins(results, name, found, rng, together, by_pairs)
    return results


def _describe(
    results: Results,
    setting: Mapping[str, Any],
    folds: Sequence[ScoreTable],
    shown: Sequence[Sequence[float]],
    features: FeatureTable,
    choices: Choices,
    about: dict[str, Any],
) -> None:
    """Add the row of a data set in Table 4.3, and how separable its pairs of classes are."""
    row, c = setting["row"], len(folds[0].classes)
    curve = "all others competing" if choices.competitors == "all" else "two classes alone"
    about = about | {"note": f"{about['note']}, areas with {curve}"}
    first = {name: of_set(folds[0], name) for name in ("train", "test")}
    counted = {"Train": len(first["train"].y), "Test": len(first["test"].y)}
    counted |= {"C": c, "d": features.X.shape[1]}
    for column, number in counted.items():
        unit = {"C": "classes", "d": "dimensions"}.get(column, "objects")
        results.number("table-4.3", row, column, number, unit=unit, **about)
    results.number("table-4.3", row, "Pairs", c * (c - 1) // 2, unit="count", **about)
    inputs: dict[str, Any] = {"basis": "input", "data": about["data"]}
    if setting["t_p"] is None:
        results.text("table-4.3", row, "t_p", "-", **inputs)
    else:
        read = inputs | {"note": about["note"]}
        results.number("table-4.3", row, "t_p", setting["t_p"], unit="AUC", **read)
    results.text("table-4.3", row, "Classifier", setting["model"], **inputs)
    areas = np.array(shown)
    limit = 1.0 if setting["t_p"] is None else setting["t_p"]
    kept = (areas <= limit).sum(axis=1)
    for fold, sorted_areas in enumerate(np.sort(areas, axis=1)):
        results.add_frame(
            "kept pairs",
            {
                "data set": [row],
                "fold": fold,
                "t_p": limit,
                "kept": int(kept[fold]),
                "possible": c * (c - 1) // 2,
                "printed": setting["pairs"],
                "area at the printed number": sorted_areas[setting["pairs"] - 1],
            },
        )
    _add_mean(results, "table-4.3", row, "Pairs2", kept, "count", about)
    share = mean_error if choices.errors == "classes" else share_wrong
    errors = np.array([100 * share(of_set(part, "test")) for part in folds])
    about["note"] += f", error over the {choices.errors}"
    same = len({of_set(part, "test").index.tobytes() for part in folds}) == 1
    sampled = f"% of {len(first['test'].y)} objects" if same else "%"
    _add_mean(results, "table-4.3", row, "mean error eps", errors, sampled, about)


def _add_mean(
    results: Results,
    artefact: str,
    row: str,
    column: str,
    values: Floats,
    unit: str,
    about: dict[str, Any],
) -> None:
    """Add the mean over folds, with its spread where there are several."""
    std = float(np.std(values, ddof=1)) if len(values) > 1 else None
    number = len(values) if len(values) > 1 else None
    results.number(
        artefact, row, column, float(np.mean(values)), std=std, n=number, unit=unit, **about
    )


def _scenarios(
    fold: int,
    part: ScoreTable,
    setting: Mapping[str, Any],
    choices: Choices,
    cap: int,
    searches: Searches,
) -> tuple[pd.DataFrame, Matchings | None]:
    """Return the utility of each algorithm under each cost matrix of one fold.

    And the matchings that the algorithm by pairs tried.
    """
    data = setting["data"]
    judged = searches.case(data, fold, choices.law, choices.tuned_on).judged
    utility: dict[str, Floats] = {}
    tried: Matchings | None = None
    for name in ("Default", *COMPARED):
        weighting, losses = searches.found(
            name, data, fold, **choices.of_algorithm(name, setting, cap)
        )
        tried = weighting.matchings or tried
        utility[name] = mean_subjective_utilities(judged, losses)
    test = of_set(part, "test")
    measured = pd.concat(
        pd.DataFrame(
            {
                "data set": setting["row"],
                "C": len(part.classes),
                "imbalance": imbalance(test),
                "fold": fold,
                "scenario": [f"{fold}/{m}" for m in range(len(utility[name]))],
                "algorithm": name,
                "MSU": utility[name],
                "improvement": np.maximum(utility[name] - utility["Default"], 0.0),
            }
        )
        for name in utility
    )
    return measured, tried


def _gains(
    results: Results,
    row: str,
    found: pd.DataFrame,
    rng: np.random.Generator,
    together: Ints,
    about: dict[str, Any],
    by_pairs: dict[str, Any],
) -> None:
    """Add minimum, median, best and mean improvement of each algorithm (Table 4.4)."""
    for name in COMPARED:
        chosen = found[found["algorithm"] == name]
        values = np.array([part["improvement"].to_numpy() for _, part in chosen.groupby("fold")])
        for column, summary in SUMMARIES.items():
            _summary(
                results,
                ("table-4.4", f"{row} / {name}", column),
                values,
                summary,
                GAIN_UNIT,
                rng,
                together,
                by_pairs if name in ("Pairs", "PairsG") else about,
            )


def costs_variance(values: Floats, summary: Any, rng: np.random.Generator) -> float:
    """Return the variance of a summary over draws of the cost matrices, the mean over folds.

    Parameters
    ----------
    values : array of shape (folds, matrices)
    summary : callable
        Of such an array and ``axis``.
    rng : numpy.random.Generator
    """
    drawn = rng.integers(values.shape[1], size=(400, values.shape[1]))
    return float(np.mean([np.var(summary(fold[drawn], axis=1), ddof=1) for fold in values]))


def _wins(
    results: Results,
    row: str,
    found: pd.DataFrame,
    rng: np.random.Generator,
    together: Ints,
    about: dict[str, Any],
) -> None:
    """Add the share of scenarios in which PairsG has the larger utility (Table 4.5)."""
    table = found.pivot_table("MSU", index=["fold", "scenario"], columns="algorithm", sort=False)
    better = (table["PairsG"] > table["Greedy"] + 1e-12).groupby("fold")
    values = np.array([part.to_numpy(dtype=float) for _, part in better])
    unit = f"% of {values.shape[1]} scenarios"
    place = ("table-4.5", row, "PairsG > Greedy")
    _summary(results, place, 100 * values, np.mean, unit, rng, together, about)
    if row == "Letter":
        count = 50 * values.mean()
        unit = f"of {values.shape[1]} scenarios"
        place = ("text-4.2.6", row, "scenarios won by PairsG over Greedy")
        results.number(*place, count, unit=unit, **about)


def _summary(
    results: Results,
    place: tuple[str, str, str],
    values: Floats,
    summary: Any,
    unit: str,
    rng: np.random.Generator,
    together: Ints,
    about: dict[str, Any],
) -> None:
    """Add a summary of scenarios: its mean over folds, and the spread of one fold.

    Each fold has cost matrices of its own, so that its spread is no less than theirs; few folds
    may show less.
    """
    by_fold = summary(values, axis=1)
    variance = costs_variance(values, summary, rng)
    if len(by_fold) > 1:
        variance = max(variance, float(np.var(by_fold, ddof=1)))
    std, number = variance**0.5, len(by_fold)
    # Of one split all cells are resampled over the same cost matrices.
    repeated = by_fold if len(by_fold) > 1 else summary(values[0][together], axis=1)
    keep_repeats(results, *place, repeated)
    results.number(*place, float(np.mean(by_fold)), std=std, n=number, unit=unit, **about)


table(
    "table-4.3",
    title="Data sets, pairs and classifiers of the pairwise experiments",
    section="4.2.6",
    caption="""Pairs2 is the number of pairs whose area does not exceed the printed
        threshold; the error is the mean over the classes at equal weights. Two entries of the
        error column repeat others to the digit (PRTools8 and PRTools16, Letter and Satellite).""",
)


table(
    "table-4.4",
    title="Improvement of the utility over equal weights, fifty cost matrices",
    section="4.2.6",
    caption="""Least, median, best and mean improvement; a loss of utility counts as zero,
        as the work says.""",
)


table(
    "table-4.5",
    title="Share of scenarios in which PairsG beats Greedy",
    section="4.2.6",
    caption="Scenarios with the larger utility of PairsG; equal ones do not count.",
    lines=["table-4.5"],
)
