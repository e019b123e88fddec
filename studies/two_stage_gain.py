"""The gain of holistic design over costs and priors, on other objects than those of its choice."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar.ranges import Rate
from opchar.reject.two_stage.design import TwoStageScores
from opchar.scores import ScoreTable
from opchar.statistics.resampling import mean_of_holdouts
from opchar_reproduction.publications.landgrebe2007.chapter6.systems.designs import two_stage
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

MEASURED = (
    "on training objects",
    "on test objects",
    "loss of the holistic design",
    "loss of rejecting all",
    "rejects all",
)


@study(
    "two-stage-gain",
    kind="reject",
    scores=[
        "banana-outliers | holdout-10-own | two-stage gauss + ldc; two-stage gauss + mogc2",
        """mfeat-fou-348 | holdout-10-own | two-stage pca3 gauss + fisher ldc; two-stage pca5
        gauss + pca2 mogc2""",
    ],
    profiles={"tiny": {"first_costs": [0.25, 4.0], "outlier_priors": [0.25, 0.75]}},
    choices=[
        """cost of all other errors is one; the targets share the remaining prior
        evenly""",
        """holistic design: exact over all pairs of thresholds for two target classes;
        for three the best that a search over weights finds""",
        """intervals: the factor of the variance is 1/n plus test objects for each
        training object (Nadeau and Bengio, 2003), Student's with n - 1 degrees of freedom; for
        each cost and prior alone, not for all together""",
    ],
)
def gain(
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    outlier: str = "outlier",
    first_costs: list[float] = [0.25, 1.0, 4.0, 8.0],
    outlier_priors: list[float] = [0.1, 0.25, 0.5, 0.75],
    steps: int = 8,
    level: Rate = 0.95,
) -> Results:
    """Gain of holistic over independent design on training and on test objects.

    `scores`: score tables by data set and model, with the test sets ``test`` and ``train``;
    `outlier`: name of the outlier class; `first_costs`: cost of missing the first target class;
    that of all other errors is one; `outlier_priors`: prior of the outliers, between zero and one;
    the target classes share the rest evenly; `steps`: weights an axis of the starting grid for
    three target classes; `level`: of the intervals
    (`opchar.statistics.resampling.mean_of_holdouts`). Returns: lines of two-stage-gain, means over
    the folds with intervals for the gain on test objects; the frame ``gain`` with a line a system,
    cost, prior and fold: the relative gain of a design whose thresholds are chosen on the training
    objects, on these and on the test objects, the loss of the holistic design on the test objects,
    that of rejecting all, and whether the design does so; the frame ``intervals`` with a line a
    system, cost and prior.
    """
    results = Results()
    for (data, model), each in scores.items():
        rows, ratios = [], []
        for fold, part in each.folds():
            tests = {str(name): two_stage(each, outlier) for name, each in part.test_sets()}
            train, test = tests["train"], tests["test"]
            ratios.append(len(test.label) / len(train.label))
            for cost in first_costs:
                for prior in outlier_priors:
                    rows.append(
                        [fold, cost, prior, *_measure_gain(train, test, cost, prior, steps)]
                    )
        name = f"{data} / {model.removeprefix('two-stage ')}"
        frame = pd.DataFrame(rows, columns=["fold", "c_t1", "prior", *MEASURED], dtype=float)
        results.add_frame("gain", frame.assign(**{"system": name, "data set": each.data}))
        _lines(results, name, each.data, float(np.mean(ratios)), level)
    return results


def _measure_gain(
    train: TwoStageScores, test: TwoStageScores, cost: float, prior: float, steps: int
) -> list[float]:
    """Return the relative gains and the losses of a cost and a prior, in the order of MEASURED."""
    costs = np.array([cost, *np.ones(train.n_classes)])
    priors = np.append(np.full(train.n_classes, (1 - prior) / train.n_classes), prior)
    independent = train.independent(costs, priors, steps=steps)
    holistic = train.holistic(costs, priors, steps=steps)

    def losses(sample: TwoStageScores) -> list[float]:
        designs = (independent, holistic)
        return [sample.design(d.theta_d, d.theta_c, costs, priors).loss for d in designs]

    def share(of_both: list[float]) -> float:
        return (of_both[0] - of_both[1]) / of_both[0] if of_both[0] > 0 else 0.0

    trained, tested = losses(train), losses(test)
    rejecting = holistic.loss_of_rejecting_all
    return [share(trained), share(tested), tested[1], rejecting, float(holistic.rejects_all)]


def _lines(results: Results, name: str, data: str, test_to_train: float, level: float) -> None:
    """Add the means of a system, with an interval for its gain on test objects."""
    frame = results.curves["gain"]
    own = frame[frame["system"] == name]
    for (cost, prior), part in own.groupby(["c_t1", "prior"], sort=True):
        row = f"{name} / c_t1 = {cost:g}, p(w_o) = {prior:g}"
        unit: dict[str, Any] = {"unit": "% of the loss", "data": data}
        for column in MEASURED[:2]:
            values = 100 * part[column]
            spread: dict[str, Any] = {"std": values.std(), "n": len(values)}
            results.number("two-stage-gain", row, column, values.mean(), **spread, **unit)
        tested = 100 * part["on test objects"]
        mean, low, high = mean_of_holdouts(tested, test_to_train, level)
        for column, end in {"low": low, "high": high}.items():
            words = f"on test objects, {level:.0%} interval, {column}"
            results.number("two-stage-gain", row, words, end, **unit)
        for column in MEASURED[2:4]:
            values = part[column]
            spread, unit = {"std": values.std(), "n": len(values)}, {"unit": "loss", "data": data}
            results.number("two-stage-gain", row, column, values.mean(), **spread, **unit)
        words = "hold-outs in which the holistic design rejects all"
        number = part["rejects all"].sum()
        results.number("two-stage-gain", row, words, number, unit="hold-outs", data=data)
        ends = {"mean": mean, "low": low, "high": high}
        results.add_frame("intervals", {"system": [name], "c_t1": cost, "prior": prior, **ends})


@figure("two-stage-gain")
def gains(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the gain of holistic design on test objects, by cost and prior, with its bands."""
    frame = curves["intervals"]
    names, priors = frame["system"].unique(), sorted(frame["prior"].unique())
    figure, panels = style.panels(1, len(names), height=2.7)
    for panel, name in zip(panels, names, strict=True):
        own = frame[frame["system"] == name]
        for number, prior in enumerate(priors):
            part = own[own["prior"] == prior].sort_values("c_t1")
            colour, label = style.COLOURS[number], f"$p(\\omega_o)$ = {prior:g}"
            panel.fill_between(
                part["c_t1"], part["low"], part["high"], color=colour, alpha=0.15, lw=0
            )
            panel.plot(
                part["c_t1"],
                part["mean"],
                ms=3,
                marker=style.MARKERS[number],
                label=label,
                **style.series(number),
            )
        panel.axhline(0, color="black", lw=0.6)
        panel.set_xscale("log", base=2)
        panel.set(xlabel="$c_{t1}$")
        data, _, model = str(name).partition(" / ")
        panel.set_title(f"{data}\n{style.model_label(model)}", loc="left", fontsize=6.5)
    panels[0].set_ylabel("saved, % of the loss")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return figure
