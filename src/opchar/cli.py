"""The command line for people: run, readings, list, where, status, verify, data, ledger, ..."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from opchar import __version__
from opchar.analysis.options import add_ask_options, add_options
from opchar.errors import OpcharError, of_the_machine
from opchar.pipeline.runs.environment import mirror, plan_quickly

if TYPE_CHECKING:
    from opchar.pipeline.plan import Plan


def run(arguments: argparse.Namespace) -> int:
    """Make everything, or the given papers, kinds of work, artefacts and files."""
    from opchar.pipeline.runs import running
    from opchar.pipeline.runs.state import State, preview

    if arguments.reading:
        return _run_reading(arguments)
    plan, profile = _plan(arguments)
    targets = [file for goal in arguments.goals for file in _targets(plan, profile, goal)]
    os.environ["OPCHAR_GOALS"] = " ".join(arguments.goals)
    options = ["--force"] if arguments.force else []
    if arguments.dry_run:
        print("\n".join(preview(plan, profile, targets, _settings(arguments), options)))
        return 0
    state = State(plan, profile)
    state.settle()
    forced = state.untrusted(targets)
    for file in state.changed(forced):
        print(f"changed by hand, made again: {file}", file=sys.stderr)
    if not targets:
        # What tells how a run ended is imported while Snakemake plans.
        Thread(target=import_module, args=("opchar.report.comparison.ledger",)).start()
    status = running.run(
        targets,
        _settings(arguments),
        profile=profile,
        cores=arguments.cores,
        options=options,
        forced=forced,
        config=plan.config,
    )
    if status == 0:
        print("\n".join(_closing(plan, profile, arguments.goals, targets)))
    return status


def _closing(plan: Plan, profile: str, goals: list[str], targets: list[str]) -> list[str]:
    """Return what a finished run tells: the files of its goals, or what the ledger says."""
    from opchar.pipeline.runs.progress import fitted
    from opchar.pipeline.runs.state import ledger_behind

    ledger = Path(plan.ledger_files(profile)[0])
    if goals and goals != ["report"]:
        shown = [f"made: {file}" for file in targets[:20]]
        if len(targets) > 20:
            shown.append(f"made: {len(targets) - 20} more files under results/{profile}/")
        behind = ledger_behind(plan, profile)
        return [*shown, behind] if behind else shown
    import pandas as pd

    from opchar.report.comparison.history import keep
    from opchar.report.comparison.ledger import summary_lines

    lines = pd.read_csv(ledger, dtype=str, keep_default_na=False)
    said = summary_lines(lines, str(ledger.with_name("index.html")))
    return [fitted(line) for line in [*keep(ledger), *said]]


def readings(arguments: argparse.Namespace) -> int:
    """Show how well each reading of the protocol explains what an artefact prints."""
    from opchar.pipeline.configuration.config import known
    from opchar.pipeline.runs import running
    from opchar.report.readings import read_weighed
    from opchar.report.readings_page import told

    plan, profile = _plan(arguments)
    address = arguments.address
    known(plan.config.artefacts, address, "artefact")
    paper = address.split("/")[0]
    files = plan.weighing_files(profile, paper)
    if not all(Path(file).is_file() for file in files):
        if paper not in plan.weighed(profile):
            raise OpcharError(f"no experiment of {paper} declares readings; see docs/readings.md")
        if status := running.run(files, _settings(arguments), profile=profile):
            return status
    lines = told(read_weighed(files), paper, plan.labels(address))
    entry = plan.config.experiments[plan.config.artefacts[address]["experiment"]]
    closed = entry.get("closed", "no published number of it changes with them in this run")
    print("\n".join(lines or [f"{address} has no readings to weigh: {closed}"]))
    return 0


def _run_reading(arguments: argparse.Namespace) -> int:
    """Make one artefact under one reading, in a folder of its own."""
    from opchar.pipeline.configuration.config import known
    from opchar.pipeline.one_reading import make
    from opchar.pipeline.runs import running

    plan, profile = _plan(arguments)
    if len(arguments.goals) != 1:
        raise OpcharError("--reading needs one artefact, as in landgrebe2007/table-2.2")
    experiment = known(plan.config.artefacts, arguments.goals[0], "artefact")["experiment"]
    inputs = [
        *plan.experiment_scores(profile, experiment),
        *plan.experiment_features(experiment),
    ]
    if inputs and (status := running.run(inputs, _settings(arguments), profile=profile)):
        return status
    for file in make(plan, profile, arguments.goals[0], arguments.reading):
        print(f"made: {file}")
    return 0


def list_artefacts(arguments: argparse.Namespace) -> int:
    """List the artefacts of the works with their kind and whether they are built."""
    from opchar.pipeline.listing import artefacts

    plan, profile = _plan(arguments)
    print("\n".join(artefacts(plan, profile, arguments.paper)))
    return 0


def where(arguments: argparse.Namespace) -> int:
    """Show the rule, function, parameters, inputs and files behind an artefact."""
    from opchar.pipeline.listing import describe

    plan, profile = _plan(arguments)
    print("\n".join(describe(plan, profile, arguments.address)))
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Show what is done, what is stale and why, and how long the rest may take."""
    from opchar.pipeline.runs.state import ledger_behind, report

    plan, profile = _plan(arguments)
    said = report(plan, profile, _settings(arguments))
    behind = ledger_behind(plan, profile)
    print("\n".join([*said, behind] if behind else said))
    return 0


