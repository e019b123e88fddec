"""What general claims of the works are about, measured on a user's own scores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.asking import Asked
from opchar.analysis.judging import Judged, folds_of, judged
from opchar.analysis.multiclass import STEPS, usable
from opchar.analysis.reading import Scored
from opchar.combination.pools import selections, with_mean
from opchar.combination.rules import Rule
from opchar.combination.selection import Selection
from opchar.metrics.combined import aurpc, balanced_accuracy, g_mean, m_aurpc, m_precision
from opchar.metrics.conditions import MatrixIndex, of_two_classes
from opchar.metrics.conditions.verdicts import with_zero_division
from opchar.metrics.rates import precision
from opchar.models.splits.representatives import relative_sizes
from opchar.multiclass.cost_weights import cost_problem, cost_weights
from opchar.multiclass.cost_weights.problem import losses, mean_subjective_utilities
from opchar.multiclass.hypersurface import vus, weighted_scores
from opchar.spaces.cost import lower_envelope
from opchar.spaces.f_measure import f_measure
from opchar.statistics.cross_fitting import cross_fitted, drawn_folds

Floats = NDArray[np.float64]
Sets = Mapping[str, Scored]
INDICES: dict[str, MatrixIndex] = {
    "GMean": of_two_classes(g_mean),
    "AUROC": of_two_classes(balanced_accuracy),
    "Precision": of_two_classes(precision),
    "AURPC": of_two_classes(aurpc),
    "mPrecision": of_two_classes(m_precision),
    "mAURPC": of_two_classes(m_aurpc),
}
METHODS = {"Greedy": "greedy", "Pairs": "pairs", "PairsG": "pairs-greedy", "Naive": "naive"}
SCENARIOS = 20
LOW_PRIORS = np.linspace(0.01, 0.1, 10)
MOST_OBJECTS = 400
LEAST_MODELS = 3
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
        data = judged(scored, scored.positive, asked)
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


def scenarios(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return what searches for class weights gain under random costs, on other objects.

    Half of the objects of each class give the weights, the others judge them; costs are uniform
    between 0 and 1, as in landgrebe2007, Sec. 4.2.6.

    Returns
    -------
    pandas.DataFrame
        Columns ``data set`` (set and model), ``scenario``, ``algorithm``, ``improvement`` (of the
        mean subjective utility).
    """
    parts = []
    for name, scored in sets.items():
        if len(scored.classes) < 3:
            continue
        c = len(scored.classes)
        costs = asked.spawn("costs", c).uniform(size=(SCENARIOS, c, c)) * (1 - np.eye(c))
        half = _half(scored, asked)
        priors = np.bincount(scored.y) / len(scored.y)
        for model, scores in usable(scored).items():
            tuned = (scored.y[half], scores[half], costs, priors)
            own = cost_problem(scored.y[~half], scores[~half], costs, priors)
            plain = mean_subjective_utilities(own, losses(own, np.zeros(c)))
            for label, method in METHODS.items():
                rng = asked.spawn(name, model, label)
                found = cost_weights(*tuned, method=method, rng=rng)  # type: ignore[arg-type]
                gain = mean_subjective_utilities(own, losses(own, found.log_weights)) - plain
                parts.append(
                    pd.DataFrame(
                        {"data set": f"{name}, {model}", "scenario": range(SCENARIOS),
                         "algorithm": label, "improvement": gain}
                    )
                )  # fmt: skip
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


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
        scores = scored.against(scored.positive)
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


def volumes(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return the error and the volume of each model on each fold.

    Returns
    -------
    pandas.DataFrame
        Columns ``problem``, ``model``, ``fold``, ``Error``, ``VUS``, ``data``; sets of three or
        four classes with three or more models.
    """
    rows = []
    for name, scored in sets.items():
        models = usable(scored)
        c = len(scored.classes)
        if c not in STEPS or len(models) < LEAST_MODELS:
            continue
        fold = folds_of(scored, scored.y, asked)
        for number in range(int(fold.max()) + 1):
            mine = fold == number
            if len(set(scored.y[mine])) < c:
                continue
            for model, scores in models.items():
                error = float((scores[mine].argmax(axis=1) != scored.y[mine]).mean())
                volume = vus(weighted_scores(scored.y[mine], scores[mine], STEPS[c]))
                rows.append((name, model, number, error, volume, name))
    return pd.DataFrame(rows, columns=["problem", "model", "fold", "Error", "VUS", "data"])


def _half(scored: Scored, asked: Asked) -> NDArray[np.bool_]:
    """Return half of the objects of each class; rows of one object stay together."""
    return drawn_folds(scored.y, asked.spawn("half"), 2, scored.unit) == 0


def _even(
    is_positive: NDArray[np.bool_], rows: NDArray[np.intp], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return at most `MOST_OBJECTS` rows, half of them positive as far as there are so many."""
    parts = []
    for of_class in (True, False):
        members = rows[is_positive[rows] == of_class]
        parts.append(rng.permutation(members)[: MOST_OBJECTS // 2])
    return np.sort(np.concatenate(parts))
