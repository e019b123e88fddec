"""What has to be made again although Snakemake cannot see it.

The rules that fetch data and write pages make files that no rule can list beforehand. Each of them
therefore reads a small file under ``.opchar/again/`` that is written when the job has to run again:
because one of its files is gone, or because a real data set can be had that could not be before.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from opchar.datasets.sources.fetching import outdated
from opchar.files import write_text
from opchar.pipeline import records
from opchar.pipeline.plan import Plan

ORDERS = Path(".opchar/again")


def orders(plan: Plan, profile: str, mirrors: list[str]) -> None:
    """Write the orders of a run.

    Parameters
    ----------
    plan : Plan
    profile : str
        Whose results.
    mirrors : list of str
        Where data may come from.
    """
    settings = plan.config.settings
    for name in sorted({plan.origin(dataset) for dataset in plan.config.datasets}):
        provenance = Path(plan.raw(name))
        reason = outdated(
            name,
            plan.config.datasets[name],
            policy=settings["policy"],
            mirrors=mirrors,
            user_folders=settings["folders"],
            folder=provenance.parent,
        )
        _order(ORDERS / "raw" / name, reason, provenance)
    index = Path(plan.targets(profile, "report")[0])
    _order(ORDERS / profile / "report", _gone(index), index)


def _gone(first: Path) -> str:
    """Return which file of a job's record is missing, if its first output is there."""
    record = records.read(records.place_of(first)) if first.exists() else None
    missing = [file for file in record.files if not Path(file).exists()] if record else []
    return f"missing: {missing[0]}" if missing else ""


def _order(place: Path, reason: str, output: Path) -> None:
    """Order a job again for a reason; without one withdraw an order that is not done yet."""
    made = output.stat().st_mtime_ns if output.exists() else 0
    ordered = place.stat().st_mtime_ns if place.exists() else None
    if reason and made and (ordered is None or ordered <= made):
        write_text(f"{reason}\n{time.time_ns()}\n", place)
    elif ordered is None or (not reason and made and ordered > made):
        write_text("", place)
        os.utime(place, (0, 0))
