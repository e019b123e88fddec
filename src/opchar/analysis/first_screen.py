"""The first screen: the question, the recommended model and threshold, what it does, how sure."""

from __future__ import annotations

from html import escape

import numpy as np

from opchar.analysis.answered import Answered
from opchar.analysis.answers.decision import THOUSAND, Decision, Estimate, Option
from opchar.analysis.numbers import number_text, rule_text, share_text, threshold_text

COLUMNS, STEP = 50, 10
RARE = 0.005
MOST = 3


def first_screen(answers: Answered) -> str:
    """Return the first screen of scores with one positive class, as HTML."""
    found = answers.decision
    if found is None:
        return ""
    parts = [
        f'<p class="question">{escape(question(found))}</p>',
        f"<h1>{escape(headline(found))}</h1>",
        '<div class="decision">',
        f"<div>{_icons(found)}</div>",
        f"<div>{_facts(found, answers.asked.level)}</div>",
        "</div>",
        _list("Which threshold keeps the limits?", kept_limits(answers)),
        _list("How sure is this?", certainty(found)),
        findings_list(answers),
    ]
    return '<section class="first">\n' + "\n".join(part for part in parts if part) + "\n</section>"


def question(found: Decision) -> str:
    """Return what is asked, as a sentence."""
    ratio = found.cost_fn / found.cost_fp
    if ratio == 1:
        price = "a miss costs as much as a false alarm"
    elif ratio > 1:
        price = f"a miss costs {number_text(ratio)} times as much as a false alarm"
    else:
        price = f"a false alarm costs {number_text(1 / ratio)} times as much as a miss"
    known = "" if found.in_use is None else f" ({found.in_use.in_words})"
    which = "which model, and which threshold?" if len(found.options) > 1 else "which threshold?"
    return f"At {share_text(found.prior)} {found.class_phrase}{known}, where {price}: {which}"


def headline(found: Decision) -> str:
    """Return the recommendation; a class and its name stay on one line."""
    best = found.best
    if not found.serves:
        what = "none" if found.without == "accept none" else "all"
        return f"Accept {what} of the objects: no threshold of a model here costs less."
    use = f"Use {best.model}: " if len(found.options) > 1 else ""
    called = found.class_phrase.replace("(class ", "(class\N{NO-BREAK SPACE}")
    sentence = f"{use}{rule_text(best.threshold)} as {called}."
    return sentence[0].upper() + sentence[1:]


def if_used(found: Decision) -> str:
    """Return a condition where numbers are of a threshold that is not recommended, else nothing."""
    best = found.best
    return "" if found.serves or np.isinf(best.threshold) else f"if {best.model} were used"


def _base(found: Decision) -> int:
    return THOUSAND if found.prior >= RARE else 10 * THOUSAND


def counts(found: Decision, option: Option) -> tuple[int, int, int, int]:
    """Return found, missed, false alarms and others among 1,000 objects, or 10,000 of rare ones.

    Examples
    --------
    >>> one = Estimate(1, 1, 1)
    >>> found, alarms = Estimate(18.4, 17, 19), Estimate(12.2, 9, 15)
    >>> option = Option("m", 0.5, one, found, one, alarms, one, 0, 1, 0, 1)
    >>> counts(Decision("ill", 0.02, 1, 5, "accept none", 0.1, (option,), ()), option)
    (18, 2, 12, 968)
    """
    base = _base(found)
    factor = base / THOUSAND
    positives = round(base * found.prior)
    hits = min(round(option.found.value * factor), positives)
    alarms = min(round(option.false_alarms.value * factor), base - positives)
    return hits, positives - hits, alarms, base - positives - alarms


def _icons(found: Decision) -> str:
    """Return an icon array of what happens to the objects, with its legend."""
    base = _base(found)
    numbers = counts(found, found.best)
    kinds = ("found", "missed", "alarm", "right")
    alarms = "false alarm" if numbers[2] == 1 else "false alarms"
    names = ("found", "missed", alarms, f"correctly not called {found.class_phrase}")
    columns = COLUMNS if base == THOUSAND else 2 * COLUMNS
    rows = base // columns
    used = if_used(found) or f"with {found.best.model}"
    paths, start = [], 0
    for kind, number in zip(kinds, numbers, strict=True):
        cells = range(start, start + number)
        spots = "".join(
            f"M{STEP * (cell // rows) + STEP // 2} {STEP * (cell % rows) + STEP // 2}h0"
            for cell in cells
        )
        start += number
        if spots:
            paths.append(f'<path class="{kind}" d="{spots}"/>')
            if kind == "missed":
                paths.append(f'<path class="hole" d="{spots}"/>')
    text = ", ".join(
        f"{number:,} {escape(name)}" for number, name in zip(numbers, names, strict=True)
    )
    legend = "".join(
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><path class="{kind}" d="M5 5h0"/>'
        + ('<path class="hole" d="M5 5h0"/>' if kind == "missed" else "")
        + f"</svg>{number:,} {escape(name)}</li>"
        for kind, number, name in zip(kinds, numbers, names, strict=True)
    )
    return (
        f'<figure class="icons"><figcaption>Of {base:,} objects like these, '
        f'{escape(used)} (rounded)</figcaption><svg viewBox="0 0 {columns * STEP} '
        f'{rows * STEP}" role="img" aria-label="Of {base:,} objects: {text}">{"".join(paths)}</svg>'
        f'<ul class="legend">{legend}</ul></figure>'
    )


