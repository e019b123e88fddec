"""CPU seconds of what people ask most often of the quick profile: each should stay under five.

Planning is measured beside an import of Snakemake in the same run, since machines differ.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OPCHAR = ("-m", "opchar.cli")
ASKED = {
    "import snakemake": ("-c", "import snakemake.cli"),
    "opchar run -n": (*OPCHAR, "run", "-n"),
    "opchar run -n landgrebe2007/table-2.3": (*OPCHAR, "run", "-n", "landgrebe2007/table-2.3"),
    "opchar status": (*OPCHAR, "status"),
    "opchar verify": (*OPCHAR, "verify"),
}


def seconds(words: tuple[str, ...]) -> float:
    """Return the CPU seconds of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each command: the lowest of three runs, and its ratio to the import."""
    least = {name: min(seconds(words) for _ in range(3)) for name, words in ASKED.items()}
    unit = least["import snakemake"]
    for name, value in least.items():
        print(f"{name:40} {value:6.2f} s  {value / unit:5.1f} times the import")


if __name__ == "__main__":
    main()
