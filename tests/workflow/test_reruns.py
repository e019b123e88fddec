"""What is done again after a change: exactly what can change, and why."""

import os
import re
import shutil
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from changes import CHANGES, LEDGER, P_ROC, altered, counted, found_by, redone, showing
from checkout import ROOT, Project, at
from opchar_reproduction.project.plan import Plan

pytestmark = pytest.mark.workflow

NAMES = [change.name for change in CHANGES]
RESULT = f"results/tiny/experiments/{P_ROC}.csv"
RUN = ("--profile", "tiny", "--policy", "offline")


# None of these means anything to a job, and none can hide what another does: one plan tells.
MEANINGLESS = {
    *("nothing", "a comment", "a docstring", "a new shell"),
    *("the memory that a job asks for", "a mirror without the sets"),
}


def test_touching_files_and_changes_that_mean_nothing_redo_nothing(made: Project) -> None:
    assert set(NAMES) > MEANINGLESS.union(*TOGETHER, *TOGETHER_LATER)
    for pattern in ("src/**/*.py", "src/**/*.csv", "config/**/*.yaml", "workflow/**/*"):
        for path in made.folder.glob(pattern):
            os.utime(path)
    assert found_by(made, *(change for change in CHANGES if change.name in MEANINGLESS)) == {}


# Changes made before one plan: each has a job that it alone does again, which tells them apart.
TOGETHER = [
    (
        "a library function that many call",
        "a model",
        "a setting at the level of a module",
        "a published value",
    ),
    ("a result changed by hand",),
]
TOGETHER_LATER = [
    (
        "a function that nobody calls",
        "the seed",
        "another function of a third-party library under the same name",
        "a line of the figures' style",
    ),
    ("a library function that one experiment calls", "a protocol", "a statement"),
    ("a rule of verdicts", "a renderer"),
    ("the version of a library",),
]
# Of their kinds the check has a published value, which lies beside code as a template does, and a
# figure that is gone, in `test_one_artefact_is_run_by_its_address`.
TOGETHER_SLOW = [("a template", "a caption"), ("a deleted figure", "a deleted summary")]
ALONE = [
    name for name in NAMES if name not in MEANINGLESS and (name,) not in TOGETHER + TOGETHER_LATER
]


def marked(names: tuple[str, ...], *marks: pytest.MarkDecorator) -> ParameterSet:
    return pytest.param(names, id=", ".join(names), marks=marks)


@pytest.mark.parametrize(
    "names",
    [
        *(marked(names) for names in TOGETHER),
        *(marked(names, pytest.mark.check) for names in TOGETHER_LATER),
        *(marked(names, pytest.mark.slow) for names in TOGETHER_SLOW),
        *(marked((name,), pytest.mark.slow) for name in ALONE),
    ],
)
def test_changes_redo_exactly_what_can_change(
    made: Project, plan: Plan, names: tuple[str, ...]
) -> None:
    changes = [change for change in CHANGES if change.name in names]
    jobs = {change.name: change.jobs(plan) for change in changes}
    found = found_by(made, *changes)
    assert set(found) == set().union(*jobs.values())
    for change in changes:
        of_others = set().union(*(jobs[name] for name in names if name != change.name))
        own = jobs[change.name] - of_others
        assert own or len(changes) == 1
        if change.reason:
            assert any(found[job].startswith(change.reason) for job in own), found


def test_the_page_of_changes_tells_of_each_kind(plan: Plan) -> None:
    text = (ROOT / "qa/reruns.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|", text, flags=re.MULTILINE)[2:]
    assert [name for name, _ in rows] == NAMES
    for change, (_, jobs) in zip(CHANGES, rows, strict=True):
        rules = {re.sub(r" \d+$", "", part) for part in jobs.split(", ")}
        expected = {re.sub(r" \d+$", "", p) for p in counted(change.jobs(plan)).split(", ")}
        assert rules == expected, change.name


