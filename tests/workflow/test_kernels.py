"""The tiny profile on one core, and under other kernels than those of this processor.

With AVX-512 hidden from the C library besides the kernels of jobs, as on a processor without it,
all bytes must be the same. Kernels without AVX2 and FMA add and multiply in another order: last
digits may differ, no verdict may.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT, Project, copied
from opchar.pipeline.runs.kernels import PINNED_KERNELS, caution
from outcome import differing, ledger

pytestmark = [pytest.mark.workflow, pytest.mark.check]
elsewhere = pytest.mark.skipif(bool(caution()), reason="needs an x86-64 Linux with AVX2 and FMA")

NO_AVX512 = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-AVX512ER,-AVX512PF"
HIDDEN = PINNED_KERNELS | {"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={NO_AVX512}"}
OLDER = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": f"X86_V3 {PINNED_KERNELS['NPY_DISABLE_CPU_FEATURES']}",
    "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={NO_AVX512},-AVX2,-FMA",
}
OF_NUMBERS = (
    *("tests/property/test_ties.py", "tests/property/test_ties_of_searches.py"),
    *("tests/property/test_sample_weights.py", "tests/property/test_reject_exact.py"),
    *("tests/unit/spaces/test_envelopes.py", "tests/unit/statistics"),
)


def made_under(kernels: dict[str, str], cores: str, folder: Path) -> Project:
    """Return a copy of the project, made by jobs with some kernels where they can be chosen."""
    project = copied(folder)
    project.edit(
        "src/opchar/pipeline/runs/kernels.py",
        "def pinned_kernels(",
        f"PINNED_KERNELS = {kernels!r}\n\n\ndef pinned_kernels(",
    )
    words = ("run", "--profile", "tiny", "--policy", "offline", "--cores", cores)
    done = project.opchar(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return project


def test_one_core_without_avx512_makes_the_same_bytes_as_two_with(
    made: Project, tmp_path: Path
) -> None:
    assert differing(made_under(HIDDEN, "1", tmp_path / "alone"), made) == []


@elsewhere
def test_no_verdict_is_another_under_older_kernels(made: Project, tmp_path: Path) -> None:
    older = made_under(OLDER, "2", tmp_path / "older")
    verdicts, expected = (
        {line["id"]: line["verdict"] for line in ledger(project)} for project in (older, made)
    )
    assert verdicts == expected


@elsewhere
def test_numbers_are_right_under_older_kernels() -> None:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OF_NUMBERS]
    done = subprocess.run(command, cwd=ROOT, env=ours | OLDER, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
