"""Which index meets which condition: Theorems 1 to 5 and Table 2 (mullick2020)."""

from itertools import product

import numpy as np
import pandas as pd

from opchar_reproduction.publications.mullick2020.conditions.met import (
    RANGE,
    describe_index,
    is_met,
    names_of_many,
    of_index,
)
from opchar_reproduction.statements.exchange import copy_column, exchanged, replace_column
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

ACSA_AND_G_MEAN = exchanged("ACSA", "GMean", "failing", "index")
MOVED = replace_column("matrices that differ for all", "invariance", "gap", 1.0)
STILL = replace_column("none that differ for any", "invariance", "gap", 0.0)
GROWING = copy_column("lowest values that grow with C", "ranges", "classes", "low")
ONE_RANGE = replace_column("one lowest value for all C", "ranges", "low", 0.0)
LOST = replace_column("limits of 0", "failing", "value", 0.0)
PRECISIONS = exchanged("mPrecision, two classes", "Precision, two classes", "invariance", "index")


@statement(
    "0017",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give Recall, Precision or AUROC different values.""",
    control=exchanged("Recall, two classes", "AURPC, two classes", "invariance", "index"),
    leaf_controls=[MOVED],
    parameters={
        "indices": ["Recall, two classes", "Precision, two classes", "AUROC, two classes"],
        "met": ["1"],
    },
)
@statement(
    "0018",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give GMean, ACSA, AUROC-OVA, AUROC-OVO or AURPC-OVA
        different values, for 2, 3 and 4 classes.""",
    control=exchanged("GMean", "nAUROC-OVA", "invariance", "index"),
    leaf_controls=[MOVED],
    parameters={"indices": ["GMean", "ACSA", "AUROC-OVA", "AUROC-OVO", "AURPC-OVA"], "met": ["1"]},
)
@statement(
    "0019",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give mPrecision, mAURPC or mAURPC-OVA different values.""",
    control=PRECISIONS,
    leaf_controls=[MOVED],
    parameters={
        "indices": ["mPrecision, two classes", "mAURPC, two classes", "mAURPC-OVA"],
        "met": ["1"],
    },
)
@statement(
    "0020",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give nAUROC-OVA different values, for 2, 3 and 4 classes.""",
    control=exchanged("nAUROC-OVA", "AUROC-OVA", "invariance", "index"),
    parameters={"indices": ["nAUROC-OVA"], "met": ["1"]},
)
@statement(
    "0022",
    criterion="""The lowest and the highest value over test sets of any sizes, limits
        included, are the same for 2, 3 and 4 classes, of both normalised indices. (Of equal
        classes the lowest value of nAUROC-OVA does depend on C; the evidence has both.)""",
    control=exchanged("nAUROC-OVA", "AUROC-OVA", "ranges", "index"),
    leaf_controls=[GROWING],
    parameters={"indices": ["nAUROC-OVO", "nAUROC-OVA"], "met": ["2"]},
)
@statement(
    "0024",
    criterion="""For 3 and 4 classes the least limit over all ways in which one class fails
        exceeds the lower bound, of all three indices.""",
    control=ACSA_AND_G_MEAN,
    leaf_controls=[LOST],
    parameters={"indices": ["GMean", "ACSA", "mAURPC-OVA"], "met": ["3"]},
)
@statement(
    "0025",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give GMean of two classes different values.""",
    control=exchanged("GMean, two classes", "Precision, two classes", "invariance", "index"),
    parameters={"indices": ["GMean, two classes"], "met": ["1"]},
)
@statement(
    "0026",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give AUROC different values.""",
    control=exchanged("AUROC, two classes", "Precision, two classes", "invariance", "index"),
    parameters={"indices": ["AUROC, two classes"], "met": ["1"]},
)
@statement(
    "0028",
    criterion="Two matrices of equal class rates with different AURPC were found.",
    control=exchanged("AURPC, two classes", "mAURPC, two classes", "invariance", "index"),
    parameters={"indices": ["AURPC, two classes"], "met": [], "violated": ["1"]},
)
@statement(
    "0029",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give mPrecision different values.""",
    control=PRECISIONS,
    parameters={"indices": ["mPrecision, two classes"], "met": ["1"]},
)
@statement(
    "0030",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give mAURPC different values.""",
    control=exchanged("mAURPC, two classes", "AURPC, two classes", "invariance", "index"),
    parameters={"indices": ["mAURPC, two classes"], "met": ["1"]},
)
@statement(
    "0038",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give GMean different values, for 2, 3 and 4 classes. The range
        over any test sets is the same for these.""",
    control=exchanged("GMean", "AUROC-OVA", "invariance", "index"),
    leaf_controls=[GROWING],
    parameters={"indices": ["GMean"], "met": ["1", "2"]},
)
@statement(
    "0039",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give ACSA different values, for 2, 3 and 4 classes. The range
        over any test sets is the same for these.""",
    control=exchanged("ACSA", "AUROC-OVA", "invariance", "index"),
    leaf_controls=[GROWING],
    parameters={"indices": ["ACSA"], "met": ["1", "2"]},
)
@statement(
    "0040",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give AUROC-OVO different values, for 2, 3 and 4 classes. The
        range over any test sets differs between these.""",
    control=exchanged("AUROC-OVO", "AUROC-OVA", "invariance", "index"),
    leaf_controls=[ONE_RANGE],
    parameters={"indices": ["AUROC-OVO"], "met": ["1"], "violated": ["2"]},
)
@statement(
    "0041",
    criterion="""Two matrices of equal class rates with different AUROC-OVA were found for some of
    2, 3 and 4 classes (not for two, where AUROC-OVA is ACSA). The range over any test sets differs
    between these.""",
    control=exchanged("AUROC-OVA", "ACSA", "invariance", "index"),
    leaf_controls=[ONE_RANGE],
    parameters={"indices": ["AUROC-OVA"], "met": [], "violated": ["1", "2"]},
)
@statement(
    "0042",
    criterion="""Two matrices of equal class rates with different AURPC-OVA were found, and
        the range over any test sets is the same for 2, 3 and 4 classes. Values that are 0/0 are
        left out; counted as 0 or as 1 they change neither verdict.""",
    control=exchanged("AURPC-OVA", "AUROC-OVA", "ranges", "index"),
    leaf_controls=[STILL],
    parameters={"indices": ["AURPC-OVA"], "met": ["2"], "violated": ["1"]},
)
@statement(
    "0045",
    criterion="""No two of the matrices searched (all small ones, and large random pairs)
        that have equal class rates give mAURPC-OVA different values, for 2, 3 and 4 classes.""",
    control=exchanged("mAURPC-OVA", "AURPC-OVA", "invariance", "index"),
    parameters={"indices": ["mAURPC-OVA"], "met": ["1"]},
)
@statement(
    "0047",
    criterion="""For 3 and 4 classes the least limit of GMean over all ways in which one class fails
        does not exceed its lower bound. (The value at epsilon = 1/C does; the limit decides.)""",
    control=exchanged("GMean", "ACSA", "failing", "index"),
    parameters={"indices": ["GMean"], "met": [], "violated": ["3"]},
)
@statement(
    "0048",
    criterion="""For 3 and 4 classes the least limit of ACSA over all ways in which one class
        fails exceeds its lower bound.""",
    control=ACSA_AND_G_MEAN,
    parameters={"indices": ["ACSA"], "met": ["3"]},
)
@statement(
    "0049",
    criterion="""For 3 and 4 classes the least limit of mAURPC-OVA over all ways in which one
        class fails exceeds its lower bound.""",
    control=exchanged("mAURPC-OVA", "GMean", "failing", "index"),
    parameters={"indices": ["mAURPC-OVA"], "met": ["3"]},
)
def indices_meet(
    measured: Measurements, *, indices: list[str], met: list[str], violated: list[str] | None = None
) -> Finding:
    """Each index meets all conditions of one list and violates all of another.

    Conditions are ``"1"``, ``"2"`` and ``"3"``.
    """
    wanted = dict.fromkeys(met, True) | dict.fromkeys(violated or [], False)
    parts = {
        f"{name} {'meets' if must else 'violates'} Condition {condition}": must
        == is_met(measured, name, condition)
        for name, (condition, must) in product(indices, wanted.items())
    }
    wrong = [name for name in indices if not all(is_met(measured, name, one) for one in met)]
    told = [*wrong, *(name for name in indices if name not in wrong)][:3]
    return conjunction(
        parts, "; ".join(describe_index(measured, name, list(wanted)) for name in told)
    )


@statement(
    "0027",
    criterion="""Two matrices of equal class rates with different Precision were found; of
        all small matrices with rows times 1, 2 or 3, Precision stays exactly where b1 = b2, TP
        = 0 or FP = 0.""",
    control=exchanged(
        "Precision, two classes",
        "mPrecision, two classes",
        "invariance",
        "index",
        says="Precision and mPrecision exchanged among the finds of the search",
    ),
    leaf_controls=[replace_column("no case that stays", "equal precisions", "change", 1)],
)
def precision_stays_in_three_cases_only(measured: Measurements) -> Finding:
    """Precision violates Condition 1; it stays only for b1 = b2, TP = 0 or FP = 0."""
    cases = measured.frame("equal precisions")
    equal = cases["b1"] == cases["b2"]
    trivial = equal | (cases["TP"] == 0) | (cases["FP"] == 0)
    stays = cases["change"].abs() < 1e-12
    found = not is_met(measured, "Precision, two classes", "1")
    differing = int((trivial != stays).sum())
    parts = {
        "Precision violates Condition 1": found,
        "it stays in the three cases only": not differing,
    }
    return conjunction(
        parts,
        f"of {len(cases)} pairs of matrices {int(stays.sum())} have equal Precision, "
        f"{differing} of them or of the rest against the rule; of those, b1 = b2 in "
        f"{int((stays & equal).sum())}",
    )


@statement(
    "0016",
    also_reads=["mullick2020/definitions"],
    criterion="""Of the indices of Definitions 4 to 7 exactly those that violate Condition 1
        change when the last class of the example is enlarged ten times at equal class rates.""",
    control=exchanged(
        "GMean, two classes",
        "Precision, two classes",
        "invariance",
        "index",
        says="""GMean and Precision exchanged among the violations that the search found""",
    ),
)
def condition_1_tells_who_moves(measured: Measurements) -> Finding:
    """Exactly the indices that violate Condition 1 move when a class of the example is enlarged."""
    artefacts = [f"definition-{number}" for number in (4, 5, 6, 7)]
    lines = measured.lines[measured.lines["artefact"].isin(artefacts)]
    moved: list[str] = []
    differing: dict[bool, list[str]] = {True: [], False: []}
    for artefact in artefacts:
        part = lines[lines["artefact"] == artefact]
        for name in dict.fromkeys(part["row"]):
            label = f"{name}, two classes" if artefact in artefacts[:2] else str(name)
            moves = float(np.ptp(part.loc[part["row"] == name, "value"])) > 1e-9
            moved += [label] if moves else []
            differing[moves] += [label] if moves == is_met(measured, label, "1") else []
    names = [*differing[True], *differing[False]]
    against = f"; against it {', '.join(names)}" if names else ""
    parts = {
        "the indices that violate Condition 1 move": not differing[False],
        "the others stay": not differing[True],
    }
    return conjunction(parts, f"these move: {', '.join(moved)}{against}")


@statement(
    "0021",
    criterion="""Each index of many classes that violates Condition 2 (any test sets) gives
        classifiers that are right about half of each class, errors spread evenly, values that
        differ over 2, 3, 5 and 10 classes; there are such indices.""",
    control=exchanged("AUROC-OVO", "ACSA", "even classifiers", "index", among="these classifiers"),
    leaf_controls=[ONE_RANGE],
)
def who_violates_condition_2_depends_on_classes(measured: Measurements) -> Finding:
    """Each index that violates Condition 2 rates one accuracy differently as C grows."""
    names = names_of_many(measured)
    violating = [name for name in names if not is_met(measured, name, "2")]
    even = measured.frame("even classifiers")
    spans = {name: float(np.ptp(even.loc[even["index"] == name, "value"])) for name in violating}
    listed = ", ".join(f"{name} by {span:.3f}" for name, span in spans.items())
    parts = {
        "some index violates Condition 2": spans,
        "each of these rates one accuracy differently": min(spans.values(), default=1) > 1e-9,
    }
    return conjunction(
        parts, f"at one accuracy, errors spread evenly, values differ over C: {listed or 'none'}"
    )


@statement(
    "0023",
    criterion="""Two classifiers are compared: one fails in one of three classes (accuracy one in a
    million), the other in all. Exactly the indices of many classes that violate Condition 3 differ
    by less than 0.05 between the two; there is such an index.""",
    control=exchanged("GMean", "ACSA", "failing", "index", among="the limits"),
    leaf_controls=[replace_column("none alike", "one or all", "one fails", 2.0)],
)
def who_violates_condition_3_loses_the_other_classes(
    measured: Measurements, *, limit: float = 0.05
) -> Finding:
    """Exactly the indices that violate Condition 3 take one failing class for all failing."""
    table = measured.frame("one or all").set_index("index")
    gaps = (table["one fails"] - table["all fail"]).abs()
    met = pd.Series({name: is_met(measured, str(name), "3") for name in gaps.index})
    unlike, alike = ((gaps >= limit) & ~met), ((gaps < limit) & met)
    differing = gaps.index[unlike | alike]
    blind = ", ".join(f"{name} ({gaps[name]:.3f})" for name in gaps.index if gaps[name] < limit)
    parts = {
        "an index takes one failing class for all": blind,
        "those that violate Condition 3 do": not unlike.any(),
        "the others do not": not alike.any(),
    }
    return conjunction(
        parts,
        f"less than {limit:g} apart when one or all of three classes fail: {blind or 'none'}; "
        f"against the rule: {', '.join(map(str, differing)) or 'none'}",
    )


@statement(
    "0046",
    criterion="""For 2, 3 and 4 classes the lowest and the highest mAURPC-OVA over test sets
        of any sizes, and of equal classes, are 0 and 1.""",
    control=exchanged("mAURPC-OVA", "AUROC-OVO", "ranges", "index"),
    leaf_controls=[replace_column("highest values of 0.9", "ranges", "high", 0.9)],
)
def ranges_are_from_0_to_1(measured: Measurements, *, index: str = "mAURPC-OVA") -> Finding:
    """Judge whether the range of an index is from 0 to 1 for every number of classes."""
    ranges = of_index(measured, "ranges", index)
    low, high = ranges["low"], ranges["high"]
    parts = {
        "the lowest value is 0": low.abs().max() < RANGE,
        "the highest is 1": (high - 1).abs().max() < RANGE,
    }
    return conjunction(
        parts,
        f"{index}: least {low.min():.6f} to {low.max():.6f}, largest {high.min():.6f} to "
        f"{high.max():.6f} over C = {int(ranges['classes'].min())} to "
        f"{int(ranges['classes'].max())}, test sets of any sizes and of equal classes",
    )
