"""The page of `opchar check`: the table, the answer of each row, and how to repeat it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from opchar.pages import day_made, shared_text
from opchar.pages.policy import with_policy
from opchar.printed.found import Found
from opchar.printed.words import (
    below_a_row,
    choices_in_words,
    meanings,
    not_checked,
    shared_sizes_in_words,
    verdict,
    ways_in_short,
    ways_tried,
)

_BADGES = {"possible": "holds", "impossible": "differs", "not decided": ""}
_STYLE = """
main { max-width: 66rem; margin: 0 auto; padding: 0 1rem; }
td.in { outline: 2px solid var(--bad); outline-offset: -3px; font-weight: 700; }
tr.why td { color: var(--soft); font-size: .92rem; border-bottom: 2px solid var(--line); }
@media print { tr.why td { font-size: inherit; } }
"""
_TRIED = "of {n} ways to obtain such a table, listed below, {counts}"
_TRY = "<code>--infer</code> tries some and lists them"
_LAYOUT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{name} · OpChar check</title>
<link rel="icon" href="data:,">
<style>
{style}
</style>
</head>
<body>
<main id="content">
<p class="note">Are the printed scores of {name} possible together? OpChar {version}, {day}.</p>
<h1>{verdict}</h1>
<p>{stated}</p>
<p>Assumed:</p><ul>{assumed}</ul>
<p>Under other assumptions the answer may differ: {others}.
<em>Impossible</em>: under these assumptions no test set gives the printed numbers together. The
reason may be a misprint, another test set or another formula.</p>
{unchecked}
<h2>The table</h2>
<p class="note">A frame marks the numbers of a contradiction: any one of them may be wrong.</p>
<div class="scroll" role="region" aria-label="The table" tabindex="0">
<table><thead><tr><th>Row</th><th>Answer</th>{headings}</tr></thead>
<tbody>
{rows}
</tbody></table></div>
{shared}
{inference}
<h2>How each column was read</h2>
<ul>{taken}</ul>
<h2>Repeat it</h2>
<pre tabindex="0"><code>{command}</code></pre>
</main>
</body>
</html>
"""


def page(found: Found, name: str, command: str, version: str) -> str:
    """Return a page of the answers, with the file's name, the command and the version."""
    table, answers = found.table, found.answers
    rows = []
    for label, answer in answers.items():
        cells = []
        for heading in table.columns:
            value = table.rows[label].get(heading)
            text = "" if value is None else value.text + (f" ± {value.spread}" * bool(value.spread))
            mark = ' class="in"' if heading in (*answer.contradiction, *answer.also) else ""
            cells.append(f"<td{mark}>{escape(text)}</td>")
        lines = "<br>".join(map(escape, below_a_row(answer)))
        badge = f'<span class="badge {_BADGES[answer.status]}">{answer.status}</span>'
        rows.append(f"<tr><th>{escape(label)}</th><td>{badge}</td>{''.join(cells)}</tr>")
        rows.append(f'<tr class="why"><td colspan="{len(cells) + 2}">{lines}</td></tr>')
    stated, assumed = found.stated_and_assumed()
    text = _LAYOUT.format(
        name=escape(name),
        style=shared_text("style.css") + _STYLE,
        verdict=escape(verdict(table, answers, found.protocol)),
        stated=escape(f"You stated: {'; '.join(stated)}." if stated else "You stated no size."),
        assumed="".join(f"<li>{escape(line)}</li>" for line in assumed),
        others=_others(found),
        unchecked="\n".join(f"<p>{escape(line)}</p>" for line in not_checked(table, answers)),
        headings="".join(f"<th>{escape(heading)}</th>" for heading in table.columns),
        rows="\n".join(rows),
        shared=_items("The size of the test set", shared_sizes_in_words(found.shared)),
        inference=_items("Other assumptions that were tried", choices_in_words(found.inferred)),
        taken="".join(f"<li>{escape(line)}</li>" for line in meanings(table)),
        command=escape(command),
        version=escape(version),
        day=day_made(),
    )
    return with_policy(text)


def _others(found: Found) -> str:
    """Return what other assumptions leave, or how to try them."""
    if found.inferred is None:
        return _TRY
    ways = ways_tried(found.inferred)
    return _TRIED.format(n=len(ways), counts=ways_in_short(ways))


def _items(title: str, lines: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in lines)
    return f"<h2>{title}</h2><ul>{items}</ul>" if items else ""
