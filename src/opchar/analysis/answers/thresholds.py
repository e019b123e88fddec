"""Where to put the threshold: for given priors, costs and preferences, and for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.analysis.answers.judging import BAND_ENDS, Judged, compact
from opchar.analysis.answers.percent import SCORES
from opchar.decisions.smooth_curves import smooth_points
from opchar.decisions.threshold_rules import bayes_ranges
from opchar.spaces.cost import lower_envelope
from opchar.spaces.envelope import Envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.ranking import Floats, Ranked
from opchar.statistics.rate_curves import Bands, RateCurves, Value

COLUMNS = ["class", "model", "aim", "prior", "threshold", "value", "low", "high", "optimistic",
           "trivial", "tpr", "fpr"]  # fmt: skip
# Ranges of conditions, and points of a curve, that a table holds.
MOST, MOST_POINTS = 400, 1000


def threshold_table(judged: Judged) -> pd.DataFrame:
    """Return the best thresholds for the priors, costs and preferences that are asked for."""
    rows = []
    for prior in judged.priors:
        for space in _spaces(judged):
            if space.alpha is None:
                cost_fp, cost_fn = judged.asked.cost
                aim = f"cost ({cost_fp:g}, {cost_fn:g})"
                scale = prior * cost_fn + (1 - prior) * cost_fp
                g = judged.condition_at(prior)
                trivial = min(judged.pc[g], 1 - judged.pc[g]) * scale
            else:
                aim, scale = space.name, 1.0
                g = int(np.abs(judged.grid - prior).argmin())
                trivial = prior / (space.alpha + (1 - space.alpha) * prior) if prior else 0.0
            bands, curves = space.bands, space.curves
            for m, model in enumerate(judged.names):
                threshold = judged.chosen_thresholds[m].own_thresholds[space.start + g]
                optimistic = space.value(*curves.own_rates[:, m])[g]
                low, high = bands.low[m, g], bands.high[m, g]
                if space.alpha is not None:
                    low, high = max(low, 0.0), min(high, 1.0)
                values = (bands.estimates[m, g], low, high, optimistic)
                scaled = (float(each) * scale for each in values)
                rates = float(curves.tpr[m, g]), float(curves.fpr[m, g])
                rows.append((judged.name, model, aim, prior, threshold, *scaled, trivial, *rates))
    return with_printed(judged, pd.DataFrame(rows, columns=COLUMNS))


def with_printed(judged: Judged, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with thresholds of as few digits as accept the same objects."""
    table = table.copy()
    for model, data in zip(judged.names, judged.ranked, strict=True):
        mine = table["model"] == model
        for name in table.columns[table.columns.str.contains("threshold")]:
            table.loc[mine, name] = printed_thresholds(table.loc[mine, name], data.distinct)
    return table


class _Space(NamedTuple):
    """Cost, or the F-measure of one alpha, of all models over its conditions."""

    name: str
    alpha: float | None
    # Place of the first condition among the thresholds that were chosen.
    start: int
    condition: Floats
    bands: Bands
    curves: RateCurves
    value: Value


def _spaces(judged: Judged) -> list[_Space]:
    curves = judged.cost_curves
    found = [_Space("cost", None, 0, judged.pc, judged.cost_bands, curves, judged.cost)]
    for number, alpha in enumerate(judged.asked.alphas):
        start = len(judged.pc) + number * len(judged.grid)
        bands, curves, value = judged.f_bands[alpha], judged.f_curves[alpha], judged.f_value(alpha)
        name = f"F, alpha {alpha:g}"
        found.append(_Space(name, alpha, start, judged.grid, bands, curves, value))
    return found


def envelope_table(judged: Judged) -> pd.DataFrame:
    """Return the best cost and F of each model over all conditions, with intervals and bands."""
    frames = [
        pd.DataFrame(
            {
                "class": judged.name,
                "model": model,
                "space": space.name,
                "condition": space.condition,
                "value": space.bands.estimates[m],
                **{each.replace("_", " "): getattr(space.bands, each)[m] for each in BAND_ENDS},
                "optimistic": space.value(*space.curves.own_rates[:, m]),
                "tpr": space.curves.tpr[m],
                "fpr": space.curves.fpr[m],
            }
        )
        for space in _spaces(judged)
        for m, model in enumerate(judged.names)
    ]
    return pd.concat(frames, ignore_index=True)


