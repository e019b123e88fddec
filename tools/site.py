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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opchar.analysis.findings import catalogue as findings
from opchar.metrics.page import markdown as indices
from opchar_reproduction.publication import folders
from opchar_reproduction.report.pages.parts.mathml import mathml

ROOT = Path(__file__).resolve().parents[1]
TUTORIALS = ROOT / "docs/tutorials"
ROOMS = {
    "spaces": "Spaces",
    "metrics": "Metrics",
    "displays": "Displays",
    "multiclass": "More than two classes",
    "reject": "Reject options",
    "combination": "Combination",
    "models": "Models",
    "statistics": "Statistics",
    "decisions": "Decisions",
    "datasets": "Data sets",
    "extend": "Extensions of your own",
}
BLOCK = re.compile(r"```(python|text)\n(.*?)```\n", re.DOTALL)
# Code, in which nothing is a formula, or a formula.
FORMULA = re.compile(r"```.*?```|`[^`\n]*`|\$([^$`\n]+)\$", re.DOTALL)
SITE = """site_name: OpChar
docs_dir: pages
site_dir: html
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.sections, navigation.top, content.code.copy]
markdown_extensions: [admonition, attr_list, tables, toc, pymdownx.highlight, pymdownx.superfences]
plugins:
  - search
  - mkdocstrings:
      handlers:
        python:
          paths: [{source}]
          options:
            docstring_style: numpy
            show_root_heading: true
            show_source: false
            members_order: source
            show_if_no_docstring: false
            filters: ["!^_"]
            separate_signature: true
nav:
  - Home: index.md
  - All pages: documentation.md
  - Tutorials:
{tutorials}
  - How to: how-to.md
  - A publication of your choice: new-publication.md
  - Topics:
      - Costs, priors, preferences: costs.md
      - Which threshold: decisions.md
      - Measures for a decision: measures.md
      - Is a printed table possible: check.md
      - Limits that are kept: promises.md
      - The prior in use: priors.md
      - Pass rates of an LLM judge: judges.md
      - Indices: indices.md
      - Is my metric distorted: conditions.md
      - More than two classes: multiclass.md
      - Models: models.md
      - Data: data.md
      - Data sets: data-sets.md
      - Findings: findings.md
      - Glossary: glossary.md
      - Other tools: other-tools.md
      - A tour: tour.md
      - Read the report: read-the-report.md
      - Apply the threshold in a service: service.md
      - Gallery: gallery/README.md
  - API:
{api}
  - The reproduction:
{works}
      - How verdicts are made: ledger.md
      - Alternative protocols: variants.md
      - A second reading: second-reading.md
      - The toolboxes of the thesis: toolbox.md
      - Reliability: reliability.md
      - Performance: performance.md
      - Clusters and containers: cluster.md
      - Large scores: large-scores.md
      - Design: design.md
      - Contributing: CONTRIBUTING.md
      - Changes: CHANGELOG.md
"""


def blocks(text: str) -> Iterator[tuple[re.Match[str], str, str]]:
    """Yield each block of a tutorial, its language and its content."""
    for match in BLOCK.finditer(text):
        yield match, match[1], match[2]


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
    for match, language, content in blocks(text):
        parts.append(text[end : match.start()])
        end = match.end()
        if language == "text":
            parts.append(f"```text\n{printed.getvalue()}```\n")
            printed = io.StringIO()
            continue
        with contextlib.redirect_stdout(printed):
            exec(content, names)
        parts.append(match[0])
        if figures is not None:
            for number in plt.get_fignums():
                path = figures / f"{len(list(figures.glob('*.png'))) + 1}.png"
                plt.figure(number).savefig(path, dpi=150, bbox_inches="tight")
                parts.append(f"\n![What the block above draws]({figures.name}/{path.name})\n")
        plt.close("all")
    return "".join([*parts, text[end:]])


def modules(room: str) -> list[str]:
    """Return the public modules of a room of the library, by their dotted names."""
    place = ROOT / "src/opchar" / room
    if not place.exists():
        place = ROOT / "src/opchar_reproduction" / f"{room}.py"
    found = []
    for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(part.startswith("_") for part in parts) and _defines(path):
            found.append(".".join(parts))
    return found


def _defines(path: Path) -> bool:
    """Whether a module has functions or classes of its own that are public."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(
        isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        for node in body
    )


def title(text: str) -> str:
    """Return the heading of a page."""
    return next(line[2:] for line in text.splitlines() if line.startswith("# "))


def lay_out(folder: Path) -> None:
    """Write the pages and ``mkdocs.yml``.

    `folder`: replaced.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
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
        text = re.sub(r"\]\(docs/", "](", text) if path.parent == pages else text
        text = text.replace("](../README.md", "](index.md").replace(
            "](README.md", "](documentation.md"
        )
        text = re.sub(r"\]\(\.\./(CONTRIBUTING|CHANGELOG)\.md", r"](\1.md", text)
        path.write_text(text, encoding="utf-8")
    tutorials = []
    for path in sorted(TUTORIALS.glob("*.md")):
        figures = pages / "tutorials" / path.stem
        figures.mkdir()
        text = path.read_text(encoding="utf-8")
        (pages / "tutorials" / path.name).write_text(executed(text, figures), encoding="utf-8")
        tutorials.append(f'      - "{title(text)}": tutorials/{path.name}')
    if (pages / "analyse.md").exists():
        text = (pages / "analyse.md").read_text(encoding="utf-8")
        tutorials.insert(0, f'      - "{title(text)}": analyse.md')
    (pages / "api").mkdir()
    api = ["      - opchar: api/opchar.md"]
    head = "# opchar\n\nWhat `import opchar` gives, each imported when it is first used.\n\n"
    names = _top_level()
    (pages / "api/opchar.md").write_text(
        head + "".join(f"- [`opchar.{name}`][{home}.{name}]\n" for name, home in names.items()),
        encoding="utf-8",
    )
    for room, said in ROOMS.items():
        text = f"# {said}\n\n" + "".join(f"::: {name}\n\n" for name in modules(room))
        (pages / f"api/{room}.md").write_text(text, encoding="utf-8")
        api.append(f"      - {said}: api/{room}.md")
    for path in pages.rglob("*.md"):
        text = typeset(within(path.read_text(encoding="utf-8"), path))
        path.write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(
        SITE.format(
            source=(ROOT / "src").as_posix(),
            tutorials="\n".join(tutorials),
            api="\n".join(api),
            works="\n".join(f"      - {key}: {key}.md" for key in folders()),
        ),
        encoding="utf-8",
    )


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


def _top_level() -> dict[str, str]:
    """Return the names of ``import opchar`` and the modules that define them."""
    import opchar

    return {name: getattr(opchar, name).__module__ for name in sorted(opchar._HOMES)}


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
