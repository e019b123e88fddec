"""The examples in docstrings of the library are true, and every public name has one."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

import opchar

SOURCE = Path(opchar.__file__).parent
LIBRARY = (
    *(
        "analysis",
        "combination",
        "datasets",
        "decisions",
        "displays",
        "metrics",
        "models",
        "multiclass",
    ),
    *("published", "reject", "spaces", "statistics"),
)
FILES = [path for name in LIBRARY for path in sorted((SOURCE / name).rglob("*.py"))]
MODULES = [
    ".".join(("opchar", *path.relative_to(SOURCE).with_suffix("").parts))
    for path in FILES
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_are_true(module):
    found = doctest.testmod(import_module(module))
    plt.close("all")
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.parametrize("name", sorted(opchar._HOMES))
def test_a_public_name_has_an_example(name):
    assert ">>> " in (inspect.getdoc(getattr(opchar, name)) or "")
