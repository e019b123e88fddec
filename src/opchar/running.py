"""Running the workflow for a person: Snakemake, watched, with an estimate of what is left."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from opchar.datasets.network import forget
from opchar.environment import prepare
from opchar.errors import ConfigError, OpcharError
from opchar.files import sweep, write_json, write_text

STATE = Path(".opchar")
TIMINGS = STATE / "timings.json"
RUNNING = STATE / "running.pid"
LOG = STATE / "last-run.log"
LOCKS = Path(".snakemake/locks")
UNKNOWN_SECONDS = 5.0


@dataclass
class Step:
    """One job of a run, as Snakemake announces it."""

    rule: str
    job: str = ""
    wildcards: dict[str, str] = field(default_factory=dict)
    reason: str = ""
    log: str = ""
    failed: bool = False

    @property
    def name(self) -> str:
        """What the job makes, in words."""
        verb = self.rule.replace("_", " ")
        parts = [value for key, value in self.wildcards.items() if key != "profile"]
        return " ".join([verb, "/".join(parts)]) if parts else verb


def command(targets: Iterable[str], options: list[str], settings: Mapping[str, str]) -> list[str]:
    """Return the Snakemake command for `targets`.

    Parameters
    ----------
    targets : iterable of str
        Files or target rules.
    options : list of str
        Options of Snakemake, none of which may take a list: it would swallow what follows.
    settings : mapping of str to str
        What replaces values of ``config/config.yaml``.
    """
    values = [f"{name}={value}" for name, value in sorted(settings.items())]
    return ["snakemake", *targets, *options, *(["--config", *values] if values else [])]


def steps(lines: Iterable[str]) -> Iterator[Step | str]:
    """Read Snakemake's log: yield each announced job once complete, and every other line.

    Parameters
    ----------
    lines : iterable of str
        Without line ends.

    Yields
    ------
    Step or str
    """
    step: Step | None = None
    for line in lines:
        if step is not None:
            if match := re.match(r"    (\w+): (.*)", line):
                _note(step, *match.groups())
                continue
            if line.startswith("        "):
                continue
            yield step
            step = None
        if match := re.match(r"(?:local)?(?:rule|checkpoint) (\w+):$", line):
            step = Step(match[1])
        elif match := re.match(r"Error in rule (\w+):$", line):
            step = Step(match[1], failed=True)
        else:
            yield line
    if step is not None:
        yield step


def _note(step: Step, key: str, value: str) -> None:
    if key == "jobid":
        step.job = value
    elif key == "wildcards":
        step.wildcards = dict(part.split("=", 1) for part in value.split(", "))
    elif key == "reason":
        step.reason = value
    elif key == "log":
        step.log = value.split(" (")[0]


class Progress:
    """What is done, what runs and how long the rest may take.

    Parameters
    ----------
    cores : int
        How many jobs run side by side.
    timings : dict of str to float
        Seconds of earlier runs by name of the job.
    clock : callable
        Monotonic seconds.
    """

    def __init__(
        self, cores: int, timings: dict[str, float], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.cores = cores
        self.timings = timings
        self.clock = clock
        self.planned: Counter[str] = Counter()
        self.running: dict[str, tuple[Step, float]] = {}
        self.finished: Counter[str] = Counter()
        self.failures: list[Step] = []

    def plan(self, rule: str, count: int) -> None:
        """Note that `count` jobs of a rule are to run."""
        self.planned[rule] = count

    def start(self, step: Step) -> None:
        """Note that a job runs."""
        self.running[step.job] = step, self.clock()

    def finish(self, job: str) -> None:
        """Note that a job ended well."""
        if job in self.running:
            step, since = self.running.pop(job)
            self.finished[step.rule] += 1
            self.timings[step.name] = round(self.clock() - since, 2)

    def fail(self, step: Step) -> None:
        """Note that a job failed."""
        announced, _ = self.running.pop(step.job, (step, 0.0))
        step.wildcards = announced.wildcards
        self.failures.append(step)

    def seconds_left(self) -> float:
        """Estimate the wall time of what is not done, from this run and earlier ones."""
        by_rule: dict[str, list[float]] = {}
        for name, seconds in self.timings.items():
            by_rule.setdefault(" ".join(name.split(" ")[:-1]) or name, []).append(seconds)
        mean = {rule: sum(values) / len(values) for rule, values in by_rule.items()}
        active = Counter(step.rule for step, _ in self.running.values())
        left = 0.0
        for rule, count in self.planned.items():
            waiting = count - self.finished[rule] - active[rule]
            left += max(waiting, 0) * mean.get(rule.replace("_", " "), UNKNOWN_SECONDS)
        for step, since in self.running.values():
            usual = self.timings.get(
                step.name, mean.get(step.rule.replace("_", " "), UNKNOWN_SECONDS)
            )
            left += max(usual - (self.clock() - since), 0.0)
        return left / self.cores

    def __str__(self) -> str:
        done, total = sum(self.finished.values()), sum(self.planned.values())
        names = ", ".join(step.name for step, _ in self.running.values())
        return f"[{done}/{total}] about {duration(self.seconds_left())} left  {names}"


def duration(seconds: float) -> str:
    """Return seconds as a person would say them."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min"


