"""Tutorials print what they say they print, and the site has a page for everything."""

import ast
import json
import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from checkout import ROOT
from opchar.cli import main

mpl.use("agg")
SITE = runpy.run_path(str(ROOT / "tools/site.py"))
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_prints_what_it_shows(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("```python") > 2
    assert SITE["executed"](text) == text, "run: python tools/site.py --renew"


def test_the_notebook_runs_and_shows_the_decision() -> None:
    book = json.loads((ROOT / "docs/tutorials/which-threshold.ipynb").read_text(encoding="utf-8"))
    assert book["nbformat"] == 4
    names: dict[str, Any] = {}
    last = []
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            *before, final = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(before, []), "cell", "exec"), names)
            if isinstance(final, ast.Expr):
                last.append(eval(compile(ast.Expression(final.value), "cell", "eval"), names))
            else:
                exec(compile(ast.Module([final], []), "cell", "exec"), names)
    decided, in_use, difference, judged = last
    assert "at or above" in repr(decided) and "<iframe" in decided._repr_html_()
    assert (
        set(in_use["model"]) == {"logistic", "bayes"}
        and difference.low <= difference.difference <= difference.high
    )
    assert judged[["low", "high"]].notna().to_numpy().any()


def test_the_tour_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs/tour.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(\w+)\n(.*?)```\n", text, flags=re.DOTALL)
    assert [language for language, _ in blocks] == ["python", "sh", "text", "python", "text"]
    (_, scores), (_, command), (_, answer), (_, calls), (_, numbers) = blocks
    monkeypatch.chdir(tmp_path)
    exec(scores, {})
    assert main(shlex.split(command)[1:]) == 0
    assert "".join(capsys.readouterr().out.splitlines(keepends=True)[2:-1]) == answer
    exec(calls, {})
    assert capsys.readouterr().out == numbers


def test_what_differs_is_noticed() -> None:
    page = "# A\n\n```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n"
    assert SITE["executed"](page) == page.replace("3", "2")


def test_the_site_is_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages, figures of the tutorials, and each public module of the library on an API page."""
    one = tmp_path / "tutorials"
    one.mkdir()
    drawing = "from matplotlib import pyplot as plt\nfigure, ax = plt.subplots()\n"
    (one / "one.md").write_text(f"# One\n\n```python\n{drawing}```\n")
    monkeypatch.setitem(SITE["lay_out"].__globals__, "TUTORIALS", one)
    folder = tmp_path / "site"
    SITE["lay_out"](folder)
    page = (folder / "pages/tutorials/one.md").read_text()
    assert "](one/1.png)" in page
    assert (folder / "pages/tutorials/one/1.png").stat().st_size > 1000
    api = "".join(path.read_text() for path in (folder / "pages/api").glob("*.md"))
    for name in (
        "opchar.spaces.scored.curves",
        "opchar.spaces.points",
        "opchar.displays.rates",
        "opchar_reproduction.extend",
    ):
        assert f"::: {name}\n" in api
    settings = (folder / "mkdocs.yml").read_text()
    for line in settings.splitlines():
        name = line.rpartition(": ")[2]
        if name.endswith(".md"):
            assert (folder / "pages" / name).is_file(), name
    for path in (ROOT / "docs").glob("*.md"):
        name = "documentation.md" if path.name == "README.md" else path.name
        assert f": {name}\n" in settings, f"{name} is on no menu"
    index = (folder / "pages/index.md").read_text()
    assert "](how-to.md" in index
    assert "](CITATION.cff)" not in index, "the site has no such file"


def test_formulas_are_mathematics_and_code_is_not() -> None:
    page = "A $\\frac{TP}{TP+FN}$ and `$x$`.\n\n```\n$ opchar check $y$\n```\n"
    made = SITE["typeset"](page)
    assert "<mfrac>" in made and "$\\frac" not in made
    assert made.endswith(page.partition(" and ")[2])
