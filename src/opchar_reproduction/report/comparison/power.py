"""What a comparison of two numbers could have noticed, and whether it shows equivalence."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from opchar.statistics.proportions import of_two_rates
from opchar_reproduction.report.comparison.samples import Sample
from opchar_reproduction.report.meanings import meanings

# With this probability a difference is noticed; each of the two one-sided tests errs with LEVEL.
POWER = 0.8
LEVEL = 0.05
AGREEMENTS = meanings("agreement")
_FOUND = {
    "agrees": "not distinguishable",
    "agrees otherwise": "not distinguishable",
    "differs": "different",
    "erratum": "different",
    "inconsistent": "different",
}


class Power(NamedTuple):
    """What a comparison could tell, in the unit of the published number."""

    noticed: float = math.nan
    within: float = math.nan


def of_spread(off: float, error: float, limit: float, repeats: int | None = None) -> Power:
    """Return the power of a comparison with a standard error.

    D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability", Journal of Pharmacokinetics and
    Biopharmaceutics 15, 1987.
    """
    from scipy.stats import norm, t

    one_sided = t.ppf(1 - LEVEL, repeats - 1) if repeats and repeats > 1 else norm.ppf(1 - LEVEL)
    return Power((limit + float(norm.ppf(POWER))) * error, abs(off) + float(one_sided) * error)


def of_counts(
    printed: float, value: float, samples: tuple[Sample, Sample], unit: float, limit: float
) -> Power:
    """Return the power of a comparison of two counts or rates.

    ``within`` is the interval of Newcombe (1998, method 10), which is right at rates of zero and
    one, where the estimated standard error is zero; half of `unit` is added unless the published
    number is a count. ``noticed`` is the smallest difference towards a rate of one half that the
    usual formula for two rates gives the power.

    R. G. Newcombe, "Interval estimation for the difference between independent proportions",
    Statistics in Medicine 17, 1998.
    """
    theirs, ours = samples
    scale = theirs.scale
    before, after = (min(max(number / scale, 0.0), 1.0) for number in (printed, value))
    sizes = theirs.size, ours.size
    ends = of_two_rates(lambda one, two: two - one, before, after, *sizes, 1 - 2 * LEVEL)
    rounding = 0.0 if scale == theirs.size else unit / 2
    least = _noticed_rate(before, *sizes, limit)
    return Power(scale * least, scale * max(abs(float(end)) for end in ends) + rounding)


def _noticed_rate(rate: float, theirs: int, ours: int, limit: float) -> float:
    """Return the smallest noticed difference of two rates, in steps of one of the larger sample."""
    from scipy.stats import norm

    low = min(rate, 1 - rate)
    shares = 1 / theirs + 1 / ours
    steps = max(theirs, ours)
    for step in range(1, steps + 1):
        other = min(low + step / steps, 1.0)
        pooled = (low * theirs + other * ours) / (theirs + ours)
        alike = math.sqrt(pooled * (1 - pooled) * shares)
        apart = math.sqrt(low * (1 - low) / theirs + other * (1 - other) / ours)
        if other - low >= limit * alike + float(norm.ppf(POWER)) * apart:
            return other - low
    return math.nan


def margin_of(unit: str, printed: str, margins: Mapping[str, Mapping[Any, Any]]) -> float:
    """Return the size below which a difference is negligible; NaN where a unit has none."""
    entry = margins.get(unit)
    if entry is None:
        return math.nan
    absolute, relative = (float(entry[name] or 0) for name in ("absolute", "relative"))
    return max(absolute, relative * abs(float(printed)))


def agreement_of(kind: str, verdict: str, within: float, margin: float) -> str:
    """Return a key of `AGREEMENTS`; empty for claims and for what was not compared."""
    if kind == "claim":
        return ""
    same = verdict == "agrees" and (kind == "text" or within <= margin * (1 + 1e-9))
    return "equivalent" if same else _FOUND.get(verdict, "")


def by_unit(margins: pd.DataFrame | None) -> dict[str, Mapping[Any, Any]]:
    """Return declared margins by unit."""
    return {} if margins is None else {row["unit"]: row for row in margins.to_dict("records")}


def agreement(
    line: Mapping[Any, Any], verdict: str, power: Power, margins: Mapping[str, Mapping[Any, Any]]
) -> dict[str, str]:
    """Return what a ledger line says of its comparison."""
    compared = line["kind"] == "number" and verdict in _FOUND
    margin = margin_of(line["unit"], line["value"], margins) if compared else math.nan
    numbers = {"noticed": power.noticed, "within": power.within, "margin": margin}
    texts = {
        name: f"{value:.4g}" if compared and not math.isnan(value) else ""
        for name, value in numbers.items()
    }
    return texts | {"agreement": agreement_of(line["kind"], verdict, power.within, margin)}
