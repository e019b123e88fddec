"""Write the table of qa/reruns.md: what is done again after each kind of change.

Every kind of change is made to a copy of the project in which the tiny profile has been run, and
planned as `opchar run` plans it. Run it from the folder of the project; it takes a few minutes.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from changes import CHANGES, counted, found_by  # noqa: E402
from checkout import copied  # noqa: E402

PAGE = ROOT / "qa/reruns.md"
RULE = "| --- | --- | --- |\n"


def main() -> None:
    """Run the tiny profile in a copy, make every change and write the table of the page."""
    with tempfile.TemporaryDirectory() as folder:
        project = copied(Path(folder) / "project")
        done = project.opchar("run", "--profile", "tiny", "--policy", "offline")
        assert done.returncode == 0, done.stderr
        rows = []
        for change in CHANGES:
            found = found_by(project, change)
            reason = next(iter(found.values()), "")
            rows.append(f"| {change.name} | {counted(found)} | {reason} |\n")
            print(rows[-1], end="", flush=True)
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(RULE)
    tail = rest.partition("\n\n")[2]
    PAGE.write_text(f"{head}{RULE}{''.join(rows)}\n{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
