"""Findings about data and scores that a reader should know before the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import Judged, serves
from opchar.analysis.answers.probabilities import calibration_error
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import class_text, count_text, share_text
from opchar.analysis.tables.groups import FEW_GROUPS
from opchar.analysis.tables.no_scores import why_no_scores
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.statistics.proportions import objects_needed, wilson
from opchar.statistics.ranking import Ranked

FEW = 30
MANY = 20
SATURATED = 0.1
FEW_IN_FOLD = 5
# The lower end of the interval of an AUC of 1 that few objects do not explain.
PERFECT = 0.9
TIED = 0.2
FAR = 0.1
ALIKE = 3
WHICH = "of the rarer class"


def cautions(
    scored: ScoredSample,
    judged: Judged,
    areas: pd.DataFrame,
    calibration: pd.DataFrame,
    *,
    in_turn: bool = False,
) -> list[Finding]:
    """Return what to be careful about; `in_turn`, where each of several classes is looked at."""
    return [
        *_of_numbers(scored, judged),
        *_of_folds(scored, judged),
        *_of_scores(judged, areas, in_turn),
        *_of_pairs(judged),
        *_of_calibration(judged, calibration),
    ]


def too_few(scored: ScoredSample, sizes: NDArray[np.intp]) -> Iterator[Finding]:
    """Return which of several classes have too few objects for any answer."""
    for size, name in zip(sizes, scored.classes, strict=True):
        if size < 2:
            yield Finding(
                "OPC016",
                f"{class_text(name)} has {count_text(int(size), 'object')}: nothing is said of "
                "this class. The other classes are answered.",
            )


def _of_numbers(scored: ScoredSample, judged: Judged) -> Iterator[Finding]:
    level = judged.asked.level
    for number, name in zip(judged.effective, (class_text(judged.name), judged.rest), strict=True):
        if number < FEW:
            high = float(wilson(0.0, number, level)[1])
            yield Finding(
                "OPC010",
                f"Only {count_text(number, 'object')} of {name}: an error rate of 0 among them "
                f"is compatible with one of {100 * high:.0f} %. Read intervals, not values.",
            )
    if scored.unit is not None:
        objects = len(np.unique(scored.unit))
        yield Finding(
            "OPC011",
            f"{len(scored.y)} rows are {count_text(objects, 'object')}: repeats of an object "
            "add no certainty, and intervals go by objects.",
        )
    yield from scored.doubts
    if scored.weight is not None and not scored.counted:
        share = sum(judged.effective) / len(scored.y)
        if share < 0.5:
            yield Finding(
                "OPC013",
                f"The weights are so uneven that {len(scored.y)} rows tell as much as "
                f"{sum(judged.effective):.0f} of equal weight.",
            )


def _of_folds(scored: ScoredSample, judged: Judged) -> list[Finding]:
    if scored.fold is None or scored.counted:
        return []
    few = len(np.unique(scored.fold))
    if judged.asked.unit == "folds" and few < FEW_GROUPS:
        text = f"Only {few} groups are drawn, as --resample folds asks: intervals are too narrow."
        return [Finding("OPC018", text), *_of_fold_levels(judged)]
    if not serves(scored, judged.is_positive):
        why = "folds are not disjoint: an object is in several of them"
        if scored.unit is None:
            names = f"{class_text(judged.name)} or {judged.rest}"
            why = f"all objects of a class, {names}, are in one fold"
        instead = "Thresholds are cross-fitted on folds that were drawn instead."
        if judged.asked.unit == "folds":
            instead += " Intervals count rows."
        return [Finding("OPC020", f"The {why}. {instead}")]
    # Folds that are drawn need not have both classes.
    few_rows = [] if judged.draws_folds else _of_small_folds(judged)
    return [*few_rows, *_of_fold_levels(judged)]


def _of_small_folds(judged: Judged) -> Iterator[Finding]:
    """Name the fold with the fewest objects of a class, if they are too few to judge by."""
    names = class_text(judged.name), judged.rest
    for of_class, name in zip((judged.is_positive, ~judged.is_positive), names, strict=True):
        sizes = np.bincount(judged.fold[of_class], minlength=int(judged.fold.max()) + 1)
        if sizes.min() < FEW_IN_FOLD:
            few = f"only {count_text(int(sizes.min()), 'object')}" if sizes.min() else "no object"
            yield Finding("OPC012", f"A fold has {few} of {name}.")


def _of_fold_levels(judged: Judged) -> Iterator[Finding]:
    """Tell whether scores of different folds are not on one scale, so that pooling harms."""
    for model, data in zip(judged.names, judged.ranked, strict=True):
        score = data.distinct[data.rank]
        spread = float(score[~judged.is_positive].std())
        groups = [score[~judged.is_positive & (judged.fold == f)] for f in np.unique(judged.fold)]
        groups = [group for group in groups if len(group) > 1]
        if len(groups) < 2:
            continue
        means = np.array([group.mean() for group in groups])
        chance = np.sqrt(np.mean([group.var(ddof=1) / len(group) for group in groups]))
        if spread > 0 and np.std(means) > max(0.5 * spread, ALIKE * chance):
            yield Finding(
                "OPC021",
                f"Scores of {model} lie on different levels in different folds: pooled "
                "areas and thresholds suffer; see the AUC by fold.",
            )


def _of_scores(judged: Judged, areas: pd.DataFrame, in_turn: bool) -> Iterator[Finding]:
    of = class_text(judged.name)
    for model, data in zip(judged.names, judged.ranked, strict=True):
        of_positive, of_negative = data.counts
        pairs = of_positive.sum() * of_negative.sum()
        tied = float(of_positive @ of_negative / pairs) if pairs else 0.0
        if tied > TIED or len(data.distinct) <= 2:
            few = count_text(len(data.distinct), "distinct score")
            equal = f"{100 * tied:.0f} % of the pairs of an object of {of} and another have equal "
            yield Finding(
                "OPC030",
                (f"{equal}scores in {model} ({few})" if tied > TIED else f"{model} has {few}")
                + ": its curves are straight lines between few points, and no threshold lies "
                "between.",
            )
        yield from _of_values(model, data)
        if not in_turn:
            yield from saturation(model, data.distinct[data.rank], data.times)
        area = areas[(areas["model"] == model) & (areas["measure"] == "AUC")].iloc[0]
        if area["high"] < 0.5:
            why = "are the scores those of the other class? Name it by --positive."
            if data.distinct[0] >= 0.5 and data.distinct[-1] <= 1:
                why = "are they the probability of whichever class was predicted? Give that of one."
            yield Finding(
                "OPC031",
                f"{model} scores {of} lower than the rest (AUC {area['value']:.3f}): {why}",
            )
        elif area["value"] == 1.0 and area["low"] > PERFECT:
            yield Finding(
                "OPC032",
                f"{model} separates {of} from the rest perfectly: check for label leakage, and for "
                "training data in the file.",
            )


def _of_pairs(judged: Judged) -> Iterator[Finding]:
    """Name models that put all objects in one order, as a score and its rescaled copy do."""
    for (one, a), (other, b) in combinations(zip(judged.names, judged.ranked, strict=True), 2):
        if min(len(a.distinct), len(b.distinct)) <= MANY:
            continue
        for way, order in ((1, "the same order"), (-1, "opposite orders")):
            ranks = [(way * b.rank[:n], a.rank[:n]) for n in (200, None)]  # few show at once
            if all((np.diff(each[0][np.lexsort(each)]) >= 0).all() for each in ranks):
                text = f"{one} and {other} put all objects in {order}: are they one model?"
                yield Finding("OPC038", text)


def _of_values(model: str, data: Ranked) -> Iterator[Finding]:
    """Tell whether scores look like something else."""
    score = data.distinct[data.rank]
    if not data.counted and (why := why_no_scores(score)):
        yield Finding("OPC035", f"{model} has {why}. Is it a score?")
    least, most, number = score.min(), score.max(), len(data.distinct)
    if number > MANY and least >= 0.5 and most <= 1:
        yield Finding(
            "OPC036",
            f"All scores of {model} are from 0.5 to 1, as confidences of the predicted class are. "
            "Give the probability of one class.",
        )


def saturation(
    model: str, score: NDArray[np.float64], times: NDArray[np.float64] | None = None
) -> Iterator[Finding]:
    """Tell whether many scores from 0 to 1 are exactly one of these.

    Shapes: `score` and `times` (n,), how many objects each score is.
    """
    at_ends = {end: float(np.average(score == end, weights=times)) for end in (0.0, 1.0)}
    within = len(np.unique(score)) > MANY and score.min() >= 0 and score.max() <= 1
    if within and max(at_ends.values()) > SATURATED:
        ends = " and ".join(
            f"{share_text(share)} are exactly {end:g}" for end, share in at_ends.items() if share
        )
        yield Finding(
            "OPC037",
            f"Of the scores of {model}, {ends}: no threshold separates equal scores. If they were "
            "rounded, give more digits.",
        )


def _of_calibration(judged: Judged, calibration: pd.DataFrame) -> Iterator[Finding]:
    of = class_text(judged.name, positive=True)
    for model, table in calibration.groupby("model", sort=False):
        error = calibration_error(table)
        outside = (
            (table["mean score"] < table["low"]) | (table["mean score"] > table["high"])
        ).sum()
        if error > FAR and outside >= 3:
            mean_score = float(np.average(table["mean score"], weights=table["objects"]))
            seen = float(np.average(table["positive"], weights=table["objects"]))
            yield Finding(
                "OPC033",
                f"Scores of {model} are no probabilities: groups of similar scores differ from "
                f"their share that is {of} by {100 * error:.0f} points on average; over all "
                f"objects {100 * mean_score:.0f} % stands against {100 * seen:.0f} %. A threshold "
                "calculated from costs and prior would be wrong on them.",
            )


# Widths of intervals do not scale below so many objects.
LEAST_NEEDED = 10.0


def needed_table(judged: Judged, areas: pd.DataFrame, thresholds: pd.DataFrame) -> pd.DataFrame:
    """Return which comparisons too few objects leave undecided, and how many would decide them."""
    have = judged.effective
    smaller = float(min(have))
    rows: list[tuple[Any, str, str, float, float]] = []
    for limit in judged.asked.limits:
        for number, name, objects in ((have[1], "false alarms", "negatives"),
                                      (have[0], "misses", "positives")):  # fmt: skip
            least = objects_needed(limit, judged.asked.level)
            rows.append(("all", f"{name} at most {limit:g}, for sure", objects, number, least))
    for row in areas[areas["measure"] == "AUC"].to_dict("records"):
        needed = _objects_needed(row, 0.5, 1, smaller)
        rows.append((row["model"], "better than chance (AUC)", WHICH, smaller, needed))
    for row in thresholds.to_dict("records"):
        comparison = f"better than accepting all or none, {row['aim']}, prior {row['prior']:.4g}"
        good = -1 if str(row["aim"]).startswith("cost") else 1
        needed = _objects_needed(row, float(row["trivial"]), good, smaller)
        rows.append((row["model"], comparison, WHICH, smaller, needed))
    names = ["model", "statement", "objects", "there are", "needed"]
    table = pd.DataFrame(rows, columns=names).assign(**{"class": judged.name})
    table["empty"] = table["needed"] > table["there are"] + 1e-9
    return table[["class", *names, "empty"]]


def _objects_needed(row: dict[Any, Any], without: float, good: int, number: float) -> float:
    """Return how many objects would exclude the value without information from the interval."""
    gap = good * (float(row["value"]) - without)
    if gap <= 0:
        return np.inf
    width = float(row["value"] - row["low"]) if good > 0 else float(row["high"] - row["value"])
    return max(float(np.ceil(number * (width / gap) ** 2)), LEAST_NEEDED)
