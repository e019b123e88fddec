"""Running the workflow for a person: Snakemake, watched through its logger plugin."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from opchar.datasets.sources.network import forget_unreachable
from opchar.errors import OpcharError
from opchar.files import clear, sweep, write_text
from opchar_reproduction.project.configuration.config import CONFIGS, write_resolved
from opchar_reproduction.project.configuration.model import Config
from opchar_reproduction.project.environment import PLANNED, job_environment
from opchar_reproduction.runs.complaints import LOG, complaint, last_line
from opchar_reproduction.runs.progress import (
    Progress,
    Step,
    Timings,
    fit_line,
    step_of,
    wrap_message,
)

STATE = Path(".opchar")
TIMINGS = STATE / "timings.json"
RUNNING = STATE / "running.pid"
LOCKS = Path(".snakemake/locks")
PLAN_LOG = STATE / "last-plan.log"
INTERRUPTED = 130
# Snakemake looks for jobs when one has ended, and once more after the time span of this limit,
# which no run reaches. At its default of a second such looks add up, in the end to a third of a
# core.
LOOKS = ("--max-jobs-per-timespan", "100000/30s")
# Where jobs write under names of their own until a file is whole.
RAW = Path("data/raw")
WRITTEN = ("data/features", "data/scores", "data/made", "results")


def command(
    targets: Iterable[str],
    options: list[str],
    settings: Mapping[str, str],
    forced: Iterable[str] = (),
) -> list[str]:
    """Return the Snakemake command for `targets`."""
    values = [f"{name}={value}" for name, value in sorted(settings.items())]
    words = ["snakemake", *targets, *options]
    words += ["--forcerun", *again] if (again := sorted(forced)) else []
    return [*words, *(["--config", *values] if values else [])]


def shorten_command(words: list[str], width: int = 200) -> str:
    """Return a command for display: of many files only the first, and their number."""
    files = [index for index, word in enumerate(words) if word.startswith(("results/", "data/"))]
    text = shlex.join(words)
    if len(text) <= width or not files:
        return fit_line(text, width)
    kept = [shlex.quote(word) for index, word in enumerate(words) if index not in files[1:]]
    kept[files[0]] += f" (and {len({words[index] for index in files}) - 1} more files)"
    return fit_line(" ".join(kept), width)


def run(
    targets: list[str],
    settings: Mapping[str, str],
    *,
    profile: str,
    cores: int | None = None,
    options: list[str] | None = None,
    forced: Iterable[str] = (),
    config: Config | None = None,
    stream: TextIO | None = None,
    expected: Collection[str] = (),
) -> int:
    """Run the workflow and show its progress."""
    out = sys.stderr if stream is None else stream
    chosen = [*(["--cores", str(cores)] if cores else []), *(options or [])]
    print(shorten_command(command(targets, chosen, settings, forced)), file=out, flush=True)
    words = command(targets, [*LOOKS, *chosen], settings, forced)
    holder = _holder()
    if not _is_alive(holder):
        # Else another run is writing: what it has not finished is its own.
        forget_unreachable(RAW)
        _tidy()
    progress = Progress(cores or os.cpu_count() or 1, Timings(TIMINGS, profile), expected=expected)
    status = _run_snakemake(words, progress, out, config)
    if status and _is_locked(progress) and holder is not None and not _alive(holder):
        # A killed run of ours has left Snakemake's lock; Snakemake itself takes it away.
        unlock = [sys.executable, "-m", *command([], ["--unlock"], settings)]
        subprocess.run(unlock, capture_output=True, check=False)
        progress = Progress(progress.cores, Timings(TIMINGS, profile), expected=expected)
        status = _run_snakemake(words, progress, out, config)
    if status == INTERRUPTED and not _is_alive(None):
        _tidy()
    progress.timings.keep()
    if out.isatty():
        print("\r\033[K", end="", file=out)
    _explain(status, progress, out)
    out.flush()
    return status


def _tidy() -> None:
    """Remove what killed jobs had not finished."""
    clear(RAW)
    sweep(*WRITTEN)


def _run_snakemake(words: list[str], progress: Progress, out: TextIO, config: Config | None) -> int:
    """Run Snakemake once, show its progress, and return its exit status."""
    write_text("", LOG)
    before = _holder() if any(LOCKS.glob("*")) else None
    process_id: int | None = None
    holds = False
    try:
        with _Snakemake(words, LOG, config) as running:
            process_id = running.process.pid
            if not _is_alive(before):
                write_text(str(process_id), RUNNING)
            for event in running.events():
                changed = progress.follow(event)
                if event["event"] == "run_info" and progress.planned:
                    print(progress.opening_line(), file=out, flush=True)
                if changed:
                    if not holds:  # it has the lock, whoever else was started with it
                        write_text(str(process_id), RUNNING)
                        holds = True
                    _show(progress, out, ended=event["event"] != "job_info")
            status = running.process.wait()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if process_id is not None and _holder() == process_id:
        if _is_locked(progress) and before is not None:
            write_text(str(before), RUNNING)  # dead, but its lock is still there
        elif status >= 0:  # a Snakemake that was killed has not taken away its lock
            RUNNING.unlink(missing_ok=True)
    return status


def _explain(status: int, progress: Progress, out: TextIO) -> None:
    """Say what went wrong in as few lines as it takes."""
    if status == INTERRUPTED:
        print("opchar: stopped; the next 'opchar run' goes on from here", file=out)
        return
    if status < 0:
        killed = f"opchar: Snakemake was killed (signal {-status})"
        print(f"{killed}; the next 'opchar run' goes on from here", file=out)
        return
    for step in progress.failures:
        print(fit_line(f"failed: {step.name}: {last_line(step.log)}"), file=out)
    if status and not progress.failures:
        if _is_locked(progress):
            said = [
                f"opchar: .snakemake/locks: {_who()} works in this folder; wait for it, or run "
                "'snakemake --unlock' if it is gone"
            ]
        else:
            said = complaint(LOG.read_text(encoding="utf-8").splitlines(), progress.errors)
        print("\n".join(line for text in said for line in wrap_message(text)), file=out)


def dry_run(
    targets: list[str],
    settings: Mapping[str, str],
    options: Iterable[str] = (),
    forced: Iterable[str] = (),
    config: Config | None = None,
) -> list[Step]:
    """Return the jobs that a run would do, each with Snakemake's reason."""
    # What Snakemake would tell a person of each job comes as an event as well.
    quick = ["--dry-run", "--nolock", "--quiet=rules"]
    words = command(targets, [*quick, *options], settings, forced)
    write_text("", PLAN_LOG)
    with _Snakemake(words, PLAN_LOG, config) as running:
        events = list(running.events())
        status = running.process.wait()
    if status:
        errors = [(e["exception"], e["message"]) for e in events if e["event"] == "error"]
        lines = complaint(PLAN_LOG.read_text(encoding="utf-8").splitlines(), errors)
        raise OpcharError("\n".join(lines).removeprefix("opchar: "))
    found = [step_of(event) for event in events if event["event"] == "job_info"]
    return [step for step in found if step.outputs]


