"""Templates of the report, and what single macros of them draw: tables, marks and charts."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from opchar_reproduction.figures.model_words import in_words as model_in_words
from opchar_reproduction.figures.notation import html, plain, spoken_label
from opchar_reproduction.report.comparison.outcomes import TESTED
from opchar_reproduction.report.marks import (
    OUTCOME_SIGNS,
    SIGNS,
    count_unconfirmed,
    in_words,
    most_telling_verdict,
    slug,
    spoken_line,
    verdict_in_words,
)

TEMPLATES = Path(__file__).with_name("templates")


def environment() -> Environment:
    """Return the environment of the templates; an undefined name in a template is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "plain": plain,
        "symbols": html,
        "spoken": spoken_label,
        "slug": slug,
        "worded": in_words,
        "called": verdict_in_words,
        "model": model_in_words,
        "said": spoken_line,
        "capital": lambda text: text[:1].upper() + text[1:],
        "bounds": _bounds,
        "share": per_cent,
        "packed": lambda text: Markup(str(text).replace("\n", "")),
    }
    made.globals |= {"line_signs": SIGNS, "outcome_signs": OUTCOME_SIGNS, "of_tested": TESTED}
    return made


@cache
def _macros() -> Any:
    return environment().get_template("drawings.html").module


def draw(name: str, **given: Any) -> Markup:
    """Return what a macro of ``drawings.html`` makes."""
    return Markup(getattr(_macros(), name)(**given))


def dot(counts: Mapping[str, int]) -> Markup:
    """Return the mark of an artefact in lists."""
    verdict, number = most_telling_verdict(counts), count_unconfirmed(counts)
    return draw("dot", counts=counts, verdict=verdict, number=number)


def per_cent(position: float) -> str:
    """Write a place across a drawing."""
    return f"{position:.4g}%"


def _bounds(bounds: tuple[float, float]) -> str:
    """Return a range as people write it."""
    return " to ".join(f"{bound:g}".replace("inf", "∞").replace("-", "−") for bound in bounds)
