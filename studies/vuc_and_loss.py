"""Whether the VUC on artificial outliers predicts the loss on truly unseen classes."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import spearmanr

from opchar.figures import style
from opchar.ranges import Rate
from opchar.reject.operating_point import mean_error
from opchar.reject.volume import vuc
from opchar.scores import ScoreTable, rejecting_threshold
from opchar.statistics.areas import student_quantile
from opchar_reproduction.publications.landgrebe2007.chapter5.score_tables import (
    TARGET,
    by_test_set,
    characteristic,
    pairs,
)
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

LINES, ANSWERS = "reject-vuc-and-loss", "reject-vuc-and-loss-answers"

PREDICTED = {
    "VUC and loss": ("vuc", "loss"),
    "VUC and volume with the hidden class": ("vuc", "vuc unseen"),
    "error on known classes and loss": ("known error", "loss"),
}

AHEAD = "VUC ahead of the error on known classes"


@study(
    "reject-vuc-and-loss",
    kind="reject",
    scores=[
        """statlog-satimage; statlog-vehicle; mfeat-fou; letter-recognition; image-segmentation;
        chromosome-bands | leave-class-out | sc pca5 reject nmc; sc pca5 reject ldc; sc pca5
        reject qdc; sc pca5 reject mogc 2; fisher reject ldc"""
    ],
)
def vuc_and_loss(
    scores: Mapping[tuple[str, str], ScoreTable], *, share: float = 0.05, level: Rate = 0.95
) -> Results:
    """Rank correlation, over models, of the VUC and the loss on a class hidden from training.

    `scores`: score tables by data set and model, of the protocol
    `opchar.reject.unseen.leave_class_out`; `share`: of the held-out targets that the rejection
    threshold leaves out, the same for all models; `level`: of the intervals of means. Returns:
    lines of reject-vuc-and-loss: Spearman's correlation a data set, and their mean with Student's
    interval, data sets as units; by how much the VUC predicts the loss better than the error on
    known classes does; lines of reject-vuc-and-loss-answers, what both intervals say; the frame
    ``vuc and loss`` with a line per data set, model and fold.

    The loss is Eq. 5.16 with the hidden class, at equal errors of the known classes; the volume
    with the hidden class is free of thresholds. A volume that predicts has the correlation -1 with
    the loss, an error that does has 1, so that the VUC is ahead by minus the sum of both.
    """
    frame = pd.DataFrame(
        [
            [table.data, model, fold, *_of_fold(by_test_set(part), share)]
            for (_, model), table in scores.items()
            for fold, part in table.folds()
        ],
        columns=["data set", "model", "fold", "vuc", "loss", "vuc unseen", "known error"],
    )
    return predictions(frame, level)


def predictions(frame: pd.DataFrame, level: float) -> Results:
    """Return what the VUC and the error on known classes predict, and the answers in words."""
    results = Results()
    results.add_frame("vuc and loss", frame)
    means = frame.groupby(["data set", "model"], sort=False)[
        ["vuc", "loss", "vuc unseen", "known error"]
    ].mean()
    found = {
        column: {
            str(name): _correlation(part[one], part[other])
            for name, part in means.groupby(level="data set", sort=False)
        }
        for column, (one, other) in PREDICTED.items()
    }
    volume, known = found["VUC and loss"], found["error on known classes and loss"]
    found[AHEAD] = {name: -volume[name] - known[name] for name in volume}
    n = frame["model"].nunique()
    ends = {column: _mean(results, column, values, n, level) for column, values in found.items()}
    _answers(results, ends)
    return results


def _correlation(one: pd.Series, other: pd.Series) -> float:
    """Return Spearman's correlation, NaN where one of both is the same for all models."""
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(spearmanr(one, other).statistic)


