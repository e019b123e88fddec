"""What the headings of printed tables name; ``headings.csv`` lists their spellings."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files

_F = re.compile(r"f_?(?:beta )?(\d+(?:\.\d+)?)(?:[ -]?(?:score|measure))?")
_ALPHA = re.compile(r"f[_ -]?alpha[ (=]*(0?\.\d+|[01])\)?")
_COSTS = {
    "expected_cost": r"(?:expected[ _])?(?:cost|loss)",
    "normalised_expected_cost": r"(?:nec|normali[sz]ed[ _](?:expected[ _])?cost)",
}


@cache
def known_headings() -> dict[str, list[str]]:
    """Return the spellings of each index and size, without blanks and signs."""
    text = files("opchar.printed").joinpath("headings.csv").read_text(encoding="utf-8")
    lines = csv.DictReader(text.splitlines())
    return {line["index"]: line["headings"].split() for line in lines}


def heading_meaning(heading: str) -> str | None:
    """Return the index or size that a heading names, or None for one that is not known."""
    plain = re.sub(r"[\[(]\s*\d+\s*%\s*ci\s*[\])]", "", heading.lower())
    plain = re.sub(r"[\[(]?\s*(%|in percent|percent)\s*[\])]?", "", plain).strip()
    if plain in known_headings():
        return plain
    for name, words in _COSTS.items():
        if costs := re.fullmatch(rf"{words}[ (]*(\d+)\s*:\s*(\d+)\)?", plain):
            return f"{name} {costs[1]}:{costs[2]}"
    if alpha := _ALPHA.fullmatch(plain):
        return f"f_alpha {alpha[1]}"
    squeezed = re.sub(r"[^a-z0-9+-]" if "lr" in plain else r"[^a-z0-9+]", "", plain)
    for name, spellings in known_headings().items():
        if squeezed in spellings:
            return name
    beta = _F.fullmatch(plain)
    return f"f_beta {beta[1]}" if beta and float(beta[1]) > 0 else None
