"""The workflow as such: targets, lint, Snakemake's own report, and the questions people ask."""

from __future__ import annotations

import json
import re

import pytest

from checkout import Project
from opchar.config import KINDS
from opchar.plan import Plan

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]


def test_lint_is_clean_with_the_default_configuration_and_no_data(project: Project) -> None:
    done = project.snakemake("--lint")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "good condition" in done.stdout + done.stderr


def test_both_entrances_plan_the_same(project: Project) -> None:
    def planned(*words: str) -> dict[str, str]:
        done = project.snakemake(*words, "--dry-run", "--cores", "1")
        assert done.returncode == 0, done.stdout + done.stderr
        counts = re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, flags=re.MULTILINE)
        return {rule: n for rule, n in counts if rule not in ("everything", "all", "total")}

    assert planned("-s", "workflow/Snakefile") == planned()


def test_goals_are_target_rules(project: Project, plan: Plan) -> None:
    done = project.snakemake("--list-target-rules")
    listed = set((done.stdout + done.stderr).split())
    assert {"figures", "tables", "scores", *KINDS, *plan.config.settings["papers"]} <= listed


@pytest.mark.parametrize("goal", ["tharwat2018", "vus", "figures"])
def test_a_goal_makes_its_artefacts_and_not_the_report(made: Project, plan: Plan, goal) -> None:
    words = ("--forcerun", "run_metric", "run_vus", "--dry-run", "--config", "profile=tiny")
    done = made.snakemake(goal, *words, "policy=offline")
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "write_report" not in said


def test_snakemakes_own_report_has_captions_and_categories(made: Project) -> None:
    words = ("--report", "snakemake-report.zip", "--config", "profile=tiny", "policy=offline")
    done = made.snakemake(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (made.folder / "snakemake-report.zip").stat().st_size > 10_000


def test_where_tells_rule_function_parameters_files_and_state(made: Project) -> None:
    said = made.opchar("where", "landgrebe2007/table-2.3", "--profile", "tiny").stdout
    assert "rule        lay_out_table, from landgrebe2007/p-roc (rule run_anova)" in said
    place = re.search(r"experiment  \S+:p_roc  \((src/\S+):(\d+)\)", said)
    assert place
    line = (made.folder / place[1]).read_text().splitlines()[int(place[2]) - 1]
    assert line.startswith("def p_roc(")
    parameters = re.search(r"parameters  (.*)", said)
    assert parameters
    assert isinstance(json.loads(parameters[1]), dict)
    assert (
        "input       data/scores/tiny/satellite-cotton-damp/holdout-20/pca3-mogc3.parquet" in said
    )
    assert "output      results/tiny/landgrebe2007/table-2.3.md" in said
    assert "state       made" in said


def test_list_has_every_artefact_of_the_works(made: Project) -> None:
    said = made.opchar("list", "--profile", "tiny").stdout.splitlines()
    assert len(said) >= 228
    assert any(line.startswith("made     table   landgrebe2007/table-2.3") for line in said)
    assert any(line.startswith("pending") and "mullick2020/figure-3" in line for line in said)
    only = made.opchar("list", "tharwat2018").stdout.splitlines()
    assert 0 < len(only) < len(said)


def test_status_says_what_is_stale_and_why(made: Project) -> None:
    undo = made.edit("config/artefacts/landgrebe2007.yaml", "\n  title: ", "\n  title: New ")
    try:
        said = made.opchar("status", "--profile", "tiny", "--policy", "offline").stdout
    finally:
        undo()
    assert "its code or configuration changed" in said
    assert re.search(r"\d+ of \d+ artefacts up to date", said)
    assert re.search(r"\d+ jobs, about \d+ (s|min)", said)
    said = made.opchar("status", "--profile", "tiny", "--policy", "offline").stdout
    assert re.search(r"(\d+) of \1 artefacts up to date", said)


def test_one_artefact_is_run_by_its_address(made: Project) -> None:
    target = made.folder / "results/tiny/landgrebe2007/table-2.3.md"
    before = target.read_bytes()
    target.unlink()
    words = ("run", "landgrebe2007/table-2.3", "--profile", "tiny", "--policy", "offline")
    done = made.opchar(*words)
    assert done.returncode == 0, done.stderr
    assert "snakemake results/tiny/landgrebe2007/table-2.3.csv" in done.stderr
    assert target.read_bytes() == before
    assert made.opchar("run", "landgrebe2007/table-23").returncode == 1


def test_version_and_models(made: Project) -> None:
    assert re.fullmatch(r"opchar \d+\.\d+\.\d+\n", made.opchar("--version").stdout)
    words = made.opchar("models").stdout
    assert re.search(r"^ldc +\w", words, flags=re.MULTILINE)
