"""What is gained on other objects than those on which the class weights were found."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

import numpy as np
import pandas as pd

from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.matchings import Matchings
from opchar.multiclass.cost_weights.problem import (
    CostProblem,
    cost_problem,
    losses,
    mean_subjective_utilities,
)
from opchar.ranges import Count
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    Scenarios,
    imbalance,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.searches import (  # noqa: E501
    matchings_tried,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.searches import (  # noqa: E501
    decomposition,
)
from opchar_reproduction.publications.studies.certified_gaps import all_algorithms
from opchar_reproduction.publications.studies.optimism.winners import (
    add_winners,
    add_winners_over_sets,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

SETS = settings(__file__, "sets.csv")
OPTIMISM = "cost-weights-optimism"
Place = Literal["test", "train", "half", "few"]

COLUMNS = {
    "test": "gain, found on the same objects",
    "train": "gain, found on training objects",
    "optimism": "optimism",
    "own": "gain, found on the same half of the test objects",
    "half": "gain, found on the other half of the test objects",
    "few": "gain, found on as many training objects",
    "of the search": "optimism of the search, half of the objects",
    "of the scores": "optimism of training scores, half of the objects",
}


def gains(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    matrices: int,
    folds: int,
    law: Law,
    search: Search,
    cap: int,
    r: int,
    largest_group: int,
) -> Results:
    """Find weights on the objects that judge them and on others, and measure the gains.

    Weights are found on the test objects that judge them (``test``) and on the training objects of
    the classifier (``train``); the optimism is the difference of the gains. The scores of training
    objects flatter the classifier as well, those of test objects do not. To tell both apart,
    weights are found on each half of the test objects, judged by the same half (``own``) and by
    the other one (``half``), and on as many training objects of each class, judged by all test
    objects (``few``): the first two differ by what the search makes of chance, the last two by
    the scores alone, all with as many objects to find weights.
    """
    results = Results()
    tables = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        table = tables[setting["data"]]
        costs = random_costs(law, matrices, len(table.classes), spawn("costs", setting["data"]))
        frames, tried = [], []
        most = min(folds, setting.get("folds", folds))
        for fold, part in enumerate(part for _, part in islice(table.folds(), most)):
            found, matchings = _gains(
                setting, fold, part, costs, search, cap, r, largest_group, spawn
            )
            frames.append(found)
            tried += matchings
        kept = f"{len(table.classes)} pairs with the smallest areas"
        note = f"splits: {len(frames)}, {kept}, {matchings_tried(tried, 'searches')}"
        whole = pd.concat(frames, ignore_index=True)
        results.add_frame("gains by set", whole.assign(data=table.data, note=note))
    return results


@study(
    "costs-optimism",
    kind="costs",
    scores=[
        "prtools8; prtools16 | shuffled-half-10-own | qdc",
        "letter-recognition | first-16000-own | fisher qdc",
        "chromosome-bands | half-10-own | pca10 mogc2",
        "mfeat-fou | half-10-own | ldc",
        "clusters-8; clusters-16; clusters-40 | holdout-10-own | qdc",
        "delve-segmentation | holdout-10-own | fisher qdc",
        "soybean-large | holdout-10-own | ldc",
        "dermatology | holdout-10-own | fisher ldc",
        "statlog-satimage | holdout-10-own | fisher mogc2",
        "image-segmentation | holdout-10-own | fisher qdc",
        "nist16 | holdout-10-own | nlfisher mogc2",
    ],
    parameters={
        "sets": SETS,
        "matrices": 50,
        "folds": 10,
        "resamples": 9999,
        "law": "uniform",
        "search": "grid and present",
        "cap": 200,
        "r": 80,
        "largest_group": 4,
    },
    profiles={
        "tiny": {
            "matrices": 3,
            "folds": 2,
            "resamples": 99,
            "cap": 5,
            "r": 12,
            "sets": [
                {"data": "dermatology", "row": "Dermatology", "t_s": 0.04},
                {"data": "nist16", "row": "Nist", "t_s": 0.2},
            ],
        },
        "quick": {"matrices": 10, "folds": 4, "cap": 10},
    },
    choices=[
        """costs: uniform between 0 and 1, zero diagonal, the same for all splits of a
        set; priors of the objects""",
        """splits: ten at most, four in the quick profile; Letter has one, CBands up to
        three""",
        """pairs: as many as classes, those with the smallest areas; matchings: up to
        200 (quick: 10), beyond that a random sample of as many; the remark of each row says how
        many of how many""",
    ],
)
def optimism(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    sets: Sequence[Mapping[str, Any]],
    matrices: Count,
    folds: Count,
    resamples: Count,
    law: Law,
    search: Search,
    cap: Count,
    r: Count,
    largest_group: Count,
) -> Results:
    """Compare the gains of weights found on the objects that judge them and on others.

    `scores`: one table a data set, with the test sets ``train`` and ``test``; `sets`: as in
    `gains`; ``basis``, where it is not that of the others; `resamples`: of the bootstrap and of the
    permutation tests; `matrices`, `folds`, `law`, `search`, `cap`, `r`, `largest_group`: as in
    `gains`. Returns: lines of cost-weights-optimism and cost-weights-winners; frame ``gains by
    set``.
    """
    results = Results()
    measured = gains(
        scores=scores,
        spawn=spawn,
        sets=sets,
        matrices=matrices,
        folds=folds,
        law=law,
        search=search,
        cap=cap,
        r=r,
        largest_group=largest_group,
    )
    everything = measured.curves["gains by set"]
    by_set = dict(list(everything.groupby("data set", sort=False)))
    for setting in sets:
        row = setting["row"]
        data, searched = by_set[row][["data", "note"]].iloc[0]
        found = by_set[row].drop(columns=["data", "note"])
        results.add_frame("gains by set", found)
        note = f"{search} search, {law} costs, {searched}"
        about = {"data": data, "basis": setting.get("basis"), "note": note}
        _optimism(results, row, found, about)
        about["note"] = f"weights found on training objects, {note}"
        add_winners(results, row, found, resamples, spawn, about)
    used = f"weights found on training objects, {search} search, {law} costs, cap of {cap}"
    add_winners_over_sets(
        results, results.curves["gains by set"], resamples, spawn, {"note": f"{used} matchings"}
    )
    return results.rest_on("; ".join(sorted(everything["data"].unique())))


def halves(test: ScoreTable, rng: np.random.Generator) -> tuple[ScoreTable, ScoreTable]:
    """Divide objects in two at random, each class as evenly as its number allows."""
    first = np.zeros(len(test.y), dtype=bool)
    for c in range(len(test.classes)):
        rows = rng.permutation(np.flatnonzero(test.y == c))
        if len(rows) == 1:
            raise ValueError(f"class {test.classes[c]} has one test object, which is in no halves")
        first[rows[: len(rows) // 2]] = True
    return test.where(first), test.where(~first)


def _cases(
    part: ScoreTable, costs: np.ndarray, rng: np.random.Generator
) -> Iterator[tuple[Place, ScoreTable, Scenarios]]:
    """Yield each place where weights are found, its objects, and what judges the weights."""
    test, train = of_set(part, "test"), of_set(part, "train")
    yield "test", test, scenarios(part, costs)
    yield "train", train, scenarios(part, costs, tuned_on="train")
    one, other = halves(test, rng)
    problems = [cost_problem(half.y, half.scores, costs) for half in (one, other)]
    yield "half", one, Scenarios(problems[0], problems[1])
    yield "half", other, Scenarios(problems[1], problems[0])
    few = train.where(_as_many(train.y, np.bincount(other.y), rng))
    sizes = np.bincount(test.y) / len(test.y)
    judged = cost_problem(test.y, test.scores, costs, sizes)
    yield "few", few, Scenarios(cost_problem(few.y, few.scores, costs, sizes), judged)


def _as_many(y: np.ndarray, sizes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a random choice of objects, so many of each class or all it has."""
    chosen = np.zeros(len(y), dtype=bool)
    for c, size in enumerate(sizes):
        chosen[rng.permutation(np.flatnonzero(y == c))[:size]] = True
    return chosen


