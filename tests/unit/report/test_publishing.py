"""A published report is whole, and one that would not work elsewhere is refused."""

import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from opchar.errors import OpcharError
from opchar_reproduction.report.publishing import (
    COMMIT,
    HOURS,
    LARGEST,
    TIME,
    certify,
    faults,
    origin,
    publish,
    recorded_origin,
)


def test_a_report_is_copied_whole_and_replaces_its_earlier_copy(folder: Path, tmp_path: Path):
    report = Path(shutil.copytree(folder, tmp_path / "report"))
    (report / "ledger.csv").write_text("id\n")
    there = tmp_path / "site"
    found = publish(report, there, {})
    assert {path.as_posix() for path in found} == {
        path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()
    }
    assert all((there / path).read_bytes() == (report / path).read_bytes() for path in found)
    (there / "old.html").write_text("left over")
    publish(report, there, {})
    assert not (there / "old.html").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report", "site"]


def test_a_copy_is_certified_with_its_commit_and_the_hours_of_its_jobs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    checkout, logs = tmp_path / "checkout", tmp_path / "logs"
    (logs / "train").mkdir(parents=True)
    for name, seconds in (("train/a", "3600.0"), ("b", "900")):
        (logs / f"{name}.tsv").write_text(f"s\th:m:s\n{seconds}\t-\n")
    checkout.mkdir()
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert origin(logs)[COMMIT] == "unknown: no Git checkout"
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for given in (["init", "-q"], [*author, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *given], check=True)
    said = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    certify(folder, logs)
    (checkout / "new.py").write_text("")
    found = recorded_origin(folder, logs)
    assert found == {TIME: found[TIME], COMMIT: said.stdout.strip(), HOURS: "1.25 in 2 jobs"}
    assert abs(datetime.now(UTC) - datetime.fromisoformat(found[TIME])) < timedelta(minutes=5)
    written = yaml.safe_load((logs / "codecheck.yml").read_text())
    assert written[COMMIT] == found[COMMIT]
    assert written["manifest"]
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert origin(logs)[COMMIT] == f"{found[COMMIT]}, with changes that are not committed"
    (logs / "codecheck.yml").write_text("of: another report\n")
    assert recorded_origin(folder, logs)[COMMIT] == origin(logs)[COMMIT]
    publish(folder, tmp_path / "site", found)
    for name in ("codecheck.yml", "certificate.html"):
        page = (tmp_path / "site" / name).read_text()
        assert found[COMMIT] in page and "1.25 in 2 jobs" in page
    assert yaml.safe_load((tmp_path / "site" / "codecheck.yml").read_text())[COMMIT]


PAGE = '<h2 id="here">x</h2>'
HOME = "/" + "root"  # of the user who may do all


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A report of one page."""
    (tmp_path / "report").mkdir()
    for name in ("index.html", "ledger.html"):
        (tmp_path / "report" / name).write_text(PAGE)
    return tmp_path / "report"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.html", '<a href="missing.html">', "without a target"),
        ("a.html", '<a href="index.html#nowhere">', "a place that the page does not have"),
        ("a.html", f'{PAGE}<a href="#there">', "a place that the page does not have"),
        ("a.html", '<img src="/logo.png">', "depends on the host"),
        ("a.html", '<script src="//host/x.js"></script>', "depends on the host"),
        ("a.html", '<a href="file:///tmp/x">', "a path of this machine"),
        ("a.html", '<a href="../outside.html">', "out of the folder"),
        ("a.csv", "from,/home/somebody/data.csv\n", "a path of this machine"),
        ("a.json", '{"root": "/Users/somebody/project"}', "a path of this machine"),
        ("a.json", f'{{"from": "{HOME}/project/config.yaml"}}', "a path of this machine"),
        ("a.css", "body { background: url('missing.png') }", "without a target"),
    ],
)
def test_a_fault_is_named_and_nothing_is_written(small, tmp_path, name, text, said):
    (tmp_path / "outside.html").write_text("")
    (small / name).write_text(text)
    with pytest.raises(OpcharError, match=f"cannot be published: {re.escape(name)}.*{said}"):
        publish(small, tmp_path / "site", {})
    assert not (tmp_path / "site").exists()


def test_right_links_are_no_faults(small: Path):
    (small / "b c.html").write_text(PAGE)
    (small / "a.html").write_text(
        f'{PAGE}<a href="#here"><a href="b%20c.html#here"><a href="https://example.org/home/x">'
        '<a href="ledger.html#work=a&amp;outcome=b"><img src="data:image/png;base64,AA">'
    )
    assert list(faults(small)) == []


def test_a_report_that_is_too_large_is_refused(small: Path):
    with (small / "large.bin").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert [fault for fault in faults(small) if "MB" in fault]


def test_other_folders_are_left_alone(small: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("mine")
    for where in (other, other / "thesis.tex", small / "inside", tmp_path):
        with pytest.raises(OpcharError):
            publish(small, where, {})
    assert (other / "thesis.tex").read_text() == "mine"
    with pytest.raises(OpcharError, match="there is no report"):
        publish(tmp_path / "nothing", tmp_path / "site", {})
