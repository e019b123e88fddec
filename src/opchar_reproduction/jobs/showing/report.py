"""Write the pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from opchar_reproduction.jobs.showing.assembly import assemble

if TYPE_CHECKING:
    from opchar_reproduction.project.plan import Plan


def run(
    plan: Plan,
    profile: str,
    *,
    ledger: Path,
    provenance: Iterable[Path],
    explored: Path,
) -> None:
    """Write the pages of a run beside its ledger."""
    assemble(
        plan,
        profile,
        ledger=ledger,
        provenance=provenance,
        explored=explored,
    )
