"""Decomposed ROCs of scored objects under costs (Secs. 4.3.3, 4.3.5 and 4.3.6)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from opchar.statements.measurements import Finding, Measurements


def _counts(measured: Measurements, method: str, rival: str) -> pd.DataFrame:
    """Return lost, won and clear shares of the scenarios by data set."""
    table = measured.frame("comparisons")
    chosen = table[(table["method"] == method) & (table["rival"] == rival)]
    flags = chosen[["lost", "won", "clear"]].astype(bool)
    flags["clearly lost"] = flags["lost"] & flags["clear"]
    flags["clearly won"] = flags["won"] & flags["clear"]
    return flags.astype(float).groupby(chosen["data set"]).mean()


def _said(shares: pd.DataFrame, columns: list[str]) -> str:
    """Return percentages in words."""
    return "; ".join(
        f"{name} " + ", ".join(f"{column} {100 * row[column]:.0f} %" for column in columns)
        for name, row in shares.iterrows()
    )


def decomposes_into(
    measured: Measurements, *, data: str, of_three: int, of_two: int, of_one: int
) -> Finding:
    """Ask whether the ROC decomposes into the groups that the work names, in most folds."""
    table = measured.frame("groups")
    table = table[table["data set"] == data]
    as_said = (
        (table["of three"] == of_three)
        & (table["of two"] == of_two)
        & (table["of one"] == of_one)
        & (table["of four"] == 0)
    )
    return Finding(
        bool(as_said.mean() > 0.5),
        f"{100 * as_said.mean():.0f} % of the folds have {of_three} groups of three, {of_two} of "
        f"two and {of_one} of one class",
    )


def always_clearly_better(measured: Measurements, *, method: str, rivals: list[str]) -> Finding:
    """Ask whether an algorithm beats others in all scenarios of all sets, all significantly."""
    shares = {rival: _counts(measured, method, rival) for rival in rivals}
    holds = all((table["clearly won"] == 1).all() for table in shares.values())
    least = {rival: table["clearly won"].min() for rival, table in shares.items()}
    return Finding(
        bool(holds),
        "least share of significant wins: "
        + ", ".join(f"over {rival} {100 * value:.0f} %" for rival, value in least.items()),
    )


def rival_competes_with_few_classes(
    measured: Measurements, *, few: str, many: list[str], most: float
) -> Finding:
    """Ask whether Greedy wins somewhere with few classes, and Decomp dominates with more."""
    shares = _counts(measured, "Decomp", "Greedy")
    return Finding(
        bool(shares["lost"].to_dict()[few] > 0 and (shares.loc[many, "won"] >= most).all()),
        _said(shares, ["lost", "won"]),
    )


def clear_wins_grow(measured: Measurements, *, sets: list[str]) -> Finding:
    """Ask whether the significant wins of Decomp over Greedy rise with the number of classes."""
    shares = _counts(measured, "Decomp", "Greedy")["clearly won"]
    values = [float(shares[name]) for name in sets]
    return Finding(
        all(a < b for a, b in pairwise(values)),
        ", ".join(f"{name} {100 * v:.0f} %" for name, v in zip(sets, values, strict=True)),
    )


def usually_better_but_on(measured: Measurements, *, exception: str) -> Finding:
    """Ask whether Decomp beats Naive on all sets but one, where DecompG does."""
    shares = _counts(measured, "Decomp", "Naive")
    ahead = shares["won"] > shares["lost"]
    mended = _counts(measured, "DecompG", "Naive").loc[exception]
    return Finding(
        bool(
            ahead.drop(exception).all() and not ahead[exception] and mended["won"] > mended["lost"]
        ),
        f"{_said(shares, ['won'])}; DecompG on {exception} won {100 * mended['won']:.0f} %",
    )


def often_beaten(measured: Measurements, *, sets: list[str]) -> Finding:
    """Ask whether Decomp loses to Greedy more often than it wins on some data sets."""
    shares = _counts(measured, "Decomp", "Greedy").loc[sets]
    return Finding(bool((shares["lost"] > shares["won"]).all()), _said(shares, ["lost", "won"]))


def better_but_equal_on(
    measured: Measurements, *, method: str, rival: str, equal: str, share: float
) -> Finding:
    """Ask whether one method wins most scenarios of all sets but one, where neither leads."""
    shares = _counts(measured, method, rival)
    others = shares.drop(equal)
    one = shares.loc[equal]
    even = max(one["won"], one["lost"]) <= share and one[["clearly won", "clearly lost"]].max() == 0
    return Finding(
        bool((others["won"] > 0.5).all() and even),
        f"{_said(shares, ['lost', 'won'])}; significant on {equal} "
        f"{100 * (one['clearly won'] + one['clearly lost']):.0f} %",
    )


def never_loses(measured: Measurements, *, method: str, rivals: list[str]) -> Finding:
    """Ask whether a method loses no scenario of any data set to some rivals."""
    lost = pd.DataFrame({rival: _counts(measured, method, rival)["lost"] for rival in rivals})
    return Finding(
        bool((lost == 0).all(axis=None)),
        "largest share of lost scenarios: "
        + ", ".join(f"{rival} {100 * lost[rival].max():.0f} %" for rival in rivals),
    )


def one_pair_overlaps(
    measured: Measurements, *, first: int, second: int, strong: float, slight: float
) -> Finding:
    """Ask whether only two digits overlap strongly, and a weight changes only their errors."""
    table = measured.frame("rates")
    rates = table.groupby(["true", "assigned"])[["default", "moved"]].mean().reset_index()
    rates = rates[rates["true"] != rates["assigned"]]
    pair = rates["true"].isin([first, second]) & rates["assigned"].isin([first, second])
    change = (rates["moved"] - rates["default"]).abs()
    return Finding(
        bool(
            (rates["default"][pair] > strong).all()
            and (rates["default"][~pair] < strong).all()
            and (change[pair] > slight).all()
            and (change[~pair] < slight).all()
        ),
        f"errors between {first} and {second} at least {rates['default'][pair].min():.3f}, others "
        f"at most {rates['default'][~pair].max():.3f}; changes at least {change[pair].min():.3f} "
        f"and at most {change[~pair].max():.3f}",
    )


def a_threshold_leaves_one_pair(measured: Measurements, *, first: int, second: int) -> Finding:
    """Ask whether some t_s leaves one pair of classes and each other class alone."""
    table = measured.frame("largest changes")
    largest = table.pivot_table("change", index="weight", columns="class").to_numpy(dtype=float)
    either = np.maximum(largest, largest.T)
    np.fill_diagonal(either, -np.inf)
    inside = either[first - 1, second - 1]
    either[[first - 1, second - 1], [second - 1, first - 1]] = -np.inf
    return Finding(
        bool(inside > either.max()),
        f"change between {first} and {second} {inside:.3f}, largest between others "
        f"{either.max():.3f}: any t_s between them",
    )


def one_matrix_hides_an_interaction(
    measured: Measurements, *, small: float, risen: float
) -> Finding:
    """Ask whether all errors are small at one operating point, and xi_21 is not at the other."""
    table = measured.frame("confusion")
    table = table[table["true"] != table["assigned"]]
    rates = table.pivot_table("rate", index=["true", "assigned"], columns="series")
    near, far = rates["near-balanced weights"], rates["imbalanced weights"]
    return Finding(
        bool(near.max() <= small and abs(far[2, 1] - risen) < 0.005),
        f"largest error {near.max():.4f} at near-balanced weights; xi_21 from {near[2, 1]:.4f} to "
        f"{far[2, 1]:.4f}",
    )
