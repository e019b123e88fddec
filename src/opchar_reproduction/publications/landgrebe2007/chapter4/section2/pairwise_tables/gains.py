"""Lines of Tables 4.3 to 4.5 and of Figure 4.5: gains, wins and scenarios of class weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from opchar.datasets.features import FeatureTable
from opchar.multiclass.cost_weights.matchings import Matchings
from opchar.multiclass.cost_weights.problem import Floats, Ints, mean_subjective_utilities
from opchar.scores import ScoreTable
from opchar_reproduction.publications.landgrebe2007.chapter4.scenarios import (
    imbalance,
    mean_error,
    of_set,
    share_wrong,
)
from opchar_reproduction.publications.landgrebe2007.chapter4.section2.pairwise_tables.searches import (  # noqa: E501
    COMPARED,
    Choices,
    Searches,
)
from opchar_reproduction.results import Results, keep_repeats

About = dict[str, Any]
GAIN_UNIT = "MSU difference to default"
SUMMARIES: dict[str, Any] = {"Min": np.min, "Median": np.median, "Best": np.max, "Mean": np.mean}
REPEATED = 50


def gains_of_scenarios(
    fold: int,
    part: ScoreTable,
    setting: Mapping[str, Any],
    choices: Choices,
    cap: int,
    searches: Searches,
) -> tuple[pd.DataFrame, Matchings | None]:
    """Return the utility of each algorithm under each cost matrix of one fold.

    And the matchings that the algorithm by pairs tried.
    """
    data = setting["data"]
    judged = searches.case(data, fold, choices.law, choices.tuned_on).judged
    utility: dict[str, Floats] = {}
    tried: Matchings | None = None
    for name in ("Default", *COMPARED):
        weighting, losses = searches.found(
            name, data, fold, **choices.of_algorithm(name, setting, cap)
        )
        tried = weighting.matchings or tried
        utility[name] = mean_subjective_utilities(judged, losses)
    test = of_set(part, "test")
    where = {"data set": setting["row"], "C": len(part.classes), "imbalance": imbalance(test)}
    parts = []
    for name, found in utility.items():
        scenarios = [f"{fold}/{m}" for m in range(len(found))]
        columns = {"fold": fold, "scenario": scenarios, "algorithm": name, "MSU": found}
        improvement = np.maximum(found - utility["Default"], 0.0)
        parts.append(pd.DataFrame(where | columns | {"improvement": improvement}))
    return pd.concat(parts), tried


@dataclass
class Summaries:
    """Lines of summaries of scenarios: their mean over folds, and the spread of one fold.

    `together`: cost matrices that are drawn for all cells of one split.
    """

    results: Results
    rng: np.random.Generator
    together: Ints

    def add(
        self, line: tuple[str, str, str], values: Floats, summary: Any, unit: str, about: About
    ) -> None:
        """Add a summary.

        Each fold has cost matrices of its own, so that its spread is no less than theirs; few folds
        may show less.

        Shapes: `values` (folds, matrices).
        """
        by_fold = summary(values, axis=1)
        variance = costs_variance(values, summary, self.rng)
        if len(by_fold) > 1:
            variance = max(variance, float(np.var(by_fold, ddof=1)))
        # Of one split all cells are resampled over the same cost matrices.
        several = len(by_fold) > 1
        repeated = by_fold if several else summary(values[0][self.together], axis=1)
        keep_repeats(self.results, *line, repeated)
        spread: About = {"std": variance**0.5, "n": len(by_fold), "unit": unit}
        self.results.number(*line, float(np.mean(by_fold)), **spread | about)


def add_gains(
    summaries: Summaries, row: str, found: pd.DataFrame, about: About, by_pairs: About
) -> None:
    """Add minimum, median, best and mean improvement of each algorithm (Table 4.4)."""
    for name in COMPARED:
        chosen = found[found["algorithm"] == name]
        values = np.array([part["improvement"].to_numpy() for _, part in chosen.groupby("fold")])
        said = by_pairs if name in ("Pairs", "PairsG") else about
        for column, summary in SUMMARIES.items():
            line = "table-4.4", f"{row} / {name}", column
            summaries.add(line, values, summary, GAIN_UNIT, said)


def add_wins(summaries: Summaries, row: str, found: pd.DataFrame, about: About) -> None:
    """Add the share of scenarios in which PairsG has the larger utility (Table 4.5)."""
    table = found.pivot_table("MSU", index=["fold", "scenario"], columns="algorithm", sort=False)
    better = (table["PairsG"] > table["Greedy"] + 1e-12).groupby("fold")
    values = np.array([part.to_numpy(dtype=float) for _, part in better])
    number = values.shape[1]
    line = ("table-4.5", row, "PairsG > Greedy")
    summaries.add(line, 100 * values, np.mean, f"% of {number} scenarios", about)
    if row == "Letter":
        line, unit = ("text-4.2.6", row, "scenarios won by PairsG over Greedy"), "scenarios"
        summaries.results.number(*line, 50 * values.mean(), unit=f"of {number} {unit}", **about)


def costs_variance(values: Floats, summary: Any, rng: np.random.Generator) -> float:
    """Return the variance of a summary over draws of the cost matrices, the mean over folds.

    Shapes: `values` (folds, matrices).
    """
    drawn = rng.integers(values.shape[1], size=(400, values.shape[1]))
    return float(np.mean([np.var(summary(fold[drawn], axis=1), ddof=1) for fold in values]))


def describe_set(
    results: Results,
    setting: Mapping[str, Any],
    folds: Sequence[ScoreTable],
    shown: Sequence[Sequence[float]],
    features: FeatureTable,
    choices: Choices,
    about: About,
) -> None:
    """Add the row of a data set in Table 4.3, and how separable its pairs of classes are."""
    row, c = setting["row"], len(folds[0].classes)
    about = about | {"note": ""}
    first = {name: len(of_set(folds[0], name).y) for name in ("train", "test")}
    for column, number, unit in (
        ("Train", first["train"], "objects"),
        ("Test", first["test"], "objects"),
        ("C", c, "classes"),
        ("d", features.X.shape[1], "dimensions"),
        ("Pairs", c * (c - 1) // 2, "count"),
    ):
        results.number("table-4.3", row, column, number, unit=unit, **about)
    inputs: About = {"basis": "input", "data": about["data"]}
    limit = 1.0 if setting["t_p"] is None else setting["t_p"]
    if setting["t_p"] is None:
        results.text("table-4.3", row, "t_p", "-", **inputs)
    else:
        results.number("table-4.3", row, "t_p", limit, unit="AUC", **inputs)
    results.text("table-4.3", row, "Classifier", setting["model"], **inputs)
    areas = np.sort(shown, axis=1)
    kept = (areas <= limit).sum(axis=1)
    at_print = areas[:, setting["pairs"] - 1]
    where = {"data set": row, "fold": np.arange(len(folds)), "t_p": limit, "kept": kept}
    printed = {"printed": setting["pairs"], "area at the printed number": at_print}
    results.add_frame("kept pairs", where | {"possible": c * (c - 1) // 2} | printed)
    share = mean_error if choices.errors == "classes" else share_wrong
    errors = np.array([100 * share(of_set(part, "test")) for part in folds])
    same = len({of_set(part, "test").index.tobytes() for part in folds}) == 1
    sampled = f"% of {first['test']} objects" if same else "%"
    curve = "all others competing" if choices.competitors == "all" else "two classes alone"
    for column, values, unit, note in (
        ("Pairs2", kept, "count", f"areas with {curve}"),
        ("mean error eps", errors, sampled, f"error over the {choices.errors}"),
    ):
        several = len(values) > 1
        spread: About = {"std": float(np.std(values, ddof=1)), "n": len(values)} if several else {}
        mean, said = float(np.mean(values)), about | {"note": note}
        results.number("table-4.3", row, column, mean, unit=unit, **spread, **said)
