"""Commands on a run: making files, their state, and the ledger."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NoReturn

from opchar.errors import OpcharError
from opchar_reproduction.commands.project import given_settings, home, project_plan, targets_of
from opchar_reproduction.project.environment import job_environment, mirror
from opchar_reproduction.project.kernels import caution

if TYPE_CHECKING:
    from opchar_reproduction.project.plan import Plan


def run(arguments: argparse.Namespace) -> int:
    """Make everything, or the given publications, kinds of work, artefacts and files."""
    from opchar.datasets.inventory import absent_mirrors
    from opchar_reproduction.runs import running
    from opchar_reproduction.runs.state import State, preview

    if arguments.variant:
        return _run_variant(arguments)
    plan, profile = project_plan(arguments)
    targets = [file for goal in arguments.goals for file in targets_of(plan, profile, goal)]
    os.environ["OPCHAR_GOALS"] = " ".join(arguments.goals)
    options = ["--force"] if arguments.force else []
    if arguments.dry_run:
        print("\n".join(preview(plan, profile, targets, given_settings(arguments), options)))
        return 0
    absent = absent_mirrors(plan.mirrors(mirror()))
    for line in filter(None, [caution(), *absent]):
        print(line, file=sys.stderr)
    state = State(plan, profile)
    state.remind(given_settings(arguments))
    forced = state.stale_or_modified(targets)
    # A workflow that takes this one as a module has a goal of its own, of which nothing is known.
    known = targets or home() == Path()
    for file in state.modified_files(forced):
        print(f"changed by hand, made again: {file}", file=sys.stderr)
    # What tells how a run ended is imported while Snakemake plans.
    early = Thread(target=import_module, args=("opchar_reproduction.report.comparison.totals",))
    if not targets:
        early.start()
    try:
        status = running.run(
            targets,
            given_settings(arguments),
            profile=profile,
            cores=arguments.cores,
            options=options,
            forced=forced,
            config=plan.config,
            expected=state.expected_jobs(targets) if known else (),
        )
    finally:
        if early.ident:  # an import fails in a Python that ends
            early.join()
    if status == 0:
        print("\n".join(_closing_lines(plan, profile, arguments.goals, targets)))
    return status


def _closing_lines(plan: Plan, profile: str, goals: list[str], targets: list[str]) -> list[str]:
    """Return the last lines of a run: the files of its goals, or the totals of the ledger."""
    from opchar_reproduction.runs.progress import fit_line
    from opchar_reproduction.runs.state import ledger_behind

    ledger = Path(plan.ledger_files(profile)[0])
    if goals and goals != ["report"]:
        artefacts = [goal for goal in goals if goal in plan.config.artefacts]
        files = [file for name in artefacts for file in plan.artefact_files(profile, name)]
        files += [file for file in targets if file not in plan.folders(profile, artefacts)]
        shown = [f"made: {file}" for file in files[:20]]
        if len(files) > 20:
            shown.append(f"made: {len(files) - 20} more under results/{profile}/")
        behind = ledger_behind(plan, profile)
        return [*shown, behind] if behind else shown
    if not ledger.exists():
        return []
    import pandas as pd

    from opchar_reproduction.report.comparison.totals import summary_lines
    from opchar_reproduction.report.publishing import certify

    lines = pd.read_csv(ledger, dtype=str, keep_default_na=False)
    summary = summary_lines(lines, str(ledger.with_name("index.html")))
    certify(ledger.parent, Path("logs") / profile)
    return [fit_line(line) for line in summary]


def draw(arguments: argparse.Namespace) -> NoReturn:
    """Draw a figure or table, write pages or judge a claim again, without planning a whole run."""
    words = [sys.executable, "-P", str(Path(__file__).parents[1] / "runs/drawing.py"), str(home())]
    words += [json.dumps(given_settings(arguments)), arguments.address]
    words += ["--watch"][: arguments.watch]
    os.execve(sys.executable, words, job_environment(os.environ))


def variants(arguments: argparse.Namespace) -> int:
    """Show how well each variant of the protocol explains what an artefact prints."""
    from opchar_reproduction.project.configuration.model import lookup
    from opchar_reproduction.report.variant_tables import read_variant_tables
    from opchar_reproduction.report.variants_page import variant_lines
    from opchar_reproduction.runs import running

    plan, profile = project_plan(arguments)
    address = arguments.address
    lookup(plan.config.artefacts, address, "artefact")
    paper = address.split("/")[0]
    files = plan.compared_variant_files(profile, paper)
    if not all(Path(file).is_file() for file in files):
        if paper not in plan.works_with_variants(profile):
            raise OpcharError(
                f"a run of profile '{profile}' makes no variants of {paper}, as no line of it "
                "differs: use --profile paper; see docs/variants.md"
            )
        if status := running.run(files, given_settings(arguments), profile=profile):
            return status
    lines = variant_lines(read_variant_tables(files), paper, plan.labels(address))
    entry = plan.config.experiments[plan.config.artefacts[address]["experiment"]]
    closed = entry.get("nothing_open", "no published number of it changes with them in this run")
    print("\n".join(lines or [f"{address} has no variants to weigh: {closed}"]))
    return 0


def _run_variant(arguments: argparse.Namespace) -> int:
    """Make one artefact under one variant, in a folder of its own."""
    from opchar_reproduction.project.configuration.model import lookup
    from opchar_reproduction.runs import running
    from opchar_reproduction.runs.one_variant import make

    plan, profile = project_plan(arguments)
    if len(arguments.goals) != 1:
        raise OpcharError("--variant needs one artefact, as in landgrebe2007/table-2.2")
    experiment = lookup(plan.config.artefacts, arguments.goals[0], "artefact")["experiment"]
    inputs = [file for files in plan.of_data(profile, experiment).values() for file in files]
    if inputs and (status := running.run(inputs, given_settings(arguments), profile=profile)):
        return status
    for file in make(plan, profile, arguments.goals[0], arguments.variant):
        print(f"made: {file}")
    return 0


def list_artefacts(arguments: argparse.Namespace) -> int:
    """List the artefacts of the publications with their kind and whether they are built."""
    from opchar_reproduction.runs.overview import artefacts

    plan, profile = project_plan(arguments)
    print("\n".join(artefacts(plan, profile, arguments.paper)))
    return 0


def where(arguments: argparse.Namespace) -> int:
    """Show the rule, function, parameters, inputs and files behind an artefact."""
    from opchar_reproduction.runs.overview import describe

    plan, profile = project_plan(arguments)
    print("\n".join(describe(plan, profile, arguments.address)))
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Show what is done, what is stale and why, and how long the rest may take."""
    from opchar_reproduction.runs.state import ledger_behind, report

    plan, profile = project_plan(arguments)
    report_lines = report(plan, profile, given_settings(arguments))
    behind = ledger_behind(plan, profile)
    print("\n".join([*report_lines, behind] if behind else report_lines))
    return 0


