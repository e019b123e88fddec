"""Bars of values by verdict."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from markupsafe import Markup, escape

from opchar.report.comparison.verdicts import MEANINGS
from opchar.report.pages.parts.marks import SIGNS, slug


def bar(counts: Mapping[str, int], longest: int, address: str, what: str) -> Markup:
    """Draw a bar whose segments are verdicts, each a link to its values.

    Parameters
    ----------
    counts : mapping of str to int
        Number of values by verdict.
    longest : int
        Number of values that fill the whole width.
    address : str
        A filter of the ledger, to which the verdict is added: ``ledger.html#work=...``.
    what : str
        What is counted, for those who do not see the bar.

    Returns
    -------
    markupsafe.Markup
        In the order of `opchar.report.comparison.verdicts.MEANINGS`. Verdicts are told apart by
        sign and pattern as well as by colour.
    """
    parts = []
    for verdict in MEANINGS:
        count = counts.get(verdict, 0)
        if not count:
            continue
        said = f"{count} {verdict}: {what}"
        parts.append(
            f'<a class="segment {slug(verdict)}" style="flex:{count} 1 0" '
            f'href="{escape(f"{address}&verdict={quote(verdict)}")}" title="{escape(said)}">'
            f'<span aria-hidden="true">{SIGNS[verdict]} {count}</span>'
            f'<span class="hidden">{escape(said)}</span></a>'
        )
    share = 100 * sum(counts.values()) / longest if longest else 0
    return Markup(f'<div class="stacked" style="width:{share:.4g}%">{"".join(parts)}</div>')
