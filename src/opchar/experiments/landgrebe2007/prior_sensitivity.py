"""Accuracy and sensitivity to the prior of classifiers on real data (thesis, Sec. 2.2.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from opchar.experiments.differences import Differences
from opchar.experiments.statistics import add_analysis, compared
from opchar.metrics.drift import (
    Drift,
    drift,
    equal_error_points,
    least_error_points,
    reweighted_points,
    sampled,
)
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, operating_points

TABLE = "table-2.2"
READINGS_TABLE = "table-2.2-readings"
TEXT = "text-2.2.6"
EPSILON = "equal error rate eps"
EXCHANGED = "AUC, classes exchanged"
JUDGED = ["AUC", "Sens", "AccSens"]
MEASURES = [*JUDGED, EPSILON]
LEAST, EQUAL, REWEIGHTED = "least error", "equal weighted errors", "posteriors weighted anew"


def real_data(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    titles: dict[str, str],
    prior_range: list[float],
    alpha: float,
    thresholds: int,
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

    Returns
    -------
    Results
        ``table-2.2``, its other readings in ``table-2.2-readings``, and analyses of variance in
        ``text-2.2.6``.

    References
    ----------
    landgrebe2007, Sec. 2.2.6.
    """
    low, high = prior_range
    results = Results()
    best: dict[str, tuple[int, int]] = {}
    for data, title in titles.items():
        tables = {model: table for (name, model), table in scores.items() if name == data}
        label = next(iter(tables.values())).data
        measured = measure(tables, low, high, thresholds)
        _cells(results, title, list(tables), measured, label)
        found, evidence = _analyses(results, title, measured, alpha, label)
        for row, (holds, measures) in statements(title, found).items():
            note = "; ".join(f"{name}: {evidence[name]}" for name in measures)
            results.claim(TABLE, row, holds, note, data=label)
        best[title] = found.best("AUC"), found.best("AccSens")
    results.claim(
        TABLE,
        "overall",
        any(by_auc != by_both for by_auc, by_both in best.values()),
        "best model by AUC and by AccSens: "
        + "; ".join(f"{data} {one} and {two}" for data, (one, two) in best.items()),
    )
    return results


def measure(
    tables: Mapping[str, ScoreTable], low: float, high: float, thresholds: int
) -> pd.DataFrame:
    """Return the long table ``model, fold, reading, measure, value``; models count from 1."""
    lines = [
        (number, fold, reading, name, value)
        for number, table in enumerate(tables.values(), start=1)
        for fold, part in table.folds()
        for reading, found in measure_fold(part, low, high, thresholds).items()
        for name, value in found.items()
    ]
    return pd.DataFrame(lines, columns=["model", "fold", "reading", "measure", "value"])


def measure_fold(
    table: ScoreTable, low: float, high: float, thresholds: int
) -> dict[str, dict[str, float]]:
    """Measure the scores of one test set by every reading of "the operating point for a prior".

    The reading of the table is the point of least expected error, with the equal error of the
    straight-line ROC as ``eps``. In the other readings ``eps`` is the mean of both errors at the
    point for equal priors.

    Parameters
    ----------
    table : ScoreTable
        One fold; the first class is w1.
    low, high : float
        Range of the prior of w1, ``0 < low < high < 1``.
    thresholds : int
        Steps of the readings that sample the posterior.

    Returns
    -------
    dict of reading to dict of measure to float
        The `MEASURES`, and the AUC with the classes exchanged; under ``""`` those of the table.

    References
    ----------
    landgrebe2007, Eqs. 2.2 to 2.4.
    """
    points = operating_points(*table.log_odds(table.classes[0]))
    found = {name: _named(moved) for name, moved in readings(points, low, high, thresholds).items()}
    return {"": found[LEAST] | {EPSILON: equal_error_rate(points).rate}, **found}


def readings(points: OperatingPoints, low: float, high: float, thresholds: int) -> dict[str, Drift]:
    """Return the drift over a prior range by each reading of the text."""
    few = sampled(points, thresholds)
    return {
        LEAST: drift(points, least_error_points, low, high),
        f"{LEAST}, {thresholds} thresholds": drift(few, least_error_points, low, high),
        EQUAL: drift(points, equal_error_points, low, high),
        f"{EQUAL}, {thresholds} thresholds": drift(few, equal_error_points, low, high),
        REWEIGHTED: drift(points, reweighted_points, low, high),
    }


