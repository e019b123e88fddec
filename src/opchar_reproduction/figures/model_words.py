"""Model names of the configuration in words of the field."""

import csv
import re
from pathlib import Path

# A word of ``config/models.yaml`` as it may stand in print, and what a reader would call it.
_LISTED = Path(__file__).with_suffix(".csv").read_text(encoding="utf-8")
_WORDS = [(row["pattern"], row["words"]) for row in csv.DictReader(_LISTED.splitlines())]
_NAME = re.compile(r"(?:.* / )?(?:\d+\) )?(.+)")


def in_words(row: str) -> str:
    """Return the name in words of a row that is named after a model."""
    found = _NAME.fullmatch(row)
    rest, words = (found[1] if found else row).replace("-", " ").strip(), []
    while rest:
        for pattern, phrase in _WORDS:
            if match := re.match(rf"{pattern}(?= |$)", rest):
                words.append(phrase.format(*map(_argument, match.groups())))
                rest = rest[match.end() :].strip()
                break
        else:
            return ""
    return ", ".join(words).replace(", then, ", ", then ")


def spell_row(row: str) -> str:
    """Return the name of a row with a model name at its end in words."""
    found = _NAME.fullmatch(row)
    words = in_words(row)
    return row[: found.start(1)] + words if found and words else row


def _argument(text: str) -> float | str:
    """Return a share as a percentage, a number as it is, several as a sum, and a name."""
    if not text.replace(".", "").isdigit():
        return text.replace(",", "+").replace(" ", "+")
    return 100 * float(text) if text.startswith("0.") else float(text)
