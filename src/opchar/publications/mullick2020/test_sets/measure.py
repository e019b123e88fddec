"""Indices over test sets with other class ratios than the training set (mullick2020, Sec. 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from opchar.metrics.conditions import MatrixIndex
from opchar.publications.mullick2020.beyond import record_power, record_sampling, record_stability
from opchar.publications.mullick2020.deviations import (
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
from opchar.publications.mullick2020.indices import MULTI_CLASS, TWO_CLASS, replace_zero_division
from opchar.publications.mullick2020.problems import (
    FORMS,
    Problem,
    Scores,
    collapses,
    counted_problems,
    describe,
    undefined_shares,
)
from opchar.ranges import Count
from opchar.results import Results
from opchar.seeds import Spawn
from opchar.study import study, table, variant

Variants = Mapping[str, Mapping[str, Any]]
_Performances = tuple[list[Problem], pd.DataFrame, pd.DataFrame]
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
MODELS = [
    "sc lexiboost3",
    "sc nbsvm",
    "sc rusboost10",
    "sc smote mlp8",
    "sc rusboost10 stumps",
    "sc rusboost10 full",
]
PROBLEMS = [
    """problems: the supplement is not public -> drawn at random from the classes,
    imbalance ratio uniform on a logarithmic scale, sizes between smallest and largest class
    geometric"""
]


@study(
    "two-class",
    scores=[
        {
            "data": "imagenet-inception",
            "protocol": "rrt-two-class",
            "models": MODELS,
        }
    ],
    profiles={"tiny": {"draws": 50}, "quick": {"draws": 200}},
    variants={"measure_all": "two_class_variants", "frames": ["deviations"]},
)
@variant(
    "deviation",
    section="5.3",
    why="""The deviation of the mean performance is over five test sets and four
        classifiers, and not said to be over all twenty values together.""",
    primary="pooled",
    values={"pooled": {}, "averaged over classifiers": {"averaging": "per classifier"}},
    study=["two-class", "multi-class", "second-witness"],
)
@variant(
    "NBSVM",
    section="5.2",
    why="""NBSVM is near-Bayesian by a shift of its threshold, which can leave nothing
        to the smallest class; the settings of the classifiers are in a supplement that is not
        public.""",
    primary="threshold shifted",
    values={"threshold shifted": {}, "threshold not shifted": {"threshold": "without its shift"}},
    study=["two-class", "multi-class", "second-witness"],
)
@variant(
    "trees of RUSBoost",
    section="5.2",
    why="""The base classifier is a decision tree, and its depth is in a supplement
        that is not public.""",
    primary="depth 5 at most",
    values={
        "depth 5 at most": {},
        "one split": {
            "classifiers": {
                "sc lexiboost3": "Dual-LexiBoost",
                "sc nbsvm": "NBSVM",
                "sc rusboost10 stumps": "RUSBoost",
                "sc smote mlp8": "SMOTE + MLP",
            }
        },
        "full": {
            "classifiers": {
                "sc lexiboost3": "Dual-LexiBoost",
                "sc nbsvm": "NBSVM",
                "sc rusboost10 full": "RUSBoost",
                "sc smote mlp8": "SMOTE + MLP",
            }
        },
    },
    study=["two-class", "multi-class"],
)
@variant(
    "0/0",
    section="4",
    why="""A class that nothing is called has no precision. Theorem 3 lets it reach 0
        with the correct objects of the class; a mean may also leave it out.""",
    primary="counts as 0",
    values={"counts as 0": {}, "left out": {"zero_division": None}},
    study=["two-class", "multi-class", "second-witness"],
)
@variant(
    "divisor of the variance",
    section="5.3",
    why="""Whether the standard deviation divides by the number of values or by one
        less is not said.""",
    primary="n - 1",
    values={"n - 1": {}, "n": {"divisor": "n"}},
    study=["two-class", "multi-class", "second-witness"],
)
def two_class(
    scores: Scores,
    spawn: Spawn,
    *,
    classifiers: dict[str, str] = CLASSIFIERS,
    threshold: str = "as published",
    zero_division: float | None = 0.0,
    averaging: str = "pooled",
    divisor: str = "n - 1",
    draws: Count = 2000,
) -> Results:
    """Measure how six indices vary over five test sets on problems of two classes.

    classifiers: Name of each classifier by its model; score tables of other models are passed over.
    threshold ({"as published", "without its shift"}): Of NBSVM.
    zero_division: What an undefined index (0/0) counts as; None leaves it out.
    averaging ({"pooled", "per classifier"}): Whether the deviation is over test sets and
        classifiers together, or over the test sets of each classifier and then averaged.
    divisor ({"n - 1", "n"}): Of the variance.
    draws: Test sets drawn for sampling spreads that cannot be summed exactly, and for the power.
    """
    results = Results()
    indices = replace_zero_division(TWO, zero_division)
    problems, _, means = _measure(scores, classifiers, indices)
    describe(results, "text-5.1-two-class", problems)
    chosen = with_threshold(means, threshold)
    found = deviations(chosen, averaging=averaging, divisor=divisor)
    results.add_frame("deviations", found)
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
        {
            "data": "imagenet-inception",
            "protocol": "rrt-multi-class",
            "models": MODELS,
        },
        {
            "data": "imagenet-inception-10",
            "protocol": "rrt-ten-class",
            "models": MODELS,
        },
    ],
    profiles={"tiny": {"draws": 50}, "quick": {"draws": 200}},
    variants={
        "measure_all": "multi_class_variants",
        "frames": ["deviations", "minima", "minima, few classes", "minima, ten classes"],
    },
)
@variant(
    "least of",
    section="5.5",
    why="""The minimum value that an index achieves on a data set is plotted, and not
        said to be the least of what.""",
    primary="mean performances",
    values={
        "mean performances": {},
        "single folds": {"least_of": "single folds"},
        "test sets, mean over classifiers": {"least_of": "test sets"},
        "classifiers, mean over test sets": {"least_of": "classifiers"},
    },
    study="multi-class",
)
def multi_class(
    scores: Scores,
    spawn: Spawn,
    *,
    classifiers: dict[str, str] = CLASSIFIERS,
    threshold: str = "as published",
    zero_division: float | None = 0.0,
    averaging: str = "pooled",
    divisor: str = "n - 1",
    least_of: str = "mean performances",
    draws: Count = 2000,
) -> Results:
    """Measure how multi-class indices vary over test sets, and their least values.

    scores, spawn, classifiers, threshold, zero_division, averaging, divisor, draws: As in
        `two_class`.
    least_of ({"mean performances", "single folds", "test sets", "classifiers"}): What Figure 5
        takes the least of (`opchar.publications.mullick2020.deviations.least_values`).
    """
    results = Results()
    every = replace_zero_division(VARYING | LEAST, zero_division)
    problems, single, means = _measure(scores, classifiers, every)
    describe(results, "text-5.1", problems)
    varying, chosen = _index_columns(means, VARYING), with_threshold(means, threshold)
    found = deviations(with_threshold(varying, threshold), averaging=averaging, divisor=divisor)
    results.add_frame("deviations", found)
    _all_deviations(results, "figure-4a", varying, divisor)
    undefined_shares(results, "figure-4a", problems, VARYING | LEAST)
    collapses(results, "figure-4a", problems)
    least_single = with_threshold(_index_columns(single, LEAST), threshold)
    least = least_values(_index_columns(chosen, LEAST), least_single, least_of=least_of)
    keep_least(results, least)
    record_least(results, least, {problem.name: problem.data for problem in problems})
    _all_least(results, _index_columns(means, LEAST), _index_columns(single, LEAST))
    shown = replace_zero_division(VARYING, zero_division)
    record_sampling(results, "sampling-spread-multi-class", problems, shown, spawn, draws)
    record_stability(results, "rank-stability-multi-class", chosen)
    record_power(results, "power-multi-class", problems, every, spawn, draws)
    return results


@study(
    "second-witness",
    scores=[
        {
            "data": "keel-imbalanced",
            "protocol": "rrt-pairs",
            "models": [
                "varying sc lexiboost3",
                "varying sc nbsvm",
                "varying sc rusboost10",
                "varying sc smote mlp8",
            ],
        }
    ],
    profiles={"tiny": {"draws": 50}, "quick": {"draws": 100}},
    variants={"measure_all": "second_witness_variants", "frames": ["deviations"]},
)
def second_witness(
    scores: Scores,
    spawn: Spawn,
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
) -> Results:
    """Measure on a collection of two-class sets what `two_class` measures on the work's problems.

    scores, spawn, classifiers, threshold, zero_division, averaging, divisor, draws: As in
        `two_class`.

    Gives ``second-witness``: the share of sets on which one index varies more than another, and
    ``second-witness-deviations``; the frames ``deviations``, ``rank stability`` and ``power``.
    """
    results = Results()
    indices = replace_zero_division(TWO, zero_division)
    problems, _, means = _measure(scores, classifiers, indices)
    chosen = with_threshold(means, threshold)
    found = deviations(chosen, averaging=averaging, divisor=divisor)
    results.add_frame("deviations", found)
    _all_deviations(results, "second-witness-deviations", means, divisor)
    undefined_shares(results, "second-witness-deviations", problems, TWO)
    record_order(results, "second-witness", found)
    record_stability(results, "rank-stability-second-witness", chosen)
    record_power(results, "power-second-witness", problems, indices, spawn, draws)
    return results


def two_class_variants(scores: Scores, *, variants: Variants, **primary: Any) -> dict[str, Results]:
    """Return what `two_class` finds under several variants.

    Decisions are counted once for each choice of classifiers, and indices computed once for each
    value of 0/0; nothing beyond the work is measured.

    Parameters
    ----------
    variants : mapping of str to mapping
        Parameters that each variant changes.
    **primary
        The parameters of `two_class`.
    """
    return _deviations_by_variant(scores, "figure-3", variants, primary)


def second_witness_variants(
    scores: Scores, *, variants: Variants, **primary: Any
) -> dict[str, Results]:
    """Return what `second_witness` finds under several variants.

    Parameters
    ----------
    scores, variants, **primary
        As in `two_class_variants`.
    """
    return _deviations_by_variant(scores, "second-witness-deviations", variants, primary)


def multi_class_variants(
    scores: Scores, *, variants: Variants, **primary: Any
) -> dict[str, Results]:
    """Return what `multi_class` finds under several variants.

    Parameters
    ----------
    scores, variants, **primary
        As in `two_class_variants`, of `multi_class`.
    """
    found = {}
    for name, measured in _by_variant(scores, VARYING | LEAST, primary, variants):
        results = found[name] = Results()
        spread, least = measured.deviations(VARYING), measured.least_values(LEAST)
        results.add_frame("deviations", spread)
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
    """Problems and their performances, and the parameters of a variant."""

    problems: list[Problem]
    single: pd.DataFrame
    means: pd.DataFrame
    settings: Mapping[str, Any]

    def deviations(self, indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
        chosen = with_threshold(_index_columns(self.means, indices), self.settings["threshold"])
        return deviations(
            chosen, averaging=self.settings["averaging"], divisor=self.settings["divisor"]
        )

    def least_values(self, indices: Mapping[str, MatrixIndex]) -> pd.DataFrame:
        means, single = (
            with_threshold(_index_columns(table, indices), self.settings["threshold"])
            for table in (self.means, self.single)
        )
        return least_values(means, single, least_of=self.settings["least_of"])


def _deviations_by_variant(
    scores: Scores, artefact: str, variants: Variants, primary: Mapping[str, Any]
) -> dict[str, Results]:
    """Return the deviations of the indices of two classes under each variant."""
    found = {}
    for name, measured in _by_variant(scores, TWO, primary, variants):
        results = found[name] = Results()
        spread = measured.deviations(TWO)
        results.add_frame("deviations", spread)
        record_deviations(results, artefact, spread)
    return found


def _by_variant(
    scores: Scores,
    indices: Mapping[str, MatrixIndex],
    primary: Mapping[str, Any],
    variants: Variants,
) -> Iterator[tuple[str, _Measured]]:
    """Yield the measurements of each variant; those of equal classifiers and 0/0 are shared."""

    @cache
    def measured(classifiers: tuple[tuple[str, str], ...], zero_division: float) -> _Performances:
        return _measure(scores, dict(classifiers), replace_zero_division(indices, zero_division))

    for name, changes in variants.items():
        settings = {**primary, **changes}
        classifiers = tuple(settings["classifiers"].items())
        yield name, _Measured(*measured(classifiers, settings["zero_division"]), settings)


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


table(
    "text-5.1",
    study="multi-class",
    title="Problems of many classes",
    section="5.1",
    caption="""Number of classes, imbalance ratio and size of the smallest class of each
        drawn problem.""",
    choices=PROBLEMS,
)


table(
    "text-5.1-two-class",
    study="two-class",
    title="Problems of two classes",
    section="5.1",
    caption="Imbalance ratio and size of the smallest class of each drawn problem.",
    choices=PROBLEMS,
)


table(
    "figure-3-values",
    study="two-class",
    title="Mean deviations behind Figure 3, by protocol variant",
    section="5.3",
    caption="""Means over the problems, how often an index is 0/0, and how often a
        classifier calls nothing the smallest class.""",
    lines=["figure-3"],
)


table(
    "figure-3-order",
    study="two-class",
    title="Share of problems on which one index varies more than another",
    section="5.3",
    caption="""Of twelve drawn problems: the index of the row has a larger deviation than
        that of the column, and than all others.""",
)


table(
    "figure-4-values",
    study="multi-class",
    title="Mean deviations behind Figure 4, by protocol variant",
    section="5.4",
    caption="Means over the problems, and how often an index is 0/0.",
    lines=["figure-4a"],
)


table(
    "figure-5-variants",
    study="multi-class",
    title="Least values behind Figure 5, by protocol variant",
    section="5.5",
    caption="""Mean over the problems of one number of classes of the least value: of the
        mean performances over test sets and classifiers, of single folds, over test sets of the
        mean over classifiers, and over classifiers of the mean over test sets.""",
)


table(
    "second-witness",
    study="second-witness",
    title="Which index varies more, on 44 imbalanced sets",
    section="5.3",
    caption="""Share of the KEEL sets on which the index of the row has a larger deviation
        than that of the column, and than all others; the quick profile takes the sets of at
        most 600 objects. The claims about Figure 3 are judged on these sets, too: see the page
        of claims.""",
    choices=["beyond the work", "features that do not vary are left out, set by set"],
)


table(
    "second-witness-deviations",
    study="second-witness",
    title="Mean deviations on 44 imbalanced sets",
    section="5.3",
    caption="As behind Figure 3.",
    choices=["beyond the work"],
)
