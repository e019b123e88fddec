"""Marks of verdicts: a sign and a colour each, and what they say of an artefact as a whole."""

import re
from collections.abc import Mapping
from typing import Any

from opchar_reproduction.report.meanings import meanings

SIGNS = {
    "matches": "✓",
    "compatible": "~",
    "holds": "✓",
    "differs": "≠",
    "fails": "✗",
    "erratum": "!",
    "inconsistent": "↔",
    "not testable": "◇",
    "input": "=",
    "not comparable": "◇",
    "unavailable": "∅",
    "pending": "…",
}
OUTCOME_SIGNS = {
    "matches": "✓",
    "compatible": "~",
    "differs": "≠",
    "wrong or contradictory": "!",
    "not testable": "◇",
}
# Verdicts as pages call them; the ledger has the short names.
CALLED = {
    "agrees otherwise": "agrees under another protocol",
    "holds otherwise": "holds under another protocol",
    "not comparable": "not a test",
}
# As the first page says it; what agrees only under another protocol does not match.
_OF_OTHERS = {"agrees": "matches", "agrees otherwise": "differs", "holds otherwise": "fails"}
_TESTED = ("holds", *_OF_OTHERS, "differs", "fails")
_WHY_NO_TEST = {"stand-in": "stand-in data", "illustration": "illustration"}
# Characters of a reason that a note shows.
SAID = 120
# What a reader looks for, and what the keys n and p lead to.
AGAINST = ("differs", "fails", "erratum", "inconsistent")
_MOST_TELLING = (
    *AGAINST,
    *("compatible", "matches", "holds", "not testable", "not comparable", "input"),
    *("unavailable", "pending"),
)
# Phrases of reasons, as patterns, and what a page says in their place.
_REASONS = [(re.compile(pattern), words) for pattern, words in meanings("phrase").items()]


def shown_verdict(line: Mapping[Any, Any]) -> str:
    """Return what the mark of a line says: its verdict, or its outcome where that says less."""
    verdict, outcome = str(line["verdict"]), line["outcome"]
    if outcome == "compatible" or (outcome == "not testable" and verdict in _TESTED):
        return str(outcome)
    return _OF_OTHERS.get(verdict, verdict)


def verdict_in_words(verdict: str) -> str:
    """Return a verdict as pages call it."""
    return CALLED.get(verdict, verdict)


def in_words(reason: str) -> str:
    """Return the reason of a verdict as a page says it."""
    for pattern, words in _REASONS:
        reason = pattern.sub(words, reason)
    return reason


def slug(verdict: str) -> str:
    """Return the class of a verdict."""
    return verdict.replace(" ", "-")


def most_telling_verdict(counts: Mapping[str, int]) -> str:
    """Return the most telling verdict of an artefact; empty where nothing is published."""
    return next((verdict for verdict in _MOST_TELLING if counts.get(verdict)), "")


def count_unconfirmed(counts: Mapping[str, int]) -> int:
    """Return how many values of an artefact do not confirm the published ones."""
    return sum(counts.get(verdict, 0) for verdict in AGAINST)


def spoken_line(line: Mapping[Any, Any]) -> str:
    """Return the tooltip of a value: verdict, reason, sharpness, repeats."""
    verdict = verdict_in_words(line["shown"])
    why = _WHY_NO_TEST.get(line["basis"], "") if line["verdict"] == "not comparable" else ""
    if line["z"]:
        why = _distance(float(line["z"]))
    elif not why and line["shown"] in AGAINST:
        why = _first(in_words(line["reason"]))
    parts = [f"{verdict}: {why}" if why else verdict]
    if line["sharpness"]:
        width = float(line["sharpness"])
        within = f"any value within ±{100 * width:.2g} % would count as agreeing"
        parts.append(within if width <= 1 else "too noisy to test")
    if line["n"]:
        parts.append(in_words(f"{line['n']} repeats"))
    if line["basis"] == "exact":
        parts.append("calculated from formulas")
    return " · ".join(parts)


def _distance(z: float) -> str:
    """Return a deviation in standard errors as people read it."""
    if abs(z) < 0.05:
        return "identical"
    far = "more than 10" if abs(z) > 10 else f"{abs(z):.1f}"
    return f"{far} standard errors {'below' if z < 0 else 'above'}"


def _first(reason: str) -> str:
    """Return a reason up to its first semicolon, and no more of it than a note has room for."""
    first = reason.partition(";")[0]
    return first if len(first) <= SAID else f"{first[:SAID].rpartition(' ')[0]} …"


def legend() -> list[tuple[str, str, str]]:
    """Return verdict, class and sign of each mark."""
    return [(verdict, slug(verdict), sign) for verdict, sign in SIGNS.items()]
