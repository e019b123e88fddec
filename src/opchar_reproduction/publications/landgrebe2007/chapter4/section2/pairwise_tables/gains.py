"""Lines of Tables 4.3 to 4.5 and of Figure 4.5: gains, wins and scenarios of class weights."""

from collections.abc import Mapping, Sequence
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

GAIN_UNIT = "MSU difference to default"


SUMMARIES: dict[str, Any] = {"Min": np.min, "Median": np.median, "Best": np.max, "Mean": np.mean}


REPEATED = 50


def _add_mean(
    results: Results,
    artefact: str,
    row: str,
    column: str,
    values: Floats,
    unit: str,
    about: dict[str, Any],
) -> None:
    """Add the mean over folds, with its spread where there are several."""
    std = float(np.std(values, ddof=1)) if len(values) > 1 else None
    number = len(values) if len(values) > 1 else None
    results.number(
        artefact, row, column, float(np.mean(values)), std=std, n=number, unit=unit, **about
    )


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
    measured = pd.concat(
        pd.DataFrame(
            {
                "data set": setting["row"],
                "C": len(part.classes),
                "imbalance": imbalance(test),
                "fold": fold,
                "scenario": [f"{fold}/{m}" for m in range(len(utility[name]))],
                "algorithm": name,
                "MSU": utility[name],
                "improvement": np.maximum(utility[name] - utility["Default"], 0.0),
            }
        )
        for name in utility
    )
    return measured, tried


def add_gains(
    results: Results,
    row: str,
    found: pd.DataFrame,
    rng: np.random.Generator,
    together: Ints,
    about: dict[str, Any],
    by_pairs: dict[str, Any],
) -> None:
    """Add minimum, median, best and mean improvement of each algorithm (Table 4.4)."""
    for name in COMPARED:
        chosen = found[found["algorithm"] == name]
        values = np.array([part["improvement"].to_numpy() for _, part in chosen.groupby("fold")])
        for column, summary in SUMMARIES.items():
            _summary(
                results,
                ("table-4.4", f"{row} / {name}", column),
                values,
                summary,
                GAIN_UNIT,
                rng,
                together,
                by_pairs if name in ("Pairs", "PairsG") else about,
            )


def costs_variance(values: Floats, summary: Any, rng: np.random.Generator) -> float:
    """Return the variance of a summary over draws of the cost matrices, the mean over folds.

    Shapes: `values` (folds, matrices).
    """
    drawn = rng.integers(values.shape[1], size=(400, values.shape[1]))
    return float(np.mean([np.var(summary(fold[drawn], axis=1), ddof=1) for fold in values]))


def add_wins(
    results: Results,
    row: str,
    found: pd.DataFrame,
    rng: np.random.Generator,
    together: Ints,
    about: dict[str, Any],
) -> None:
    """Add the share of scenarios in which PairsG has the larger utility (Table 4.5)."""
    table = found.pivot_table("MSU", index=["fold", "scenario"], columns="algorithm", sort=False)
    better = (table["PairsG"] > table["Greedy"] + 1e-12).groupby("fold")
    values = np.array([part.to_numpy(dtype=float) for _, part in better])
    unit = f"% of {values.shape[1]} scenarios"
    line = ("table-4.5", row, "PairsG > Greedy")
    _summary(results, line, 100 * values, np.mean, unit, rng, together, about)
    if row == "Letter":
        count = 50 * values.mean()
        unit = f"of {values.shape[1]} scenarios"
        line = ("text-4.2.6", row, "scenarios won by PairsG over Greedy")
        results.number(*line, count, unit=unit, **about)


def _summary(
    results: Results,
    line: tuple[str, str, str],
    values: Floats,
    summary: Any,
    unit: str,
    rng: np.random.Generator,
    together: Ints,
    about: dict[str, Any],
) -> None:
    """Add a summary of scenarios: its mean over folds, and the spread of one fold.

    Each fold has cost matrices of its own, so that its spread is no less than theirs; few folds
    may show less.
    """
    by_fold = summary(values, axis=1)
    variance = costs_variance(values, summary, rng)
    if len(by_fold) > 1:
        variance = max(variance, float(np.var(by_fold, ddof=1)))
    std, number = variance**0.5, len(by_fold)
    # Of one split all cells are resampled over the same cost matrices.
    repeated = by_fold if len(by_fold) > 1 else summary(values[0][together], axis=1)
    keep_repeats(results, *line, repeated)
    results.number(*line, float(np.mean(by_fold)), std=std, n=number, unit=unit, **about)


def describe_set(
    results: Results,
    setting: Mapping[str, Any],
    folds: Sequence[ScoreTable],
    shown: Sequence[Sequence[float]],
    features: FeatureTable,
    choices: Choices,
    about: dict[str, Any],
) -> None:
    """Add the row of a data set in Table 4.3, and how separable its pairs of classes are."""
    row, c = setting["row"], len(folds[0].classes)
    curve = "all others competing" if choices.competitors == "all" else "two classes alone"
    about = about | {"note": ""}
    first = {name: of_set(folds[0], name) for name in ("train", "test")}
    counted = {"Train": len(first["train"].y), "Test": len(first["test"].y)}
    counted |= {"C": c, "d": features.X.shape[1]}
    for column, number in counted.items():
        unit = {"C": "classes", "d": "dimensions"}.get(column, "objects")
        results.number("table-4.3", row, column, number, unit=unit, **about)
    results.number("table-4.3", row, "Pairs", c * (c - 1) // 2, unit="count", **about)
    inputs: dict[str, Any] = {"basis": "input", "data": about["data"]}
    if setting["t_p"] is None:
        results.text("table-4.3", row, "t_p", "-", **inputs)
    else:
        results.number("table-4.3", row, "t_p", setting["t_p"], unit="AUC", **inputs)
    results.text("table-4.3", row, "Classifier", setting["model"], **inputs)
    areas = np.array(shown)
    limit = 1.0 if setting["t_p"] is None else setting["t_p"]
    kept = (areas <= limit).sum(axis=1)
    for fold, sorted_areas in enumerate(np.sort(areas, axis=1)):
        results.add_frame(
            "kept pairs",
            {
                "data set": [row],
                "fold": fold,
                "t_p": limit,
                "kept": int(kept[fold]),
                "possible": c * (c - 1) // 2,
                "printed": setting["pairs"],
                "area at the printed number": sorted_areas[setting["pairs"] - 1],
            },
        )
    by_areas = about | {"note": f"areas with {curve}"}
    _add_mean(results, "table-4.3", row, "Pairs2", kept, "count", by_areas)
    share = mean_error if choices.errors == "classes" else share_wrong
    errors = np.array([100 * share(of_set(part, "test")) for part in folds])
    about["note"] = f"error over the {choices.errors}"
    same = len({of_set(part, "test").index.tobytes() for part in folds}) == 1
    sampled = f"% of {len(first['test'].y)} objects" if same else "%"
    _add_mean(results, "table-4.3", row, "mean error eps", errors, sampled, about)
