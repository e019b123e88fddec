"""Run the quick profile offline in a copy of its own, up to the ledger; compare its verdicts.

    python tools/expected.py            # exits 1 if a verdict is worse than expected
    python tools/expected.py --renew    # makes the verdicts of the run the expected ones

The copy has no data, no mirror and no earlier results; what the project itself has made stays as
it is. Expected verdicts are in src/opchar_reproduction/publications/<key>/expected.csv.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXPECTED = "src/opchar_reproduction/publications/*/expected.csv"
LEDGER = "results/quick/report/ledger.csv"


def main() -> int:
    """Run, compare or renew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renew", action="store_true")
    renew = parser.parse_args().renew
    sys.path.insert(0, str(ROOT / "tests"))
    from checkout import copied

    with tempfile.TemporaryDirectory() as folder:
        project = copied(Path(folder) / "project")
        for words in (["run", LEDGER], ["ledger", "--renew" if renew else "--check"]):
            command = [sys.executable, "-m", "opchar.cli", *words]
            done = subprocess.run(
                [*command, "--profile", "quick", "--policy", "offline"],
                cwd=project.folder,
                env=project.environment,
                check=False,
            )
            if done.returncode:
                return done.returncode
        if renew:
            for path in project.folder.glob(EXPECTED):
                shutil.copyfile(path, ROOT / path.relative_to(project.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
