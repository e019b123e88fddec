"""The code hash sees exactly what a function reaches."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.pipeline.code.codehash import SourceTree
from opchar.pipeline.code.syntax import _dump, summary

NOW = sys.version_info[:2]
REACHES_TOOLS = {"direct", "whole", "drawn", "ranked"}
# They use nothing of it, and what it does happens when it is imported.
IMPORTS_TOOLS = {"alone", "lazy"}

PACKAGE = {
    "__init__.py": '"""Package."""\n',
    "tools.py": '''"""Tools."""
import numpy as np
from scipy.stats import spearmanr
if TYPE_CHECKING:
    import pandas as pd
LIMIT = 3
STYLE = {"width": 1, "parts": {}}
STYLE["width"] = 2
def used(x):
    """Docstring."""
    return helper(x) + LIMIT
def helper(x):
    return np.sqrt(x)  # a remark
def unused(x):
    return x
def styled(x):
    return STYLE
def ranked(x):
    return spearmanr(x).statistic
if __name__ == "__main__":
    unused(1)
''',
    "space/__init__.py": '"""Space."""\nfrom opchar.space.inner import area as area\n',
    "space/inner.py": '''
from opchar import tools
class Base:
    """Base."""
    def size(self):
        return 1
class Shape(Base):
    pass
def area(x):
    return tools.used(x)
def volume(x):
    return Shape().size()
''',
    "job.py": """
from opchar.space import area
def direct(x):
    return area(x)
def lazy(x):
    from opchar.space.inner import volume
    return volume(x)
def whole(x):
    from opchar import tools
    return getattr(tools, x)
def alone(x):
    return x
def drawn(x):
    from opchar.tools import styled
    return styled(x)
def ranked(x):
    from opchar.tools import ranked as other
    return other(x)
