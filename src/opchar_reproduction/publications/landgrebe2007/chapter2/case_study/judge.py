"""What Secs. 2.2.4 and 2.2.5 say of classifiers A and B, over independent draws."""

import numpy as np
import pandas as pd
from scipy.stats import ttest_rel

from opchar.ranges import Rate
from opchar_reproduction.statements.exchange import flatten
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement

ALL_ALIKE = flatten("one value in all draws", "measured", "value")


def with_twice_the_errors(measured: Measurements, *, of: str) -> Measurements:
    """Double eps and 1 - AUC of one classifier."""

    def double(table: pd.DataFrame) -> pd.DataFrame:
        chosen = table["model"] == of
        eps, area = (chosen & (table["measure"] == name) for name in ("error rate eps", "AUC"))
        table.loc[eps, "value"] *= 2
        table.loc[area, "value"] = 1 - 2 * (1 - table.loc[area, "value"])
        return table

    return measured.with_frame("measured", double)


@statement(
    "0010", control=Control(with_twice_the_errors, "classifier A with twice its errors", of="A")
)
def similar_at_equal_priors_and_over_the_range(
    measured: Measurements, *, ratio: float = 1.1
) -> Finding:
    """Tell whether both mean errors, eps and 1 - AUC, are alike to within a ratio."""
    eps = [float(values.mean()) for values in _both(measured, "error rate eps")]
    area = [1 - float(values.mean()) for values in _both(measured, "AUC")]
    ratios = [_ratio(max(errors), min(errors)) for errors in (eps, area)]
    return conjunction(
        {
            "nearly the same error rate": ratios[0] <= ratio,
            "nearly the same AUC": ratios[1] <= ratio,
        },
        f"eps {eps[0]:.4f} and {eps[1]:.4f}, a ratio of {ratios[0]:.2f}; 1 - AUC {area[0]:.4f} and "
        f"{area[1]:.4f}, a ratio of {ratios[1]:.2f}",
    )


@statement(
    "0011",
    leaf_controls=[
        ALL_ALIKE,
        Control(with_twice_the_errors, "classifier B with twice its errors", of="B"),
    ],
)
def a_is_far_more_sensitive(
    measured: Measurements, *, far: float = 2.0, alpha: Rate = 0.005, ratio: float = 1.1
) -> Finding:
    """Tell whether Sens of A is `far` times that of B, significant, and B has no larger errors."""
    a, b = _both(measured, "Sens")
    times, p = _ratio(float(a.mean()), float(b.mean())), float(ttest_rel(a, b).pvalue)
    eps = [float(values.mean()) for values in _both(measured, "error rate eps")]
    area = [1 - float(values.mean()) for values in _both(measured, "AUC")]
    worse = [_ratio(of_b, of_a) for of_a, of_b in (eps, area)]
    return conjunction(
        {
            "A is far more sensitive": times >= far,
            "the difference is significant": p < alpha,
            "B errs no more and is the better model": max(worse) <= ratio,
        },
        f"Sens {a.mean():.4f} and {b.mean():.4f}, a ratio of {times:.2f} (p = {p:.2g}); errors of "
        f"B over those of A {worse[0]:.2f} and {worse[1]:.2f}",
    )


@statement("0012")
def acc_sens_prefers_b(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether AccSens, of which less is better, is significantly lower for B."""
    a, b = _both(measured, "AccSens")
    p = float(ttest_rel(a, b).pvalue)
    return conjunction(
        {"AccSens of B is lower": a.mean() > b.mean(), "the difference is significant": p < alpha},
        f"AccSens {a.mean():.4f} of A and {b.mean():.4f} of B (p = {p:.2g})",
    )


@statement("0013")
def a_is_spread_wider_along_the_roc(
    measured: Measurements, *, far: float = 2.0, ratio: float = 1.1
) -> Finding:
    """Tell whether lo and hi are `far` times farther apart on A, at alike equal errors."""
    marked = measured.frame("places")
    lengths, errors = {}, {}
    for model, of_model in marked.groupby("model"):
        at = {mark: part.set_index("draw") for mark, part in of_model.groupby("mark")}
        apart = at["hi"][["fpr", "fnr"]] - at["lo"][["fpr", "fnr"]]
        lengths[model] = float(np.hypot(apart["fpr"], apart["fnr"]).mean())
        errors[model] = float(at["e"]["fpr"].mean())
    alike = _ratio(max(errors.values()), min(errors.values()))
    return conjunction(
        {
            "lo and hi are far wider apart on A": lengths["A"] >= far * lengths["B"],
            "the points of equal errors are close": alike <= ratio,
        },
        f"from lo to hi {lengths['A']:.3f} on A and {lengths['B']:.3f} on B; equal errors "
        f"{errors['A']:.4f} and {errors['B']:.4f}, a ratio of {alike:.2f}",
    )


def _both(measured: Measurements, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of A and of B on the same draws."""
    frame = measured.frame("measured")
    of_measure = frame[frame["measure"] == measure].set_index("draw").sort_index()
    a, b = (of_measure.loc[of_measure["model"] == model, "value"] for model in "AB")
    return a.to_numpy(dtype=float), b.to_numpy(dtype=float)


def _ratio(larger: float, smaller: float) -> float:
    if smaller > 0:
        return larger / smaller
    return np.inf if larger > 0 else 1.0
