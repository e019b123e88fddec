"""More than two classes: the volume under the surface, and class weights for given costs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import folds_of
from opchar.analysis.asking import Asked
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import number_text
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.decisions.at_threshold import effective_number
from opchar.multiclass.cost_weights import certify, cost_problem, cost_weights
from opchar.multiclass.cost_weights.problem import assign, scored_objects
from opchar.multiclass.roc.bootstrap import VusInterval, normalised_vus, vus_interval
from opchar.multiclass.roc.hypersurface import diagonal_rates
from opchar.multiclass.roc.weighted_scores import weighted_scores
from opchar.statistics.areas import normal_quantile, student_quantile
from opchar.statistics.proportions import wilson

Floats = NDArray[np.float64]
MOST_CLASSES = 4
STEPS = {3: 40, 4: 16}
SURFACE_STEPS = {3: 24, 4: 10}
REPEATS = {3: 200, 4: 60}
MOST_OBJECTS = 20_000
WORK = 2e7


def usable(scored: ScoredSample) -> dict[str, Floats]:
    """Return the models whose scores are not negative, so that weights can multiply them."""
    return {name: scores for name, scores in scored.models.items() if (scores >= 0).all()}


def confusion_table(scored: ScoredSample) -> pd.DataFrame:
    """Return how many objects of each class have their largest score for which class."""
    c, rows = len(scored.classes), []
    for model, scores in scored.models.items():
        cell = scored.y * c + scores.argmax(axis=1)
        counts = np.bincount(cell, scored.weight, c * c).reshape(c, c)
        for name, row in zip(scored.classes, counts.tolist(), strict=True):
            taken = {f"taken for {k}": n for k, n in zip(scored.classes, row, strict=True)}
            rows.append({"model": model, "true class": name} | taken)
    return pd.DataFrame(rows)


def error_table(scored: ScoredSample, asked: Asked) -> pd.DataFrame:
    """Return the error rate of each model, and its share of right objects in each class.

    The model of the lowest error rate comes first; ``more`` is by how much others exceed it.
    """
    rows = []
    weight = np.ones(len(scored.y)) if scored.weight is None else scored.weight
    errors = {model: scores.argmax(axis=1) != scored.y for model, scores in scored.models.items()}
    ordered = sorted(errors, key=lambda model: float(np.average(errors[model], weights=weight)))
    for model in ordered:
        wrong = errors[model]
        parts = [("error rate", wrong, np.ones(len(wrong), dtype=bool))]
        parts += [(f"right of {name}", ~wrong, scored.y == k)
                  for k, name in enumerate(scored.classes)]  # fmt: skip
        for name, counted, among in parts:
            share = float(np.average(counted[among], weights=weight[among]))
            number = effective_number(weight, scored.unit, among)
            low, high = wilson(share, number, asked.level)
            more = (np.nan,) * 3
            if name == "error rate" and model != ordered[0]:
                more = _paired_difference(wrong, errors[ordered[0]], weight, number, asked.level)
            rows.append((model, name, share, float(low), float(high), *more))
    columns = ["model", "measure", "value", "low", "high", "more", "more low", "more high"]
    return pd.DataFrame(rows, columns=columns)


def _paired_difference(
    one: NDArray[np.bool_], other: NDArray[np.bool_], weight: Floats, number: float, level: float
) -> tuple[float, float, float]:
    """Return the difference of two error rates on the same objects, with its interval.

    Agresti and Min, Simple improved confidence intervals for comparing matched proportions (2005).

    Shapes: `one`, `other` and `weight` (n,).
    """
    worse, better = (
        float(np.average(each, weights=weight)) * number for each in (one & ~other, other & ~one)
    )
    b, c, n = worse + 0.5, better + 0.5, number + 2
    reach = float(normal_quantile(level)) * np.sqrt(b + c - (b - c) ** 2 / n) / n
    return (worse - better) / number, (b - c) / n - reach, (b - c) / n + reach


def volume_tables(scored: ScoredSample, asked: Asked) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the volume under the ROC surface of three or four classes, and the surface itself.

    Objects are drawn alike for all models, so that their differences have an interval, too. Of
    more than `MOST_OBJECTS` objects a part is drawn, in equal shares of the classes.

    landgrebe2007, Sec. 3.3 (simplified VUS).
    """
    c = len(scored.classes)
    names = ["model", "measure", "value", "low", "high", "method"]
    if c not in STEPS:
        return pd.DataFrame(columns=names), pd.DataFrame()
    rows, surfaces, drawn = [], [], {}
    part = _part(scored, asked)
    repeats = min(REPEATS[c], asked.resamples)
    method = f"bootstrap of objects, {repeats} resamples, percentiles"
    for name, scores in usable(scored).items():
        data = weighted_scores(scored.y[part], scores[part], STEPS[c])
        found = vus_interval(data, asked.spawn("VUS"), resamples=repeats, confidence=asked.level)
        drawn[name] = found
        shares = [normalised_vus(v, c) for v in (found.volume, found.low, found.high)]
        rows.append((name, "VUS", found.volume, found.low, found.high, method))
        rows.append((name, "VUS, random 0 and perfect 1", shares[0], shares[1], shares[2], method))
        surfaces.append(_surface(scored, name, scores[part], part, SURFACE_STEPS[c]))
    for one, two in combinations(drawn, 2):
        value, low, high = _difference(drawn[one], drawn[two], asked.level)
        rows.append((f"{one} less {two}", "VUS, difference", value, low, high, method))
    surface = pd.concat(surfaces, ignore_index=True) if surfaces else pd.DataFrame()
    return pd.DataFrame(rows, columns=names), surface


