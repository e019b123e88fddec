"""A figure drawn by its job alone is what a run makes, and the run knows it."""

from __future__ import annotations

import re

import pytest

from checkout import Project

pytestmark = pytest.mark.workflow

RUN = ("--profile", "tiny", "--policy", "offline")
ADDRESS = "landgrebe2007/figure-2.5"
DRAW = "src/opchar_reproduction/publications/landgrebe2007/chapter2/precision_recall/draw.py"


def test_drawn_files_are_those_of_a_run_and_are_not_made_again(made: Project) -> None:
    files = [made.folder / f"results/tiny/{ADDRESS}.{form}" for form in ("svg", "pdf", "png")]
    before = [file.read_bytes() for file in files]
    code = made.folder / DRAW
    text = code.read_text(encoding="utf-8")
    code.write_text(re.sub("#777777", "#717171", text, count=1), encoding="utf-8")
    try:
        drawn = made.opchar("draw", ADDRESS, *RUN)
        assert drawn.returncode == 0, drawn.stderr
        assert files[0].read_bytes() != before[0]
        planned = made.opchar("run", ADDRESS, *RUN, "-n")
        assert planned.stdout.startswith("nothing"), planned.stdout
        assert made.look("verify", *RUN).returncode == 0
    finally:
        code.write_text(text, encoding="utf-8")
        assert made.opchar("draw", ADDRESS, *RUN).returncode == 0
    assert [file.read_bytes() for file in files] == before


def test_what_is_not_there_is_one_line(made: Project) -> None:
    drawn = made.look("draw", "landgrebe2007/figure-2.55", *RUN)
    assert drawn.returncode == 1
    assert drawn.stderr.startswith("opchar: no figure or table 'landgrebe2007/figure-2.55'")
    missing = made.look("draw", ADDRESS, "--profile", "paper", "--policy", "offline")
    assert missing.returncode == 1
    assert f"'opchar run {ADDRESS}' makes it" in missing.stderr
