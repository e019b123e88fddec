"""What Secs. 3.3.3 and 3.3.4 say of ROC curves and surfaces on the diagonal rates."""

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement("1068")
def areas_lie_between_one_half_and_one(
    measured: Measurements, *, tolerance: float = 0.001, rounding: float = 1e-09
) -> Finding:
    """Figure 3.5: perfect classification has area one, a random classifier one half."""
    area = measured.column("figure-3.5", "AUC")
    return conjunction(
        {
            "perfect classification has area one": abs(area["A"] - 1) <= tolerance,
            "a random classifier has one half": abs(area["C"] - 0.5) <= rounding,
            "others lie between": area["C"] + rounding < area["B"] < area["A"],
        },
        ", ".join(f"{letter} {area[letter]:.4f}" for letter in "ABC"),
    )


@statement("1069")
def overlapping_classes_have_more_than_random(measured: Measurements) -> Finding:
    """Figure 3.7: the volume of partially overlapping classes exceeds that of Figure 3.6."""
    overlapping = measured.value("figure-3.7", "overlapping", "VUS exact")
    random = measured.value("figure-3.6", "random", "VUS exact")
    return Finding(
        overlapping > random, f"volume {overlapping:.4f}, {random:.4f} for equal classes"
    )


@statement("1070")
def random_surface_is_a_plane(measured: Measurements, *, rounding: float = 1e-09) -> Finding:
    """Figure 3.6: the surface of a random classifier is the plane through the unit points."""
    surface = measured.frame("surface").query("series == 'random'")
    off = float((surface[["xi_11", "xi_22", "xi_33"]].sum(axis=1) - 1).abs().max())
    volume = measured.value("figure-3.6", "random", "VUS exact")
    return conjunction(
        {"a plane": off <= rounding, "of volume 1/6": abs(volume - 1 / 6) <= rounding},
        f"the rates of three equal classes sum to one within {off:.2g}; volume {volume:.10f}",
    )
