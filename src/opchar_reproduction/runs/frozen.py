"""Whether the history shows that a criterion stood before its first result."""

import csv
import io
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from opchar.errors import ConfigError, OpcharError
from opchar_reproduction.project.configuration.studies import read_marks

SOURCES = "src/opchar_reproduction/publications"
VERDICTS = ":(glob)**/expected.csv"
# Verdicts of `expected.csv` that are no result.
OPEN = ("pending", "missing")
_BEFORE = re.compile(r"before ([0-9a-f]{7,40})")


class Frozen(NamedTuple):
    """What the history says of one criterion: empty ``wrong`` if it shows what the mark says."""

    number: str
    commit: str
    wrong: str


class History:
    """The commits of a checkout, as far as criteria and verdicts go."""

    def __init__(self, root: Path | str) -> None:
        self.root = str(root)
        self._criteria: dict[str, dict[str, str]] = {}
        try:
            shallow = self._git("rev-parse", "--is-shallow-repository").strip()
        except (OSError, subprocess.CalledProcessError):
            raise OpcharError(
                f"{root}: criteria cannot be checked against history: no git, or no repository; "
                "use a clone of the repository"
            ) from None
        if shallow != "false":
            raise OpcharError(
                f"{root}: criteria cannot be checked against history: the clone is shallow; "
                "complete it by 'git fetch --unshallow'"
            )
        self.judged = cache(self._commits_with_verdict)

    def _git(self, *arguments: str) -> str:
        done = subprocess.run(["git", "-C", self.root, *arguments], capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")

    def is_ancestor(self, commit: str) -> bool:
        """Tell whether a commit is an ancestor of what is checked out."""
        try:
            self._git("merge-base", "--is-ancestor", commit, "HEAD")
        except subprocess.CalledProcessError:
            return False
        return True

    def criterion(self, commit: str, paper: str, number: str) -> str | None:
        """Return the criterion of a statement in a commit, or None."""
        tree = self._git("ls-tree", "-r", commit, "--", f"{SOURCES}/{paper}")
        for line in tree.splitlines():
            about, _, path = line.partition("\t")
            if path.endswith((".py", "/statements.csv")):
                found = self._of_blob(about.split()[2], path)
                if number in found:
                    return found[number]
        return None

    def _of_blob(self, blob: str, path: str) -> dict[str, str]:
        """Return the criteria of one state of a file by number; a file is read once a state."""
        if blob not in self._criteria and path.endswith(".csv"):
            rows = csv.DictReader(io.StringIO(self._git("cat-file", "blob", blob)))
            self._criteria[blob] = {row["number"]: row["criterion"] for row in rows}
        if blob not in self._criteria:
            try:
                marks = read_marks(self._git("cat-file", "blob", blob), "old", path)
            except ConfigError:
                # Marks of an older form: they show nothing.
                marks = []
            self._criteria[blob] = {
                str(mark.given["number"]): str(mark.given["criterion"])
                for mark in marks
                if mark.kind == "statement" and mark.given.get("criterion")
            }
        return self._criteria[blob]

    def since(self, commit: str, paper: str) -> list[str]:
        """Return the later commits that touch the studies of a publication."""
        span = f"{commit}..HEAD"
        return self._git("rev-list", span, "--", f"{SOURCES}/{paper}").split()

    def _commits_with_verdict(self, commit: str) -> dict[str, str]:
        """Return, of each line, one commit up to this one in which it has a verdict."""
        found: dict[str, str] = {}
        for each in self._git("rev-list", commit, "--", VERDICTS).split():
            tree = self._git("ls-tree", "-r", each).splitlines()
            blobs = [line.split()[2] for line in tree if line.endswith("expected.csv")]
            for blob in blobs:
                text = self._git("cat-file", "blob", blob)
                for row in csv.DictReader(io.StringIO(text)):
                    if row.get("verdict") not in (*OPEN, None):
                        found[row["id"]] = each
        return found


def check(statements: Mapping[str, Mapping[str, Any]], root: Path | str) -> list[Frozen]:
    """Check each criterion that is said to have stood before its first result."""
    history = History(root)
    commits = {
        number: match[1]
        for number, entry in statements.items()
        if (match := _BEFORE.fullmatch(str(entry["criterion_set"])))
    }
    return [
        Frozen(
            number, commit, _wrong(history, number, str(statements[number]["criterion"]), commit)
        )
        for number, commit in commits.items()
    ]


def _wrong(history: History, identifier: str, criterion: str, commit: str) -> str:
    paper, _, number = identifier.partition(":")
    if not history.is_ancestor(commit):
        return f"no commit {commit} in this history"
    if history.criterion(commit, paper, number) != criterion:
        return f"commit {commit} has not this criterion"
    for later in history.since(commit, paper):
        if history.criterion(later, paper, number) != criterion:
            return f"the criterion was another one in commit {later[:10]}"
    if result := history.judged(commit).get(identifier):
        return f"commit {result[:10]}, not later, has a result already"
    return ""


def report_lines(statements: Mapping[str, Mapping[str, Any]], found: list[Frozen]) -> list[str]:
    """Return a line for each checked criterion, and the counts of all."""
    lines = [f"{each.number}  before {each.commit}: {each.wrong or 'shown'}" for each in found]
    kinds = Counter(str(entry["criterion_set"]).split()[0] for entry in statements.values())
    counted = (
        f"{kinds['before']} set before their first result, {kinds['after']} after it, "
        f"{kinds['undated']} undated"
    )
    wrong = sum(bool(each.wrong) for each in found)
    return [*lines, f"criteria: {counted}; {wrong} not shown by the history"]
