"""Write the pages."""

from collections.abc import Iterable
from pathlib import Path

from opchar_reproduction.jobs.showing.assembly import assemble
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.project.plan import Plan


def run(
    *,
    planned: Config,
    ledger: Path,
    provenance: Iterable[Path],
    explored: Path,
    output: Path,
    **beside: Iterable[Path],
) -> list[Path]:
    """Write the pages of a run beside its ledger, and return them.

    `beside`: what the pages show besides, which stands where the plan of the run says.
    """
    plan, profile = Plan(planned), planned.profile
    assemble(plan, profile, ledger=ledger, provenance=provenance, explored=explored)
    others = {Path(file) for file in plan.ledger_files(profile)}
    return [path for path in output.parent.rglob("*") if path.is_file() and path not in others]
