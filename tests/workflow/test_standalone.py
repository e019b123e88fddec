"""The workflow stands alone: nothing installed, any folder, the configuration as planned."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from checkout import HANGS, ROOT, Project
from opchar.cli import main
from opchar_reproduction.project.plan import Plan
from opchar_reproduction.project.tasks import Tasks
from opchar_reproduction.runs import running

pytestmark = pytest.mark.workflow

# Snakemake with its dependencies and without the project: what has an `opchar` is off the path.
BARE = """
import sys
from pathlib import Path
sys.path[:] = [p for p in sys.path if not Path(p, "opchar").is_dir()]
from snakemake.cli import main
main(sys.argv[1:])
"""
SETTINGS = ("profile=tiny", "policy=offline")
SHOWN = "results/tiny/tharwat2018/confusion-layouts"
FIGURE = f"{SHOWN}/figure-confusion-2x2.svg"
TRAINED = "data/scores/tiny/satellite-4/shuffled-4435-2000"


def bare(project: Project, folder: Path, *words: str) -> str:
    """Run a Snakemake that cannot import the project in a folder; return what it says."""
    environment = {k: v for k, v in project.environment.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", BARE, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANGS,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@pytest.mark.check
def test_another_entrance_plans_the_same_in_another_folder_and_writes_nothing(
    project: Project, tmp_path: Path, plan: Plan
) -> None:
    def there() -> set[Path]:
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        # Snakemake keeps what it has seen of files, Python its bytecode, and the plan its digests.
        kept = {".snakemake", ".opchar"}
        return {p for p in files if p.suffix != ".pyc" and not kept & set(p.parts)}

    before = there()
    folder = tmp_path / "from"
    folder.mkdir()
    entrance = ("-s", str(project.folder / "workflow/Snakefile"), "-d", "../given")
    said = bare(project, folder, *entrance, "--dry-run", "--config", *SETTINGS)
    planned = dict(re.findall(r"^(\w+) +(\d+)$", said, flags=re.MULTILINE))
    jobs = Counter(rule for rule, _ in {(t.rule, t.name) for t in Tasks(plan).of_profile("tiny")})
    assert jobs and jobs.items() <= {rule: int(number) for rule, number in planned.items()}.items()
    assert (tmp_path / "given").exists()
    assert there() == before


MODULE = """
module opchar:
    snakefile: "{home}/workflow/Snakefile"
    config: {config}

use rule * from opchar as opchar_*

rule mine:
    default_target: True
    input: "{target}"
"""


@pytest.mark.check
def test_a_workflow_of_ones_own_takes_it_as_a_module(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    config = {"profile": "tiny", "policy": "offline", "papers": ["tharwat2018"], "seed": 7}
    text = MODULE.format(home=project.folder, config=config, target=SHOWN)
    (folder / "Snakefile").write_text(text)
    bare(project, folder, "--cores", "1")
    assert (folder / FIGURE).is_file()
    assert not (project.folder / "results").exists()
    (planned,) = (folder / ".opchar/config").glob("*.json")
    settings = json.loads(planned.read_text())["settings"]
    assert (settings["seed"], settings["papers"]) == (7, ["tharwat2018"])


OWN = """
from opchar_reproduction.words import word

@word("ownlin", summary="a linear model of one's own")
def ownlin():
    from sklearn.linear_model import LogisticRegression
    return LogisticRegression()
"""


@pytest.mark.check
def test_jobs_use_what_the_plan_saw(project: Project, tmp_path: Path) -> None:
    """Models, seed, folders and memory, of files and of the command line, reach the job."""
    project.edit("config/config.yaml", "train: {mem_mb: 4000", "train: {mem_mb: 1234")
    (project.folder / "own.py").write_text(OWN)
    base = "src/opchar_reproduction/publications/landgrebe2007/chapter3/base_classifier.py"
    project.edit(base, "shuffled-4435-2000 | pca17 ldc", "shuffled-4435-2000 | pca17 ownlin")
    (tmp_path / "here").mkdir()
    other = tmp_path / "other.yaml"
    other.write_text(f"seed: 11\nfolders: {{sonar: {tmp_path / 'here'}}}\n")
    words = ("--cores", "1", "--configfile", str(other), "--config", *SETTINGS)
    said = bare(project, project.folder, f"{TRAINED}.parquet", *words, 'extensions=["own.py"]')
    assert "mem_mb=1234" in said
    assert "runtime=240" in said
    made = json.loads((project.folder / f"{TRAINED}.json").read_text())["models"]
    assert made["pca17 ownlin"]["seed"] == 11
    planned = [p.read_text() for p in (project.folder / ".opchar/config").glob("*.json")]
    assert any(json.loads(text)["settings"]["folders"] for text in planned)


def test_every_rule_says_what_it_needs(project: Project) -> None:
    """Every job has one thread, whatever the cores, and its log, memory and minutes."""
    said = bare(project, project.folder, "--dry-run", "--cores", "8", "--config", *SETTINGS)
    jobs = re.findall(r"^ *(?:local)?rule (\w+):\n((?: +\S.*\n)+)", said, flags=re.MULTILINE)
    own = [(rule, block) for rule, block in jobs if rule not in ("all", "everything")]
    assert len(own) >= 60
    for rule, block in own:
        assert "threads:" not in block, rule
        for key in (r"log: \S+", r"mem_mb=\d+", r"runtime=\d+"):
            assert re.search(key, block), (rule, key)
        measured = rule.startswith(("run_", "train_"))
        assert measured == ("benchmark: " in block), rule
    rules = (project.folder / "workflow/rules").glob("*.smk")
    whole = "\n".join(path.read_text() for path in sorted(rules))
    assert whole.count("conda:") == whole.count("retries:") == 1
    assert re.findall(r"^rule (\w+):", whole, flags=re.MULTILINE) == ["job"]


def test_the_command_of_another_checkout_is_refused_in_one_line(project: Project) -> None:
    """Its jobs would be planned by one code and run by another, and never be up to date."""
    done = project.opchar("run", "-n", "tharwat2018", PYTHONPATH=str(ROOT / "src"))
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert f"{project.folder}: the workflow of another OpChar" in said


@pytest.mark.check
def test_a_project_beside_is_not_told_done_and_makes_its_own_goal_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its Snakefile plans one figure: the others are not up to date, and no part of its run."""
    monkeypatch.chdir(ROOT)
    assert main(["new", str(tmp_path / "mine")]) == 0
    monkeypatch.chdir(tmp_path / "mine")
    settings = ["--profile", "tiny", "--policy", "offline"]
    capsys.readouterr()
    assert main(["status", *settings]) == 0
    assert re.match(r"profile 'tiny': 0 of \d+ artefacts up to date\n", capsys.readouterr().out)
    asked: dict[str, Any] = {}
    monkeypatch.setattr(running, "run", lambda *_, **given: asked.update(given) or 0)
    assert main(["run", *settings]) == 0
    assert not asked["expected"] and not asked["forced"]
    assert "Traceback" not in capsys.readouterr().err
