"""Write qa/reruns.md: what is done again after each kind of change.

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

HEAD = """# What a change does again

Made by `python tools/reruns.py` from dry runs of the profile `tiny`, in which each kind of work has
a figure and a table of each publication. A test makes the same changes and knows beforehand which
jobs can change: no fewer are done again and no more.

A job depends on every module that its code can import, directly or not, and on the data files and
templates beside them (`opchar_reproduction.project.closure`). When in doubt, it is done again. An
import counts wherever it stands: in a function, a condition, a `try`, or as a text that names a
module. Comments
and docstrings do not count. In a study of several files `measure.py`, `judge.py` and `draw.py` do
not import each other: a changed colour redoes figures and a changed criterion the ledger, but no
measurement. A study in one file is done again as a whole. `opchar status` names the file.

| change | done again | the first reason that `opchar status` tells |
| --- | --- | --- |
"""
TAIL = """
The versions of the libraries that a job's code can import, and of those that these require, count.
After an upgrade the results of the job are stale, and `opchar status` names both versions. A
library that a job has imported besides stands in its record and counts, too. What is installed from
a folder, or lies there alone, counts by its text. The version of Python does not count: the hash of
the code is the same under 3.11, 3.12 and 3.13, which a test checks with the interpreters that it
finds.

All models of a data set under a protocol are trained by one job, and stand in one score table. A
model that changes is trained with the others of its table. The models of your own studies stand in
a table of their own. Snakemake itself does not see that one figure in the folder of a study is
gone: `opchar run` does.

Snakemake plans before it runs: in the run that makes a file again it also makes again what hangs on
it. In every later run a newer file with the same bytes makes nothing again
([design](../docs/design.md#the-same-bytes)).
"""


def main() -> None:
    """Run the tiny profile in a copy, make every change and write the page."""
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
    (ROOT / "qa/reruns.md").write_text(HEAD + "".join(rows) + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()
