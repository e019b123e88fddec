"""Keep what the jobs of a whole run took, so that a first run elsewhere can tell its time.

    python tools/usual.py FOLDER PROFILE

FOLDER is a project in which a whole run of PROFILE has ended on an idle machine: the seconds from
start to end count. Jobs that this run did not make keep what is known of them.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path

from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs.progress import SHIPPED

FIELDS = ("profile", "job", "seconds")


def main() -> int:
    """Read the times of one profile, and write them beside those of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("profile")
    given = parser.parse_args()
    kept = json.loads((given.folder / ".opchar/timings.json").read_text(encoding="utf-8"))
    took = kept.get(given.profile, {})
    plan = Plan(load(given.folder, {"profile": given.profile}))
    with SHIPPED.open(newline="", encoding="utf-8") as lines:
        before = list(csv.DictReader(lines))
    rows = [row for row in before if row["profile"] != given.profile]
    kept = {row["job"]: row["seconds"] for row in before if row["profile"] == given.profile}
    for job in (task.job_name for task in Tasks(plan).of_profile(given.profile)):
        said = f"{float(f'{took[job]:.2g}'):g}" if took.get(job) else kept.get(job)
        if said is not None:
            rows.append({"profile": given.profile, "job": job, "seconds": said})
    rows.sort(key=lambda row: (row["profile"], row["job"]))
    with SHIPPED.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{SHIPPED.name}: {len(rows)} jobs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