def run(
    targets: list[str],
    settings: Mapping[str, str],
    *,
    cores: int | None = None,
    options: list[str] | None = None,
    stream: TextIO = sys.stderr,
) -> int:
    """Run the workflow and show its progress.

    Parameters
    ----------
    targets : list of str
        Files or target rules; none for everything.
    settings : mapping of str to str
        What replaces values of ``config/config.yaml``.
    cores : int, optional
        Jobs side by side; what the workflow profile says when not given.
    options : list of str, optional
        Further options of Snakemake.
    stream : text file
        Where progress goes: rewritten in place on a terminal, line by line elsewhere.

    Returns
    -------
    int
        Exit status: 0 when everything was made.
    """
    chosen = [*(["--cores", str(cores)] if cores else []), *(options or [])]
    words = command(targets, chosen, settings)
    print(shlex.join(words), file=stream, flush=True)
    release_lock()
    forget(Path("data/raw"))
    sweep("data/features", "data/scores", "results")
    progress = Progress(cores or os.cpu_count() or 1, read_timings())
    lines: list[str] = []
    with _started(words) as process:
        write_text(str(process.pid), RUNNING)
        assert process.stdout is not None
        try:
            for item in steps(_kept(process.stdout, lines)):
                if _follow(item, progress):
                    _show(progress, stream, started=isinstance(item, Step))
        except KeyboardInterrupt:
            process.wait()
        status = process.wait()
    if status < 0:
        _unlock()
    RUNNING.unlink(missing_ok=True)
    write_text("\n".join(lines) + "\n", LOG)
    write_json(progress.timings, TIMINGS)
    if stream.isatty():
        print("\r\033[K", end="", file=stream)
    for step in progress.failures:
        print(f"failed: {step.name}: {_last_line(step.log)}", file=stream)
    if status and not progress.failures:
        print("\n".join(_complaint(lines)), file=stream)
    stream.flush()
    return status


def dry_run(targets: list[str], settings: Mapping[str, str]) -> list[Step]:
    """Return the jobs that a run would do, each with Snakemake's reason.

    Raises
    ------
    OpcharError
        If the plan cannot be made.
    """
    words = command(targets, ["--dry-run", "--nolock"], settings)
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False
    )
    lines = (done.stdout + done.stderr).splitlines()
    if done.returncode:
        raise OpcharError(_complaint(lines)[-1].removeprefix("opchar: "))
    return [item for item in steps(lines) if isinstance(item, Step)]


def release_lock() -> None:
    """Remove the lock that a killed run of ours left; respect that of a living one.

    Raises
    ------
    ConfigError
        If another run holds the folder.
    """
    if not any(LOCKS.glob("*.lock")):
        return
    holder = int(RUNNING.read_text()) if RUNNING.exists() else None
    if holder is None or _alive(holder):
        who = f"process {holder}" if holder else "another Snakemake"
        raise ConfigError(
            f".snakemake/locks: {who} works in this folder; wait for it, or run "
            "'snakemake --unlock' if it is gone"
        )
    _unlock()


def _unlock() -> None:
    for lock in LOCKS.glob("*.lock"):
        lock.unlink(missing_ok=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def _started(words: list[str]) -> subprocess.Popen[str]:
    prepare()
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _kept(source: Iterable[str], lines: list[str]) -> Iterator[str]:
    for line in source:
        lines.append(line.rstrip("\n"))
        yield lines[-1]


def _follow(item: Step | str, progress: Progress) -> bool:
    """Take notice of a line or job; return whether it changed the picture."""
    if isinstance(item, Step):
        progress.fail(item) if item.failed else progress.start(item)
    elif match := re.match(r"(\w+) +(\d+)$", item):
        if match[1] != "total":
            progress.plan(match[1], int(match[2]))
        return False
    elif match := re.match(r"Finished jobid: (\d+) ", item):
        progress.finish(match[1])
    else:
        return False
    return True


def _show(progress: Progress, stream: TextIO, *, started: bool) -> None:
    """Rewrite the line of a terminal at every change; elsewhere add a line for each job done."""
    if stream.isatty():
        width = os.get_terminal_size(stream.fileno()).columns - 1
        print(f"\r\033[K{str(progress)[:width]}", end="", file=stream, flush=True)
    elif not started:
        print(progress, file=stream, flush=True)


def read_timings() -> dict[str, float]:
    """Return the seconds that jobs took in earlier runs, by name."""
    try:
        return dict(json.loads(TIMINGS.read_text()))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def _last_line(log: str) -> str:
    try:
        lines = Path(log).read_text(encoding="utf-8").strip().splitlines()
    except OSError:
        lines = []
    reason = lines[-1].removeprefix("opchar: ") if lines else "it wrote no message"
    return f"{reason} ({log})" if log else reason


def _complaint(lines: list[str]) -> list[str]:
    """Return our own one-line error out of Snakemake's output, or its last lines."""
    ours = [line for line in lines if line.startswith("opchar: ")]
    return ours[:1] or [line for line in lines if line.strip()][-5:] or ["Snakemake said nothing"]
