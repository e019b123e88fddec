"""What Secs. 2.3.4 and 2.3.6 say of precision and recall as priors change (Fig. 2.5, Table 2.3)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.experiments.landgrebe2007.chapter2 import significance_patterns as patterns
from opchar.experiments.landgrebe2007.chapter2.significance_patterns import Analyses
from opchar.statements.measurements import Finding, Measurements
from opchar.statistics.differences import Differences, design_array, differences, f_values

MODELS = ["model", "fold"]


def only_precision_moves_with_the_prior(measured: Measurements, *, strong: float) -> Finding:
    """Tell whether AUC stays and AUPREC falls strongly when test sets are thinned to lower priors.

    Parameters
    ----------
    measured : Measurements
        Frame ``thinned``: ``fold``, ``prior``, ``AUC of all``, ``AUC`` and ``AUPREC``.
    strong : float
        Mean AUPREC must fall by more than this from the largest to the least prior.
    """
    thinned = measured.frame("thinned")
    shift = (thinned["AUC"] - thinned["AUC of all"]).groupby(thinned["prior"])
    areas = thinned.groupby("prior")["AUPREC"].mean()
    columns = {"moved": shift.mean(), "error": shift.sem(), "AUPREC": areas}
    by_prior = pd.DataFrame(columns).sort_index(ascending=False)
    means = by_prior["AUPREC"].to_numpy()
    steady = bool((by_prior["moved"].abs() <= 3 * by_prior["error"]).all())
    fall = float(means[0] - means[-1])
    said = "; ".join(
        f"prior {prior:g}: AUC {moved:+.3f} +/- {error:.3f}, AUPREC {area:.3f}"
        for prior, moved, error, area in by_prior.itertuples()
    )
    falls = bool((np.diff(means) < 0).all()) and fall > strong
    return Finding(steady and falls, f"thinned test sets, {said}")


def only_c_differs(measured: Measurements, *, alpha: float) -> Finding:
    """Tell whether C is significantly above A and B by IAUPREC, and A and B are alike."""
    found = _analyses(measured, alpha)
    return Finding(patterns.only_c_differs(found), f"IAUPREC {_means(found.two)}")


def all_differ_in_the_more_sensitive_analysis(measured: Measurements, *, alpha: float) -> Finding:
    """Tell whether C > B > A significantly in the 3-way analysis, with more F than the 2-way."""
    found = _analyses(measured, alpha)
    return Finding(
        patterns.all_differ_in_the_three_way_analysis(found),
        f"AUPREC {_means(found.three)}; F {found.f_three:.1f} against {found.f_two:.1f}",
    )


def c_above_b_above_a_at_each_prior(measured: Measurements, *, alpha: float) -> Finding:
    """Tell whether C > B, C > A and B > A significantly at every prior."""
    found = _analyses(measured, alpha)
    said = [f"at {_name(prior)}: {one.named()}" for prior, one in _by_prior(measured, found)]
    return Finding(
        patterns.c_above_b_above_a_at_each_prior(found), f"pairs that differ, {'; '.join(said)}"
    )


def only_the_outer_priors_differ(measured: Measurements, *, alpha: float) -> Finding:
    """Tell whether only the largest and the least prior differ significantly in AUPREC."""
    found = _analyses(measured, alpha)
    return Finding(
        patterns.only_the_outer_priors_differ(found), f"AUPREC by prior {_means(found.between)}"
    )


def only_b_degrades(measured: Measurements, *, stable: float) -> Finding:
    """Tell whether mean AUPREC falls by `stable` or more for B only, over the range of priors."""
    frame = _areas(measured, "AUPREC")
    means = frame.pivot_table(index="model", columns="prior", values="value")
    first, last = means.iloc[:, -1], means.iloc[:, 0]
    change = first - last
    said = [f"{model} {first[model]:.3f} to {last[model]:.3f}" for model in means.index]
    steady = abs(change["A"]) < stable and abs(change["C"]) < stable
    return Finding(
        bool(steady and change["B"] > stable),
        f"mean AUPREC from prior {_name(means.columns[-1])} to {_name(means.columns[0])}: "
        f"{', '.join(said)}",
    )


def ranked_c_b_a_by_every_measure(measured: Measurements) -> Finding:
    """Tell whether the means of every measure of the table put C first, then B, then A."""
    frame = measured.frame("measured")
    orders = {}
    for (measure, prior), part in frame.groupby(["measure", "prior"], dropna=False, sort=False):
        name = f"{measure} ({_name(prior)})" if measure == "AUPREC" else str(measure)
        means = part.groupby("model")["value"].mean().sort_values(ascending=False)
        orders[name] = "".join(map(str, means.index))
    return Finding(
        all(order == "CBA" for order in orders.values()),
        "best first: " + ", ".join(f"{name} {order}" for name, order in orders.items()),
    )


def _areas(measured: Measurements, measure: str) -> pd.DataFrame:
    frame = measured.frame("measured")
    return frame[frame["measure"] == measure]


def _analyses(measured: Measurements, alpha: float) -> Analyses:
    """Return the analyses of variance of Sec. 2.3.6 with the pairs that differ by Tukey's test."""
    integrated, by_prior = _areas(measured, "IAUPREC"), _areas(measured, "AUPREC")
    models, priors = (by_prior[name].drop_duplicates().tolist() for name in ("model", "prior"))
    two = design_array(integrated, MODELS)[None]
    three = design_array(by_prior, [*MODELS, "prior"])[None]
    return Analyses(
        two=differences(two, integrated["model"].drop_duplicates().tolist(), alpha)[0],
        three=differences(three, models, alpha)[0],
        at_each=[differences(three[..., at], models, alpha)[0] for at in range(len(priors))],
        between=differences(three.transpose(0, 3, 2, 1), priors, alpha)[0],
        f_two=float(f_values(two)[0]),
        f_three=float(f_values(three)[0]),
    )


def _by_prior(measured: Measurements, found: Analyses) -> list[tuple[float, Differences]]:
    priors = _areas(measured, "AUPREC")["prior"].drop_duplicates()
    return list(zip(priors, found.at_each, strict=True))


def _means(found: Differences) -> str:
    means = ", ".join(f"{_name(level)}: {mean:.3f}" for level, mean in found.means.items())
    return f"{means} (differ: {found.named()})"


def _name(level: object) -> str:
    return f"{level:g}" if isinstance(level, float) else str(level)
