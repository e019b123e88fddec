"""Events of the logger plugin are followed, what is left is estimated, errors are one line."""

import json
import os
import subprocess
from logging import LogRecord
from pathlib import Path

import numpy as np
import pytest

from checkout import ROOT
from opchar_reproduction.project import records
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs import running
from opchar_reproduction.runs.progress import (
    Progress,
    Step,
    Timings,
    duration,
    fit_line,
    step_of,
)
from opchar_reproduction.runs.running import command, complaint, shorten_command
from snakemake_logger_plugin_opchar import LogHandler, LogHandlerSettings

EVENTS = [
    {"event": "run_info", "stats": {"all": 1, "train_model": 3, "total": 4}},
    {
        "event": "job_info",
        "jobid": 1,
        "rule_name": "train_model",
        "wildcards": {"profile": "tiny", "dataset": "sonar", "model": "sc-knnc3"},
        "reason": "Missing output files: b.parquet",
        "log": ["logs/b.log"],
        "output": ["b.parquet"],
    },
    {"event": "job_started", "jobs": [1]},
    {"event": "job_finished", "jobid": 1},
    {"event": "job_info", "jobid": 2, "rule_name": "train_model", "wildcards": {"model": "c"}},
    {"event": "job_error", "jobid": 2, "rule_name": "train_model", "log": ["logs/c.log"]},
    {"event": "job_info", "jobid": 2, "rule_name": "train_model", "wildcards": {"model": "c"}},
    {"event": "job_error", "jobid": 2, "rule_name": "train_model", "log": ["logs/c.log"]},
    {"event": "error", "exception": "WorkflowError", "message": "at least one job failed"},
]


@pytest.fixture
def timings(tmp_path: Path) -> Timings:
    return Timings(tmp_path / "timings.json", "quick", {})


def test_progress_follows_events(timings: Timings) -> None:
    now = [0.0]
    progress = Progress(2, timings, clock=lambda: now[0])
    for event in EVENTS:
        progress.follow(event)
        now[0] += 1.0
    assert (progress.planned, progress.finished) == (4, 1)
    assert [step.name for step in progress.failures] == ["train model c"]
    assert progress.errors == [("WorkflowError", "at least one job failed")]
    assert "[1/4]" in str(progress)
    assert timings.new == {"train model sonar/sc-knnc3": 2.0}


def test_a_step_is_what_its_event_says() -> None:
    step = step_of(EVENTS[1])
    assert (step.rule, step.job, step.subject) == ("train_model", "1", "sonar/sc-knnc3")
    assert (step.log, step.outputs) == ("logs/b.log", ("b.parquet",))


def test_timings_belong_to_a_profile(tmp_path: Path) -> None:
    quick = Timings(tmp_path / "t.json", "quick", {})
    quick.new["train model a"] = 3.0
    quick.keep()
    paper = Timings(tmp_path / "t.json", "paper", {})
    assert paper.known == {}
    assert paper.seconds("train model a") == 5.0
    paper.new["train model a"] = 90.0
    paper.keep()
    assert Timings(tmp_path / "t.json", "quick", {}).known == {"train model a": 3.0}
    assert Timings(tmp_path / "t.json", "paper", {}).known == {"train model a": 90.0}


