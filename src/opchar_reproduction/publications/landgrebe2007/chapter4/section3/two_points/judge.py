"""Decomposed ROCs of scored objects under costs (Secs. 4.3.3, 4.3.5 and 4.3.6)."""

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("0681")
def one_matrix_hides_an_interaction(
    measured: Measurements, *, small: float = 0.055, risen: float = 0.1
) -> Finding:
    """Ask whether all errors are small at one operating point, and xi_21 is not at the other."""
    table = measured.frame("confusion")
    table = table[table["true"] != table["assigned"]]
    rates = table.pivot_table("rate", index=["true", "assigned"], columns="series")
    near, far = rates["near-balanced weights"], rates["imbalanced weights"]
    return conjunction(
        {
            "all errors are small at near-balanced weights": near.max() <= small,
            "xi_21 rises at imbalanced weights": abs(far[2, 1] - risen) < 0.005,
        },
        f"largest error {near.max():.4f} at near-balanced weights; xi_21 from {near[2, 1]:.4f} to "
        f"{far[2, 1]:.4f}",
    )
