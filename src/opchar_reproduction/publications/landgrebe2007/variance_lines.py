"""Lines of an analysis of variance: F, p, effect sizes, checks of assumptions, test on ranks."""

from collections.abc import Sequence

import pandas as pd

from opchar.statistics.variance import Anova, anova, f_spread, friedman
from opchar_reproduction.results import Results


def add_analysis(
    results: Results,
    artefact: str,
    row: str,
    design: pd.DataFrame,
    factors: Sequence[str] = ("model", "fold"),
    *,
    data: str | None = None,
) -> Anova:
    """Add F, p, degrees of freedom, effect sizes, checks of assumptions and the test on ranks."""
    test, (chi_square, rank_p) = anova(design, factors), friedman(design, factors)
    within, residual = test.df("model")
    spread = f_spread(design, factors)

    def line(column: str, value: float, unit: str = "") -> None:
        results.number(artefact, row, column, value, unit=unit, data=data)

    note = f"df {within}, {residual}; spread of F by leaving out one fold at a time"
    results.number(
        artefact, row, "F-value", test.F("model"), std=spread, n=1, unit="F", data=data, note=note
    )
    line("p-value", test.p("model"))
    line("df model", within)
    line("df residual", residual)
    line("eta squared", test.number("model", "eta_sq"))
    line("partial eta squared", test.number("model", "partial_eta_sq"))
    for block in factors[1:]:
        line(f"F-value of {block}", test.F(block), "F")
        line(f"p-value of {block}", test.p(block))
    line("Shapiro-Wilk p of residuals", test.normality_p)
    line("Levene p of residuals", test.equal_variance_p)
    line("Friedman chi-square", chi_square)
    line("Friedman p", rank_p)
    return test
