"""What is trusted, and what is not: locked libraries, no code from data, no markup from data."""

import ast
import io
import pickle
import re
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT, configured
from opchar.analysis.asking import Asked
from opchar.analysis.run import analyse
from opchar.analysis.tables.files import read_table
from opchar.analysis.tables.reading import read_models
from opchar.analysis.writing import write_answers
from opchar.datasets.building import build
from opchar.datasets.readers import npz
from opchar.errors import ConfigError, DataError, ScoresError
from opchar.files import write_json
from opchar_reproduction.project.configuration.config import load, read_yaml
from opchar_reproduction.words import words_of
from reports import Page

PLACES = ("src", "studies", "tools", "qa", "workflow")
SOURCES = [path for name in PLACES for path in (ROOT / name).rglob("*.py")]
NEVER = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "pickle.load"}
NEVER |= {"pickle.loads", "joblib.load", "pd.read_pickle", "dill.load", "marshal.loads"}
NEVER |= {"yaml.unsafe_load", "yaml.full_load", "tempfile.mktemp"}
SAFE_LOADERS = {"yaml.BaseLoader", "yaml.SafeLoader", "yaml.CSafeLoader"}
# These change installed packages, and nothing else may.
OF_PACKAGES = re.compile(r"pip install|uv pip|conda install")


def calls(path: Path) -> list[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def unsafe(call: ast.Call) -> str:
    """Return what is unsafe about a call; nothing for all others."""
    name = ast.unparse(call.func)
    given = {word.arg: ast.unparse(word.value) for word in call.keywords}
    if name in NEVER:
        return name
    if given.get("shell", "False") != "False":
        return f"{name}(shell=...)"
    if given.get("allow_pickle", "False") != "False":
        return f"{name}(allow_pickle=...)"
    if name in ("np.load", "numpy.load") and "allow_pickle" not in given:
        return f"{name} without allow_pickle=False"
    if name == "yaml.load" and given.get("Loader") not in SAFE_LOADERS:
        return f"yaml.load with {given.get('Loader')}"
    if "verify" in given and given["verify"] == "False":
        return f"{name}(verify=False)"
    if name.endswith("_create_unverified_context"):
        return name
    return ""


def test_no_source_runs_code_or_commands_from_data() -> None:
    assert len(SOURCES) > 300
    found = {
        path.relative_to(ROOT).as_posix(): wrong
        for path in SOURCES
        for call in calls(path)
        if (wrong := unsafe(call))
    }
    # The site runs the code of the tutorials, which is committed beside it; a user's file is
    # compiled, and not run, to find what would fail; jobs load bytecode beside sources, as Python
    # itself does, and what a copy of their own process wrote into a pipe.
    assert found == {
        "src/opchar_reproduction/words.py": "compile",
        "src/opchar_reproduction/jobs/__main__.py": "marshal.loads",
        "src/opchar_reproduction/jobs/copies.py": "pickle.load",
        "tools/site.py": "exec",
    }


@pytest.mark.parametrize(
    "line",
    [
        "eval(text)",
        "subprocess.run(name, shell=True)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.UnsafeLoader)",
        "requests.get(url, verify=False)",
        "pickle.loads(content)",
    ],
)
def test_the_search_for_unsafe_calls_finds_them(line: str) -> None:
    (call,) = (node for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Call))
    assert unsafe(call)


def test_templates_escape_what_they_are_given() -> None:
    assert "autoescape=True" in (ROOT / "src/opchar_reproduction/report/drawing.py").read_text()
    for path in (ROOT / "src/opchar_reproduction/report/templates").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape\s+false", text), path.name


def test_rules_quote_what_they_pass_to_a_shell() -> None:
    """Wildcards are limited to the names of the plan, which have no letter that a shell reads."""
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        assert not OF_PACKAGES.search(text)
        assert "curl" not in text and "wget" not in text


def test_every_locked_library_has_hashes_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    parts = [part for part in re.split(r"\n(?=\S)", text.strip()) if not part.startswith("#")]
    assert len(parts) > 50
    for part in parts:
        assert re.match(r"[A-Za-z0-9_.-]+(\[[\w,-]+\])?==[^\s;]+", part), part.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", part), part.splitlines()[0]


def test_the_lock_is_installed_by_its_hashes_only() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = [
        line for line in text.replace("\\\n", " ").splitlines() if "requirements.lock" in line
    ]
    pip = [part for line in installs for part in re.split(r"&&|;", line) if "pip " in part]
    used = [part for part in pip if "pip install" in part or "pip sync" in part]
    locked = [part for part in used if "requirements.lock" in part]
    assert len(locked) == 2
    assert all("--require-hashes" in part for part in locked)
    assert all("--no-deps" in part for part in used if part not in locked and "$(DOCS)" not in part)


