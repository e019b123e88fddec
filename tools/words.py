"""Find sentences that need more than one reading: documents, templates, texts of the program.

    python tools/words.py              what a reader meets; exit status 1 on a finding
    python tools/words.py FILE ...     these files

A finding is a sentence of more than 30 words, or one with a pattern of tools/patterns.csv. Code,
tables, links, quotations and names of published lines count for nothing. In Python files
docstrings and texts of three words and more count.
"""

import ast
import csv
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tools/patterns.csv"
LONGEST = 30
# Columns that repeat the print, or have words of the ledger.
VERBATIM = ("row", "column", "printed", "word")
# Names of the area under precision over recall that the tables of a publication print.
PRINTED = {"landgrebe2007": "AUPREC", "mullick2020": "AURPC"}


def read_patterns() -> dict[str, re.Pattern[str]]:
    """Return what each kind of finding is found by."""
    found: dict[str, list[str]] = {}
    for row in csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()):
        found.setdefault(row["kind"], []).append(row["pattern"])
    return {kind: re.compile("|".join(patterns)) for kind, patterns in found.items()}


PATTERNS = read_patterns()
_SKIPPED = re.compile(
    r"```.*?```|^ *=== *=[= ]*$.*?\n *===[= ]*$|<!--.*?-->|^\|.*?$|^ {4}.*?$|^ *>>> .*?(?=^\s*$|\Z)"
    r"|^[A-Z]\w+\n-{3,}$|\{[{%#].*?[}%#]\}|<(?:style|script|svg).*?</|<[^>]*>",
    re.DOTALL | re.MULTILINE,
)
_ABBREVIATED = "".join(rf"(?<!\b{short}\.)" for short in ("Eq", "Eqs", "Sec", "Secs", "al"))


def documents() -> list[Path]:
    """Return what a reader meets: documents, and templates and texts of the report."""
    texts = [
        ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
    ]
    texts += sorted((ROOT / "docs").rglob("*.md"))
    told = [f"publications/*/{name}.csv" for name in ("causes", "errata", "exhibits", "variants")]
    for ending in ("*.html", "*.py", "meanings.csv", *told):
        texts += sorted((ROOT / "src").rglob(ending))
    return texts


def texts_of(path: Path) -> Iterator[str]:
    """Yield the texts of a file: all of it, the cells of a table, or the literals of a program."""
    text = path.read_text(encoding="utf-8")
    for own in (name for folder, name in PRINTED.items() if folder in path.parts):
        text = text.replace(own, "AUPRC")
    if path.suffix == ".csv":
        rows = csv.DictReader(text.splitlines(keepends=True))
        cells = (cell for row in rows for head, cell in row.items() if head not in VERBATIM)
        yield from (line for cell in cells for line in cell.splitlines())
    elif path.suffix == ".py":
        yield from literals(ast.parse(text))
    else:
        # Of the changes only those of the present version.
        yield text.split("\n## ")[1] if path.name == "CHANGELOG.md" else text


@cache
def published() -> frozenset[str]:
    """Return the names of published lines, which are as in print."""
    found: set[str] = set()
    for path in (ROOT / "src/opchar_reproduction/publications").glob("*/values.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            found.update(*csv.reader(file))
    return frozenset(found)


def literals(node: ast.AST) -> Iterator[str]:
    """Yield texts of three words and more, no patterns; a value filled in counts as one word."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(
            getattr(part, "value", "X") if isinstance(part, ast.Constant) else "X"
            for part in node.values
        )
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        expression = re.search(r"\(\?|\\[bdsw]", node.value)
        if len(node.value.split()) > 2 and node.value not in published() and not expression:
            yield inspect.cleandoc(node.value)
    else:
        for child in ast.iter_child_nodes(node):
            yield from literals(child)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text without code, tables, marks and the targets of links."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", _SKIPPED.sub(" ", text))
    plain = re.sub(r"``[^`]*``|`[^`]*`", "Code", plain)
    plain = re.sub(r"\"[^\"]{2,}\"", "Quoted", plain)
    for block in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.|#+) ", plain, flags=re.MULTILINE):
        joined = " ".join(block.replace("**", "").split())
        yield from re.split(rf"{_ABBREVIATED}(?<=[.!?:]) (?=[A-Z\[\d\"(])|(?<=;) ", joined)


def findings(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of each finding and its sentence."""
    for sentence in sentences(text):
        words = len(re.findall(r"[A-Za-zÀ-ÿ][\w'-]*", sentence))
        if words > LONGEST:
            yield f"{words} words", sentence
        for kind, pattern in PATTERNS.items():
            if pattern.search(sentence):
                yield kind, sentence


def main(arguments: list[str]) -> int:
    """Print the findings; return 1 if there is one."""
    paths = [Path(name) for name in arguments] or documents()
    count = 0
    for path in paths:
        for kind, sentence in (found for text in texts_of(path) for found in findings(text)):
            count += 1
            print(f"{path}: {kind}: {sentence[:160]}".removeprefix(f"{ROOT}/"))
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