def verify(arguments: argparse.Namespace) -> int:
    """Check the bytes of every made file against the record of the job that made it."""
    from opchar.pipeline.runs.progress import fitted
    from opchar.pipeline.runs.state import State

    plan, profile = _plan(arguments)
    checked = list(State(plan, profile).verified())
    wrong = [(file, fault) for file, fault in checked if fault]
    for file, fault in wrong:
        print(fitted(f"{fault}: {file}"))
    print(f"{len(checked) - len(wrong)} of {len(checked)} made files of '{profile}' are right")
    if wrong:
        print(f"make the others again by 'opchar run --profile {profile}'")
    return int(bool(wrong))


def data(arguments: argparse.Namespace) -> int:
    """List the data sets with their state, fetch some, or check the bytes of the fetched ones."""
    from opchar.datasets.listing import states, verify
    from opchar.pipeline.runs import running

    plan, profile = _plan(arguments)
    if arguments.action == "fetch":
        wanted = arguments.names or [n for n, e in plan.config.datasets.items() if "files" in e]
        files = sorted({plan.raw(name) for name in wanted})
        return running.run(files, _settings(arguments), profile=profile)
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
    from opchar.pipeline.runs.state import ledger_behind
    from opchar.report.comparison import expected, query, sizes

    plan, profile = _plan(arguments)
    lines = query.read_ledger(Path(f"results/{profile}/report/ledger.csv"))
    behind = ledger_behind(plan, profile)
    if behind:
        if arguments.check or arguments.renew:
            raise OpcharError(behind)
        print(behind, file=sys.stderr)
    if arguments.renew:
        print(expected.renew(plan, profile, lines))
        return 0
    if arguments.check:
        regressed, said = expected.check(plan, profile, lines)
        print("\n".join(said))
        return int(regressed)
    names = ("paper", "artefact", "verdict", "cause", "search")
    found = query.chosen(lines, **{name: getattr(arguments, name) for name in names})
    if arguments.beside:
        if arguments.beside == profile:
            raise OpcharError(f"--beside: name another profile than '{profile}'")
        others = query.read_ledger(Path(f"results/{arguments.beside}/report/ledger.csv"))
        said, changed = sizes.beside(found, others, profile, arguments.beside)
        print("\n".join([*said, *sizes.told(changed, profile, arguments.beside)]))
        return 0
    print("\n".join([*query.table(found, reasons=arguments.reasons), query.closing(found)]))
    return 0


