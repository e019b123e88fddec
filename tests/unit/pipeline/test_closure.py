"""Whatever may alter what a job computes changes its hash; comments and docstrings do not."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import ConfigError, DataError
from opchar_reproduction.project import checked, libraries
from opchar_reproduction.project.closure import Sources
from opchar_reproduction.project.reading import Reader, read_module

NOW = ".".join(map(str, sys.version_info[:2]))
HELPER = '''"""Help."""
import numpy as np
LIMIT = 3
def g(x):
    """Add."""
    return np.add(x, LIMIT)  # a remark
'''
# Ways in which the code of a job reaches a module, whatever name it goes by afterwards.
REACHED = {
    "from import": "from opchar.part.helper import g\ndef f(x):\n    return g(x)",
    "import": "import opchar.part.helper\ndef f(x):\n    return opchar.part.helper.g(x)",
    "import as": "import opchar.part.helper as h\ndef f(x):\n    return h.g(x)",
    "import of a package's module": "from opchar.part import helper\ndef f(x):\n    return x",
    "relative": "from .part.helper import g\ndef f(x):\n    return g(x)",
    "relative module": "from .part import helper\ndef f(x):\n    return x",
    "relative package": "from . import between\ndef f(x):\n    return x",
    "star": "from opchar.part.helper import *\ndef f(x):\n    return g(x)",
    "inside a function": "def f(x):\n    from opchar.part.helper import g\n    return g(x)",
    "inside a class": "class C:\n    from opchar.part.helper import g\nf = C.g",
    "inside a lambda": "f = lambda x: __import__('opchar.part.helper')",
    "second branch of try": "try:\n    import nothing_there as h\nexcept ImportError:\n"
    "    from opchar.part import helper as h\ndef f(x):\n    return h.g(x)",
    "else of if": "import sys\nif sys.maxsize < 9:\n    from opchar import other as h\nelse:\n"
    "    from opchar.part import helper as h\ndef f(x):\n    return h.g(x)",
    "case of match": "import sys\nmatch sys.platform:\n    case 'none':\n        h = None\n"
    "    case _:\n        from opchar.part import helper as h\ndef f(x):\n    return h.g(x)",
    "two modules under one name": "from opchar import other as h\n"
    "from opchar.part import helper as h\ndef f(x):\n    return h.g(x)",
    "rebound by partial": "from functools import partial\nfrom opchar.part.helper import g\n"
    "g = partial(g)\ndef f(x):\n    return g(x)",
    "rebound by a lambda": "from opchar.part.helper import g as h\ng = lambda x: h(x)\n"
    "def f(x):\n    return g(x)",
    "decorator of one's own": "from opchar.part.helper import g as table\n"
    "@table\ndef f(x):\n    return x",
    "metaclass": "from opchar.part.helper import g\nclass C(metaclass=g): ...\ndef f(x):\n    0",
    "registry": "from functools import singledispatch\nfrom opchar.part import helper\n"
    "@singledispatch\ndef f(x): ...\nf.register(int)(helper.g)",
    "walrus": "from opchar.part import helper\nif (g := helper.g):\n    f = g",
    "global": "from opchar.part import helper\ndef f(x):\n    global g\n    g = helper.g",
    "assigned call": "from opchar.part.helper import g\nTABLE = dict(g=g)\n_ = TABLE.update(h=g)\n"
    "def f(x):\n    return TABLE['g'](x)",
    "getattr of a module": "from opchar.part import helper\ndef f(x):\n"
    "    return getattr(helper, 'g')(x)",
    "module's name as text": "from importlib import import_module\nNAME = 'opchar.part.helper'\n"
    "def f(x):\n    return import_module(NAME).g(x)",
    "function's name as text": "TABLE = {'g': 'opchar.part.helper:g'}\ndef f(x):\n    return x",
    "relative name as text": "from importlib import import_module\ndef f(x):\n"
    "    return import_module('.part.helper', __package__).g(x)",
    "sys.modules": "import sys\ndef f(x):\n    return sys.modules['opchar.part.helper'].g(x)",
    "through another module": "from opchar.between import found\ndef f(x):\n    return found(x)",
    "package that imports on demand": "from opchar.face import g\ndef f(x):\n    return g(x)",
    "attribute of such a package": "import opchar.face as face\ndef f(x):\n    return face.g(x)",
    "package that imports": "from opchar.whole import g\ndef f(x):\n    return g(x)",
    "beside a package that imports": "from opchar.whole.alone import one\ndef f(x):\n    0",
    "checked types that are rebound": "from typing import TYPE_CHECKING\nTYPE_CHECKING = True\n"
    "if TYPE_CHECKING:\n    from opchar.part.helper import g\ndef f(x):\n    return g(x)",
    "checked types of one's own": "TYPE_CHECKING = True\nif TYPE_CHECKING:\n"
    "    from opchar.part.helper import g\ndef f(x):\n    return g(x)",
    "started as a program": "if __name__ == '__main__':\n    import opchar.part.helper",
}
LAZY = """def __getattr__(name):
    from importlib import import_module
    return getattr(import_module("opchar.part.helper"), name)
