"""A wrong configuration is one line that names the place and the cure, before anything runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from checkout import ROOT, Project
from opchar.config import load
from opchar.errors import ConfigError
from opchar.plan import Plan

Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path


@pytest.fixture
def edit(folder: Path) -> Edit:
    def change(file: str, pattern: str, new: str) -> None:
        path = folder / "config" / file
        text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"), count=1, flags=re.M)
        assert count == 1, f"{file} has no {pattern!r}"
        path.write_text(text, encoding="utf-8")

    return change


def complaint(folder: Path, **overrides: object) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, overrides)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_configuration_of_the_project_is_right() -> None:
    plan = Plan(load(ROOT))
    assert plan.artefacts()
    assert len(set(plan.files("quick"))) == len(plan.files("quick"))


def test_unknown_profile(folder: Path) -> None:
    message = complaint(folder, profile="qiuck")
    assert message.startswith("config/config.yaml: profile: 'qiuck' is none of tiny, quick, paper")
    assert "did you mean 'quick'" in message


def test_unknown_paper(folder: Path) -> None:
    assert "did you mean 'tharwat2018'" in complaint(folder, papers=["tharwat2081"])


def test_misspelt_key(folder: Path, edit: Edit) -> None:
    edit("config.yaml", "^policy:", "polcy:")
    assert complaint(folder) == ("config/config.yaml: unknown key 'polcy' (did you mean 'policy'?)")


def test_wrong_type(folder: Path) -> None:
    assert "config/config.yaml: seed:" in complaint(folder, seed="many")


def test_unknown_folder_of_ones_own(folder: Path) -> None:
    assert "no data set 'sonnar' in config/ (did you mean 'sonar'?)" in complaint(
        folder, folders={"sonnar": "/data"}
    )


@pytest.mark.parametrize(
    ("pattern", "new", "expected"),
    [
        (r"data: satellite-cotton-damp", "data: satelite-cotton-damp", "did you mean 'satellite"),
        (r"protocol: holdout-20", "protocol: holdout-2", "did you mean 'holdout-20'"),
        (r"protocol: holdout-20", "protocol: cox-9", "'cox-9' is over two videos"),
        (r"pca3 mogc3", "pca3 mogx3", "mogx3"),
        (r"^  kind: anova", "  kind: anowa", "did you mean 'anova'"),
        (r"^  function: opchar", "  funktion: opchar", "did you mean 'function'"),
        (r":known_distributions", ":known_distribution", "did you mean 'known_distributions'"),
        (r"^    tables:", "    tabels:", "unknown parameter 'tabels' (did you mean 'tables'?)"),
        (r"^landgrebe2007/", "landgrebe/", "must begin with 'landgrebe2007/'"),
    ],
)
def test_wrong_experiments(folder: Path, edit: Edit, pattern, new, expected) -> None:
    edit("experiments/landgrebe2007.yaml", pattern, new)
    message = complaint(folder)
    assert "config/experiments/" in message
    assert expected in message


@pytest.mark.parametrize(
    ("pattern", "new", "expected"),
    [
        (r"protocols: \[cox-9,", "protocols: [cox-8,", "no protocol 'cox-8' in config/"),
        (r"protocols: \[cox-9,", "protocols: [holdout-10,", "'holdout-10' is over one data set"),
        (r"protocols: \[cox-9,", "protocols: [cox-24,", "protocols"),
        (r"protocols: \[cox-99\]", "protocols: cox-99", "protocols"),
        (r"^  protocols: \[cox-99\]", "  protocol: [cox-99]", "did you mean 'protocols'"),
        (r"^    nodes: 8", "    protocols: 8", "unknown parameter 'protocols'"),
    ],
)
def test_wrong_protocols_of_an_experiment(folder: Path, edit: Edit, pattern, new, expected) -> None:
    edit("experiments/soleymani2020.yaml", pattern, new)
    message = complaint(folder)
    assert message.startswith("config/experiments/")
    assert "soleymani2020/" in message
    assert expected in message


@pytest.mark.parametrize(
    ("pattern", "new", "expected"),
    [
        (r"experiment: landgrebe2007/vus", "experiment: landgrebe2007/vsu", "no experiment"),
        (r"renderer: (\S+)$", r"renderer: \1s", "has no"),
        (r"^  title:", "  titel:", "did you mean 'title'"),
        (r"^  kind: table", "  kind: tabel", "did you mean 'table'"),
    ],
)
def test_wrong_artefacts(folder: Path, edit: Edit, pattern, new, expected) -> None:
    edit("artefacts/landgrebe2007.yaml", pattern, new)
    message = complaint(folder)
    assert "config/artefacts/" in message
    assert expected in message


@pytest.mark.parametrize("repeats", ["-5", "0", "many"])
def test_negative_repeats(folder: Path, edit: Edit, repeats: str) -> None:
    edit("protocols.yaml", r"repeats: 20", f"repeats: {repeats}")
    message = complaint(folder)
    assert "config/protocols.yaml" in message
    assert "repeats" in message


def test_broken_yaml_names_the_line(folder: Path) -> None:
    path = folder / "config/datasets.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "\nsonar: [1,\n", encoding="utf-8")
    assert re.search(r"config/datasets\.yaml: line \d+: not YAML", complaint(folder))


def test_a_missing_file_says_where_to_run(folder: Path) -> None:
    (folder / "config/models.yaml").unlink()
    assert "run from the folder of the project" in complaint(folder)


def test_unknown_goals_offer_the_nearest() -> None:
    plan = Plan(load(ROOT))
    with pytest.raises(ConfigError, match=r"did you mean 'landgrebe2007/table-3.3'"):
        plan.targets("quick", "landgrebe2007/table3.3")


@pytest.mark.workflow
@pytest.mark.parametrize("words", [("opchar.cli", "run"), ("snakemake", "--cores", "1")])
def test_at_the_command_line_it_is_one_line_and_exit_1(project: Project, words) -> None:
    project.edit("config/config.yaml", "profile: quick", "profile: fast")
    done = project.run(*words)
    said = (done.stdout + done.stderr).strip().splitlines()
    assert done.returncode == 1
    assert said == [
        line for line in said if line.startswith(("opchar: config/config.yaml", "Using"))
    ]
    assert not (project.folder / "results").exists()
    assert not (project.folder / "data/raw").exists()
