"""Searches for class weights under costs (Secs. 4.2.4 to 4.2.6)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opchar.statements.measurements import Finding, Measurements

SMALL = 1e-12


def _per_scenario(measured: Measurements, column: str = "improvement") -> pd.DataFrame:
    """Return one row a data set and scenario, and one column an algorithm."""
    table = measured.frame("scenarios")
    return table.pivot_table(column, index=["data set", "scenario"], columns="algorithm")


def _means(measured: Measurements) -> pd.DataFrame:
    """Return the mean improvement of each algorithm (columns) on each data set."""
    table = measured.frame("scenarios")
    return table.pivot_table("improvement", index="data set", columns="algorithm")


def _said(means: pd.DataFrame, sets: list[str], algorithms: list[str]) -> str:
    """Return mean improvements in words."""
    return "; ".join(
        f"{name}: " + ", ".join(f"{a} {float(means[a].to_dict()[name]):.4f}" for a in algorithms)
        for name in sets
    )


def evaluations_grow_linearly(measured: Measurements, *, algorithm: str) -> Finding:
    """Ask whether an algorithm evaluates r C losses, or as many for each of its repetitions."""
    table = measured.frame("effort").sort_values("C")
    times = table["restarts"] if algorithm == "Greedy" else 1
    ratio = table[algorithm] / (times * table["r"] * table["C"])
    counted = ", ".join(f"{count:g}" for count in table[algorithm])
    return Finding(
        bool(np.allclose(ratio, 1)),
        f"{counted} losses for C = {', '.join(f'{c:g}' for c in table['C'])}",
    )


def pairs_and_calibration_are_bounded(measured: Measurements) -> Finding:
    """Ask whether pairs take r(C^2 - C)/2 losses and calibration at most N_PC times as many."""
    table = measured.frame("effort").sort_values("C")
    pairs = table["r"] * table["C"] * (table["C"] - 1) / 2
    holds = np.allclose(table["pairs"], pairs) and bool(
        (table["calibration"] <= table["matchings"] * pairs).all()
    )
    share = table["calibration"] / (table["matchings"] * pairs)
    return Finding(
        holds,
        f"pairs take {', '.join(f'{count:g}' for count in table['pairs'])} losses, calibration "
        f"{share.min():.2f} to {share.max():.2f} of N_PC times as many",
    )


def losses_are_in_order(measured: Measurements, *, close: float) -> Finding:
    """Ask whether Pairs is slightly below Greedy, both below Naive, and that below Default."""
    loss = measured.frame("example").groupby("algorithm")["loss"].mean()
    pairs, greedy, naive, default = loss[["Pairs", "Greedy", "Naive", "Default"]]
    return Finding(
        bool(pairs <= greedy and pairs > (1 - close) * greedy and greedy < naive < default),
        f"mean losses: Pairs {pairs:.5f}, Greedy {greedy:.5f}, Naive {naive:.5f}, Default "
        f"{default:.5f}",
    )


def boundary_changes(measured: Measurements, *, share: float) -> Finding:
    """Ask whether more than a share of the test objects change class with the weights."""
    table = measured.frame("assigned").pivot_table("class", index="object", columns="series")
    changed = float((table["equal weights"] != table["Pairs"]).mean())
    return Finding(changed > share, f"{100 * changed:.1f} % of the test objects change class")


def same_weights(measured: Measurements) -> Measurements:
    """Remove the effect of the weights: equal ones on both sides."""

    def equal(table: pd.DataFrame) -> pd.DataFrame:
        kept = table[table["series"] == "equal weights"]
        return pd.concat([kept, kept.assign(series="Pairs")], ignore_index=True)

    return measured.with_frame("assigned", equal)


def more_pairs_at_a_lower_threshold(measured: Measurements, *, more: str, fewer: str) -> Finding:
    """Ask whether one data set keeps more pairs than another although its threshold is lower."""
    table = measured.frame("kept pairs").groupby("data set")[["kept", "t_p"]].mean()
    first, second = table.loc[more], table.loc[fewer]
    return Finding(
        bool(first["kept"] > second["kept"] and first["t_p"] < second["t_p"]),
        f"{more} keeps {first['kept']:g} at {first['t_p']:g}, {fewer} {second['kept']:g} at "
        f"{second['t_p']:g}",
    )


def pairs_lead_on_generated_sets(
    measured: Measurements, *, sets: list[str], close: float
) -> Finding:
    """Ask whether Pairs and PairsG lead Greedy, that Naive, and Lachiche hardly gains."""
    means, by_scenario = _means(measured), _per_scenario(measured)["Lachiche"]
    ordered = all(
        min(row["Pairs"], row["PairsG"]) > row["Greedy"] > row["Naive"]
        and abs(row["Pairs"] - row["PairsG"]) < close
        for _, row in means.loc[sets].iterrows()
    )
    none = [float((by_scenario[name] <= SMALL).mean()) for name in sets]
    return Finding(
        ordered and none[0] > 0.5 and none[1] == 1,
        f"{_said(means, sets, ['Pairs', 'PairsG', 'Greedy', 'Naive'])}; Lachiche gains nothing in "
        f"{100 * none[0]:.0f} and {100 * none[1]:.0f} %",
    )


def leads_everywhere(measured: Measurements, *, algorithm: str, sets: list[str]) -> Finding:
    """Ask whether an algorithm has the largest mean improvement on each of some data sets."""
    means = _means(measured).loc[sets]
    best = means.idxmax(axis=1)
    said = ", ".join(f"{name} {best[name]}" for name in sets)
    return Finding(bool((best == algorithm).all()), f"largest mean improvement: {said}")


def first_exceeds_second(
    measured: Measurements, *, first: str, second: str, sets: list[str]
) -> Finding:
    """Ask whether one algorithm's mean improvement exceeds another's on each data set."""
    means = _means(measured).loc[sets]
    return Finding(
        bool((means[first] > means[second] + SMALL).all()), _said(means, sets, [first, second])
    )


def greedy_end_turns_pairs_round(measured: Measurements, *, sets: list[str]) -> Finding:
    """Ask whether Pairs gains less than Greedy and PairsG more."""
    means = _means(measured).loc[sets]
    return Finding(
        bool(((means["Pairs"] < means["Greedy"]) & (means["PairsG"] > means["Greedy"])).all()),
        _said(means, sets, ["Pairs", "Greedy", "PairsG"]),
    )


def gains_consistently_but_less(measured: Measurements) -> Finding:
    """Ask whether Naive gains in most scenarios of every data set, and less than Greedy."""
    means, by_scenario = _means(measured), _per_scenario(measured)["Naive"]
    share = (by_scenario > SMALL).groupby("data set").mean()
    return Finding(
        bool((share > 0.5).all() and (means["Naive"] < means["Greedy"]).all()),
        "share of scenarios in which Naive gains: "
        + ", ".join(f"{name} {100 * value:.0f} %" for name, value in share.items()),
    )


def gains_occasionally(measured: Measurements, *, never: str) -> Finding:
    """Ask whether Lachiche gains nothing in most scenarios, something in some, never on one set."""
    by_scenario = _per_scenario(measured)["Lachiche"] > SMALL
    share = by_scenario.groupby("data set").mean()
    return Finding(
        bool(0 < by_scenario.mean() < 0.5 and share[never] == 0),
        "share of scenarios in which Lachiche gains: "
        + ", ".join(f"{name} {100 * value:.0f} %" for name, value in share.items()),
    )


def wins_grow_with_classes(measured: Measurements, *, few: str, many: str) -> Finding:
    """Ask whether PairsG beats Greedy in a larger share of scenarios with more classes."""
    table = _per_scenario(measured, "MSU")
    share = (table["PairsG"] > table["Greedy"] + SMALL).groupby("data set").mean()
    return Finding(
        bool(share[many] > share[few]),
        f"PairsG above Greedy in {100 * share[few]:.0f} % on {few}, {100 * share[many]:.0f} % on "
        f"{many}",
    )


def algorithms_keep_their_order(measured: Measurements, *, data: str) -> Finding:
    """Ask whether Default < Naive < Greedy, PairsG throughout, and PairsG is mostly the best."""
    every = _per_scenario(measured, "MSU")
    table = every[every.index.get_level_values("data set") == data]
    above_default = float((table["Naive"] > table["Default"] + SMALL).mean())
    below = float((table["Naive"] < table[["Greedy", "PairsG"]].min(axis=1)).mean())
    best = float((table["PairsG"] >= table.max(axis=1) - SMALL).mean())
    lachiche = float((table["Lachiche"] > table["Default"] + SMALL).mean())
    poor = table["Pairs"].mean() < table["Greedy"].mean()
    return Finding(
        bool(above_default == 1 and below == 1 and best > 0.5 and lachiche == 0 and poor),
        f"Naive above Default in {100 * above_default:.0f} %, below Greedy and PairsG in "
        f"{100 * below:.0f} %; PairsG best in {100 * best:.0f} %; Lachiche gains in "
        f"{100 * lachiche:.0f} %; Pairs below Greedy on average: {'yes' if poor else 'no'}",
    )
