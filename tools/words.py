"""Find sentences that need more than one reading: documents, templates, texts of the program.

    python tools/words.py              what a reader meets; exit status 1 on a finding
    python tools/words.py FILE ...     these files

A finding is a sentence of more than 30 words, or one with a pattern of `PATTERNS`. Code, tables,
links, quotations and names of published lines count for nothing. In Python files docstrings and
texts of three words and more count.
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
LONGEST = 30
# Columns that repeat the print.
VERBATIM = ("row", "column", "printed")
# Names of the area under precision over recall that the tables of a publication print.
PRINTED = {"landgrebe2007": "AUPREC", "mullick2020": "AURPC"}
PREPOSITION = "on|of|from|with|for|by|among"
PATTERNS = {
    "inverted clause": r"^(?:Of|With|Under|Without|For) (?:the|a|its|each|both) [^,]{1,60}, ?"
    r"(?:lies|stands|is|are|have|has)\b|\b(?:is|are) (?:not )?(?:that|those) of\b|^That of\b"
    r"|^Of an? [^,]+(?:,| (?:is|are|was|were)\b)|^Only what\b|^Within the \w+ a\b"
    r"|^So is an?\b|\bis the label among\b",
    "what-clause for a noun": r"\bwhat (?:is|are) (?:read|left|made|drawn|printed|kept|said|told)"
    r"\b(?! (?:is|are))|\bwhat surrounds\b|\bWhat of\b|\b[Ww]hat (?:within|such|rejecting|the kept)"
    r"\b|\b(?:is|are) what\b|\b[Ww]hat (?:may|computes|hangs|follows) \w+|\bhow many true \w+ an?\b"
    r"|\bhow uncertain the\b|\bWhat is lost\b|\babove what\b|\bby what its\b|\bamong what\b",
    "negated noun": r"\bthat (?:is|are) (?:none|no [a-z]+)\b|\bone that is no\b|\bnot an? text\b"
    r"|\bno interval holds\b|\bno \w+ whole numbers\b|\bno threshold from\b|\bNo other \w+ is\b"
    r"|\bno curve has\b|\bNo choice between\b|\bNever in\b|\bthere is none\b|\bof no setting\b",
    "hedge": r"\bcannot be told\b|\bcan(?:not)? be had\b|\bno finding changes\b|\bcannot tell\b"
    r"|\bdistinguishabl[ey]\b|\bconfirm nothing\b|\bnot wider for not\b|\bcould not differ\b"
    r"|\bcan share no\b|\bcannot miss\b|\bmay be not decided\b|\bwithout proof\b",
    "things that speak": r"\b(?:is|are|was|were) told (?:as|apart|so)\b|\btells? (?:of|that) the\b"
    r"|\bstands? in sight\b|\bsays nothing of\b|\bhangs? on\b|\bintervals? (?:hold|holds)\b"
    r"|\bprint itself says\b|\bcurve believes\b|\b[Ii]t told\b|\btells? (?:most|from)\b"
    r"|\bstatistics ask for\b|\bvanishes\b|\bholds? what\b|\bdecide alone\b|\breach from\b",
    "private word": r"\b(?:holds otherwise|agrees otherwise)\b|\bwithin ±[\d.]+e"
    r"|\bfloors\b|\bwhich nobody has\b|\bfor its own sake\b|\bby the rule of\b|\bjudged under\b"
    r"|\btakes? the values for\b|\bunit of the costs\b|\b(?:third|fourth) house\b"
    r"|\bpassed over\b|\brefused by name\b|\bStated or taken\b|\bfixed price\b"
    r"|\bprinted from another run\b|\bthan chance puts\b|\bdoing without\b|\bwhere the rest\b"
    r"|\bVariants that are one\b|\blooked for, not found\b|\bto be had\b",
    "stranded preposition": rf"\b(?:that|which|what) (?:[\w']+ ){{1,6}}"
    rf"(?<!asked )(?<!asks )(?<!stand )(?<!stands )(?:{PREPOSITION})(?=[.,;:?]|$)"
    r"|\b(?:promise|models' names) (?:is|are) made of\b",
    "telegram": r"\b(?:a|one) (?:line|row|column|weight|threshold|job)s? (?:an?) [a-z]+\b"
    r"|\bweights a class\b|\bcosts 0\.\d+ by digits\b|\bin all: |\btakes half as long again\b"
    r"|\bthe odds of that\b|\bleave [\w ]+ out$|, promised$|^\d+ \w+ \([\w ]+\) found$",
    "diary": r"\b(?:no longer|mended|made anew|an hour (?:earlier|later))\b"
    r"|\bon a slower day\b|\bSince then\b|\b[\d.]+ s before\b|\bbecame faster\b|\bhas just made\b",
    "percent sign": r"\d%(?!\w|[-\"'`])",
    "two words for one thing": r"(?<!,)\bAUPREC\b|\bAURPC\b(?![^()]*\))|\bsensitivity \(recall\)",
    "old word for a term": r"\b(?:trained|draws?|drawn|chosen|choosing|begins?) (?:\w+ ){0,3}anew\b"
    r"|\bdeals? of\b|\blots? of\b|\bcut-?offs?\b|\bbase rate\b",
    "relative clause": r"\bof which (?:only|nobody|none)\b|\bnone of up to\b"
    r"|\bof its classes those\b|\btakes the tables along\b|\bto judge of\b",
}
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
    for ending in ("*.html", "*.py", *told):
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
            if re.search(pattern, sentence):
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
