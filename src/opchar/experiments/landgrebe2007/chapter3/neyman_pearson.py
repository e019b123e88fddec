"""Multi-class Neyman-Pearson optimisation on the satellite data (thesis, Sec. 3.2.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from opchar.errors import ConfigError
from opchar.experiments.landgrebe2007.chapter3.base_classifier import fold_confusions
from opchar.multiclass.neyman_pearson import NeymanPearson, limits_from_matrices, neyman_pearson
from opchar.multiclass.roc.hypersurface import Floats, WeightedScores, weighted_scores
from opchar.results import Results
from opchar.scores import ScoreTable

TEXT = "text-3.2.5"
ALGORITHM = "algorithm-1"
FIRST_OF_SEVERAL = f"{TEXT}-confusion-4"
ARROW = "->"
Specification = Mapping[str, Any]


def limits_of(errors: Mapping[str, float], classes: Sequence[str]) -> Floats:
    """Return the limits on errors that are named ``true->estimated``.

    Parameters
    ----------
    errors : mapping of str to float
        Largest allowed rates, in [0, 1].
    classes : sequence of str
        Names of the classes in the order of the matrix.

    Returns
    -------
    ndarray of shape (C, C)
        NaN where nothing is specified.

    Raises
    ------
    ConfigError
        If a class is unknown.
    """
    indicator, largest = np.zeros((len(classes),) * 2), np.zeros((len(classes),) * 2)
    for name, limit in errors.items():
        place = _place(name, classes)
        indicator[place], largest[place] = 1, limit
    return limits_from_matrices(indicator, largest)


def _place(error: str, classes: Sequence[str]) -> tuple[int, int]:
    """Return row and column of an error that is named ``true->estimated``."""
    true, _, estimated = error.partition(ARROW)
    if true not in classes or estimated not in classes:
        raise ConfigError(f"the limit '{error}' wants true{ARROW}estimated out of {classes}")
    return classes.index(true), classes.index(estimated)


def random_splits(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    data: str,
    model: str,
    specifications: dict[str, Specification],
    r: int,
    weights: list[float],
) -> Results:
    """Limit errors of a classifier on each of many splits, and minimise the others.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
    data, model : str
        Which of the tables is taken; the others are those of other readings.
    specifications : dict of str to mapping
        By the label of the printed matrix, or any name for one that has none: ``title`` and
        ``limits``, the largest rates of errors named ``true->estimated``.
    r : int
        Steps a weight.
    weights : [low, high]
        Range of the logarithmic weight grid.

    Returns
    -------
    Results
        Lines of text-3.2.5-confusion-2 to -5 and of text-3.2.5; frames ``specifications``,
        ``limited errors`` and ``matrices``, of all splits.
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
        _summary(results, specification["title"], found[name], splits, limits)
        if name.startswith(TEXT):
            _matrix(results, name, specification["title"], found[name], table.classes)
    counts = fold_confusions(table)
    base = counts / counts.sum(axis=2)[:, :, None]
    _changes(results, table.classes, base, found[FIRST_OF_SEVERAL])
    _measured(results, table.classes, specifications, found, base)
    return results.rest_on(table.data)


def _line(
    results: Results, artefact: str, row: str, column: str, values: Floats, unit: str
) -> None:
    """Add the mean and the spread over splits; undefined where there is none."""
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


def _matrix(
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
            _line(
                results,
                artefact,
                f"{title} / true {true}",
                f"estimated {estimated}",
                rates[:, i, j],
                "fraction",
            )


def _summary(
    results: Results,
    title: str,
    found: Sequence[NeymanPearson],
    splits: Sequence[WeightedScores],
    limits: Floats,
) -> None:
    """Add how many splits meet a specification, and what is left of the free errors."""
    feasible = np.array([one.feasible for one in found])
    met = [split for split, can in zip(splits, feasible, strict=True) if can]
    results.number(TEXT, title, "splits that meet it", feasible.sum(), unit="count")
    rough = np.array([one.objective for one in found])[feasible]
    exact = np.array([neyman_pearson(split, limits).objective for split in met])
    _line(results, TEXT, title, "sum of the other errors", rough, "rate")
    _line(results, TEXT, title, "sum of the other errors, refined", exact, "rate")


def _changes(
    results: Results, classes: Sequence[str], base: Floats, found: Sequence[NeymanPearson]
) -> None:
    """Add what the first set of several specifications does to two classes."""
    veget, grey = classes.index("veget"), classes.index("grey")
    feasible = np.array([one.feasible for one in found])
    after = np.array([one.rates for one in found])[feasible]
    before = 100 * base[:, veget, veget]
    drop = 100 * (base[feasible, grey, grey] - after[:, grey, grey])
    own, rounded = "multi 1, xi_veget,veget", "rounded in text"
    _line(results, TEXT, f"{own} before", rounded, before, "%")
    _line(results, TEXT, f"{own} after", rounded, 100 * after[:, veget, veget], "%")
    _line(results, TEXT, "multi 1, xi_grey,grey drop", rounded, drop, "% points")


def _measured(
    results: Results,
    classes: Sequence[str],
    specifications: Mapping[str, Specification],
    found: Mapping[str, Sequence[NeymanPearson]],
    base: Floats,
) -> None:
    """Add frames: what each split can meet, and the rates of all its matrices.

    ``specifications`` has a line a split and specification, ``limited errors`` one a limit, with
    the rate of the classifier without weights and of the one found; ``matrices`` has all rates.
    """
    met: list[tuple[object, ...]] = []
    limited: list[tuple[object, ...]] = []
    matrices: list[tuple[object, ...]] = []
    for label, specification in specifications.items():
        name = label.removeprefix(f"{TEXT}-")
        for split, one in enumerate(found[label]):
            met.append((split, name, float(one.feasible)))
            for error, limit in specification["limits"].items():
                place = _place(error, classes)
                rates = base[split][place], one.rates[place]
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
        results.curve(frame, pd.DataFrame(lines, columns=where + columns))


def own_split(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    specifications: dict[str, Specification],
    r: int,
    weights: list[float],
) -> Results:
    """Run Algorithm 1 on one split and refine its answer between grid points.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table with one fold.
    specifications, r, weights
        As for `random_splits`.

    Returns
    -------
    Results
        Lines of algorithm-1 and, under ``text-3.2.5-own-split``, the refined matrices.
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
