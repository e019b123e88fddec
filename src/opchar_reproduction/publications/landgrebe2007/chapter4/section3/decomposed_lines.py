"""Lines of Tables 4.7 to 4.10 and of Figure 4.18 from the losses of algorithms."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opchar.datasets.features import FeatureTable
from opchar.multiclass.decomposition import DecomposedROC
from opchar.scores import ScoreTable
from opchar.seeds import Spawn
from opchar.statistics.repeats import repeated_experiments
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import mean_error, of_set
from opchar_reproduction.publications.landgrebe2007.mean_lines import add_mean
from opchar_reproduction.results import Results, keep_repeats

Floats = NDArray[np.float64]
EXPERIMENTS = 400
Ties = Literal["neither", "won", "lost"]
RIVALS = ("Simple", "Naive", "Greedy")
LOST, LOST_CLEARLY = "Lost", "Lost significant (95%)"
WON, WON_CLEARLY = "Won", "Won significant (95%)"


def order_of(found: Sequence[Sequence[int]]) -> str:
    """Return the size of a decomposed ROC as the work writes it."""
    powers = Counter(len(group) - 1 for group in found if len(group) > 1)
    terms = []
    for power, count in sorted(powers.items(), reverse=True):
        size = "O(r)" if power == 1 else f"O(r^{power})"
        terms.append(size if count == 1 else f"{count}{size}")
    return " + ".join(terms) or "O(1)"


def add_groups(
    results: Results,
    setting: Mapping[str, Any],
    fold: int,
    roc: DecomposedROC,
    threshold: float,
    size: int,
) -> None:
    """Add the groups of one fold."""
    sizes = [len(group) for group in roc.groups]
    where = {"data set": [setting["row"]], "fold": fold, "t_s": setting["t_s"]}
    used = {"used t_s": threshold, "largest at t_s": size}
    counts = {
        "of one": sizes.count(1),
        "of two": sizes.count(2),
        "of three": sizes.count(3),
        "of four": sizes.count(4),
    }
    results.add_frame("groups", where | used | counts | {"order": order_of(roc.groups)})


def losses_by_algorithm(measured: pd.DataFrame) -> pd.DataFrame:
    """Return a row of losses for each scenario, by algorithm and fold."""
    return measured.pivot_table("loss", index="scenario", columns=["algorithm", "fold"])


def compare_algorithms(
    losses: pd.DataFrame, algorithm: str, rival: str, level: float, ties: Ties = "neither"
) -> pd.DataFrame:
    """Compare two algorithms scenario by scenario over the folds.

    With two algorithms F of that analysis is the square of t of the paired differences
    (landgrebe2007, Sec. 4.3.6), so that both give one p-value.
    """
    differences: Floats = np.asarray(losses[algorithm] - losses[rival], dtype=float)
    return pd.DataFrame(_lost_won_clear(differences, level, ties), index=losses.index)


def _lost_won_clear(differences: Floats, level: float, ties: Ties) -> dict[str, NDArray[np.bool_]]:
    """Return what is lost, won and clear, given differences whose last axis are the folds."""
    mean: Floats = differences.mean(axis=-1)
    equal = np.abs(mean) <= 1e-12
    varied = np.ptp(differences, axis=-1) > 1e-12
    p = np.ones(mean.shape)
    if varied.any() and differences.shape[-1] > 1:
        from scipy.stats import ttest_1samp

        p[varied] = np.asarray(ttest_1samp(differences[varied], 0.0, axis=-1).pvalue)
    p[~varied & ~equal] = 0.0
    return {
        "lost": np.where(equal, ties == "lost", mean > 0),
        "won": np.where(equal, ties == "won", mean < 0),
        "clear": p < level,
    }


def spreads_of_counts(
    losses: pd.DataFrame,
    algorithm: str,
    rival: str,
    level: float,
    ties: Ties,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Return the standard deviations of the counts over new draws of costs and hold-outs."""
    differences: Floats = np.asarray(losses[algorithm] - losses[rival], dtype=float)
    if differences.shape[1] < 2:
        return {}
    found = _lost_won_clear(repeated_experiments(differences, rng, EXPERIMENTS), level, ties)
    return {column: float(which.sum(axis=1).std(ddof=1)) for column, which in _count(found).items()}


