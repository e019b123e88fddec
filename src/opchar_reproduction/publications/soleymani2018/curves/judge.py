"""What the conference paper says of cost and F curves (Figures 1 to 4)."""

from opchar_reproduction.publications.f_measure_space.cases import (
    constant_curve,
    formula_holds,
    rises,
)
from opchar_reproduction.publications.f_measure_space.curves import (
    better_below_the_crossing,
    better_everywhere,
    better_then_equal_then_worse,
    cheaper_below,
    common_crossing,
    one_best_threshold,
    rising_and_concave,
    single_crossing,
)
from opchar_reproduction.statements.exchange import (
    exchanged,
    flatten,
    opposite,
    other_case,
    replace_column,
)
from opchar_reproduction.study import statement

TWO_BEST = replace_column("two best thresholds", "best", "number best", 2)
ELSEWHERE = replace_column("another crossing", "order", "high", 0.9)
FIRST_EVERYWHERE = replace_column("C_1 better everywhere", "order", "better", 1)

statement(
    "0001",
    by=formula_holds,
    study="formulas",
    criterion="Eq. 8 as printed gives PC(+) of Eqs. 6 and 7 in all cases, to rounding.",
    control=other_case("pc-of-m"),
    parameters={"frame": "pc-of-m", "limit": 1e-12},
)

statement(
    "0002",
    by=constant_curve,
    study="crisp-curves",
    criterion="The curve of m = 0 is 0.2 at all P(+), to rounding.",
    control=exchanged(
        "m = 0", "m = 0.5", "cost", "series", says="the curve of m = 0.5 in its place"
    ),
    parameters={"frame": "cost", "series": "m = 0", "column": "cost", "value": 0.2, "limit": 1e-12},
)

statement(
    "0003",
    by=constant_curve,
    study="crisp-curves",
    criterion="The curve of m = 1 is 0.15 at all P(+), to rounding.",
    control=exchanged(
        "m = 1", "m = 0.5", "cost", "series", says="the curve of m = 0.5 in its place"
    ),
    parameters={
        "frame": "cost",
        "series": "m = 1",
        "column": "cost",
        "value": 0.15,
        "limit": 1e-12,
    },
)

statement(
    "0004",
    by=constant_curve,
    study="crisp-curves",
    criterion="The curve of α = 0 is 0.8 at all P(+), to rounding.",
    control=exchanged("α = 0", "α = 0.5", "f", "series", says="the curve of α = 0.5 in its place"),
    parameters={"frame": "f", "series": "α = 0", "column": "f", "value": 0.8, "limit": 1e-12},
)

statement(
    "0005",
    by=rising_and_concave,
    study="crisp-curves",
    criterion="""Each F curve with TPR > FPR starts at 0, ends at TPR/(alpha(TPR-1)+1), rises
        at each step and has negative second differences.""",
    control=exchanged(
        "least rise", "largest bend", "shape", says="first and second differences exchanged"
    ),
    leaf_controls=[exchanged("start", "end", "shape", says="both ends exchanged")],
)

statement(
    "0006",
    by=formula_holds,
    study="crisp-curves",
    criterion="F at P(+) = 1 equals the precision there.",
    control=replace_column("a precision of 1/2", "end-point", "said", 0.5),
    parameters={"frame": "end-point", "limit": 1e-12},
)

statement(
    "0007",
    by=common_crossing,
    study="crisp-curves",
    criterion="""At P(+) = FPR/(FPR-TPR+1) F is TPR for all alpha; with alpha it falls below
        that P(+) and rises above it.""",
    control=exchanged("below", "above", "common-crossing"),
    leaf_controls=[replace_column("a TPR of 1", "common-crossing", "tpr", 1.0)],
)

statement(
    "0008",
    by=rises,
    study="crisp-curves",
    criterion="From (0, 0) to (1, 1) of the ROC curve the thresholds rise.",
    control=flatten("one threshold all along", "thresholds", "threshold"),
    parameters={"frame": "thresholds", "column": "threshold"},
)

statement(
    "0009",
    by=one_best_threshold,
    study="soft-classifier",
    criterion="""At each P(+) but the breakpoints one threshold is best; the envelopes are
        the best single curves, to rounding.""",
    control=exchanged(
        "F envelope", "cost envelope", "best", says="the F envelope and the cost envelope exchanged"
    ),
    leaf_controls=[TWO_BEST],
)

statement(
    "0010",
    by=single_crossing,
    study="crisp-pairs",
    criterion="""Two F curves cross inside (0, 1) for all pairs in which one classifier has
        the larger TPR and the larger FPR.""",
    control=replace_column("no pair crosses", "pairs", "crosses", 0.0),
)

statement(
    "0011",
    by=better_everywhere,
    study="crisp-pairs",
    criterion="C_1 has the higher F at all P(+) in (0, 1).",
    control=opposite("both classifiers exchanged", "order", "better"),
    parameters={"panel": "a", "first": True},
)

statement(
    "0012",
    by=better_below_the_crossing,
    study="crisp-pairs",
    criterion="The curves cross at P* of Eq. 11: C_2 is better below it, C_1 above it.",
    control=opposite("both classifiers exchanged", "order", "better"),
    leaf_controls=[ELSEWHERE],
    parameters={"panel": "b", "artefact": "figure-3-right"},
)

statement(
    "0016",
    by=cheaper_below,
    study="two-soft-classifiers",
    criterion="C_1 has the lower cost everywhere below the PC(+) from which both cost the same.",
    control=replace_column("both cost the same everywhere", "order", "better", 0),
    parameters={"artefact": "figure-4", "row": "cost envelopes, m=0.5"},
)

statement(
    "0019",
    by=better_then_equal_then_worse,
    study="two-soft-classifiers",
    criterion="""From low to high P(+) C_2 has the higher F, then both are equal, then C_1
        has the higher F.""",
    control=opposite("both classifiers exchanged", "order", "better"),
    leaf_controls=[FIRST_EVERYWHERE],
)
