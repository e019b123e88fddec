"""Which model is better, and where: areas and costs on the same objects."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import BAND_ENDS, Judged, accepts_all_or_none
from opchar.statistics.areas import Areas
from opchar.statistics.rate_curves import Bands

MOST_MODELS = 6


def pairs_of(judged: Judged, found: Areas) -> list[tuple[int, int]]:
    """Return all pairs of models; of many, each with the one of the largest AUC."""
    number = len(judged.names)
    if number <= MOST_MODELS:
        return list(combinations(range(number), 2))
    best = int(np.argmax(found.areas))
    return [(best, other) for other in range(number) if other != best]


def area_differences(judged: Judged, found: Areas) -> pd.DataFrame:
    """Return differences of AUC between models, with DeLong's intervals and Holm's p."""
    rows = []
    for one, two in pairs_of(judged, found):
        change, low, high, p = found.difference(one, two, judged.asked.level)
        rows.append((judged.name, judged.names[one], judged.names[two], change, low, high, p))
    names = ["class", "model", "other model", "difference of AUC", "low", "high", "p"]
    table = pd.DataFrame(rows, columns=names)
    return table.assign(**{"p, Holm": _holm(table["p"].to_numpy())})


def cost_differences(judged: Judged, found: Areas) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return differences of the expected cost of models over PC(+), and who is better where.

    Thresholds of both models are chosen on other folds. One band is for all pairs and conditions.
    """
    pairs = pairs_of(judged, found)
    rng = judged.asked.spawn(judged.name, "differences")
    bands = judged.cost_curves.differences(judged.cost, pairs, rng, judged.asked.level)
    exact, wide = accepts_all_or_none(*judged.cost_curves.own_rates), np.ones(bands.low.shape)
    for index, (one, two) in enumerate(pairs):
        for g, pc in enumerate(judged.pc if judged.draws_folds else ()):
            moved = [judged.moves(judged.accepts(m, g), (-pc, 1 - pc)) for m in (one, two)]
            wide[index, g] = judged.widens(moved[0] - moved[1])
        wide[index, exact[one] & exact[two]] = 0.0
    bands = bands.widened_by(wide, -1.0)
    frames, ranges = [], []
    for index, (one, two) in enumerate(pairs):
        names = {"class": judged.name, "model": judged.names[one], "other model": judged.names[two]}
        columns = {"pc": judged.pc, "difference of cost": bands.estimates[index]}
        columns |= {each.replace("_", " "): getattr(bands, each)[index] for each in BAND_ENDS}
        frames.append(pd.DataFrame(names | columns))
        ranges += [{**names, **found} for found in _better(judged, bands, index, one, two)]
    of_ranges = ["class", "model", "other model", "better", "from pc", "to pc"]
    return pd.concat(frames, ignore_index=True), pd.DataFrame(ranges, columns=of_ranges)


def _better(judged: Judged, bands: Bands, index: int, one: int, two: int) -> list[dict]:
    """Return the ranges on which the band lies on one side of zero."""
    side = np.where(bands.band_high[index] < 0, 1, np.where(bands.band_low[index] > 0, -1, 0))
    found: list[dict] = []
    edges = np.flatnonzero(np.diff(side) != 0) + 1
    for part in np.split(np.arange(len(side)), edges):
        if side[part[0]] != 0:
            found.append(
                {
                    "better": judged.names[one if side[part[0]] > 0 else two],
                    "from pc": float(judged.pc[part[0]]),
                    "to pc": float(judged.pc[part[-1]]),
                }
            )
    return found


def _holm(p: np.ndarray) -> np.ndarray:
    """Return p adjusted for their number by Holm's method."""
    order = np.argsort(p)
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)
