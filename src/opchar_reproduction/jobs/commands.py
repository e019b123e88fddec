"""The jobs of the workflow, one a kind: ``python -m opchar_reproduction.jobs <kind> ...``.

A job is a function of its command line and of the files that it names. This module is in no job's
hash. It checks that the input files are unchanged, calls the function of the kind with what the
command line gives, and records the written files.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from opchar.errors import OpcharError, of_the_machine
from opchar_reproduction import publication
from opchar_reproduction.project import records
from opchar_reproduction.project.checked import refuse_other_code
from opchar_reproduction.project.configuration.model import unpack_keys
from opchar_reproduction.project.libraries import imported_libraries


class Job(NamedTuple):
    """One kind of job: its function, and the options with the files that it reads and writes.

    An option with a star takes any number of files. What is written beside the named files the
    function returns.
    """

    function: str
    reads: str
    writes: str


JOBS = {
    "fetch": Job("making.fetch:run", "planned", "provenance"),
    "features": Job("making.features:run", "raw", "table"),
    "train": Job("making.train:run", "features", "table"),
    "measure": Job("making.experiment:run", "scores* features*", "table curves"),
    "variants": Job("making.variants:run", "scores* features*", "table curves"),
    "exhibits": Job("showing.exhibits:run", "results curves published*", "folder"),
    "statements": Job("judging.statements:run", "results* curves*", "table"),
    "compare": Job(
        "judging.variants:run",
        "results* curves* other_results* other_curves* published*",
        "tables*",
    ),
    "ledger": Job(
        "judging.ledger:run", "results* statements* weights* published*", "table summaries*"
    ),
    "explorer": Job("showing.explorer:run", "scores*", "output"),
    "report": Job(
        "showing.report:run",
        "planned ledger summaries* results* statements* weights* artefacts* provenance* explored "
        "curves* published*",
        "output",
    ),
}


def _read_arguments(text: str) -> dict[str, Any]:
    """Read the arguments of a job: JSON, or ``@`` and the file that holds it."""
    said = Path(text[1:]).read_text(encoding="utf-8") if text.startswith("@") else text
    return dict(json.loads(said, object_hook=unpack_keys))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m opchar_reproduction.jobs", description=__doc__)
    outside = "folder of a publication from outside"
    parser.add_argument("--publication", action="append", type=Path, default=[], help=outside)
    parser.add_argument("--compiled", type=Path, help="where numba keeps what it compiles")
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, job in JOBS.items():
        sub = kinds.add_parser(kind, help=job.function)
        sub.add_argument("--job", default="", help="the dependencies of the job, for its record")
        sub.add_argument(
            "--given", type=_read_arguments, default={}, help="its arguments, as JSON or @file"
        )
        for option in f"{job.reads} {job.writes}".split():
            many = {"nargs": "*", "default": []} if option.endswith("*") else {"required": True}
            sub.add_argument(f"--{option.removesuffix('*').replace('_', '-')}", type=Path, **many)
    return parser


def _files_of_options(chosen: argparse.Namespace, options: str) -> dict[str, Any]:
    """Return the files that some options of a command line name, by option."""
    names = [option.removesuffix("*") for option in options.split()]
    return {name: getattr(chosen, name) for name in names}


def _flat(named: Mapping[str, Any]) -> list[Path]:
    return [
        path for value in named.values() for path in (value if isinstance(value, list) else [value])
    ]


def files_within(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files; of a folder, those that it holds but for Snakemake's own."""
    for path in paths:
        if path.is_dir():
            inside = (each for each in sorted(path.rglob("*")) if each.is_file())
            yield from (each for each in inside if each.name != records.SNAKEMAKES)
        else:
            yield path


def function_of(job: Job) -> Callable[..., Any]:
    """Return the function of a kind of job."""
    module, _, name = job.function.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"opchar_reproduction.jobs.{module}"), name)
    return found


def _read_config(file: Path) -> Any:
    from opchar_reproduction.project.configuration.config import read_resolved

    return read_resolved(file)


class Start(NamedTuple):
    """What was loaded when a job began: modules of this project, and names of all packages."""

    modules: set[str]
    packages: set[str]


def loaded_now(loaded: Iterable[str]) -> Start:
    """Return what is loaded now."""
    return Start(set(loaded), {name.split(".")[0] for name in (*loaded, *sys.modules)})


def _record(
    job: str,
    loaded: Mapping[str, tuple[str, bytes]],
    start: Start,
    first: Path,
    read: dict[str, str],
    files: Iterable[Path],
) -> None:
    """Record a job if it ran the code that was planned, with the libraries that it used."""
    said = dict(part.partition(" ")[::2] for part in job.split("; "))
    refuse_other_code(re.findall(r"code (\w+);", job), loaded, start.modules)
    counted = [part.split(" ")[0] for part in said["libraries"].split(", ")]
    libraries = imported_libraries(counted, start.packages)
    records.write(first, job, read, files, libraries)


def main(
    arguments: list[str] | None = None,
    loaded: Mapping[str, tuple[str, bytes]] = MappingProxyType({}),
    start: Start | None = None,
    later: Callable[[], tuple[str, dict[str, str]]] | None = None,
) -> int:
    """Run one job; what a person can mend is said in one line.

    `start`: what was loaded before, where that is not what is loaded now. `later`: gives the
    dependencies of the job and the digests of its inputs, which another process checks meanwhile.
    """
    chosen = _parser().parse_args(arguments)
    job = JOBS[chosen.kind]
    try:
        reads, writes = _files_of_options(chosen, job.reads), _files_of_options(chosen, job.writes)
        # The configuration of a run is no input: what a job takes from it is in its own hash.
        planned = {"planned": _read_config(reads.pop("planned"))} if "planned" in reads else {}
        start = start or loaded_now(loaded)
        if chosen.compiled:
            os.environ["NUMBA_CACHE_DIR"] = str(chosen.compiled.resolve())
        publication.make_importable({folder.name: folder for folder in chosen.publication})
        known = {} if later else records.check_inputs(files_within(_flat(reads)))
        besides = function_of(job)(**chosen.given, **planned, **reads, **writes) or []
        said, known = later() if later else (chosen.job, known)
        if said:
            first, *others = _flat(writes)
            written = records.with_sidecars(files_within([first, *others]))
            _record(said, loaded, start, first, known, {*written, *besides})
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    except (OSError, MemoryError) as error:
        if not (text := of_the_machine(error)):
            raise
        print(f"opchar: {text}", file=sys.stderr)
        return 1
    return 0