class Trap:
    """What runs code when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self):
        return Path.touch, (self.place,)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    trap = np.array([Trap(tmp_path / "ran")], dtype=object)
    np.savez(tmp_path / "x.npz", X=trap, label=np.array([0]), classes=np.array(["a"]))
    with pytest.raises(DataError):
        npz([tmp_path / "x.npz"])
    with pytest.raises(ScoresError):
        read_table(tmp_path / "x.npz")
    for name in ("s.csv", "s.pkl"):
        (tmp_path / name).write_bytes(pickle.dumps(Trap(tmp_path / "ran")))
        with pytest.raises(ScoresError, match="reading a pickle can run any code"):
            read_table(tmp_path / name)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("s.csv", pickle.dumps(Trap(tmp_path / "ran")))
    (tmp_path / "s.zip").write_bytes(packed.getvalue())
    with pytest.raises(ScoresError):
        read_table(tmp_path / "s.zip")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "text",
    [
        "!!python/object/apply:os.system ['touch ran']",
        "!!python/name:os.system",
        "a: !!python/object/new:pathlib.Path [ran]",
    ],
)
def test_yaml_makes_no_objects(tmp_path: Path, monkeypatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(ConfigError, match="not YAML"):
        read_yaml(tmp_path / "x.yaml")
    assert not (tmp_path / "ran").exists()


def test_a_file_of_ones_own_is_read_but_not_run_until_its_word_is_used(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    text = f"""open({str(tmp_path / "ran")!r}, "w")
from opchar_reproduction.words import word
@word("mine", summary="mine")
def mine():
    return None
"""
    (tmp_path / "mine.py").write_text(text)
    load(tmp_path)
    load(tmp_path, {"extensions": ["mine.py"]})
    assert list(words_of(tmp_path, "mine.py")) == ["mine"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("file", ["/etc/mine.py", "http://x/mine.py", "mine.txt", "c:mine.py"])
def test_files_of_ones_own_are_named_inside_the_project(tmp_path: Path, file: str) -> None:
    shutil.copytree(ROOT / "config", tmp_path / "config")
    with pytest.raises(ConfigError, match=r"config/config\.yaml: extensions"):
        load(tmp_path, {"extensions": [file]})


def test_raw_files_are_compared_with_their_checksums_before_they_are_parsed(tmp_path) -> None:
    """A damaged MAT file can crash the reader of SciPy: it must not come so far."""
    registry = configured("datasets")
    readers = {
        entry["reader"].split(":")[1]: name
        for name, entry in registry.items()
        if "reader" in entry and "files" in entry
    }
    assert "prtools_struct" in readers
    for name in readers.values():
        folder = tmp_path / name
        folder.mkdir()
        files = registry[name]["files"]
        for file in files:
            (folder / file).write_bytes(b"MATLAB 5.0 MAT-file" + bytes(200))
        known = {file: what["sha256"] for file, what in files.items()}
        write_json({"files": known, "stand_in": None}, folder / "PROVENANCE.json")
        with pytest.raises(DataError, match="changed since it was fetched"):
            build(name, registry, folder, lambda *words: np.random.default_rng(0))


HOSTILE = [
    "<script>document.title='caught'</script>",
    "<img src=x onerror=\"document.title='caught'\">",
    '"><svg onload="document.title=\'caught\'">',
    "</script><script>document.title='caught'</script>",
    "javascript:document.title='caught'",
    "{{ 7 * 7 }}",
    "' onmouseover='document.title=1",
]


def hostile_page(folder: Path, first: str, second: str, model: str) -> Path:
    """Write the page of scores whose classes and model have hostile names."""
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(1)
    y = np.arange(90) % 3
    names = [first, second, "plain"]
    table = pd.DataFrame(rng.random((90, 3)) + np.eye(3)[y], columns=names)
    table.insert(0, "y", [names[label] for label in y])
    scores = folder / f"{model}.csv"
    table.to_csv(scores, index=False)
    answers = analyse(read_models([scores]), Asked(resamples=50, folds=3))
    write_answers(answers, folder / "out")
    return folder / "out/index.html"


@pytest.mark.parametrize("place", range(0, len(HOSTILE), 2))
def test_hostile_names_stay_text_on_the_page_of_ones_own_scores(tmp_path, place: int) -> None:
    first, second = HOSTILE[place], HOSTILE[(place + 1) % len(HOSTILE)]
    path = hostile_page(tmp_path, first, second, "m<b onclick=alert(1)>")
    plain = hostile_page(tmp_path / "plain", "first", "second", "m") if place == 0 else None
    page = Page(path)
    attributes = {name for _, given in page.elements for name in given}
    assert not {name for name in attributes if name.startswith("on")}
    assert all("caught" not in str(given.get("href", "")) for given in page.all("a"))
    tags = [tag for tag, _ in page.elements]
    assert "img" not in tags or all("onerror" not in given for given in page.all("img"))
    assert "".join(page.text).count(first) >= 1
    if plain is not None:
        assert tags.count("script") == [tag for tag, _ in Page(plain).elements].count("script")
