"""Find sentences in documents and templates that need more than one reading.

    python tools/words.py              the documents of the project; exit status 1 on a finding
    python tools/words.py FILE ...     these files

A finding is a sentence of more than 30 words, or one with a pattern of `PATTERNS`. Code, tables and
links count for nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 30
PATTERNS = {
    "inverted clause": r"^(?:Of|With|Under|Without|For) (?:the|a|its|each|both) [^,]{1,60}, ?"
    r"(?:lies|stands|is|are|have|has)\b|\b(?:is|are) that of\b",
    "what-clause for a noun": r"\bwhat (?:is|are) (?:read|left|made|drawn|printed|kept|said|told)"
    r"\b(?! (?:is|are))|\bwhat surrounds\b|\bWhat of\b",
    "negated noun": r"\bthat (?:is|are) (?:none|no [a-z]+)\b|\bone that is no\b",
    "hedge": r"\bcannot be told apart\b|\bcan(?:not)? be had\b|\bno finding changes\b"
    r"|\bdistinguishably\b",
    "things that speak": r"\b(?:is|are|was|were) told (?:as|apart|so)\b|\btells? (?:of|that) the\b"
    r"|\bstands? in sight\b|\bsays nothing of\b",
    "private word": r"\b(?:holds otherwise|agrees otherwise)\b"
    r"|\bfloors\b|\bwhich nobody has\b|\bfor its own sake\b|\bby the rule of\b",
    "telegram": r"\b(?:a|one) (?:line|row|column|weight|threshold|job)s? (?:an?) [a-z]+\b"
    r"|\bweights a class\b",
    "diary": r"\b(?:no longer|mended|drawn anew|made anew|an hour (?:earlier|later))\b"
    r"|\bon a slower day\b|\bSince then\b",
    "percent sign": r"\d%(?!\w|[-\"'`])",
    "two words for one thing": r"\bAUPREC\b|\bAURPC\b|\bsensitivity \(recall\)",
    "relative clause": r"\bof which (?:only|nobody|none)\b",
}
_SKIPPED = re.compile(
    r"```.*?```|<!--.*?-->|^\|.*?$|^ {4}.*?$|\{[{%#].*?[}%#]\}|<(?:style|script|svg).*?</|<[^>]*>",
    re.DOTALL | re.MULTILINE,
)


def documents() -> list[Path]:
    """Return what a reader meets: documents, and the templates of the report."""
    texts = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [*texts, *sorted((ROOT / "docs").rglob("*.md"))]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text without code, tables, marks and the targets of links."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", _SKIPPED.sub(" ", text))
    plain = re.sub(r"`[^`]*`", "Code", plain)
    for block in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.|#+) ", plain, flags=re.MULTILINE):
        joined = " ".join(block.replace("**", "").split())
        yield from re.split(r"(?<=[.!?:]) (?=[A-Z\[\d\"(])|(?<=;) ", joined)


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
        for kind, sentence in findings(path.read_text(encoding="utf-8")):
            count += 1
            print(f"{path.name}: {kind}: {sentence[:160]}")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
