"""Searches for class weights under costs (Secs. 4.2.4 to 4.2.6)."""

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

SMALL = 1e-12


def _means(measured: Measurements) -> pd.DataFrame:
    """Return the mean improvement of each algorithm (columns) on each data set."""
    return measured.table("scenarios", "improvement", index="data set", columns="algorithm")


def _in_words(means: pd.DataFrame, sets: list[str], algorithms: list[str]) -> str:
    """Return mean improvements in words."""
    return "; ".join(
        f"{name}: " + ", ".join(f"{a} {float(means[a].to_dict()[name]):.4f}" for a in algorithms)
        for name in sets
    )


def first_exceeds_second(
    measured: Measurements, *, first: str, second: str, sets: list[str]
) -> Finding:
    """Ask whether one algorithm's mean improvement exceeds another's on each data set."""
    means = _means(measured).loc[sets]
    larger = means[first] > means[second] + SMALL
    parts = {f"{first} gains more than {second} on {name}": larger[name] for name in sets}
    return conjunction(parts, _in_words(means, sets, [first, second]))


def _per_scenario(measured: Measurements, column: str = "improvement") -> pd.DataFrame:
    """Return one row per data set and scenario, one column per algorithm."""
    return measured.table("scenarios", column, index=["data set", "scenario"], columns="algorithm")


@statement("0464")
def more_pairs_at_a_lower_threshold(
    measured: Measurements, *, more: str = "CBands", fewer: str = "Letter"
) -> Finding:
    """Ask whether one data set keeps more pairs than another although its threshold is lower."""
    table = measured.frame("kept pairs").groupby("data set")[["kept", "t_p"]].mean()
    first, second = table.loc[more], table.loc[fewer]
    return conjunction(
        {
            f"{more} keeps more pairs": first["kept"] > second["kept"],
            f"{more} has the lower threshold": first["t_p"] < second["t_p"],
        },
        f"{more} keeps {first['kept']:g} at {first['t_p']:g}, {fewer} {second['kept']:g} at "
        f"{second['t_p']:g}",
    )


@statement("0585")
def pairs_lead_on_generated_sets(
    measured: Measurements, *, sets: list[str] = ["PRTools8", "PRTools16"], close: float = 0.005
) -> Finding:
    """Ask whether Pairs and PairsG lead Greedy, that Naive, and Lachiche hardly gains."""
    means, by_scenario = _means(measured), _per_scenario(measured)["Lachiche"]
    of_sets = means.loc[sets]
    none = [float((by_scenario[name] <= SMALL).mean()) for name in sets]
    return conjunction(
        {
            f"{name} gains more than Greedy": (of_sets[name] > of_sets["Greedy"]).all()
            for name in ("Pairs", "PairsG")
        }
        | {
            "Pairs and PairsG differ little": (
                (of_sets["Pairs"] - of_sets["PairsG"]).abs() < close
            ).all(),
            "Greedy gains more than Naive": (of_sets["Greedy"] > of_sets["Naive"]).all(),
            f"Lachiche gains nothing in most scenarios of {sets[0]}": none[0] > 0.5,
            f"Lachiche gains nothing in any scenario of {sets[1]}": none[1] == 1,
        },
        f"{_in_words(means, sets, ['Pairs', 'PairsG', 'Greedy', 'Naive'])}; Lachiche gains nothing "
        f"in {100 * none[0]:.0f} and {100 * none[1]:.0f} %",
    )


@statement("0586")
def leads_everywhere(
    measured: Measurements,
    *,
    algorithm: str = "PairsG",
    sets: list[str] = ["Letter", "CBands", "Digits", "Satellite"],
) -> Finding:
    """Ask whether an algorithm has the largest mean improvement on each of some data sets."""
    means = _means(measured).loc[sets]
    best = means.idxmax(axis=1)
    best_text = ", ".join(f"{name} {best[name]}" for name in sets)
    leads = means[algorithm] > means.drop(columns=algorithm).max(axis=1)
    parts = {f"{algorithm} is best on {name}": leads[name] for name in sets}
    return conjunction(parts, f"largest mean improvement: {best_text}")


