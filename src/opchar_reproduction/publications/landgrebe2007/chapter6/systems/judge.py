"""Independent and holistic design of recognition systems (Sec. 6.2.4)."""

import pandas as pd

from opchar_reproduction.publications.landgrebe2007.paired_claims import of_problem, standard_errors
from opchar_reproduction.statements.measurements import (
    Finding,
    Measurements,
    conjunction,
    mean_table,
)
from opchar_reproduction.study import statement

EQUAL = 1e-9


def _gains(measured: Measurements, problem: str) -> pd.DataFrame:
    """Return the loss that holistic design saves, by fold, columns (system, costs)."""
    rows = measured.rows("losses", of_problem, problem)
    table = mean_table(rows, "loss", index="fold", columns=["design", "system", "costs"])
    return pd.DataFrame(table["independent"] - table["holistic"])


def _data(measured: Measurements, problem: str) -> str:
    lines = measured.lines
    rows = lines[(lines["artefact"] == "table-6.1") & lines["row"].str.startswith(problem)]
    return str(rows["data"].iloc[0])


def _in_words(gains: pd.DataFrame, steps: dict[object, float]) -> str:
    lower, equal = (gains.mean() > EQUAL).sum(), (gains.mean().abs() <= EQUAL).sum()
    sure = sum(step > 2 for step in steps.values())
    return (
        f"of {gains.shape[1]} systems and costs the holistic design loses less in {lower} and the "
        f"same in {equal}; the difference exceeds two standard errors in {sure}"
    )


@statement("1064")
def holistic_is_lower(measured: Measurements, *, problem: str = "Banana") -> Finding:
    """Ask whether holistic design loses less in all cells, in some not significantly."""
    gains = _gains(measured, problem)
    steps = {name: standard_errors(gains[name]) for name in gains}
    parts = {
        "holistic loses less in all cells": (gains.mean() > EQUAL).all(),
        "some differences are not significant": any(step <= 2 for step in steps.values()),
    }
    return conjunction(parts, _in_words(gains, steps), _data(measured, problem))


@statement("1065")
def holistic_is_never_higher(
    measured: Measurements,
    *,
    problem: str = "Mfeat",
    without: list[str] = ["Cost 3 [1, 8, 1, 10]", "Cost 4 [1, 1, 1, 12]"],
    gaining: list[str] = ["Cost 1 [1, 1, 1, 3]", "Cost 2 [8, 1, 1, 10]"],
) -> Finding:
    """Ask whether holistic design loses no more anywhere, and gains where the text says so."""
    gains = _gains(measured, problem)
    steps = {name: standard_errors(gains[name]) for name in gains}
    by_costs: dict[str, list[float]] = {}
    for name, step in zip(gains.columns.get_level_values("costs"), steps.values(), strict=True):
        by_costs.setdefault(str(name), []).append(step)
    parts = {"holistic is nowhere higher": bool((gains.mean() >= -EQUAL).all())}
    for costs in without:
        parts[f"no significant gain at {costs}"] = all(step <= 2 for step in by_costs[costs])
    for costs in gaining:
        parts[f"a significant gain at {costs}"] = all(step > 2 for step in by_costs[costs])
    return conjunction(parts, _in_words(gains, steps), _data(measured, problem))


@statement("1066")
def poor_models_gain_more(
    measured: Measurements,
    *,
    problem: str = "Banana",
    poor: str = "Gauss + LDC",
    good: str = "Gauss + MOG",
) -> Finding:
    """Ask whether the poorly fitting classifier gains more from holistic design at all costs."""
    gains = _gains(measured, problem).mean()
    more = gains[poor] > gains[good] + EQUAL
    return Finding(
        bool(more.all()),
        "; ".join(
            f"{costs}: {poor} {gains[poor][costs]:.4f}, {good} {gains[good][costs]:.4f}"
            for costs in gains[poor].index
        ),
        _data(measured, problem),
    )
