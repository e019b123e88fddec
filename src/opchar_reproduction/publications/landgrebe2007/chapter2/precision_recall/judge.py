"""What Secs. 2.3.4 and 2.3.6 say of precision and recall as priors change (Fig. 2.5, Table 2.3)."""

import numpy as np
import pandas as pd

from opchar.ranges import Rate
from opchar.statistics.differences import Differences, design_array, differences, f_values
from opchar_reproduction.publications.landgrebe2007.chapter2 import (
    significance_patterns as patterns,
)
from opchar_reproduction.statements.measurements import (
    Finding,
    Measurements,
    conjunction,
    mean_table,
)
from opchar_reproduction.study import statement

MODELS = ["model", "fold"]


@statement("0092")
def only_precision_moves_with_the_prior(measured: Measurements, *, strong: float = 0.1) -> Finding:
    """Tell whether AUC stays and AUPREC falls strongly when test sets are thinned to lower priors.

    `measured`: Frame ``thinned``: ``fold``, ``prior``, ``AUC of all``, ``AUC`` and ``AUPREC``.
    """
    thinned = measured.frame("thinned")
    shift = (thinned["AUC"] - thinned["AUC of all"]).groupby(thinned["prior"])
    areas = thinned.groupby("prior")["AUPREC"].mean()
    columns = {"moved": shift.mean(), "error": shift.sem(), "AUPREC": areas}
    by_prior = pd.DataFrame(columns).sort_index(ascending=False)
    means = by_prior["AUPREC"].to_numpy()
    steady = bool((by_prior["moved"].abs() <= 3 * by_prior["error"]).all())
    fall = float(means[0] - means[-1])
    evidence = "; ".join(
        f"prior {prior:g}: AUC {moved:+.3f} +/- {error:.3f}, AUPREC {area:.3f}"
        for prior, moved, error, area in by_prior.itertuples()
    )
    falls = bool((np.diff(means) < 0).all()) and fall > strong
    parts = {"AUC does not move with the prior": steady, "AUPREC falls strongly": falls}
    return conjunction(parts, f"thinned test sets, {evidence}")


@statement("0110")
def only_c_differs(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether C is significantly above A and B by IAUPREC, and A and B are alike."""
    found = _analyses(measured, alpha)
    return conjunction(patterns.only_c_differs(found), f"IAUPREC {_means(found.two)}")


@statement("0111")
def all_differ_in_the_more_sensitive_analysis(
    measured: Measurements, *, alpha: Rate = 0.005
) -> Finding:
    """Tell whether C > B > A significantly in the 3-way analysis, with more F than the 2-way."""
    found = _analyses(measured, alpha)
    return conjunction(
        patterns.all_differ_in_the_three_way_analysis(found),
        f"AUPREC {_means(found.three)}; F {found.f_three:.1f} against {found.f_two:.1f}",
    )


@statement("0112")
def c_above_b_above_a_at_each_prior(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether C > B, C > A and B > A significantly at every prior."""
    found = _analyses(measured, alpha)
    priors = _areas(measured, "AUPREC")["prior"].drop_duplicates()
    found_at = zip(priors, found.at_each, strict=True)
    evidence = [f"at {_name(prior)}: {one.in_words()}" for prior, one in found_at]
    return conjunction(
        patterns.c_above_b_above_a_at_each_prior(found), f"pairs that differ, {'; '.join(evidence)}"
    )


@statement("0114")
def only_the_outer_priors_differ(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether only the largest and the least prior differ significantly in AUPREC."""
    found = _analyses(measured, alpha)
    return conjunction(
        patterns.only_the_outer_priors_differ(found), f"AUPREC by prior {_means(found.between)}"
    )


@statement("0113")
def only_b_degrades(measured: Measurements, *, stable: float = 0.1) -> Finding:
    """Tell whether mean AUPREC falls by `stable` or more for B only, over the range of priors."""
    frame = _areas(measured, "AUPREC")
    means = mean_table(frame, "value", index="model", columns="prior")
    first, last = means.iloc[:, -1], means.iloc[:, 0]
    change = first - last
    evidence = [f"{model} {first[model]:.3f} to {last[model]:.3f}" for model in means.index]
    return conjunction(
        {
            "A hardly changes": abs(change["A"]) < stable,
            "C hardly changes": abs(change["C"]) < stable,
            "B degrades": change["B"] > stable,
        },
        f"mean AUPREC from prior {_name(means.columns[-1])} to {_name(means.columns[0])}: "
        f"{', '.join(evidence)}",
    )


@statement("0115")
def ranked_c_b_a_by_every_measure(measured: Measurements) -> Finding:
    """Tell whether the means of every measure of the table put C first, then B, then A."""
    frame = measured.frame("measured")
    orders = {}
    for (measure, prior), part in frame.groupby(["measure", "prior"], dropna=False, sort=False):
        name = f"{measure} ({_name(prior)})" if measure == "AUPREC" else str(measure)
        means = part.groupby("model")["value"].mean().sort_values(ascending=False)
        orders[name] = "".join(map(str, means.index))
    return conjunction(
        {f"C, B, A by {name}": order == "CBA" for name, order in orders.items()},
        "best first: " + ", ".join(f"{name} {order}" for name, order in orders.items()),
    )


def _of_measure(frame: pd.DataFrame, measure: str) -> pd.DataFrame:
    return frame[frame["measure"] == measure]


def _areas(measured: Measurements, measure: str) -> pd.DataFrame:
    return measured.rows("measured", _of_measure, measure)


def _analyses(measured: Measurements, alpha: float) -> patterns.Analyses:
    """Return the analyses of variance of Sec. 2.3.6 with the pairs that differ by Tukey's test."""
    integrated, by_prior = _areas(measured, "IAUPREC"), _areas(measured, "AUPREC")
    models, priors = (by_prior[name].drop_duplicates().tolist() for name in ("model", "prior"))
    two = design_array(integrated, MODELS)[None]
    three = design_array(by_prior, [*MODELS, "prior"])[None]
    return patterns.Analyses(
        two=differences(two, integrated["model"].drop_duplicates().tolist(), alpha)[0],
        three=differences(three, models, alpha)[0],
        at_each=[differences(three[..., at], models, alpha)[0] for at in range(len(priors))],
        between=differences(three.transpose(0, 3, 2, 1), priors, alpha)[0],
        f_two=float(f_values(two)[0]),
        f_three=float(f_values(three)[0]),
    )


def _means(found: Differences) -> str:
    means = ", ".join(f"{_name(level)}: {mean:.3f}" for level, mean in found.means.items())
    return f"{means} (differ: {found.in_words()})"


def _name(level: object) -> str:
    return f"{level:g}" if isinstance(level, float) else str(level)
