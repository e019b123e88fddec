"""Multi-class Neyman-Pearson optimisation on the satellite data (thesis, Sec. 3.2.5)."""

from collections.abc import Mapping

import numpy as np

from opchar.multiclass.neyman_pearson import NeymanPearson, neyman_pearson
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter3.base_classifier import fold_confusions
from opchar_reproduction.publications.landgrebe2007.chapter3.neyman_pearson.lines import (
    TEXT,
    Specification,
    add_changes,
    add_frames,
    add_matrix,
    add_repeats,
    add_summary,
    limits_of,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

ALGORITHM = "algorithm-1"
LEAST_SPLITS = 2
FIRST_OF_SEVERAL = f"{TEXT}-confusion-4"
SPECIFICATIONS = settings(__file__, "specifications.csv", by="matrix")


@study(
    "neyman-pearson",
    kind="vus",
    scores=[
        "satellite-4 | shuffled-4435-2000 | pca17 ldc; sc pca17 ldc",
        "satellite-4-as-filed | first-4435 | pca17 ldc; sc pca17 ldc",
    ],
    profiles={"tiny": {"r": 12}},
    variants={
        "combine": "pairs",
        "pairs": [["split", "scaling"], ["split", "weight range"]],
        "frames": ["specifications", "limited errors", "matrices"],
    },
    units="split",
)
def random_splits(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    data: str = "satellite-4",
    model: str = "pca17 ldc",
    specifications: Mapping[str, Specification] = SPECIFICATIONS,
    r: int = 30,
    weights: list[float] = [0.001, 1000.0],
    beyond: int = 7,
) -> Results:
    """Limit errors of a classifier on each of many splits, and minimise the others.

    `data`, `model`: Which of the tables is taken; the others belong to other variants.
    `specifications`: By the label of the printed matrix, or any name for one that has none:
    ``title`` and ``limits``, the largest rates of errors named ``true->estimated``.
    `r`: Steps a weight.
    `weights`: Range of the logarithmic weight grid.
    `beyond`: Of the 80 cells of the five printed matrices, so many lie beyond two standard errors.
    """
    table = scores[data, model]
    results = Results()
    splits = [
        weighted_scores(part.y, part.scores, r, low=weights[0], high=weights[1])
        for _, part in table.folds()
    ]
    found: dict[str, list[NeymanPearson]] = {}
    for name, specification in specifications.items():
        limits = limits_of(specification["limits"], table.classes)
        found[name] = [neyman_pearson(split, limits, refine=False) for split in splits]
        add_summary(results, specification["title"], found[name], splits, limits)
        if name.startswith(TEXT):
            add_matrix(results, name, specification["title"], found[name], table.classes)
    counts = fold_confusions(table)
    base = counts / counts.sum(axis=2)[:, :, None]
    add_changes(results, table.classes, base, found[FIRST_OF_SEVERAL])
    if len(base) > LEAST_SPLITS:
        add_repeats(results, base, found, beyond)
    add_frames(results, table.classes, specifications, found, base)
    return results.rest_on(table.data)


@study(
    "neyman-pearson-own-split",
    kind="vus",
    scores=["satellite-4 | first-4435 | pca17 ldc"],
    profiles={"tiny": {"r": 12}},
)
def own_split(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    specifications: Mapping[str, Specification] = SPECIFICATIONS,
    r: int = 30,
    weights: list[float] = [0.001, 1000.0],
) -> Results:
    """Run Algorithm 1 on one split and refine its answer between grid points.

    `specifications`, `r`, `weights`: As for `random_splits`.
    """
    (table,) = scores.values()
    results = Results()
    data = weighted_scores(table.y, table.scores, r, low=weights[0], high=weights[1])
    for specification in specifications.values():
        title, limits = specification["title"], limits_of(specification["limits"], table.classes)
        rough, fine = (neyman_pearson(data, limits, refine=refine) for refine in (False, True))
        for column, value, unit in [
            ("weightings", r ** (len(table.classes) - 1), "count"),
            ("of these meet it", rough.n_feasible, "count"),
            ("sum of the other errors", rough.objective, "rate"),
            ("sum of the other errors, refined", fine.objective, "rate"),
            *[(f"phi {c}", w, "weight") for c, w in zip(table.classes, fine.weights, strict=True)],
        ]:
            results.number(ALGORITHM, title, column, value, unit=unit)
        for (i, j), rate in np.ndenumerate(fine.rates):
            results.number(
                f"{TEXT}-own-split",
                f"{title} / true {table.classes[i]}",
                f"estimated {table.classes[j]}",
                rate,
                unit="fraction",
            )
    return results
