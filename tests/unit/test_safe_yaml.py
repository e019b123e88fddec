"""No text in a YAML file harms or hangs its reader, and what is refused is one line."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from checkout import ROOT
from opchar.errors import ConfigError
from opchar_reproduction.safe_yaml import MOST, read_yaml

BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
BAD = {
    "bomb": (BOMB, f"aliases make it more than {MOST} values long"),
    "merged bomb": (BOMB.replace("]", "]").replace("a5: &a5 [", "a5: &a5 [[], "), "aliases make"),
    "itself": ("a: &a [1, *a]\n", r"line 1: '\*a' contains itself"),
    "itself, deeper": ("a: &a\n  b:\n    - c: *a\n", r"line 3: '\*a' contains itself"),
    "brackets": ("a: " + "[" * 100_000, "nested more than 50 deep"),
    "braces": ("{a: " * 100_000, "nested more than 50 deep"),
    "closed brackets": ("a: " + "[" * 60 + "]" * 60, "nested more than 50 deep"),
    "number": ("a: " + "9" * 5000, "line 1: a number of 5000 digits"),
    "hexadecimal number": ("a: 0x" + "f" * 5000, "line 1: a number of 5002 digits"),
    "octal number": ("a: 017", "line 1: YAML takes 017 for another number"),
    "number of base sixty": ("a:\n- 1:30", "line 2: YAML takes 1:30 for another number"),
    "boolean": ("a: !!bool maybe", "a value is not what its tag says"),
    "whole number": ("a: !!int many", "a value is not what its tag says"),
    "time": ("a: 2020-99-99", "a value is not what its tag says"),
    "tag of a time": ("a: !!timestamp maybe", "a value is not what its tag says"),
    "object": ("a: !!python/object/apply:os.system [ls]", "not YAML"),
    "name and line break": ('"sonar\\n": 1', "white space at its end"),
    "name and blank": ('"sonar ": 1', "white space at its end"),
    "double": ("a: 1\na: 2", "line 2: 'a' is there already, on line 1"),
    "unclosed": ("a: [1", "not YAML"),
    "unknown alias": ("a: *b", "not YAML"),
    "unhashable key": ("? [a]\n: 1", "not YAML"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_harms_is_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    text, said = BAD[kind]
    file = tmp_path / "config.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said) as error:
        read_yaml(file)
    assert str(error.value).startswith(str(file))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_told(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "own.yaml")
    with pytest.raises(ConfigError, match="not a file"):
        read_yaml(tmp_path / "own.yaml")


def test_a_link_to_nothing_is_told_from_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="run from the folder of the project"):
        read_yaml(tmp_path / "own.yaml")
    (tmp_path / "own.yaml").symlink_to(tmp_path / "gone.yaml")
    with pytest.raises(ConfigError, match="a link to nothing"):
        read_yaml(tmp_path / "own.yaml")


@pytest.mark.parametrize("text", ["", "# nothing", "a: &x {b: 1}\nc: {<<: *x, d: 2}", "- *x"[:0]])
def test_plain_files_are_read_as_yaml_reads_them(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(text)
    assert read_yaml(file) == yaml.safe_load(text)


def test_our_configuration_is_read_as_yaml_reads_it() -> None:
    for file in sorted((ROOT / "config").glob("*.yaml")):
        assert read_yaml(file) == yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader), file
