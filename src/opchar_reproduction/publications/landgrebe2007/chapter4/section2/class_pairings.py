"""Ways to pair up classes (Sec. 4.2.5)."""

from opchar.multiclass.pairings import count_pairings, pairings
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


@study("costs-class-pairings", kind="costs", basis="exact")
def class_pairings(
    *, classes: list[int] = [6, 7, 8, 12], listed: int = 6, enumerated: int = 8
) -> Results:
    """Count and list the ways to pair up classes (4.2.5).

    `listed`: The number of classes whose pairings Eq. 4.16 lists.
    `enumerated`: Up to this number of classes the formula is compared with a list of all pairings.
    """
    results = Results()
    for c in classes:
        note = "one class set aside: the number for C - 1" if c % 2 else "(C-1)(C-3)...1"
        results.number("eq-4.14", f"C={c}", "N_PC", count_pairings(c), unit="count", note=note)
        if c <= enumerated:
            paired = list(range(c - c % 2))
            distinct = {frozenset(map(frozenset, pairing)) for pairing in pairings(paired)}
            results.number("eq-4.14", f"C={c}", "listed", len(distinct), unit="count")
    for row, pairing in enumerate(pairings(list(range(1, listed + 1))), start=1):
        for column, (first, second) in enumerate(pairing, start=1):
            results.text("eq-4.16", f"pairing {row}", f"pair {column}", f"({first}, {second})")
    return results
