"""Make the documentation as a site: the pages of docs/, tutorials with what they print, the API.

    python tools/site.py FOLDER        lay out Markdown and mkdocs.yml for `mkdocs build`
    python tools/site.py --renew       write what the tutorials print into them

`make docs` lays out and builds. API pages come from the docstrings, read without importing.
"""

import argparse
import ast
import contextlib
import io
import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import yaml

from opchar.analysis.findings import catalogue as findings
from opchar.metrics.page import markdown as indices
from opchar_reproduction.publication import folders
from opchar_reproduction.report.pages.parts.mathml import mathml
from opchar_reproduction.safe_yaml import read_yaml

ROOT = Path(__file__).resolve().parents[1]
TUTORIALS = ROOT / "docs/tutorials"
BLOCK = re.compile(r"```(python|text)\n(.*?)```\n", re.DOTALL)
# Code, in which nothing is a formula, or a formula.
FORMULA = re.compile(r"```.*?```|`[^`\n]*`|\$([^$`\n]+)\$", re.DOTALL)


def executed(text: str, figures: Path | None = None) -> str:
    """Run a tutorial and return it with what it prints, and its figures when these are wanted.

    `text`: markdown; blocks of Python run one after the other, and each block of text is what was
    printed since the one before; `figures`: where figures go; the page then shows each below the
    block that drew it.
    """
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    names: dict[str, Any] = {"__name__": "tutorial"}
    parts, end, printed = [], 0, io.StringIO()
    for match in BLOCK.finditer(text):
        parts.append(text[end : match.start()])
        end = match.end()
        if match[1] == "text":
            parts.append(f"```text\n{printed.getvalue()}```\n")
            printed = io.StringIO()
            continue
        with contextlib.redirect_stdout(printed):
            exec(match[2], names)
        parts.append(match[0])
        if figures is not None:
            for number in plt.get_fignums():
                path = figures / f"{len(list(figures.glob('*.png'))) + 1}.png"
                plt.figure(number).savefig(path, dpi=150, bbox_inches="tight")
                parts.append(f"\n![What the block above draws]({figures.name}/{path.name})\n")
        plt.close("all")
    return "".join([*parts, text[end:]])


def modules(room: str) -> list[str]:
    """Return the modules of a room of the library that define something, by their dotted names."""
    place = ROOT / "src/opchar" / room
    if not place.exists():
        place = ROOT / "src/opchar_reproduction" / f"{room}.py"
    found = []
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        defined = [
            node.name
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        ]
        name = name.removesuffix(".__init__")
        if "._" not in name and not all(each.startswith("_") for each in defined):
            found.append(name)
    return found


def title(text: str) -> str:
    """Return the heading of a page."""
    return next(line[2:] for line in text.splitlines() if line.startswith("# "))


def lay_out(folder: Path) -> None:
    """Write the pages and ``mkdocs.yml``.

    `folder`: replaced.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    copy_pages(pages)
    settings = read_yaml(ROOT / "tools/site.yaml")
    # The parts of the menu by their names.
    menu = {name: part for each in settings["nav"] for name, part in each.items()}
    menu["Tutorials"] += run_tutorials(pages / "tutorials")
    menu["The reproduction"][:0] = [{key: f"{key}.md"} for key in folders()]
    (pages / "api").mkdir()
    for name, page in (item for each in menu["API"] for item in each.items()):
        room = Path(page).stem
        text = _top_level() if room == "opchar" else _listed(modules(room))
        (pages / page).write_text(f"# {name}\n\n{text}", encoding="utf-8")
    for path in pages.rglob("*.md"):
        text = typeset(within(path.read_text(encoding="utf-8"), path))
        path.write_text(text, encoding="utf-8")
    sources = {"paths": [(ROOT / "src").as_posix()]}
    settings["plugins"][1]["mkdocstrings"]["handlers"]["python"] |= sources
    text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True, width=1000)
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")


def copy_pages(pages: Path) -> None:
    """Copy the documents and write the catalogues, with links as they are on the site."""
    shutil.copytree(ROOT / "docs", pages)
    # An index of its own would hide the page that the site opens with.
    (pages / "README.md").rename(pages / "documentation.md")
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, pages / name)
    shutil.copy(ROOT / "README.md", pages / "index.md")
    made = runpy.run_path(str(ROOT / "tools/catalogues.py"))["catalogues"]()
    for name, text in (made | {"findings": findings(), "indices": indices()}).items():
        (pages / f"{name}.md").write_text(text, encoding="utf-8")
    for path in pages.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("](docs/", "](") if path.parent == pages else text
        text = text.replace("](../README.md", "](index.md")
        text = text.replace("](README.md", "](documentation.md")
        text = re.sub(r"\]\(\.\./(CONTRIBUTING|CHANGELOG)\.md", r"](\1.md", text)
        path.write_text(text, encoding="utf-8")


def run_tutorials(folder: Path) -> list[dict[str, str]]:
    """Run the tutorials, write their pages and figures, and return their part of the menu."""
    menu = []
    for path in sorted(TUTORIALS.glob("*.md")):
        figures = folder / path.stem
        figures.mkdir()
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(executed(text, figures), encoding="utf-8")
        menu.append({title(text): f"tutorials/{path.name}"})
    return menu


def _listed(names: list[str]) -> str:
    return "".join(f"::: {name}\n\n" for name in names)


def within(text: str, page: Path) -> str:
    """Return a page without links to files that the site does not have.

    `text`: markdown; `page`: where it stands.
    """

    def kept(link: re.Match[str]) -> str:
        target = link[2].partition("#")[0]
        away = not target or "://" in target or target.startswith("mailto:")
        return link[0] if away or (page.parent / target).exists() else link[1]

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", kept, text)


def typeset(text: str) -> str:
    """Return a page with its formulas, between dollar signs, as MathML.

    `text`: markdown.
    """
    return FORMULA.sub(lambda found: mathml(found[1]) if found[1] else found[0], text)


def _top_level() -> str:
    """Return the names of ``import opchar``, each with a link to the module that defines it."""
    import opchar

    homes = {name: getattr(opchar, name).__module__ for name in sorted(opchar._HOMES)}
    head = "What `import opchar` gives, each imported when it is first used.\n\n"
    return head + "".join(f"- [`opchar.{name}`][{home}.{name}]\n" for name, home in homes.items())


def main() -> None:
    """Lay out the site, or renew the tutorials."""
    parser = argparse.ArgumentParser(description="Make the documentation as a site.")
    parser.add_argument("folder", nargs="?", type=Path, help="where to lay it out")
    parser.add_argument("--renew", action="store_true", help="write what the tutorials print")
    arguments = parser.parse_args()
    if arguments.renew:
        for path in sorted(TUTORIALS.glob("*.md")):
            path.write_text(executed(path.read_text(encoding="utf-8")), encoding="utf-8")
    if arguments.folder:
        lay_out(arguments.folder)


if __name__ == "__main__":
    main()
