"""The workflow as such: targets, lint, Snakemake's own report, and the questions people ask."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from checkout import Project
from opchar.cli import main
from opchar_reproduction.project.configuration.model import KINDS
from opchar_reproduction.project.plan import Plan

pytestmark = pytest.mark.workflow


def test_goals_are_target_rules(made: Project, plan: Plan) -> None:
    done = made.snakemake("--list-target-rules")
    listed = set((done.stdout + done.stderr).split())
    assert {"figures", "tables", "scores", *KINDS, *plan.config.settings["papers"]} <= listed


def test_goals_make_their_artefacts_and_not_the_report(made: Project) -> None:
    words = ("--forcerun", "run_metric", "run_vus", "--dry-run", "--config", "profile=tiny")
    done = made.snakemake("tharwat2018", "vus", "figures", *words, "policy=offline")
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert re.search(r"^show_study ", said, flags=re.MULTILINE), said
    assert re.search(r"^run_vus ", said, flags=re.MULTILINE), said
    assert "write_report" not in said


@pytest.mark.check
def test_snakemakes_own_report_has_captions_and_categories(made: Project) -> None:
    words = ("--report", "snakemake-report.zip", "--config", "profile=tiny", "policy=offline")
    done = made.snakemake(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (made.folder / "snakemake-report.zip").stat().st_size > 10_000


def test_where_tells_rule_function_parameters_files_and_state(made: Project) -> None:
    said = made.look("where", "landgrebe2007/table-2.3", "--profile", "tiny").stdout
    assert "rule        show_study, from landgrebe2007/p-roc" in said
    assert "its rule    run_anova" in said
    assert made.look("where", "table-2.3", "--profile", "tiny").stdout == said
    place = re.search(r"experiment  \S+:p_roc  \((src/\S+):(\d+)\)", said)
    assert place
    line = (made.folder / place[1]).read_text().splitlines()[int(place[2]) - 1]
    assert line.startswith("def p_roc(")
    parameters = re.search(r"parameters  (.*)", said)
    assert parameters
    assert isinstance(json.loads(parameters[1]), dict)
    assert "input       data/scores/tiny/satellite-cotton-damp/holdout-20.parquet" in said
    assert "output      results/tiny/landgrebe2007/p-roc/table-2.3.md" in said
    assert "state       made" in said


def test_list_has_every_artefact_of_the_works(made: Project) -> None:
    said = made.look("list", "--profile", "tiny").stdout.splitlines()
    assert len(said) >= 228
    assert any(line.startswith("made     table   landgrebe2007/table-2.3") for line in said)
    assert any(line.startswith("to make") and "mullick2020/figure-3" in line for line in said)
    only = made.look("list", "tharwat2018").stdout.splitlines()
    assert 0 < len(only) < len(said)


def test_status_says_what_is_stale_and_why(made: Project) -> None:
    undo = made.edit(
        "src/opchar_reproduction/publications/landgrebe2007/chapter2/precision_recall/measure.py",
        "Span = [0.05, 0.2]",
        "Span = [0.05, 0.3]",
    )
    try:
        said = made.opchar("status", "--profile", "tiny", "--policy", "offline").stdout
        where = made.opchar("where", "landgrebe2007/table-2.3", "--profile", "tiny").stdout
    finally:
        undo()
    assert re.search(r"stale \(its code changed.*; its configuration changed\)", where), where
    assert "its configuration changed" in said
    assert re.search(r"\d+ of \d+ artefacts up to date", said)
    assert re.search(r"\d+ jobs, about \d+ (s|min)", said)


def test_one_artefact_is_run_by_its_address(made: Project) -> None:
    target = made.folder / "results/tiny/landgrebe2007/p-roc/table-2.3.md"
    before = target.read_bytes()
    target.unlink()
    words = ("run", "landgrebe2007/table-2.3", "--profile", "tiny", "--policy", "offline")
    done = made.opchar(*words)
    assert done.returncode == 0, done.stderr
    assert "snakemake results/tiny/landgrebe2007/p-roc " in done.stderr
    made_files = [line for line in done.stdout.splitlines() if line.startswith("made: ")]
    assert "made: results/tiny/landgrebe2007/p-roc/table-2.3.md" in made_files
    assert target.read_bytes() == before
    assert made.look("run", "landgrebe2007/table-23").returncode == 1


def test_version_and_models(made: Project) -> None:
    assert re.fullmatch(r"opchar \d+\.\d+\.\d+\n", made.opchar("--version").stdout)
    words = made.look("models").stdout
    assert re.search(r"^ldc +\w", words, flags=re.MULTILINE)


RUN = ("--profile", "tiny", "--policy", "offline")


@pytest.mark.check
def test_a_preview_names_artefacts_and_reasons_and_makes_nothing(made: Project, plan: Plan) -> None:
    shown = len(plan.exhibits("tiny")["landgrebe2007/p-roc"])
    target = made.folder / "results/tiny/landgrebe2007/p-roc/table-2.3.md"
    aside = target.with_suffix(".aside")
    target.rename(aside)
    log = (made.folder / ".opchar/last-run.log").read_bytes()
    try:
        done = made.opchar("run", "landgrebe2007/table-2.3", "-n", *RUN)
        assert done.returncode == 0, done.stderr
        said = done.stdout.splitlines()
        assert said[0] == f"{shown} artefacts would be made"
        assert said[1].startswith("  show study landgrebe2007/p-roc: missing: results/")
        assert not target.exists()
        assert (made.folder / ".opchar/last-run.log").read_bytes() == log
    finally:
        aside.rename(target)


@pytest.mark.check
def test_status_counts_artefacts_and_names_what_is_missing(project: Project) -> None:
    said = project.opchar("status", *RUN).stdout.splitlines()
    total = int(re.search(r"0 of (\d+) artefacts", said[0])[1])
    assert said[0] == f"profile 'tiny': 0 of {total} artefacts up to date"
    assert sum(": not made yet" in line for line in said) == len(said) - 2
    assert max(map(len, said)) <= 200


def test_a_broken_module_is_named_in_the_words_of_the_error(project: Project) -> None:
    path = project.folder / "src/opchar/spaces/roc.py"
    path.write_text(path.read_text(encoding="utf-8") + "\ndef broken(:\n", encoding="utf-8")
    done = project.opchar("run", *RUN)
    assert done.returncode == 1
    assert re.match(r"opchar: .*spaces/roc\.py: line \d+: not Python", done.stderr), done.stderr


def test_a_broken_rule_is_told_in_snakemakes_own_words(project: Project) -> None:
    project.edit("workflow/rules/data.smk", "    retries: 2\n", "    retires: 2\n")
    done = project.opchar("status", *RUN)
    assert done.returncode == 1
    assert "data.smk" in done.stderr
    assert "workflow specific profile" not in done.stderr


@pytest.mark.parametrize("cores", ["0", "-3", "two"])
def test_cores_are_at_least_one(cores: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run", "--cores", cores])
    assert f"'{cores}' is not a whole number from 1" in capsys.readouterr().err


def test_a_goal_of_which_nothing_is_built_runs_nothing(project: Project) -> None:
    project.edit("config/config.yaml", "  - mullick2020\n", "")
    work = project.folder / "src/opchar_reproduction/publications/soleymani2018"
    for studies in {path.parent for path in work.glob("*/*.py")}:
        shutil.rmtree(studies)
    (work / "exhibits.csv").unlink()
    (work / "statements.csv").unlink()
    (work / "variants.csv").unlink()
    done = project.opchar("run", "soleymani2018")
    assert done.returncode == 1
    assert done.stderr.startswith("opchar: nothing of 'soleymani2018' is built yet")
    assert not (project.folder / ".snakemake").exists()


@pytest.mark.check
def test_where_finds_pending_labels_works_and_experiments(made: Project) -> None:
    def error(address: str, asked: Callable[..., CompletedProcess[str]] = made.look) -> str:
        done = asked("where", address)
        assert done.returncode == 1
        return done.stderr

    assert "is a work; 'opchar list landgrebe2007'" in error("landgrebe2007")
    header = "paper,artefact,kind,caption_in_own_words,section\n"
    put_back = made.edit(
        "src/opchar_reproduction/publications/landgrebe2007/catalogue.csv",
        header,
        f"{header}landgrebe2007,table-9.1,table,none,9\n",
    )
    said = error("landgrebe2007/table-9.1", made.opchar)
    put_back()
    assert "in the catalogue of its publication and not built yet" in said
    assert "is a label of several works: " in error("figure-1")
    assert "no statement 'landgrebe2007:9999'" in error("landgrebe2007:9999")
    assert (
        "experiment  opchar_reproduction.publications"
        in made.look("where", "landgrebe2007/p-roc").stdout
    )


def test_completion_offers_goals_and_addresses(made: Project) -> None:
    words = made.look("words", "run").stdout.split()
    assert {"vus", "tharwat2018", "landgrebe2007/table-2.3", "report"} <= set(words)
    script = made.look("completion", "bash").stdout
    assert "complete -F _opchar opchar" in script
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert checked.returncode == 0, checked.stderr
    asked = (
        f"{script}\nopchar() {{ echo landgrebe2007/table-2.3 landgrebe2007/table-2.4 vus; }}\n"
        "COMP_WORDS=(opchar run landgrebe2007/table-2); COMP_CWORD=2; _opchar\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", asked], text=True, capture_output=True)
    assert done.stdout.split() == ["landgrebe2007/table-2.3", "landgrebe2007/table-2.4"]


def test_own_scores_need_no_checkout(made: Project, tmp_path) -> None:
    path = tmp_path / "mine.csv"
    rows = [
        f"{n},{'ab'[n % 2]},{0.5 + 0.1 * (n % 4 - 1)},{0.5 - 0.1 * (n % 4 - 1)}" for n in range(20)
    ]
    path.write_text("index,y,a,b\n" + "\n".join(rows) + "\n")
    done = made.python(
        "-c", HERE, str(tmp_path), "analyse", str(path), "--output", str(tmp_path / "o")
    )
    assert "not inside a checkout" not in done.stderr
    assert "not inside a checkout" in made.python("-c", HERE, str(tmp_path), "status").stderr


HERE = """
import os, sys
os.chdir(sys.argv[1])
from opchar.cli import main
sys.exit(main(sys.argv[2:]))
"""
