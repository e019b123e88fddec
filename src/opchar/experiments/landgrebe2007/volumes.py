"""Error and volume under the ROC hypersurface of classifiers on real data (thesis, Sec. 3.3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from opchar.experiments.differences import Differences
from opchar.experiments.landgrebe2007.volume_measures import (
    JUDGED,
    MEASURES,
    Grid,
    fold_volume,
    measure_fold,
    pair_areas,
    ratio_gap,
)
from opchar.experiments.statistics import add_analysis, anova, compared, f_spread
from opchar.results import STAND_IN, Results
from opchar.scores import ScoreTable

THREE, FOUR = "table-3.5", "table-3.6"
ANALYSES = "table-3.5-anova"
RANGES = "table-3.5-weights"


@dataclass(frozen=True)
class Compared:
    """The models of one data set, measured and compared.

    Parameters
    ----------
    data : str
        What results must name.
    means : dict of measure to dict of printed model name to float
    found : dict of measure to Differences
    said : dict of measure to str
        All pairs in words.
    designs : dict of measure to DataFrame
        Columns model, fold, value.
    """

    data: str
    means: dict[str, dict[str, float]]
    found: dict[str, Differences]
    said: dict[str, str]
    designs: dict[str, pd.DataFrame]

    def evidence(self, *models: str) -> str:
        """Return error and volume of models, and what the tests find for each two of them."""
        shown = models or tuple(self.means["VUS"])
        values = ", ".join(
            f"{model} {self.means['Error'][model]:.3f} and {self.means['VUS'][model]:.3f}"
            for model in shown
        )
        pairs = tuple(f"{first} - {second} = " for first, second in combinations(shown, 2))
        tests = []
        for name in JUDGED:
            test, _, said = self.said[name].partition(": ")
            told = ", ".join(part for part in said.split(", ") if part.startswith(pairs))
            tests.append(f"{name}, {test}: {told}")
        return f"error and VUS: {values}; {'; '.join(tests)}"

    def rank_correlation(self) -> float:
        """Return Spearman's correlation of mean error and mean volume."""
        errors = self.means["Error"]
        volumes = [self.means["VUS"][model] for model in errors]
        return float(spearmanr([*errors.values()], volumes).statistic)


def real_data(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    problems: list[dict[str, Any]],
    grids: dict[int, Grid],
    alpha: float,
    misplaced: dict[str, str],
    same: dict[str, str],
    ranges: dict[str, Any],
    tracks: float,
    close: float,
    poor: float,
) -> Results:
    """Compare models by error rate and volume on problems of three and four classes.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        Models of a data set in the order of the table, over the same folds.
    problems : list of dict
        ``artefact``, ``data``, ``title`` and ``models``, the models' printed names in order;
        ``stand_in`` says of what the data are a stand-in when the work does not define them.
    grids : dict of int to [low, high, r]
        Weights by the number of classes.
    alpha : float
        Level of significance.
    misplaced : dict of str to str
        Printed rows that stand under the wrong data set, with the rows whose models they are.
    same : dict of str to str
        Rows that are compared with another one for having its operating points.
    ranges : dict
        ``data``, ``folds`` and ``grids``: volumes on several grids of weights.
    tracks : float
        The volume tracks the error when Spearman's correlation is not above this.
    close, poor : float
        A volume is close to one from the first on, and poor up to the second.

    Returns
    -------
    Results
        ``table-3.5``, ``table-3.6``, ``text-3.3.5`` and ``text-3.3.6``; the analyses of variance
        and the volumes on several grids under labels of their own.

    References
    ----------
    landgrebe2007, Sec. 3.3.5.
    """
    results = Results()
    measured: dict[str, Compared] = {}
    rows: list[Row] = []
    for problem in problems:
        tables = [table for (name, _), table in scores.items() if name == problem["data"]]
        design = _design(dict(zip(problem["models"], tables, strict=True)), grids)
        given = f"stand-in for {problem['stand_in']}" if "stand_in" in problem else tables[0].data
        measured[problem["title"]] = _compare(design, given, alpha)
        rows += [
            Row(problem["artefact"], f"{problem['title']} / {model}", given, lines, table)
            for (model, lines), table in zip(
                design.groupby("model", sort=False), tables, strict=True
            )
        ]
    _table(results, rows, misplaced, same)
    for title, one in measured.items():
        for measure, lines in one.designs.items():
            add_analysis(results, ANALYSES, f"{title}, {measure}", lines, data=one.data)
    _three_classes(results, measured)
    _four_classes(results, measured, tracks, close, poor)
    _overall(results, measured)
    _ranges(results, scores, **ranges)
    return results