@pytest.mark.parametrize(
    "name",
    [
        "an experiment",
        pytest.param("a deleted page", marks=pytest.mark.slow),
        pytest.param("a line of the figures' style", marks=pytest.mark.slow),
        pytest.param("a citation", marks=pytest.mark.slow),
    ],
)
def test_plain_snakemake_agrees_where_it_can_see(made: Project, plan: Plan, name: str) -> None:
    """What `opchar run` plans is what Snakemake itself plans, without the help of records."""
    words = ("--dry-run", "--config", "profile=tiny", "policy=offline")
    change = next(change for change in CHANGES if change.name == name)
    with change.make(made):  # type: ignore[attr-defined]
        done = made.snakemake(*words)
        said = done.stdout + done.stderr
    assert done.returncode == 0, said
    rules = re.findall(r"^\s*(?:local)?rule (\w+):", said, flags=re.MULTILINE)
    ran = sorted(rule for rule in rules if rule not in ("all", "everything"))
    assert ran == sorted(job.split("/")[0] for job in change.jobs(plan))


def test_a_job_refuses_what_was_changed_by_hand(made: Project) -> None:
    folder = "results/tiny/landgrebe2007/p-roc"
    with altered(RESULT)(made):  # type: ignore[attr-defined]
        done = made.snakemake(folder, "--cores", "1", "--force", "--config", *_settings())
    said = (made.folder / "logs/tiny/landgrebe2007/p-roc.log").read_text()
    assert done.returncode != 0
    assert said.startswith(f"opchar: {RESULT}: was changed since it was made")
    assert said.count("\n") == 1
    assert made.opchar("run", "landgrebe2007/table-2.3", *RUN).returncode == 0


def _settings() -> tuple[str, str]:
    return "profile=tiny", "policy=offline"


@pytest.mark.check
def test_verify_names_what_was_changed_by_hand_and_run_makes_it_again(made: Project) -> None:
    path = made.folder / RESULT
    before = path.read_bytes()
    done = made.look("verify", *RUN)
    assert done.returncode == 0, done.stdout
    assert re.fullmatch(r"(\d+) of \1 made files of 'tiny' are right\n", done.stdout)
    path.write_bytes(before.replace(b"0.", b"1.", 1))
    done = made.look("verify", *RUN)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == f"changed: {RESULT}"
    done = made.opchar("run", "landgrebe2007/table-2.3", *RUN)
    assert done.returncode == 0, done.stderr
    assert f"changed by hand, made again: {RESULT}" in done.stderr
    assert path.read_bytes() == before
    assert made.look("verify", *RUN).returncode == 0


@pytest.mark.check
def test_a_goal_makes_nothing_else_again(made: Project) -> None:
    with altered(RESULT)(made):  # type: ignore[attr-defined]
        done = made.opchar("run", "tharwat2018", "-n", *RUN)
        assert done.stdout == "nothing to be done\n"


@pytest.mark.check
def test_every_view_says_that_the_ledger_is_older_than_the_results(
    made: Project, tmp_path: Path
) -> None:
    own = at(Path(shutil.copytree(made.folder, tmp_path / "own", symlinks=True)))
    words = f"the ledger is older than {RESULT}"
    assert words not in own.look("ledger", *RUN).stderr
    entries = (
        "src/opchar_reproduction/publications/landgrebe2007/chapter2/precision_recall/measure.py"
    )
    own.edit(entries, "Span = [0.05, 0.2]", "Span = [0.05, 0.3]")
    done = own.opchar("run", "landgrebe2007/table-2.3", *RUN)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith(words)
    assert words in own.opchar("status", *RUN).stdout
    assert words in own.look("ledger", *RUN).stderr
    refused = own.look("ledger", "--check", *RUN)
    assert refused.returncode == 1
    assert words in refused.stderr


@pytest.mark.check
def test_real_data_replace_a_stand_in_when_a_mirror_has_them(
    made: Project, plan: Plan, tmp_path
) -> None:
    folder = tmp_path / "statlog-satimage"
    folder.mkdir()
    jobs = redone(made, OPCHAR_MIRROR=str(tmp_path))
    assert "fetch_data/statlog-satimage" in jobs
    assert set(jobs) >= showing_of_data(plan)
    assert redone(made) == {}, "without the mirror the order is withdrawn"


def showing_of_data(plan: Plan) -> set[str]:
    readers = [
        name
        for name in plan.needed_experiments("tiny")
        for group in plan.config.experiments[name].get("scores", [])
        if plan.origin(group["data"]) == "statlog-satimage"
    ]
    return showing(plan, *readers) | LEDGER
