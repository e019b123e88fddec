"""Criteria said to stand before their first result, against small histories."""

import subprocess

import pytest

from checkout import ROOT
from opchar.errors import OpcharError
from opchar_reproduction.report.comparison.expected_verdicts import COLUMNS
from opchar_reproduction.runs.frozen import History, check, report_lines

NUMBER = "some2000:0007"
CRITERION = "The mean of A lies above that of B."
MARK = '''from opchar_reproduction.study import Control, statement


@statement(
    "0007",
    criterion="""{criterion}""",
    criterion_set="undated",
    control=Control(judge, "A and B exchanged"),
)
def judge(given):
    return given
'''


class Repository:
    """A history written step by step."""

    def __init__(self, root):
        self.root = root
        self.git("init", "-q")

    def git(self, *arguments):
        named = [
            "-c",
            "user.name=n",
            "-c",
            "user.email=e@example.org",
            "-c",
            "commit.gpgsign=false",
        ]
        done = subprocess.run(
            ["git", "-C", str(self.root), *named, *arguments],
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, **files):
        for name, text in files.items():
            path = self.root / self.place(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "step")
        return self.git("rev-parse", "HEAD")

    def place(self, name):
        if name == "expected":
            return "src/opchar_reproduction/publications/some2000/expected.csv"
        return f"src/opchar_reproduction/publications/some2000/{name}.py"


def marked(criterion=CRITERION):
    return MARK.format(criterion=criterion)


def expected(verdict):
    return f"{','.join(COLUMNS)}\n{NUMBER},some2000,table-1,,,{verdict}\n"


def wrong(repository, commit, criterion=CRITERION):
    entry = {"criterion": criterion, "criterion_set": f"before {commit}"}
    (found,) = check({NUMBER: entry}, repository.root)
    return found.wrong


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def test_a_criterion_that_stood_first_is_shown_wherever_it_moves(repository):
    repository.commit(expected=expected("pending"))
    stood = repository.commit(old=marked())
    repository.commit(expected=expected("holds"))
    repository.git("mv", repository.place("old"), repository.place("new"))
    repository.commit()
    # Another layout of the same words is the same criterion.
    repository.commit(new=marked(CRITERION.replace("lies above", "lies\n    above")))
    assert wrong(repository, stood) == ""
    assert wrong(repository, stood[:9]) == ""


def test_a_criterion_that_was_another_meanwhile_is_noticed(repository):
    stood = repository.commit(study=marked())
    other = repository.commit(study=marked("The mean of A lies below that of B."))
    repository.commit(study=marked(), expected=expected("holds"))
    assert other[:10] in wrong(repository, stood)


def test_a_criterion_that_is_another_now_is_noticed(repository):
    stood = repository.commit(study=marked("The mean of A lies far above that of B."))
    repository.commit(study=marked())
    assert "has not this criterion" in wrong(repository, stood)


@pytest.mark.parametrize("together", [True, False])
def test_a_result_that_is_not_later_is_noticed(repository, together):
    if together:
        stood = result = repository.commit(study=marked(), expected=expected("fails"))
    else:
        result = repository.commit(expected=expected("fails"))
        stood = repository.commit(study=marked())
    assert wrong(repository, stood) == f"commit {result[:10]}, not later, has a result already"


def test_a_verdict_that_was_taken_back_was_still_a_result(repository):
    repository.commit(expected=expected("holds"))
    repository.commit(expected=expected("pending"))
    stood = repository.commit(study=marked())
    assert "has a result already" in wrong(repository, stood)


def test_a_commit_of_another_branch_or_of_none_shows_nothing(repository):
    repository.commit(expected=expected("pending"))
    start = repository.git("rev-parse", "--abbrev-ref", "HEAD")
    repository.git("checkout", "-q", "-b", "aside")
    aside = repository.commit(study=marked())
    repository.git("checkout", "-q", start)
    repository.commit(study=marked(), expected=expected("holds"))
    assert "no commit" in wrong(repository, aside)
    assert "no commit" in wrong(repository, "0" * 40)


def test_what_cannot_be_checked_is_said(tmp_path):
    (tmp_path / "full").mkdir()
    full = Repository(tmp_path / "full")
    full.commit(study=marked())
    full.commit(expected=expected("holds"))
    shallow = tmp_path / "shallow"
    full.git("clone", "-q", "--depth", "1", f"file://{full.root}", str(shallow))
    with pytest.raises(OpcharError, match="shallow"):
        History(shallow)
    with pytest.raises(OpcharError, match="no repository"):
        History(tmp_path)


def test_git_that_is_not_there_is_said(repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OpcharError, match="no git"):
        History(repository.root)


def test_what_is_told_counts_all(repository):
    stood = repository.commit(study=marked())
    entries = {
        NUMBER: {"criterion": CRITERION, "criterion_set": f"before {stood[:8]}"},
        "some2000:0008": {"criterion": "x", "criterion_set": "after"},
        "some2000:0009": {"criterion": "y", "criterion_set": "undated"},
    }
    assert report_lines(entries, check(entries, repository.root)) == [
        f"{NUMBER}  before {stood[:8]}: shown",
        "criteria: 1 set before their first result, 1 after it, 1 undated; "
        "0 not shown by the history",
    ]


def test_no_statement_claims_what_the_history_does_not_show(plan):
    statements = plan.config.statements
    claimed = [n for n, entry in statements.items() if entry["criterion_set"].startswith("before")]
    if claimed:
        assert [each for each in check(statements, ROOT) if each.wrong] == []
    assert {entry["criterion_set"].split()[0] for entry in statements.values()} <= {
        "before",
        "after",
        "undated",
    }
