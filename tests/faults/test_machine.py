"""What machine and place do to a command: one line, and what was there stays."""

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT
from opchar import cli
from opchar.errors import of_the_machine
from opchar.files import write_text
from opchar_reproduction.commands import runs
from opchar_reproduction.jobs.commands import main as job
from opchar_reproduction.project.configuration.config import load, write_resolved
from opchar_reproduction.runs.running import complaint

FULL = OSError(errno.ENOSPC, "No space left on device", "results/x.csv")
READ_ONLY = OSError(errno.EROFS, "Read-only file system", "results")


@pytest.mark.parametrize("error", [FULL, READ_ONLY, MemoryError()])
def test_a_command_says_in_one_line_what_the_machine_lacks(monkeypatch, capsys, error) -> None:
    def fails(*_: object) -> int:
        raise error

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(runs, "project_plan", fails)
    assert cli.main(["list"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said == [f"opchar: {of_the_machine(error)}"]


def test_an_error_of_the_program_shows_where_it_is(monkeypatch) -> None:
    def fails(*_: object) -> int:
        raise FileNotFoundError(errno.ENOENT, "No such file", "x")

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(runs, "project_plan", fails)
    with pytest.raises(FileNotFoundError):
        cli.main(["list"])


def test_a_job_says_so_too(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "in-the-way").write_text("kept")
    output = tmp_path / "in-the-way/PROVENANCE.json"
    given = json.dumps({"name": "banana-3", "entry": {}})
    planned = str(write_resolved(load(".", {"policy": "offline"}), tmp_path))
    words = ["--given", given, "--planned", planned, "--provenance", str(output)]
    assert job(["fetch", *words]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("opchar: ") and "in-the-way" in said
    assert (tmp_path / "in-the-way").read_text() == "kept"


def test_a_write_without_room_leaves_what_was_there(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "x.csv"
    write_text("before", path)

    def full(*_: object, **__: object) -> None:
        raise FULL

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_text("after", path)
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["x.csv"]


def test_a_file_that_cannot_be_replaced_keeps_its_bytes(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "x.csv"
    write_text("before", path)

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError):
        write_text("after", path)
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "NotADirectoryError: [Errno 20] Not a directory: 'data/raw/x'",
            "opchar: data/raw/x: Not a directory; nothing is lost, mend this and run again",
        ),
        (
            "OSError: [Errno 28] No space left on device",
            "opchar: No space left on device; nothing is lost, mend this and run again",
        ),
    ],
)
def test_what_snakemake_says_of_the_machine_is_one_line(line: str, said: str) -> None:
    traceback = ["Traceback (most recent call last):", '  File "x.py", line 1, in y', line]
    assert complaint(traceback) == [said]
    assert complaint(["WorkflowError:"], [("WorkflowError", f"Failed.\n{line}")]) == [said]
    assert complaint(["KeyError: 'a'"]) == ["KeyError: 'a'"]


SCORES = "y,s\n" + "".join(f"{n % 2},{n % 7 + n % 2}\n" for n in range(40))


def test_a_stream_that_is_closed_takes_what_is_said_and_no_file(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(SCORES)
    words = f"{sys.executable} -m opchar.cli analyse s.csv --resamples 50"
    for closed in ("2>&-", "<&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{words} {closed}"], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout
        assert "threshold" in done.stdout


ENDED = """
import os, signal, sys
from opchar.analysis import writing
from opchar.cli import main
told = getattr(signal, sys.argv.pop())
if signal.getsignal(told) == signal.SIG_IGN:  # as nohup and shells in the background leave it
    signal.signal(told, signal.default_int_handler if told == signal.SIGINT else signal.SIG_DFL)
writing.write_text = lambda *_: os.kill(os.getpid(), told)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("signal", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_command_that_is_told_to_end_leaves_nothing_half_written(
    tmp_path: Path, signal: str
) -> None:
    (tmp_path / "s.csv").write_text(SCORES)
    words = ["analyse", "s.csv", "--resamples", "50", signal]
    done = subprocess.run(
        [sys.executable, "-c", ENDED, *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "opchar: stopped"
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]
