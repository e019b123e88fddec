"""Searches for class weights under costs (Secs. 4.2.4 to 4.2.6)."""

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction

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
