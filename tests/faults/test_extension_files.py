"""A damaged or misused file of a user's own is one line with its place, and never a traceback."""

import os
import shutil
from pathlib import Path

import pytest

from checkout import ROOT
from opchar.errors import ConfigError
from opchar.functions import import_function
from opchar_reproduction.project.closure import sources
from opchar_reproduction.project.configuration.config import load
from opchar_reproduction.project.configuration.extensions import read_extension
from opchar_reproduction.project.configuration.studies import read_marks

MARKS = "from opchar_reproduction.extend import figure, metric, study, table, variant, word\n"
WORD = '@word("mine", summary="a model")\ndef mine():\n    return None\n'
METRIC = '@metric("share")\ndef share(matrix):\n    return 1.0\n'
STUDY = '@study("first")\ndef first():\n    return None\n'
FIGURE = '@figure("bars", title="t", caption="c")\ndef bars(results, curves):\n    return None\n'
DEEP = "x = " + " + ".join(["1"] * 20_000) + "\n"


def said_of(text: str | bytes) -> str:
    """Return what is said of a file."""
    Path("mine.py").write_bytes(text if isinstance(text, bytes) else (MARKS + text).encode())
    with pytest.raises(ConfigError) as caught:
        read_extension(Path(), "mine.py")
    assert "\n" not in str(caught.value)
    assert "mine.py" in str(caught.value)
    return str(caught.value)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no function is marked"),
        (b"\0\0", "null bytes"),
        ("# \u00e9\n".encode("latin-1") + (MARKS + WORD).encode(), "not UTF-8 text"),
        ((MARKS + WORD).encode("utf-16"), "not UTF-8 text"),
        (b"# -*- coding: klingon -*-\n", "unknown encoding"),
        (MARKS.encode() + b"x = " + b"-" * 200_000 + b"1\n", "nested too deeply"),
        ((MARKS + DEEP).encode(), "nested too deeply"),
        ((MARKS + WORD + "return\n").encode(), "line 5: not Python: 'return' outside function"),
    ],
)
def test_what_is_no_text_of_python_is_one_line(content: bytes, said: str) -> None:
    assert said in said_of(content)


def test_a_byte_order_mark_is_no_fault() -> None:
    Path("mine.py").write_bytes(b"\xef\xbb\xbf" + (MARKS + WORD + STUDY).encode())
    found = read_extension(Path(), "mine.py")
    assert (set(found.words), set(found.studies.experiments)) == ({"mine"}, {"own/first"})


@pytest.mark.parametrize("kind", ["folder", "loop", "dangling", "pipe", "device"])
def test_what_is_no_file_is_not_read(kind: str) -> None:
    """A pipe was waited for without end, and a device read until memory was full."""
    path = Path("mine.py")
    make = {
        "folder": path.mkdir,
        "loop": lambda: path.symlink_to("mine.py"),
        "dangling": lambda: path.symlink_to("nowhere.py"),
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/null"),
    }
    make[kind]()
    with pytest.raises(ConfigError, match=r"extensions: mine\.py: no such file"):
        read_extension(Path(), "mine.py")


# What a mark may be given is said by its signature: each of these is of another type.
NOTHING_HASHABLE = ("[1]", '{"a": 1}', "{[]: 1}", "{[1]}", "3", "None", "b'a'", "1j", "...", "{1}")


@pytest.mark.parametrize("value", NOTHING_HASHABLE)
@pytest.mark.parametrize(
    "mark",
    [
        "@word({}, summary='a model')\ndef f():\n    return None\n",
        "@word('a', summary={})\ndef f():\n    return None\n",
        "@word('a', summary='a model', arguments={})\ndef f():\n    return None\n",
        "@word('a', summary='a model', kind={})\ndef f():\n    return None\n",
        "@metric({})\ndef f(matrix):\n    return None\n",
        "@study({})\ndef f():\n    return None\n",
        STUDY + "@figure({}, title='t', caption='c')\ndef f(a, b):\n    return None\n",
        STUDY + "@figure('a', study={}, title='t', caption='c')\ndef f(a, b):\n    return None\n",
        STUDY + "@figure('a', title={}, caption='c')\ndef f(a, b):\n    return None\n",
        STUDY + "@table('a', title='t', caption={})\ndef f(a, b):\n    return None\n",
        "@variant({}, section='1', why='w', primary='p', values={{}})\n" + STUDY,
        "@variant('n', section='1', why='w', primary={}, values={{}})\n" + STUDY,
    ],
)
def test_a_text_of_a_mark_is_a_text(mark: str, value: str) -> None:
    assert ", line " in said_of(mark.format(value))