"""
PACKAGE = {
    "__init__.py": '"""Package."""\n',
    "part/__init__.py": "",
    "part/helper.py": HELPER,
    "other.py": "def g(x):\n    return x\n",
    "between.py": "from opchar.part.helper import g\nfound = g\n",
    "face/__init__.py": LAZY,
    "face/inner.py": "def one():\n    return 1\n",
    "whole/__init__.py": "from opchar.part.helper import g as g\n",
    "whole/alone.py": "one = 1\n",
    "job.py": "def f(x):\n    return x\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in PACKAGE.items():
        path = tmp_path / "opchar" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "opchar"


def hashed(source: Path, reference: str = "opchar.job:f") -> str:
    return Sources(source.parent).code_hash(reference)


def is_seen(source: Path, file: str, old: str, new: str, reference: str = "opchar.job:f") -> bool:
    """Whether an edit of a file changes the hash of a job."""
    before, path = hashed(source, reference), source / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return hashed(source, reference) != before


@pytest.mark.parametrize("way", REACHED)
def test_every_way_to_a_module_is_followed(source: Path, way: str) -> None:
    (source / "job.py").write_text(REACHED[way])
    assert is_seen(source, "part/helper.py", "LIMIT = 3", "LIMIT = 4")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # a remark", ""),
        ('"""Add."""', '"""Add a limit."""'),
        ('"""Help."""', '"""Help twice."""'),
        ("return np.add(x, LIMIT)", "return np.add(\n        x,\n        LIMIT,\n    )"),
        ("LIMIT = 3", "\n\nLIMIT = 3"),
    ],
)
def test_comments_docstrings_and_layout_do_not_count(source: Path, old: str, new: str) -> None:
    (source / "job.py").write_text(REACHED["from import"])
    assert not is_seen(source, "part/helper.py", old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import numpy as np", "import cupy as np"),
        ("def g(x):", "def g(x: int):"),
        ("def g(x):", "def g(x) -> float:"),
        ("LIMIT = 3", "LIMIT = 3\nnp.seterr(all='raise')"),
        ("LIMIT = 3", "LIMIT = 3\n_ = np.random.seed(1)"),
        ("LIMIT = 3", "LIMIT: int = 3"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("LIMIT = 3", "LIMIT = True + 2"),
        ('    """Add."""', '    """Add."""\n    "and more"'),
        ("def g(x):", "def unused():\n    return 1\ndef g(x):"),
    ],
)
def test_all_else_counts(source: Path, old: str, new: str) -> None:
    (source / "job.py").write_text(REACHED["from import"])
    assert is_seen(source, "part/helper.py", old, new)


def test_constants_of_other_types_are_told_apart(source: Path) -> None:
    seen = set()
    for value in ("1", "True", "1.0", "'1'", "b'1'", "1j", "None", "...", "'True'", "-1", "f'1'"):
        (source / "job.py").write_text(f"def f(x):\n    return {value}\n")
        seen.add(hashed(source))
    assert len(seen) == 11


def test_what_a_job_does_not_import_does_not_count(source: Path) -> None:
    (source / "job.py").write_text("from opchar.face.inner import one\ndef f(x):\n    return one()")
    assert not is_seen(source, "part/helper.py", "LIMIT = 3", "LIMIT = 4")
    checked = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import opchar.part.helper\n"
    (source / "job.py").write_text(checked)
    assert not is_seen(source, "part/helper.py", "LIMIT = 4", "LIMIT = 5")


# How code finds its data files, and where.
DATA = {
    "by name": ("open('rows.csv')", "rows.csv"),
    "in a folder": ("open('deep/rows.csv')", "deep/rows.csv"),
    "in a folder of a folder": ("open('deep/more/rows.csv')", "deep/more/rows.csv"),
    "by parts": ("Path(__file__).parent / ('ro' + 'ws.csv')", "rows.csv"),
    "by an f-string": ("open(f'{x}.csv')", "rows.csv"),
    "by a pattern": ("Path(__file__).parent.glob('*.csv')", "rows.csv"),
    "by another ending": ("Path(__file__).with_suffix('.csv')", "job.csv"),
    "by a list of the folder": ("listdir()", "rows"),
    "without an ending": ("open('ROWS')", "ROWS"),
    "with a capital": ("open('Rows.CSV')", "Rows.CSV"),
    "of a folder of the package above": (
        "Path(__file__).parents[1] / 'store' / ('ro' + 'ws')",
        "../store/rows",
    ),
    "of the package above": ("Path(__file__).parents[1] / 'rows.csv'", "../rows.csv"),
}


@pytest.mark.parametrize("way", DATA)
@pytest.mark.parametrize("change", ["1", None])
def test_data_files_beside_code_count(source: Path, way: str, change: str | None) -> None:
    said, name = DATA[way]
    home = source / "room"
    home.mkdir()
    (home / "job.py").write_text(f"def f(x):\n    return {said}\n")
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("0")
    before = hashed(source, "opchar.room.job:f")
    file.write_text(change) if change else file.unlink()
    assert hashed(source, "opchar.room.job:f") != before


def test_a_folder_of_data_in_a_package_above_counts_where_it_is_named(source: Path) -> None:
    (source / "store").mkdir()
    (source / "store/rows.csv").write_text("0")
    (source / "part/job.py").write_text("def f(x):\n    return x\n")
    assert not is_seen(source, "store/rows.csv", "0", "1", "opchar.part.job:f")


def test_resources_of_a_package_named_by_a_text_count(source: Path) -> None:
    (source / "job.py").write_text(
        "from importlib.resources import files\ndef f(x):\n"
        "    return files('opchar.store') / 'rows.csv'\n"
    )
    (source / "store").mkdir()
    (source / "store/rows.csv").write_text("0")
    assert is_seen(source, "store/rows.csv", "0", "1")


def test_printed_numbers_are_inputs_and_no_code(source: Path) -> None:
    (source / "values.csv").write_text("0")
    assert not is_seen(source, "values.csv", "0", "1")


@pytest.mark.parametrize("place", ["", "mine/"])
def test_a_users_file_counts_with_what_it_imports_and_what_lies_beside_it(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / f"{place}own.py"
    own.parent.mkdir(exist_ok=True)
    own.write_text("from opchar.between import found\nNAME = 'rows'\ndef f(x):\n    open(NAME)\n")
    own.with_name("rows.csv").write_text("0")
    reference = f"{place}own.py:f"
    assert is_seen(source, "part/helper.py", "LIMIT = 3", "LIMIT = 4", reference)
    assert is_seen(source, f"../{place}own.py", "open(NAME)", "open(NAME + '.csv')", reference)
    assert is_seen(source, f"../{place}rows.csv", "0", "1", reference)
    before = hashed(source, reference)
    for name in ("run.log", "results/made.csv", "data/rows.csv", ".hidden"):
        (tmp_path / place / name).parent.mkdir(exist_ok=True)
        (tmp_path / place / name).write_text("0")
    assert hashed(source, reference) == before
    own.with_name("helping.py").write_text("")
    own.write_text("import helping\ndef f(x):\n    return helping.g(x)\n")
    with pytest.raises(ConfigError, match="imports 'helping' from"):
        hashed(source, reference)


def test_the_name_of_a_librarys_class_counts(source: Path) -> None:
    one = Sources(source.parent).code_hash("opchar.job:f", "sklearn.svm:SVC")
    assert one != Sources(source.parent).code_hash("opchar.job:f", "sklearn.svm:NuSVC")
    assert one != Sources(source.parent).code_hash("opchar.job:f")


@pytest.mark.parametrize("text", ["x = 1\ndef broken(:\n", "x = 1\n\0"])
def test_a_broken_module_is_one_line_that_names_it(source: Path, text: str) -> None:
    (source / "job.py").write_text(text)
    with pytest.raises(ConfigError, match=r"job\.py: line \d: not Python"):
        hashed(source)


def test_the_hash_is_the_same_in_another_folder(source: Path, tmp_path: Path) -> None:
    (source / "rows.csv").write_text("1")
    other = Path(shutil.copytree(source, tmp_path / "elsewhere/opchar"))
    assert hashed(other) == hashed(source)


@pytest.mark.parametrize("content", ["", "{}", '{"good": 1', "[]", None])
def test_what_was_read_is_kept_and_read_again_when_it_is_not_good(
    source: Path, tmp_path: Path, content: str | None
) -> None:
    kept = tmp_path / "kept"
    right = Sources(source.parent, Reader(kept)).code_hash("opchar.job:f")
    assert right == hashed(source) == Sources(source.parent, Reader(kept)).code_hash("opchar.job:f")
    for path in kept.iterdir():
        said = json.loads(path.read_text())
        said["said"]["digest"] = "0"
        path.write_text(json.dumps(said) if content is None else content)
    assert Sources(source.parent, Reader(kept)).code_hash("opchar.job:f") == right
    (source / "job.py").write_text("def f(x):\n    return -x\n")
    assert Sources(source.parent, Reader(kept)).code_hash("opchar.job:f") == hashed(source) != right


def test_the_files_behind_a_hash_are_kept(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tree = Sources(source.parent)
    checked.keep("a", tree.closure("opchar.job:f"))
    assert checked.read_kept("a") == tree.closure("opchar.job:f")
    assert set(checked.read_kept("a")) == {"opchar", "opchar/job"}
    (source / "job.py").write_text("def f(x):\n    return -x\n")
    checked.keep("b", Sources(source.parent).closure("opchar.job:f"))
    assert checked.changed_files("a", "b") == ["opchar/job"]
    assert checked.changed_files("a", "a") == checked.changed_files("a", "c") == []


def test_a_job_is_refused_that_ran_other_code_than_was_planned(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file was changed while the run went on, and put back before anyone looked."""
    monkeypatch.chdir(tmp_path)
    tree, path = Sources(source.parent), source / "job.py"
    checked.keep("a", tree.closure("opchar.job:f"))
    text = path.read_bytes()
    checked.refuse_other_code(["a"], {"opchar.job": (str(path), text)}, set())
    checked.refuse_other_code(["a"], {"opchar.job": (str(path), text + b"# more\n")}, set())
    with pytest.raises(DataError, match=r"job\.py: has changed since this run was planned"):
        checked.refuse_other_code(["a"], {"opchar.job": (str(path), b"f = abs")}, set())
    other = {"opchar.other": (str(source / "other.py"), b"")}
    checked.refuse_other_code(["a"], other, {"opchar.other"})
    with pytest.raises(DataError, match=r"other\.py: is imported, but nothing"):
        checked.refuse_other_code(["a"], other, set())
    with pytest.raises(DataError, match="is gone: run again"):
        checked.refuse_other_code(["b"], {}, set())
    # Installed into a folder of one's own: a module alone, a package, one without __init__.py.
    installed: dict[str, tuple[str, bytes]] = {}
    for place in ("aurora.py", "borealis/__init__.py", "borealis/inner.py", "corona/inner.py"):
        (file := tmp_path / "installed" / place).parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        name = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        installed[name] = str(file), b""
    for name, read in installed.items():
        with pytest.raises(DataError, match="is imported, but nothing"):
            checked.refuse_other_code(["a"], {name: read}, set())
    monkeypatch.syspath_prepend(tmp_path / "installed")
    checked.refuse_other_code(["a"], installed, set())


