"""Claims on crisp classifiers in F-measure space (Sec. 3)."""

import numpy as np

from opchar.ranges import Rate
from opchar_reproduction.publications.f_measure_space.cases import constant_curve, formula_holds
from opchar_reproduction.publications.f_measure_space.curves import (
    ROUNDING,
    better_below_the_crossing,
    better_everywhere,
    common_crossing,
    rising_and_concave,
)
from opchar_reproduction.statements.exchange import exchanged, opposite, replace_column, reverse
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


@statement(
    "0029",
    study="crisp-f-curves",
    criterion="""At one P(+) F is TPR for all alpha drawn, and the curve of alpha = 0 is TPR
        at all P(+), to rounding.""",
    control=exchanged(
        "crossing", "above it", "at", "place", says="another P(+) in place of the crossing"
    ),
    leaf_controls=[exchanged("α = 0", "α = 0.5", "f", "series")],
)
def all_weights_meet(measured: Measurements, *, tpr: Rate = 0.8) -> Finding:
    """Judge: F curves of all weights meet in one point; that of alpha = 0 is the constant TPR."""
    table = measured.frame("at")
    at = table[table["place"] == "crossing"]["f"]
    gap = float((at - tpr).abs().max())
    constant = constant_curve(
        measured, frame="f", series="α = 0", column="f", value=tpr, limit=ROUNDING
    )
    parts = {
        "all curves cross in one point": gap < ROUNDING,
        "that of alpha = 0 is the constant TPR": constant.holds,
    }
    return conjunction(
        parts, f"at the common crossing F is off TPR by up to {gap:.1g}; {constant.evidence}"
    )


@statement(
    "0030",
    study="crisp-f-curves",
    criterion="""The slopes of the F curves at P(+) = 0 fall with the threshold, and the last
        curve is the diagonal.""",
    control=reverse("thresholds in the opposite order", "slopes", "slope"),
)
def curves_approach_the_diagonal(measured: Measurements) -> Finding:
    """Judge: with lower thresholds F curves leave the Y axis, and the last one is the diagonal."""
    slopes = measured.frame("slopes")["slope"].to_numpy(float)
    last = formula_holds(measured, frame="last-curve", limit=ROUNDING)
    parts = {
        "slopes at P(+) = 0 fall with the threshold": (np.diff(slopes) < 0).all(),
        "the last curve is the diagonal": last.holds,
    }
    return conjunction(
        parts,
        f"slopes at P(+) = 0 are {', '.join(f'{s:.1f}' for s in slopes)}, thresholds falling; last "
        f"curve, the diagonal being said: {last.evidence}",
    )


statement(
    "0026",
    by=rising_and_concave,
    study="crisp-f-curves",
    criterion="""Each F curve with TPR > FPR starts at 0, ends at TPR/(alpha(TPR-1)+1), rises
        at each step and has negative second differences.""",
    control=exchanged(
        "least rise", "largest bend", "shape", says="first and second differences exchanged"
    ),
    leaf_controls=[exchanged("start", "end", "shape", says="both ends exchanged")],
)

statement(
    "0027",
    by=formula_holds,
    study="crisp-f-curves",
    criterion="F at P(+) = 1 equals the precision there.",
    control=replace_column("a precision of 1/2", "end-point", "said", 0.5),
    parameters={"frame": "end-point", "limit": 1e-12},
)

statement(
    "0028",
    by=common_crossing,
    study="crisp-f-curves",
    criterion="""At P(+) = FPR/(FPR-TPR+1) F is TPR for all alpha; with alpha it falls below
        that P(+) and rises above it.""",
    control=exchanged("below", "above", "common-crossing"),
    leaf_controls=[replace_column("a TPR of 1", "common-crossing", "tpr", 1.0)],
)

statement(
    "0032",
    by=better_everywhere,
    study="crisp-pairs",
    criterion="C_2 has the higher F at all P(+) in (0, 1).",
    control=replace_column("both have equal F", "order", "better", 0),
    parameters={"panel": "a", "first": False},
)

statement(
    "0033",
    by=better_below_the_crossing,
    study="crisp-pairs",
    criterion="The curves cross once, at P*: C_2 is better below it, C_1 above it.",
    control=opposite("both classifiers exchanged", "order", "better"),
    leaf_controls=[replace_column("another crossing", "order", "high", 0.9)],
    parameters={"panel": "b", "artefact": "figure-3b"},
)
