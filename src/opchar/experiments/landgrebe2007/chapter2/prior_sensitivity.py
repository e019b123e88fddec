"""Accuracy and sensitivity to the prior of classifiers on real data (thesis, Sec. 2.2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from opchar.experiments.landgrebe2007.chapter2.readings import (
    EPSILON,
    EQUAL,
    EQUAL_ERRORS,
    EXCHANGED,
    HEIGHT,
    JUDGED,
    LABELLED,
    LEAST,
    PRIMARY,
    REWEIGHTED,
    Reading,
    beside,
    measure_fold,
)
from opchar.experiments.landgrebe2007.variance_lines import add_analysis
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.statistics.variance import compared

TABLE = "table-2.2"
READINGS_TABLE = "table-2.2-readings"
TEXT = "text-2.2.6"


def real_data(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    titles: dict[str, str],
    prior_range: list[float],
    alpha: float,
    thresholds: int,
    point: str = LEAST,
    sampled: int | None = None,
    area: str = HEIGHT,
    classes: str = LABELLED,
    epsilon: str = EQUAL_ERRORS,
) -> Results:
    """Compare models on each data set by AUC, Sens, AccSens and equal error rate.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        Models of a data set in the order of the table, over the same folds. The first class is w1.
    titles : dict of str to str
        How the table calls each data set.
    prior_range : [float, float]
        Range of the prior of w1.
    alpha : float
        Level of significance.
    thresholds : int
        Steps of the readings that sample the posterior.
    point, sampled, area, classes, epsilon
        The reading of the table, as the fields of `Reading`; `sampled` is its ``thresholds``.

    Returns
    -------
    Results
        ``table-2.2``, its other readings in ``table-2.2-readings``, and analyses of variance in
        ``text-2.2.6``; curve ``measured``: the table's measures of each ``title``, ``model`` and
        ``fold``.

    References
    ----------
    landgrebe2007, Sec. 2.2.6.
    """
    low, high = prior_range
    results = Results()
    readings = {"": Reading(point, sampled, area, classes, epsilon), **beside(thresholds)}
    for data, title in titles.items():
        tables = {model: table for (name, model), table in scores.items() if name == data}
        label = next(iter(tables.values())).data
        measured = measure(tables, readings, low, high)
        _cells(results, title, list(tables), measured, label)
        _analyses(results, title, measured, alpha, label)
        _keep(results, title, measured, label)
    return results


def all_readings(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    titles: dict[str, str],
    prior_range: list[float],
    alpha: float,
    thresholds: int,
    readings: Mapping[str, Mapping[str, Any]],
) -> dict[str, Results]:
    """Return what `real_data` gives under several readings, each ROC curve computed once.

    Parameters
    ----------
    scores, titles, prior_range
        As for `real_data`.
    alpha, thresholds : float, int
        Of the analyses and of the readings beside the table, which are left out here.
    readings : mapping of str to mapping
        Parameters of `real_data` that each reading changes.

    Returns
    -------
    dict of str to Results
        ``table-2.2`` and the curve ``measured`` of each reading; no analyses of variance.
    """
    low, high = prior_range
    named = {name: reading_of(changes) for name, changes in readings.items()}
    found = {name: Results() for name in readings}
    for data, title in titles.items():
        tables = {model: table for (name, model), table in scores.items() if name == data}
        label = next(iter(tables.values())).data
        measured = measure(tables, named, low, high)
        for name, part in measured.groupby("reading", sort=False):
            of_reading = part.assign(reading="")
            _cells(found[str(name)], title, list(tables), of_reading, label)
            _keep(found[str(name)], title, of_reading, label)
    return found


def reading_of(changes: Mapping[str, Any]) -> Reading:
    """Return the reading with what `real_data` is given in place of the primary choices.

    Examples
    --------
    >>> reading_of({"sampled": 100}).thresholds
    100
    """
    fields = {"sampled": "thresholds"}
    return PRIMARY._replace(**{fields.get(name, name): value for name, value in changes.items()})


def _keep(results: Results, title: str, measured: pd.DataFrame, label: str) -> None:
    """Add the measurements of a data set by the reading of the table."""
    chosen = measured[(measured["reading"] == "") & (measured["measure"] != EXCHANGED)]
    chosen = chosen.drop(columns="reading").assign(title=title, label=label)
    results.curve("measured", chosen)


def measure(
    tables: Mapping[str, ScoreTable], readings: Mapping[str, Reading], low: float, high: float
) -> pd.DataFrame:
    """Return the long table ``model, fold, reading, measure, value``; models count from 1."""
    lines = [
        (number, fold, reading, name, value)
        for number, table in enumerate(tables.values(), start=1)
        for fold, part in table.folds()
        for reading, found in measure_fold(part, readings, low, high).items()
        for name, value in found.items()
    ]
    return pd.DataFrame(lines, columns=["model", "fold", "reading", "measure", "value"])


def _cells(
    results: Results, title: str, models: list[str], measured: pd.DataFrame, label: str
) -> None:
    """Add means and standard deviations of the table, and of the other readings beside them."""
    for number, model in enumerate(models, start=1):
        of_model = measured[measured["model"] == number]
        cells = {
            (str(reading), str(name)): (float(v.mean()), float(v.std()), len(v))
            for reading, lines in of_model.groupby("reading", sort=False)
            for name, v in lines.groupby("measure", sort=False)["value"]
        }
        for (reading, name), (mean, std, size) in cells.items():
            if not reading and name == EXCHANGED:
                continue
            results.number(
                READINGS_TABLE if reading else TABLE,
                f"{title} / {number}) {model}" + (f": {reading}" if reading else ""),
                name,
                mean,
                std=std,
                n=size,
                unit="fraction",
                data=label,
                note="" if reading else _other_readings(cells, name),
            )


def _other_readings(cells: Mapping[tuple[str, str], tuple[float, float, int]], name: str) -> str:
    """Return what the readings that the text leaves open as well give for one cell."""
    other = {
        reading: found
        for (reading, measure_), found in cells.items()
        if measure_ == name and reading not in ("", REWEIGHTED)
    }
    if name != EPSILON:
        other.pop(LEAST, None)
    if name == "AUC":
        other |= {
            f"{reading}, classes exchanged": found
            for (reading, measure_), found in cells.items()
            if measure_ == EXCHANGED and reading in (LEAST, EQUAL)
        }
    given = ", ".join(
        f"{reading} {mean:.3f} ({std:.3f})" for reading, (mean, std, _) in other.items()
    )
    if not given:
        return ""
    unsaid = "how eps is taken" if name == EPSILON else "the operating point for a prior"
    return f"{unsaid} is not stated; other readings: {given}"


def _analyses(
    results: Results, title: str, measured: pd.DataFrame, alpha: float, label: str
) -> None:
    """Add the analyses of variance of a data set, and the pairs of models that differ."""
    for name in JUDGED:
        chosen = (measured["measure"] == name) & (measured["reading"] == "")
        design = measured[chosen].reset_index(drop=True)
        row = f"{title}, {name}"
        add_analysis(results, TEXT, row, design, data=label)
        found, _ = compared(design, ("model", "fold"), alpha)
        column = f"pairs that differ at {100 * (1 - alpha):g} %"
        results.text(TEXT, row, column, found.named(), data=label)