""",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in PACKAGE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def hashes(source: Path) -> dict[str, str]:
    tree = SourceTree(source)
    names = ("direct", "lazy", "whole", "alone", "drawn", "ranked")
    return {name: tree.code_hash(f"opchar.job:{name}") for name in names}


def changed(source: Path, file: str, old: str, new: str) -> set[str]:
    """Return the functions whose hash an edit changes."""
    before = hashes(source)
    path = source / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    after = hashes(source)
    return {name for name in before if before[name] != after[name]}


def test_reaches_through_reexports_modules_and_bases(source: Path) -> None:
    tree = SourceTree(source)
    assert set(tree.reachable_symbols("opchar.job:direct")) == {
        ("opchar.job", "direct"),
        ("opchar.space.inner", "area"),
        ("opchar.tools", "used"),
        ("opchar.tools", "helper"),
        ("opchar.tools", "LIMIT"),
    }
    assert ("opchar.space.inner", "Base") in tree.reachable_symbols("opchar.job:lazy")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # a remark", ""),
        ('"""Docstring."""', '"""Another docstring."""'),
        ("return np.sqrt(x)", "return np.sqrt(\n        x\n    )"),
        ("LIMIT = 3", "LIMIT = 3\n\n"),
    ],
)
def test_comments_docstrings_and_layout_do_not_count(source: Path, old: str, new: str) -> None:
    assert changed(source, "tools.py", old, new) == set()


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("tools.py", "np.sqrt(x)", "np.exp(x)", {"direct", "whole"}),
        ("tools.py", "LIMIT = 3", "LIMIT = 4", {"direct", "whole"}),
        ("tools.py", "def unused(x):\n    return x", "def unused(x):\n    return -x", {"whole"}),
        ("space/inner.py", "return 1", "return 2", {"lazy"}),
        ("job.py", "def alone(x):\n    return x", "def alone(x):\n    return 1", {"alone"}),
    ],
)
def test_an_edit_changes_exactly_what_reaches_it(source, file, old, new, expected) -> None:
    assert changed(source, file, old, new) == expected


def test_effects_of_a_reached_module_count(source: Path) -> None:
    appended = "def unused(x):\n    return x\nnp.seterr(all='raise')\n"
    assert changed(source, "tools.py", "def unused(x):\n    return x\n", appended) == (
        REACHES_TOOLS | IMPORTS_TOOLS
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("import spearmanr", "import kendalltau as spearmanr", {"ranked", "whole"}),
        ("from scipy.stats import spearmanr", "from scipy import spearmanr", {"ranked", "whole"}),
        ("import pandas as pd", "import polars as pd", set()),
        ("unused(1)", "unused(2)", set()),
    ],
)
def test_what_names_of_other_libraries_refer_to_counts(source, old, new, expected) -> None:
    assert changed(source, "tools.py", old, new) == expected


@pytest.mark.parametrize(
    "statement",
    [
        'STYLE["width"] = 2.5',
        'STYLE["parts"]["a"] = 3',
        'STYLE["width"] += 1',
        "STYLE.width = 2.5",
        'STYLE["a"], other = 1, 2',
        'del STYLE["width"]',
    ],
)
def test_what_a_module_does_to_its_own_data_counts_for_what_uses_them(source, statement) -> None:
    assert changed(source, "tools.py", 'STYLE["width"] = 2', statement) == {"drawn", "whole"}


@pytest.mark.parametrize(
    "statement",
    ["STYLE.update(width=2.5)", "np.parameters['a'] = 1", "for name in STYLE: fill(name)"],
)
def test_what_may_touch_more_counts_for_all_that_reach_the_module(source, statement) -> None:
    redone = changed(source, "tools.py", 'STYLE["width"] = 2', statement)
    assert redone == REACHES_TOOLS | IMPORTS_TOOLS


def test_libraries_are_those_called_and_what_they_compute_with(source: Path) -> None:
    tree = SourceTree(source)
    assert set(tree.libraries("opchar.job:ranked")) == {"numpy", "scipy"}
    assert tree.libraries("opchar.job:alone") == {}
    assert set(tree.libraries("opchar.job:alone", "sklearn.svm:SVC")) == {
        "numpy",
        "scikit-learn",
        "scipy",
    }
    assert tree.libraries("opchar.job:direct")["numpy"] == version("numpy")
    assert tree.libraries("opchar.job:alone", "no_such_library:f") == {"no_such_library": "absent"}
    assert tree.libraries("opchar.job:alone", "my/models.py:f") == {}


def test_a_broken_module_is_one_line_that_names_it(source: Path) -> None:
    (source / "tools.py").write_text("x = 1\ndef broken(:\n")
    with pytest.raises(ConfigError, match=r"tools\.py: line 2: not Python"):
        SourceTree(source).code_hash("opchar.job:direct")


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

HASHES = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from opchar.pipeline.code.syntax import summary
for name in sys.argv[2:]:
    module = summary("opchar.m", Path(name))
    print(*[f"{n} {d.digest}" for n, d in module.definitions.items()], module.effects.digest)
"""


