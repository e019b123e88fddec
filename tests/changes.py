"""Kinds of change to a made project, and the jobs that each may do again."""

import ast
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from checkout import ROOT, Project
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.definitions import function
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.task import Task
from opchar_reproduction.project.tasks import Tasks

Jobs = set[str]
SETTINGS = {"profile": "tiny", "policy": "offline"}
LEDGER = {"compare_with_print", "write_report"}
# Counts the points of score tables for the explorer.
GATHERED = "gather_scores"

# Planned as `opchar run` plans it, with the copy's own code.
PLANNED = """
import json, sys
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.definitions import function
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.runs.running import dry_run
from opchar_reproduction.runs.state import State
settings = json.loads(sys.argv[1])
plan = Plan(load(overrides=settings))
state = State(plan, settings["profile"])
state.remind(settings)
steps = dry_run([], settings, forced=state.stale_or_modified(), config=plan.config)
outputs = {file: step for step in steps for file in step.outputs}
print(json.dumps({f"{s.rule}/{s.subject}".rstrip("/"): state.why(s, outputs) for s in steps}))
"""


def redone(project: Project, policy: str = "offline", **environment: str) -> dict[str, str]:
    """Return the jobs that a run would do, each with the reason that a person is told."""
    settings = json.dumps(SETTINGS | {"policy": policy})
    done = project.python("-c", PLANNED, settings, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


@dataclass(frozen=True)
class Change:
    """A kind of change.

    `name`: for the table; `make`: changes a project, gives what `redone` is asked with, and puts
    everything back; `jobs`: the jobs that may be done again, of a plan; `reason`: what a person is
    told of the first of them.
    """

    name: str
    make: Callable[[Project], object]
    jobs: Callable[[Plan], Jobs]
    reason: str = ""


def found_by(project: Project, *changes: Change) -> dict[str, str]:
    """Return what is done again after changes, all made before one plan, and undo them."""
    given: dict[str, str] = {}
    with ExitStack() as stack:
        for change in changes:
            given |= stack.enter_context(change.make(project)) or {}  # type: ignore[arg-type]
        return redone(project, **given)


# -- what depends on what --------------------------------------------------------------------


def nothing(plan: Plan) -> Jobs:
    return set()


def pages(plan: Plan) -> Jobs:
    return {"write_report"}


def ledger(plan: Plan) -> Jobs:
    return set(LEDGER)


def artefact(plan: Plan, address: str) -> str:
    return f"show_study/{plan.exhibits_folder('tiny', address).split('/', 2)[2]}"


def showing(plan: Plan, *experiments: str) -> Jobs:
    """Return the jobs of experiments and of all that hangs on them."""
    jobs = set(LEDGER)
    for address in experiments:
        jobs.add(f"run_{plan.config.experiments[address]['kind']}/{address}")
    for address in plan.profile_artefacts("tiny"):
        if plan.config.artefacts[address]["experiment"] in experiments:
            jobs.add(artefact(plan, address))
    for paper in plan.config.settings["papers"]:
        entries = plan.statements("tiny", paper).values()
        if any(set(experiments) & set(entry["reads"]) for entry in entries):
            jobs.add(f"judge_statements/{paper}")
    return jobs | read_otherwise(plan, *experiments)


def read_otherwise(plan: Plan, *experiments: str) -> Jobs:
    """Return the jobs of other variants that hang on experiments."""
    jobs = {
        f"run_variants/{name}"
        for name in plan.experiments_with_variants("tiny")
        if name in experiments
    }
    for paper in plan.works_with_variants("tiny"):
        if set(experiments) & set(plan.compared_studies("tiny", paper)):
            jobs.add(f"compare_variants/{paper}")
    return jobs


def weighed(plan: Plan) -> Jobs:
    return {f"compare_variants/{paper}" for paper in plan.works_with_variants("tiny")}


def importing(*modules: str) -> Callable[[Plan], Jobs]:
    """Return the jobs whose code can import one of some modules, and all that hangs on them."""

    def jobs(plan: Plan) -> Jobs:
        found: Jobs = set()
        for task in Tasks(plan).of_profile("tiny"):
            if sources().closure(*task.functions).keys() & set(modules):
                found |= hanging(plan, task)
        return found

    return jobs


def hanging(plan: Plan, task: Task) -> Jobs:
    """Return a job and all that hangs on it."""
    job = f"{task.rule}/{task.name}".rstrip("/")
    if task.rule == "fetch_data":
        views = [name for name in plan.datasets("tiny") if plan.origin(name) == task.name]
        return {job, *(each for name in views for each in with_data(plan, name))}
    if task.rule == "build_features":
        return with_data(plan, task.name)
    if task.rule == "train_models":
        return trained(plan, lambda *table: plan.scores("tiny", *table) == task.outputs[0])
    if task.rule == "run_variants":
        return {job, f"compare_variants/{task.name.split('/')[0]}"} | LEDGER
    if task.rule.startswith("run_"):
        return showing(plan, task.name)
    if task.rule in ("judge_statements", "compare_variants", "compare_with_print"):
        return {job} | LEDGER
    return {job, "write_report"}


def with_data(plan: Plan, dataset: str) -> Jobs:
    """Return the jobs of a data set and all that hangs on it."""
    readers = [
        name
        for name in plan.needed_experiments("tiny")
        if dataset in plan.config.experiments[name].get("features", [])
    ]
    shown = showing(plan, *readers) if readers else set()
    return {f"build_features/{dataset}"} | trained(plan, lambda data, *_: data == dataset) | shown


def of(*experiments: str) -> Callable[[Plan], Jobs]:
    return lambda plan: showing(plan, *experiments)


def trained(plan: Plan, keep: Callable[[str, str], bool] = lambda *_: True) -> Jobs:
    """Return the jobs of trainings and of all that hangs on them."""
    files, jobs = set(), set()
    for wanted in plan.trainings("tiny"):
        if keep(*wanted):
            files.add(plan.scores("tiny", *wanted))
            jobs.add(f"train_models/{'/'.join(wanted)}")
    readers = [
        a for a in plan.needed_experiments("tiny") if files & set(plan.of_data("tiny", a)["scores"])
    ]
    return jobs | showing(plan, *readers) | {GATHERED} if jobs else jobs


def figures(plan: Plan) -> Jobs:
    return {artefact(plan, name) for name in plan.profile_artefacts("tiny", kind="figure")} | pages(
        plan
    )


def tables_of(paper: str) -> Callable[[Plan], Jobs]:
    def jobs(plan: Plan) -> Jobs:
        names = [
            name
            for name in plan.profile_artefacts("tiny", kind="table")
            if name.startswith(f"{paper}/")
        ]
        compared = {
            f"compare_variants/{name}" for name in plan.works_with_variants("tiny") if name == paper
        }
        return {artefact(plan, name) for name in names} | compared | LEDGER

    return jobs


def judged(plan: Plan) -> Jobs:
    return {f"judge_statements/{paper}" for paper in plan.config.settings["papers"]} | LEDGER


def random(plan: Plan) -> Jobs:
    """Return all that draws at random: data, trainings, experiments with a generator, resamples."""
    drawing = [a for a in plan.needed_experiments("tiny") if _draws(plan, a)]
    readers = [a for a in plan.needed_experiments("tiny") if plan.of_data("tiny", a)["scores"]]
    sets = {f"build_features/{name}" for name in plan.datasets("tiny")}
    return sets | trained(plan) | showing(plan, *drawing, *readers) | judged(plan) | weighed(plan)


def _draws(plan: Plan, address: str) -> bool:
    return "spawn" in function(plan.config.experiments[address]["function"]).parameters


def everything_of(*rules: str) -> Callable[[Plan], Jobs]:
    def jobs(plan: Plan) -> Jobs:
        whole = (
            random(plan)
            | showing(plan, *plan.needed_experiments("tiny"))
            | judged(plan)
            | figures(plan)
        )
        return {job for job in whole if job.split("/")[0].startswith(rules)}

    return jobs


def calls_numpy(plan: Plan) -> Jobs:
    fetched = {f"fetch_data/{plan.origin(name)}" for name in plan.datasets("tiny")}
    return fetched | everything_of("")(plan)


# -- changes ---------------------------------------------------------------------------------


def edited(file: str, old: str, new: str) -> Callable[[Project], object]:
    @contextmanager
    def make(project: Project) -> Iterator[None]:
        undo = project.edit(file, old, new)
        try:
            yield
        finally:
            undo()

    return make


def rewritten(file: str, function: str) -> Callable[[Project], object]:
    """Change what a function does by one statement, without changing what it returns."""

    @contextmanager
    def make(project: Project) -> Iterator[None]:
        text = (project.folder / file).read_text(encoding="utf-8")
        nodes = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)]
        node = next(n for n in nodes if n.name == function)
        line = text.splitlines()[node.body[-1].lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        whole = ast.get_source_segment(text, node)
        assert whole is not None
        undo = project.edit(file, whole, whole.replace(f"\n{line}", f"\n{indent}_ = 1\n{line}", 1))
        try:
            yield
        finally:
            undo()

    return make


def a_statement(project: Project) -> object:
    """Change the first statement that the tiny profile judges, or else how all are judged."""
    plan = _plan()
    for paper in plan.config.settings["papers"]:
        for entry in plan.statements("tiny", paper).values():
            module, name = entry["function"].split(":")
            return rewritten(f"src/{module.replace('.', '/')}.py", name)(project)
    return rewritten("src/opchar_reproduction/statements/judging.py", "judge")(project)


def its_work(plan: Plan) -> Jobs:
    for paper in plan.config.settings["papers"]:
        for entry in plan.statements("tiny", paper).values():
            papers = [
                other
                for other in plan.config.settings["papers"]
                if entry["function"]
                in {e["function"] for e in plan.statements("tiny", other).values()}
            ]
            return {f"judge_statements/{name}" for name in papers} | LEDGER
    return judged(plan)


@cache
def _plan() -> Plan:
    return Plan(load(ROOT))


@contextmanager
def unchanged(project: Project) -> Iterator[None]:
    yield


def asked(**given: str) -> Callable[[Project], object]:
    @contextmanager
    def make(project: Project) -> Iterator[dict[str, str]]:
        yield given

    return make


@contextmanager
def with_mirror(project: Project) -> Iterator[dict[str, str]]:
    """Name a mirror that has not what the run needs, spelt with a slash at its end."""
    folder = project.folder / "mirror"
    folder.mkdir()
    try:
        yield {"OPCHAR_MIRROR": f"{folder}/"}
    finally:
        folder.rmdir()


@contextmanager
def without_address(project: Project) -> Iterator[dict[str, str]]:
    """Allow the network; of no set is an official address known."""
    path = project.folder / "config/datasets.yaml"
    text = path.read_text(encoding="utf-8")
    entries = yaml.safe_load(text)
    for entry in entries.values():
        entry.pop("official", None)
    path.write_text(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True), encoding="utf-8")
    try:
        yield {"policy": "auto"}
    finally:
        path.write_text(text, encoding="utf-8")