def _count(found: Any) -> dict[str, Any]:
    return {
        LOST: found["lost"],
        LOST_CLEARLY: found["lost"] & found["clear"],
        WON: found["won"],
        WON_CLEARLY: found["won"] & found["clear"],
    }


def add_comparisons(
    results: Results,
    artefact: str,
    setting: Mapping[str, Any],
    losses: pd.DataFrame,
    algorithm: str,
    level: float,
    ties: Ties,
    about: Mapping[str, Any],
    spawn: Spawn,
) -> None:
    """Add how many scenarios an algorithm loses to each rival, and wins."""
    name = setting.get("row_4.9", setting["row"])
    for rival in RIVALS:
        found = compare_algorithms(losses, algorithm, rival, level, ties)
        unit = f"of {len(found)} scenarios"
        rng = spawn("experiments", name, algorithm, rival)
        spreads = spreads_of_counts(losses, algorithm, rival, level, ties, rng)
        for column, which in _count(found).items():
            row = f"{name} / vs {rival}"
            spread: dict[str, Any] = {"std": spreads[column], "n": 1} if spreads else {}
            results.number(artefact, row, column, which.sum(), unit=unit, **spread, **about)
            keep_repeats(results, artefact, row, column, which)
        compared = {"data set": setting["row"], "method": algorithm, "rival": rival}
        results.add_frame("comparisons", found.reset_index().assign(**compared))


def add_description(
    results: Results, setting: Mapping[str, Any], table: ScoreTable, features: FeatureTable
) -> None:
    """Add the row of a data set in Table 4.8."""
    about: dict[str, Any] = {"data": table.data}
    row, parts = setting["row"], [of_set(part, "test") for _, part in table.folds()]
    counted = {"Objects": len(features.y), "C": len(table.classes), "d": features.X.shape[1]}
    units = {"Objects": "objects", "C": "classes", "d": "dimensions"}
    for column, number in counted.items():
        results.number("table-4.8", row, column, number, unit=units[column], **about)
    results.text("table-4.8", row, "Classifier", setting["model"], basis="input", data=table.data)
    results.number("table-4.8", row, "t_s", setting["t_s"], basis="input", **about)
    errors = 100 * np.array([mean_error(part) for part in parts])
    add_mean(results, "table-4.8", row, "equal error xi_eq", errors, unit="%", kept=False, **about)
    shown = results.curves["groups"]
    orders = shown[shown["data set"] == row]["order"]
    results.text("table-4.8", row, "Decomposition", str(orders.mode().iloc[0]), data=table.data)


def add_gain(results: Results, row: str, measured: pd.DataFrame) -> dict[str, Any]:
    """Add median and quartiles of what DecompG gains, by scenario its median over the folds."""
    wide = measured.pivot_table("MSU", index="scenario", columns=["algorithm", "fold"])
    gains: Floats = 100 * np.asarray(wide["DecompG"] - wide["Default"], dtype=float)
    by_scenario = pd.DataFrame(gains).median(axis=1)
    lower, median, upper = by_scenario.quantile([0.25, 0.5, 0.75])
    quartiles = {"lower": lower, "median": median, "upper": upper}
    results.add_frame("gains", {"data set": [row]} | quartiles)
    return {"row": row, "median": float(median), "values": gains}


def add_best_gain(
    results: Results, gains: Sequence[Mapping[str, Any]], rng: np.random.Generator
) -> None:
    """Add the largest median gain over the data sets (Figure 4.18)."""
    best = max(gains, key=lambda gain: gain["median"])
    values = best["values"]
    if values.shape[1] > 1:
        drawn = np.median(repeated_experiments(values, rng, EXPERIMENTS), axis=2)
    else:
        drawn = rng.choice(values[:, 0], size=(EXPERIMENTS, len(values)))
    where = "figure-4.18", "best datasets", "median MSU improvement of DecompG over default"
    std = float(np.median(drawn, axis=1).std(ddof=1))
    data, note = best["data"], f"{best['row']}; {best['note']}"
    results.number(*where, best["median"], std=std, n=1, unit="% points", data=data, note=note)
