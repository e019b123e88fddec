"""Corners of ROC space and areas under curves (slides 43 to 62)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from opchar.statements.measurements import Finding, Measurements

COUNTS = ["tp", "fn", "fp", "tn"]


def corner_has_one_classifier(
    measured: Measurements, *, fpr: float, tpr: float, none: Sequence[str]
) -> Finding:
    """Compare the matrices at a corner of ROC space with those in which two counts are zero."""
    table = measured.frame("matrices")
    there = (table["fpr"] == fpr) & (table["tpr"] == tpr)
    meant = (table[list(none)] == 0).all(axis="columns")
    found = "; ".join(
        ", ".join(f"{name.upper()} {row[name]:g}" for name in COUNTS)
        for row in table[there].to_dict("records")
    )
    return Finding(
        bool((there == meant).all() and there.any()),
        f"of {len(table)} matrices {there.sum()} lies at FPR {fpr:g}, TPR {tpr:g}: {found}",
    )


def areas_are_bounded(measured: Measurements, *, lower: float) -> Finding:
    """Bound every area by 0 and 1, and the larger of an order and its reverse by `lower`."""
    table = measured.frame("orders")
    area = table["area"]
    better = table[["area", "reversed"]].max(axis="columns")
    return Finding(
        bool(area.between(0, 1).all() and (better >= lower).all()),
        f"{len(table)} orders have areas from {area.min():g} to {area.max():g}; "
        f"{(area < lower).sum()} are below {lower:g}, with the better direction "
        f"{(better < lower).sum()}",
    )


def smaller_area_leads_on_the_right(measured: Measurements) -> Finding:
    """Ask whether B has the larger area and leads up to the crossing, and A beyond, by less."""
    table = measured.frame("two")
    areas = table.groupby("classifier")["auc"].first()
    curves = table.pivot_table("tpr", index="fpr", columns="classifier")
    lead = (curves["A"] - curves["B"])[(curves.index > 0) & (curves.index < 1)]
    crossing = measured.value("figure-auc-two", "A slightly better above", "FPR")
    left, right = lead[lead.index < crossing], lead[lead.index > crossing]
    return Finding(
        bool(
            areas["B"] > areas["A"]
            and (left < 0).all()
            and (right > 0).all()
            and right.max() < -left.min()
        ),
        f"areas A {areas['A']:.3f}, B {areas['B']:.3f}; below FPR {crossing:.2f} A leads by "
        f"{left.min():.3f} to {left.max():.3f}, above by {right.min():.3f} to {right.max():.3f}",
    )


def decisions_turned_round(measured: Measurements) -> Measurements:
    """Control: every decision is the opposite of what the rates say."""
    names = {"tp": "fn", "fn": "tp", "fp": "tn", "tn": "fp"}
    return measured.with_frame("matrices", lambda table: table.rename(columns=names))


def areas_in_pairs(measured: Measurements, *, pairs: int) -> Measurements:
    """Control: areas as numbers of pairs won, not as shares."""

    def counted(table: pd.DataFrame) -> pd.DataFrame:
        return table * pairs

    return measured.with_frame("orders", counted)
