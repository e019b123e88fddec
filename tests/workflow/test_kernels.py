"""The tiny profile under older kernels than those of this processor.

Kernels without AVX2 and FMA add and multiply in another order: last digits may differ, no verdict
may.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT, Project, copied
from opchar_reproduction.project.kernels import PINNED_KERNELS, caution
from outcome import NO_AVX512, ledger, with_kernels

pytestmark = [pytest.mark.workflow, pytest.mark.check]
elsewhere = pytest.mark.skipif(bool(caution()), reason="needs an x86-64 Linux with AVX2 and FMA")

OLDER = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": f"X86_V3 {PINNED_KERNELS['NPY_DISABLE_CPU_FEATURES']}",
    "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={NO_AVX512},-AVX2,-FMA",
}
OF_NUMBERS = (
    *("tests/property/test_ties.py", "tests/property/test_sample_weights.py"),
    *("tests/unit/spaces/test_envelopes.py", "tests/unit/statistics/test_calibration.py"),
    *("tests/unit/statistics/test_variance.py", "tests/unit/statistics/test_holdouts.py"),
)


@elsewhere
@pytest.mark.parametrize(
    "without",
    [
        ("tharwat2018", "soleymani2018", "mullick2020", "landgrebe2007"),
        pytest.param((), marks=pytest.mark.slow),
    ],
    ids=["a work", "all works"],
)
def test_no_verdict_is_another_under_older_kernels(
    made: Project, tmp_path: Path, without: tuple[str, ...]
) -> None:
    """Of one work in the check; all take most of the time of a whole run."""
    older = with_kernels(copied(tmp_path / "older"), OLDER)
    for work in without:
        older.edit("config/config.yaml", f"  - {work}\n", "")
    words = ("--profile", "tiny", "--policy", "offline", "--cores", "2")
    done = older.opchar("run", "results/tiny/report/ledger.csv", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts, expected = (
        {line["id"]: line["verdict"] for line in ledger(p) if line["paper"] not in without}
        for p in (older, made)
    )
    assert len(verdicts) > 80
    assert verdicts == expected


@elsewhere
def test_numbers_are_right_under_older_kernels() -> None:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OF_NUMBERS]
    done = subprocess.run(command, cwd=ROOT, env=ours | OLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
