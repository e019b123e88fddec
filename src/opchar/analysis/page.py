"""One page of answers, which needs no server and no other file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from opchar.analysis.answered import SAID, Answered
from opchar.analysis.answers.summary import in_short
from opchar.analysis.first_screen import (
    findings_list,
    first_screen,
    object_counts,
    source_line,
    unbroken,
)
from opchar.analysis.pictures import confusion_picture
from opchar.analysis.sections import section
from opchar.analysis.what_if import what_if, what_if_data
from opchar.pages import shared_text
from opchar.pages.policy import with_policy


def page(
    answers: Answered,
    drawn: dict[str, str],
    formats: Sequence[str] = ("svg",),
    *,
    whole: bool = True,
) -> str:
    """Return the page of all answers as HTML."""
    here = files("opchar.analysis")
    script, style = (
        "\n".join([shared_text(shared), (here / own).read_text(encoding="utf-8")])
        # The numbers are those of the explorer of the report.
        for shared, own in (("two-classes.js", "explorer.js"), ("style.css", "page.css"))
    )
    models = ", ".join(answers.scored.models)
    shown = [
        first_screen(answers) or _without_decision(answers, models),
        what_if(answers),
        '<h2 class="section">All answers</h2>',
        *(section(answers, name, drawn, formats) for name in SAID if name in answers.tables),
        _reading_notes(answers),
    ]
    shown = shown if whole else shown[:1]
    data = json.dumps(what_if_data(answers), separators=(",", ":")).replace("<", "\\u003c")
    layout = (here / "page.html").read_text(encoding="utf-8")
    text = layout.format(
        title=escape(models),
        style=style,
        content="\n".join(part for part in shown if part),
        data=data,
        script=script,
    )
    return with_policy(text)


def _without_decision(answers: Answered, models: str) -> str:
    """Return the first screen of more than two classes, none of them named as positive."""
    shown = in_short(answers)
    parts = [
        source_line(answers),
        f"<h1>{unbroken(shown[0] if shown else f'Results for {models}')}</h1>",
        '<p class="lead">Each class is compared with all others together. Name one by '
        "<code>--positive</code> to get a threshold for it.</p>",
        _items("In short", shown[1:]),
        confusion_picture(answers.tables["confusion"], answers.scored.classes),
        findings_list(answers),
    ]
    return "\n".join(part for part in parts if part)


def _items(title: str, texts: list[str]) -> str:
    if not texts:
        return ""
    items = "\n".join(f"<li>{unbroken(text)}</li>" for text in texts)
    return f'<h2>{title}</h2>\n<ul class="plainly">\n{items}\n</ul>'


def _reading_notes(answers: Answered) -> str:
    """Return how the files were read."""
    notes = "\n".join(f"<li>{escape(note)}</li>" for note in answers.scored.notes)
    sure = f"Intervals and bands are for {100 * answers.asked.level:g} %."
    return (
        '<details class="fold" id="read"><summary><h3>How were the files read?</h3> '
        f"<span>{escape(object_counts(answers))}</span></summary>\n<ul>{notes}</ul><p>{sure} All "
        f"that is drawn at random follows from the seed {answers.asked.seed}.</p></details>"
    )
