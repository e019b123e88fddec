"""Error and volume under the ROC hypersurface of classifiers on real data (thesis, Sec. 3.3.5)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter3.real_sets.lines import (
    ANALYSES,
    DEVIATION,
    add_printed_f,
    add_ranges,
    add_report,
)
from opchar_reproduction.publications.landgrebe2007.chapter3.real_sets.volumes import (
    JUDGED,
    POSTERIORS,
    Grid,
    measure_folds,
    outputs_of,
)
from opchar_reproduction.publications.landgrebe2007.variance_lines import add_analysis
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, settings, study

PROBLEMS = settings(__file__, "problems.csv")

Scores = Mapping[tuple[str, str], ScoreTable]
MIXTURE, REST_LAST = "mogc2,1,2", "mogc2,2,1"


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
    measured = [_measure_problem(shared, in_order, output, problem, grids) for problem in problems]
    results = add_report(in_order, problems, measured, misplaced, printed_spread, relabelled)
    for name, lines in results.curves["measured"].groupby("problem", sort=False):
        title, given = str(name), str(lines["data"].iloc[0])
        for measure in JUDGED:
            design = lines[["model", "fold", measure]].rename(columns={measure: "value"})
            design = design.reset_index(drop=True)
            if beyond:
                add_analysis(results, ANALYSES, f"{title}, {measure}", design, data=given)
            if (title, measure) == (compared["title"], "VUS"):
                add_printed_f(results, compared["artefact"], compared["row"], design, given)
    if beyond:
        add_ranges(results, in_order, **ranges)
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
    """Return the measures of a problem: columns model, fold, `MEASURES`, problem and data."""
    of_problem = {key: table for key, table in scores.items() if key[0] == problem["data"]}
    tables = list(shared(outputs_of, of_problem, output).values())
    number = len(tables[0].classes)
    named = dict(zip(problem["models"], tables, strict=True))
    given = f"stand-in for {problem['stand_in']}" if "stand_in" in problem else tables[0].data
    found = shared(measure_folds, named, {number: grids[str(number)]})
    return found.assign(problem=problem["title"], data=given)