def _named(moved: Drift) -> dict[str, float]:
    return {
        "AUC": moved.auc,
        EXCHANGED: moved.auc_exchanged,
        "Sens": moved.sens,
        "AccSens": moved.acc_sens,
        EPSILON: moved.error,
    }


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
        other.pop(LEAST)
    if name == "AUC":
        other |= {
            f"{reading}, classes exchanged": found
            for (reading, measure_), found in cells.items()
            if measure_ == EXCHANGED and reading in (LEAST, EQUAL)
        }
    given = ", ".join(
        f"{reading} {mean:.3f} ({std:.3f})" for reading, (mean, std, _) in other.items()
    )
    unsaid = "how eps is taken" if name == EPSILON else "the operating point for a prior"
    return f"{unsaid} is not stated; other readings: {given}"


@dataclass(frozen=True)
class Compared:
    """Means of models, and which differ significantly, by measure.

    Parameters
    ----------
    by_measure : mapping of str to Differences
        Levels are the models' numbers.
    """

    by_measure: Mapping[str, Differences]

    def similar(self, name: str, *models: int) -> bool:
        """Tell whether no two of the models differ significantly."""
        return self.by_measure[name].similar(*models)

    def lower(self, name: str, first: int, second: int) -> bool:
        """Tell whether the first model is significantly lower than the second."""
        return self.by_measure[name].above(second, first)

    def mean(self, name: str, model: int) -> float:
        """Return the mean of a model."""
        return self.by_measure[name].means[model]

    def best(self, name: str) -> int:
        """Return the model of best mean: the highest AUC, the lowest of the other measures."""
        means = self.by_measure[name].means
        return max(means, key=lambda model: means[model] if name == "AUC" else -means[model])


def _analyses(
    results: Results, title: str, measured: pd.DataFrame, alpha: float, label: str
) -> tuple[Compared, dict[str, str]]:
    """Add the analyses of variance of a data set; return what differs, and the pairs in words."""
    by_measure: dict[str, Differences] = {}
    evidence: dict[str, str] = {}
    for name in JUDGED:
        chosen = (measured["measure"] == name) & (measured["reading"] == "")
        design = measured[chosen].reset_index(drop=True)
        row = f"{title}, {name}"
        add_analysis(results, TEXT, row, design, data=label)
        by_measure[name], evidence[name] = compared(design, ("model", "fold"), alpha)
        column = f"pairs that differ at {100 * (1 - alpha):g} %"
        results.text(TEXT, row, column, by_measure[name].named(), data=label)
    return Compared(by_measure), evidence


Statements = dict[str, tuple[bool, tuple[str, ...]]]


def statements(title: str, found: Compared) -> Statements:
    """Judge what the text says of the models of one data set.

    Parameters
    ----------
    title : {"Road sign", "Phoneme", "Sonar", "Ionosphere"}
    found : Compared

    Returns
    -------
    dict of row to (bool, measures)
        Whether each statement holds, and the measures that it is about.
    """
    return SAID[title](title, found)


def _of_road_signs(title: str, found: Compared) -> Statements:
    similar, lower = found.similar, found.lower
    return {
        f"{title} 1) vs 2)": (
            similar("AUC", 1, 2) and lower("Sens", 2, 1) and lower("AccSens", 2, 1),
            ("AUC", "Sens", "AccSens"),
        ),
        f"{title} 3) vs 4)": (
            lower("AUC", 4, 3) and lower("Sens", 4, 3) and similar("AccSens", 3, 4),
            ("AUC", "Sens", "AccSens"),
        ),
        f"{title} 3)-6)": (
            similar("AccSens", 3, 4, 5, 6)
            and all(lower("AccSens", one, other) for one in (3, 4, 5, 6) for other in (1, 2)),
            ("AccSens",),
        ),
    }


def _of_phonemes(title: str, found: Compared) -> Statements:
    holds = (
        found.similar("AUC", 1, 3)
        and found.similar("AUC", 2, 3)
        and found.mean("Sens", 2) < found.mean("Sens", 3)
        and found.lower("AccSens", 2, 3)
    )
    return {title: (holds, ("AUC", "Sens", "AccSens"))}


def _of_sonar(title: str, found: Compared) -> Statements:
    return {title: (found.best("AUC") == found.best("Sens") == 2, ("AUC", "Sens"))}


def _of_ionosphere(title: str, found: Compared) -> Statements:
    return {
        f"{title} AUC": (
            found.similar("AUC", 1, 2, 4)
            and found.similar("Sens", 2, 4)
            and found.mean("Sens", 2) < found.mean("Sens", 4),
            ("AUC", "Sens"),
        ),
        f"{title} AccSens": (
            all(found.lower("AccSens", model, 4) for model in (1, 2, 3)),
            ("AccSens",),
        ),
    }


SAID: dict[str, Callable[[str, Compared], Statements]] = {
    "Road sign": _of_road_signs,
    "Phoneme": _of_phonemes,
    "Sonar": _of_sonar,
    "Ionosphere": _of_ionosphere,
}
