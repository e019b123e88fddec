"""The lines of an artefact under its most likely variant, and the verdicts that follow."""

import math
from collections.abc import Mapping
from typing import Any

from opchar_reproduction.report.comparison.verdicts import LIMIT, Verdict
from opchar_reproduction.report.variant_tables import LEFT_OUT, NO, YES

Line = Mapping[Any, Any]
WHETHER = {
    YES: "which explains the artefact",
    NO: "which does not explain the whole artefact",
    LEFT_OUT: "which leaves out its block as the print of another run",
}


def otherwise(verdict: Verdict, cell: Line | None) -> Verdict:
    """Return the verdict of a line, given its cell under the most likely variant.

    Returned: ``agrees otherwise`` if the line differs, and the one other variant that explains the
    whole artefact gives ``|z| <= 2`` here.
    """
    if cell is None or verdict.verdict not in ("differs", "fails"):
        return verdict
    named = f"the variant '{cell['variant']}'"
    if verdict.verdict == "fails":
        if cell["passes"] != YES or cell["holds"] != "holds":
            return verdict
        why = f"holds under {named}: {cell['evidence']}"
        return verdict._replace(verdict="holds otherwise", reason=join_filled(why, verdict.reason))
    if cell["is_primary"]:
        return verdict
    near = abs(float(cell["z"])) <= LIMIT + 1e-9
    if near and cell["passes"] == YES:
        why = f"agrees under {named}: {float(cell['value']):.4g}"
        return verdict._replace(verdict="agrees otherwise", reason=join_filled(why, verdict.reason))
    where = "within" if near else "not within"
    why = (
        f"{where} two standard errors under {named}, the most likely one, {WHETHER[cell['passes']]}"
    )
    return verdict._replace(reason=join_filled(verdict.reason, why))


def under_variant(cell: Line | None) -> dict[str, str]:
    """Return the columns of a ledger line on the variants of its artefact."""
    if cell is None:
        return {}
    value = float(cell["value"])
    return {
        "variant_passes": str(cell["passes"]),
        "variants": str(int(cell["variants"])),
        "variant": str(cell["variant"]),
        "variant_value": "" if math.isnan(value) else repr(value).removesuffix(".0"),
        "variant_z": digits(float(cell["z"])),
    }


def digits(value: float) -> str:
    """Return a number to four digits; empty for NaN."""
    return "" if math.isnan(value) else f"{value + 0.0:.4g}"


def join_filled(*parts: object, between: str = "; ") -> str:
    """Join the texts that are not empty."""
    return between.join(str(part) for part in parts if str(part))
