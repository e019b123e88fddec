"""How far a run is and how long the rest may take, learned from earlier runs of its profile."""

import csv
import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import Any

from opchar.files import write_json

UNKNOWN_SECONDS = 5.0
# Seconds of the jobs of whole runs on one machine (`tools/usual.py`): what a first run knows.
SHIPPED = Path(__file__).with_name("job_durations.csv")


@dataclass
class Step:
    """One job of a run, as Snakemake announces it."""

    rule: str
    job: str = ""
    wildcards: dict[str, str] = field(default_factory=dict)
    reason: str = ""
    log: str = ""
    outputs: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """What the job makes: the values of its wildcards."""
        return "/".join(value for key, value in self.wildcards.items() if key != "profile")

    @property
    def name(self) -> str:
        """What the job does, in words."""
        return f"{self.rule.replace('_', ' ')} {self.subject}".strip()


def step_of(event: Mapping[str, Any]) -> Step:
    """Return the job that an event of the logger plugin tells of."""
    log = event.get("log") or [""]
    return Step(
        str(event["rule_name"]),
        str(event["jobid"]),
        dict(event.get("wildcards") or {}),
        str(event.get("reason") or ""),
        str(log[0]),
        tuple(str(file).split(" (")[0] for file in event.get("output") or ()),
    )


class Timings:
    """Seconds that jobs take, by profile and name of the job.

    What runs in this folder took comes first. Other jobs take their time on another machine,
    multiplied by a factor. The jobs that both machines have run give the factor.
    """

    def __init__(
        self, path: Path, profile: str, shipped: Mapping[str, float] | None = None
    ) -> None:
        self.path = path
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            self.all = {name: dict(known) for name, known in kept.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            self.all = {}
        self.own: dict[str, float] = self.all.setdefault(profile, {})
        others = _packaged_seconds(profile) if shipped is None else shipped
        slower = [
            self.own[name] / took for name, took in others.items() if took and name in self.own
        ]
        pace = median(slower) if slower else 1.0
        self.known = {name: pace * took for name, took in others.items()} | self.own
        self.new: dict[str, float] = {}

    def seconds(self, name: str) -> float:
        """Return the seconds that a job usually takes, by its name in words; a guess of another."""
        return self.known.get(name, UNKNOWN_SECONDS)

    def keep(self) -> None:
        """Write what jobs took for the next run."""
        self.own |= self.new
        write_json(self.all, self.path)


def _packaged_seconds(profile: str) -> dict[str, float]:
    """Return what the jobs of a profile took on another machine.

    Of jobs of the paper profile that were not timed, what they took in the quick one, at least.
    """
    with SHIPPED.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    known: dict[str, float] = {}
    for name in ("quick", "paper") if profile == "paper" else (profile,):
        known |= {row["job"]: float(row["seconds"]) for row in rows if row["profile"] == name}
    return known


class Progress:
    """What is done, what runs and how long the rest may take.

    `expected`: the names of the jobs that have to run, as far as they are known.
    """

    def __init__(
        self,
        cores: int,
        timings: Timings,
        clock: Callable[[], float] = time.monotonic,
        expected: Collection[str] = (),
    ) -> None:
        self.cores = cores
        self.timings = timings
        self.clock = clock
        self.waiting = set(expected)
        self.planned = self.begun = self.finished = 0
        self.running: dict[str, tuple[Step, float]] = {}
        self.failures: list[Step] = []
        self.errors: list[tuple[str, str]] = []
        self._took = self._expected = UNKNOWN_SECONDS

    def follow(self, event: Mapping[str, Any]) -> bool:
        """Update by an event of the logger plugin; return whether a job started or ended."""
        match event["event"]:
            case "run_info":
                self.planned = sum(n for rule, n in event["stats"].items() if rule != "total")
            case "job_info":
                self.start(step_of(event))
                return True
            case "job_finished":
                self.finish(str(event["jobid"]))
                return True
            case "job_error":
                self.fail(step_of(event))
                return True
            case "error":
                self.errors.append((event["exception"], event["message"]))
        return False

    def start(self, step: Step) -> None:
        """Note that a job runs."""
        self.begun += 1
        self.waiting.discard(step.name)
        self.running[step.job] = step, self.clock()

    def finish(self, job: str) -> None:
        """Note that a job ended well."""
        if job in self.running:
            step, since = self.running.pop(job)
            took = self.clock() - since
            self.finished += 1
            self.timings.new[step.name] = round(took, 2)
            self._took += took
            self._expected += self.timings.seconds(step.name)

    def fail(self, step: Step) -> None:
        """Note that a job failed, once however often it was tried."""
        announced = self.running.pop(step.job, (step, 0.0))[0]
        step.wildcards = announced.wildcards
        self.failures = [f for f in self.failures if f.name != step.name] + [step]

    def seconds_left(self) -> float:
        """Estimate the wall time of what is not done, if all cores are at work until the end.

        The usual seconds of what waits and runs, times how much slower than usual this run has been
        so far; that factor begins at one and counts for as much as the time it was seen over.
        """
        pace = self._took / self._expected
        unnamed = max(self.planned - self.begun - len(self.waiting), 0)
        left = pace * (sum(map(self.timings.seconds, self.waiting)) + unnamed * UNKNOWN_SECONDS)
        for step, since in self.running.values():
            left += max(pace * self.timings.seconds(step.name) - (self.clock() - since), 0.0)
        return left / self.cores

    def opening_line(self) -> str:
        """Return how much there is to do and how long it may take, before anything is done."""
        left = duration(self.seconds_left())
        return f"{self.planned} jobs, about {left} on {self.cores} cores"

    def __str__(self) -> str:
        names = ", ".join(step.name for step, _ in self.running.values())
        left = duration(self.seconds_left())
        return f"[{self.finished}/{self.planned}] about {left} left  {names}".rstrip()


def duration(seconds: float) -> str:
    """Return a duration in words."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h"


def fit_line(text: str, width: int = 200) -> str:
    """Return a line that is at most `width` characters long."""
    return text if len(text) <= width else f"{text[: width - 4].rstrip()} ..."


def wrap_message(text: str, width: int = 200) -> list[str]:
    """Return a message in lines of at most `width` characters, indented after the first."""
    return wrap(
        text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    ) or [""]
