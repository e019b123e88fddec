"""Operating points of known Gaussian classes and their number (Secs. 4.2.2, 4.2.3 and 4.3.2)."""

from __future__ import annotations

import numpy as np

from opchar.statements.measurements import Finding, Measurements


def one_error_falls_at_the_expense_of_the_other(measured: Measurements) -> Finding:
    """Ask whether xi_12 falls and xi_21 rises as the weight of class 2 is lowered."""
    table = measured.frame("two points")
    rates = table.pivot_table("rate", index=["true", "assigned"], columns="series")
    before, after = rates["equal weights"], rates["phi_2 = 0.3"]
    return Finding(
        bool(after[1, 2] < before[1, 2] and after[2, 1] > before[2, 1]),
        f"xi_12 {before[1, 2]:.4f} to {after[1, 2]:.4f}, xi_21 {before[2, 1]:.4f} to "
        f"{after[2, 1]:.4f}",
    )


def each_class_multiplies_the_points_by_r(measured: Measurements) -> Finding:
    """Ask whether a grid of one more class has r times as many operating points."""
    table = measured.frame("grids").sort_values("classes")
    points, r = table["points"], table["r"]
    growth = (points / points.shift()).dropna()
    counted = ", ".join(f"{count:g}" for count in points)
    return Finding(
        bool((growth == r.iloc[1:]).all()),
        f"{counted} points for C = {', '.join(f'{c:g}' for c in table['classes'])} and r = "
        f"{r.iloc[0]:g}",
    )


def surface_falls_and_has_its_volume(measured: Measurements, *, relative: float) -> Finding:
    """Ask whether the error of class 3 falls as those of 1 and 2 grow, and the volume is exact."""
    error = measured.frame("surface").pivot_table("e_33", index="e_11", columns="e_22")
    rows = error.to_numpy(dtype=float)
    falls = all(bool((np.diff(rows, axis=axis) <= 0).all()) for axis in (0, 1))
    volume = measured.value("figure-4.6", "3 Gaussians", "VUS est.")
    exact = measured.value("figure-4.6", "3 Gaussians", "VUS exact")
    return Finding(
        falls and 1 / 6 < volume < 1 and abs(volume / exact - 1) < relative,
        f"a surface that {'falls' if falls else 'does not fall'} along both axes, with volume "
        f"{volume:.4f}; exact {exact:.4f}, random 0.1667",
    )
