"""Accuracy and sensitivity to the prior of classifiers on real data (thesis, Sec. 2.2.6)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from opchar.experiments.statistics import compare, pair
from opchar.metrics.costs import acc_sens, prior_sensitivity
from opchar.results import Results
from opchar.scores import ScoreTable
from opchar.spaces.brier import rates_at
from opchar.spaces.det import equal_error_rate
from opchar.spaces.points import OperatingPoints, operating_points
from opchar.spaces.roc import partial_auc

TABLE = "table-2.2"
EPSILON = "equal error rate eps"
WEIGHTED = "Sens, posteriors weighted anew"
JUDGED = ["AUC", "Sens", "AccSens"]
MEASURES = [*JUDGED, EPSILON, WEIGHTED]


def real_data(
    *,
    scores: dict[tuple[str, str], ScoreTable],
    titles: dict[str, str],
    prior_range: list[float],
    alpha: float,
) -> Results:
    """Compare models on each data set by AUC, Sens, AccSens and equal error rate.

    Parameters
    ----------
    scores : dict of (data set, model) to ScoreTable
        Models of a data set in the order of the table, over the same folds. The first class is w1.
    titles : dict of str to str
        How the table calls each data set.
    prior_range : [float, float]
        Range of the prior of w1.
    alpha : float
        Level of significance.

    Returns
    -------
    Results
        ``table-2.2``.

    References
    ----------
    landgrebe2007, Sec. 2.2.6.
    """
    low, high = prior_range
    results = Results()
    comparisons: dict[str, dict[str, pd.DataFrame]] = {}
    means: dict[str, dict[str, dict[int, float]]] = {}
    labels: dict[str, str] = {}
    for data, title in titles.items():
        tables = {model: table for (name, model), table in scores.items() if name == data}
        measured = pd.DataFrame(
            [
                (number, fold, measure, value)
                for number, table in enumerate(tables.values(), start=1)
                for fold, part in table.folds()
                for measure, value in measure_fold(part, low, high).items()
            ],
            columns=["model", "fold", "measure", "value"],
        )
        labels[title] = next(iter(tables.values())).data
        means[title], comparisons[title] = {}, {}
        for measure in MEASURES:
            lines = measured[measured["measure"] == measure].reset_index(drop=True)
            means[title][measure] = {}
            for number, model in enumerate(tables, start=1):
                values = lines.loc[lines["model"] == number, "value"]
                means[title][measure][number] = float(values.mean())
                results.number(
                    TABLE,
                    f"{title} / {number}) {model}",
                    measure,
                    float(values.mean()),
                    std=float(values.std()),
                    n=len(values),
                    unit="fraction",
                    data=labels[title],
                )
            if measure in JUDGED:
                comparisons[title][measure] = compare(lines, ("model", "fold"), alpha)
    _claims(results, Verdicts(means, comparisons), labels)
    return results


def measure_fold(table: ScoreTable, low: float, high: float) -> dict[str, float]:
    """Measure the scores of one test set.

    For each extreme prior the operating point is the one of the ROC with the least expected error;
    ``Sens`` is how far apart the two are and ``AUC`` the mean TPR over the FPR between them. The
    other reading, for comparison: the threshold starts at the equal-error point, and as posteriors
    are weighted anew for a prior ``p``, it falls on the log odds by ``log(p / (1 - p))``. That
    presumes outputs that are posteriors.

    Parameters
    ----------
    table : ScoreTable
        One fold; the first class is w1.
    low, high : float
        Range of the prior of w1, ``0 < low < high < 1``.

    Returns
    -------
    dict of str to float
        The `MEASURES`, each in [0, 1].

    References
    ----------
    landgrebe2007, Eqs. 2.2 to 2.4.
    """
    points = operating_points(*table.log_odds(table.classes[0]))
    equal = equal_error_rate(points)
    priors = np.array([low, high])
    area, sens = _over(points, *least_error_points(points.hull, priors))
    shifted = rates_at(points, equal.threshold - np.log(priors / (1 - priors)))
    return {
        "AUC": area,
        "Sens": sens,
        "AccSens": float(acc_sens(area, sens)),
        EPSILON: equal.rate,
        WEIGHTED: _over(points, *shifted)[1],
    }


def least_error_points(
    points: OperatingPoints, priors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(tpr, fpr)`` of the points with the least expected error for each prior.

    Parameters
    ----------
    points : OperatingPoints
    priors : ndarray of float, shape (k,)
        Priors of the positive class, in (0, 1).

    Returns
    -------
    tpr, fpr : ndarray of float, shape (k,)
        Of equally good points the one nearest to (0, 0).
    """
    errors = priors[:, None] * (1 - points.tpr) + (1 - priors[:, None]) * points.fpr
    best = errors.argmin(axis=1)
    return points.tpr[best], points.fpr[best]


