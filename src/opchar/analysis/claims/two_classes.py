"""Measurements on scores behind general claims on two classes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import Judged, folds_of, one_against_rest
from opchar.analysis.asking import Asked
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.combination.pools import selections, with_mean
from opchar.combination.rules import Rule
from opchar.combination.selection import Selection
from opchar.metrics.conditions import MatrixIndex, of_two_classes
from opchar.metrics.conditions.verdicts import with_zero_division
from opchar.metrics.drift import drift, least_error_points
from opchar.metrics.indices.composite import aurpc, balanced_accuracy, g_mean, m_aurpc, m_precision
from opchar.metrics.indices.rates import precision
from opchar.models.splits.representatives import relative_sizes
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import f_measure
from opchar.spaces.points import operating_points
from opchar.spaces.precision_recall import auprec
from opchar.spaces.roc import auc
from opchar.statistics.cross_fitting import cross_fitted
from opchar.statistics.subsampling import subsample_to_prior

Floats = NDArray[np.float64]
Sets = Mapping[str, ScoredSample]
INDICES: dict[str, MatrixIndex] = {
    "GMean": of_two_classes(g_mean),
    "AUROC": of_two_classes(balanced_accuracy),
    "Precision": of_two_classes(precision),
    "AURPC": of_two_classes(aurpc),
    "mPrecision": of_two_classes(m_precision),
    "mAURPC": of_two_classes(m_aurpc),
}
LOW_PRIORS = np.linspace(0.01, 0.1, 10)
THINNED = (0.5, 0.1, 0.01)
PRIOR_RANGE = (0.1, 0.9)
MOST_OBJECTS = 400
DRAWS = 40


def deviations(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return how much indices vary when the sizes of the classes in the test set do.

    The rates of each model are kept and the classes take the relative sizes of the five test sets
    of mullick2020 (`opchar.models.splits.representatives.relative_sizes`); decisions are those of
    the least error on other folds. Rates are drawn `DRAWS` times as those of as many objects.

    Returns
    -------
    pandas.DataFrame
        Columns ``problem`` (set and draw), ``index``, ``deviation`` (n - 1, over test sets and
        models).
    """
    parts = []
    for name, scored in sets.items():
        if len(scored.classes) != 2:
            continue
        data = one_against_rest(scored, scored.positive, asked)
        relative = np.array(list(relative_sizes(np.bincount(~data.is_positive)).values()))
        tpr, fpr = _drawn_rates(data)
        rates = np.stack(
            [np.stack([tpr, 1 - tpr], axis=-1), np.stack([fpr, 1 - fpr], axis=-1)], axis=-2
        )
        matrices = rates[:, :, None] * relative[:, :, None]
        for index, function in INDICES.items():
            values = np.asarray(with_zero_division(function, 0.0)(matrices))
            spread = values.reshape(DRAWS, -1).std(axis=1, ddof=1)
            parts.append(
                pd.DataFrame(
                    {
                        "problem": [f"{name} {draw}" for draw in range(DRAWS)],
                        "index": index,
                        "deviation": spread,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _drawn_rates(data: Judged) -> tuple[Floats, Floats]:
    """Return TPR and FPR at the least error on other folds, drawn anew, shape (draws, models)."""
    pc = np.array([data.prior])
    found = [
        cross_fitted(each, data.fold, lambda points: lower_envelope(points).threshold(pc))
        for each in data.ranked
    ]
    rng = data.asked.spawn(data.name, "rates")
    drawn = []
    for rates, number in zip(
        ([each.tpr[0] for each in found], [each.fpr[0] for each in found]),
        data.effective,
        strict=True,
    ):
        size = max(int(number), 1)
        drawn.append(rng.binomial(size, rates, size=(DRAWS, len(rates))) / size)
    return drawn[0], drawn[1]


def combinations(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return the mean F for rare positives of ways of combining models, on other folds.

    At most `MOST_OBJECTS` objects of the other folds choose a rule for each prior up to 0.1; the
    objects of the fold judge it.

    Returns
    -------
    pandas.DataFrame
        Columns ``data set``, ``scenario`` (fold), ``algorithm``, ``improvement`` (the mean F).
    """
    rows = []
    for name, scored in sets.items():
        if len(scored.classes) != 2 or len(scored.models) < 2:
            continue
        scores = scored.scores_of_class(scored.positive)
        fold = folds_of(scored, scored.is_positive, asked)
        for number in range(int(fold.max()) + 1):
            mine, others = fold == number, np.flatnonzero(fold != number)
            rng = asked.spawn(name, "combination", number)
            chosen = _even(scored.is_positive, others, rng)
            if len(set(scored.is_positive[mine])) < 2:
                continue
            given = {model: score[chosen] for model, score in scores.items()}
            found = selections(given, scored.is_positive[chosen])
            tested = with_mean({model: score[mine] for model, score in scores.items()})
            for way, selection in found.items():
                value = _mean_f(selection, tested, scored.is_positive[mine])
                rows.append((name, number, way, value))
    return pd.DataFrame(rows, columns=["data set", "scenario", "algorithm", "improvement"])


def _mean_f(selection: Selection, scores: dict[str, Floats], is_positive: NDArray) -> float:
    """Return the mean F (alpha 0.5) over low priors of the rules that were chosen for them."""
    values = []
    decided: dict[Rule, NDArray] = {}
    for prior, rule in zip(LOW_PRIORS, selection.choose(LOW_PRIORS, 0.5), strict=True):
        if rule not in decided:
            decided[rule] = rule.decide(scores)
        accepted = decided[rule]
        tpr, fpr = accepted[is_positive].mean(), accepted[~is_positive].mean()
        values.append(float(f_measure(tpr, fpr, prior, 0.5)))
    return float(np.mean(values))


def preferences(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return for each fold how models order objects, and how they move with the prior.

    Returns
    -------
    pandas.DataFrame
        Columns ``model`` (numbered from 1), ``fold``, ``measure`` (``AUC`` and ``AccSens`` for
        priors from 0.1 to 0.9), ``value``, ``title`` (the set with its models) and ``label`` (the
        set); sets of two classes with two or more models.

    References
    ----------
    landgrebe2007, Sec. 2.2.
    """
    rows = []
    for name, scored in sets.items():
        if len(scored.classes) != 2 or len(scored.models) < 2:
            continue
        fold = folds_of(scored, scored.is_positive, asked)
        numbered = ", ".join(f"{n} {model}" for n, model in enumerate(scored.models, start=1))
        title = f"{name} ({numbered})"
        for number in range(int(fold.max()) + 1):
            mine = fold == number
            if len(set(scored.is_positive[mine])) < 2:
                continue
            for model, score in enumerate(
                scored.scores_of_class(scored.positive).values(), start=1
            ):
                points = operating_points(scored.is_positive[mine], score[mine])
                moved = drift(points, least_error_points, *PRIOR_RANGE)
                for measure, value in (("AUC", auc(points)), ("AccSens", moved.acc_sens)):
                    rows.append((model, number, measure, value, title, name))
    return pd.DataFrame(rows, columns=["model", "fold", "measure", "value", "title", "label"])


def thinned_areas(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return areas under ROC and precision-recall curves of subsamples with other priors.

    Returns
    -------
    pandas.DataFrame
        Columns ``fold`` (a number for each set and draw), ``prior``, ``AUC of all``, ``AUC``,
        ``AUPREC``, means over the models of a set; each draw is the largest sample of that prior.

    References
    ----------
    landgrebe2007, Sec. 2.3.
    """
    rows = []
    for index, (name, scored) in enumerate(sets.items()):
        if len(scored.classes) != 2:
            continue
        truth, scores = scored.is_positive, scored.scores_of_class(scored.positive).values()
        whole = np.mean([auc(operating_points(truth, score)) for score in scores])
        for draw in range(DRAWS):
            for prior in THINNED:
                kept = subsample_to_prior(truth, prior, asked.spawn(name, "thinned", draw, prior))
                points = [operating_points(truth[kept], score[kept]) for score in scores]
                areas = np.mean([auc(each) for each in points])
                precise = np.mean([auprec(each, prior) for each in points])
                rows.append((index * DRAWS + draw, prior, whole, areas, precise))
    return pd.DataFrame(rows, columns=["fold", "prior", "AUC of all", "AUC", "AUPREC"])


def _even(
    is_positive: NDArray[np.bool_], rows: NDArray[np.intp], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return at most `MOST_OBJECTS` rows, half of them positive if there are enough."""
    parts = []
    for of_class in (True, False):
        members = rows[is_positive[rows] == of_class]
        parts.append(rng.permutation(members)[: MOST_OBJECTS // 2])
    return np.sort(np.concatenate(parts))