def test_the_hash_is_the_same_under_every_python(tmp_path: Path) -> None:
    tricky = tmp_path / "tricky.py"
    tricky.write_text(TRICKY)
    files = [tricky, *sorted((ROOT / "src/opchar").rglob("*.py"))[::7]]
    others = {v: p for v, p in interpreters().items() if v != ".".join(map(str, NOW))}
    if not others:
        pytest.skip("no other Python on this machine")

    def said(python: str) -> str:
        words = [python, "-B", "-c", HASHES, str(ROOT / "src"), *map(str, files)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    expected = said(sys.executable)
    assert len(expected.splitlines()) == len(files)
    assert {v: said(python) == expected for v, python in others.items()} == dict.fromkeys(
        others, True
    )


def test_fields_that_later_pythons_add_do_not_count() -> None:
    function = ast.parse("def f(x):\n    return f'{x} a'").body[0]
    before = _dump(function)
    function.type_params = []
    function.invented = None
    function._fields = (*function._fields, "invented")
    text = function.body[0].value
    text.values[1:] = [ast.Constant(" "), ast.Constant(""), ast.Constant("a")]
    assert _dump(function) == before
    function.type_params = [ast.Name("T")]
    assert function._fields.count("type_params") == 0 or _dump(function) != before


def test_a_name_that_is_not_there_is_one_line_with_the_nearest(source: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no 'direkt' \(did you mean 'direct'\?\)"):
        SourceTree(source).code_hash("opchar.job:direkt")
    with pytest.raises(ConfigError, match="names no function"):
        SourceTree(source).code_hash("opchar.nowhere:f")


@pytest.mark.parametrize("name", ["lazy", "whole"])
def test_kept_summaries_change_nothing_but_the_time(source: Path, tmp_path: Path, name) -> None:
    """Of single symbols, and of a module that is passed on whole."""
    unsorted = "def second():\n    return 2\n\n\ndef first():\n    return 1\n\n\n"
    (source / "tools.py").write_text(unsorted + (source / "tools.py").read_text())

    def hashed() -> str:
        return SourceTree(source, kept=tmp_path / "kept").code_hash(f"opchar.job:{name}")

    expected = SourceTree(source).code_hash(f"opchar.job:{name}")
    assert [hashed(), hashed()] == [expected, expected]


def test_a_change_reaches_what_kept_summaries_know(source: Path, tmp_path: Path) -> None:
    def hashed() -> str:
        return SourceTree(source, kept=tmp_path / "kept").code_hash("opchar.job:lazy")

    expected = hashed()
    inner = source / "space/inner.py"
    inner.write_text(inner.read_text().replace("return 1", "return 2"))
    assert hashed() == SourceTree(source).code_hash("opchar.job:lazy") != expected


@pytest.mark.parametrize("content", ["", "{}", '{"source": 1', "[]"])
def test_a_broken_summary_is_made_anew(source: Path, tmp_path: Path, content: str) -> None:
    kept = tmp_path / "kept"
    expected = SourceTree(source, kept).code_hash("opchar.job:direct")
    files = sorted(kept.iterdir())
    assert len(files) > 2
    for path in files:
        path.write_text(content)
    assert SourceTree(source, kept).code_hash("opchar.job:direct") == expected


def test_a_library_class_counts_by_its_name(source: Path) -> None:
    tree = SourceTree(source)
    one = tree.code_hash("opchar.job:alone", "sklearn.svm:SVC")
    assert one != tree.code_hash("opchar.job:alone", "sklearn.svm:NuSVC")
    assert one != tree.code_hash("opchar.job:alone")


# Ways to reach `volume` in opchar.space.inner, and whether a change of it must be seen.
WAYS = {
    "dotted import": "import opchar.space.inner\n"
    "def f(x):\n    return opchar.space.inner.volume(x)",
    "dotted import inside": "def f(x):\n    import opchar.space.inner\n"
    "    return opchar.space.inner.volume(x)",
    "from the top": "import opchar\ndef f(x):\n    return opchar.space.inner.volume(x)",
    "import as": "import opchar.space.inner as i\ndef f(x):\n    return i.volume(x)",
    "a package that imports on demand": "from opchar.lazy import volume\ndef f(x):\n"
    "    return volume(x)",
}
ON_DEMAND = """
if TYPE_CHECKING:
    from opchar.space.inner import area, volume
def __getattr__(name):
    return name
"""


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_a_name_is_followed(source: Path, way: str) -> None:
    (source / "way.py").write_text(WAYS[way])
    (source / "lazy").mkdir()
    (source / "lazy/__init__.py").write_text(ON_DEMAND)
    before = SourceTree(source).reachable_symbols("opchar.way:f")
    assert ("opchar.space.inner", "volume") in before
    assert ("opchar.space.inner", "area") not in before


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("way.py", "import opchar.effect\ndef f(x):\n    return x"),
        ("way.py", "from opchar import effect\ndef f(x):\n    return x"),
        ("way.py", "def f(x):\n    import opchar.effect\n    return x"),
        ("way.py", "def f(x):\n    from opchar import effect\n    return x"),
        ("way.py", "from opchar import between\ndef f(x):\n    return x"),
        ("way.py", "from opchar.effect import NAME\ndef f(x):\n    return x"),
    ],
)
def test_an_import_for_its_side_effect_counts(source: Path, file: str, text: str) -> None:
    (source / "between.py").write_text("from opchar import effect\n")
    (source / "effect.py").write_text("import numpy as np\nNAME = 1\nnp.seterr(all='raise')\n")
    (source / file).write_text(text)
    before = SourceTree(source).code_hash("opchar.way:f")
    (source / "effect.py").write_text("import numpy as np\nNAME = 1\nnp.seterr(all='warn')\n")
    assert SourceTree(source).code_hash("opchar.way:f") != before


