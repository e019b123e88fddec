"""Bars of values by verdict."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from markupsafe import Markup, escape

from opchar.report.comparison.verdicts import MEANINGS
from opchar.report.marks import SIGNS, slug, verdict_in_words

# Segments of a larger share of the scale have room for their sign and number.
NAMED = 0.06


def bar(counts: Mapping[str, int], longest: int, address: str, what: str) -> Markup:
    """Draw a bar whose segments are verdicts, each a link to its values."""
    parts = []
    for verdict in MEANINGS:
        count = counts.get(verdict, 0)
        if not count:
            continue
        text = f"{count} {verdict_in_words(verdict)}: {what}"
        shown = f"{SIGNS[verdict]} {count}" if count > NAMED * longest else ""
        parts.append(
            f'<a class="segment {slug(verdict)}" style="width:{100 * count / longest:.4g}%" '
            f'href="{escape(f"{address}&verdict={quote(verdict)}")}" title="{escape(text)}">'
            f'<span aria-hidden="true">{shown}</span>'
            f'<span class="hidden">{escape(text)}</span></a>'
        )
    return Markup(f'<div class="stacked">{"".join(parts)}</div>')
