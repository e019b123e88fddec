"""Error and volume under the ROC hypersurface of classifiers on real data (thesis, Sec. 3.3.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logit

from opchar.multiclass.roc.bounds import pair_areas
from opchar.multiclass.roc.hypersurface import vus
from opchar.multiclass.roc.weighted_scores import Floats, weighted_scores
from opchar.scores import ScoreTable
from opchar.statistics.variance import anova, f_spread
from opchar_reproduction.publications.landgrebe2007.variance_lines import add_analysis
from opchar_reproduction.results import Results, keep_repeats
from opchar_reproduction.study import Shared, settings, study

PROBLEMS = settings(__file__, "problems.csv")

Grid = Sequence[float]
Scores = Mapping[tuple[str, str], ScoreTable]
MIXTURE, REST_LAST = "mogc2,1,2", "mogc2,2,1"
DEVIATION, POSTERIORS = "standard deviation", "posteriors"
ANALYSES, RANGES = "table-3.5-anova", "table-3.5-weights"
JUDGED, BOUND = ["Error", "VUS"], "least AUC of two classes"


@study(
    "volumes",
    kind="vus",
    scores=[
        "banana-3 | holdout-10 | sc pca1 nmc; sc mogc2,2,1; sc qdc; sc ldc",
        "satellite-3 | holdout-10 | knnc3; ldc; qdc; mogc2,1,2; mogc2,2,1",
        """road-sign-3 | holdout-10-slow | sc pca8 svc p2; sc pca10 mogc2,2,2; pca5 mogc2,2,2; pca5
        qdc""",
        "statlog-vehicle | holdout-10 | fisher nmc; ldc; qdc; sc svc p2; sc svc p3; nlfisher qdc",
        """mfeat-fou-369 | holdout-10 | sc svc p3; nlfisher qdc; pca10 mogc1,1,1,3; pca15
        mogc1,1,1,3; pca5 mogc1,1,1,3; pca10 qdc; pca10 ldc; nlfisher mogc1,1,1,3""",
    ],
    profiles={
        "tiny": {
            "grids": {"3": [1e-10, 1e10, 30], "4": [1e-10, 1e10, 12]},
            "ranges": {"data": "satellite-3", "folds": 1, "grids": [[0.001, 1000.0, 30]]},
        }
    },
    variants={
        "combine": "pairs",
        "pairs": [
            ["printed spread", "labels of rows"],
            ["printed spread", "output of the classifiers"],
            ["labels of rows", "output of the classifiers"],
            ["weight range", "order of the components"],
        ],
        "with": {"beyond": False},
        "frames": ["measured"],
    },
    units="fold",
)
def real_data(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    shared: Shared,
    problems: list[dict[str, Any]] = PROBLEMS,
    grids: dict[str, Grid] = {"3": [1e-10, 1e10, 100], "4": [1e-10, 1e10, 80]},
    misplaced: dict[str, str] = {
        "Digits / sc-svc p3": "Vehicle / sc-svc p3",
        "Digits / nlfisher qdc": "Vehicle / nlfisher qdc",
    },
    ranges: dict[str, Any] = {
        "data": "satellite-3",
        "folds": 2,
        "grids": [
            [0.001, 1000.0, 100],
            [1e-06, 1000000.0, 100],
            [1e-10, 10000000000.0, 100],
            [1e-20, 1e20, 100],
            [1e-20, 1e20, 200],
            [1e-40, 1e40, 400],
        ],
    },
    compared: dict[str, str] = {
        "title": "Sat",
        "artefact": "text-3.3.5",
        "row": "Sat ldc vs qdc, VUS",
    },
    printed_spread: str = DEVIATION,
    relabelled: dict[str, str] | None = None,
    output: str = POSTERIORS,
    rest_last: bool = False,
    beyond: bool = True,
) -> Results:
    """Compare models by error rate and volume on problems of three and four classes.

    `problems`: ``artefact``, ``data``, ``title`` and ``models``, the models' printed names in
    order; ``stand_in`` says of what the data are a stand-in when the work does not define them.
    `grids`: Weights by the number of classes.
    `misplaced`: Printed rows that stand under the wrong data set, with the rows whose models they
    are.
    `ranges`: ``data``, ``folds`` and ``grids``: volumes on several grids of weights.
    `compared`: The title of the problem whose F-value of the volumes the text prints, and the row
    and label of that number: ``title``, ``artefact`` and ``row``.
    `printed_spread`: What the work prints in parentheses. Lines have the same, so that they can be
    compared: a standard deviation over folds, or one mean with its standard error.
    `relabelled`: Printed rows with the rows whose models they are taken to be.
    `output`: What weights multiply (`outputs`).
    `rest_last`: Whether the last number of components of Sat belongs to the class ``rest``, the
    first one of the data.
    `beyond`: Whether analyses of variance and volumes on several grids stand beside the tables.

    landgrebe2007, Sec. 3.3.5.
    """
    in_order = _in_order(scores, rest_last)
    results = Results()
    rows: dict[str, Row] = {}
    for problem in problems:
        found = _measure_problem(shared, in_order, output, problem, grids)
        results.add_frame("measured", found)
        tables = [table for (name, _), table in in_order.items() if name == problem["data"]]
        named = dict(zip(problem["models"], tables, strict=True))
        for model, lines in found.groupby("model", sort=False):
            row = Row(problem["artefact"], lines["data"].iloc[0], lines, named[model])
            rows[f"{problem['title']} / {model}"] = row
    _add_table(results, rows, misplaced, relabelled or {}, printed_spread)
    for name, lines in results.curves["measured"].groupby("problem", sort=False):
        title, given = str(name), str(lines["data"].iloc[0])
        for measure in JUDGED:
            design = lines[["model", "fold", measure]].rename(columns={measure: "value"})
            design = design.reset_index(drop=True)
            if beyond:
                add_analysis(results, ANALYSES, f"{title}, {measure}", design, data=given)
            if (title, measure) == (compared["title"], "VUS"):
                _add_printed_f(results, compared["artefact"], compared["row"], design, given)
    if beyond:
        _add_ranges(results, in_order, **ranges)
    return results


def _in_order(scores: Scores, rest_last: bool) -> Scores:
    """Return one mixture of Sat: that of the components in the order that is meant."""
    taken = {MIXTURE: REST_LAST} if rest_last else {}
    return {
        (data, model): scores[data, taken.get(model, model)]
        for data, model in scores
        if model != REST_LAST
    }


def _measure_problem(
    shared: Shared,
    scores: Scores,
    output: str,
    problem: Mapping[str, Any],
    grids: Mapping[str, Grid],
) -> pd.DataFrame:
    """Return the measures of a problem: model, fold, those of `measure_fold`, problem and data."""
    own = [table for (name, _), table in scores.items() if name == problem["data"]]
    tables = [shared(_with_outputs, table, output) for table in own]
    named = dict(zip(problem["models"], tables, strict=True))
    given = f"stand-in for {problem['stand_in']}" if "stand_in" in problem else tables[0].data
    found = shared(_measure_folds, named, grids[str(len(tables[0].classes))])
    return found.assign(problem=problem["title"], data=given)


def _with_outputs(table: ScoreTable, output: str) -> ScoreTable:
    """Return a score table with the scores that weights multiply."""
    return replace(table, scores=outputs(table.scores, output))


def outputs(posteriors: Floats, output: str) -> Floats:
    """Return what weights multiply.

    landgrebe2007, Secs. 3.2.2 (outputs may be distances) and 3.3.3 (posteriors).

    Shapes: `posteriors` (n, C); returned (n, C).
    """
    if output == POSTERIORS:
        return posteriors
    eps = float(np.finfo(float).eps)
    farthest = float(logit(1 - eps))
    return np.clip(logit(np.clip(posteriors, eps, 1 - eps)) / (2 * farthest) + 0.5, 0, 1)


def _measure_folds(named: Mapping[str, ScoreTable], grid: Grid) -> pd.DataFrame:
    """Measure all folds of all models; columns model, fold and one for each measure."""
    return pd.DataFrame(
        [
            {"model": model, "fold": fold} | measure_fold(part, grid)
            for model, table in named.items()
            for fold, part in table.folds()
        ]
    )


def measure_fold(table: ScoreTable, grid: Grid) -> dict[str, float]:
    """Measure the scores of one test set."""
    return {
        "Error": float((table.scores.argmax(axis=1) != table.y).mean()),
        "VUS": fold_volume(table, grid),
        BOUND: min(pair_areas(table.y, table.scores))[0],
    }


def fold_volume(table: ScoreTable, grid: Grid) -> float:
    """Return the simplified VUS of one test set, on a grid ``[low, high, r]`` of weights."""
    low, high, r = grid
    return vus(weighted_scores(table.y, table.scores, int(r), low=low, high=high))


@dataclass(frozen=True)
class Row:
    """A printed row: where it stands, what its measures are and which scores are behind them."""

    artefact: str
    data: str
    lines: pd.DataFrame
    table: ScoreTable


def _add_table(
    results: Results,
    rows: Mapping[str, Row],
    misplaced: Mapping[str, str],
    relabelled: Mapping[str, str],
    printed_spread: str,
) -> None:
    """Add the cells of both tables, with what is known about printed rows in their notes.

    Rows that are `relabelled` have the measures of another one.
    """
    meant = {name: rows[relabelled.get(name, name)] for name in rows}
    for name, row in meant.items():
        artefact, count = rows[name].artefact, len(row.lines)
        shares, n = (1, count) if printed_spread == DEVIATION else (np.sqrt(count), 1)
        for measure in [*JUDGED, BOUND]:
            values = row.lines[measure]
            note = _bound_note(row.table) if measure == "VUS" else ""
            if name in misplaced and measure in JUDGED:
                there = meant[misplaced[name]].lines[measure]
                note = (
                    f"as {misplaced[name]} it is {there.mean():.3f} ({there.std():.3f}), so that "
                    "the printed row may belong there"
                )
            about: dict[str, Any] = {"unit": "fraction", "data": row.data, "note": note}
            std = float(values.std() / shares)
            results.number(artefact, name, measure, values.mean(), std=std, n=n, **about)
            keep_repeats(results, artefact, name, measure, values)


def _bound_note(table: ScoreTable) -> str:
    """Say which two classes bound the volume, over all folds together."""
    area, first, second = min(pair_areas(table.y, table.scores))
    names = f"{table.classes[first]} against {table.classes[second]}"
    return f"no volume exceeds the AUC of {names}, {area:.3f} on all folds"


def _add_printed_f(
    results: Results, artefact: str, row: str, design: pd.DataFrame, data: str
) -> None:
    """Add the F-value of the volumes of all models, as the text's analysis of variance has them."""
    test = anova(design)
    within, residual = test.df("model")
    note = (
        f"all models of the table, df {within}, {residual}, p = {test.p('model'):.2g}; "
        "spread by leaving out one fold at a time"
    )
    value, std = test.F("model"), f_spread(design)
    results.number(artefact, row, "F-value", value, std=std, n=1, unit="F", data=data, note=note)


def _add_ranges(
    results: Results, scores: Scores, *, data: str, folds: int, grids: Sequence[Grid]
) -> None:
    """Add the volumes of the models of one data set on several grids of weights."""
    for (name, model), each in scores.items():
        if name != data:
            continue
        parts = [part for _, part in each.folds()][:folds]
        for low, high, r in grids:
            row = f"{low:g} to {high:g}, r = {int(r)}"
            volume = float(np.mean([fold_volume(part, [low, high, r]) for part in parts]))
            results.number(RANGES, row, model, volume, unit="volume", data=each.data)
