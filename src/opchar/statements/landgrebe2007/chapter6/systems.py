"""Independent and holistic design of recognition systems (Sec. 6.2.4)."""

from __future__ import annotations

import pandas as pd

from opchar.statements.landgrebe2007.paired import standard_errors
from opchar.statements.measurements import Finding, Measurements

EQUAL = 1e-9


def _gains(measured: Measurements, problem: str) -> pd.DataFrame:
    """Return the loss that holistic design saves, by fold, columns (system, costs)."""
    frame = measured.frame("losses")
    own = frame[frame["problem"] == problem]
    table = own.pivot_table(index="fold", columns=["design", "system", "costs"], values="loss")
    return pd.DataFrame(table["independent"] - table["holistic"])


def _data(measured: Measurements, problem: str) -> str:
    lines = measured.lines
    own = lines[(lines["artefact"] == "table-6.1") & lines["row"].str.startswith(problem)]
    return str(own["data"].iloc[0])


def _said(gains: pd.DataFrame, steps: dict[object, float]) -> str:
    lower, equal = (gains.mean() > EQUAL).sum(), (gains.mean().abs() <= EQUAL).sum()
    sure = sum(step > 2 for step in steps.values())
    return (
        f"of {gains.shape[1]} systems and costs the holistic design loses less in {lower} and the "
        f"same in {equal}; the difference exceeds two standard errors in {sure}"
    )


def holistic_is_lower(measured: Measurements, *, problem: str) -> Finding:
    """Ask whether holistic design loses less in all cells, in some not significantly."""
    gains = _gains(measured, problem)
    steps = {name: standard_errors(gains[name]) for name in gains}
    holds = (gains.mean() > EQUAL).all() and any(step <= 2 for step in steps.values())
    return Finding(bool(holds), _said(gains, steps), _data(measured, problem))


def holistic_is_never_higher(
    measured: Measurements, *, problem: str, without: list[str], gaining: list[str]
) -> Finding:
    """Ask whether holistic design loses no more anywhere, and gains where the text says so."""
    gains = _gains(measured, problem)
    steps = {name: standard_errors(gains[name]) for name in gains}
    by_costs: dict[str, list[float]] = {}
    for name, step in zip(gains.columns.get_level_values("costs"), steps.values(), strict=True):
        by_costs.setdefault(str(name), []).append(step)
    holds = (
        (gains.mean() >= -EQUAL).all()
        and all(step <= 2 for costs in without for step in by_costs[costs])
        and all(step > 2 for costs in gaining for step in by_costs[costs])
    )
    return Finding(bool(holds), _said(gains, steps), _data(measured, problem))


def poor_models_gain_more(measured: Measurements, *, problem: str, poor: str, good: str) -> Finding:
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
