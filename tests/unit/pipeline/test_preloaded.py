"""A server that does small jobs in forks: what a command sees is what it would do itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from opchar.pipeline.jobs.preloaded import LIBRARIES, PYTHON, SERVER
from opchar.pipeline.runs.serving import FEWEST, Server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are served on Linux only")
ENOUGH = {"draw_figure": FEWEST}
# What the jobs of these tests do, by the second word of their command line.
JOBS = """
import os, sys, time
from pathlib import Path
def main(words=None):
    match words[1]:
        case "where":
            print(os.getcwd(), os.environ["TOLD"], sys.argv[1:], os.umask(0))
            return 0
        case "fails":
            raise ValueError("it is like that")
        case "exits":
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), 9)
        case "long":
            Path("begun").write_text(str(os.getpid()))
            time.sleep(60)
"""
COMMANDS = "opchar.pipeline.jobs.commands"
BACKENDS = [f"matplotlib.backends.backend_{name}" for name in ("agg", "svg", "pdf")]
COMMAND = """
import sys
from opchar.pipeline.jobs.preloaded import asked
sys.exit(asked(sys.argv[1:]) or 0)
"""


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose jobs are those of these tests, and which loads no library."""
    code = tmp_path / "code"
    package = code / "opchar_jobs_of_tests.py"
    code.mkdir()
    package.write_text(JOBS)
    (code / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'opchar.pipeline.jobs.preloaded' in sys.orig_argv:\n"
        "    import opchar_jobs_of_tests as jobs\n"
        f"    for name in {[COMMANDS, *LIBRARIES, *BACKENDS]}:\n"
        "        sys.modules[name] = jobs\n"
    )
    here = Path(__file__).resolve().parents[3] / "src"
    monkeypatch.setenv("PYTHONPATH", f"{code}{os.pathsep}{here}")
    monkeypatch.delenv(SERVER, raising=False)
    monkeypatch.chdir(tmp_path)
    server = Server()
    server.expect(ENOUGH)
    yield server
    server.end()


def command(server: Server, *words: str, **more: str) -> subprocess.Popen[str]:
    """Start the command of a job."""
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **server_environment(server), **more},
    )


def server_environment(server: Server) -> dict[str, str]:
    return {SERVER: str(server.folder / "socket"), PYTHON: sys.executable}


def eventually(found: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end
        time.sleep(0.01)


def gone(process: int) -> bool:
    """Whether a process is no more, or waits to be reaped."""
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return True
    return state.rsplit(")", 1)[1].split()[0] == "Z"


def test_a_job_has_the_folder_words_environment_and_files_of_its_command(
    serving: Server, tmp_path: Path
) -> None:
    done = command(serving, "table", "where", TOLD="by the command")
    out, _ = done.communicate()
    assert done.returncode == 0
    told = f"{tmp_path} by the command {['table', 'where']} {os.umask(os.umask(0o022))}"
    assert out == told + "\n"


def test_what_a_job_raises_and_its_status_are_those_of_its_command(serving: Server) -> None:
    failed = command(serving, "table", "fails")
    _, said = failed.communicate()
    assert failed.returncode == 1
    assert said.rstrip().endswith("ValueError: it is like that")
    exits = command(serving, "figure", "exits")
    exits.communicate()
    assert exits.returncode == 3


def test_a_command_dies_as_its_job_does(serving: Server) -> None:
    killed = command(serving, "table", "killed")
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    after = command(serving, "table", "exits")
    after.communicate()
    assert after.returncode == 3, "one job that dies is the end of none but itself"


def test_a_job_dies_when_its_command_does(serving: Server, tmp_path: Path) -> None:
    running = command(serving, "table", "long")
    begun = tmp_path / "begun"
    eventually(lambda: begun.is_file() and begun.read_text())
    running.kill()
    running.communicate()
    eventually(lambda: gone(int(begun.read_text())))


def test_jobs_that_run_outlive_the_server(serving: Server, tmp_path: Path) -> None:
    running = command(serving, "table", "long")
    begun = tmp_path / "begun"
    eventually(lambda: begun.is_file() and begun.read_text())
    serving.end()
    assert running.poll() is None
    assert not gone(int(begun.read_text()))
    running.kill()
    running.communicate()
    eventually(lambda: gone(int(begun.read_text())))


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (["train", "exits"], {}),
        (["experiment", "table"], {SERVER: ""}),
        (["table", "exits"], {PYTHON: "/another/python"}),
        (["table", "exits"], {SERVER: "no/such/socket"}),
    ],
    ids=["no small job", "no server", "another Python", "server gone"],
)
def test_what_the_server_cannot_do_is_done_by_the_command(
    serving: Server, words: list[str], environment: dict[str, str]
) -> None:
    done = command(serving, *words, **environment)
    done.communicate()
    assert done.returncode == 0  # None: COMMAND would do the job


def test_few_small_jobs_start_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SERVER, raising=False)
    monkeypatch.chdir(tmp_path)
    server = Server()
    server.expect({"lay_out_table": FEWEST - 1, "train_model": 100})
    done = command(server, "table", "exits")
    done.communicate()
    assert done.returncode == 0
    server.end()
    assert list(tmp_path.rglob("*")) == [tmp_path / ".opchar"]


def test_only_its_user_can_reach_the_server_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SERVER, raising=False)
    monkeypatch.chdir(tmp_path)
    left = tmp_path / ".opchar/jobs-999999999"
    left.mkdir(parents=True)
    before = os.umask(0)
    try:
        server = Server()
    finally:
        os.umask(before)
    assert server.folder.stat().st_mode & 0o077 == 0
    assert not left.exists(), "what a killed run has left"
    server.end()
    assert not server.folder.exists()


def test_a_folder_without_room_for_a_socket_has_no_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SERVER, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".opchar").write_text("a file")
    server = Server()
    assert server.environment == {}
    server.expect(ENOUGH)
    server.end()
