"""The code hash sees exactly what a function reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from opchar.codehash import SourceTree
from opchar.errors import ConfigError

PACKAGE = {
    "__init__.py": '"""Package."""\n',
    "tools.py": '''"""Tools."""
import numpy as np
LIMIT = 3
def used(x):
    """Docstring."""
    return helper(x) + LIMIT
def helper(x):
    return np.sqrt(x)  # a remark
def unused(x):
    return x
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
    names = ("direct", "lazy", "whole", "alone")
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
    assert set(tree.reached("opchar.job:direct")) == {
        ("opchar.job", "direct"),
        ("opchar.space.inner", "area"),
        ("opchar.tools", "used"),
        ("opchar.tools", "helper"),
        ("opchar.tools", "LIMIT"),
    }
    assert ("opchar.space.inner", "Base") in tree.reached("opchar.job:lazy")


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
    assert changed(source, "tools.py", "def unused(x):\n    return x\n", appended) == {
        "direct",
        "whole",
    }


def test_a_name_that_is_not_there_is_one_line_with_the_nearest(source: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no 'direkt' \(did you mean 'direct'\?\)"):
        SourceTree(source).code_hash("opchar.job:direkt")
    with pytest.raises(ConfigError, match="names no function"):
        SourceTree(source).code_hash("opchar.nowhere:f")


def test_kept_summaries_change_nothing_but_the_time(source: Path, tmp_path: Path) -> None:
    def hashed() -> str:
        return SourceTree(source, kept=tmp_path / "kept").code_hash("opchar.job:lazy")

    expected = SourceTree(source).code_hash("opchar.job:lazy")
    assert [hashed(), hashed()] == [expected, expected]
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
