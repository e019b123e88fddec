"""A figure drawn by its job alone is what a run makes, and the run knows it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from checkout import Project, at

pytestmark = pytest.mark.workflow

RUN = ("--profile", "tiny", "--policy", "offline")
ADDRESS = "landgrebe2007/figure-2.5"
STEM = "results/tiny/landgrebe2007/p-roc/figure-2.5"
RECORD = "results/tiny/made/landgrebe2007/p-roc.json"
DRAW = "src/opchar_reproduction/publications/landgrebe2007/chapter2/precision_recall/draw.py"


@pytest.fixture(scope="module")
def made(made: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy of its own: of a drawing, Snakemake keeps no digests of what it was made from."""
    own = tmp_path_factory.mktemp("drawn") / "project"
    shutil.copytree(made.folder, own, symlinks=True)
    return at(own)


def test_drawn_files_are_those_of_a_run_and_are_not_made_again(made: Project) -> None:
    files = [made.folder / f"{STEM}.{form}" for form in ("svg", "pdf", "png")]
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


@pytest.mark.check
def test_a_table_laid_out_again_is_that_of_the_run(made: Project) -> None:
    address = "tharwat2018/eq-accuracy"
    patterns = (
        "results/tiny/tharwat2018/formulas/*.*",
        "results/tiny/made/tharwat2018/formulas.json",
    )
    before = made.bytes_of(*patterns)
    assert "results/tiny/tharwat2018/formulas/eq-accuracy.tex" in before
    drawn = made.opchar("draw", address, *RUN)
    assert drawn.returncode == 0, drawn.stderr
    assert made.bytes_of(*patterns) == before
    assert made.opchar("run", address, *RUN, "-n").stdout.startswith("nothing")


@pytest.mark.check
@pytest.mark.parametrize(
    ("address", "patterns", "target"),
    [
        (
            "landgrebe2007-2.3",
            ("results/tiny/report/**/*.*", "results/tiny/made/report/*.json"),
            "results/tiny/report/landgrebe2007-2.3.html",
        ),
        (
            "tharwat2018:0291",
            ("results/tiny/statements/*.csv", "results/tiny/made/statements/*.json"),
            "results/tiny/statements/tharwat2018.csv",
        ),
    ],
)
def test_pages_and_claims_made_again_are_those_of_the_run(
    made: Project, address: str, patterns: tuple[str, ...], target: str
) -> None:
    before = made.bytes_of(*patterns)
    file = made.folder / target
    file.write_bytes(file.read_bytes()[:-1])
    drawn = made.opchar("draw", address, *RUN)
    assert drawn.returncode == 0, drawn.stderr
    assert target in drawn.stdout.splitlines()
    assert made.bytes_of(*patterns) == before
    planned = made.opchar("run", *RUN, "-n")
    assert planned.stdout.startswith("nothing"), planned.stdout
    assert made.look("verify", *RUN).returncode == 0


@pytest.mark.check
def test_a_claim_is_judged_by_the_present_code_and_its_verdict_is_said(made: Project) -> None:
    claim, file = "tharwat2018:0291", made.folder / "results/tiny/statements/tharwat2018.csv"
    before = file.read_bytes()
    judging = "src/opchar_reproduction/publications/tharwat2018/identities/judge.py"
    undo = made.edit(judging, 'form = (table["TPR"] *', 'form = 1 + (table["TPR"] *')
    try:
        drawn = made.opchar("draw", claim, *RUN)
        assert drawn.returncode == 0, drawn.stderr
        assert drawn.stdout.splitlines()[0] == f"{claim} fails: largest gap 1 over 2401 matrices"
        target = file.relative_to(made.folder).as_posix()
        assert made.opchar("run", target, *RUN, "-n").stdout.startswith("nothing")
        planned = made.opchar("run", *RUN, "-n").stdout
        assert "compare with print" in planned and "judge statements" not in planned, planned
    finally:
        undo()
        drawn = made.opchar("draw", claim, *RUN)
    assert drawn.stdout.splitlines()[0].startswith(f"{claim} holds: ")
    assert file.read_bytes() == before


@pytest.fixture
def watching(made: Project, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """Let a process draw whenever a file of an artefact changes, until the test ends."""
    address = getattr(request, "param", ADDRESS)
    words = [sys.executable, "-m", "opchar.cli", "draw", address, *RUN, "--watch"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(words, cwd=made.folder, env=made.environment, **streams) as process:
        yield process
        process.terminate()


@pytest.mark.check
def test_what_is_drawn_while_one_edits_is_what_a_run_makes(
    made: Project, watching: subprocess.Popen[str]
) -> None:
    assert watching.stdout is not None
    said = iter(watching.stdout)
    patterns = (f"{STEM}.*", RECORD)
    forms = [f"{STEM}.{form}\n" for form in ("svg", "pdf", "png")]
    code = made.folder / DRAW
    text = code.read_text(encoding="utf-8")
    assert [next(said) for _ in forms] == forms
    before = made.bytes_of(*patterns)
    try:
        code.write_text(text.replace("def ", "def (", 1), encoding="utf-8")
        assert "draw.py" in next(said)
        code.write_text(text.replace("#777777", "#717171", 1), encoding="utf-8")
        lines = [next(said)]
        while lines[-1] != forms[-1]:
            lines.append(next(said))
        assert lines[-3:] == forms
        drawn = made.bytes_of(*patterns)
        planned = made.opchar("run", ADDRESS, *RUN, "-n")
        assert planned.stdout.startswith("nothing"), planned.stdout
        for name in drawn:
            (made.folder / name).unlink()
        assert made.opchar("run", ADDRESS, *RUN).returncode == 0
        assert made.bytes_of(*patterns) == drawn
        assert all(drawn[name] != content for name, content in before.items() if ".p" not in name)
    finally:
        code.write_text(text, encoding="utf-8")
    assert [next(said) for _ in forms] == forms
    assert made.bytes_of(*patterns) == before


@pytest.mark.parametrize("watching", ["tharwat2018"], indirect=True)
def test_a_page_is_there_before_the_others_and_again_after_an_edit(
    made: Project, watching: subprocess.Popen[str]
) -> None:
    """An edit while the other pages are written does not wait for them."""
    assert watching.stdout is not None
    page = "results/tiny/report/tharwat2018.html"
    first, last = (made.folder / f"results/tiny/report/{n}" for n in ("tharwat2018.html", "z.html"))
    assert watching.stdout.readline() == f"{page}\n"
    last.touch()  # no page of the report, so that it goes when all others are written
    undo = made.edit(
        "src/opchar_reproduction/report/templates/paper.html", "</h1>", " as edited</h1>"
    )
    try:
        assert watching.stdout.readline() == f"{page}\n"
        assert " as edited</h1>" in first.read_text(encoding="utf-8")
        assert last.exists()
    finally:
        undo()
    assert watching.stdout.readline() == f"{page}\n"
    assert " as edited</h1>" not in first.read_text(encoding="utf-8")


def test_what_is_not_there_is_one_line(made: Project) -> None:
    drawn = made.opchar("draw", "landgrebe2007/figure-2.55", *RUN)
    assert drawn.returncode == 1
    assert drawn.stderr.startswith("opchar: no figure, table, judged claim or made page '")
    missing = made.opchar("draw", ADDRESS, "--profile", "paper", "--policy", "offline")
    assert missing.returncode == 1
    assert f"'opchar run {ADDRESS}' makes it" in missing.stderr
    page = made.opchar("draw", "landgrebe2007", "--profile", "paper", "--policy", "offline")
    assert "'opchar run report' makes it" in page.stderr
