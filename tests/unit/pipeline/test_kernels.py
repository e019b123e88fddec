"""Jobs use one kernel on all processors that have it, and their own on others."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from opchar_reproduction.project.environment import job_environment
from opchar_reproduction.project.kernels import NEEDED, PINNED_KERNELS, caution, pinned_kernels

ASK = """
import json, threadpoolctl, numpy, scipy.linalg
found = numpy._core._multiarray_umath.__cpu_features__
pools = [each["architecture"] for each in threadpoolctl.threadpool_info() if "architecture" in each]
values = numpy.exp(numpy.linspace(-3, 3, 999)) @ numpy.ones((999, 7))
print(json.dumps({"above": [name for name in NAMES if found.get(name)], "pools": pools,
                  "bytes": values.tobytes().hex()}))
"""


def listed(folder: Path, flags: set[str]) -> Path:
    path = folder / "cpuinfo"
    path.write_text(f"processor\t: 0\nflags\t\t: fpu {' '.join(sorted(flags))}\n", encoding="utf-8")
    return path


def test_a_processor_without_them_keeps_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert pinned_kernels(listed(tmp_path, NEEDED | {"avx512f"})) == PINNED_KERNELS
    assert pinned_kernels(listed(tmp_path, NEEDED - {"fma"})) == {}
    assert pinned_kernels(tmp_path / "none") == {}
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert pinned_kernels(listed(tmp_path, NEEDED)) == {}


def test_a_person_is_told_where_kernels_cannot_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = pinned_kernels()
    assert (caution() is None) == bool(chosen)
    assert chosen.items() <= job_environment({"OPENBLAS_CORETYPE": "Prescott"}).items()
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert "last digits" in (caution() or "")
    assert not PINNED_KERNELS.keys() & job_environment({}).keys()


@pytest.mark.skipif(not pinned_kernels(), reason="this processor has no AVX2 that Linux tells of")
def test_numpy_and_scipy_do_as_they_are_told() -> None:
    names = PINNED_KERNELS["NPY_DISABLE_CPU_FEATURES"].split()
    clean = {name: value for name, value in os.environ.items() if name not in PINNED_KERNELS}
    said = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"NAMES = {names}{ASK}"],
        env=clean | pinned_kernels(),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(said.stdout)
    assert not found["above"]
    assert set(found["pools"]) <= {"Haswell"}
