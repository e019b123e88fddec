"""Measurements as they would be if all classifiers were right, or all wrong."""

import pandas as pd

from opchar_reproduction.statements.measurements import Measurements


def as_if_right(measured: Measurements, *, frames: list[str]) -> Measurements:
    """Give all indices the least values of classifiers without errors."""
    for frame in frames:
        measured = measured.with_frame(frame, lambda table: table.assign(minimum=1.0))
    return measured


def as_if_wrong(measured: Measurements, *, frames: list[str]) -> Measurements:
    """Give all indices the least values of classifiers that are always wrong, on equal classes."""

    def least(line: pd.Series) -> float:
        classes = int(line["classes"])
        one_vs_one, weak = (classes - 2) / (2 * (classes - 1)), (classes - 2) / (2 * classes)
        normalised = (one_vs_one - weak) / (1 - weak)
        values = {"AUROC-OVA": one_vs_one, "AUROC-OVO": one_vs_one, "nAUROC-OVA": normalised}
        return values.get(str(line["index"]), 0.0)

    for frame in frames:
        measured = measured.with_frame(
            frame, lambda table: table.assign(minimum=table.apply(least, axis=1))
        )
    return measured


def steady_once(measured: Measurements, *, index: str) -> Measurements:
    """Let an index hardly deviate on the problem on which it deviates least."""
    table = measured.frame("deviations")
    least = table.loc[table["index"] == index, "deviation"].idxmin()
    changed = table["deviation"].where(table.index != least, 1e-9)
    return measured.with_frame("deviations", lambda each: each.assign(deviation=changed))