@statement("0588")
def greedy_end_turns_pairs_round(
    measured: Measurements, *, sets: list[str] = ["Letter", "CBands"]
) -> Finding:
    """Ask whether Pairs gains less than Greedy and PairsG more."""
    means = _means(measured).loc[sets]
    return conjunction(
        {
            "Pairs gains less than Greedy": (means["Pairs"] < means["Greedy"]).all(),
            "PairsG gains more than Greedy": (means["PairsG"] > means["Greedy"]).all(),
        },
        _in_words(means, sets, ["Pairs", "Greedy", "PairsG"]),
    )


@statement("0589")
def gains_consistently_but_less(measured: Measurements) -> Finding:
    """Ask whether Naive gains in most scenarios of every data set, and less than Greedy."""
    means, by_scenario = _means(measured), _per_scenario(measured)["Naive"]
    share = (by_scenario > SMALL).groupby("data set").mean()
    return conjunction(
        {
            "Naive gains in most scenarios": (share > 0.5).all(),
            "Naive gains less than Greedy": (means["Naive"] < means["Greedy"]).all(),
        },
        "share of scenarios in which Naive gains: "
        + ", ".join(f"{name} {100 * value:.0f} %" for name, value in share.items()),
    )


@statement("0590")
def gains_occasionally(measured: Measurements, *, never: str = "Letter") -> Finding:
    """Ask whether Lachiche gains nothing in most scenarios, something in some, never on one set."""
    by_scenario = _per_scenario(measured)["Lachiche"] > SMALL
    share = by_scenario.groupby("data set").mean()
    return conjunction(
        {
            "Lachiche gains in some scenarios": by_scenario.mean() > 0,
            "Lachiche gains nothing in most": by_scenario.mean() < 0.5,
            f"Lachiche gains nothing on {never}": share[never] == 0,
        },
        "share of scenarios in which Lachiche gains: "
        + ", ".join(f"{name} {100 * value:.0f} %" for name, value in share.items()),
    )


@statement("0597")
def wins_grow_with_classes(
    measured: Measurements, *, few: str = "PRTools8", many: str = "PRTools16"
) -> Finding:
    """Ask whether PairsG beats Greedy in a larger share of scenarios with more classes."""
    table = _per_scenario(measured, "MSU")
    share = (table["PairsG"] > table["Greedy"] + SMALL).groupby("data set").mean()
    return Finding(
        bool(share[many] > share[few]),
        f"PairsG above Greedy in {100 * share[few]:.0f} % on {few}, {100 * share[many]:.0f} % on "
        f"{many}",
    )


@statement("0599")
def algorithms_keep_their_order(measured: Measurements, *, data: str = "Letter") -> Finding:
    """Ask whether Default < Naive < Greedy, PairsG throughout, and PairsG is mostly the best."""
    every = _per_scenario(measured, "MSU")
    table = every[every.index.get_level_values("data set") == data]
    above_default = float((table["Naive"] > table["Default"] + SMALL).mean())
    below = float((table["Naive"] < table[["Greedy", "PairsG"]].min(axis=1)).mean())
    best = float((table["PairsG"] >= table.max(axis=1) - SMALL).mean())
    lachiche = float((table["Lachiche"] > table["Default"] + SMALL).mean())
    poor = table["Pairs"].mean() < table["Greedy"].mean()
    return conjunction(
        {
            "Naive is always above Default": above_default == 1,
            "Naive is always below Greedy and PairsG": below == 1,
            "PairsG is best in most scenarios": best > 0.5,
            "Lachiche never gains": lachiche == 0,
            "Pairs is below Greedy": poor,
        },
        f"Naive above Default in {100 * above_default:.0f} %, below Greedy and PairsG in "
        f"{100 * below:.0f} %; PairsG best in {100 * best:.0f} %; Lachiche gains in "
        f"{100 * lachiche:.0f} %; Pairs below Greedy on average: {'yes' if poor else 'no'}",
    )