@dataclass(frozen=True)
class Row:
    """One printed row: where it stands, what its measures are and which scores are behind them."""

    artefact: str
    name: str
    data: str
    lines: pd.DataFrame
    table: ScoreTable


def _design(named: Mapping[str, ScoreTable], grids: Mapping[int, Grid]) -> pd.DataFrame:
    """Measure all folds of all models; columns model, fold and one a measure."""
    return pd.DataFrame(
        [
            {"model": model, "fold": fold} | measure_fold(part, grids[len(part.classes)])
            for model, table in named.items()
            for fold, part in table.folds()
        ]
    )


def _compare(design: pd.DataFrame, data: str, alpha: float) -> Compared:
    designs = {
        name: design[["model", "fold", name]].rename(columns={name: "value"}) for name in JUDGED
    }
    tests = {name: compared(lines, ("model", "fold"), alpha) for name, lines in designs.items()}
    means = {name: dict(found.means) for name, (found, _) in tests.items()}
    return Compared(
        data,
        means,
        {name: found for name, (found, _) in tests.items()},
        {name: said for name, (_, said) in tests.items()},
        designs,
    )


def _bound_note(table: ScoreTable) -> str:
    """Say which two classes bound the volume, over all folds together."""
    area, first, second = min(pair_areas(table))
    return f"no volume exceeds the AUC of {first} against {second}, {area:.3f} on all folds"


def _note(
    row: Row, measure: str, rows: Mapping[str, Row], other: str | None, twin: str | None
) -> str:
    """Return what is known about a printed cell."""
    if other is not None and measure in JUDGED:
        there = rows[other].lines[measure]
        return (
            f"as {other} it would be {there.mean():.3f} ({there.std():.3f}): the printed row "
            "belongs there"
        )
    if measure != "VUS":
        return ""
    if twin is None:
        return _bound_note(row.table)
    return (
        f"log ratios of scores are those of {twin} times a factor and shifted, up to "
        f"{ratio_gap(row.table, rows[twin].table):.1e}, so that both have the same operating points"
    )


def _table(
    results: Results,
    rows: Sequence[Row],
    misplaced: Mapping[str, str],
    same: Mapping[str, str],
) -> None:
    """Add the cells of both tables, with what is known about printed rows in their notes."""
    by_name = {row.name: row for row in rows}
    for row in rows:
        for measure in MEASURES:
            results.number(
                row.artefact,
                row.name,
                measure,
                float(row.lines[measure].mean()),
                std=float(row.lines[measure].std()),
                n=len(row.lines),
                unit="fraction",
                data=row.data,
                note=_note(row, measure, by_name, misplaced.get(row.name), same.get(row.name)),
            )


