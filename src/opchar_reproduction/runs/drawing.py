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
from collections.abc import Callable, Mapping, Set
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
    tops = {_top(name) for name in (*loaded, *sys.modules)} - early
    from opchar.errors import OpcharError
    from opchar_reproduction.jobs.copies import begin, end

    planning = begin(partial(_plan, given, time.time_ns()))
    import_module("pandas")
    from opchar_reproduction.jobs.commands import main

    try:
        planned = end(*planning)
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    told = {"seen": planned["seen"], "more": bool(planned["first"])}
    tell(json.dumps(told).encode() + b"\n")
    if planned["figures"]:
        from opchar_reproduction.jobs.showing.beside import save_side_by_side

        save_side_by_side()
    if planned["kind"] != "exhibits":  # they make more than fits in memory without a search
        gc.enable()
    status = main(planned["words"], loaded, {_top(name) for name in sys.modules} - tops)
    tell(json.dumps([name for name in sys.modules if _top(name) not in tops]).encode() + b"\n")
    if not status:
        _note(**{name: planned[name] for name in ("made", "record", "recorded")})
        print(*planned["files"], sep="\n", end="\n" if planned["files"] else "", flush=True)
    return status


def _plan(given: list[str], began: int) -> dict[str, Any]:
    """Return the words of a job, what it makes, and when what it reads was changed.

    A file that has changed since this `began` counts as changed.
    """
    from opchar_reproduction.project.closure import sources
    from opchar_reproduction.project.configuration.config import load
    from opchar_reproduction.project.environment import plan_quickly
    from opchar_reproduction.project.plan import Plan
    from opchar_reproduction.project.records import place_of
    from opchar_reproduction.runs.single_jobs import single_job

    plan_quickly()
    root, settings, address = given
    config = load(Path(root), overrides=json.loads(settings), check=False, here=".")
    job = single_job(Plan(config), config.profile, address)
    made = job.task.outputs[0]
    record = place_of(made)
    code = [str(_file_of(name)) for name in sources().closure(*job.task.functions)]
    seen = _times([*code, *(file for files in job.read.values() for file in files)])
    return {
        "words": job.words(Plan(config)),
        "made": made,
        "record": record.as_posix(),
        "recorded": record.read_text(encoding="utf-8") if record.is_file() else "",
        "files": job.files,
        "seen": {name: changed if changed < began else 0 for name, changed in seen},
        "kind": job.kind,
        "first": job.first,
        "figures": bool(job.task.given.get("figures")),
    }


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
