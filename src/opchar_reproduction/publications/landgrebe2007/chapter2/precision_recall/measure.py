"""Precision-recall operating characteristics in imprecise environments (thesis, Sec. 2.3)."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from opchar.errors import ConfigError
from opchar.metrics.drift import sample_points
from opchar.ranges import Rate, Span
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.spaces.p_roc import exact_auprec, exact_iauprec, least_auprec
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.precision_recall import auprec, iauprec, precision
from opchar.spaces.roc import auc
from opchar.statistics.subsampling import subsample_to_prior
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.publications.landgrebe2007.variance_lines import add_analysis
from opchar_reproduction.results import Results
from opchar_reproduction.study import Shared, study

LETTERS = "ABC"
TABLE = "table-2.3"
TEXT = "text-2.3.6"
EXACT = ", exact integral"
RANGE_STEPS = 101
WAYS = {2: ["model", "fold"], 3: ["model", "fold", "prior"]}
ANALYSES = [
    ("2-way ANOVA on IAUPREC", "IAUPREC", WAYS[2]),
    ("3-way ANOVA on AUPREC with prior as block", "AUPREC", WAYS[3]),
]


@study(
    "p-roc",
    kind="anova",
    scores=[
        """satellite-cotton-damp | holdout-20 | pca3 mogc3; dis15 mindist; dis50 mindist; pca3
        softmogc3; pca3 softmogc3 random; dis15 nmc; dis50 nmc"""
    ],
    variants={
        "combine": "pairs",
        "pairs": [
            ["ends of the sum", "thresholds"],
            ["ends of the sum", "mixtures"],
            ["ends of the sum", "minimum distance"],
            ["thresholds", "minimum distance"],
            ["mixtures", "minimum distance"],
        ],
        "with": {"beyond": False},
        "frames": ["measured", "thinned"],
        "blocks": "column",
    },
    units="fold",
)
def p_roc(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    spawn: Spawn,
    shared: Shared,
    positive: str = "positive",
    priors: list[Rate] = [0.5, 0.1, 0.01],
    prior_range: Span = [0.05, 0.2],
    example: str = "dis50 mindist",
    mixture: str = "pca3 mogc3",
    distances: list[str] = ["dis15 mindist", "dis50 mindist"],
    thresholds: int | None = None,
    ends: bool = True,
    beyond: bool = True,
) -> Results:
    """Compare three models by precision at three priors, over a range of priors, and by AUC.

    `example`: Name of the model behind Fig. 2.5, drawn from its first fold.
    `mixture`: Name of model A.
    `distances`: Names of models B and C.
    `thresholds`: Steps on the posterior at which the ROC is sampled; all thresholds when not given.
    `ends`: Whether the sums of Eqs. 2.8 and 2.9 begin and end where nothing and all is accepted;
    else at the first and the last threshold between.
    `beyond`: Whether exact integrals stand beside the sums.
    ``measured``: the areas of each ``model``, ``fold`` and ``prior``, and ``thinned``: those of the
    example on test sets of each prior; ``ranges``: lowest and highest TPR at each FPR, and
    precision at each recall, over the folds of the example.

    landgrebe2007, Secs. 2.3.4 to 2.3.6.
    """
    tables = {model: table for (_, model), table in scores.items()}
    named = [mixture, *distances]
    missing = [model for model in [*named, example] if model not in tables]
    if len(named) != 3 or missing or len(priors) != 3:
        raise ConfigError(
            f"p_roc compares three models at three priors; there are {len(named)} and "
            f"{len(priors)}, and no scores of {', '.join(missing) or 'others'}"
        )
    curves = {
        letter: shared(_curves, tables[model], positive)
        for letter, model in zip(LETTERS, named, strict=True)
    }
    areas = [
        shared(measure, {letter: each}, priors, prior_range, thresholds, ends, exactly=beyond)
        for letter, each in curves.items()
    ]
    measured = pd.concat(areas, ignore_index=True)
    results = Results()
    _table(results, measured)
    for row, name, factors in ANALYSES:
        design = measured[measured["measure"] == name].reset_index(drop=True)
        add_analysis(results, TEXT, row, design, factors)
    judged = measured[measured["measure"].isin(["AUPREC", "IAUPREC", "AUC"])]
    results.add_frame("measured", judged)
    _example(results, shared(_curves, tables[example], positive), priors)
    results.add_frame("thinned", shared(_areas_by_prior, tables[example], positive, priors, spawn))
    return results


def _curves(table: ScoreTable, positive: str) -> list[OperatingPoints]:
    """Return the operating points of each fold."""
    return [operating_points(*part.log_odds(positive)) for _, part in table.folds()]


def measure(
    curves: Mapping[str, list[OperatingPoints]],
    priors: list[float],
    prior_range: list[float],
    thresholds: int | None = None,
    ends: bool = True,
    *,
    exactly: bool = True,
) -> pd.DataFrame:
    """Return the long table ``model, fold, measure, prior, value``.

    Returned: AUPREC and IAUPREC by the trapezoid of Eq. 2.8 and exactly, and AUC.
    """
    lines = [
        (model, fold, name, prior, value)
        for model, folds in curves.items()
        for fold, whole in enumerate(folds)
        for points in [whole if thresholds is None else sample_points(whole, thresholds)]
        for name, prior, value in _areas(points, priors, prior_range, exactly, ends)
    ]
    return pd.DataFrame(lines, columns=["model", "fold", "measure", "prior", "value"])


def _areas(
    points: OperatingPoints,
    priors: list[float],
    prior_range: list[float],
    exactly: bool,
    ends: bool,
) -> Iterator[tuple[str, float, float]]:
    """Yield measure, prior and value for one curve."""
    low, high = prior_range
    summed = points if ends else points[1:-1]
    for prior in priors:
        yield "AUPREC", prior, auprec(summed, prior)
    yield "IAUPREC", np.nan, iauprec(summed, low, high)
    yield "AUC", np.nan, auc(points)
    if exactly:
        for prior in priors:
            yield f"AUPREC{EXACT}", prior, exact_auprec(points, prior)
        yield f"IAUPREC{EXACT}", np.nan, exact_iauprec(points, low, high)
        yield "IAUPREC over the skew", np.nan, exact_iauprec(points, low, high, over="skew")


def _table(results: Results, measured: pd.DataFrame) -> None:
    """Add means and standard deviations over folds, and the least AUPREC at the mean AUC."""
    mean_auc = measured[measured["measure"] == "AUC"].groupby("model")["value"].mean()
    areas = {str(model): float(area) for model, area in mean_auc.items()}
    bounds: dict[tuple[str, str], float] = {}
    for (name, prior, model), part in measured.groupby(
        ["measure", "prior", "model"], sort=False, dropna=False
    ):
        kind, comma, exact = str(name).partition(EXACT[0])
        row, note = str(name), ""
        if kind == "AUPREC":
            row = f"AUPREC ({prior:g}){comma}{exact}"
        if name == "AUPREC":
            area = areas[str(model)]
            least = least_auprec(area, float(part["prior"].iloc[0]))
            bounds[f"{row}, least possible", f"model {model}"] = least
            note = (
                f"over the whole range of recall; a model with mean AUC {area:.3f} has an area of "
                f"at least {least:.3f}"
            )
        column = f"model {model}"
        add_mean(results, TABLE, row, column, part["value"], unit="fraction", note=note)
    for (row, column), least in bounds.items():
        results.number(TABLE, row, column, least, unit="fraction")


def _example(results: Results, curves: list[OperatingPoints], priors: list[float]) -> None:
    """Add the curves of Fig. 2.5, and their lowest and highest points over all folds."""
    points = curves[0]
    results.add_frame("roc", {"fpr": points.fpr, "tpr": points.tpr})
    for prior in priors:
        heights = precision(points.tpr, points.fpr, prior)
        curve = {"prior": prior, "recall": points.tpr, "precision": heights}
        results.add_frame("precision-recall", pd.DataFrame(curve).dropna())
    at = np.linspace(0, 1, RANGE_STEPS)
    ranges = {"roc": np.array([np.interp(at, each.fpr, each.tpr) for each in curves])}
    recall = at[1:]
    fpr = np.array([np.interp(recall, each.tpr, each.fpr) for each in curves])
    ranges |= {f"{prior:g}": precision(recall, fpr, prior) for prior in priors}
    for space, values in ranges.items():
        columns = {"at": at[-values.shape[1] :], "low": values.min(0), "high": values.max(0)}
        results.add_frame("ranges", {"space": space, "folds": len(curves)} | columns)


def _areas_by_prior(
    table: ScoreTable, positive: str, priors: list[float], spawn: Spawn
) -> pd.DataFrame:
    """Return the areas of each fold on test sets that are thinned to each prior."""
    lines = []
    for fold, part in table.folds():
        is_positive, score = part.log_odds(positive)
        whole = auc(operating_points(is_positive, score))
        for prior in priors:
            kept = subsample_to_prior(is_positive, prior, spawn("thinned", fold, prior))
            thin = operating_points(is_positive[kept], score[kept])
            lines.append((fold, prior, whole, auc(thin), auprec(thin, prior)))
    columns = ["fold", "prior", "AUC of all", "AUC", "AUPREC"]
    return pd.DataFrame(lines, columns=columns)
