"""Does the ledger notice a wrong number? Printed numbers changed by a tenth must lose agreement."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

import pandas as pd

from opchar_reproduction.report.comparison.causes import Shown
from opchar_reproduction.report.comparison.ledger import build
from opchar_reproduction.report.comparison.verdicts import last_digit

FACTOR = Decimal("1.1")
STEP = Decimal("0.1")
COLUMNS = ["id", "printed", "mutated", "reproduced", "spread", "verdict", "flipped", "reason"]


def change_number(printed: str) -> str:
    """Return a printed number changed by a tenth; by 0.1 if it is zero.

    The digits of print are kept, so that the changed number could stand there; where a tenth is
    less than one unit of the last of them, it gets as many digits as it needs.
    """
    number = Decimal(printed)
    exact = number * FACTOR if number else number + STEP
    unit = last_digit(number)
    return str(exact if abs(exact - number) < unit else exact.quantize(unit))


def mutate(
    published: pd.DataFrame,
    results: pd.DataFrame,
    errata: pd.DataFrame,
    built: Collection[str],
    statements: pd.DataFrame | None = None,
    variants: Mapping[str, Mapping[str, Any]] | None = None,
    causes: pd.DataFrame | None = None,
    margins: pd.DataFrame | None = None,
    apart: pd.DataFrame | None = None,
    shown: Shown | None = None,
    *,
    size: int,
    seed: int,
) -> pd.DataFrame:
    """Change printed numbers that agree, one at a time, and judge each again."""
    ledger = build(
        published, results, errata, built, statements, variants, causes, margins, apart, shown
    )
    agreeing = (ledger["verdict"] == "agrees") & (ledger["kind"] == "number")
    finite = ~ledger["published"].str.strip().str.lower().isin(["inf", "-inf", "infinity"])
    candidates = ledger[agreeing & finite]
    drawn = candidates.sample(min(size, len(candidates)), random_state=seed).sort_index()
    rows = []
    for index, line in zip(drawn.index, drawn.to_dict("records"), strict=True):
        changed = published.loc[[index]].assign(value=change_number(line["published"]))
        wrong = errata[errata["id"] == line["id"]]
        again = build(changed, results, wrong, built).iloc[0]
        rows.append(
            {
                "id": line["id"],
                "printed": line["published"],
                "mutated": again["published"],
                "reproduced": line["reproduced"],
                "spread": line["spread"],
                "verdict": again["verdict"],
                "flipped": again["verdict"] != "agrees",
                "reason": again["reason"],
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def verdict_of(found: pd.DataFrame) -> list[str]:
    """Say how many changed numbers were noticed, and name each that was not with its reason."""
    rows = [f"{int(found['flipped'].sum())} of {len(found)} numbers changed by a tenth are noticed"]
    for spread, lines in found.groupby("spread", sort=True):
        rows.append(f"  {spread}: {int(lines['flipped'].sum())} of {len(lines)}")
    for line in found[~found["flipped"]].to_dict("records"):
        rows.append(
            f"  not noticed: {line['id']}: {line['printed']} as {line['mutated']}, ours "
            f"{float(line['reproduced']):.6g}: {line['reason']}"
        )
    return rows


def unnoticed_changes(found: pd.DataFrame) -> pd.DataFrame:
    """Return the changed numbers that the ledger should have noticed and did not.

    A number judged by its last digit has no spread to hide in; so it must be noticed, unless ours
    is nearer to the changed number than to print. One with a spread or a tolerance is beyond notice
    when a tenth of it lies within what its rule allows.
    """
    numbers = found[["printed", "mutated", "reproduced"]].astype(float)
    from_print = (numbers["reproduced"] - numbers["printed"]).abs()
    nearer = (numbers["reproduced"] - numbers["mutated"]).abs() < from_print
    return found[~found["flipped"] & (found["spread"] == "last digit") & ~nearer]