def _facts(found: Decision, level: float) -> str:
    """Return the numbers of the recommendation with their intervals, as a table."""
    best, base = found.best, _base(found)
    factor = base / THOUSAND
    of = f"of {base:,}"
    rows: list[tuple[str, Estimate, str]] = [
        (f"Found, {of}", best.found.times(factor), ""),
        (f"Missed, {of}", best.missed.times(factor), ""),
        (f"False alarms, {of}", best.false_alarms.times(factor), ""),
        (f"Precision: share of {found.class_phrase} among the accepted", best.precision, "share"),
        (f"Cost of {base:,} objects, in the unit of the costs", best.cost.times(base), ""),
        (f"Saved of the cost of doing without a model ({found.without})", found.saved, "share"),
    ]
    used = if_used(found)
    whose = f"What would happen {used}. " if used else ""
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{_text(each.value, unit)}</td>'
        f"<td>{_ends(each, unit)}</td></tr>"
        for name, each, unit in rows
    )
    return (
        '<div class="scroll"><table class="facts"><caption class="hidden">What the best '
        'model does</caption><thead><tr><td></td><th scope="col">estimate</th><th scope="col">'
        f"interval, {100 * level:g} %</th></tr></thead><tbody>{body}</tbody></table></div>"
        f'<p class="aside">{escape(whose)}Judged on folds that thresholds were not chosen on.</p>'
    )


def _ends(found: Estimate, unit: str) -> str:
    ends = f"{_text(found.low, unit)} to {_text(found.high, unit)}"
    return ends if np.isfinite(found.value) else "–"


def _text(value: float, unit: str) -> str:
    if unit == "share":
        return share_text(value)
    return f"{value:,.1f}".replace("-", "−")


def certainty(found: Decision) -> list[str]:
    """Return how sure the choice of model and of threshold is, a sentence each."""
    best, sentences = found.best, []
    for rival in found.rivals[:3]:
        ends = f"{number_text(1000 * rival.more.low)} to {number_text(1000 * rival.more.high)}"
        more = (
            f"{number_text(abs(1000 * rival.more.value))} more for 1,000 objects ({ends}), in the "
            "unit of the costs"
        )
        if rival.sure:
            sentences.append(f"Model: {rival.model} costs {more}. The choice is clear.")
        else:
            sentences.append(
                f"Model: the choice between {best.model} and {rival.model} is not sure; the latter "
                f"costs {more}."
            )
    low, high = threshold_text(best.threshold_low), threshold_text(best.threshold_high)
    same = low if np.isfinite(best.threshold_low) else f"to {low}"
    chosen = same if low == high else f"between {low} and {high}"
    sentences.append(f"Threshold: on other samples of this size the rule would choose {chosen}.")
    low, high = threshold_text(best.lowest), threshold_text(best.highest)
    sentences.append(
        f"Cost: no threshold from {low} to {high} costs distinguishably more."
        if best.lowest < best.highest
        else "Cost: every other threshold costs more, by more than chance."
    )
    return sentences


def kept_limits(answers: Answered) -> list[str]:
    """Return which threshold of the recommended model keeps the limits that are asked for."""
    if answers.decision is None or "promises" not in answers.tables:
        return []
    best, table, sentences = answers.decision.best.model, answers.tables["promises"], []
    for row in table[table["model"] == best].to_dict("records"):
        if row["kept"] and np.isneginf(row["threshold"]):
            sentences.append(
                f"Limit, {row['limits']}: kept with {100 * answers.asked.level:g} % confidence "
                "only by accepting all objects."
            )
        elif row["kept"]:
            sentences.append(
                f"Limit: {rule_text(row['threshold'])} for {row['limits']}, with "
                f"{100 * answers.asked.level:g} % confidence; {share_text(row['found'])} of the "
                f"positives are found, and {share_text(row['alerts'])} of all objects accepted."
            )
        else:
            sentences.append(f"Limit, {row['limits']}: {row['why not']}.")
    return sentences


def _list(title: str, texts: list[str]) -> str:
    if not texts:
        return ""
    items = "".join(f"<li>{_unbroken(text)}</li>" for text in texts)
    return f'<h2 class="plain">{title}</h2><ul class="plainly">{items}</ul>'


def _unbroken(text: str) -> str:
    """Return text as HTML in which no line breaks between a number and its per cent sign."""
    return escape(text).replace(" %", "\N{NO-BREAK SPACE}%")


def findings_list(answers: Answered) -> str:
    """Return what to be careful about, by code."""
    if not answers.findings:
        return '<p class="careful">No problems found.</p>'
    texts = [
        f"<li><strong>{each.code}</strong> {_unbroken(each.text)}</li>" for each in answers.findings
    ]
    items = "".join(texts[:MOST])
    if len(texts) > MOST:
        more = f"<details><summary>{len(texts) - MOST} more</summary>"
        items += f"<li>{more}<ul>{''.join(texts[MOST:])}</ul></details></li>"
    return (
        '<h2 class="plain">Be careful</h2>'
        f'<ul class="standin">{items}</ul><p class="aside"><code>opchar explain '
        f"{answers.findings[0].code}</code> says how it is detected, why it matters and what to "
        "do.</p>"
    )
