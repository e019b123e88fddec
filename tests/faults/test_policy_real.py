"""Policy ``real``: a run that lacks data ends before it begins and says all that is missing."""

import re

import pytest

from checkout import Project
from opchar_reproduction.project.plan import Plan

pytestmark = pytest.mark.workflow

# A proxy that refuses every connection at once stands for a machine without a network.
PROXIES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
NO_NETWORK = dict.fromkeys(PROXIES, "http://127.0.0.1:9") | {"no_proxy": "", "NO_PROXY": ""}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("opchar.cli", "run", "--policy", "real"), marks=pytest.mark.slow),
        ("snakemake", "--cores", "1", "--config", "policy=real"),
    ],
)
def test_every_missing_set_is_listed_before_any_job(
    project: Project, plan: Plan, words: tuple[str, ...]
) -> None:
    done = project.run(*words, **NO_NETWORK)
    said = re.sub(r"\n  (?=\S)", " ", done.stdout + done.stderr).splitlines()
    assert done.returncode == 1
    (line,) = [line for line in said if line.startswith("opchar: ")]
    registry = plan.config.datasets
    missing = {
        name
        for name in map(plan.origin, plan.datasets(plan.config.profile))
        if "generator" not in registry[name]
    }
    assert missing
    assert line.startswith(f"opchar: policy 'real' and {len(missing)} data set(s) missing. ")
    for name in missing:
        cure = re.search(rf" {re.escape(name)}: (.*?)(?:\. [a-z0-9-]+: |$)", line)
        assert cure, name
        assert re.search(rf"folders: {name}: in config/config.yaml|policy 'auto'", cure[1]), name
    assert not any(line.startswith(("Traceback", "rule ", "localrule ")) for line in said)
    assert not (project.folder / "results").exists()
    assert not list(project.folder.glob("data/raw/*/PROVENANCE.json"))