def analyse(arguments: argparse.Namespace) -> int:
    """Ask your own scores: areas, thresholds, limits, comparisons, with their uncertainty."""
    from opchar.analysis.command import run as run_analysis

    return run_analysis(arguments)


def add(arguments: argparse.Namespace) -> int:
    """Enter a table of your own with all analyses of it, or a file of models, metrics and more."""
    from opchar.pipeline.own.adding import add_data, add_extension
    from opchar.pipeline.own.entries import kept_unless

    plan, _ = _plan(arguments)
    if arguments.what == "extension":
        with kept_unless(lambda: _plan(arguments)):
            said = add_extension(arguments.file, plan.config.settings.get("extensions", []))
        print("\n".join(said))
        return 0
    if not arguments.target:
        raise OpcharError("name the column of classes by --target")
    models = arguments.models.split(",") if arguments.models else None
    with kept_unless(lambda: _plan(arguments)):
        said = add_data(
            arguments.file,
            arguments.target,
            taken=list(plan.config.datasets),
            name=arguments.name,
            models=[name.strip() for name in models] if models else None,
            protocol=arguments.protocol,
        )
    print("\n".join(said))
    return 0


def remove(arguments: argparse.Namespace) -> int:
    """Take an entry of your own out, with all that was made of it."""
    from opchar.pipeline.configuration.config import load
    from opchar.pipeline.own.entries import kept_unless
    from opchar.pipeline.own.removing import remove as take_out

    if (arguments.what == "leftovers") == bool(arguments.name):
        raise OpcharError("name the data set, experiment or file; of leftovers there is no name")
    with kept_unless(lambda: None):
        said = take_out(
            arguments.what, arguments.name or "", lambda: load(_home(), here=".", check=False)
        )
    print("\n".join(said))
    return 0


def new(arguments: argparse.Namespace) -> int:
    """Lay out a folder of your own that uses the workflow as a module."""
    from opchar.pipeline.own.layout import new_project

    print("\n".join(new_project(arguments.folder, Path.cwd())))
    return 0


def ask(arguments: argparse.Namespace) -> int:
    """Ask general claims of the publications of your own scores, or of models on data sets."""
    from opchar.analysis.claims.command import run as run_claims

    if not arguments.data:
        if not arguments.scores:
            raise OpcharError("give files of scores, or data sets of a project by --data")
        if arguments.models or arguments.protocol:
            raise OpcharError(
                "--models and --protocol go with --data, which names what to train on"
            )
        return run_claims(arguments)
    if arguments.scores:
        raise OpcharError("give either files of scores or --data")
    arguments.output = arguments.output and arguments.output.resolve()
    _enter_project()
    status, arguments.scores = _trained(arguments)
    return status or run_claims(arguments)


def _trained(arguments: argparse.Namespace) -> tuple[int, list[Path]]:
    """Have the workflow train models on data sets; return its status and the score tables."""
    from opchar.pipeline.own.adding import ASKED, with_asked
    from opchar.pipeline.plan import Plan
    from opchar.pipeline.records import check_inputs
    from opchar.pipeline.runs import running
    from opchar.pipeline.runs.state import State

    given, profile = _plan(arguments)
    plan = Plan(with_asked(given.config, arguments.data, arguments.models, arguments.protocol))
    files = plan.experiment_scores(profile, ASKED)
    os.environ["OPCHAR_GOALS"] = ASKED
    state = State(plan, profile)
    state.settle()
    status = running.run(
        files,
        _settings(arguments),
        profile=profile,
        forced=state.untrusted(files),
        config=plan.config,
    )
    tables = [Path(file) for file in files]
    if status == 0:
        check_inputs(tables)
    return status, tables


def condition(arguments: argparse.Namespace) -> int:
    """Say whether class sizes, the number of classes or one failing class distort a metric."""
    from opchar.metrics.conditions.command import report_on

    print(report_on(arguments.metric, arguments.folder, arguments.classes, arguments.matrices))
    return 0


