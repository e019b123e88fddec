"""Indices over test sets with other class ratios than the training set (mullick2020, Sec. 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from opchar.experiments.mullick2020.beyond import (
    record_power,
    record_sampling,
    record_stability,
)
from opchar.experiments.mullick2020.deviations import (
    AVERAGING,
    LEAST_OF,
    deviations,
    keep_least,
    least_values,
    mean_performances,
    performances,
    record_deviations,
    record_least,
    record_order,
    with_threshold,
)
from opchar.experiments.mullick2020.indices import MULTI_CLASS, TWO_CLASS, valued
from opchar.experiments.mullick2020.problems import (
    FORMS,
    Problem,
    Scores,
    collapses,
    counted_problems,
    describe,
    undefined_shares,
)
from opchar.metrics.conditions import MatrixIndex
from opchar.results import Results
from opchar.seeds import Spawn

Readings = Mapping[str, Mapping[str, Any]]
_Performances = tuple[list[Problem], pd.DataFrame, pd.DataFrame]
_TWO = ("Precision", "AURPC", "GMean", "AUROC", "mPrecision", "mAURPC")
TWO = {name: TWO_CLASS[name] for name in _TWO}
_VARYING = ("GMean", "ACSA", "nAUROC-OVA", "AURPC-OVA", "mAURPC-OVA")
VARYING = {name: MULTI_CLASS[name] for name in _VARYING}
_LEAST = ("AUROC-OVA", "AUROC-OVO", "nAUROC-OVA", "ACSA", "GMean")
LEAST = {name: MULTI_CLASS[name] for name in _LEAST}


def two_class(
    scores: Scores,
    spawn: Spawn,
    *,
    classifiers: dict[str, str],
    threshold: str,
    zero_division: float | None,
    averaging: str,
    divisor: str,
    draws: int,
) -> Results:
    """Measure how six indices vary over five test sets on problems of two classes.

    Parameters
    ----------
    scores : mapping
        Score tables by data set and model.
    spawn : callable
        Generators by name.
    classifiers : dict of str to str
        Name of each classifier by its model; score tables of other models are passed over.
    threshold : {"as published", "without its shift"}
        Of NBSVM.
    zero_division : float or None
        What an undefined index (0/0) counts as; None leaves it out.
    averaging : {"pooled", "per classifier"}
        Whether the deviation is over test sets and classifiers together, or over the test sets of
        each classifier and then averaged.
    divisor : {"n - 1", "n"}
        Of the variance.
    draws : int
        Test sets drawn for sampling spreads that cannot be summed exactly, and for the power.

    Returns
    -------
    Results
        ``figure-3`` and the tables beside it; the frames ``deviations``, ``both averages``,
        ``sampling spread``, ``rank stability`` and ``power``.
    """
    results = Results()
    indices = valued(TWO, zero_division)
    problems, _, means = _measure(scores, classifiers, indices)
    describe(results, "text-5.1-two-class", problems)
    chosen = with_threshold(means, threshold)
    found = deviations(chosen, averaging=averaging, divisor=divisor)
    results.curve("deviations", found)
    for each in AVERAGING:
        both = deviations(chosen, averaging=each, divisor=divisor)
        results.curve("both averages", both.assign(averaging=each))
    _all_deviations(results, "figure-3", means, divisor)
    record_order(results, "figure-3-order", found)
    undefined_shares(results, "figure-3", problems, TWO)
    collapses(results, "figure-3", problems)
    record_sampling(results, "sampling-spread", problems, indices, spawn, draws)
    record_stability(results, "rank-stability", chosen)
    record_power(results, "power", problems, indices, spawn, draws)
    return results


def multi_class(
    scores: Scores,
    spawn: Spawn,
    *,
    classifiers: dict[str, str],
    threshold: str,
    zero_division: float | None,
    averaging: str,
    divisor: str,
    least_of: str,
    draws: int,
) -> Results:
    """Measure how multi-class indices vary over test sets, and their least values.

    Parameters
    ----------
    scores, spawn, classifiers, threshold, zero_division, averaging, divisor, draws
        As in `two_class`.
    least_of : {"mean performances", "single folds", "test sets", "classifiers"}
        What Figure 5 takes the least of
        (`opchar.experiments.mullick2020.deviations.least_values`).

    Returns
    -------
    Results
        ``figure-4a``, ``figure-4b`` and ``figure-5``; the frames ``deviations``, ``minima``,
        ``minima, few classes``, ``minima, ten classes``, ``sampling spread``, ``rank stability``
        and ``power``.
    """
    results = Results()
    every = valued(VARYING | LEAST, zero_division)
    problems, single, means = _measure(scores, classifiers, every)
    describe(results, "text-5.1", problems)
    varying, chosen = _of(means, VARYING), with_threshold(means, threshold)
    found = deviations(with_threshold(varying, threshold), averaging=averaging, divisor=divisor)
    results.curve("deviations", found)
    _all_deviations(results, "figure-4a", varying, divisor)
    undefined_shares(results, "figure-4a", problems, VARYING | LEAST)
    collapses(results, "figure-4a", problems)
    least_single = with_threshold(_of(single, LEAST), threshold)
    least = least_values(_of(chosen, LEAST), least_single, least_of=least_of)
    keep_least(results, least)
    record_least(results, least, {problem.name: problem.data for problem in problems})
    _all_least(results, _of(means, LEAST), _of(single, LEAST))
    shown = valued(VARYING, zero_division)
    record_sampling(results, "sampling-spread-multi-class", problems, shown, spawn, draws)
    record_stability(results, "rank-stability-multi-class", chosen)
    record_power(results, "power-multi-class", problems, every, spawn, draws)
    return results


def second_witness(
    scores: Scores,
    spawn: Spawn,
    *,
    classifiers: dict[str, str],
    threshold: str,
    zero_division: float | None,
    averaging: str,
    divisor: str,
    draws: int,
) -> Results:
    """Measure on a collection of two-class sets what `two_class` measures on the work's problems.

    Parameters
    ----------
    scores, spawn, classifiers, threshold, zero_division, averaging, divisor, draws
        As in `two_class`.

    Returns
    -------
    Results
        ``second-witness``: the share of sets on which one index varies more than another, and
        ``second-witness-deviations``; the frames ``deviations``, ``rank stability`` and ``power``.
    """
    results = Results()
    indices = valued(TWO, zero_division)
    problems, _, means = _measure(scores, classifiers, indices)
    chosen = with_threshold(means, threshold)
    found = deviations(chosen, averaging=averaging, divisor=divisor)
    results.curve("deviations", found)
    _all_deviations(results, "second-witness-deviations", means, divisor)
    undefined_shares(results, "second-witness-deviations", problems, TWO)
    record_order(results, "second-witness", found)
    record_stability(results, "rank-stability-second-witness", chosen)
    record_power(results, "power-second-witness", problems, indices, spawn, draws)
    return results


def two_class_readings(scores: Scores, *, readings: Readings, **primary: Any) -> dict[str, Results]:
    """Return what `two_class` finds under several readings.

    Decisions are counted once for each choice of classifiers, and indices computed once for each
    value of 0/0; nothing beyond the work is measured.

    Parameters
    ----------
    scores : mapping
        As in `two_class`.
    readings : mapping of str to mapping
        Parameters that each reading changes.
    **primary
        The parameters of `two_class`.

    Returns
    -------
    dict of str to Results
        The mean deviations, ``figure-3``, and the frame ``deviations`` of each reading.
    """
    return _varying(scores, "figure-3", readings, primary)


def second_witness_readings(
    scores: Scores, *, readings: Readings, **primary: Any
) -> dict[str, Results]:
    """Return what `second_witness` finds under several readings.

    Parameters
    ----------
    scores, readings, **primary
        As in `two_class_readings`.

    Returns
    -------
    dict of str to Results
        The mean deviations, ``second-witness-deviations``, and the frame ``deviations``.
    """
    return _varying(scores, "second-witness-deviations", readings, primary)


def multi_class_readings(
    scores: Scores, *, readings: Readings, **primary: Any
) -> dict[str, Results]:
    """Return what `multi_class` finds under several readings.

    Parameters
    ----------
    scores, readings, **primary
        As in `two_class_readings`, of `multi_class`.

    Returns
    -------
    dict of str to Results
        The mean deviations, ``figure-4a``, and ``figure-5``; the frames ``deviations`` and
        ``minima``, and the latter of few and of ten classes apart, of each reading.
    """
    found = {}
    for name, measured in _by_reading(scores, VARYING | LEAST, primary, readings):
        results = found[name] = Results()
        spread, least = measured.deviations(VARYING), measured.least_values(LEAST)
        results.curve("deviations", spread)
        record_deviations(results, "figure-4a", spread)
        keep_least(results, least)
        record_least(results, least, {problem.name: problem.data for problem in measured.problems})
    return found


def _measure(
    scores: Scores, classifiers: Mapping[str, str], indices: Mapping[str, MatrixIndex]
) -> _Performances:
    """Return the problems, the indices on each fold and test set, and their means over folds."""
    problems = counted_problems(scores, classifiers)
    single = performances(problems, indices)
    return problems, single, mean_performances(single)


class _Measured(NamedTuple):
    """Problems and their performances, and the parameters of a reading."""

    problems: list[Problem]
    single: pd.DataFrame
    means: pd.DataFrame
    settings: Mapping[str, Any]

    def deviations(self, indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
        chosen = with_threshold(_of(self.means, indices), self.settings["threshold"])
        return deviations(
            chosen, averaging=self.settings["averaging"], divisor=self.settings["divisor"]
        )

    def least_values(self, indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
        means, single = (
            with_threshold(_of(table, indices), self.settings["threshold"])
            for table in (self.means, self.single)
        )
        return least_values(means, single, least_of=self.settings["least_of"])


def _varying(
    scores: Scores, artefact: str, readings: Readings, primary: Mapping[str, Any]
) -> dict[str, Results]:
    """Return the deviations of the indices of two classes under each reading."""
    found = {}
    for name, measured in _by_reading(scores, TWO, primary, readings):
        results = found[name] = Results()
        spread = measured.deviations(TWO)
        results.curve("deviations", spread)
        record_deviations(results, artefact, spread)
    return found


def _by_reading(
    scores: Scores,
    indices: Mapping[str, MatrixIndex],
    primary: Mapping[str, Any],
    readings: Readings,
) -> Iterator[tuple[str, _Measured]]:
    """Yield the measurements of each reading; those of equal classifiers and 0/0 are shared."""
    known: dict[str, _Performances] = {}
    for name, changes in readings.items():
        settings = {**primary, **changes}
        classifiers, zero_division = settings["classifiers"], settings["zero_division"]
        key = f"{sorted(classifiers)} {zero_division}"
        if key not in known:
            known[key] = _measure(scores, classifiers, valued(indices, zero_division))
        yield name, _Measured(*known[key], settings)


def _of(table: pd.DataFrame, indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
    return table[table["index"].isin(list(indices))]


def _all_deviations(results: Results, artefact: str, means: pd.DataFrame, divisor: str) -> None:
    """Record the mean deviations with both thresholds of NBSVM, averaged in both ways."""
    for threshold in FORMS:
        chosen, label = with_threshold(means, threshold), _label(threshold)
        for averaging in AVERAGING:
            found = deviations(chosen, averaging=averaging, divisor=divisor)
            record_deviations(results, artefact, found, f"mean deviation, {averaging}{label}")


def _all_least(results: Results, means: pd.DataFrame, single: pd.DataFrame) -> None:
    """Record the means over problems of all kinds of least values."""
    for threshold in FORMS:
        tables = with_threshold(means, threshold), with_threshold(single, threshold)
        for least_of in LEAST_OF:
            least = least_values(*tables, least_of=least_of)
            groups = least.groupby(["classes", "index"], sort=False)["minimum"]
            for (classes, index), part in groups:
                row = f"{classes} classes, least of {least_of}{_label(threshold)}"
                results.number("figure-5-readings", row, str(index), part.mean(), n=len(part))


def _label(threshold: str) -> str:
    return "" if threshold == "as published" else f", NBSVM {threshold}"