def _part(scored: ScoredSample, asked: Asked) -> NDArray[np.intp]:
    """Return at most `MOST_OBJECTS` rows, in equal shares of the classes."""
    n = len(scored.y)
    if n <= MOST_OBJECTS:
        return np.arange(n)
    rng = asked.spawn("part")
    parts = []
    for c in range(len(scored.classes)):
        members = np.flatnonzero(scored.y == c)
        number = max(int(np.ceil(len(members) * MOST_OBJECTS / n)), min(len(members), 50))
        parts.append(rng.permutation(members)[:number])
    return np.sort(np.concatenate(parts))


def _difference(one: VusInterval, two: VusInterval, level: float) -> tuple[float, float, float]:
    low, high = np.quantile(one.volumes - two.volumes, [(1 - level) / 2, (1 + level) / 2])
    return one.volume - two.volume, float(low), float(high)


def _surface(
    scored: ScoredSample, name: str, scores: Floats, part: NDArray[np.intp], steps: int
) -> pd.DataFrame:
    """Return the share of each class that is right at each combination of weights."""
    data = weighted_scores(scored.y[part], scores, steps)
    rates = diagonal_rates(data).reshape(-1, data.n_classes)
    grids = np.meshgrid(*[data.steps_of(c) for c in data.free], indexing="ij")
    columns: dict[str, object] = {"model": name}
    weights = np.ones((rates.shape[0], data.n_classes))
    for c, grid in zip(data.free, grids, strict=True):
        weights[:, c] = grid.ravel()
    for c, label in enumerate(scored.classes):
        columns[f"weight of {label}"] = weights[:, c]
    for column, c in enumerate([*data.free, data.fixed]):
        columns[f"right of {scored.classes[c]}"] = rates[:, column]
    return pd.DataFrame(columns)


