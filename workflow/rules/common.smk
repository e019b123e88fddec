import json
import shlex
import sys
from hashlib import sha256
from pathlib import Path

# The checkout is found from this file: nothing has to be installed, and any folder may be worked in.
HOME = Path(str(workflow.current_basedir)).resolve().parents[1]
sys.path.insert(0, str(HOME / "src"))

from opchar.errors import OpcharError
from opchar_reproduction.project.configuration.config import (
    CONFIGS,
    load,
    place_of,
    read_resolved,
)
from opchar_reproduction.project.configuration.model import PROFILES
from opchar_reproduction.project.environment import (
    goals,
    mirror,
    resolved_config,
    source_of_command,
)
from opchar_reproduction.project.plan import Plan, one_of
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.project.trainings import subject, training_groups
from opchar_reproduction.publication import MARGINS, from_here

ROOT = Path(".") if HOME == Path.cwd() else HOME

GIVEN = {key: value for key, value in config.items() if key != "captions"}

try:
    if resolved_config() and source_of_command() != str(HOME / "src"):
        raise OpcharError(
            f"{HOME}: the workflow of another OpChar than that of this command, which stands in "
            f"{source_of_command()}: use the command of the first"
        )
    if resolved_config():
        CONFIG = read_resolved(resolved_config())
    else:
        CONFIG = load(ROOT, GIVEN, here=".")
    PLAN = Plan(CONFIG)
    PLAN.require_real(mirror(), goals())
except OpcharError as error:
    sys.exit(f"opchar: {error}")

TASKS = Tasks(PLAN)
PROFILE = CONFIG.profile
EXHIBITS = PLAN.exhibits(PROFILE)
TRAININGS = training_groups(PLAN, PROFILE)
# Studies, their figures and their claims come first: to judge claims takes long and needs no other variants.
# These come second, since to compare them takes long, too; what only the pages need is made beside that.
FIRST, SECOND = 2, 1
# Characters of one word of a command; the system refuses twice as many.
LONGEST = 60_000
ENVIRONMENT = "../../environment.yml"
IMAGE = (ROOT / "container/opchar.sif").as_posix()
# Snakemake takes no image with a blank in its path, and would refuse to plan without one too.
CONTAINER = IMAGE if " " not in IMAGE else None

# What the jobs of this run use is what was planned with, mirrors of the shell included.
CONFIG.settings["mirrors"] = PLAN.mirrors(mirror())
SETTINGS = json.dumps(GIVEN | {"mirrors": CONFIG.settings["mirrors"]})
PLANNED = place_of(CONFIG, CONFIGS).as_posix()

# Captions are for Snakemake's own report; as parameters of rules they would draw figures again.
config["captions"] = {
    show: [
        {key: CONFIG.artefacts[name][key] for key in ("title", "caption")}
        for name in names
    ]
    for show, names in EXHIBITS.items()
}


# In an environment of conda or a container Python is what it calls so, else the one that plans.
JOBS = HOME / "src/opchar_reproduction/jobs/__main__.py"
PYTHON = "python" if workflow.deployment_settings.deployment_method else sys.executable
START = shlex.join(
    [
        *("env", f"PYTHONPATH={HOME / 'src'}", PYTHON, "-P", str(JOBS)),
        *("--config", PLANNED, "--root", ROOT.as_posix(), "--settings", SETTINGS),
    ]
).translate({ord("{"): "{{", ord("}"): "}}"})


wildcard_constraints:
    profile=one_of(PROFILES),
    paper=one_of(
        {name.split("/")[0] for name in CONFIG.artefacts}
        | set(CONFIG.settings["papers"])
    ),
    dataset=one_of(CONFIG.datasets),


def command(job):
    """Return the command of a job, with the configuration that this run was planned with."""
    return f"{START} {job}"


def names(kind):
    """Match the experiments of one kind of work."""
    return one_of(PLAN.experiments(kind))


def names_with_variants():
    """Match the experiments of which more than one variant is run."""
    entries = CONFIG.experiments
    return one_of(a for a in PLAN.experiments() if "variants" in entries[a])


def memory(job):
    """Return what gives the megabytes a kind of job asks a cluster for: more with each attempt."""
    first = CONFIG.resources(job)["mem_mb"]

    def asked(wildcards, attempt):
        return first * attempt

    return asked


def minutes(job):
    """Return the minutes that a kind of job asks a cluster for."""
    return CONFIG.resources(job)["runtime"]


def everything_made(wildcards):
    return PLAN.everything(PROFILE)


def goal_files(goal):
    """Return the input function of a goal: the files of goals nobody asks for are not listed."""
    return lambda wildcards: PLAN.targets(PROFILE, goal)


def raw_data(wildcards):
    return PLAN.raw(wildcards.dataset)


def experiment_scores(wildcards):
    return PLAN.experiment_scores(wildcards.profile, wildcards.experiment)


def experiment_features(wildcards):
    return PLAN.experiment_features(wildcards.experiment)


