"""What Secs. 3.3.5 and 3.3.6 say of error and volume of classifiers on real data."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from opchar.ranges import Rate
from opchar.statistics.differences import Differences, differences
from opchar_reproduction.publications.landgrebe2007.paired_claims import of_problem
from opchar_reproduction.results import STAND_IN
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

LEAST_FOLDS = 2
BOUND = "least AUC of two classes"


@statement("0311")
def volume_tracks_error_and_one_model_is_worst(
    measured: Measurements,
    *,
    problem: str = "Banana",
    worst: str = "sc-pca1 nmc",
    alpha: Rate = 0.005,
) -> Finding:
    """Sec. 3.3.5, Banana: VUS tracks the error; nmc has a high error and a much lower VUS."""
    lines = _lines(measured, problem)
    if _few(lines):
        return _find_undecided(lines)
    error, volume = _compare_models(lines, "Error", alpha), _compare_models(lines, "VUS", alpha)
    others = [model for model in error.means if model != worst]
    reverse = sorted(error.means, key=error.means.__getitem__)[::-1]
    by_volume = sorted(volume.means, key=volume.means.__getitem__)
    parts = {
        "VUS tracks the error": reverse == by_volume,
        f"{worst} has the high error": all(error.above(worst, other) for other in others),
        f"{worst} has a much lower VUS": all(volume.above(other, worst) for other in others),
    }
    return conjunction(parts, _evidence(error, volume, list(error.means)), _data(lines))


def same_error_but_other_volume(
    measured: Measurements, *, problem: str, worse: str, better: str, alpha: Rate
) -> Finding:
    """Sec. 3.3.5: two models have the same error statistically, one has a larger VUS."""
    lines = _lines(measured, problem)
    if _few(lines):
        return _find_undecided(lines)
    error, volume = _compare_models(lines, "Error", alpha), _compare_models(lines, "VUS", alpha)
    parts = {
        "the errors do not differ": error.similar(worse, better),
        f"{better} has the larger VUS": volume.above(better, worse),
    }
    return conjunction(parts, _evidence(error, volume, [worse, better]), _data(lines))


@statement("0314")
def volumes_are_similar_though_errors_differ(
    measured: Measurements, *, problem: str = "Sign", alpha: Rate = 0.005
) -> Finding:
    """Sec. 3.3.5, Sign: similar VUS scores result for all classifiers."""
    lines = _lines(measured, problem)
    if _few(lines):
        return _find_undecided(lines)
    error, volume = _compare_models(lines, "Error", alpha), _compare_models(lines, "VUS", alpha)
    models = list(error.means)
    parts = {
        "no VUS differ": volume.similar(*models),
        "some errors differ": not error.similar(*models),
    }
    return conjunction(parts, _evidence(error, volume, models), _data(lines))


@statement("0316")
def volume_tracks_error_from_poor_to_one(
    measured: Measurements,
    *,
    problem: str = "Digits",
    tracks: float = -0.7,
    close: float = 0.95,
    poor: float = 0.75,
) -> Finding:
    """Sec. 3.3.5, Digits: VUS tracks the error; some models approach one, others are poor."""
    lines = _lines(measured, problem)
    means = lines.groupby("model")[["Error", "VUS", BOUND]].mean()
    correlation = _rank_correlation(means["Error"], means["VUS"])
    least, most = means["VUS"].min(), means["VUS"].max()
    return conjunction(
        {
            "VUS tracks the error": correlation <= tracks,
            "some classifier comes close to a VUS of 1": most >= close,
            "some classifier is poor": least <= poor,
        },
        f"rank correlation of mean error and VUS {correlation:.2f}; VUS from {least:.3f} to "
        f"{most:.3f}; least AUC of two classes, its bound, up to {means[BOUND].max():.3f}",
        _data(lines),
    )


@statement("1074")
def worse_errors_often_have_lower_volumes(
    measured: Measurements, *, share: float = 0.5, alpha: Rate = 0.005
) -> Finding:
    """Sec. 3.3.6: poor error rates often lead to poor VUS, but not all equal errors to equal VUS.

    Pairs of models of one data set are counted, over all data sets that are not stand-ins.
    """
    frame = measured.frame("measured")
    real = frame[~frame["data"].str.startswith(STAND_IN)]
    lines = real if len(real) else frame
    apart, lower, equal, other = 0, 0, 0, 0
    for _, part in lines.groupby("problem", sort=False):
        if _few(part):
            continue
        error, volume = _compare_models(part, "Error", alpha), _compare_models(part, "VUS", alpha)
        for first, second in combinations(error.means, 2):
            if error.differ(first, second):
                worse, better = sorted((first, second), key=error.means.__getitem__)[::-1]
                apart, lower = apart + 1, lower + volume.above(better, worse)
            else:
                equal, other = equal + 1, other + volume.differ(first, second)
    return conjunction(
        {
            "poor errors go with poor VUS": apart > 0 and lower > share * apart,
            "some models of equal error differ in VUS": other > 0,
        },
        f"of {apart} pairs of models with different errors the worse has the lower VUS in {lower}; "
        f"of {equal} pairs with similar errors {other} differ in VUS",
        _data(lines),
    )


def _lines(measured: Measurements, problem: str) -> pd.DataFrame:
    return measured.rows("measured", of_problem, problem)


def _few(lines: pd.DataFrame) -> bool:
    """Tell whether there are too few hold-outs, as when few of a short set's are drawn."""
    return lines["fold"].nunique() < LEAST_FOLDS


def _find_undecided(lines: pd.DataFrame) -> Finding:
    return Finding(False, f"fewer than {LEAST_FOLDS} hold-outs", _data(lines))


def _data(lines: pd.DataFrame) -> str:
    return "; ".join(dict.fromkeys(lines["data"]))


def _compare_models(lines: pd.DataFrame, measure: str, alpha: float) -> Differences:
    """Compare the models of one problem by Tukey's test with hold-outs as blocks."""
    rows, models = pd.factorize(lines["model"])
    columns, folds = pd.factorize(lines["fold"])
    values = np.full((1, len(models), len(folds)), np.nan)
    values[0, rows, columns] = lines[measure]
    return differences(values, list(models), alpha)[0]


def _rank_correlation(first: pd.Series, second: pd.Series) -> float:
    """Return Spearman's correlation; NaN where one of both does not vary."""
    one, other = rankdata(first), rankdata(second)
    if one.std() == 0 or other.std() == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def _evidence(error: Differences, volume: Differences, models: Sequence[str]) -> str:
    """Return error and volume of models, and which of these differ."""
    means = ", ".join(
        f"{model} {error.means[model]:.3f} and {volume.means[model]:.3f}" for model in models
    )

    pairs = list(combinations(models, 2))

    def differ(found: Differences) -> str:
        differing = [pair for pair in pairs if found.differ(*pair)]
        if len(pairs) > 1:
            return f"{len(differing)} of {len(pairs)} pairs"
        return "yes" if differing else "no"

    return f"error and VUS: {means}; errors differ: {differ(error)}; VUS differ: {differ(volume)}"
