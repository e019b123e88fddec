"""The environment's three faces agree: pyproject.toml, requirements.lock, environment.yml."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib

import pytest
import yaml

from checkout import ROOT
from opchar.environment import ONE_THREAD, prepare

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def test_environment_yml_has_the_names_and_versions_of_the_lock() -> None:
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    pins = {pin.split(" ;")[0] for pin in listed["dependencies"][-1]["pip"]}
    assert pins == set(re.findall(r"^[\w.-]+==[^\s\\]+", LOCK, flags=re.MULTILINE))
    made = runpy.run_path(str(ROOT / "tools/environment.py"))["environment"](LOCK)
    assert made == (ROOT / "environment.yml").read_text(encoding="utf-8")


def test_the_lock_has_hashes_for_all_and_addresses_for_none() -> None:
    blocks = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(blocks) > 50
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks)
    assert not re.search(r"https?://|index-url|find-links", LOCK)


def test_the_lock_has_every_dependency_within_its_bounds() -> None:
    from packaging.requirements import Requirement

    versions = dict(re.findall(r"^([\w.-]+)==([^\s\\]+)", LOCK, flags=re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for text in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        wanted = Requirement(text)
        assert versions[wanted.name.lower()] in wanted.specifier, text


def test_jobs_run_on_one_thread_with_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
    prepare()
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ
    assert {os.environ[name] for name in ONE_THREAD} == {"1"}
    assert os.environ["PATH"].split(os.pathsep)[0] == os.path.dirname(sys.executable)  # noqa: PTH120


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("opchar.jobs", {"numpy", "pandas", "matplotlib", "snakemake"}),
        ("opchar.cli", {"numpy", "pandas", "matplotlib", "snakemake"}),
        ("opchar.plan", {"numpy", "pandas", "sklearn", "scipy"}),
        ("opchar.figures.style", {"sklearn", "scipy", "statsmodels", "snakemake"}),
    ],
)
def test_starting_is_light(module: str, unwanted: set[str]) -> None:
    code = f"import sys, {module}; print(*{{n.split('.')[0] for n in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not unwanted & set(done.stdout.split())


def test_nothing_in_the_package_imports_snakemake_and_no_experiment_plots() -> None:
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(import|from) snakemake", text, flags=re.MULTILINE), path
        if "experiments" in path.parts:
            assert not re.search(r"^\s*(import|from) matplotlib", text, flags=re.MULTILINE), path
        if "figures" in path.parts:
            assert not re.search(r"^\s*(import|from) (scipy|sklearn)", text, flags=re.MULTILINE), (
                path
            )
