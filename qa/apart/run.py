"""The harness apart: written from README and docs alone, without a look at the source.

`python qa/apart/run.py --seed 1 --cases 200` draws its cases and recomputes every number by
fractions, brute force or another library. It prints what it finds, and ends with status 1 on a
finding. A case is named by its seed, part and number, and can be drawn again alone.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

PARTS = ("library", "files", "tables")


def main() -> int:
    """Run the parts that are asked for, and return the status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn; 1 if not given")
    parser.add_argument("--cases", type=int, default=200, help="of each check")
    parser.add_argument(
        "--parts", default=",".join(PARTS), help="with commas between; all if not given"
    )
    asked = parser.parse_args()
    if unknown := set(asked.parts.split(",")) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    warnings.simplefilter("ignore")
    import files
    import library
    import tables
    from common import Report

    report = Report(asked.seed)
    runs = {"library": library.run, "files": files.run, "tables": tables.run}
    for part in asked.parts.split(","):
        began = time.monotonic()
        runs[part](report, asked.cases)
        print(f"{part}: {time.monotonic() - began:.0f} s", flush=True)
    for part, cases in report.cases.items():
        found = sum(f"/{part}/" in line for line in report.findings)
        print(f"{part}: {cases} cases, {found} findings")
    return int(bool(report.findings))


if __name__ == "__main__":
    sys.exit(main())