def owner(show):
    """Return the owner of figures and tables, a work or ``own``."""
    return EXHIBITS[show][0].split("/")[0]


def exhibit_sources(show):
    return PLAN.artefact_sources(PROFILE, EXHIBITS[show][0])


def published_lines(show):
    """Return what a work prints, and its title, for its tables; a user's own have none."""
    kinds = {CONFIG.artefacts[name]["kind"] for name in EXHIBITS[show]}
    beside = "table" in kinds and owner(show) != "own"
    return PLAN.published_files("values", "about", work=owner(show)) if beside else []


def with_captions(show):
    """Return the files of a show, the first of each artefact for the report of Snakemake."""
    files = []
    for address in EXHIBITS[show]:
        kind, (paper, label) = CONFIG.artefacts[address]["kind"], address.split("/")
        first, *others = PLAN.artefact_files(PROFILE, address)
        shown = report(
            first,
            caption="../report/artefact.rst",
            category=paper,
            subcategory=f"{kind}s",
            labels={"artefact": label},
        )
        files += [shown, *others]
    return files


def exhibits_job(show):
    return lambda wildcards: str(TASKS.exhibits(PROFILE, show))


def printed_numbers(wildcards):
    return PLAN.published_files("values", "errata", work=wildcards.paper)


def compared_studies(wildcards):
    return PLAN.compared_studies(wildcards.profile, wildcards.paper)


def compared_results(wildcards):
    return [
        PLAN.experiment_files(wildcards.profile, name)[0]
        for name in compared_studies(wildcards)
    ]


def compared_curves(wildcards):
    return [
        PLAN.experiment_files(wildcards.profile, name)[1]
        for name in compared_studies(wildcards)
    ]


def other_results(wildcards):
    return [
        PLAN.variant_results(wildcards.profile, name)[0]
        for name in PLAN.experiments_with_variants(wildcards.profile)
        if name.startswith(f"{wildcards.paper}/")
    ]


def other_curves(wildcards):
    return [
        PLAN.variant_results(wildcards.profile, name)[1]
        for name in PLAN.experiments_with_variants(wildcards.profile)
        if name.startswith(f"{wildcards.paper}/")
    ]


def all_weights(wildcards):
    return PLAN.weights(wildcards.profile)


def all_results(wildcards):
    return PLAN.results(wildcards.profile)


def all_scores(wildcards):
    trained = PLAN.trainings(wildcards.profile)
    return [PLAN.scores(wildcards.profile, *wanted) for wanted in trained]


def page_curves(wildcards):
    return PLAN.page_curves(wildcards.profile)


def statement_results(wildcards):
    return PLAN.statement_sources(wildcards.profile, wildcards.paper)[0]


def statement_curves(wildcards):
    return PLAN.statement_sources(wildcards.profile, wildcards.paper)[1]


def all_judged(wildcards):
    return PLAN.statement_tables(wildcards.profile)


def all_summaries(wildcards):
    return PLAN.ledger_files(wildcards.profile)[1:]


def all_artefacts(wildcards):
    return PLAN.files(wildcards.profile)


def all_provenance(wildcards):
    return PLAN.provenance(wildcards.profile)


def fetch_job(wildcards):
    return str(TASKS.fetch(wildcards.dataset))


def features_job(wildcards):
    return str(TASKS.features(wildcards.dataset))


def trained_by(rule):
    """Return the tasks of the score tables that a rule makes."""
    return [TASKS.train(PROFILE, *table) for table in TRAININGS[rule]]


def feature_tables(rule):
    return sorted({PLAN.features(dataset) for dataset, _, _ in TRAININGS[rule]})


def score_tables(rule):
    return [PLAN.scores(PROFILE, *table) for table in TRAININGS[rule]]


def score_provenance(rule):
    return [file.removesuffix(".parquet") + ".json" for file in score_tables(rule)]


def train_job(rule):
    """Return what gives what each score table of a rule depends on, by its file."""
    return lambda wildcards: json.dumps(
        {task.outputs[0]: str(task) for task in trained_by(rule)}
    )


def short_job(rule):
    """Return what gives that for a command line, which has no room for thousands of tables."""

    def short(wildcards):
        text = train_job(rule)(wildcards)
        return text if len(text) < LONGEST else sha256(text.encode()).hexdigest()

    return short


def experiment_job(wildcards):
    return str(TASKS.experiment(wildcards.profile, wildcards.experiment))


def variants_job(wildcards):
    return str(TASKS.variants(wildcards.profile, wildcards.experiment))


def compare_variants_job(wildcards):
    return str(TASKS.compare_variants(wildcards.profile, wildcards.paper))


def statements_job(wildcards):
    return str(TASKS.statements(wildcards.profile, wildcards.paper))


def ledger_job(wildcards):
    return str(TASKS.ledger(wildcards.profile))


def explorer_job(wildcards):
    return str(TASKS.explorer(wildcards.profile))


def report_job(wildcards):
    return str(TASKS.report(wildcards.profile))
