"""Which indices can be recommended: the groups of Figure 6 and Sec. 6 (mullick2020)."""

from opchar_reproduction.publications.mullick2020.conditions.met import is_met
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement


def groups_follow(
    measured: Measurements, *, groups: dict[str, list[str]], conditions: list[str]
) -> Finding:
    """Judge whether the indices fall into the groups of Figure 6.

    `groups` has the indices by the conditions that they meet of `conditions`, as in ``"1 2"``, or
    ``"none"``.
    """
    parts, wrong = {}, []
    for group, names in groups.items():
        wanted = [] if group == "none" else group.split()
        for name in names:
            found = [c for c in conditions if is_met(measured, name, c)]
            said = f"{name} meets {' and '.join(wanted) or 'none'} of {', '.join(conditions)}"
            parts[said] = found == wanted
            wrong += [] if found == wanted else [f"{name}: {' and '.join(found) or 'none'}"]
    count = len(parts)
    return conjunction(
        parts,
        f"{count - len(wrong)} of {count} indices in their group{'; ' if wrong else ''}"
        f"{', '.join(wrong)}",
    )


@statement("0066")
def two_class_recommendation(
    measured: Measurements,
    *,
    recommended: list[str] = [
        "GMean, two classes",
        "mPrecision, two classes",
        "mAURPC, two classes",
    ],
    replaced: list[str] = ["Precision, two classes", "AURPC, two classes"],
) -> Finding:
    """Judge whether the recommended indices meet Condition 1 and those that they replace do not."""
    meeting = [name for name in [*recommended, *replaced] if is_met(measured, name, "1")]
    parts = {f"{name} meets Condition 1": name in meeting for name in recommended}
    parts |= {f"{name} violates Condition 1": name not in meeting for name in replaced}
    return conjunction(parts, f"meeting Condition 1: {'; '.join(meeting)}")