def test_libraries_are_those_imported_and_what_these_require(source: Path) -> None:
    outside = Sources(source.parent).outside("opchar.between:found", "sklearn.svm:SVC")
    assert {name.split(".")[0] for name in outside} == {"numpy", "sklearn"}
    found = libraries.versions(outside)
    assert {"numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl"} <= set(found)
    assert found["numpy"] == version("numpy")
    assert libraries.versions(["os", "json.decoder"]) == {}
    assert libraries.versions(["no_such_library.f"]) == {"no_such_library": "absent"}
    drawn = libraries.versions(["matplotlib.figure"])
    assert {"contourpy", "kiwisolver", "fonttools", "pyparsing", "pillow"} <= set(drawn)
    left_out = libraries.versions(["sklearn.svm", "matplotlib"], without=["matplotlib"])
    assert "kiwisolver" not in left_out and "joblib" in left_out


def test_what_is_installed_from_a_folder_counts_by_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "aurora").mkdir()
    (tmp_path / "aurora/__init__.py").write_text("")
    inner = tmp_path / "aurora/models.py"
    inner.write_text("class Mine: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    said = []
    for text in ("class Mine: ...\n", "class Mine: x = 1\n"):
        inner.write_text(text)
        libraries.version_of.cache_clear()
        said.append(libraries.versions(["aurora.models"])["aurora"])
    assert said[0] != said[1] and said[0].startswith("text-")
    (tmp_path / "borealis.py").write_text("")
    importlib.import_module("borealis")
    (tmp_path / "borealis.py").unlink()  # it was imported, and is gone
    assert libraries.imported_libraries([])["borealis"] == "absent"
    del sys.modules["borealis"]


def test_only_what_is_counted_and_loaded_besides_is_told() -> None:
    import numpy  # noqa: F401

    assert libraries.imported_libraries([])["numpy"] == version("numpy")
    assert "numpy" not in libraries.imported_libraries(["numpy"])
    assert "opchar" not in libraries.imported_libraries([])


PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def interpreters() -> dict[str, str]:
    """Return the Pythons of this machine by version, found on the path or as pyenv keeps them."""
    found = {v: p for v in PYTHONS if (p := shutil.which(f"python{v}")) and _runs(p)}
    if pyenv := shutil.which("pyenv"):
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True).stdout.strip()
        for path in sorted(Path(root).glob("versions/3.*/bin/python")):
            found.setdefault(".".join(path.parents[1].name.split(".")[:2]), str(path))
    return {v: path for v, path in found.items() if v in PYTHONS and _runs(path)}


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0