def _gains(
    setting: Mapping[str, Any],
    fold: int,
    part: ScoreTable,
    costs: np.ndarray,
    search: Search,
    cap: int,
    r: int,
    largest_group: int,
    spawn: Spawn,
) -> tuple[pd.DataFrame, list[Matchings | None]]:
    """Return what each algorithm gains over equal weights, wherever its weights are found."""
    c, data = len(part.classes), setting["data"]
    off = ~np.eye(c, dtype=bool)
    spread = [matrix[off].std() / matrix[off].mean() for matrix in costs]
    about = pd.DataFrame(
        {
            "data set": setting["row"],
            "C": c,
            "imbalance": imbalance(of_set(part, "test")),
            "fold": fold,
            "scenario": np.arange(len(costs)),
            "cost spread": spread,
        }
    )
    frames, tried = [], []
    rng = spawn("halves", data, fold)
    for number, (found_on, objects, case) in enumerate(_cases(part, costs, rng)):
        roc, _, _ = decomposition(objects, setting["t_s"], largest_group, r)
        found = {
            name: find(case.tuned, spawn(name, data, fold, number))
            for name, find in all_algorithms(roc, search, cap, c).items()
        }
        tried.append(found["PairsG"].matchings)
        judges: dict[str, CostProblem] = {found_on: case.judged}
        if found_on == "half":
            judges["own"] = case.tuned
        for where, judged in judges.items():
            utility = {
                name: mean_subjective_utilities(judged, losses(judged, weighting.log_weights))
                for name, weighting in found.items()
            }
            default = utility.pop("Default")
            frames += [
                about.assign(**{"algorithm": name, "found on": where, "gain": each - default})
                for name, each in utility.items()
            ]
    return pd.concat(frames, ignore_index=True), tried


def _optimism(results: Results, row: str, found: pd.DataFrame, about: Mapping[str, Any]) -> None:
    """Add the mean gains of each algorithm, and by how much the same objects flatter it."""
    wide = found.pivot_table(
        "gain", index=["algorithm", "scenario"], columns="found on", sort=False
    )
    wide["optimism"] = wide["test"] - wide["train"]
    wide["of the search"] = wide["own"] - wide["half"]
    wide["of the scores"] = wide["half"] - wide["few"]
    for name, part in wide.groupby("algorithm", sort=False):
        for column, title in COLUMNS.items():
            mean, std = part[column].mean(), float(part[column].std(ddof=1))
            line = OPTIMISM, f"{row} / {name}", title
            results.number(*line, mean, std=std, n=len(part), unit="MSU", **about)
