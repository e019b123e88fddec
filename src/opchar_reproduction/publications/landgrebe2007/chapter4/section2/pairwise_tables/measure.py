"""Pairwise and greedy class weights over random costs (Tables 4.3 to 4.5, Figure 4.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.line_search import Search
from opchar.multiclass.cost_weights.pairs import Competitors
from opchar.ranges import Count
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    TunedOn,
    in_words,
    with_data,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.gains import (
    REPEATED,
    Summaries,
    add_gains,
    add_wins,
    describe_set,
    gains_of_scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.searches import (  # noqa: E501
    Choices,
    Errors,
    Pairs,
    Searches,
    matchings_tried,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, settings, study

SETS = settings(__file__, "sets.csv")


@study(
    "costs-pairwise",
    kind="costs",
    scores=[
        "prtools8; prtools16 | shuffled-half-10-own | qdc",
        "letter-recognition | first-16000-own | fisher qdc",
        "chromosome-bands | half-10-own | pca10 mogc2",
        "mfeat-fou | half-10-own | ldc",
        "statlog-satimage | first-4435-own-10 | fisher mogc2",
        "letter-recognition-random | shuffled-16000-own | fisher qdc",
        "satellite-random | shuffled-4435-own | fisher mogc2",
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
            ["law of the costs", "weights found on"],
            ["law of the costs", "Digits and Satellite"],
            ["law of the costs", "search of the weights", "Digits and Satellite"],
        ],
        "with": {"most_folds": 3},
        "frames": ["scenarios", "kept pairs"],
    },
)
def pairwise_tables(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    features: dict[str, FeatureTable],
    spawn: Spawn,
    shared: Shared,
    sets: Sequence[Mapping[str, Any]] = SETS,
    instead: Mapping[str, str] = {},
    matrices: int = 50,
    law: Law = "uniform",
    tuned_on: TunedOn = "test",
    search: Search = "grid and present",
    pairs: Pairs = "number",
    competitors: Competitors = "all",
    reverse: bool = False,
    errors: Errors = "objects",
    otherwise: Mapping[str, Mapping[str, Any]] = {},
    cap: int = 1000,
    most_folds: Count | None = None,
) -> Results:
    """Compare algorithms for class weights over random cost matrices (Sec. 4.2.6).

    `sets`: ``data``, ``row`` (the work's name, and ``row_4.4`` where a table spells it otherwise),
    ``t_p`` or None; ``pairs`` and ``model`` as printed; ``basis`` and a ``cap`` unless the
    configuration gives them.
    `instead`: Data sets that are read in place of those of `sets`.
    `matrices`: Cost matrices of each fold, a new draw for each.
    `law`, `tuned_on`, `search`, `pairs`, `competitors`, `reverse`, `errors`: `Choices`.
    `otherwise`: By ``row``, choices that differ from the other rows.
    `cap`: The largest number of matchings tried; a random sample of them where there are more.
    `most_folds`: Of sets that are split more often, so many first splits are read; the lines say
    how many.
    """
    of_most = Choices(law, tuned_on, search, pairs, competitors, reverse, errors)
    tables = {data: table for (data, _), table in scores.items()}
    searches = shared(Searches, tables, matrices, spawn)
    results = Results()
    for setting in with_data(sets, instead):
        choices = replace(of_most, **otherwise.get(setting["row"], {}))
        used = f"{in_words(choices)}, pairs kept by {choices.pairs}"
        table = tables[setting["data"]]
        about: dict[str, Any] = {"data": table.data, "basis": setting.get("basis")}
        folds = searches.folds(setting["data"])[:most_folds]
        most = min(setting.get("cap", cap), cap)
        made = [
            gains_of_scenarios(fold, part, setting, choices, most, searches)
            for fold, part in enumerate(folds)
        ]
        found = pd.concat([measured for measured, _ in made])
        about["note"] = f"{used}, at most {most} matchings"
        by_pairs = about | {"note": f"{used}, {matchings_tried([tried for _, tried in made])}"}
        shown = [
            searches.areas(setting["data"], fold, choices.competitors) for fold in range(len(folds))
        ]
        describe_set(results, setting, folds, shown, features[setting["data"]], choices, about)
        results.add_frame("scenarios", found)
        rng, name = spawn("bootstrap", setting["data"]), setting.get("row_4.4", setting["row"])
        repeats = spawn("repeats", setting["data"])
        together = repeats.integers(searches.matrices, size=(REPEATED, searches.matrices))
        summaries = Summaries(results, rng, together)
        add_gains(summaries, name, found, about, by_pairs)
        add_wins(summaries, name, found, by_pairs)
    return results
