import json
import shlex
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

# The checkout is found from this file: nothing has to be installed, and any folder may be worked in.
HOME = Path(str(workflow.current_basedir)).resolve().parents[1]
sys.path.insert(0, str(HOME / "src"))

from opchar.errors import OpcharError
from opchar.files import write_text
from opchar_reproduction.project.checked import compiled_folder
from opchar_reproduction.project.configuration.config import (
    CONFIGS,
    load,
    place_of,
    read_resolved,
    write_resolved,
)
from opchar_reproduction.project.configuration.model import PROFILES, pack_keys
from opchar_reproduction.project.environment import (
    goals,
    mirror,
    resolved_config,
    source_of_command,
)
from opchar_reproduction.project.plan import Plan, one_of
from opchar_reproduction.project.tasks import Tasks
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
PLANNED = place_of(CONFIG, CONFIGS).as_posix()
with suppress(OSError):  # a folder that cannot be written can still be planned in
    write_resolved(CONFIG, CONFIGS)

# Captions are for Snakemake's own report; as parameters of rules they would draw figures again.
config["captions"] = {
    name: {key: CONFIG.artefacts[name][key] for key in ("title", "caption")}
    for names in EXHIBITS.values()
    for name in names
}


# In an environment of conda or a container Python is what it calls so, else the one that plans.
JOBS = HOME / "src/opchar_reproduction/jobs/__main__.py"
PYTHON = "python" if workflow.deployment_settings.deployment_method else sys.executable
START = shlex.join(
    [
        *("env", f"PYTHONPATH={HOME / 'src'}", PYTHON, "-P", str(JOBS)),
        *("--compiled", compiled_folder().as_posix()),
        *(f"--publication={folder}" for folder in PLAN.outside()),
    ]
).translate({ord("{"): "{{", ord("}"): "}}"})


wildcard_constraints:
    profile=one_of(PROFILES),
    paper=one_of(
        {name.split("/")[0] for name in CONFIG.artefacts}
        | set(CONFIG.settings["papers"])
    ),
    dataset=one_of(CONFIG.datasets),
    table=one_of({name for _, name in PLAN.models_by_table}),
    study=one_of({name.split("/", 1)[1] for name in EXHIBITS}),


def command(job):
    """Return the command of a job."""
    return f"{START} {job}"


def task(make, *names):
    """Return what gives the words of a command that say what a job does, and what it depends on.

    `make`: The method of ``Tasks`` that plans the job, given its wildcards by name.
    """

    def words(wildcards):
        planned = make(*(wildcards[name] for name in names))
        said = json.dumps(pack_keys(planned.given), default=str, ensure_ascii=False)
        if len(said) > LONGEST:
            place = f".opchar/given/{sha256(said.encode()).hexdigest()[:16]}.json"
            write_text(said, place)
            said = f"@{place}"
        return shlex.join(["--job", str(planned), "--given", said])

    return words


def read_by(method, *names):
    """Return the input function that asks a method of the plan, given wildcards by name."""
    return lambda wildcards: method(*(wildcards[name] for name in names))


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


def goal_files(goal):
    """Return the input function of a goal: the files of goals nobody asks for are not listed."""
    return lambda wildcards: PLAN.targets(PROFILE, goal)
