import shlex
import sys
from functools import cache
from pathlib import Path

# The checkout is found from this file: nothing has to be installed, and any folder may be worked in.
HOME = Path(str(workflow.current_basedir)).resolve().parents[1]
sys.path.insert(0, str(HOME / "src"))

from opchar_reproduction.project.configuration.model import PROFILES
from opchar_reproduction.project.plan import one_of
from opchar_reproduction.project.records import place_of as record_of
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.project.workflow import keep, options, read_plan, start

PLAN = read_plan(HOME, config)
CONFIG, TASKS = PLAN.config, Tasks(PLAN)
PROFILE = CONFIG.profile
EXHIBITS = PLAN.exhibits(PROFILE)
PLANNED = keep(CONFIG)
# Studies, their figures and their claims come first: to judge claims takes long and needs no other variants.
# These come second, since to compare them takes long, too; what only the pages need is made beside that.
FIRST, SECOND = 2, 1
ENVIRONMENT = "../../environment.yml"
ROOT = Path(".") if HOME == Path.cwd() else HOME
IMAGE = (ROOT / "container/opchar.sif").as_posix()
# Snakemake takes no image with a blank in its path, and would refuse to plan without one too.
CONTAINER = IMAGE if " " not in IMAGE else None
# In an environment of conda or a container Python is what it calls so, else the one that plans.
PYTHON = "python" if workflow.deployment_settings.deployment_method else sys.executable
JOBS = HOME / "src/opchar_reproduction/jobs/__main__.py"
START = start(HOME, [PYTHON, "-P", str(JOBS)], PLAN)

# Captions are for Snakemake's own report; as parameters of rules they would draw figures again.
config["captions"] = {
    name: {key: entry[key] for key in ("title", "caption")}
    for name, entry in CONFIG.artefacts.items()
}


wildcard_constraints:
    profile=one_of(PROFILES),
    paper=one_of({*CONFIG.settings["papers"], *(n.split("/")[0] for n in EXHIBITS)}),
    dataset=one_of(CONFIG.datasets),
    table=one_of({name for _, name in PLAN.models_by_table}),
    study=one_of({name.split("/", 1)[1] for name in EXHIBITS}),


@cache
def task_of(make, *wildcards):
    """Return the task of a job.

    `make`: The method of ``Tasks`` that takes its wildcards, in the order of its outputs.
    """
    return make(*wildcards)


def task(kind, make):
    """Return what gives the words of a command that say what a job does and depends on."""
    return lambda wildcards: shlex.join([kind, *task_of(make, *wildcards).words()])


def reads(make):
    """Return what gives the files that a job reads, by the option that names them.

    Folders are not among them: Snakemake has no digest of a folder, but sees its record.
    """

    def files(wildcards):
        read = task_of(make, *wildcards).read.items()
        return {option: named for option, named in read if option != "artefacts"}

    return files


def files(wildcards, input, output):
    """Return the named files of a job as options of its command."""
    return options([*input.items(), *output.items()])


def files_and_plan(wildcards, input, output):
    """Return these options, and the file of the configuration, which is no input."""
    return f"--planned {PLANNED} {files(wildcards, input, output)}"


def needs(job):
    """Return what a job asks a cluster for: megabytes, more with each attempt; minutes."""
    asked = CONFIG.resources(job)
    memory = lambda wildcards, attempt: asked["mem_mb"] * attempt
    return {"mem_mb": memory, "runtime": asked["runtime"]}