def models(arguments: argparse.Namespace) -> int:
    """List the words that models' names are made of, outside a project those of the package."""
    if _project() is None:
        from opchar.models.vocabulary import shipped

        vocabulary = shipped()
    else:
        _enter_project()
        vocabulary = _plan(arguments)[0].config.models
    for word, entry in vocabulary.items():
        print(f"{word:12} {entry['summary']}")
    return 0


def _settings(arguments: argparse.Namespace) -> dict[str, str]:
    """Return what the command line replaces in ``config/config.yaml``."""
    given = {name: getattr(arguments, name) for name in ("profile", "policy")}
    return {name: value for name, value in given.items() if value}


def _plan(arguments: argparse.Namespace) -> tuple[Plan, str]:
    from opchar.pipeline.configuration.config import load
    from opchar.pipeline.plan import Plan

    plan_quickly()
    config = load(_home(), overrides=_settings(arguments), here=".")
    return Plan(config), config.profile


def _home() -> Path:
    """Return where workflow and schemas stand: here, or for a folder of one's own the checkout."""
    here, checkout = Path(), Path(__file__).resolve().parents[2]
    if (here / "config/schemas").is_dir():
        return here
    if (checkout / "config/schemas").is_dir():
        return checkout
    raise OpcharError("the workflow is not in this installation; install from a checkout (pip -e)")


def _targets(plan: Plan, profile: str, goal: str) -> list[str]:
    """Return the files of a goal; a goal that is a path stands for itself.

    Raises
    ------
    OpcharError
        If nothing of it is built: without targets Snakemake would make everything.
    """
    if goal.startswith(("results/", "data/")):
        return [goal]
    targets = plan.targets(profile, goal)
    if not targets:
        raise OpcharError(f"nothing of '{goal}' is built yet: 'opchar list' shows what is")
    return targets


def completion(arguments: argparse.Namespace) -> int:
    """Print what makes a shell complete commands, goals and addresses on the tab key."""
    from opchar.pipeline.completion import script

    print(script(arguments.shell, _parser()), end="")
    return 0


def words(arguments: argparse.Namespace) -> int:
    """Print what may follow a command, for completion."""
    from opchar.pipeline.completion import candidates

    plan, _ = _plan(arguments)
    print("\n".join(candidates(plan, arguments.of, arguments.typed)))
    return 0


def _project() -> Path | None:
    """Return the folder of the project, from wherever inside it."""
    here = Path.cwd()
    for folder in [here, *here.parents]:
        if (folder / "config/config.yaml").is_file() and (folder / "Snakefile").is_file():
            return folder
    return None


def _enter_project() -> None:
    """Go to the folder of the project."""
    folder = _project()
    if folder is None:
        raise OpcharError(
            f"{Path.cwd()}: not inside a checkout of OpChar, which this command needs; change to "
            "its folder first"
        )
    os.chdir(folder)


