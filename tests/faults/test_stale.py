"""Nothing old is taken for new: bytecode, compiled code, a user's folders, sources tried once."""

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT, configured
from opchar.datasets.sources.checksums import content_of
from opchar.datasets.sources.fetching import fetch
from opchar.datasets.sources.outdated import why_outdated
from opchar.errors import ConfigError
from opchar.files import MAKING, sweep
from opchar_reproduction.own.layout import new_publication
from opchar_reproduction.project import checked, closure, records
from opchar_reproduction.project.closure import SOURCE, Sources
from opchar_reproduction.project.environment import job_environment
from opchar_reproduction.publication import outside

STARTER = ROOT / "src/opchar_reproduction/jobs/__main__.py"
LOOK = """
import runpy, sys
loaded = runpy.run_path(sys.argv[1])["check_bytecode"]()
sys.path.insert(0, sys.argv[2])
import aurora
print(aurora.VALUE, sorted(loaded), loaded["aurora"][1].decode().strip())
"""


def replaced(path: Path, text: str) -> None:
    """Write another text of the same length, and put the times of the file back."""
    said = path.stat()
    assert len(text) == said.st_size
    path.write_text(text)
    os.utime(path, ns=(said.st_atime_ns, said.st_mtime_ns))


def looked(folder: Path, **more: str) -> str:
    words = [sys.executable, "-c", LOOK, str(STARTER), str(folder)]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | more
    return subprocess.run(
        words, capture_output=True, text=True, check=True, env=environment
    ).stdout.strip()


def test_bytecode_of_another_text_of_the_same_size_and_time_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "aurora.py"
    path.write_text("VALUE = 1\n")
    plain = [sys.executable, "-c", "import aurora"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(plain, cwd=tmp_path, check=True, env=environment)
    assert list(tmp_path.glob("__pycache__/aurora*.pyc")), "there is bytecode by size and time"
    replaced(path, "VALUE = 2\n")
    assert looked(tmp_path) == "2 ['aurora'] VALUE = 2"
    replaced(path, "VALUE = 3\n")
    assert looked(tmp_path) == "3 ['aurora'] VALUE = 3"
    assert looked(tmp_path) == "3 ['aurora'] VALUE = 3", "from bytecode by content"
    replaced(path, "VALUE = 4\n")
    (kept,) = tmp_path.glob("__pycache__/aurora*.pyc")
    before = kept.read_bytes()
    assert looked(tmp_path, PYTHONDONTWRITEBYTECODE="1") == "4 ['aurora'] VALUE = 4"
    assert kept.read_bytes() == before


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None])
def test_damaged_bytecode_is_made_anew(tmp_path: Path, damage: bytes | None) -> None:
    (tmp_path / "aurora.py").write_text("VALUE = 1\n")
    assert looked(tmp_path).startswith("1 ")
    (kept,) = tmp_path.glob("__pycache__/aurora*.pyc")
    kept.write_bytes(kept.read_bytes()[:20] if damage is None else damage)
    assert looked(tmp_path).startswith("1 ")