@pytest.mark.parametrize("package", ["__init__.py", "space/__init__.py"])
def test_statements_of_the_packages_above_count(source: Path, package: str) -> None:
    before = SourceTree(source).code_hash("opchar.space.inner:volume")
    path = source / package
    path.write_text(path.read_text() + "import numpy as np\nnp.seterr(all='raise')\n")
    assert SourceTree(source).code_hash("opchar.space.inner:volume") != before


def test_an_import_of_another_library_for_its_side_effect_counts(source: Path) -> None:
    added = "from sklearn.experimental import enable_iterative_imputer\nLIMIT = 3\n"
    assert changed(source, "tools.py", "LIMIT = 3\n", added) >= REACHES_TOOLS


@pytest.mark.parametrize(
    "text",
    [
        "from opchar.tools import *\ndef f(x):\n    return used(x)",
        "import importlib\ndef f(x):\n    return importlib.import_module(x)",
        "import importlib as i\ndef f(x):\n    return i.import_module(x)",
        "from importlib import import_module\ndef f(x):\n    return import_module(x)",
        "from importlib import import_module as load\ndef f(x):\n    return load(x)",
        "from importlib.util import spec_from_file_location as load\ndef f(x):\n    load(x)",
        "import importlib.machinery\ndef f(x):\n    return importlib.machinery",
        "import runpy as r\ndef f(x):\n    return r.run_path(x)",
        "from pkgutil import resolve_name\ndef f(x):\n    return resolve_name(x)",
        "def f(x):\n    from pydoc import locate\n    return locate(x)",
        "def f(x):\n    return eval(x)",
        "def f(x):\n    import builtins\n    return builtins.eval(x)",
        "def f(x):\n    return __builtins__['eval'](x)",
        "def f(x):\n    return __import__(x)",
        "def f(x):\n    return globals()[x]()",
        "import sys\ndef f(x):\n    return sys.modules['opchar.tools'].used(x)",
        "from sys import modules as m\ndef f(x):\n    return m['opchar.tools'].used(x)",
    ],
)
def test_what_cannot_be_followed_is_refused_in_one_line(
    source: Path, tmp_path: Path, text: str
) -> None:
    (source / "way.py").write_text(text)
    with pytest.raises(ConfigError, match=r"way.py: line \d+: .*call things by name"):
        SourceTree(source).code_hash("opchar.way:f")
    with pytest.raises(ConfigError, match="call things by name"):
        SourceTree(source).function(f"{source / 'way.py'}:f")


def test_all_of_the_package_can_be_followed() -> None:
    tree = SourceTree()
    for path in sorted(tree.source.rglob("*.py")):
        assert summary("opchar.x", path).name == "opchar.x"


def test_an_annotation_alone_redoes_nothing(source: Path) -> None:
    for old, new in [
        ("def used(x):", "def used(x: 'Shape') -> int:"),
        ("def helper(x):\n    return", "def helper(x):\n    y: int = 1\n    return"),
    ]:
        path = source / "tools.py"
        path.write_text(path.read_text().replace("y: int = 1", "y = 1"))
        before = hashes(source)
        path.write_text(path.read_text().replace(old, new))
        after = hashes(source)
        assert (after == before) == ("y" not in new), new
    path.write_text(path.read_text().replace("y: int = 1", "y: float = 1"))
    assert hashes(source) == after


