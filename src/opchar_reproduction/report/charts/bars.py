"""Bars of published values by outcome."""

from collections.abc import Mapping
from urllib.parse import quote

from markupsafe import Markup, escape

from opchar_reproduction.report.comparison.outcomes import TESTED
from opchar_reproduction.report.marks import OUTCOME_SIGNS, slug

# Segments of a larger share of the scale have room for their sign and number.
NAMED = 0.06


def bar(counts: Mapping[str, int], longest: int, address: str, what: str) -> Markup:
    """Draw a bar whose segments are outcomes, each a link to its values."""
    parts = []
    for outcome in TESTED:
        count = counts.get(outcome, 0)
        if not count:
            continue
        text = f"{what}: {count} {outcome}"
        shown = f"{OUTCOME_SIGNS[outcome]} {count}" if count > NAMED * longest else ""
        parts.append(
            f'<a class="segment {slug(outcome)}" style="width:{100 * count / longest:.4g}%" '
            f'href="{escape(f"{address}&outcome={quote(outcome)}")}" title="{escape(text)}">'
            f'<span aria-hidden="true">{shown}</span>'
            f'<span class="hidden">{escape(text)}</span></a>'
        )
    return Markup(f'<div class="stacked">{"".join(parts)}</div>')
