"""Multi-class Neyman-Pearson optimisation on the satellite data (thesis, Sec. 3.2.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from opchar.errors import ConfigError
from opchar.experiments.landgrebe2007.base_confusion import confusion_counts
from opchar.multiclass.hypersurface import Floats, WeightedScores, weighted_scores
from opchar.multiclass.neyman_pearson import NeymanPearson, limits_from_matrices, neyman_pearson
from opchar.results import Results
from opchar.scores import ScoreTable

TEXT = "text-3.2.5"
ALGORITHM = "algorithm-1"
SINGLE = [f"{TEXT}-confusion-2", f"{TEXT}-confusion-3"]
MULTI = [f"{TEXT}-confusion-4", f"{TEXT}-confusion-5"]
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
        true, _, estimated = name.partition(ARROW)
        if true not in classes or estimated not in classes:
            raise ConfigError(f"the limit '{name}' wants true{ARROW}estimated out of {classes}")
        place = classes.index(true), classes.index(estimated)
        indicator[place], largest[place] = 1, limit
    return limits_from_matrices(indicator, largest)


def random_splits(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    specifications: dict[str, Specification],
    r: int,
    weights: list[float],
    unusual: float,
) -> Results:
    """Limit errors of a classifier on each of many splits, and minimise the others.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        One table.
    specifications : dict of str to mapping
        By the label of the printed matrix, or any name for one that has none: ``title`` and
        ``limits``, the largest rates of errors named ``true->estimated``.
    r : int
        Steps a weight.
    weights : [low, high]
        Range of the logarithmic weight grid.
    unusual : float
        A statement about the one split of the work holds when its like is seen on more than this
        share of the splits.

    Returns
    -------
    Results
        Lines of text-3.2.5-confusion-2 to -5 and of text-3.2.5.
    """
    (table,) = scores.values()
    results = Results()
    splits = [
        weighted_scores(part.y, part.scores, r, low=weights[0], high=weights[1])
        for _, part in table.folds()
    ]
    found: dict[str, list[NeymanPearson]] = {}
    for name, specification in specifications.items():
        limits = limits_of(specification["limits"], table.classes)
        found[name] = [neyman_pearson(data, limits, refine=False) for data in splits]
        _summary(results, specification["title"], found[name], splits, limits)
        if name.startswith(TEXT):
            _matrix(results, name, specification["title"], found[name], table.classes)
    counts = np.array([confusion_counts(part) for _, part in table.folds()])
    _changes(results, table.classes, counts / counts.sum(axis=2)[:, :, None], found[MULTI[0]])
    _statements(results, table.classes, specifications, found, unusual)
    return results


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


def _statements(
    results: Results,
    classes: Sequence[str],
    specifications: Mapping[str, Specification],
    found: Mapping[str, Sequence[NeymanPearson]],
    unusual: float,
) -> None:
    """Add the statements of the section about its one split, evaluated on all splits."""
    (none,) = [name for name in specifications if not name.startswith(TEXT)]
    number = len(found[none])
    can = {name: np.array([one.feasible for one in found[name]]) for name in specifications}
    like = can[MULTI[0]] & can[MULTI[1]] & ~can[none]
    results.claim(
        TEXT,
        "specification 3 (veget->red 5, cotton->veget 10, veget->grey 5%)",
        bool(like.mean() > unusual),
        f"of {number} splits {can[MULTI[0]].sum()} meet specification 1, {can[MULTI[1]].sum()} "
        f"specification 2 and {can[none].sum()} specification 3; as printed on {like.sum()}",
    )
    limits = {
        name: limits_of(specifications[name]["limits"], classes) for name in [*SINGLE, *MULTI]
    }
    largest = {
        name: max((float(one.rates[limits[name] >= 0].max()) for one in found[name]), default=0.0)
        for name in SINGLE
        if can[name].all()
    }
    results.claim(
        TEXT,
        "single-error specifications",
        set(largest) == {*SINGLE}
        and all(rate <= np.nanmax(limits[name]) for name, rate in largest.items()),
        f"met on {', '.join(str(can[name].sum()) for name in SINGLE)} of {number} splits; largest "
        + ", ".join(
            f"{name} {largest[label]:.4f}"
            for label in largest
            for name in specifications[label]["limits"]
        ),
    )
    both = can[MULTI[0]] & can[MULTI[1]]
    first, second = (np.array([one.rates for one in found[name]])[both] for name in MULTI)
    limited = ~np.isnan(limits[MULTI[1]])
    satisfied = np.all(first[:, limited] <= limits[MULTI[1]][limited] + 1e-12, axis=1)
    others = np.delete(np.abs(second - first), classes.index("cotton"), axis=1)
    alike = satisfied & (others.max(axis=(1, 2), initial=0) < 1e-12)
    results.claim(
        TEXT,
        "multi 2 vs multi 1",
        bool(len(alike) and alike.mean() > unusual),
        f"of {both.sum()} splits that meet both, the first matrix satisfies specification 2 on "
        f"{satisfied.sum()}, and the second differs from it in the cotton row only on "
        f"{alike.sum()}; the largest difference in another row is {others.max(initial=0):.4f}",
    )


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
