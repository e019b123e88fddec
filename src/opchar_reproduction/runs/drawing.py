"""Make one thing of a run again: ``python -P runs/drawing.py ROOT SETTINGS ADDRESS [--watch]``.

A figure or table is drawn, a page is written, a claim is judged. The program is started by its
path, as a job is, and plans and runs the job in one process. With ``--watch`` one process loads
the libraries of the first drawing, and next to nothing of the packages. A copy of it makes each
drawing with the present code.
"""

import gc
import json
import os
import runpy
import signal
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from select import select
from typing import Any

JOBS = Path(__file__).resolve().parents[1] / "jobs/__main__.py"
# Where Snakemake keeps what it notes of each file.
NOTES = Path(".snakemake/metadata")
# Seconds between two looks at the files of a study.
PAUSE = 0.05


def draw(
    given: list[str],
    loaded: Mapping[str, tuple[str, bytes]],
    tell: Callable[[bytes], Any],
    early: Set[str] = frozenset(),
) -> int:
    """Run the job of a figure, table, page or claim, and print the files that were asked for.

    It is the job of a run, in the environment of a run, so that the bytes are the same, and its
    record says so. A copy of this process plans it while this one loads libraries. `tell` is told
    when each file was changed that the job can read, then which modules of libraries it loaded.
    `early`: libraries that this process had loaded for the job before.
    """
    from opchar.errors import OpcharError
    from opchar_reproduction.jobs.commands import JOBS, function_of, loaded_now, main
    from opchar_reproduction.jobs.copies import begin_steps, end, take
    from opchar_reproduction.runs import single_jobs  # noqa: F401  # for this process and its copy

    start = loaded_now(loaded)
    start.packages.difference_update(early)
    planning = begin_steps(partial(_plan, given, time.time_ns(), tell))
    import_module("pandas")
    kind = "exhibits" if "/" in given[-1] else "statements" if ":" in given[-1] else "report"
    function_of(JOBS[kind])
    try:
        planned = take(planning[1])
        # The inputs of pages are checked while the first one is written.
        checked = None if planned["kind"] == "report" else end(*planning)
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    if planned["figures"]:
        from opchar_reproduction.jobs.showing.beside import save_side_by_side

        save_side_by_side()
    if planned["kind"] != "exhibits":  # they make more than fits in memory without a search
        gc.freeze()
        gc.enable()
    status = main(planned["words"], loaded, start, lambda: checked or end(*planning))
    if not planning[1].closed:  # what was wrong has been said
        with suppress(OpcharError):
            end(*planning)
    used = [name for name in sys.modules if _top(name) not in start.packages]
    tell(json.dumps(used).encode() + b"\n")
    if not status:
        _note(**{name: planned[name] for name in ("made", "record", "recorded")})
        print(*planned["files"], sep="\n", end="\n" if planned["files"] else "", flush=True)
    return status


def _plan(given: list[str], began: int, tell: Callable[[bytes], Any]) -> Iterator[Any]:
    """Give the words of a job and what it makes, then what its record says of code and inputs.

    `tell` is told when each file was changed that the job reads. One that has changed since this
    `began` counts as changed.
    """
    from opchar_reproduction.jobs.commands import files_within
    from opchar_reproduction.project.closure import sources
    from opchar_reproduction.project.configuration.config import load
    from opchar_reproduction.project.environment import plan_quickly
    from opchar_reproduction.project.plan import Plan
    from opchar_reproduction.project.records import check_inputs, place_of
    from opchar_reproduction.runs.single_jobs import single_job

    plan_quickly()
    root, settings, address = given
    config = load(Path(root), overrides=json.loads(settings), check=False, here=".")
    job = single_job(Plan(config), config.profile, address)
    record = place_of(job.made)
    yield {
        "words": job.words(Plan(config)),
        "made": job.made,
        "record": record.as_posix(),
        "recorded": record.read_text(encoding="utf-8") if record.is_file() else "",
        "files": job.files,
        "kind": job.kind,
        "figures": bool(job.given.get("figures")),
    }
    read = [file for files in job.read.values() for file in files]
    task = job.task()
    code = [str(_file_of(name)) for name in sources().closure(*task.functions)]
    seen = {name: at if at < began else 0 for name, at in _times([*code, *read])}
    tell(json.dumps({"seen": seen, "more": bool(job.first)}).encode() + b"\n")
    yield str(task), check_inputs(files_within(map(Path, read)))


def _note(made: str, record: str, recorded: str) -> None:
    """Let Snakemake know by times what was made: its own notes go where the record is another."""
    if Path(made).is_dir():  # by the time of this file it tells the age of a folder
        (Path(made) / ".snakemake_timestamp").touch()
    if Path(record).read_text(encoding="utf-8") != recorded:
        for file in (made, record):
            (NOTES / b64encode(file.encode(), altchars=b"_-").decode()).unlink(missing_ok=True)


def _top(module: str) -> str:
    return module.split(".")[0]


def _file_of(name: str) -> Path:
    """Return the file that a closure names."""
    from opchar_reproduction.project.closure import SOURCE, is_file, is_ours

    if is_file(name) or not is_ours(name.replace("/", ".")):
        return Path(name)
    place = SOURCE / name
    files = (place, place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in files if path.is_file()), place)


def _times(files: Any) -> list[tuple[str, int]]:
    return [(f, Path(f).stat().st_mtime_ns if Path(f).is_file() else 0) for f in files]


def watch(
    given: list[str], loaded: Mapping[str, tuple[str, bytes]], end: Callable[[int], Any]
) -> int:
    """Draw in a copy of this process, and again whenever a file has changed that it can read."""
    seen: dict[str, int] = {}
    early: set[str] = set()
    while True:
        before, (reader, writer) = dict(_times(seen)), os.pipe()
        if not (copy := os.fork()):
            end(draw(given, loaded, partial(os.write, writer), early))
        os.close(writer)
        said = _listen(reader, copy)
        seen = said[0]["seen"] if said else before
        status = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        if not seen:
            return status
        for name in said[-1] if len(said) == 2 else []:
            with suppress(Exception):
                import_module(name)
            early.add(_top(name))
        gc.freeze()
        while dict(_times(seen)) == seen:
            time.sleep(PAUSE)
        if any(Path(path).read_bytes() != text for path, text in loaded.values()):
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _listen(reader: int, copy: int) -> list[Any]:
    """Return what a copy of this process tells, line by line.

    A copy that makes more than what was asked for ends as soon as a file changes that it reads.
    """
    text = b""
    while True:
        lines = text.split(b"\n")
        said = [json.loads(line) for line in lines[:-1]]
        if select([reader], [], [], PAUSE)[0]:
            if not (part := os.read(reader, 1 << 16)):
                break
            text += part
        elif said and said[0]["more"] and dict(_times(seen := dict(said[0]["seen"]))) != seen:
            os.kill(copy, signal.SIGKILL)
            break
    os.close(reader)
    return said


if __name__ == "__main__":
    job = runpy.run_path(str(JOBS))
    read = job["check_bytecode"]()
    from opchar_reproduction.project.environment import start_anew

    gc.set_threshold(job["BETWEEN_SEARCHES"])
    gc.disable()
    start_anew()
    job["end_at_once"]()
    if sys.argv[-1] == "--watch":
        job["end"](watch(sys.argv[1:-1], read, job["end"]))
    job["end"](draw(sys.argv[1:], read, lambda seen: None))