@pytest.mark.parametrize("value", ["3", "'text'", "[[1]]", "{[]: 1}", "b'a'", "..."])
@pytest.mark.parametrize(
    "key", ["scores", "features", "parameters", "profiles", "variants", "choices"]
)
def test_a_container_of_a_mark_is_a_container(key: str, value: str) -> None:
    assert ", line 2: " in said_of(STUDY.replace('"first"', f'"first", {key}={value}'))


@pytest.mark.parametrize("aliases", ["3", "'bc'", "[['b']]", "[1]", "None"])
def test_aliases_are_a_list_of_texts(aliases: str) -> None:
    """The letters of a text became aliases."""
    text = WORD.replace('summary="a model"', f'summary="a model", aliases={aliases}')
    assert "'aliases' must be a list of texts" in said_of(text)


@pytest.mark.parametrize("constants", ["X = X\n", "X = Y\nY = X\n", "X = [X]\n"])
def test_a_constant_of_itself_is_no_literal(constants: str) -> None:
    assert "'X' is no literal" in said_of(constants + STUDY.replace('"first"', "X"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WORD.replace('"mine", ', '"mine", name="yours", '), "write @word"),
        (WORD.replace('summary="a model"', '**{"summary": "a model"}'), "as literals"),
        (STUDY.replace('"first"', '"first", name="second"'), "'name' is given twice"),
        (STUDY.replace('"first"', '"first", **{}'), "without \\*\\*"),
        (WORD + "def mine():\n    return 1\n", "another 'mine' below replaces this one"),
        (METRIC + METRIC, "another 'share' below replaces this one"),
        (STUDY + "def first():\n    return 1\n", "another 'first' below replaces this one"),
        (METRIC.replace("matrix", ""), "a metric takes one matrix"),
        (METRIC.replace("matrix", "a, b"), "a metric takes one matrix"),
        (STUDY + FIGURE.replace("results, curves", "results"), "takes results and curves"),
        (STUDY + FIGURE.replace("curves", "curves, more"), "takes results and curves"),
        (WORD + "class K:\n    @metric('x')\n    def f(self): ...\n", "line 6: only functions of"),
        (WORD + "def f():\n    @study('x')\n    def g(): ...\n", "line 6: only functions of"),
    ],
)
def test_a_mark_that_means_nothing_is_named(text: str, said: str) -> None:
    found = said_of(text)
    assert said.replace("\\", "") in found


@pytest.mark.parametrize("text", [WORD, METRIC, STUDY, STUDY + FIGURE])
def test_each_kind_may_stand_alone(text: str) -> None:
    """A file without a model was refused: '{} should be non-empty'."""
    shutil.copytree(ROOT / "config", "config")
    Path("mine.py").write_text(MARKS + text)
    Path("config/own.yaml").write_text("extensions: [mine.py]\n")
    sources.cache_clear()
    config = load(".")
    assert "mine" in config.models or text != WORD
    assert "own/first" in config.experiments or "@study" not in text


def test_a_default_that_no_configuration_can_hold_stays_with_the_function() -> None:
    """A set reached the job as the text '{1, 2}'."""
    text = "def first(*, a={1, 2}, b=b'x', c=1j, d=..., e=(1, {2}), f=[1, -2.5], g=None, h=True)"
    (mark,) = read_marks(MARKS + STUDY.replace("def first()", text), "mine.py", "mine.py")
    assert mark.defaults == {"f": [1, -2.5], "g": None, "h": True}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('two\\nlines')", "mine.py, line 2: .*RuntimeError: two lines"),
        ("raise SystemExit(3)", "line 2: .*SystemExit: 3"),
        ("x = undefined", "line 2: .*NameError"),
        ("import math; math.nothing", "line 2: .*AttributeError"),
        ("open('nothing.csv')", "line 2: .*FileNotFoundError.*nothing.csv"),
        ("from math import nothing", "line 2: .*ImportError"),
        ("import nothing_of_the_kind", "no module 'nothing_of_the_kind'"),
    ],
)
def test_a_file_that_fails_at_import_says_where(code: str, said: str) -> None:
    """An attribute that was missing inside was said to be the function; a file, the module."""
    Path("mine.py").write_text(f"# mine\n{code}\n\ndef mine(): ...\n")
    with pytest.raises(ConfigError, match=said) as caught:
        import_function("mine.py:mine")
    assert "\n" not in str(caught.value)