def _over(points: OperatingPoints, tpr: np.ndarray, fpr: np.ndarray) -> tuple[float, float]:
    """Return AUC and Sens between the operating points of the lowest and the highest prior."""
    width = float(fpr[1] - fpr[0])
    area = partial_auc(points, fpr[0], fpr[1]) / width if width > 0 else tpr.mean()
    return float(area), float(prior_sensitivity(1 - tpr[0], fpr[0], 1 - tpr[1], fpr[1]))


class Verdicts:
    """What the claims of Sec. 2.2.6 ask of the models of each data set.

    Parameters
    ----------
    means : dict of data set, measure and model number to float
    comparisons : dict of data set and measure to the pairs of `compare`
    """

    def __init__(
        self,
        means: dict[str, dict[str, dict[int, float]]],
        comparisons: dict[str, dict[str, pd.DataFrame]],
    ) -> None:
        self.means = means
        self.comparisons = comparisons

    def similar(self, data: str, measure: str, *models: int) -> bool:
        """Tell whether no two of the models differ significantly."""
        found = self.comparisons[data][measure]
        return not any(pair(found, *two)["significant"] for two in combinations(models, 2))

    def lower(self, data: str, measure: str, first: int, second: int) -> bool:
        """Tell whether the first model is significantly lower than the second."""
        line = pair(self.comparisons[data][measure], first, second)
        return bool(line["significant"] and line["difference"] < 0)

    def best(self, data: str, measure: str) -> int:
        """Return the model of best mean: the highest AUC, the lowest of the other measures."""
        means = self.means[data][measure]
        return (
            max(means, key=means.__getitem__)
            if measure == "AUC"
            else min(means, key=means.__getitem__)
        )

    def evidence(self, data: str, *measures: str) -> str:
        """Return all pairs of the measures, with differences and p-values."""
        return "; ".join(
            f"{measure}: "
            + ", ".join(
                f"{line['first']} - {line['second']} = {line['difference']:+.3f} "
                f"(p = {line['p']:.2g})"
                for _, line in self.comparisons[data][measure].iterrows()
            )
            for measure in measures
        )


def _claims(results: Results, verdicts: Verdicts, labels: dict[str, str]) -> None:
    similar, lower, best = verdicts.similar, verdicts.lower, verdicts.best
    road, phoneme, sonar, ionosphere = labels

    def claim(row: str, data: str, holds: bool, *measures: str) -> None:
        results.claim(TABLE, row, holds, verdicts.evidence(data, *measures), data=labels[data])

    claim(
        f"{road} 1) vs 2)",
        road,
        similar(road, "AUC", 1, 2) and lower(road, "Sens", 2, 1) and lower(road, "AccSens", 2, 1),
        "AUC",
        "Sens",
        "AccSens",
    )
    claim(
        f"{road} 3) vs 4)",
        road,
        lower(road, "AUC", 4, 3) and lower(road, "Sens", 4, 3) and similar(road, "AccSens", 3, 4),
        "AUC",
        "Sens",
        "AccSens",
    )
    claim(
        f"{road} 3)-6)",
        road,
        similar(road, "AccSens", 3, 4, 5, 6)
        and all(lower(road, "AccSens", one, other) for one in (3, 4, 5, 6) for other in (1, 2)),
        "AccSens",
    )
    claim(
        phoneme,
        phoneme,
        similar(phoneme, "AUC", 1, 3)
        and similar(phoneme, "AUC", 2, 3)
        and verdicts.means[phoneme]["Sens"][2] < verdicts.means[phoneme]["Sens"][3]
        and lower(phoneme, "AccSens", 2, 3),
        "AUC",
        "Sens",
        "AccSens",
    )
    claim(sonar, sonar, best(sonar, "AUC") == best(sonar, "Sens") == 2, "AUC", "Sens")
    claim(
        f"{ionosphere} AUC",
        ionosphere,
        similar(ionosphere, "AUC", 1, 2, 4)
        and similar(ionosphere, "Sens", 2, 4)
        and verdicts.means[ionosphere]["Sens"][2] < verdicts.means[ionosphere]["Sens"][4],
        "AUC",
        "Sens",
    )
    claim(
        f"{ionosphere} AccSens",
        ionosphere,
        all(lower(ionosphere, "AccSens", model, 4) for model in (1, 2, 3)),
        "AccSens",
    )
    winners = {data: (best(data, "AUC"), best(data, "AccSens")) for data in labels}
    results.claim(
        TABLE,
        "overall",
        any(by_auc != by_both for by_auc, by_both in winners.values()),
        "best model by AUC and by AccSens: "
        + "; ".join(f"{data} {one} and {two}" for data, (one, two) in winners.items()),
    )
