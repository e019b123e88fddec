"""Indices over test sets with other class ratios than the training set (mullick2020, Sec. 5)."""

from collections.abc import Mapping

import pandas as pd

from opchar.metrics.conditions import MatrixIndex
from opchar.ranges import Count
from opchar.seeds import Spawn
from opchar_reproduction.publications.mullick2020.beyond import (
    record_power,
    record_sampling,
    record_stability,
)
from opchar_reproduction.publications.mullick2020.deviations import (
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
from opchar_reproduction.publications.mullick2020.indices import (
    MULTI_CLASS,
    TWO_CLASS,
    replace_zero_division,
)
from opchar_reproduction.publications.mullick2020.problems import (
    FORMS,
    Problem,
    Scores,
    collapses,
    counted_problems,
    describe,
    undefined_shares,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study

_TWO = ("Precision", "AURPC", "GMean", "AUROC", "mPrecision", "mAURPC")
TWO = {name: TWO_CLASS[name] for name in _TWO}
_VARYING = ("GMean", "ACSA", "nAUROC-OVA", "AURPC-OVA", "mAURPC-OVA")
VARYING = {name: MULTI_CLASS[name] for name in _VARYING}
_LEAST = ("AUROC-OVA", "AUROC-OVO", "nAUROC-OVA", "ACSA", "GMean")
LEAST = {name: MULTI_CLASS[name] for name in _LEAST}

CLASSIFIERS = {
    "sc lexiboost3": "Dual-LexiBoost",
    "sc nbsvm": "NBSVM",
    "sc rusboost10": "RUSBoost",
    "sc smote mlp8": "SMOTE + MLP",
}


@study(
    "two-class",
    scores=[
        """imagenet-inception | rrt-two-class | sc lexiboost3; sc nbsvm; sc rusboost10; sc smote
        mlp8; sc rusboost10 stumps; sc rusboost10 full"""
    ],
    profiles={"tiny": {"draws": 50}, "quick": {"draws": 200}},
    variants={"profiles": ["paper"], "with": {"beyond": False}, "frames": ["deviations"]},
    units="problem",
)
def two_class(
    scores: Scores,
    spawn: Spawn,
    shared: Shared,
    *,
    classifiers: dict[str, str] = CLASSIFIERS,
    instead: dict[str, str] = {},
    threshold: str = "as published",
    zero_division: float | None = 0.0,
    averaging: str = "pooled",
    divisor: str = "n - 1",
    draws: Count = 2000,
    beyond: bool = True,
) -> Results:
    """Measure how six indices vary over five test sets on problems of two classes.

    classifiers: Name of each classifier by its model; score tables of other models are ignored.
    instead: Models that take the place of others.
    threshold ({"as published", "without its shift"}): Of NBSVM.
    zero_division: What an undefined index (0/0) counts as; None leaves it out.
    averaging ({"pooled", "per classifier"}): Whether the deviation is over test sets and
        classifiers together, or over the test sets of each classifier and then averaged.
    divisor ({"n - 1", "n"}): Of the variance.
    draws: Test sets drawn for sampling spreads that cannot be summed exactly, and for the power.
    beyond: Whether the choices stand side by side, with what goes beyond the work.
    """
    results = Results()
    models = {instead.get(model, model): name for model, name in classifiers.items()}
    problems, _, means = shared(_measure, scores, models, TWO, zero_division)
    chosen = with_threshold(means, threshold)
    found = deviations(chosen, averaging=averaging, divisor=divisor)
    results.add_frame("deviations", found)
    if not beyond:
        record_deviations(results, "figure-3", found)
        return results
    describe(results, "text-5.1-two-class", problems)
    indices = replace_zero_division(TWO, zero_division)
    for each in AVERAGING:
        both = deviations(chosen, averaging=each, divisor=divisor)
        results.add_frame("both averages", both.assign(averaging=each))
    _all_deviations(results, "figure-3", means, divisor)
    record_order(results, "figure-3-order", found)
    undefined_shares(results, "figure-3", problems, TWO)
    collapses(results, "figure-3", problems)
    record_sampling(results, "sampling-spread", problems, indices, spawn, draws)
    record_stability(results, "rank-stability", chosen)
    record_power(results, "power", problems, indices, spawn, draws)
    return results


@study(
    "multi-class",
    scores=[
        """imagenet-inception | rrt-multi-class | sc lexiboost3; sc nbsvm; sc rusboost10; sc smote
        mlp8; sc rusboost10 stumps; sc rusboost10 full""",
        """imagenet-inception-10 | rrt-ten-class | sc lexiboost3; sc nbsvm; sc rusboost10; sc smote
        mlp8; sc rusboost10 stumps; sc rusboost10 full""",
    ],
    profiles={"tiny": {"draws": 50}, "quick": {"draws": 200}},
    variants={
        "profiles": ["paper"],
        "with": {"beyond": False},
        "frames": ["deviations", "minima", "minima, few classes", "minima, ten classes"],
    },
    units="problem",
)
def multi_class(
    scores: Scores,
    spawn: Spawn,
    shared: Shared,
    *,
    classifiers: dict[str, str] = CLASSIFIERS,
    instead: dict[str, str] = {},
    threshold: str = "as published",
    zero_division: float | None = 0.0,
    averaging: str = "pooled",
    divisor: str = "n - 1",
    least_of: str = "mean performances",
    draws: Count = 2000,
    beyond: bool = True,
) -> Results:
    """Measure how multi-class indices vary over test sets, and their least values.

    scores, spawn, classifiers, instead, threshold, zero_division, averaging, divisor, draws,
    beyond: As in `two_class`.
    least_of ({"mean performances", "single folds", "test sets", "classifiers"}): What Figure 5
        takes the least of (`opchar_reproduction.publications.mullick2020.deviations.least_values`).
    """
    results = Results()
    indices = VARYING | LEAST
    models = {instead.get(model, model): name for model, name in classifiers.items()}
    problems, single, means = shared(_measure, scores, models, indices, zero_division)
    varying, chosen = _index_columns(means, VARYING), with_threshold(means, threshold)
    found = deviations(with_threshold(varying, threshold), averaging=averaging, divisor=divisor)
    results.add_frame("deviations", found)
    if beyond:
        describe(results, "text-5.1", problems)
        _all_deviations(results, "figure-4a", varying, divisor)
        undefined_shares(results, "figure-4a", problems, indices)
        collapses(results, "figure-4a", problems)
    else:
        record_deviations(results, "figure-4a", found)
    least_single = with_threshold(_index_columns(single, LEAST), threshold)
    least = least_values(_index_columns(chosen, LEAST), least_single, least_of=least_of)
    keep_least(results, least)
    record_least(results, least, {problem.name: problem.data for problem in problems})
    if not beyond:
        return results
    _all_least(results, _index_columns(means, LEAST), _index_columns(single, LEAST))
    shown = replace_zero_division(VARYING, zero_division)
    record_sampling(results, "sampling-spread-multi-class", problems, shown, spawn, draws)
    record_stability(results, "rank-stability-multi-class", chosen)
    every = replace_zero_division(indices, zero_division)
    record_power(results, "power-multi-class", problems, every, spawn, draws)
    return results


@study(
    "second-witness",
    scores=[
        """keel-imbalanced | rrt-pairs | varying sc lexiboost3; varying sc nbsvm; varying sc
        rusboost10; varying sc smote mlp8"""
    ],
    profiles={"tiny": {"draws": 50}, "quick": {"draws": 100}},
    variants={"profiles": ["paper"], "with": {"beyond": False}, "frames": ["deviations"]},
)
def second_witness(
    scores: Scores,
    spawn: Spawn,
    shared: Shared,
    *,
    classifiers: dict[str, str] = {
        "varying sc lexiboost3": "Dual-LexiBoost",
        "varying sc nbsvm": "NBSVM",
        "varying sc rusboost10": "RUSBoost",
        "varying sc smote mlp8": "SMOTE + MLP",
    },
    threshold: str = "as published",
    zero_division: float | None = 0.0,
    averaging: str = "pooled",
    divisor: str = "n - 1",
    draws: Count = 500,
    beyond: bool = True,
) -> Results:
    """Measure on a collection of two-class sets what `two_class` measures on the work's problems.

    scores, spawn, classifiers, threshold, zero_division, averaging, divisor, draws, beyond: As in
        `two_class`.
    """
    results = Results()
    problems, _, means = shared(_measure, scores, classifiers, TWO, zero_division)
    chosen = with_threshold(means, threshold)
    found = deviations(chosen, averaging=averaging, divisor=divisor)
    results.add_frame("deviations", found)
    if not beyond:
        record_deviations(results, "second-witness-deviations", found)
        return results
    indices = replace_zero_division(TWO, zero_division)
    _all_deviations(results, "second-witness-deviations", means, divisor)
    undefined_shares(results, "second-witness-deviations", problems, TWO)
    record_order(results, "second-witness", found)
    record_stability(results, "rank-stability-second-witness", chosen)
    record_power(results, "power-second-witness", problems, indices, spawn, draws)
    return results


def _measure(
    scores: Scores,
    classifiers: Mapping[str, str],
    indices: Mapping[str, MatrixIndex],
    zero_division: float | None,
) -> tuple[list[Problem], pd.DataFrame, pd.DataFrame]:
    """Return the problems, the indices on each fold and test set, and their means over folds."""
    problems = counted_problems(scores, classifiers)
    single = performances(problems, replace_zero_division(indices, zero_division))
    return problems, single, mean_performances(single)


def _index_columns(table: pd.DataFrame, indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
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
                results.number("figure-5-variants", row, str(index), part.mean(), n=len(part))


def _label(threshold: str) -> str:
    return "" if threshold == "as published" else f", NBSVM {threshold}"
