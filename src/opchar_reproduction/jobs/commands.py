"""The commands of the jobs, one a kind: ``python -m opchar_reproduction.jobs <kind> ...``.

This module is in no job's hash. It calls the function of a kind with the task of the job, checks
that the input files are unchanged, and records the written files.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from opchar.errors import DataError, OpcharError, of_the_machine
from opchar_reproduction.project import records
from opchar_reproduction.project.checked import compiled_folder, refuse_other_code
from opchar_reproduction.project.configuration.config import load, planned_with
from opchar_reproduction.project.configuration.model import Config, lookup
from opchar_reproduction.project.libraries import imported_libraries
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.project.trainings import training_groups

Written = list[Path]
READ = (
    *("raw", "features", "scores", "results", "curves", "statements", "ledger", "published"),
    *("other_results", "other_curves", "weights", "explored"),
    *("artefacts", "provenance"),
)


def fetch(arguments: argparse.Namespace, config: Config) -> Written:
    """Fetch the files of a data set and say where they came from."""
    from opchar_reproduction.jobs.making.fetch import run

    entry = lookup(config.datasets, arguments.data, "data set")
    run(arguments.data, entry, config.settings, provenance=arguments.output)
    arguments.output.touch()
    return [path for path in arguments.output.parent.iterdir() if path.is_file()]


def features(arguments: argparse.Namespace, config: Config) -> Written:
    """Read the fetched files of a data set, or make its stand-in, as a feature table."""
    from opchar_reproduction.jobs.making.features import run

    given = Tasks(Plan(config)).features(arguments.data).given
    run(**given, raw=arguments.raw, table=arguments.output)
    return _with_provenance(arguments.output)


def train(arguments: argparse.Namespace, config: Config) -> Written:
    """Train models and write their scores of test objects, except for tables that are up to date.

    Each has a record of its own, so that a model that did not change is not trained again with
    others of its job.
    """
    from opchar_reproduction.jobs.making.train import run

    plan = Plan(config)
    trained = training_groups(plan, arguments.profile)[arguments.rule]
    tasks = [Tasks(plan).train(arguments.profile, *table) for table in trained]
    if arguments.job.startswith("{"):
        jobs = json.loads(arguments.job)
    else:
        jobs = {task.outputs[0]: str(task) for task in tasks}
        if sha256(json.dumps(jobs).encode()).hexdigest() != arguments.job:
            raise DataError(f"{arguments.rule}: its code has changed since this run was planned")
    for task in tasks:
        table = Path(task.outputs[0])
        (features,) = map(Path, task.inputs)
        job, read = jobs[table.as_posix()], records.check_inputs([features])
        if not records.is_right(table, job, read):
            run(**task.given, features=features, table=table)
            arguments.record(table, job, read, _with_provenance(table))
    return []


def experiment(arguments: argparse.Namespace, config: Config) -> Written:
    """Run an experiment and write its result table and curves."""
    from opchar_reproduction.jobs.making.experiment import run

    run(
        **Tasks(Plan(config)).experiment(arguments.profile, arguments.name).given,
        scores=arguments.scores,
        features=arguments.features,
        table=arguments.table,
        curves=arguments.curves,
    )
    return [arguments.table, arguments.curves]


def variants(arguments: argparse.Namespace, config: Config) -> Written:
    """Run an experiment under each of its variants but the primary one."""
    from opchar_reproduction.jobs.making.variants import run

    run(
        **Tasks(Plan(config)).variants(arguments.profile, arguments.name).given,
        scores=arguments.scores,
        features=arguments.features,
        table=arguments.table,
        curves=arguments.curves,
    )
    return [arguments.table, arguments.curves]


def compare_variants(arguments: argparse.Namespace, config: Config) -> Written:
    """Weigh the variants of a work by what it prints."""
    from opchar_reproduction.jobs.judging.variants import run

    given = Tasks(Plan(config)).compare_variants(arguments.profile, arguments.paper).given
    files = zip(arguments.results, arguments.curves, strict=True)
    others = zip(arguments.other_results, arguments.other_curves, strict=True)
    run(
        **given,
        results=dict(zip(given["experiments"], files, strict=True)),
        others=dict(zip(given["declared"], others, strict=True)),
        published=arguments.published[0].parent,
        tables=arguments.output,
    )
    return list(arguments.output)


def exhibits(arguments: argparse.Namespace, config: Config) -> Written:
    """Draw the figures of a study, and write its tables of our values beside the published ones."""
    plan = Plan(config)
    given = Tasks(plan).exhibits(arguments.profile, arguments.rule).given
    for address, single in given.items():
        files = [Path(file) for file in plan.artefact_files(arguments.profile, address)]
        read = {"results": arguments.results, "files": files}
        if config.artefacts[address]["kind"] == "figure":
            # It needs what draws, which takes longer to load than most tables to write.
            from opchar_reproduction.jobs.showing import figure

            figure.run(**single, **read, curves=arguments.curves)
        else:
            from opchar_reproduction.jobs.showing import table

            table.run(**single, **read, published=arguments.published)
    return list(arguments.output)


def statements(arguments: argparse.Namespace, config: Config) -> Written:
    """Judge the claims of a work on the measurements of its experiments."""
    from opchar_reproduction.jobs.judging.statements import run

    plan = Plan(config)
    given = Tasks(plan).statements(arguments.profile, arguments.paper).given
    names = plan.statement_experiments(arguments.profile, arguments.paper)
    files = zip(arguments.results, arguments.curves, strict=True)
    run(**given, results=dict(zip(names, files, strict=True)), table=arguments.output)
    return [arguments.output]


def ledger(arguments: argparse.Namespace, config: Config) -> Written:
    """Write a verdict for every published line, and summaries of all."""
    from opchar_reproduction.jobs.judging.ledger import run

    run(
        Plan(config),
        arguments.profile,
        results=arguments.results,
        statements=arguments.statements,
        weights=arguments.weights,
        table=arguments.output,
        summaries=arguments.summaries,
    )
    return [arguments.output, *arguments.summaries]


def explorer(arguments: argparse.Namespace, config: Config) -> Written:
    """Gather the score tables of a run for the explorer of the report."""
    from opchar_reproduction.jobs.showing.explorer import run

    given = Tasks(Plan(config)).explorer(arguments.profile).given
    run(**given, scores=arguments.scores, output=arguments.output)
    return [arguments.output]


def report(arguments: argparse.Namespace, config: Config) -> Written:
    """Write the pages."""
    from opchar_reproduction.jobs.showing.report import run

    plan = Plan(config)
    run(
        plan,
        arguments.profile,
        ledger=arguments.ledger,
        provenance=arguments.provenance,
        explored=arguments.explored,
    )
    others = {Path(file) for file in plan.ledger_files(arguments.profile)}
    return [p for p in arguments.output.parent.rglob("*") if p.is_file() and p not in others]


def _with_provenance(table: Path) -> Written:
    return [table, records.sidecar(table)]


def _lists(arguments: argparse.Namespace, plan: Plan) -> dict[str, list[str]]:
    """Return the files that a job reads of which there may be thousands, from the plan.

    The system refuses a command line that names more than some thousand.
    """
    kind, profile = arguments.command, getattr(arguments, "profile", "")
    if kind in ("experiment", "variants"):
        return {
            "scores": plan.experiment_scores(profile, arguments.name),
            "features": plan.experiment_features(arguments.name),
        }
    if kind == "statements":
        results, curves = plan.statement_sources(profile, arguments.paper)
        return {"results": results, "curves": curves}
    if kind == "compare_variants":
        studies = plan.compared_studies(profile, arguments.paper)
        files = [plan.experiment_files(profile, name) for name in studies]
        names = plan.experiments_with_variants(profile)
        others = [
            plan.variant_results(profile, name)
            for name in names
            if name.split("/")[0] == arguments.paper
        ]
        found = {"results": files, "curves": files, "other_results": others, "other_curves": others}
        return {key: [pair["curves" in key] for pair in pairs] for key, pairs in found.items()}
    if kind == "explorer":
        return {"scores": [plan.scores(profile, *table) for table in plan.trainings(profile)]}
    judged = {"statements": plan.statement_tables(profile), "weights": plan.weights(profile)}
    if kind == "ledger":
        return judged | {"results": plan.results(profile)}
    if kind == "report":
        return judged | {
            "results": plan.results(profile),
            "artefacts": [*plan.files(profile), *plan.ledger_files(profile)[1:]],
            "curves": plan.page_curves(profile),
            "provenance": plan.provenance(profile),
        }
    return {}


def _inputs(arguments: argparse.Namespace) -> Iterable[Path]:
    """Yield the files that a job reads: those that other jobs wrote, and the published lines."""
    for name in READ:
        value = getattr(arguments, name, None)
        if name == "curves" and arguments.command in ("experiment", "variants"):
            continue  # it writes them
        yield from [value] if isinstance(value, Path) else value or []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m opchar_reproduction.jobs", description=__doc__)
    parser.add_argument("--config", type=Path, help="the configuration as it was planned with")
    parser.add_argument("--root", type=Path, default=Path(), help="folder of the project")
    parser.add_argument("--settings", type=json.loads, default={}, help="of this run, as JSON")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(function: Callable[..., Written], *options: str, **special: Any) -> None:
        sub = commands.add_parser(function.__name__, help=function.__doc__)
        sub.set_defaults(function=function)
        sub.add_argument("--job", help="the dependencies of the job, for its record")
        for option in options:
            sub.add_argument(f"--{option}", required=True)
        for option, keywords in special.items():
            sub.add_argument(f"--{option}", **keywords)

    _add_jobs(command)
    return parser


def _configuration(chosen: argparse.Namespace) -> Config:
    if chosen.config:
        return planned_with(chosen.config, chosen.root, chosen.settings)
    return load(chosen.root, chosen.settings, check=False, here=".")


def _add_jobs(command: Callable[..., None]) -> None:
    one: dict[str, Any] = {"type": Path, "required": True}
    many: dict[str, Any] = {"type": Path, "nargs": "*", "default": []}
    command(fetch, "data", output=one)
    command(features, "data", raw=one, output=one)
    command(train, "rule", "profile")
    inputs = {"scores": many, "features": many}
    command(experiment, "name", "profile", **inputs, table=one, curves=one)
    command(variants, "name", "profile", **inputs, table=one, curves=one)
    command(compare_variants, "paper", "profile", published=many, output=many)
    command(exhibits, "rule", "profile", results=one, curves=one, published=many, output=many)
    command(statements, "paper", "profile", results=many, curves=many, output=one)
    command(
        ledger,
        "profile",
        published=many,
        output=one,
        summaries=many,
    )
    command(explorer, "profile", output=one)
    command(report, "profile", ledger=one, published=many, explored=one, output=one)


def _recorder(
    job: str, loaded: Mapping[str, tuple[str, bytes]], early: Iterable[str]
) -> Callable[..., None]:
    """Return what records a job if it ran the code that was planned, with the libraries it used."""
    codes = set(re.findall(r"code (\w+);", job))
    before, tops = set(loaded), {name.split(".")[0] for name in sys.modules}.difference(early)

    def record(first: Path, job: str, read: dict[str, str], files: Written) -> None:
        said = dict(part.partition(" ")[::2] for part in job.split("; "))
        refuse_other_code(codes | {said["code"]}, loaded, before)
        counted = [part.split(" ")[0] for part in said["libraries"].split(", ")]
        records.write(first, job, read, files, imported_libraries(counted, tops))

    return record


def main(
    arguments: list[str] | None = None,
    loaded: Mapping[str, tuple[str, bytes]] = MappingProxyType({}),
    early: Iterable[str] = (),
) -> int:
    """Run one job; what a person can mend is said in one line.

    `early`: libraries that the process had loaded for the job before.
    """
    chosen = _parser().parse_args(arguments)
    try:
        config = _configuration(chosen)
        chosen.record = _recorder(chosen.job or "", loaded, early)
        os.environ["NUMBA_CACHE_DIR"] = str(compiled_folder().resolve())
        for name, files in _lists(chosen, Plan(config)).items():
            setattr(chosen, name, getattr(chosen, name, None) or [Path(file) for file in files])
        known = records.check_inputs(_inputs(chosen))
        written = chosen.function(chosen, config)
        if written and chosen.job:
            made = chosen.command in ("experiment", "variants")
            first = chosen.table if made else chosen.output
            first = first[0] if isinstance(first, list) else first
            chosen.record(first, chosen.job, known, written)
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    except (OSError, MemoryError) as error:
        if not (text := of_the_machine(error)):
            raise
        print(f"opchar: {text}", file=sys.stderr)
        return 1
    return 0