def test_annotations_that_classes_and_decorators_read_count(source: Path) -> None:
    for text in ("@marked\ndef f(x: {}):\n    return x", "class f:\n    x: {} = 1"):
        found = set()
        for kind in ("int", "float"):
            (source / "way.py").write_text("def marked(f):\n    return f\n" + text.format(kind))
            found.add(SourceTree(source).code_hash("opchar.way:f"))
        assert len(found) == 2


def test_what_a_users_file_calls_of_the_package_counts(source: Path, tmp_path: Path) -> None:
    own = tmp_path / "mine" / "own.py"
    own.parent.mkdir()
    own.write_text(
        "from opchar.space import area\nimport pandas\ndef f(x):\n"
        "    return pandas.Series(area(x))\n"
    )
    before = SourceTree(source).code_hash(f"{own}:f")
    assert set(SourceTree(source).libraries(f"{own}:f")) >= {"numpy", "pandas", "pyarrow"}
    tools = source / "tools.py"
    text = tools.read_text()
    tools.write_text(text.replace("np.sqrt(x)", "np.cbrt(x)"))
    assert SourceTree(source).code_hash(f"{own}:f") != before
    tools.write_text(text.replace("def unused(x):\n    return x", "def unused(x):\n    return 1"))
    assert SourceTree(source).code_hash(f"{own}:f") == before
    own.with_name("helping.py").write_text("")
    own.write_text("def g(x):\n    return x\ndef f(x):\n    return g(x)\n")
    assert SourceTree(source).libraries(f"{own}:f") == {}, "a file is no library of its own"
    assert SourceTree(source).code_hash(f"{own}:f")
    own.write_text("import helping\ndef f(x):\n    return helping.g(x)\n")
    with pytest.raises(ConfigError, match="imports 'helping' from"):
        SourceTree(source).code_hash(f"{own}:f")


@pytest.mark.parametrize("reference", ["opchar.way:f", "mine/way.py:f"])
@pytest.mark.parametrize("name", ["rows.csv", "deep/rows.csv"])
def test_a_file_that_code_names_counts_by_its_bytes(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "mine" if reference.startswith("mine") else source
    (folder / "deep").mkdir(parents=True)
    (folder / "way.py").write_text(f"def f(x):\n    return open('{name}')")
    found = []
    for text in ("1", "2"):
        (folder / name).write_text(text)
        found.append(SourceTree(source).code_hash(reference))
    assert found[0] != found[1]
    (folder / "other.csv").write_text("1")
    assert SourceTree(source).code_hash(reference) == found[1]


def test_a_summary_changed_where_it_is_kept_is_made_anew(source: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    right = SourceTree(source, kept).code_hash("opchar.job:direct")
    (file,) = kept.glob("opchar.tools.json")
    said = json.loads(file.read_text())
    said["module"]["definitions"]["helper"]["digest"] = "0"
    file.write_text(json.dumps(said))
    assert SourceTree(source, kept).code_hash("opchar.job:direct") == right
    assert json.loads(file.read_text()) != said


RULES = ROOT / "workflow/rules"


@pytest.mark.parametrize("file", sorted(path.name for path in RULES.glob("*.smk")))
def test_rules_do_nothing_but_call_their_job(file: str) -> None:
    """The shell of a rule is in no hash: it may name files and the job, and nothing else."""
    text = (RULES / file).read_text(encoding="utf-8")
    assert not re.search(r"^    (run|script|notebook|wrapper|cwl):", text, flags=re.MULTILINE)
    for block in text.split("    shell:\n")[1:]:
        words = "".join(re.findall(r'"([^"]*)"', block.split("\n\n")[0]))
        part = r"\{[\w.:]+\}(/\{[\w.]+\})?"
        assert re.fullmatch(rf"\w+( --[\w-]+( {part})+)+ 2> \{{log\}}", words), words
