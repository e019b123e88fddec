"""What holistic design gains, over costs and priors, on objects that it was not chosen on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from opchar.experiments.landgrebe2007.chapter6.systems import two_stage
from opchar.reject.two_stage.design import TwoStageScores
from opchar.results import Results
from opchar.scores import ScoreTable


def gain(
    scores: Mapping[tuple[str, str], ScoreTable],
    *,
    outlier: str,
    first_costs: list[float],
    outlier_priors: list[float],
    steps: int,
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

    Returns
    -------
    Results
        Lines of two-stage-gain, means with standard deviations over the folds; the frame ``gain``
        with a line a system, cost, prior and fold: the relative gain of a design whose thresholds
        are chosen on the training objects, on these and on the test objects.
    """
    results = Results()
    for (data, model), table in scores.items():
        rows = []
        for fold, part in table.folds():
            tests = {str(name): two_stage(each, outlier) for name, each in part.test_sets()}
            for cost in first_costs:
                for prior in outlier_priors:
                    shares = _gains(tests["train"], tests["test"], cost, prior, steps)
                    rows.append([fold, cost, prior, *shares])
        fold, cost, prior, trained, tested = np.array(rows, dtype=float).T
        name = f"{data} / {model.removeprefix('two-stage ')}"
        results.curve(
            "gain",
            {
                "system": name,
                "data set": table.data,
                "fold": fold,
                "c_t1": cost,
                "prior": prior,
                "on training objects": trained,
                "on test objects": tested,
            },
        )
        _lines(results, name, table.data)
    return results


def _gains(
    train: TwoStageScores, test: TwoStageScores, cost: float, prior: float, steps: int
) -> tuple[float, float]:
    """Return by which share of the independent design's loss the holistic one loses less."""
    costs = np.array([cost, *np.ones(train.n_classes)])
    priors = np.append(np.full(train.n_classes, (1 - prior) / train.n_classes), prior)
    independent = train.independent(costs, priors, steps=steps)
    holistic = train.holistic(costs, priors, steps=steps)

    def share(sample: TwoStageScores) -> float:
        losses = [
            sample.design(each.theta_d, each.theta_c, costs, priors).loss
            for each in (independent, holistic)
        ]
        return float((losses[0] - losses[1]) / losses[0]) if losses[0] > 0 else 0.0

    return share(train), share(test)


def _lines(results: Results, name: str, data: str) -> None:
    frame = results.curves["gain"]
    own = frame[frame["system"] == name]
    for (cost, prior), part in own.groupby(["c_t1", "prior"], sort=True):
        for column in ("on training objects", "on test objects"):
            values = 100 * part[column]
            results.number(
                "two-stage-gain",
                f"{name} / c_t1 = {cost:g}, p(w_o) = {prior:g}",
                column,
                values.mean(),
                std=values.std(),
                n=len(values),
                unit="% of the loss",
                data=data,
            )
