"""Labels of artefacts in words."""

import re

from opchar_reproduction.figures.notation import spoken_label

_LONGER = {
    "youden": "Youden's index",
    "jaccard": "Jaccard",
    "numeric integration": "numerical integration",
}
_FIRST = [
    *("zeroth", "first", "second", "third", "fourth"),
    *("fifth", "sixth", "seventh", "eighth", "ninth"),
]
_WORDS = {"and", "by", "for", "in", "law", "of", "one", "own", "the", "two", "eq"}


def label_in_words(label: str, section: str = "") -> str:
    """Return a label in words, with its section where it has no number."""
    first, _, rest = label.partition("-")
    number, _, more = rest.partition("-")
    numbered = re.match(r"[A-Z]?\.?\d", rest) is not None
    if first == "text" and numbered:
        return f"Section {number}" + (f", {_expand_words(more)}" if more else " (text)")
    if re.fullmatch(r"\d+\.\d+\.\d+", number):
        return f"Section {number}, {_expand_words(more) or first}"
    if numbered:
        return spoken_label(label).replace(" variants", " under other protocols")
    if section.startswith("slide"):
        words = rest if first != "example" else f"{rest} example"
        return f"{section.capitalize().replace('-', '–')}, {_expand_words(words)}"
    text = _expand_words(f"{first} {rest}")
    return text[:1].upper() + text[1:]


def _expand_words(text: str) -> str:
    """Write words with hyphens as words, abbreviations in capitals."""
    text = text.replace("-", " ")
    for short, long in _LONGER.items():
        text = text.replace(short, long)
    text = re.sub(
        r"confusion ([1-9])\b", lambda found: f"{_FIRST[int(found[1])]} confusion matrix", text
    )
    words = text.split()
    return " ".join(
        word.upper() if len(word) <= 3 and word.isalpha() and word not in _WORDS else word
        for word in words
    )
