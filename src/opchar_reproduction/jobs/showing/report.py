"""Write the pages."""

from collections.abc import Iterable
from pathlib import Path

from opchar_reproduction.jobs.showing.assembly import gather
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.report.pages.writing import write


def run(
    *,
    planned: Config,
    ledger: Path,
    provenance: Iterable[Path],
    explored: Path,
    output: Path,
    first: str = "",
    **beside: Iterable[Path],
) -> list[Path]:
    """Write the pages of a run beside its ledger, and return them.

    `first`: the page that is written, and named on standard output, before all others.
    `beside`: what the pages show besides, which stands where the plan of the run says.
    """
    plan, profile = Plan(planned), planned.profile
    write(ledger.parent, gather(plan, profile, ledger, provenance, explored), first)
    others = {Path(file) for file in plan.ledger_files(profile)}
    return [path for path in output.parent.rglob("*") if path.is_file() and path not in others]
