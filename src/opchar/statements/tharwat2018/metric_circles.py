"""Metrics as regions of a drawing (slide 33)."""

from __future__ import annotations

from opchar.statements.measurements import Finding, Measurements


def metrics_are_quotients_of_areas(measured: Measurements, *, limit: float) -> Finding:
    """Compare each metric with the area of some regions over that of all it looks at."""
    table = measured.frame("metrics")
    gap = (table["value"] - table["quotient"]).abs()
    return Finding(
        bool((gap < limit).all()), f"largest gap {gap.max():.1e} over {len(table)} metrics"
    )
