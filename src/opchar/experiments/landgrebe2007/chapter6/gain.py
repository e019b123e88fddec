"""What holistic design gains, over costs and priors, on objects that it was not chosen on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from opchar.experiments.landgrebe2007.chapter6.systems import two_stage
from opchar.reject.two_stage.design import TwoStageScores
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.statistics.resampling import mean_of_holdouts

MEASURED = (
    "on training objects",
    "on test objects",
    "loss of the holistic design",
    "loss of rejecting all",
    "rejects all",
)


def gain(
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    outlier: str,
    first_costs: list[float],
    outlier_priors: list[float],
    steps: int,
    level: float,
) -> Results:
    """Gain of holistic over independent design on training and on test objects.

    Parameters
    ----------
    scores : mapping
        Score tables by data set and model, with the test sets ``test`` and ``train``.
    outlier : str
        Name of the outlier class.
    first_costs : list of float
        Cost of missing the first target class; that of all other errors is one.
    outlier_priors : list of float
        Prior of the outliers, between zero and one; the target classes share the rest evenly.
    steps : int
        Weights an axis of the starting grid for three target classes.
    level : float
        Of the intervals (`opchar.statistics.resampling.mean_of_holdouts`).

    Returns
    -------
    Results
        Lines of two-stage-gain, means over the folds with intervals for the gain on test objects;
        the frame ``gain`` with a line a system, cost, prior and fold: the relative gain of a design
        whose thresholds are chosen on the training objects, on these and on the test objects, the
        loss of the holistic design on the test objects, that of rejecting all, and whether the
        design does so; the frame ``intervals`` with a line a system, cost and prior.
    """
    results = Results()
    for (data, model), table in scores.items():
        rows, ratios = [], []
        for fold, part in table.folds():
            tests = {str(name): two_stage(each, outlier) for name, each in part.test_sets()}
            train, test = tests["train"], tests["test"]
            ratios.append(len(test.label) / len(train.label))
            for cost in first_costs:
                for prior in outlier_priors:
                    rows.append([fold, cost, prior, *_measured(train, test, cost, prior, steps)])
        name = f"{data} / {model.removeprefix('two-stage ')}"
        frame = pd.DataFrame(rows, columns=["fold", "c_t1", "prior", *MEASURED], dtype=float)
        results.curve("gain", frame.assign(**{"system": name, "data set": table.data}))
        _lines(results, name, table.data, float(np.mean(ratios)), level)
    return results


def _measured(
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
        results.curve("intervals", {"system": [name], "c_t1": cost, "prior": prior, **ends})
