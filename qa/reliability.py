"""Enter in `qa/reliability.md` what `qa/soak.py` has measured; what people wrote there stays.

Rows of the table of faults are replaced by the name of the fault, and new ones are added, as are
trials that went wrong. The share of mutants killed is printed for its section.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOAK = ROOT / "build/soak"
PAGE = ROOT / "qa/reliability.md"
RULE = "| --- | --- | --- | --- |\n"
TOTAL = re.compile(r"^\d+ trials, on .*\n", re.MULTILINE)
WRONG = "## What went wrong\n\n"


def entered(page: str, rows: list[dict[str, Any]]) -> str:
    """Return the page with rows of faults, their total, and what went wrong."""
    start = page.index(RULE) + len(RULE)
    end = page.index("\n\n", start) + 1
    known = {line.split(" | ")[0][2:]: line for line in page[start:end].splitlines()}
    for row in rows:
        said = row["fault"], row["trials"], row["outcome"], len(row["wrong"])
        known[row["fault"]] = f"| {' | '.join(map(str, said))} |"
    total = sum(int(line.split(" | ")[1]) for line in known.values())
    machine = f"{platform.system()} with Python {platform.python_version()}"
    after = TOTAL.sub(f"{total} trials, on {machine}.\n", page[end:], count=1)
    wrong = [f"- {said.splitlines()[0]}\n" for row in rows for said in row["wrong"]]
    if wrong and WRONG not in after:
        after = after.replace("\n## ", f"\n{WRONG}\n## ", 1)
    new = "".join(line for line in wrong if line not in after)
    return page[:start] + "\n".join(known.values()) + "\n" + after.replace(WRONG, WRONG + new, 1)


def main() -> int:
    """Change the page; exit 1 when nothing was measured."""
    rows: list[dict[str, Any]] = []
    for name in ("inputs", "tampering", "kills", "places", "machine"):
        path = SOAK / f"{name}.json"
        if path.is_file():
            rows += json.loads(path.read_text(encoding="utf-8"))
    if not rows:
        print(f"{SOAK}: nothing measured; run qa/soak.py first", file=sys.stderr)
        return 1
    PAGE.write_text(entered(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    if (SOAK / "mutants.json").is_file():
        said = json.loads((SOAK / "mutants.json").read_text(encoding="utf-8"))
        print(f"{said['killed']} of {said['drawn']} mutants killed, of {said['mutants']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