TRICKY = """
def text(a, b):
    return f"{a!r:>{b}}" f" and {a + 1:.3f} {{}}" "tail" f"{b=}"
def generic(x: int = 0, *, y=None, **z) -> None:
    match x:
        case [1, *rest] if rest:
            return {**z, "y": ...}
    return lambda: (yield)
class Base(dict, metaclass=type):
    u = u"text"
    n = -1.5e-300, 1j, b"x", True
"""
DIGESTS = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from opchar_reproduction.project.reading import read_module
print(*[read_module(Path(name).read_bytes(), Path(name)).digest for name in sys.argv[2:]])
"""


def test_the_digest_is_the_same_under_every_python(tmp_path: Path) -> None:
    tricky = tmp_path / "tricky.py"
    tricky.write_text(TRICKY)
    files = [tricky, *sorted((ROOT / "src").glob("opchar*/**/*.py"))[::7]]
    others = {v: p for v, p in interpreters().items() if v != NOW}
    if not others:
        pytest.skip("no other Python on this machine")

    def said(python: str) -> str:
        words = [python, "-B", "-c", DIGESTS, str(ROOT / "src"), *map(str, files)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    expected = said(sys.executable)
    assert len(expected.split()) == len(files)
    assert {v: said(python) == expected for v, python in others.items()} == dict.fromkeys(
        others, True
    )


def test_a_signature_is_read_as_it_is_written() -> None:
    text = b"def f(a, b: int = 1, *, c: 'x', d=2, **rest): ...\nKind = Literal['a']\n"
    module = read_module(text, Path("m.py"))
    assert module.functions["f"] == {
        "parameters": ["a", "b", "c", "d"],
        "required": ["a", "c"],
        "annotations": {"b": "int", "c": "'x'", "**": "rest"},
        "line": 1,
    }
    assert module.aliases == {"Kind": "Literal['a']"}


RULES = ROOT / "workflow/rules"


def test_rules_do_nothing_but_call_their_job() -> None:
    """The shell of a rule is in no hash: it names the job, what it is given, and its files."""
    shells = []
    for path in sorted(RULES.glob("*.smk")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^    (run|script|notebook|wrapper|cwl):", text, flags=re.MULTILINE)
        assert not re.search(r"^for ", text, flags=re.MULTILINE), "goals alone are made in a loop"
        shells += [block.split("\n\n")[0].strip() for block in text.split("shell:\n")[1:]]
    assert shells == ['f"{START} {{params.task}} {{params.files}} 2> {{log:q}}"']


def test_the_package_at_hand_is_not_asked_for_its_public_names() -> None:
    """Every job imports a part of the package; only one that asks for a name depends on all."""
    fetching = Sources().closure("opchar_reproduction.jobs.making.fetch:run")
    assert "opchar" in fetching
    assert not [name for name in fetching if name.startswith(("opchar/figures", "opchar/analysis"))]