@contextmanager
def newer_library(project: Project) -> Iterator[None]:
    """Let numpy say that it is another version."""
    folder = project.folder / "src/numpy-99.1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 99.1\n")
    try:
        yield
    finally:
        shutil.rmtree(folder)


def deleted(*files: str) -> Callable[[Project], object]:
    @contextmanager
    def make(project: Project) -> Iterator[None]:
        with ExitStack() as stack:
            for file in files:
                path = project.folder / file
                aside = project.folder / f"aside-{path.name}"
                path.rename(aside)
                stack.callback(_put_back, aside, path)
            yield

    return make


def _put_back(aside: Path, path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    aside.rename(path)


def altered(file: str) -> Callable[[Project], object]:
    """Change one digit of a result by hand, and leave its time as it was."""

    @contextmanager
    def make(project: Project) -> Iterator[None]:
        import os

        path = project.folder / file
        before, times = path.read_bytes(), path.stat()
        text = before.decode()
        position = next(i for i in range(text.index("\n") + 1, len(text)) if text[i] in "12345678")
        path.write_text(text[:position] + "9" + text[position + 1 :], newline="")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    return make


@contextmanager
def restored(project: Project) -> Iterator[None]:
    """Take data and results from a copy, without times, into a folder that has run nothing."""
    with deleted(".snakemake", ".opchar")(project):  # type: ignore[attr-defined]
        try:
            for name in ("data", "results"):
                folder = project.folder / name
                shutil.copytree(folder, project.folder / "copy", copy_function=shutil.copyfile)
                folder.rename(project.folder / f"aside-{name}")
                (project.folder / "copy").rename(folder)
            yield
        finally:
            for name in ("data", "results"):
                shutil.rmtree(project.folder / name)
                (project.folder / f"aside-{name}").rename(project.folder / name)


@contextmanager
def made_anew(project: Project) -> Iterator[None]:
    """Give every made file a new time, what is made of others before these, and the same bytes."""
    import os

    paths = [p for top in ("data", "results") for p in (project.folder / top).rglob("*")]
    files = sorted((p for p in paths if p.is_file()), key=lambda p: -p.stat().st_mtime_ns)
    times = {path: path.stat() for path in files}
    latest = max(said.st_mtime_ns for said in times.values())
    for place, path in enumerate(files, start=1):
        os.utime(path, ns=(latest, latest + place * 1_000_000))
    try:
        yield
    finally:
        for path, said in times.items():
            os.utime(path, ns=(said.st_atime_ns, said.st_mtime_ns))


VOLUME = "src/opchar/multiclass/roc/volume.py"
PR = "src/opchar_reproduction/publications/landgrebe2007/chapter2/precision_recall/draw.py"
EXHIBITS = "src/opchar_reproduction/publications/landgrebe2007/exhibits.csv"
P_ROC = "landgrebe2007/p-roc"
FIGURE = "landgrebe2007/figure-2.5"
REPORT = "src/opchar_reproduction/report"
MARKS = "src/opchar_reproduction/publications/landgrebe2007/chapter2/precision_recall/measure.py"


def figure_and_pages(plan: Plan) -> Jobs:
    return {artefact(plan, FIGURE), "write_report"}


CHANGES = [
    Change("nothing", unchanged, nothing),
    Change(
        "a comment", edited("src/opchar/spaces/points.py", "\ndef ", "\n# a\n\n\ndef "), nothing
    ),
    Change("a docstring", edited("src/opchar/spaces/points.py", '"""', '"""Again. '), nothing),
    Change(
        "a function that nobody calls",
        edited(
            "src/opchar/spaces/roc.py", "\ndef ", "\ndef unused() -> int:\n    return 1\n\n\ndef "
        ),
        importing("opchar/spaces/roc"),
    ),
    Change(
        "a line of the figures' style",
        rewritten("src/opchar/figures/style.py", "save"),
        importing("opchar/figures/style"),
        "its code changed",
    ),
    Change(
        "a setting at the level of a module",
        edited(
            "src/opchar/figures/style.py",
            "\n@contextmanager",
            '\nSTYLE["lines.linewidth"] = 2.5\n\n\n@contextmanager',
        ),
        importing("opchar/figures/style"),
        "its code changed",
    ),
    Change(
        "a rule of verdicts",
        rewritten(f"{REPORT}/comparison/verdicts.py", "judge_number"),
        importing("opchar_reproduction/report/comparison/verdicts"),
        "its code",
    ),
    Change(
        "a line of the pages",
        rewritten(f"{REPORT}/pages/writing.py", "write"),
        pages,
        "its code changed",
    ),
    Change(
        "a template",
        edited(f"{REPORT}/templates/base.html", "</body>", "<hr></body>"),
        importing("opchar_reproduction/report/templates/base.html"),
        "its code changed",
    ),
    Change("a renderer", rewritten(PR, "characteristics"), figure_and_pages, "its code changed"),
    Change("a statement", a_statement, its_work, "its code changed"),
    Change("an experiment", rewritten(MARKS, "p_roc"), of(P_ROC), "its code changed"),
    Change(
        "a library function that one experiment calls",
        rewritten("src/opchar/statistics/variance.py", "friedman"),
        importing("opchar/statistics/variance"),
        "its code changed",
    ),
    Change(
        "a library function that many call",
        rewritten("src/opchar/spaces/points.py", "upper_hull"),
        importing("opchar/spaces/points"),
        "its code changed",
    ),
    Change(
        "a model",
        rewritten("src/opchar/models/classifiers/gaussian.py", "ldc"),
        importing("opchar/models/classifiers/gaussian"),
        "its code changed",
    ),
    Change(
        "another function of a third-party library under the same name",
        edited(VOLUME, "special import ndtr\n", "special import ndtri as ndtr\n"),
        importing("opchar/multiclass/roc/volume"),
        "its code changed",
    ),
    Change(
        "a parameter of an experiment",
        edited(MARKS, "Span = [0.05, 0.2]", "Span = [0.05, 0.3]"),
        of(P_ROC),
        "its code changed (opchar_reproduction/publications/landgrebe2007/chapter2/"
        "precision_recall/measure)",
    ),
    Change(
        "the memory that a job asks for",
        edited("config/config.yaml", "train: {mem_mb: 4000", "train: {mem_mb: 5000"),
        nothing,
    ),
    Change(
        "a protocol",
        edited("config/protocols.yaml", "repeats: 20, test: 0.2", "repeats: 20, test: 0.25"),
        lambda plan: trained(plan, lambda data, table: table == "holdout-20"),
    ),
    Change(
        "the summary of a protocol",
        edited("config/protocols.yaml", "summary: ", "summary: Again "),
        pages,
    ),
    Change(
        "a published value",
        edited(
            "src/opchar_reproduction/publications/landgrebe2007/values.csv", ",0.554,", ",0.555,"
        ),
        tables_of("landgrebe2007"),
    ),
    Change("a caption", edited(EXHIBITS, "One ROC curve (left)", "A ROC curve (left)"), pages),
    Change("the seed", edited("config/config.yaml", "\nseed: ", "\nseed: 1"), random),
    Change("a mirror without the sets", with_mirror, nothing),
    Change("the policy, with no other source", without_address, pages),
    Change(
        "a citation", edited("config/datasets.yaml", "A. Srinivasan", "Ashwin Srinivasan"), pages
    ),
    Change(
        "the version of a library", newer_library, calls_numpy, "made with another version (numpy"
    ),
    Change(
        "a deleted figure",
        deleted("results/tiny/landgrebe2007/p-roc/figure-2.5.svg"),
        figure_and_pages,
        "missing: results/tiny/landgrebe2007/p-roc/figure-2.5.svg",
    ),
    Change("a deleted page", deleted("results/tiny/report/landgrebe2007.html"), pages),
    Change(
        "a deleted summary",
        deleted("results/tiny/report/by-cause.csv"),
        ledger,
        "missing: results/tiny/report/by-cause.csv",
    ),
    Change(
        "a result changed by hand",
        altered(f"results/tiny/experiments/{P_ROC}.csv"),
        lambda plan: showing(plan, P_ROC) - {f"run_variants/{P_ROC}"},
        f"changed by hand: results/tiny/experiments/{P_ROC}.csv",
    ),
    Change("the folder .snakemake deleted", deleted(".snakemake"), nothing),
    Change("the folder .opchar deleted", deleted(".opchar"), nothing),
    Change("data and results restored from a copy", restored, nothing),
    Change("the same bytes, written again later", made_anew, nothing),
    Change("a new shell", asked(LANG="C", TZ="Asia/Tokyo", HOME="/"), nothing),
]


def counted(jobs: dict[str, str] | Jobs) -> str:
    """Return how many jobs of each rule there are, in the words of the rules."""
    order = ("fetch", "build", "train", "run", "show", "judge", "compare variants", "gather")
    order += ("measure", "compare with print", "write")
    counts = Counter(job.split("/")[0] for job in jobs)
    merged: Counter[str] = Counter()
    for rule, count in counts.items():
        words = {"run": "run experiment", "show": "show study", "train": "train models"}
        first = words.get(rule.split("_")[0])
        merged[first or rule.replace("_", " ")] += count
    ranked = sorted(
        merged, key=lambda rule: [rule.startswith(first) for first in order].index(True)
    )
    return ", ".join(f"{rule} {merged[rule]}" for rule in ranked) or "none"