def verify(arguments: argparse.Namespace) -> int:
    """Check the bytes of every made file against the record of the job that made it."""
    from opchar_reproduction.runs.progress import fit_line
    from opchar_reproduction.runs.state import State

    plan, profile = project_plan(arguments)
    checked = list(State(plan, profile).verify())
    if not checked:
        print(f"no file of '{profile}' is made yet")
        return 0
    wrong = [(file, fault) for file, fault in checked if fault]
    for file, fault in wrong:
        print(fit_line(f"{fault}: {file}"))
    print(f"{len(checked) - len(wrong)} of {len(checked)} made files of '{profile}' are right")
    if wrong:
        advice = "remove what no job made, and make the others again by"
        print(f"{advice} 'opchar run --profile {profile}'")
    return int(bool(wrong))


def publish(arguments: argparse.Namespace) -> int:
    """Copy the report into a folder for a static host, after checking its links."""
    from opchar_reproduction.report.publishing import publish, recorded_origin

    plan, profile = project_plan(arguments)
    report = Path(plan.ledger_files(profile)[0]).parent
    files = publish(report, arguments.folder, recorded_origin(report, Path("logs") / profile))
    size = sum((arguments.folder / file).stat().st_size for file in files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB: {arguments.folder / 'index.html'}")
    return 0


def data(arguments: argparse.Namespace) -> int:
    """List the data sets with their state, fetch some, or check the bytes of the fetched ones."""
    from opchar.datasets.inventory import absent_mirrors, states, verify
    from opchar_reproduction.runs import running
    from opchar_reproduction.runs.state import data_outdated

    plan, profile = project_plan(arguments)
    for line in absent_mirrors(plan.mirrors(mirror())):
        print(line, file=sys.stderr)
    if arguments.action == "fetch":
        wanted = arguments.names or [n for n, e in plan.config.datasets.items() if "files" in e]
        files = sorted({plan.raw(name) for name in wanted})
        old = [plan.raw(name) for name in wanted if data_outdated(plan, plan.origin(name))]
        return running.run(files, given_settings(arguments), profile=profile, forced=old)
    chosen = {plan.origin(name) for name in arguments.names or plan.config.datasets}
    settings, folder = plan.config.settings, Path("data/raw")
    registry = {name: plan.config.datasets[name] for name in plan.config.datasets if name in chosen}
    if arguments.action == "verify":
        checked = verify(registry, raw_root=folder)
        for item in checked:
            print(
                f"{'wrong' if item.fault else 'right':6} {item.name}/{item.file} {item.fault or ''}"
            )
        return int(any(item.fault for item in checked))
    for state in states(
        registry,
        raw_root=folder,
        policy=settings["policy"],
        mirrors=plan.mirrors(mirror()),
        user_folders=settings["folders"],
    ):
        print(f"{state.state:21} {state.name:22} {state.title}")
        print("\n".join(f"{'':45}{line}" for line in (state.source, state.action) if line))
    return 0


def ledger(arguments: argparse.Namespace) -> int:
    """Show lines of the ledger, or compare all verdicts with the expected or another profile's."""
    from opchar_reproduction.report.comparison import expected_verdicts, query, sizes
    from opchar_reproduction.runs.state import ledger_behind

    plan, profile = project_plan(arguments)
    if arguments.frozen:
        return _frozen(plan)
    lines = query.read_ledger(Path(f"results/{profile}/report/ledger.csv"))
    behind = ledger_behind(plan, profile)
    if behind:
        if arguments.check or arguments.renew:
            raise OpcharError(behind)
        print(behind, file=sys.stderr)
    if arguments.renew:
        print(expected_verdicts.renew(lines, plan.works(), profile, plan.provenance(profile)))
        return 0
    if arguments.check:
        regressed, changes = expected_verdicts.check(
            lines, plan.works(), profile, plan.provenance(profile)
        )
        print("\n".join(changes))
        return int(regressed)
    names = ("paper", "artefact", "outcome", "verdict", "cause", "search")
    found = query.matching_lines(lines, **{name: getattr(arguments, name) for name in names})
    if arguments.beside:
        if arguments.beside == profile:
            raise OpcharError(f"--beside: name another profile than '{profile}'")
        others = query.read_ledger(Path(f"results/{arguments.beside}/report/ledger.csv"))
        compared, changed = sizes.compare_profiles(found, others, profile, arguments.beside)
        print("\n".join([*compared, *sizes.change_lines(changed, profile, arguments.beside)]))
        return 0
    print("\n".join([*query.table(found, reasons=arguments.reasons), query.counts_in_words(found)]))
    return 0


def proofread(arguments: argparse.Namespace) -> int:
    """Check printed tables, lists, abbreviations and references; exit 1 on what is undecided."""
    from opchar_reproduction.report.proofreading.checks import finding_lines
    from opchar_reproduction.report.proofreading.facts import read_decided, read_facts

    plan, _ = project_plan(arguments)
    works = plan.works()
    if arguments.paper and arguments.paper not in works:
        raise OpcharError(f"no work '{arguments.paper}': {', '.join(works)}")
    folders = {arguments.paper: works[arguments.paper]} if arguments.paper else works
    wrong, lines = finding_lines(read_facts(folders), read_decided(folders))
    print("\n".join(lines))
    return int(wrong)


def _frozen(plan: Plan) -> int:
    """Report for which criteria the history shows that they were set before the first result."""
    from opchar_reproduction.runs import frozen

    found = frozen.check(plan.config.statements, plan.config.root)
    print("\n".join(frozen.report_lines(plan.config.statements, found)))
    return int(any(each.wrong for each in found))


def words(arguments: argparse.Namespace) -> int:
    """Print the possible next words of a command, for completion."""
    from opchar_reproduction.runs.completion import candidates

    plan, _ = project_plan(arguments)
    print("\n".join(candidates(plan, arguments.of, arguments.typed)))
    return 0
