"""The page of `opchar check`: the table, the answer of each row, and how to repeat it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from string import Template

from opchar.pages import day_made, shared_text
from opchar.pages.policy import with_policy
from opchar.printed import words
from opchar.printed.data import text_of
from opchar.printed.found import Found

_BADGES = {"possible": "holds", "impossible": "differs", "not decided": ""}
_TRIED = "of {n} ways to obtain such a table, listed below, {counts}"
_TRY = "<code>--infer</code> tries some and lists them"


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
        lines = "<br>".join(map(escape, words.below_a_row(answer)))
        badge = f'<span class="badge {_BADGES[answer.status]}">{answer.status}</span>'
        rows.append(f"<tr><th>{escape(label)}</th><td>{badge}</td>{''.join(cells)}</tr>")
        rows.append(f'<tr class="why"><td colspan="{len(cells) + 2}">{lines}</td></tr>')
    stated, assumed = found.stated_and_assumed()
    text = Template(text_of("page.html")).substitute(
        name=escape(name),
        style=shared_text("style.css"),
        verdict=escape(words.verdict(table, answers, found.protocol)),
        stated=escape(f"You stated: {'; '.join(stated)}." if stated else "You stated no size."),
        assumed="".join(f"<li>{escape(line)}</li>" for line in assumed),
        others=_others(found),
        unchecked="\n".join(f"<p>{escape(line)}</p>" for line in words.not_checked(table, answers)),
        headings="".join(f"<th>{escape(heading)}</th>" for heading in table.columns),
        rows="\n".join(rows),
        shared=_items("The size of the test set", words.shared_sizes_in_words(found.shared)),
        inference=_items(
            "Other assumptions that were tried", words.choices_in_words(found.inferred)
        ),
        taken="".join(f"<li>{escape(line)}</li>" for line in words.meanings(table)),
        command=escape(command),
        version=escape(version),
        day=day_made(),
    )
    return with_policy(text)


def _others(found: Found) -> str:
    """Return what other assumptions leave, or how to try them."""
    if found.inferred is None:
        return _TRY
    ways = words.ways_tried(found.inferred)
    return _TRIED.format(n=len(ways), counts=words.ways_in_short(ways))


def _items(title: str, lines: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in lines)
    return f"<h2>{title}</h2><ul>{items}</ul>" if items else ""
