"""Measurements on scores behind general claims on three or more classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import folds_of
from opchar.analysis.answers.multiclass import STEPS, usable
from opchar.analysis.asking import Asked
from opchar.analysis.claims.two_classes import Floats, Sets
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.metrics.conditions import MatrixIndex
from opchar.metrics.conditions.verdicts import with_zero_division
from opchar.metrics.counts import confusion_matrix
from opchar.metrics.indices.multiclass import (
    acsa,
    aurpc_ova,
    g_mean_multiclass,
    m_aurpc_ova,
    normalised_auroc_ova,
)
from opchar.models.splits.representatives import relative_sizes
from opchar.multiclass.cost_weights import cost_problem, cost_weights
from opchar.multiclass.cost_weights.problem import losses, mean_subjective_utilities
from opchar.multiclass.roc.hypersurface import vus
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.statistics.cross_fitting import drawn_folds

INDICES: dict[str, MatrixIndex] = {
    "GMean": g_mean_multiclass,
    "ACSA": acsa,
    "nAUROC-OVA": normalised_auroc_ova,
    "AURPC-OVA": aurpc_ova,
    "mAURPC-OVA": m_aurpc_ova,
}
METHODS = {
    "Default": "default",
    "Naive": "naive",
    "Greedy": "greedy",
    "Lachiche": "lachiche-flach",
    "Pairs": "pairs",
    "PairsG": "pairs-greedy",
}
# Of the many ways of matching the classes by pairs so many are tried: all for up to six classes.
MATCHINGS = {name: {"cap": 15} for name in ("Pairs", "PairsG")}
SCENARIOS = 20
LEAST_MODELS = 3
DRAWS = 40
# Of more objects a part is drawn: what a search for weights evaluates grows with their number.
MOST_SEARCHED = 4000


def deviations(sets: Sets, asked: Asked) -> pd.DataFrame:
    """Return how much indices of several classes vary when the sizes of the classes do.

    The rates of each model's decisions, the class of its largest score, are kept, and the classes
    take the relative sizes of the five test sets of mullick2020. Rates are drawn `DRAWS` times as
    those of as many objects.

    Returns
    -------
    pandas.DataFrame
        Columns ``problem`` (set and draw), ``index``, ``deviation`` (n - 1, over test sets and
        models); sets of three or more classes.
    """
    parts = []
    for name, scored in sets.items():
        if len(scored.classes) < 3:
            continue
        sizes = objects_by_class(scored)
        rates = _drawn_rates(scored, sizes, asked.spawn(name, "rates of classes"))
        relative = np.array(list(relative_sizes(sizes).values()))
        matrices = rates[:, :, None] * relative[:, :, None]
        for index, function in INDICES.items():
            values = np.asarray(with_zero_division(function, 0.0)(matrices))
            spread = values.reshape(DRAWS, -1).std(axis=1, ddof=1)
            problems = [f"{name} {draw}" for draw in range(DRAWS)]
            columns = {"problem": problems, "index": index, "deviation": spread}
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def objects_by_class(scored: ScoredSample) -> NDArray[np.intp]:
    """Return how many objects each class has, shape (C,); one that has several rows counts once."""
    units = np.arange(len(scored.y)) if scored.unit is None else scored.unit
    return np.array(
        [len(np.unique(units[scored.y == label])) for label in range(len(scored.classes))]
    )


def _drawn_rates(scored: ScoredSample, sizes: NDArray[np.intp], rng: np.random.Generator) -> Floats:
    """Return confusion rates drawn anew, shape (draws, models, C, C); rows are true classes."""
    c = len(sizes)
    found = np.empty((DRAWS, len(scored.models), c, c))
    for index, scores in enumerate(scored.models.values()):
        counts = confusion_matrix(scored.y, scores.argmax(axis=1), c)
        for label, row in enumerate(counts):
            drawn = rng.multinomial(sizes[label], row / row.sum(), size=DRAWS)
            found[:, index, label] = drawn / sizes[label]
    return found


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
        c = len(scored.classes)
        if c < 3 or objects_by_class(scored).min() < 2:
            continue
        costs = asked.spawn("costs", c).uniform(size=(SCENARIOS, c, c)) * (1 - np.eye(c))
        half, other = _halves(scored, asked)
        priors = np.bincount(scored.y) / len(scored.y)
        for model, scores in usable(scored).items():
            tuned = (scored.y[half], scores[half], costs, priors)
            judge = cost_problem(scored.y[other], scores[other], costs, priors)
            plain = mean_subjective_utilities(judge, losses(judge, np.zeros(c)))
            for label, method in METHODS.items():
                rng = asked.spawn(name, model, label)
                options = MATCHINGS.get(label, {})
                found = cost_weights(*tuned, method=method, rng=rng, **options)  # type: ignore[arg-type]
                gain = mean_subjective_utilities(judge, losses(judge, found.log_weights)) - plain
                parts.append(
                    pd.DataFrame(
                        {"data set": f"{name}, {model}", "scenario": range(SCENARIOS),
                         "algorithm": label, "improvement": gain}
                    )
                )  # fmt: skip
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


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


def _halves(scored: ScoredSample, asked: Asked) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return both halves of the objects of each class; rows of one object stay together."""
    half = drawn_folds(scored.y, asked.spawn("half"), 2, scored.unit) == 0
    return _part(scored.y, np.flatnonzero(half), asked), _part(
        scored.y, np.flatnonzero(~half), asked
    )


def _part(y: NDArray[np.intp], rows: NDArray[np.intp], asked: Asked) -> NDArray[np.intp]:
    """Return at most about `MOST_SEARCHED` rows, the same share of each class."""
    parts = -(-len(rows) // MOST_SEARCHED)
    mixed = asked.spawn("part").permutation(rows)
    order = pd.Series(y[mixed]).groupby(y[mixed]).cumcount().to_numpy()
    return np.sort(mixed[order % parts == 0])
