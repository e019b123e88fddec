import sys

from opchar.config import PROFILES, load
from opchar.environment import goals, mirror, prepare
from opchar.errors import OpcharError
from opchar.plan import Plan, one_of

prepare()

try:
    CONFIG = load(overrides=config)
    PLAN = Plan(CONFIG)
    PLAN.require_real(mirror(), goals())
except OpcharError as error:
    sys.exit(f"opchar: {error}")

PROFILE = CONFIG.profile
SEED = CONFIG.seed
PUBLISHED = "data/published"
ENVIRONMENT = "../../environment.yml"


wildcard_constraints:
    profile=one_of(PROFILES),
    paper=one_of({name.split("/")[0] for name in CONFIG.artefacts}),
    dataset=one_of(CONFIG.datasets),
    protocol=one_of(CONFIG.protocols),
    model="[^/]+",


def names(kind):
    """Match the experiments of one kind of work."""
    return one_of(PLAN.experiments(kind))


def labels(kind):
    """Match the labels of the figures or of the tables."""
    return one_of({name.split("/")[1] for name in PLAN.artefacts(kind=kind)})


def address(wildcards):
    return f"{wildcards.paper}/{wildcards.label}"


def raw_data(wildcards):
    return PLAN.raw(wildcards.dataset)


def experiment_scores(wildcards):
    return PLAN.experiment_scores(wildcards.profile, wildcards.experiment)


def experiment_features(wildcards):
    return PLAN.experiment_features(wildcards.experiment)


def artefact_results(wildcards):
    return PLAN.artefact_sources(wildcards.profile, address(wildcards))[0]


def artefact_curves(wildcards):
    return PLAN.artefact_sources(wildcards.profile, address(wildcards))[1]


def all_results(wildcards):
    return PLAN.results(wildcards.profile)


def all_artefacts(wildcards):
    return PLAN.files(wildcards.profile)


def all_provenance(wildcards):
    return PLAN.provenance(wildcards.profile)


def title(wildcards):
    return CONFIG.artefacts[address(wildcards)]["title"]


def caption(wildcards):
    return CONFIG.artefacts[address(wildcards)]["caption"]


def mirrors(wildcards):
    return PLAN.mirrors(mirror())


def folders(wildcards):
    return PLAN.folders(wildcards.dataset)


def fetch_job(wildcards):
    return PLAN.fetch_job(wildcards.dataset)


def features_job(wildcards):
    return PLAN.features_job(wildcards.dataset)


def train_job(wildcards):
    return PLAN.train_job(
        wildcards.profile, wildcards.dataset, wildcards.protocol, wildcards.model
    )


def experiment_job(wildcards):
    return PLAN.experiment_job(wildcards.profile, wildcards.experiment)


def artefact_job(wildcards):
    return PLAN.artefact_job(address(wildcards))


def ledger_job(wildcards):
    return PLAN.ledger_job(wildcards.profile)


def report_job(wildcards):
    return PLAN.report_job(wildcards.profile)
