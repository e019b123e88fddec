"""What is done again after a change: exactly what depends on it, and nothing for a comment."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator

import pytest

from checkout import Project
from opchar.plan import Plan

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]

TINY = ("--dry-run", "--config", "profile=tiny", "policy=offline")
LEDGER = {"compare_with_print", "write_report"}
Edit = Callable[[str, str, str], None]


def redone(project: Project) -> set[str]:
    """Return what a dry run would do: rules, each with what its wildcards name."""
    done = project.snakemake(*TINY)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    found = set()
    for block in re.split(r"\n(?=(?:local)?rule )", said):
        if rule := re.match(r"(?:local)?rule (\w+):", block):
            listed = re.search(r"wildcards: (.*)", block)
            parts = re.findall(r"(\w+)=([^,\n]+)", listed[1] if listed else "")
            found.add("/".join([rule[1], *(v for k, v in parts if k != "profile")]))
    return found - {"everything", "all"}


def dependants(plan: Plan, *experiments: str) -> set[str]:
    """Return the jobs of `experiments`, of the artefacts that show them, and of the ledger."""
    jobs = set(LEDGER)
    for address in experiments:
        jobs.add(f"run_{plan.config.experiments[address]['kind']}/{address}")
    for address in plan.wanted("tiny"):
        entry = plan.config.artefacts[address]
        if entry["experiment"] in experiments:
            rule = "draw_figure" if entry["kind"] == "figure" else "lay_out_table"
            jobs.add(f"{rule}/{address}")
    return jobs


@pytest.fixture
def edit(made: Project) -> Iterator[Edit]:
    """Edit files of the copy for the length of a test."""
    undo = []

    def change(file: str, old: str, new: str) -> None:
        undo.append(made.edit(file, old, new))

    yield change
    for step in reversed(undo):
        step()


@pytest.fixture
def rewrite(made: Project, edit: Edit) -> Callable[[str, str], None]:
    """Change what a function does by one statement, without changing what it returns."""

    def change(file: str, function: str) -> None:
        text = (made.folder / file).read_text(encoding="utf-8")
        nodes = ast.parse(text).body
        node = next(n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == function)
        line = text.splitlines()[node.body[-1].lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        whole = ast.get_source_segment(text, node)
        assert whole is not None
        edited = whole.replace(f"\n{line}", f"\n{indent}_ = 1\n{line}", 1)
        assert edited != whole
        edit(file, whole, edited)

    return change


def test_nothing_is_redone_without_a_change(made: Project) -> None:
    assert redone(made) == set()


def test_touching_files_redoes_nothing(made: Project) -> None:
    for pattern in ("src/**/*.py", "config/**/*.yaml", "data/published/*.csv", "workflow/**/*"):
        for path in made.folder.glob(pattern):
            os.utime(path)
    assert redone(made) == set()


@pytest.mark.parametrize(
    "file",
    [
        "src/opchar/spaces/points.py",
        "src/opchar/jobs.py",
        "src/opchar/experiments/landgrebe2007/precision_recall.py",
        "src/opchar/figures/landgrebe2007/precision_recall.py",
        "src/opchar/models/gaussian.py",
    ],
)
def test_comments_and_docstrings_redo_nothing(made: Project, edit: Edit, file: str) -> None:
    edit(file, '"""', '"""Edited. ')
    edit(file, "\ndef ", "\n# a remark\n\n\ndef ")
    assert redone(made) == set()


def test_a_renderer_redoes_exactly_its_artefact_and_the_report(made: Project, rewrite) -> None:
    rewrite("src/opchar/figures/landgrebe2007/precision_recall.py", "characteristics")
    assert redone(made) == {"draw_figure/landgrebe2007/figure-2.5", "write_report"}


def test_an_experiment_redoes_itself_and_its_dependants(made: Project, plan, rewrite) -> None:
    rewrite("src/opchar/experiments/landgrebe2007/precision_recall.py", "p_roc")
    assert redone(made) == dependants(plan, "landgrebe2007/p-roc")


def test_a_library_function_redoes_exactly_what_reaches_it(made: Project, plan, rewrite) -> None:
    rewrite("src/opchar/experiments/statistics.py", "friedman")
    assert redone(made) == dependants(plan, "landgrebe2007/p-roc")


def test_a_library_function_that_nobody_reaches_redoes_nothing(made: Project, edit: Edit) -> None:
    edit("src/opchar/spaces/roc.py", "\ndef ", "\ndef unreached() -> int:\n    return 1\n\n\ndef ")
    assert redone(made) == set()


def test_a_model_redoes_its_score_tables_and_what_reads_them(made: Project, plan, rewrite) -> None:
    rewrite("src/opchar/models/gaussian.py", "ldc")
    words = {"train_model/" + path for path in ("satellite-4/shuffled-4435-2000/pca17-ldc",)}
    assert words <= redone(made)
    assert not any("mindist" in job for job in redone(made))


def test_a_caption_redoes_its_artefact_and_the_report(made: Project, edit: Edit) -> None:
    edit(
        "config/artefacts/landgrebe2007.yaml", "\n  caption: >-\n", "\n  caption: >-\n    Again:\n"
    )
    jobs = redone(made)
    assert len(jobs) == 2
    assert "write_report" in jobs


def test_a_published_number_redoes_the_ledger_and_the_tables(made: Project, plan, edit) -> None:
    edit("data/published/landgrebe2007.csv", ",0.554,", ",0.555,")
    tables = {
        f"lay_out_table/{address}"
        for address in plan.wanted("tiny", kind="table")
        if address.startswith("landgrebe2007/")
    }
    assert redone(made) == tables | LEDGER


def test_the_seed_redoes_what_is_random(made: Project, edit: Edit) -> None:
    edit("config/config.yaml", "\nseed: ", "\nseed: 1")
    jobs = redone(made)
    assert any(job.startswith("train_model/") for job in jobs)
    assert "run_anova/landgrebe2007/p-roc" in jobs
