"""Lines and frames of Sec. 3.2.5 over many splits."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from opchar.errors import ConfigError
from opchar.multiclass.neyman_pearson import NeymanPearson, limits_from_matrices, neyman_pearson
from opchar.multiclass.roc.weighted_scores import Floats, WeightedScores
from opchar.statistics.one_split import cells_beyond
from opchar_reproduction.results import Results, keep_repeats

TEXT = "text-3.2.5"
ARROW = "->"
REPEATS, BEYOND = f"{TEXT}-repeats", "cells beyond two standard errors of the others"
Specification = Mapping[str, Any]


def limits_of(errors: Mapping[str, float], classes: Sequence[str]) -> Floats:
    """Return the limits on errors that are named ``true->estimated``.

    Shapes: returned (C, C).
    """
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
    results: Results, artefact: str, row: str, column: str, values: Floats, unit: str
) -> None:
    """Add the mean and the spread over splits; undefined without splits."""
    results.number(
        artefact,
        row,
        column,
        float(np.mean(values)) if len(values) else np.nan,
        std=float(np.std(values, ddof=1)) if len(values) > 1 else None,
        n=len(values),
        unit=unit,
        note="" if len(values) else "no split meets the specification",
    )
    if len(values) > 1:
        keep_repeats(results, artefact, row, column, values)


def add_matrix(
    results: Results,
    artefact: str,
    title: str,
    found: Sequence[NeymanPearson],
    classes: Sequence[str],
) -> None:
    """Add the mean normalised confusion matrix over the splits that meet the specification."""
    rates = np.array([one.rates for one in found if one.feasible]).reshape(-1, *[len(classes)] * 2)
    for i, true in enumerate(classes):
        for j, estimated in enumerate(classes):
            _add_spread(
                results,
                artefact,
                f"{title} / true {true}",
                f"estimated {estimated}",
                rates[:, i, j],
                "fraction",
            )


def add_summary(
    results: Results,
    title: str,
    found: Sequence[NeymanPearson],
    splits: Sequence[WeightedScores],
    limits: Floats,
) -> None:
    """Add how many splits meet a specification, and the remaining free errors."""
    feasible = np.array([one.feasible for one in found])
    met = [split for split, can in zip(splits, feasible, strict=True) if can]
    results.number(TEXT, title, "splits that meet it", feasible.sum(), unit="count")
    rough = np.array([one.objective for one in found])[feasible]
    exact = np.array([neyman_pearson(split, limits).objective for split in met])
    _add_spread(results, TEXT, title, "sum of the other errors", rough, "rate")
    _add_spread(results, TEXT, title, "sum of the other errors, refined", exact, "rate")


def add_changes(
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


def add_repeats(
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


def add_frames(
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
    met: list[tuple[object, ...]] = []
    limited: list[tuple[object, ...]] = []
    matrices: list[tuple[object, ...]] = []
    for label, specification in specifications.items():
        name = label.removeprefix(f"{TEXT}-")
        for split, one in enumerate(found[label]):
            met.append((split, name, float(one.feasible)))
            for error, limit in specification["limits"].items():
                cell = _cell_of(error, classes)
                rates = base[split][cell], one.rates[cell]
                limited.append((split, name, error, limit, *rates))
            matrices += [
                (split, name, classes[i], classes[j], rate)
                for (i, j), rate in np.ndenumerate(one.rates)
            ]
    where = ["split", "specification"]
    for frame, lines, columns in [
        ("specifications", met, ["feasible"]),
        ("limited errors", limited, ["error", "limit", "unweighted", "found"]),
        ("matrices", matrices, ["true", "estimated", "rate"]),
    ]:
        results.add_frame(frame, pd.DataFrame(lines, columns=where + columns))
