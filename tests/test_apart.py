"""A sample of the harness that was written from the docs alone, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[1] / "qa/apart/run.py"


@pytest.mark.check
@pytest.mark.parametrize(("part", "cases"), [("library", 12), ("files", 4), ("tables", 4)])
def test_a_sample_of_the_harness_apart_finds_nothing(part: str, cases: int) -> None:
    words = ["--seed", "1", "--cases", str(cases), "--parts", part]
    found = subprocess.run(
        [sys.executable, str(RUN), *words], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
