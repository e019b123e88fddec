"""Claims on three classifiers of face trajectories (Sec. 4, Figs. 9 and 10)."""

from opchar_reproduction.percent import per_cent
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0064")
def third_is_best(measured: Measurements, *, small: float = 0.02) -> Finding:
    """Judge: C_3 is best in ROC, cost and F-measure space, on the mean curves of all targets."""
    mean = measured.frame("lead").groupby(["space", "at"])["gain"].mean().groupby("space")
    average, least = mean.mean(), mean.min()
    spaces = ", ".join(f"{space} {average[space]:+.4f}" for space in average.index)
    return conjunction(
        {
            f"C_3 is best in {space} space": average[space] > 0 and least[space] >= -small
            for space in average.index
        },
        f"mean gain of C_3 over the better of the others: {spaces}; least {least.min():+.4f}",
    )


@statement("0070")
def cost_optimum_near_the_origin(measured: Measurements, *, limit: float = 0.03) -> Finding:
    """Judge: the cost optimum is close to (0, 0) below a P(+), the F optimum not (most targets)."""
    table = measured.frame("near-origin")
    cost, f = table["cost"] >= limit, table["F"] > table["start"]
    both = cost & ~f
    parts = {
        "the cost optimum is close to (0, 0)": cost.mean() > 0.5,
        "the F optimum is nowhere close": (~f).mean() > 0.5,
        "both of the same targets": both.mean() > 0.5,
    }
    return conjunction(
        parts,
        f"true of {int(both.sum())} of {len(table)} targets; the cost optimum is close up to "
        f"{limit:g} in {int(cost.sum())}, the F optimum nowhere close in {int((~f).sum())}",
    )


@statement("0073")
def optima_differ_between(
    measured: Measurements, *, low: float = 0.03, high: float = 0.09, unit: float = 0.01
) -> Finding:
    """Judge: both optima differ everywhere between two P(+) and nowhere above, for most targets."""
    table = measured.frame("differ")
    reaches = (table["low"] <= low + unit / 2) & (table["high"] >= high - unit / 2)
    covers = reaches.groupby(table["target"]).any()
    ends = table.groupby("target")["high"].max() <= high + unit / 2
    both = covers & ends
    parts = {
        "the optima differ everywhere between": covers.mean() > 0.5,
        "they differ nowhere above": ends.mean() > 0.5,
        "both of the same targets": both.mean() > 0.5,
    }
    return conjunction(
        parts,
        f"the optima differ everywhere between in {int(covers.sum())} of {len(both)} targets, and "
        f"nowhere above {high:g} in {int(ends.sum())}; both in {int(both.sum())}",
    )


@statement("0074")
def interpolated_panels(
    measured: Measurements, *, panels: list[str] = ["b", "c", "e", "f"]
) -> Finding:
    """Judge: for most targets thresholds are interpolated in the panels named, and no others."""
    shares = measured.frame("interpolated").groupby("panel")["between"].mean()
    found = set(shares[shares > 0.5].index)
    parts = {
        f"interpolated in {', '.join(panels)}": set(panels) <= found,
        "in no other panel": found <= set(panels),
    }
    return conjunction(
        parts,
        "share of targets that interpolate, by panel: "
        + ", ".join(f"{panel} {per_cent(share)}" for panel, share in shares.items()),
    )