# What works anywhere, because it needs nothing of the project.
ANYWHERE = (analyse, ask, completion, condition, models)
# Commands that completion asks for the words that may follow; `reading` is an option of `run`.
COMPLETED = ("run", "readings", "reading", "where", "data", "list", "ledger")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="opchar", description=__doc__)
    parser.add_argument("--version", action="version", version=f"opchar {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, function: Any) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        sub.set_defaults(function=function)
        sub.add_argument("--profile", help="tiny, quick or paper; that of config.yaml if not given")
        sub.add_argument("--policy", help="auto, real or offline; that of config.yaml if not given")
        return sub

    sub = command("run", run)
    sub.add_argument("goals", nargs="*", help="paper, kind of work, artefact or file")
    sub.add_argument("--cores", type=_count, help="jobs side by side")
    sub.add_argument(
        "-n", "--dry-run", action="store_true", help="show what would be made and why; make nothing"
    )
    sub.add_argument("--force", action="store_true", help="make the goals even when up to date")
    sub.add_argument("--reading", help="make one artefact under this reading, in its own folder")
    command("readings", readings).add_argument("address", help="as in landgrebe2007/table-2.2")
    command("list", list_artefacts).add_argument("paper", nargs="?", help="only this work")
    command("where", where).add_argument(
        "address", help="as in landgrebe2007/table-2.3, table-2.3, or landgrebe2007:0011"
    )
    command("status", status)
    command("verify", verify)
    sub = command("data", data)
    sub.add_argument("action", nargs="?", choices=["list", "fetch", "verify"], default="list")
    sub.add_argument("names", nargs="*", help="only these data sets")
    command("models", models)
    sub = command("ledger", ledger)
    sub.add_argument("--paper", help="only lines of this work")
    sub.add_argument("--artefact", help="as in table-2.3 or landgrebe2007/table-2.3")
    sub.add_argument("--verdict", help="as in agrees, differs, erratum, 'not comparable'")
    sub.add_argument("--cause", help="as in 'stand-in data', 'random spread'")
    sub.add_argument("--search", help="words that a line must have, in any column")
    sub.add_argument("--reasons", action="store_true", help="with the reason under each line")
    action = sub.add_mutually_exclusive_group()
    action.add_argument(
        "--check", action="store_true", help="exit 1 if a verdict is worse than expected"
    )
    action.add_argument("--beside", metavar="PROFILE", help="which verdicts differ in this profile")
    action.add_argument(
        "--renew", action="store_true", help="make the verdicts of an offline run the expected ones"
    )
    sub = command("completion", completion)
    sub.add_argument("shell", choices=["bash", "zsh"], help="whose completion")
    sub = command("words", words)
    sub.add_argument("of", choices=COMPLETED)
    sub.add_argument("typed", nargs="*", help="of 'reading': the artefact")
    sub = command("analyse", analyse)
    add_options(sub)
    _own_commands(command)
    add_ask_options(command("ask", ask))
    sub = command("condition", condition)
    sub.add_argument("metric", help="module:metric of (..., C, C) matrices, or a name as in acsa")
    sub.add_argument("--classes", type=int, default=4, help="search 2 to so many classes")
    sub.add_argument("--matrices", type=int, default=100_000, help="about how many a search takes")
    sub.set_defaults(folder=Path.cwd())
    return parser


def _own_commands(command: Callable[[str, Any], argparse.ArgumentParser]) -> None:
    """Add the commands on what is a user's own."""
    sub = command("add", add)
    sub.add_argument("what", choices=["data", "extension"])
    sub.add_argument(
        "file", type=lambda path: Path(path).resolve(), help="CSV with a header; Python file"
    )
    sub.add_argument("--target", help="of data: the column of classes")
    sub.add_argument("--name", help="what to call it; after the file if not given")
    sub.add_argument("--models", help="names by commas, as in 'sc ldc, sc knnc3'")
    sub.add_argument("--protocol", default="holdout-10", help="as in config/protocols.yaml")
    sub = command("remove", remove)
    sub.add_argument("what", choices=["data", "experiment", "extension", "leftovers"])
    sub.add_argument("name", nargs="?", help="of yours; leftovers are of entries that are gone")
    sub = command("new", new)
    sub.add_argument("folder", type=lambda path: Path(path).resolve(), help="not there yet")


def _count(text: str) -> int:
    """Read a whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; what a person can mend is said in one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode
    chosen = _parser().parse_args(arguments)
    try:
        if chosen.function not in ANYWHERE:
            _enter_project()
        return int(chosen.function(chosen))
    except OpcharError as error:
        print(f"opchar: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("opchar: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stdout = None  # the reader has seen enough, as in `opchar list | head`
        return 1
    except (OSError, MemoryError) as error:
        if not (said := of_the_machine(error)):
            raise
        print(f"opchar: {said}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