def touch(files: list[str], settings: Mapping[str, str], config: Config) -> None:
    """Have Snakemake note files and their inputs as made now."""
    words = command(files, ["--touch", "--forceall", "--nolock"], settings)
    with _Snakemake(words, PLAN_LOG, config) as running:
        for _ in running.events():
            pass


class _Snakemake:
    """A Snakemake that runs, with its events in a pipe and its own words in a file."""

    def __init__(self, words: list[str], log: Path, config: Config | None) -> None:
        planned = {PLANNED: str(write_resolved(config, CONFIGS))} if config is not None else {}
        self._reading, writing = os.pipe()
        events = ["--logger", "opchar", "--logger-opchar-events", f"/dev/fd/{writing}"]
        position = len(words) - words[::-1].index("--config") - 1 if "--config" in words else None
        full = [*words[:position], *events, *(words[position:] if position else [])]
        with log.open("w", encoding="utf-8") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *full],
                stdout=said,
                stderr=subprocess.STDOUT,
                pass_fds=[writing],
                env=job_environment(os.environ) | planned,
            )
        os.close(writing)

    def __enter__(self) -> _Snakemake:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Wait until it has ended; ask it to start nothing more when a person has stopped us."""
        if kind is KeyboardInterrupt:
            self.process.send_signal(signal.SIGTERM)
        while self.process.poll() is None:
            try:
                self.process.wait()
            except KeyboardInterrupt:
                self.process.send_signal(signal.SIGTERM)

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield events as they come."""
        with os.fdopen(self._reading, encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def _is_locked(progress: Progress) -> bool:
    return any(exception == "LockException" for exception, _ in progress.errors)


def _is_alive(holder: int | None) -> bool:
    """Whether a run that is not known to be dead has locked this folder."""
    return any(LOCKS.glob("*")) and (holder is None or _alive(holder))


def _holder() -> int | None:
    """Return the process of the last run of ours that did not end by itself."""
    try:
        return int(RUNNING.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _who() -> str:
    holder = _holder()
    return f"process {holder}" if holder is not None and _alive(holder) else "another Snakemake"


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def _show(progress: Progress, stream: TextIO, *, ended: bool) -> None:
    """Rewrite the line of a terminal at every change; elsewhere add a line for each job done."""
    if stream.isatty():
        width = os.get_terminal_size(stream.fileno()).columns - 1
        print(f"\r\033[K{str(progress)[:width]}", end="", file=stream, flush=True)
    elif ended:
        print(fit_line(str(progress)), file=stream, flush=True)
