"""Accuracy and sensitivity to the prior of classifiers on real data (thesis, Sec. 2.2.6)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from opchar.ranges import Rate, Span
from opchar.scores import ScoreTable
from opchar.statistics.variance import differences_in_words
from opchar_reproduction.publications.landgrebe2007.chapter2.variants import (
    EPSILON,
    EQUAL,
    EQUAL_PRIORS,
    EXCHANGED,
    HEIGHT,
    JUDGED,
    LABELLED,
    LEAST,
    REWEIGHTED,
    Choices,
    measure_fold,
    variants_beside,
)
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.publications.landgrebe2007.variance_lines import add_analysis
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study

TABLE = "table-2.2"
VARIANTS_TABLE = "table-2.2-variants"
TEXT = "text-2.2.6"


@study(
    "prior-sensitivity",
    kind="anova",
    scores=[
        """road-sign | holdout-10 | pca8 mogc4,4; pca12 mogc2,2; sc svc r 16; pca17 mogc2,4; sc svc
        r 22; pca14 mogc2,4""",
        "phoneme | holdout-10 | sc knnc3; sc knnc1; sc parzenc",
        "sonar | holdout-10 | sc knnc3; sc knnc1; pca6 parzenc; sc svc p4",
        "ionosphere | holdout-10 | pca0.999 ldc; fisher qdc; fisher mogc3,3; sc svc r 1.0",
    ],
    variants={"with": {"beyond": False}, "frames": ["measured"]},
    units="fold",
)
def real_data(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    shared: Shared,
    titles: dict[str, str] = {
        "road-sign": "Road sign",
        "phoneme": "Phoneme",
        "sonar": "Sonar",
        "ionosphere": "Ionosphere",
    },
    prior_range: Span = [0.1, 0.9],
    alpha: Rate = 0.005,
    thresholds: int = 100,
    point: str = LEAST,
    sampled: int | None = None,
    area: str = HEIGHT,
    classes: str = LABELLED,
    epsilon: str = EQUAL_PRIORS,
    beyond: bool = True,
) -> Results:
    """Compare models on each data set by AUC, Sens, AccSens and equal error rate (Sec. 2.2.6).

    `thresholds`: Steps of the variants that sample the posterior.
    `point`, `sampled`, `area`, `classes`, `epsilon`: The variant of the table, as the fields of
    `Choices`; `sampled` is its ``thresholds``.
    `beyond`: Whether other variants stand beside the table, and analyses of variance.
    """
    low, high = prior_range
    results = Results()
    variants = {"": Choices(point, sampled, area, classes, epsilon)}
    variants |= variants_beside(thresholds) if beyond else {}
    for data, title in titles.items():
        tables = {model: table for (name, model), table in scores.items() if name == data}
        label = next(iter(tables.values())).data
        measured = measure(tables, variants, low, high, shared)
        _cells(results, title, list(tables), measured, label)
        if beyond:
            _analyses(results, title, measured, alpha, label)
        chosen = measured[(measured["variant"] == "") & (measured["measure"] != EXCHANGED)]
        chosen = chosen.drop(columns="variant").assign(title=title, label=label)
        results.add_frame("measured", chosen)
    return results


def measure(
    tables: Mapping[str, ScoreTable],
    variants: Mapping[str, Choices],
    low: float,
    high: float,
    shared: Shared,
) -> pd.DataFrame:
    """Return the long table ``model, fold, variant, measure, value``; models count from 1."""
    lines = [
        (number, fold, variant_name, name, value)
        for number, table in enumerate(tables.values(), start=1)
        for fold, part in shared(_folds, table)
        for variant_name, found in measure_fold(part, variants, low, high, shared).items()
        for name, value in found.items()
    ]
    return pd.DataFrame(lines, columns=["model", "fold", "variant", "measure", "value"])


def _folds(table: ScoreTable) -> list[tuple[int, ScoreTable]]:
    return list(table.folds())


def _cells(
    results: Results, title: str, models: list[str], measured: pd.DataFrame, label: str
) -> None:
    """Add means and standard deviations of the table, and of the other variants beside them."""
    for number, model in enumerate(models, start=1):
        of_model = measured[measured["model"] == number]
        by_cell = of_model.groupby(["variant", "measure"], sort=False)["value"]
        cells = {(str(variant), str(name)): values for (variant, name), values in by_cell}
        row = f"{title} / {number}) {model}"
        about: dict[str, Any] = {"unit": "fraction", "data": label}
        for (variant, name), values in cells.items():
            if variant:
                row_beside = f"{row}: {variant}"
                add_mean(results, VARIANTS_TABLE, row_beside, name, values, kept=False, **about)
            elif name != EXCHANGED:
                note = _other_variants(cells, name)
                add_mean(results, TABLE, row, name, values, note=note, **about)


def _other_variants(cells: Mapping[tuple[str, str], pd.Series], name: str) -> str:
    """Return the values of one cell under the other variants that the text leaves open."""
    other = {
        variant_name: found
        for (variant_name, measure_), found in cells.items()
        if measure_ == name and variant_name not in ("", REWEIGHTED)
    }
    if name != EPSILON:
        other.pop(LEAST, None)
    if name == "AUC":
        other |= {
            f"{variant_name}, classes exchanged": found
            for (variant_name, measure_), found in cells.items()
            if measure_ == EXCHANGED and variant_name in (LEAST, EQUAL)
        }
    given = ", ".join(
        f"{named.replace(', ', ' with ')} {values.mean():.3f} ({values.std():.3f})"
        for named, values in other.items()
    )
    if not given:
        return ""
    unsaid = "how eps is taken" if name == EPSILON else "the operating point for a prior"
    return f"{unsaid} is not stated; other variants: {given}"


def _analyses(
    results: Results, title: str, measured: pd.DataFrame, alpha: float, label: str
) -> None:
    """Add the analyses of variance of a data set, and the pairs of models that differ."""
    for name in JUDGED:
        chosen = (measured["measure"] == name) & (measured["variant"] == "")
        design = measured[chosen].reset_index(drop=True)
        row = f"{title}, {name}"
        add_analysis(results, TEXT, row, design, data=label)
        found, _ = differences_in_words(design, ("model", "fold"), alpha)
        column = f"pairs that differ at {100 * (1 - alpha):g} %"
        results.text(TEXT, row, column, found.in_words(), data=label)
