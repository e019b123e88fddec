"""How far the algorithms of the printed tables stay from the best class weights."""

from collections.abc import Mapping, Sequence
from typing import Any

from opchar.multiclass.cost_weights.line_search import Search
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    Law,
    Priors,
    of_set,
    random_costs,
    scenarios,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables import (
    searches as pairwise_tables,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables import (
    searches as decomposed_tables,
)
from opchar_reproduction.publications.studies.certified_tables.gaps import (
    Effort,
    add_gaps,
    losses_and_certificates,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

SATELLITE = {
    "data": "statlog-satimage",
    "row": "Satellite",
    "row_4.9": "Satimage",
    "t_s": 0.5,
    "model": "fish mogc2",
}
PAIRWISE_SETS = settings(__file__, "pairwise_sets.csv")

# Cost matrices and nodes, as in `Effort`.
FEW = {"matrices": 2, "nodes": 20, "matrices_of_many": 1, "nodes_of_many": 1}
SOME = {"matrices": 10, "nodes": 3000, "matrices_of_many": 5, "nodes_of_many": 100}
SOME_PAIRS = {"matrices": 5, "nodes": 1000, "matrices_of_many": 3, "nodes_of_many": 30}
MANY = {"matrices": 50, "nodes": 20000, "matrices_of_many": 10, "nodes_of_many": 1000}
MANY_PAIRS = {"matrices": 50, "nodes": 20000, "matrices_of_many": 10, "nodes_of_many": 300}
PROFILES = {"tiny": {"matrices": 5, "r": 12, "certified": FEW}, "quick": {"certified": SOME}}


@study(
    "costs-certified-pairwise",
    kind="costs",
    scores=[
        "prtools8; prtools16 | shuffled-half-10-own | qdc",
        "letter-recognition | first-16000-own | fisher qdc",
        "chromosome-bands | half-10-own | pca10 mogc2",
        "mfeat-fou | half-10-own | ldc",
        "statlog-satimage | first-4435-own-10 | fisher mogc2",
    ],
    profiles={
        "tiny": {"matrices": 3, "cap": 5, "certified": FEW},
        "quick": {"certified": SOME_PAIRS},
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
    sets: Sequence[Mapping[str, Any]] = PAIRWISE_SETS,
    matrices: int = 50,
    law: Law = "uniform",
    search: Search = "grid and present",
    pairs: pairwise_tables.Pairs = "number",
    cap: int = 1000,
    certified: Mapping[str, int] = MANY_PAIRS,
) -> Results:
    """Measure the distance from the best weights in the first fold of Tables 4.4 and 4.5.

    `artefact`: of the lines; `tables`: the printed tables by name, and the algorithms that each
    has; `sets`, `matrices`, `law`, `search`, `pairs`, `cap`: as for `pairwise_tables`; `certified`:
    `Effort`: the first cost matrices of each set that are looked at, and the nodes for each.
    Returns: lines of the artefact; frame ``gaps``, a row an algorithm and cost matrix.
    """
    results, effort = Results(), Effort(**certified)
    by_data = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        data = setting["data"]
        _, part = next(by_data[data].folds())
        c = len(part.classes)
        costs = random_costs(law, matrices, c, spawn("costs", data, 0))
        first, nodes = effort.for_classes(c)
        compared = pairwise_tables.algorithms(
            pairwise_tables.pair_limit(setting, pairs), search, min(setting.get("cap", cap), cap)
        )
        problem = scenarios(part, costs[:first]).judged
        losses, proven = losses_and_certificates(problem, compared, spawn, (data, 0), nodes)
        about = {"data": by_data[data].data, "basis": setting.get("basis")}
        add_gaps(results, artefact, tables, setting["row"], losses, proven, about)
    return results


@study(
    "costs-certified-clusters",
    kind="costs",
    basis="simulation",
    scores=["clusters-8; clusters-16; clusters-40 | holdout-10-own | qdc"],
    parameters={
        "artefact": "certified-table-4.7",
        "tables": {"4.7": ["Simple", "Naive", "Greedy", "Decomp"]},
        "sets": [
            {"data": "clusters-8", "row": "Synth8C", "t_s": 0.08, "model": "qdc"},
            {"data": "clusters-16", "row": "Synth16C", "t_s": 0.08, "model": "qdc"},
            {"data": "clusters-40", "row": "Synth40C", "t_s": 0.08, "model": "qdc"},
        ],
    },
    profiles=PROFILES,
    same_draws_as="landgrebe2007/costs-decomposed-clusters",
)
@study(
    "costs-certified-real",
    kind="costs",
    scores=[
        "delve-segmentation | holdout-10-own | fisher qdc",
        "soybean-large | holdout-10-own | ldc",
        "dermatology | holdout-10-own | fisher ldc",
        "statlog-satimage | holdout-10-own | fisher mogc2",
        "image-segmentation | holdout-10-own | fisher qdc",
        "nist16 | holdout-10-own | nlfisher mogc2",
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
            SATELLITE,
            {"data": "image-segmentation", "row": "Segmentation", "t_s": 0.4, "model": "fish qdc"},
            {"data": "nist16", "row": "Nist", "t_s": 0.2, "model": "nlfish mogc2"},
        ],
    },
    profiles=PROFILES,
    same_draws_as="landgrebe2007/costs-decomposed-real",
)
def decomposed_gaps(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    artefact: str,
    tables: Mapping[str, Sequence[str]],
    sets: Sequence[Mapping[str, Any]],
    matrices: int = 50,
    law: Law = "uniform",
    profits: bool = False,
    priors: Priors = "balanced",
    search: Search = "grid",
    constrained: bool = True,
    r: int = 80,
    largest_group: int = 4,
    certified: Mapping[str, int] = MANY,
) -> Results:
    """Measure the distance from the best weights in the first fold of Tables 4.7, 4.9 and 4.10.

    `scores`, `spawn`, `artefact`, `tables`, `certified`: as for `pairwise_gaps`; `sets`,
    `matrices`, `law`, `profits`, `priors`, `search`, `constrained`, `r`, `largest_group`: as for
    `opchar_reproduction.publications.landgrebe2007.chapter4.section3.decomposed_tables.measure.decomposed_tables`.
    Returns: lines of the artefact; frame ``gaps``, a row an algorithm and cost matrix.
    """
    results, effort = Results(), Effort(**certified)
    by_data = {data: table for (data, _), table in scores.items()}
    for setting in sets:
        data = setting["data"]
        _, part = next(by_data[data].folds())
        c = len(part.classes)
        costs = random_costs(law, matrices, c, spawn("costs", data), profits=profits)
        first, nodes = effort.for_classes(c)
        test = of_set(part, "test")
        roc, _, _ = decomposed_tables.decomposition(test, setting["t_s"], largest_group, r)
        compared = decomposed_tables.algorithms(roc, search, constrained)
        problem = scenarios(part, costs[:first], priors=priors).judged
        losses, proven = losses_and_certificates(problem, compared, spawn, (data, 0), nodes)
        about = {"data": by_data[data].data}
        add_gaps(results, artefact, tables, setting["row"], losses, proven, about)
    return results
