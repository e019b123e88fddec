"""The decision: which model and threshold to use at one prior and cost, what it does, how sure."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from opchar.analysis.answers.judging import Judged
from opchar.analysis.answers.rules import spread_of
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import number_text, share_text
from opchar.spaces.printing import printed_thresholds
from opchar.statistics.ranked import Floats
from opchar.statistics.rate_curves import Bands

THOUSAND = 1000


@dataclass(frozen=True)
class Estimate:
    """A number with its interval.

    Attributes
    ----------
    value, low, high : float
    """

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """Return the estimate in another unit; a negative factor turns the interval round."""
        ends = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, *ends)


@dataclass(frozen=True)
class Option:
    """What one model does at the condition in question.

    Attributes
    ----------
    model : str
    threshold : float
        Scores at or above it are accepted; chosen on all objects.
    cost : Estimate
        Of one object, in the units of the costs that were asked, on folds that thresholds were not
        chosen on; so are all estimates.
    found, missed, false_alarms : Estimate
        Of 1,000 objects at the prior in use.
    precision : Estimate
        Share of positives among the accepted.
    lowest, highest : float
        Thresholds between which none costs distinguishably more on all objects.
    threshold_low, threshold_high : float
        Interval of the threshold: what the rule chooses on resamples.
    """

    model: str
    threshold: float
    cost: Estimate
    found: Estimate
    missed: Estimate
    false_alarms: Estimate
    precision: Estimate
    lowest: float
    highest: float
    threshold_low: float
    threshold_high: float


@dataclass(frozen=True)
class Rival:
    """How much more another model costs than the recommended one.

    Attributes
    ----------
    model : str
    more : Estimate
        Cost of an object, on the same objects.
    """

    model: str
    more: Estimate

    @property
    def sure(self) -> bool:
        """Whether the interval leaves no doubt about which costs less."""
        return self.more.low > 0


@dataclass(frozen=True)
class Decision:
    """The answer to the main question.

    Attributes
    ----------
    positive : str
    prior : float
        In use.
    cost_fp, cost_fn : float
        Of a false alarm and of a miss.
    without : {"accept all", "accept none"}
        The cheaper way to decide without a model.
    trivial : float
        Its cost of one object.
    options : tuple of Option
        By cost; the first is the best model.
    rivals : tuple of Rival
        Of the best model.
    """

    positive: str
    prior: float
    cost_fp: float
    cost_fn: float
    without: str
    trivial: float
    options: tuple[Option, ...]
    rivals: tuple[Rival, ...]

    @property
    def best(self) -> Option:
        """The model that costs least."""
        return self.options[0]

    @property
    def serves(self) -> bool:
        """Whether the best model costs less than deciding without one."""
        return self.best.cost.value < self.trivial

    @property
    def saved(self) -> Estimate:
        """What the best model saves of the cost of deciding without one, as a share."""
        return Estimate(
            1 - self.best.cost.value / self.trivial,
            1 - self.best.cost.high / self.trivial,
            1 - self.best.cost.low / self.trivial,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return asdict(self) | {"serves": self.serves, "saved": asdict(self.saved)}


def decision(judged: Judged, differences: pd.DataFrame | None) -> Decision:
    """Choose model and threshold at the first prior that is asked for, or that of the scores.

    Parameters
    ----------
    judged : Judged
    differences : pandas.DataFrame or None
        From `opchar.analysis.answers.comparison.cost_differences`; None for one model.

    Returns
    -------
    Decision
    """
    prior = judged.asked.priors[0] if judged.asked.priors else judged.prior
    cost_fp, cost_fn = judged.asked.cost
    g = int(np.abs(judged.pc - judged.pc_of(np.array(prior))).argmin())
    scale = prior * cost_fn + (1 - prior) * cost_fp
    pc = float(judged.pc[g])
    bands = _bands(judged, prior, g)
    order = np.argsort(judged.cost_bands.estimates[:, g], kind="stable")
    options = tuple(_option(judged, bands, int(m), g, prior, scale) for m in order)
    return Decision(
        judged.name,
        float(prior),
        cost_fp,
        cost_fn,
        "accept none" if pc <= 0.5 else "accept all",
        min(pc, 1 - pc) * scale,
        options,
        _rivals(judged, differences, options, pc, scale),
    )


def _bands(judged: Judged, prior: float, g: int) -> dict[str, Bands]:
    """Return the rates and the precision of all models with intervals, at one condition."""
    curves = judged.cost_curves.at(g)

    def precision(tpr: Floats, fpr: Floats) -> Floats:
        accepted = prior * tpr + (1 - prior) * fpr
        return np.divide(prior * tpr, accepted, out=np.ones_like(accepted), where=accepted > 1e-12)

    values = {"tpr": lambda t, f: t + 0 * f, "fpr": lambda t, f: f + 0 * t, "precision": precision}
    return {
        name: curves.band(
            value, judged.asked.spawn(judged.name, "decision", name), judged.asked.level
        )
        for name, value in values.items()
    }


def _option(
    judged: Judged, bands: dict[str, Bands], m: int, g: int, prior: float, scale: float
) -> Option:
    def at(name: str) -> Estimate:
        found = bands[name]
        ends = np.clip([found.low[m, 0], found.high[m, 0]], 0, 1)
        return Estimate(float(found.estimates[m, 0]), *map(float, ends))

    cost = judged.cost_bands
    tpr, fpr = at("tpr"), at("fpr")
    positives, negatives = THOUSAND * prior, THOUSAND * (1 - prior)
    spread = spread_of(judged, m, prior)
    ends = [spread.lowest, spread.highest, spread.low, spread.high]
    told = printed_thresholds(
        [judged.chosen[m].own_thresholds[g], *ends], judged.ranked[m].distinct
    )
    return Option(
        judged.names[m],
        float(told[0]),
        Estimate(*(float(each[m, g]) * scale for each in (cost.estimates, cost.low, cost.high))),
        tpr.times(positives),
        Estimate(1 - tpr.value, 1 - tpr.high, 1 - tpr.low).times(positives),
        fpr.times(negatives),
        at("precision"),
        *(float(each) for each in told[1:]),
    )


def _rivals(
    judged: Judged,
    differences: pd.DataFrame | None,
    options: tuple[Option, ...],
    pc: float,
    scale: float,
) -> tuple[Rival, ...]:
    """Return by how much other models cost more, where the pair was compared."""
    if differences is None:
        return ()
    best, found = options[0].model, []
    nearest = (differences["pc"] - pc).abs() < 1e-12
    for row in differences[nearest].to_dict("records"):
        if best not in (row["model"], row["other model"]):
            continue
        sign = -1 if row["model"] == best else 1
        other = row["other model"] if row["model"] == best else row["model"]
        less = Estimate(row["difference of cost"], row["low"], row["high"])
        found.append(Rival(str(other), less.times(sign * scale)))
    return tuple(sorted(found, key=lambda rival: rival.more.value))


def decision_findings(found: Decision, areas: pd.DataFrame, judged: Judged) -> list[Finding]:
    """Return what to be careful about in the decision.

    Parameters
    ----------
    found : Decision
    areas : pandas.DataFrame
        From `opchar.analysis.answers.areas.area_table`.
    judged : Judged
    """
    best, said = found.best, []
    costs = f"{number_text(best.cost.value)} an object"
    if not found.serves:
        said.append(
            Finding(
                "OPC002",
                f"The best model, {best.model}, costs {costs}; to {found.without} costs "
                f"{number_text(found.trivial)}.",
            )
        )
    elif best.cost.high >= found.trivial:
        said.append(
            Finding(
                "OPC003",
                f"{best.model} costs {costs} ({number_text(best.cost.low)} to "
                f"{number_text(best.cost.high)}); to {found.without} costs "
                f"{number_text(found.trivial)}.",
            )
        )
    unsure = [rival.model for rival in found.rivals if not rival.sure]
    if unsure:
        said.append(
            Finding(
                "OPC004",
                f"Whether {best.model} costs less than {', '.join(unsure)} cannot be told at "
                "this condition.",
            )
        )
    own = areas[areas["measure"] == "AUC"].set_index("model")["value"]
    largest = str(own.idxmax())
    if own[largest] > own[best.model]:
        said.append(
            Finding(
                "OPC040",
                f"{largest} has the larger AUC ({own[largest]:.3f}; {best.model} "
                f"{own[best.model]:.3f}), {best.model} the lower cost.",
            )
        )
    if found.prior < judged.prior / 2:
        said.append(
            Finding(
                "OPC041",
                f"{share_text(judged.prior)} of the scores are {found.positive}, "
                f"{share_text(found.prior)} in use: precision there is "
                f"{share_text(best.precision.value)}.",
            )
        )
    return said