@pytest.mark.parametrize("content", ["", "[]", '{"train model a": 2.0}', "{"])
def test_timings_of_another_form_are_forgotten(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.json").write_text(content)
    assert Timings(tmp_path / "t.json", "quick").own == {}


def test_a_first_run_knows_what_jobs_took_elsewhere_and_learns_how_slow_it_is(
    tmp_path: Path,
) -> None:
    elsewhere = {"train model a": 2.0, "train model b": 4.0, "train model c": 10.0}
    first = Timings(tmp_path / "t.json", "quick", elsewhere)
    assert first.seconds("train model c") == 10.0
    first.new |= {"train model a": 6.0, "train model b": 12.0}
    first.keep()
    second = Timings(tmp_path / "t.json", "quick", elsewhere)
    assert second.known == {"train model a": 6.0, "train model b": 12.0, "train model c": 30.0}
    assert json.loads((tmp_path / "t.json").read_text())["quick"] == first.new
    no_time = Timings(tmp_path / "t.json", "quick", elsewhere | {"train model a": 0.0})
    assert no_time.known == second.known


@pytest.mark.parametrize("profile", ["quick", "paper"])
def test_what_jobs_took_elsewhere_is_known_of_most_jobs(tmp_path: Path, profile: str) -> None:
    plan = Plan(load(ROOT, {"profile": profile}, check=False))
    known = Timings(tmp_path / "t.json", profile).known
    tasks = Tasks(plan).of_profile(profile)
    names = [f"{task.rule.replace('_', ' ')} {task.name}".strip() for task in tasks]
    assert sum(name in known for name in names) > 0.9 * len(names), "run tools/usual.py again"
    assert min(known.values()) > 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("pace", [0.4, 1.0, 3.0])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_time_left_is_right_within_a_third_after_the_first_tenth(
    timings: Timings, seed: int, pace: float, share: float
) -> None:
    """Simulate a run on two cores whose jobs take `pace` times what they took before."""
    rng = np.random.default_rng(seed)
    usual = {f"j{n}": float(s) for n, s in enumerate(rng.lognormal(1.0, 0.6, 300))}
    timings.known |= {f"train model {name}": seconds for name, seconds in usual.items()}
    names = [name for name in usual if rng.random() < share]
    took = {name: pace * usual[name] * rng.lognormal(0.0, 0.2) for name in names}
    now, queue = 0.0, list(names)
    clock = [0.0]
    expected = {f"train model {name}" for name in names}
    progress = Progress(2, timings, clock=lambda: clock[0], expected=expected)
    progress.follow({"event": "run_info", "stats": {"train_model": len(names)}})
    ends: list[tuple[float, str]] = []
    samples: list[tuple[float, float]] = []
    while queue or ends:
        while queue and len(ends) < 2:
            name = queue.pop(0)
            progress.start(Step("train_model", name, {"model": name}))
            ends.append((now + took[name], name))
        ends.sort()
        now, name = ends.pop(0)
        clock[0] = now
        progress.finish(name)
        samples.append((now, progress.seconds_left()))
    for when, left in samples:
        if 0.1 * now <= when <= 0.5 * now:
            assert left == pytest.approx(now - when, rel=1 / 3)


def test_lists_of_settings_come_last_and_forced_files_before_them() -> None:
    words = command(["a.md"], ["--dry-run"], {"profile": "tiny", "policy": "offline"}, ["b", "a"])
    assert words[:6] == ["snakemake", "a.md", "--dry-run", "--forcerun", "a", "b"]
    assert words[6:] == ["--config", "policy=offline", "profile=tiny"]
    assert command([], [], {}) == ["snakemake"]


def test_a_first_run_goes_by_another_machine_and_a_later_one_by_this(tmp_path: Path) -> None:
    jobs = {f"train model {n}": 10.0 for n in range(20)}
    timings = Timings(tmp_path / "t.json", "quick", jobs)
    progress = Progress(2, timings, expected=jobs)
    progress.follow({"event": "run_info", "stats": {"train_model": 20, "total": 20}})
    assert progress.opening_line() == f"20 jobs, about {duration(100)} on 2 cores"
    timings.new["train model 0"] = 70.0
    timings.keep()
    assert Timings(tmp_path / "t.json", "quick", jobs).known["train model 1"] == 70.0


def test_no_line_is_longer_than_200_characters() -> None:
    files = [f"results/quick/tharwat2018/figure-{n}.svg" for n in range(300)]
    said = shorten_command(command(files, [], {"profile": "tiny"}, files[:50]))
    assert len(said) <= 200
    assert said.startswith("snakemake results/quick/tharwat2018/figure-0.svg (and 299 more files)")
    assert said.endswith("--config profile=tiny")
    assert len(fit_line("x" * 500)) == 200
    assert fit_line("short") == "short"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (300, "5 min"), (9000, "2 h")]
)
def test_durations_are_said_as_people_do(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_why_snakemake_could_not_go_on() -> None:
    lines = ["Assuming unrestricted...", "opchar: config/config.yaml: profile: no", "more"]
    assert complaint(lines) == ["opchar: config/config.yaml: profile: no"]
    assert complaint([]) == ["Snakemake said nothing"]
    errors = [("SyntaxError", "SyntaxError in file x, line 2:\n\n  broken(:\n")]
    assert complaint(["banner"], errors) == ["SyntaxError in file x, line 2:", "  broken(:"]


def test_a_process_that_is_gone_holds_nothing() -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    assert not running._alive(dead.pid)
    assert running._alive(os.getpid())


def record(level: int = 20, **given: object) -> LogRecord:
    made = LogRecord("snakemake", level, "", 0, given.pop("msg", None), None, None)
    for name, value in given.items():
        setattr(made, name, value)
    return made


def test_the_plugin_writes_a_line_an_event(tmp_path: Path) -> None:
    import json

    handler = LogHandler(None, LogHandlerSettings(events=tmp_path / "events"))  # type: ignore[arg-type]
    handler.emit(record(event="run_info", stats={"total": 1}))
    handler.emit(record(msg="Building DAG of jobs..."))
    handler.emit(record(event="shellcmd", shellcmd="echo"))
    handler.emit(record(event="job_finished", job_id=3))
    handler.emit(record(level=40, msg="no room"))
    handler.emit(record(event="error", msg="locked", exception="LockException"))
    handler.close()
    lines = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    assert lines == [
        {"event": "run_info", "stats": {"total": 1}},
        {"event": "job_finished", "jobid": 3},
        {"event": "error", "exception": "", "message": "no room"},
        {"event": "error", "exception": "LockException", "message": "locked"},
    ]


def test_what_a_killed_job_leaves_is_swept_wherever_jobs_write(plan: Plan) -> None:
    swept = [f"{folder}/" for folder in running.WRITTEN]
    for task in Tasks(plan).of_profile("quick"):
        # Of data as they are fetched `forget` takes care.
        files = [] if task.rule == "fetch_data" else [*task.outputs]
        for file in [*files, records.place_of(Path(task.outputs[0])).as_posix()]:
            assert any(file.startswith(folder) for folder in swept), file


def test_the_plugin_ends_the_timers_that_would_hold_snakemake(tmp_path: Path) -> None:
    import threading

    looks: list[int] = []
    timer = threading.Timer(30, looks.append, (1,))
    timer.start()
    LogHandler(None, LogHandlerSettings(events=tmp_path / "events")).close()  # type: ignore[arg-type]
    timer.join(timeout=5)
    assert not timer.is_alive() and not looks


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (["MemoryError"], "opchar: not enough memory; give more, or run fewer jobs side by side"),
        (["RuntimeError: can't start new thread"], "opchar: not enough memory; give more"),
        (["ValueError: of a kind"], "opchar: Snakemake broke off (ValueError: of a kind); all it"),
        ([], "opchar: Snakemake broke off (no last word); all it said is in .opchar/last-run.log"),
    ],
)
def test_of_a_traceback_one_line_is_said(last: list[str], said: str) -> None:
    lines = [
        "Traceback (most recent call last):",
        '  File "x.py", line 1, in f',
        "    raise e",
        *last,
    ]
    for found in (complaint(lines), complaint([], [("Error", "\n".join(lines))])):
        (line,) = found
        assert line.startswith(said)
