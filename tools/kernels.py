"""Make the tiny profile and run tests of numbers under other kernels than those of this processor.

    python tools/kernels.py [--only hidden older tests] [--cores 2]

`hidden`: with the kernels of jobs, AVX-512 hidden from the C library besides, as on a processor
without it: all bytes must be the same. `older`: with kernels without AVX2 and FMA, which add and
multiply in another order: last digits may differ, no verdict may. `tests`: those of numbers, under
the older kernels. Needs a Linux on x86-64; exits 1 when anything is wrong.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "src"))

from checkout import Project, copied  # noqa: E402
from opchar.pipeline.runs.kernels import PINNED_KERNELS, caution  # noqa: E402
from soak.runs.small import made  # noqa: E402

NO_AVX512 = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-AVX512ER,-AVX512PF"
HIDDEN = PINNED_KERNELS | {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={NO_AVX512}"}
OLDER = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": f"X86_V3 {PINNED_KERNELS['NPY_DISABLE_CPU_FEATURES']}",
    "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={NO_AVX512},-AVX2,-FMA",
}
TESTS = (
    *("tests/property/test_ties.py", "tests/property/test_ties_of_searches.py"),
    *("tests/property/test_sample_weights.py", "tests/property/test_reject_exact.py"),
    *("tests/unit/spaces/test_envelopes.py", "tests/unit/statistics"),
)
LEDGER = "results/tiny/report/ledger.csv"


def tiny(folder: Path, kernels: dict[str, str], cores: int) -> dict[str, bytes]:
    """Return what a copy of the project makes whose jobs have some kernels, by path."""
    project: Project = copied(folder)
    project.edit(
        "src/opchar/pipeline/runs/kernels.py",
        "def pinned_kernels(",
        f"PINNED_KERNELS = {kernels!r}\n\n\ndef pinned_kernels(",
    )
    words = ("run", "--profile", "tiny", "--policy", "offline", "--cores", str(cores))
    end = project.opchar(*words)
    if end.returncode:
        raise SystemExit(f"a run under {kernels} failed: {end.stderr[-600:]}")
    return made(folder)


def verdicts(files: dict[str, bytes]) -> dict[str, str]:
    """Return the verdict of each published line."""
    lines = csv.DictReader(StringIO(files[LEDGER].decode()))
    return {line["id"]: line["verdict"] for line in lines}


def compared(title: str, ours: dict[str, bytes], theirs: dict[str, bytes]) -> list[str]:
    """Say what differs; return the names of files that do."""
    names = sorted(ours.keys() | theirs.keys())
    differing = [name for name in names if ours.get(name) != theirs.get(name)]
    print(f"{title}: {len(differing)} of {len(names)} files differ", flush=True)
    return differing


def tested(cores: int) -> int:
    """Run the tests of numbers under the older kernels; return how they ended."""
    words = [sys.executable, "-m", "pytest", "-q", "-n", str(cores), *TESTS]
    return subprocess.run(words, cwd=ROOT, env=os.environ | OLDER).returncode


def main() -> int:
    """Make what is asked for under other kernels, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    trials = ("hidden", "older", "tests")
    parser.add_argument("--only", nargs="+", choices=trials, default=trials)
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args()
    if said := caution():
        print(said)
        return 0
    wrong: list[str] = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        if {"hidden", "older"} & {*arguments.only}:
            ours = tiny(folder / "jobs", PINNED_KERNELS, arguments.cores)
        if "hidden" in arguments.only:
            theirs = tiny(folder / "hidden", HIDDEN, arguments.cores)
            wrong += compared("AVX-512 hidden", ours, theirs)
        if "older" in arguments.only:
            theirs = tiny(folder / "older", OLDER, arguments.cores)
            compared("older kernels", ours, theirs)
            mine, other = verdicts(ours), verdicts(theirs)
            wrong += [f"verdict of {line}" for line in mine if mine[line] != other.get(line)]
    if "tests" in arguments.only and tested(arguments.cores):
        wrong.append("tests under the older kernels")
    print("\n".join(wrong[:20]) or "nothing wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