def _of_fold(tests: dict[str, ScoreTable], share: float) -> tuple[float, float, float, float]:
    """Return the volume, the loss, the volume with the hidden class and the known error."""
    sample = characteristic(tests["held out"], tests["sphere"])
    real = characteristic(tests["held out"], tests["unseen"])
    theta = real.equal_error_theta()
    t_d = rejecting_threshold(pairs(tests["held out"], TARGET)[:, 1], share)
    point = real.at(theta, t_d)
    known = real.at(theta, -np.inf)
    return (vuc(sample), mean_error(point), vuc(real), (1 - known.tpr + known.fpr_outlier) / 2)


def _mean(
    results: Results, column: str, found: Mapping[str, float], n: int, level: float
) -> tuple[float, float, str]:
    """Add a value a data set and their mean; return its interval, and both in words."""
    for name, value in found.items():
        results.number(LINES, name, column, value, n=n, data=name)
    values = np.array(list(found.values()))
    mean, std = float(values.mean()), float(values.std(ddof=1))
    reach = student_quantile(level, len(values) - 1) * std / np.sqrt(len(values))
    # What a mean can be: correlations lie within 1 of zero, the sum of two within 2.
    most = 2.0 if column == AHEAD else 1.0
    low, high = np.clip([mean - reach, mean + reach], -most, most)
    note = f"{level:.0%} interval of the mean over data sets: {low:.2f} to {high:.2f}"
    row = "mean over data sets"
    results.number(LINES, row, column, mean, std=std, n=len(values), note=note)
    return low, high, f"mean {mean:.2f} over {len(values)} data sets, {note}"


def _answers(results: Results, ends: Mapping[str, tuple[float, float, str]]) -> None:
    """Add what the intervals say: a correlation or a difference is told where zero is outside."""
    low, high, note = ends["VUC and loss"]
    word = _word(-high, -low, "yes", "no, larger volumes go with larger losses")
    row = "Does the VUC predict the loss on a class that training did not see?"
    results.text(ANSWERS, row, "answer", f"{word}. Spearman's correlation with the loss: {note}.")
    low, high, note = ends[AHEAD]
    word = _word(low, high, "yes", "no, it predicts worse")
    row = "Does it predict better than the error on known classes?"
    paired = "Minus the sum of both correlations with the loss, paired by data set"
    results.text(ANSWERS, row, "answer", f"{word}. {paired}: {note}.")


def _word(low: float, high: float, above: str, below: str) -> str:
    """Return what an interval of an effect says."""
    if low > 0:
        return above
    return below if high < 0 else "not settled"


NAMES = {
    "statlog-satimage": "Satellite",
    "statlog-vehicle": "Vehicle",
    "mfeat-fou": "Digits, Fourier",
    "letter-recognition": "Letter",
    "image-segmentation": "Segmentation",
    "chromosome-bands": "Chromosome bands",
}


@figure("reject-vuc-and-loss")
def volume_and_loss(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw for each data set the loss on a hidden class against the VUC, a point per model."""
    frame = curves["vuc and loss"]
    grouped = frame.groupby(["data set", "model"], sort=False)[["vuc", "loss"]]
    means, errors = grouped.mean(), grouped.sem()
    sets, models = (means.index.unique(level) for level in (0, 1))
    columns = -(-len(sets) // 2)
    figure, panels = style.panels(2, columns, height=4.4)
    found = results.query("column == 'VUC and loss'").set_index("row")["value"]
    for place, (panel, data) in enumerate(zip(panels, sets, strict=False)):
        for number, model in enumerate(models):
            if (data, model) not in means.index:
                continue
            point, error = means.loc[(data, model)], errors.loc[(data, model)]
            panel.errorbar(
                *(point["vuc"], point["loss"], error["loss"], error["vuc"]),
                ls="none",
                ms=5,
                marker=style.MARKERS[number],
                color=style.COLOURS[number],
                elinewidth=0.8,
                label=style.model_label(model),
            )
        panel.set_title(
            f"{NAMES.get(data, data)}\nSpearman {found[data]:.2f}", loc="left", fontsize=7
        )
        panel.set(xlabel="VUC", ylabel="" if place % columns else "loss")
    legend = panels[0].get_legend_handles_labels()
    title = "bars: standard error over splits"
    figure.legend(*legend, loc="outside lower center", ncols=3, title=title)
    return figure
