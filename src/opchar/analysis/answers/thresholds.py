"""Where to put the threshold: for given priors, costs and preferences, and for all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import Judged, compact
from opchar.spaces.cost import lower_envelope
from opchar.spaces.envelope import Envelope
from opchar.spaces.f_measure import upper_envelope
from opchar.spaces.points import OperatingPoints
from opchar.spaces.printing import printed_thresholds
from opchar.spaces.smooth_curves import expected_points
from opchar.statistics.ranked import Floats, Ranked
from opchar.statistics.rate_curves import Bands, RateCurves, Value

COLUMNS = ["class", "model", "aim", "prior", "threshold", "value", "low", "high", "optimistic",
           "trivial", "tpr", "fpr"]  # fmt: skip
MOST = 400


def threshold_table(judged: Judged) -> pd.DataFrame:
    """Return the best thresholds for the priors, costs and preferences that are asked for.

    Parameters
    ----------
    judged : Judged

    Returns
    -------
    pandas.DataFrame
        Column ``value`` has what thresholds reach on folds that they were not chosen on, with an
        interval; ``threshold`` is the shortest number that accepts the same objects;
        ``optimistic`` what the threshold reaches on the objects that it was chosen on;
        ``trivial`` what the better of accepting all and none reaches. Costs are those of one object
        in the units of the costs given.
    """
    rows = []
    for prior in judged.priors:
        scale = prior * judged.asked.cost[1] + (1 - prior) * judged.asked.cost[0]
        g = int(np.abs(judged.pc - judged.pc_of(np.array(prior))).argmin())
        trivial = min(judged.pc[g], 1 - judged.pc[g]) * scale
        aim = f"cost ({judged.asked.cost[0]:g}, {judged.asked.cost[1]:g})"
        part = slice(0, len(judged.pc))
        rows += _rows(
            judged, aim, prior, g, judged.cost_bands, judged.cost_curves, part, scale, trivial
        )
        g = int(np.abs(judged.grid - prior).argmin())
        for number, alpha in enumerate(judged.asked.alphas):
            start = len(judged.pc) + number * len(judged.grid)
            part = slice(start, start + len(judged.grid))
            bands, curves = judged.f_bands[alpha], judged.f_curves[alpha]
            all_accepted = prior / (alpha + (1 - alpha) * prior) if prior else 0.0
            rows += _rows(
                judged, f"F, alpha {alpha:g}", prior, g, bands, curves, part, 1.0, all_accepted
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def _rows(
    judged: Judged,
    aim: str,
    prior: float,
    g: int,
    bands: Bands,
    curves: RateCurves,
    part: slice,
    scale: float,
    trivial: float,
) -> list[tuple]:
    """Return one row per model."""
    value = judged.cost if aim.startswith("cost") else judged.f_value(float(aim.split()[-1]))
    found = []
    for m, model in enumerate(judged.names):
        optimistic = value(*curves.own_rates[:, m])[g]
        found.append(
            (
                judged.name,
                model,
                aim,
                prior,
                _printed(judged, m, judged.chosen[m].part(part).own_thresholds[g]),
                float(bands.estimates[m, g]) * scale,
                float(bands.low[m, g]) * scale,
                float(bands.high[m, g]) * scale,
                float(optimistic) * scale,
                trivial,
                float(curves.tpr[m, g]),
                float(curves.fpr[m, g]),
            )
        )
    return found


def with_printed(judged: Judged, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose thresholds are the shortest that accept the same objects.

    Parameters
    ----------
    judged : Judged
    table : pandas.DataFrame
        With a column ``model``; thresholds are in the columns called so.
    """
    table = table.copy()
    for model, data in zip(judged.names, judged.ranked, strict=True):
        own = table["model"] == model
        for name in table.columns[table.columns.str.contains("threshold")]:
            table.loc[own, name] = printed_thresholds(table.loc[own, name], data.distinct)
    return table


def _printed(judged: Judged, m: int, threshold: float) -> float:
    """Return the shortest threshold that accepts the same objects."""
    return float(printed_thresholds(threshold, judged.ranked[m].distinct))


def envelope_table(judged: Judged) -> pd.DataFrame:
    """Return the best cost and F of each model over all conditions, with intervals and bands.

    Returns
    -------
    pandas.DataFrame
        Column ``space`` is ``cost`` or ``F, alpha ..``; ``condition`` the probability cost PC(+),
        or the prior.
    """
    parts: list[tuple[str, Floats, Bands, RateCurves, Value]] = [
        ("cost", judged.pc, judged.cost_bands, judged.cost_curves, judged.cost)
    ]
    for alpha in judged.asked.alphas:
        parts.append(
            (
                f"F, alpha {alpha:g}",
                judged.grid,
                judged.f_bands[alpha],
                judged.f_curves[alpha],
                judged.f_value(alpha),
            )
        )
    frames = [
        pd.DataFrame(
            {
                "class": judged.name,
                "model": model,
                "space": space,
                "condition": condition,
                "value": bands.estimates[m],
                "low": bands.low[m],
                "high": bands.high[m],
                "band low": bands.band_low[m],
                "band high": bands.band_high[m],
                "optimistic": value(*curves.own_rates[:, m]),
                "tpr": curves.tpr[m],
                "fpr": curves.fpr[m],
            }
        )
        for space, condition, bands, curves, value in parts
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
            table = _ranges(judged.name, model, space, envelope)
            table["threshold"] = printed_thresholds(table["threshold"], data.distinct)
            frames.append(table)
    return pd.concat(frames, ignore_index=True)


def _by_rule(judged: Judged, points: OperatingPoints, data: Ranked) -> Envelope:
    """Return the ranges of PC(+) of the thresholds of least cost, with the rates of the objects."""
    if judged.asked.rule == "search":
        return lower_envelope(points)
    counts = data.counts
    found = lower_envelope(expected_points(compact(data, counts), judged.asked.rule))
    thresholds = found.points.thresholds
    tpr, fpr = (
        accepted / part.sum()
        for accepted, part in zip(data.accepted(thresholds, counts), counts, strict=True)
    )
    return Envelope(found.breakpoints, OperatingPoints(fpr, tpr, thresholds))


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


def point_table(judged: Judged, most: int = 300) -> pd.DataFrame:
    """Return the ROC curve of each model, and precision at the prior of the scores."""
    frames = []
    for model, points, data in zip(judged.names, judged.points, judged.ranked, strict=True):
        kept = np.unique(np.linspace(0, len(points) - 1, min(len(points), most)).astype(int))
        part = points[kept]
        accepted = judged.prior * part.tpr + (1 - judged.prior) * part.fpr
        precision = np.divide(
            judged.prior * part.tpr, accepted, out=np.ones(len(part)), where=accepted > 0
        )
        told = printed_thresholds(part.thresholds, data.distinct)
        columns = {"threshold": told, "fpr": part.fpr, "tpr": part.tpr}
        frames.append(
            pd.DataFrame({"class": judged.name, "model": model, **columns, "precision": precision})
        )
    return pd.concat(frames, ignore_index=True)