def _three_classes(results: Results, measured: Mapping[str, Compared]) -> None:
    """Add the statements on the three-class problems."""
    banana, sat, sign = (measured[title] for title in ("Banana", "Sat", "Sign"))
    nmc, *others = banana.means["VUS"]
    worst_first = sorted(banana.means["Error"], key=banana.means["Error"].__getitem__)[::-1]
    results.claim(
        THREE,
        "Banana",
        worst_first == sorted(banana.means["VUS"], key=banana.means["VUS"].__getitem__)
        and all(banana.found["Error"].above(nmc, other) for other in others)
        and all(banana.found["VUS"].above(other, nmc) for other in others),
        banana.evidence(),
        data=banana.data,
    )
    results.claim(
        THREE,
        "Sat ldc vs qdc",
        sat.found["Error"].similar("ldc", "qdc") and sat.found["VUS"].above("qdc", "ldc"),
        sat.evidence("ldc", "qdc"),
        data=sat.data,
    )
    models = tuple(sign.means["VUS"])
    results.claim(
        THREE,
        "Sign",
        sign.found["VUS"].similar(*models) and not sign.found["Error"].similar(*models),
        sign.evidence(),
        data=sign.data,
    )
    volumes = sat.designs["VUS"]
    pair = volumes[volumes["model"].isin(["ldc", "qdc"])].reset_index(drop=True)
    test = anova(pair)
    results.number(
        "text-3.3.5",
        "Sat ldc vs qdc, VUS",
        "F-value",
        test.F("model"),
        std=f_spread(pair),
        n=1,
        unit="F",
        data=sat.data,
        note=f"df {test.df('model')}, p = {test.p('model'):.2g}; spread by leaving out one fold "
        f"at a time; with all models of the table F = {anova(volumes).F('model'):.1f}",
    )


def _four_classes(
    results: Results, measured: Mapping[str, Compared], tracks: float, close: float, poor: float
) -> None:
    """Add the statements on the four-class problems."""
    vehicle, digits = (measured[title] for title in ("Vehicle", "Digits"))
    results.claim(
        FOUR,
        "Vehicle fisher nmc vs ldc",
        vehicle.found["Error"].similar("fisher nmc", "ldc")
        and vehicle.found["VUS"].above("ldc", "fisher nmc"),
        vehicle.evidence("fisher nmc", "ldc"),
        data=vehicle.data,
    )
    volumes = digits.means["VUS"]
    correlation = digits.rank_correlation()
    results.claim(
        FOUR,
        "Digits",
        correlation <= tracks and max(volumes.values()) >= close and min(volumes.values()) <= poor,
        f"Spearman's correlation of mean error and VUS {correlation:.2f}; VUS from "
        f"{min(volumes.values()):.3f} to {max(volumes.values()):.3f}",
        data=digits.data,
    )


def _overall(results: Results, measured: Mapping[str, Compared]) -> None:
    """Add the conclusion over the data sets at hand, without stand-ins where there are others."""
    real = {t: one for t, one in measured.items() if not one.data.startswith(STAND_IN)} or measured
    correlations = {title: one.rank_correlation() for title, one in real.items()}
    equal = {
        title: [
            f"{first} and {second}"
            for first, second in combinations(one.means["VUS"], 2)
            if one.found["Error"].similar(first, second) and one.found["VUS"].differ(first, second)
        ]
        for title, one in real.items()
    }
    falling = sum(correlation < 0 for correlation in correlations.values())
    results.claim(
        "text-3.3.6",
        "overall",
        falling > len(correlations) / 2 and any(equal.values()),
        "Spearman's correlation of mean error and VUS: "
        + ", ".join(f"{title} {value:.2f}" for title, value in correlations.items())
        + "; equal error and other VUS: "
        + "; ".join(f"{title} {', '.join(pairs)}" for title, pairs in equal.items() if pairs),
        data="; ".join(dict.fromkeys(one.data for one in real.values())),
    )


def _ranges(
    results: Results,
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    data: str,
    folds: int,
    grids: Sequence[Grid],
) -> None:
    """Add the volumes of the models of one data set on several grids of weights."""
    for (name, model), table in scores.items():
        if name != data:
            continue
        parts = [part for _, part in table.folds()][:folds]
        for low, high, r in grids:
            volumes = [fold_volume(part, [low, high, r]) for part in parts]
            results.number(
                RANGES,
                f"{low:g} to {high:g}, r = {int(r)}",
                model,
                float(np.mean(volumes)),
                unit="volume",
                data=table.data,
            )