def weight_table(scored: ScoredSample, costs: Floats | None, asked: Asked) -> pd.DataFrame:
    """Return class weights of least expected cost, cross-fitted and certified.

    landgrebe2007, Eq. 4.6 and Sec. 4.3 (Greedy).

    Shapes: `costs` (C, C).
    """
    c = len(scored.classes)
    matrix = 1 - np.eye(c) if costs is None else costs
    fold = folds_of(scored, scored.y, asked)
    rows = []
    for name, scores in usable(scored).items():
        _, log_scores = scored_objects(scored.y, scores)
        plain = assign(log_scores, np.zeros(c))
        judged = np.empty(len(scored.y), dtype=np.intp)
        for number in range(int(fold.max()) + 1):
            others, mine = fold != number, fold == number
            rng = asked.spawn(name, "weights", number)
            found = cost_weights(scored.y[others], scores[others], matrix, method="greedy", rng=rng)
            judged[mine] = assign(log_scores[mine], found.log_weights[0])
        paid = [matrix[scored.y, taken] for taken in (plain, judged)]
        problem = cost_problem(scored.y, scores, matrix)
        most = int(np.clip(WORK / (len(scored.y) * c), 50, 20_000))
        rng = asked.spawn(name, "certificate")
        (proof,) = certify(problem, rng, gap=1e-3, max_nodes=most)
        weights = np.exp(proof.log_weights - proof.log_weights.max())
        ends = np.column_stack([matrix.min(axis=1), matrix.max(axis=1)])
        apart = ends[:, 1:] - ends[:, :1]
        rows.append(
            {
                "model": name,
                **_expected_cost(scored, paid[0], asked.level, "without weights", ends),
                **_expected_cost(scored, paid[1], asked.level, "with weights", ends),
                **_expected_cost(scored, paid[0] - paid[1], asked.level, "saved", apart * [-1, 1]),
                "optimistic": proof.loss,
                "no weights below": proof.lower_bound,
                "certificate": proof.stopped,
                **{f"weight of {label}": weights[k] for k, label in enumerate(scored.classes)},
            }
        )
    return pd.DataFrame(rows)


def weight_findings(volumes: pd.DataFrame, weights: pd.DataFrame) -> Iterator[Finding]:
    """Return what to be careful about in class weights."""
    for row in weights.to_dict("records"):
        if row["with weights"] >= row["without weights"]:
            yield Finding(
                "OPC045",
                f"{row['model']}: class weights do not lower the cost on held-out folds "
                f"({number_text(row['with weights'])} an object, "
                f"{number_text(row['without weights'])} without them). Use the largest score.",
            )
    volume_of = volumes[volumes["measure"] == "VUS"].set_index("model")["value"]
    if len(volume_of) < 2:
        return
    costs = weights.set_index("model")["with weights"]
    largest, cheapest = str(volume_of.idxmax()), str(costs.idxmin())
    if volume_of[largest] > volume_of[cheapest] and costs[largest] > costs[cheapest]:
        yield Finding(
            "OPC046",
            f"{largest} has the larger volume ({volume_of[largest]:.3f}; {cheapest} "
            f"{volume_of[cheapest]:.3f}), {cheapest} the lower cost.",
        )


def _expected_cost(
    scored: ScoredSample, paid: Floats, level: float, name: str, ends: Floats
) -> dict[str, float]:
    """Return the expected cost of an object with an interval by class.

    Each class has two more objects, of the least and the largest cost, so that few objects that
    cost the same are not sure to. Welch and Satterthwaite give the degrees of freedom.

    Shapes: `paid` (n,); `ends` (C, 2), the least and the largest cost of each class.
    """
    sizes = np.bincount(scored.y)
    shares = sizes / sizes.sum()
    value = float(shares @ (np.bincount(scored.y, paid) / sizes))
    y, n = np.r_[scored.y, np.repeat(np.arange(len(sizes)), 2)], sizes + 2
    more = np.r_[paid, ends.ravel()]
    spread = np.bincount(y, (more - (np.bincount(y, more) / n)[y]) ** 2) / n
    repeats = 1.0 if scored.unit is None else len(scored.unit) / len(np.unique(scored.unit))
    parts = shares**2 * spread * repeats / (n - 1)
    freedom = parts.sum() ** 2 / np.sum(parts**2 / (n - 1))
    reach = student_quantile(level, float(freedom)) * np.sqrt(parts.sum())
    low, high = np.clip([value - reach, value + reach], *(shares @ ends))
    return {name: value, f"{name}, low": float(low), f"{name}, high": float(high)}
