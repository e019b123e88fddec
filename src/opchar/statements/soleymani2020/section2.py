"""Sec. 2: cost, precision and the F-measure under imbalance."""

from __future__ import annotations

from opchar.statements.measurements import Finding, Measurements

ROUNDING = 1e-12


def cost_grows_relatively_less_than_precision_falls(
    measured: Measurements, *, first: str, second: str
) -> Finding:
    """Judge: from one classifier to the other EC grows relatively less than Pr falls."""
    cost, precision = (
        [measured.value("text-2.1", row, column) for row in (first, second)]
        for column in ("EC", "Pr")
    )
    grows, falls = cost[1] / cost[0] - 1, 1 - precision[1] / precision[0]
    return Finding(
        grows < falls,
        f"EC grows by {grows:.1%} and Pr falls by {falls:.1%} relatively, by "
        f"{cost[1] - cost[0]:.3f} and {precision[0] - precision[1]:.3f} absolutely",
    )


def products_not_fractions(measured: Measurements) -> Finding:
    """Judge: Eq. 10 equals Eq. 9 if its terms are read as products, not if as fractions."""
    table = measured.frame("eq-10")
    products = float((table["said"] - table["computed"]).abs().max())
    fractions = float((table["fractions"] - table["computed"]).abs().max())
    return Finding(
        products < ROUNDING < fractions,
        f"as products Eq. 10 leaves Eq. 9 by up to {products:.1g}, as fractions by {fractions:.2g}",
    )