def test_bytecode_that_came_with_a_copied_folder_names_the_copy(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/aurora.py").write_text("VALUE = (lambda: 0).__code__.co_filename\n")
    assert "/a/aurora.py" in looked(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    assert looked(tmp_path / "b").split()[0].endswith("/b/aurora.py")


def test_jobs_do_not_look_for_libraries_where_they_are_started(tmp_path: Path) -> None:
    (tmp_path / "fractions.py").write_text("raise SystemExit('shadowed')\n")
    words = [sys.executable, "-c", "import fractions; print(fractions.Fraction(1, 2))"]
    environment = job_environment(os.environ)
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.stdout == "1/2\n"
    text = (ROOT / "workflow/rules/common.smk").read_text(encoding="utf-8")
    assert 'PYTHON, "-P", str(JOBS)' in text


@pytest.mark.parametrize("name", ["fractions.py", "textwrap/__init__.py", "yaml.py", "numpy.so"])
def test_what_hides_a_library_beside_the_packages_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closure, "SOURCE", tmp_path)
    for own in ("opchar", "opchar_reproduction", "__pycache__", "numpy-99.1.dist-info", "aurora"):
        (tmp_path / own).mkdir()
    (tmp_path / "sitecustomize.py").touch()
    assert closure.sources.__wrapped__()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    with pytest.raises(ConfigError, match="hides the library of that name"):
        closure.sources.__wrapped__()


def test_compiled_code_has_a_folder_for_each_state_of_what_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = checked.compiled_folder()
    assert before == checked.compiled_folder()
    copy = Path(shutil.copytree(SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("*pyc")))
    tree = Sources(copy)
    monkeypatch.setattr(checked, "SOURCE", copy)
    monkeypatch.setattr(checked, "sources", lambda: tree)
    assert checked.compiled_folder() == before
    called = copy / "opchar/multiclass/cost_weights/compiled_cuts.py"
    called.write_text(called.read_text(encoding="utf-8") + "\nMORE = 1\n", encoding="utf-8")
    tree = Sources(copy)
    assert checked.compiled_folder() != before


def test_what_killed_jobs_left_is_swept_with_its_folders(tmp_path: Path) -> None:
    (tmp_path / f"deep/{MAKING}1-new/inner").mkdir(parents=True)
    (tmp_path / f"deep/{MAKING}1-new/inner/file").touch()
    (tmp_path / f"{MAKING}2.csv").touch()
    (tmp_path / "kept.csv").touch()
    sweep(tmp_path, tmp_path / "nowhere")
    assert {path.name for path in tmp_path.rglob("*")} == {"deep", "kept.csv"}


def test_what_is_said_beside_a_table_is_read_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A label that was changed there and put back left results that were called right."""
    monkeypatch.chdir(tmp_path)
    for table in (Path("data/features/a.parquet"), Path("data/scores/tiny/a/p/m.parquet")):
        table.parent.mkdir(parents=True)
        beside = records.sidecar(table)
        table.write_text("1")
        beside.write_text("{}")
        records.write(table, "code 1; libraries none", {}, [table, beside])
        assert set(records.check_inputs([table])) == {table.as_posix(), beside.as_posix()}
        beside.write_text('{"classes": ["b", "a"]}')
        with pytest.raises(records.DataError, match=f"{beside}: was changed since it was made"):
            records.check_inputs([table])


def test_a_library_that_a_job_imported_counts_by_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = Path("results/tiny/a.csv")
    table.parent.mkdir(parents=True)
    table.write_text("1")
    job = "code 1; libraries none"
    records.write(table, job, {}, [table], {"numpy": "0.1"})
    record = records.read_record(records.place_of(table))
    assert record is not None
    assert records.other_libraries(record) == [f"numpy 0.1 -> {records.version_of('numpy')}"]


def test_a_byte_beside_the_meaning_of_a_record_or_a_time_stamp_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = Path("results/tiny/a/b.csv")
    table.parent.mkdir(parents=True)
    table.write_text("1")
    records.write(table, "code 1; libraries none", {}, [table])
    stamp, place = table.parent / records.SNAKEMAKES, records.place_of(table)
    stamp.touch()
    record = records.read_record(place)
    assert record is not None
    assert list(records.faults(record)) == []
    stamp.write_text("x")
    assert list(records.faults(record)) == [(stamp.as_posix(), "changed")]
    text = place.read_bytes()
    for other in (text + b" ", text.replace(b"\n", b"\r\n"), text[:-1], text + b"\xff"):
        place.write_bytes(other)
        assert records.read_record(place) is None


def test_a_folder_counts_by_the_bytes_of_its_files(tmp_path: Path) -> None:
    folder, seen = tmp_path / "photos", tmp_path / "seen.json"
    (folder / "a").mkdir(parents=True)
    photo = folder / "a/1.jpg"
    photo.write_text("one")
    before = content_of(folder, seen)
    assert content_of(folder, seen) == content_of(folder, tmp_path / "none/seen.json") == before
    replaced(photo, "two")
    assert content_of(folder, seen) != before
    replaced(photo, "one")
    assert content_of(folder, seen) == before
    (folder / "a/2.jpg").write_text("one")
    assert content_of(folder, seen) != before
    (folder / "a/2.jpg").unlink()
    (folder / ".DS_Store").touch()
    assert content_of(folder, seen) == before
    photo.rename(folder / "a/3.jpg")
    assert content_of(folder, seen) != before
    seen.write_text(json.dumps([1]))
    photo = folder / "a/3.jpg"
    photo.rename(folder / "a/1.jpg")
    assert content_of(folder, seen) == before


MIRROR = os.environ.get("OPCHAR_MIRROR", "")


@pytest.mark.skipif(not Path(MIRROR, "sonar").is_dir(), reason="OPCHAR_MIRROR has no sonar")
def test_a_mirror_that_is_mended_later_takes_the_place_of_a_stand_in(tmp_path: Path) -> None:
    entry = configured("datasets")["sonar"]
    mirror, raw = tmp_path / "mirror", tmp_path / "raw/sonar"
    shutil.copytree(Path(MIRROR) / "sonar", mirror / "sonar")
    files = [path for path in (mirror / "sonar").iterdir() if path.is_file()]
    texts = {path: path.read_bytes() for path in files}
    for path in files:
        path.write_bytes(b"damaged")
    given = {"policy": "offline", "mirrors": [str(mirror)], "user_folders": {}, "folder": raw}
    assert fetch("sonar", entry, **given)["stand_in"]
    assert why_outdated("sonar", entry, **given) == ""
    for path, text in texts.items():
        path.write_bytes(text)
    assert why_outdated("sonar", entry, **given).startswith("a source that has the files now")
    assert fetch("sonar", entry, **given)["stand_in"] is None
    assert why_outdated("sonar", entry, **given) == ""


def test_the_starter_of_jobs_imports_nothing_of_the_package_at_first() -> None:
    before = set(sys.modules)
    runpy.run_path(str(STARTER))
    assert not {name for name in set(sys.modules) - before if name.startswith("opchar")}


HOSTILE = ["p $(touch x)/a", "p`x`/a", "p;x/a", "p{x}/a", "p*/a", "p'/a", "p\n/a"]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_that_means_more_to_a_shell_is_refused_at_the_door(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="give a path of letters"):
        new_publication(path)
    with pytest.raises(ConfigError, match="give a path of letters"):
        outside([path], tmp_path)
    assert list(tmp_path.iterdir()) == []
