"""Multi-class Neyman-Pearson optimisation on the satellite data (thesis, Sec. 3.2.5)."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from opchar.errors import ConfigError
from opchar.multiclass.neyman_pearson import NeymanPearson, limits_from_matrices, neyman_pearson
from opchar.multiclass.roc.weighted_scores import Floats, weighted_scores
from opchar.scores import ScoreTable
from opchar.statistics.one_split import cells_beyond
from opchar_reproduction.publications.landgrebe2007.chapter3.base_classifier import fold_confusions
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results
from opchar_reproduction.study import settings, study

TEXT = "text-3.2.5"
ARROW = "->"
REPEATS, BEYOND = f"{TEXT}-repeats", "cells beyond two standard errors of the others"
Specification = Mapping[str, Any]
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
        title, limits = specification["title"], limits_of(specification["limits"], table.classes)
        found[name] = [neyman_pearson(split, limits, refine=False) for split in splits]
        met = [(split, one) for split, one in zip(splits, found[name], strict=True) if one.feasible]
        results.number(TEXT, title, "splits that meet it", len(met), unit="count")
        rough = [one.objective for _, one in met]
        exact = [neyman_pearson(split, limits).objective for split, _ in met]
        _add_spread(results, TEXT, title, "sum of the other errors", rough, "rate")
        _add_spread(results, TEXT, title, "sum of the other errors, refined", exact, "rate")
        for (i, true), (j, estimated) in product(enumerate(table.classes), repeat=2):
            if name.startswith(TEXT):
                row, rates = f"{title} / true {true}", [one.rates[i, j] for _, one in met]
                _add_spread(results, name, row, f"estimated {estimated}", rates, "fraction")
    counts = fold_confusions(table)
    base = counts / counts.sum(axis=2)[:, :, None]
    _add_changes(results, table.classes, base, found[FIRST_OF_SEVERAL])
    if len(base) > LEAST_SPLITS:
        _add_repeats(results, base, found, beyond)
    _add_frames(results, table.classes, specifications, found, base)
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
            row, column = f"{title} / true {table.classes[i]}", f"estimated {table.classes[j]}"
            results.number(f"{TEXT}-own-split", row, column, rate, unit="fraction")
    return results


def limits_of(errors: Mapping[str, float], classes: Sequence[str]) -> Floats:
    """Return the limits on errors that are named ``true->estimated``, shape (C, C)."""
    indicator, largest = np.zeros((len(classes),) * 2), np.zeros((len(classes),) * 2)
    for name, limit in errors.items():
        cell = _cell_of(name, classes)
        indicator[cell], largest[cell] = 1, limit
    return limits_from_matrices(indicator, largest)


def _cell_of(error: str, classes: Sequence[str]) -> tuple[int, int]:
    """Return row and column of an error that is named ``true->estimated``."""
    true, _, estimated = error.partition(ARROW)
    if true not in classes or estimated not in classes:
        raise ConfigError(f"the limit '{error}' wants true{ARROW}estimated out of {classes}")
    return classes.index(true), classes.index(estimated)


def _add_spread(
    results: Results,
    artefact: str,
    row: str,
    column: str,
    values: Floats | Sequence[float],
    unit: str,
) -> None:
    """Add the mean and the spread over splits; undefined without splits."""
    if len(values):
        add_mean(results, artefact, row, column, values, unit=unit, kept=len(values) > 1)
    else:
        note = "no split meets the specification"
        results.number(artefact, row, column, np.nan, n=0, unit=unit, note=note)


def _add_changes(
    results: Results, classes: Sequence[str], base: Floats, found: Sequence[NeymanPearson]
) -> None:
    """Add what the first set of several specifications does to two classes."""
    veget, grey = classes.index("veget"), classes.index("grey")
    feasible = np.array([one.feasible for one in found])
    after = np.array([one.rates for one in found])[feasible]
    before = 100 * base[:, veget, veget]
    drop = 100 * (base[feasible, grey, grey] - after[:, grey, grey])
    rate, rounded = "multi 1, xi_veget,veget", "rounded in text"
    _add_spread(results, TEXT, f"{rate} before", rounded, before, "%")
    _add_spread(results, TEXT, f"{rate} after", rounded, 100 * after[:, veget, veget], "%")
    _add_spread(results, TEXT, "multi 1, xi_grey,grey drop", rounded, drop, "% points")


def _add_repeats(
    results: Results, base: Floats, found: Mapping[str, Sequence[NeymanPearson]], printed: int
) -> None:
    """Add how many cells of one split lie beyond two standard errors of those of the others."""
    solved = [
        np.where([[[one.feasible]] for one in each], [one.rates for one in each], np.nan)
        for name, each in found.items()
        if name.startswith(TEXT)
    ]
    beyond = cells_beyond(np.stack([base, *solved], axis=1).reshape(len(base), -1))
    for split, number in enumerate(beyond):
        results.number(REPEATS, f"split {split + 1}", BEYOND, number, unit="count")
    share = int((beyond >= printed).sum())
    results.number(REPEATS, "all splits", f"with {printed} or more", share, unit="count")


def _add_frames(
    results: Results,
    classes: Sequence[str],
    specifications: Mapping[str, Specification],
    found: Mapping[str, Sequence[NeymanPearson]],
    base: Floats,
) -> None:
    """Add frames: what each split can meet, and the rates of all its matrices.

    ``specifications`` has a line per split and specification, ``limited errors`` one per limit,
    with the rate of the classifier without weights and of the one found; ``matrices`` has all
    rates.
    """
    for label, specification in specifications.items():
        name = label.removeprefix(f"{TEXT}-")
        for split, one in enumerate(found[label]):
            where = {"split": [split], "specification": name}
            results.add_frame("specifications", where | {"feasible": float(one.feasible)})
            for error, limit in specification["limits"].items():
                cell = _cell_of(error, classes)
                rates = {"unweighted": base[split][cell], "found": one.rates[cell]}
                results.add_frame(
                    "limited errors", where | {"error": error, "limit": limit} | rates
                )
            true, estimated = (np.array(classes)[at.ravel()] for at in np.indices(one.rates.shape))
            matrix = {"true": true, "estimated": estimated, "rate": one.rates.ravel()}
            results.add_frame("matrices", {"split": split, "specification": name} | matrix)
