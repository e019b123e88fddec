"""Which algorithm for class weights gains most on other objects, and what correlates with it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import bootstrap, permutation_test, rankdata

from opchar.multiclass.cost_weights.problem import Floats
from opchar.seeds import Spawn
from opchar_reproduction.results import Results

WINNERS = "cost-weights-winners"
EQUAL = 1e-12
THIRDS = ("lowest third", "middle third", "highest third")


def add_winners(
    results: Results,
    row: str,
    found: pd.DataFrame,
    resamples: int,
    spawn: Spawn,
    about: Mapping[str, Any],
) -> None:
    """Add which algorithm gains most on a data set, with the cost matrices as units."""
    wide = _by_matrix(found)
    for name, share in _shares_won(wide).items():
        unit = f"% of {len(wide)} scenarios"
        results.number(WINNERS, row, f"{name} best or equal", share, unit=unit, **about)
    _add_margin(results, row, wide, resamples, spawn("margin", row), about)
    spread = _spread(found)[wide.index].to_numpy()
    measures = {
        "largest gain": wide.max(axis=1),
        "PairsG less Greedy": wide["PairsG"] - wide["Greedy"],
    }
    for title, values in measures.items():
        rng = spawn("permutations", row, title)
        name = f"cost spread and {title}"
        _add_correlation(results, row, name, spread, values.to_numpy(), resamples, rng, about)
    results.number(WINNERS, row, "C", found["C"].iloc[0], unit="classes", **about)
    ratio = float(found["imbalance"].mean())
    results.number(WINNERS, row, "imbalance", ratio, unit="ratio", **about)


def add_winners_over_sets(
    results: Results, found: pd.DataFrame, resamples: int, spawn: Spawn, about: Mapping[str, Any]
) -> None:
    """Add which algorithm gains most over the data sets, which are the units here."""
    by_set = dict(list(found.groupby("data set", sort=False)))
    wide = {name: _by_matrix(part) for name, part in by_set.items()}
    means = pd.DataFrame({name: table.mean() for name, table in wide.items()}).T
    first = found.groupby("data set", sort=False)[["C", "imbalance"]].mean().loc[means.index]
    row = f"all {len(means)} data sets"
    _add_margin(results, row, means, resamples, spawn("margin", "sets"), about)
    quantities = {
        "PairsG less Greedy": means["PairsG"] - means["Greedy"],
        "DecompG less Greedy": means["DecompG"] - means["Greedy"],
        "largest mean gain": means.max(axis=1),
    }
    for title, values in quantities.items():
        for factor in ("C", "imbalance"):
            rng = spawn("permutations", factor, title)
            of_sets, name = first[factor].to_numpy(), f"{factor} and {title}"
            _add_correlation(results, row, name, of_sets, values.to_numpy(), resamples, rng, about)
    thirds = {
        name: _thirds(_spread(part)[wide[name].index].to_numpy()) for name, part in by_set.items()
    }
    for number, third in enumerate(THIRDS):
        inside = [table[thirds[name] == number] for name, table in wide.items()]
        _add_shares(results, f"cost spread: {third}", inside, about)
    for number in sorted(first["C"].unique()):
        inside = [wide[name] for name in first.index[first["C"] == number]]
        _add_shares(results, f"C = {number:.0f}", inside, about)
    for title, chosen in {"= 1": first["imbalance"] == 1, "> 1": first["imbalance"] > 1}.items():
        inside = [wide[name] for name in first.index[chosen]]
        _add_shares(results, f"imbalance {title}", inside, about)


def _by_matrix(found: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of each algorithm under each cost matrix, its mean over the splits."""
    other = found[found["found on"] == "train"]
    return other.pivot_table("gain", index="scenario", columns="algorithm", sort=False)


def _spread(found: pd.DataFrame) -> pd.Series:
    """Return the spread of the costs of each matrix."""
    return found.groupby("scenario")["cost spread"].first()


def _thirds(values: Floats) -> np.ndarray:
    """Return the third of each value by rank; equal values are in the same one."""
    return np.minimum((rankdata(values, method="average") - 0.5) * 3 // len(values), 2)


def _shares_won(wide: pd.DataFrame) -> pd.Series:
    """Return in what share of the scenarios each algorithm is best or equal, in percent."""
    return 100 * wide.ge(wide.max(axis=1) - EQUAL, axis=0).mean()


def _add_shares(
    results: Results, row: str, tables: list[pd.DataFrame], about: Mapping[str, Any]
) -> None:
    """Add the share of scenarios that each algorithm wins: mean and spread over data sets."""
    tables = [table for table in tables if len(table)]
    if not tables:
        return
    shares = pd.DataFrame([_shares_won(table) for table in tables])
    for name in shares:
        unit = "% of the scenarios of a set"
        results.mean(WINNERS, row, f"{name} best or equal", shares[name], unit=unit, **about)


def _add_margin(
    results: Results,
    row: str,
    gains: pd.DataFrame,
    resamples: int,
    rng: np.random.Generator,
    about: Mapping[str, Any],
) -> None:
    """Add by how much the largest mean gain exceeds the second, with a bootstrap interval.

    The rows of `gains` are the units; the two compared algorithms stay the same.
    """
    order = gains.mean().sort_values(ascending=False, kind="stable")
    first, second = order.index[:2]
    margin = (gains[first] - gains[second]).to_numpy()
    low = high = float(margin.mean())
    if np.ptp(margin) > 0:
        found = bootstrap(
            (margin,), np.mean, n_resamples=resamples, method="percentile", rng=rng, vectorized=True
        )
        low, high = map(float, found.confidence_interval)
    about_gap = dict(about) | {"note": f"{first} before {second}; {about['note']}"}
    title = "margin of the largest mean gain"
    results.mean(WINNERS, row, title, margin, unit="MSU", **about_gap)
    results.number(WINNERS, row, f"{title}, 95 % interval from", low, unit="MSU", **about_gap)
    results.number(WINNERS, row, f"{title}, 95 % interval to", high, unit="MSU", **about_gap)


def rank_correlation(
    x: Floats, y: Floats, resamples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return Spearman's rank correlation and its p-value by permutation, two-sided.

    Shapes: `x` and `y` (n,).
    """
    if min(np.ptp(x), np.ptp(y)) == 0:
        return float("nan"), float("nan")
    others = rankdata(y)
    others = (others - others.mean()) / others.std()

    def rho(values: Floats, axis: int = -1) -> Floats:
        ranks = np.moveaxis(values, axis, -1)
        return np.asarray(ranks @ others / len(others))

    ranks = rankdata(x)
    ranks = (ranks - ranks.mean()) / ranks.std()
    found = permutation_test(
        (ranks,), rho, permutation_type="pairings", n_resamples=resamples, vectorized=True, rng=rng
    )
    return float(found.statistic), float(found.pvalue)


def _add_correlation(
    results: Results,
    row: str,
    name: str,
    x: Floats,
    y: Floats,
    resamples: int,
    rng: np.random.Generator,
    about: Mapping[str, Any],
) -> None:
    """Add a rank correlation with its p-value; NaN where one of both does not vary."""
    rho, p = rank_correlation(x, y, resamples, rng)
    column = f"rank correlation of {name}"
    results.number(WINNERS, row, column, rho, unit="rho", **about)
    results.number(WINNERS, row, f"{column}, p", p, unit="p", **about)