def every_threshold(judged: Judged) -> pd.DataFrame:
    """Return the best threshold for each range of priors (F) and of PC(+) (cost), exactly.

    Chosen, for costs by the rule that is asked for, and judged on all objects. At most `MOST`
    ranges a model and space: narrow ones are left out beyond.
    """
    frames = []
    for model, points, data in zip(judged.names, judged.points, judged.ranked, strict=True):
        envelopes: dict[str, Envelope] = {"cost": _by_rule(judged, points, data)}
        envelopes |= {f"F, alpha {a:g}": upper_envelope(points, a) for a in judged.asked.alphas}
        for space, envelope in envelopes.items():
            frames.append(_ranges(judged.name, model, space, envelope))
    return with_printed(judged, pd.concat(frames, ignore_index=True))


def _by_rule(judged: Judged, points: OperatingPoints, data: Ranked) -> Envelope:
    """Return the ranges of PC(+) of the thresholds of least cost, with the rates of the objects."""
    if judged.asked.rule == "search":
        return lower_envelope(points)
    counts = data.counts
    objects = compact(data, counts)
    if judged.asked.rule == "theory":
        ends, thresholds = bayes_ranges(objects)
    else:
        found = lower_envelope(smooth_points(objects))
        ends, thresholds = found.breakpoints, found.points.thresholds
    tpr, fpr = (
        accepted / part.sum()
        for accepted, part in zip(data.accepted_weights(thresholds, counts), counts, strict=True)
    )
    return Envelope(ends, OperatingPoints(fpr, tpr, thresholds))


def _ranges(name: str, model: str, space: str, envelope: Envelope) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "class": name,
            "model": model,
            "space": space,
            "from": envelope.breakpoints[:-1],
            "to": envelope.breakpoints[1:],
            "threshold": envelope.points.thresholds,
            "tpr": envelope.points.tpr,
            "fpr": envelope.points.fpr,
        }
    )
    widest = (table["to"] - table["from"]).nlargest(MOST).index
    return table.loc[np.sort(widest)]


def _kept_points(points: OperatingPoints, most: int) -> NDArray[np.intp]:
    """Return which points draw ROC and precision-recall: both ends of equal steps of each rate."""
    if len(points) <= most:
        return np.arange(len(points))
    steps = np.linspace(0, 1, most // 3)
    reached = [np.searchsorted(points.tpr, steps), np.searchsorted(points.fpr, steps)]
    reached.append(np.searchsorted(points.tpr, steps, side="right") - 1)
    return np.unique(np.clip(np.concatenate(reached), 0, len(points) - 1))


def point_table(judged: Judged, answers: Sequence[pd.DataFrame] = ()) -> pd.DataFrame:
    """Return the ROC curve of each model, and precision at the prior of the scores.

    A curve of more than `MOST_POINTS` points is thinned; "points in all" is their number. Each
    threshold of `answers` has a row. It replaces the point that accepts the same objects.
    """
    frames = []
    for model, points, data in zip(judged.names, judged.points, judged.ranked, strict=True):
        drawn = points.thresholds[_kept_points(points, MOST_POINTS)]
        drawn = printed_thresholds(drawn, data.distinct)
        found = [_thresholds_of(model, table) for table in answers]
        named = np.unique(np.concatenate([np.empty(0), *found]))
        places = [np.searchsorted(data.distinct, each) for each in (drawn, named)]
        again = np.isin(places[0], places[1])
        thresholds = np.unique(np.append(drawn[~again | np.isinf(drawn)], named))[::-1]
        kept = data.accepted_weights(thresholds, data.counts)
        tpr, fpr = (of / part.sum() for of, part in zip(kept, data.counts, strict=True))
        accepted = judged.prior * tpr + (1 - judged.prior) * fpr
        precision = np.divide(
            judged.prior * tpr, accepted, out=np.ones(len(accepted)), where=accepted > 0
        )
        columns = {"threshold": thresholds, "fpr": fpr, "tpr": tpr, "precision": precision}
        front = {"class": judged.name, "model": model}
        frames.append(pd.DataFrame(front | columns | {"points in all": len(points)}))
    return pd.concat(frames, ignore_index=True)


def _thresholds_of(model: str, table: pd.DataFrame) -> Floats:
    """Return the thresholds of a model in an answer."""
    mine = table[table["model"] == model]
    found = mine.loc[:, mine.columns.isin(SCORES)].to_numpy(dtype=float).ravel()
    return found[~np.isnan(found)]
