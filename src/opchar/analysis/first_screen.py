"""The first screen: the question, the recommended model and threshold, what it does, how sure."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd

from opchar import __version__
from opchar.analysis.answered import Answered
from opchar.analysis.answers.decision import ROUNDING, THOUSAND, Decision, Estimate, Option
from opchar.analysis.answers.summary import in_short
from opchar.analysis.findings import KINDS, Finding
from opchar.analysis.in_use_lines import group_lines, in_use_lines, more_text
from opchar.analysis.kept_limits import kept_limits
from opchar.analysis.numbers import (
    class_text,
    count_text,
    interval_text,
    number_text,
    quoted_threshold,
    rule_text,
    share_text,
    threshold_text,
)
from opchar.analysis.pictures import pictures
from opchar.pages import day_made

COLUMNS, MORE_COLUMNS, STEP, MOST_ICONS = 50, 125, 10, 10_000
MOST = 3
HELD_OUT = "Estimated on held-out folds. A recount of these scores at one threshold is optimistic."
KNOWN = "Known without a model."
# Classes whose objects are counted one by one.
MANY = 4


def first_screen(answers: Answered) -> str:
    """Return the first screen of scores with one positive class, as HTML."""
    found = answers.decision
    if found is None:
        return ""
    parts = [
        source_line(answers),
        f'<p class="question">{escape(question(found))}</p>',
        f"<h1>{unbroken(headline(found))}</h1>",
        '<div class="decision">',
        f"<div>{_icons(found)}</div>",
        f"<div>{_facts(found, answers.asked.level)}</div>",
        "</div>",
        _list("Which threshold keeps the limits?", kept_limits(answers)),
        _list("What does the threshold in use do?", in_use_lines(answers)),
        _list("How do the groups differ?", group_lines(answers)),
        _list("How sure is this?", certainty(found, answers.asked.level)),
        findings_list(answers),
        pictures(answers),
    ]
    return '<section class="first">\n' + "\n".join(part for part in parts if part) + "\n</section>"


def source_line(answers: Answered) -> str:
    """Return files, numbers of objects, version and day, as HTML."""
    made = f"OpChar {__version__}, {day_made()}"
    text = f"{answers.scored.source}: {object_counts(answers)} {made}."
    return f'<p class="source">{escape(text)}</p>'


def object_counts(answers: Answered) -> str:
    """Return how many rows there are, and of which class."""
    scored = answers.scored
    sizes = scored.sizes
    shown = list(range(len(sizes)))
    if len(sizes) > MANY:
        shown = [int(sizes.argmin()), int(sizes.argmax())]
    counts = (", " if len(sizes) <= MANY else " to ").join(
        f"{sizes[index]:,} {_possessive(scored.classes[index])}" for index in shown
    )
    return f"{sizes.sum():,} rows: {counts}."


def _possessive(name: str) -> str:
    text = class_text(name)
    return name if text == name else f"of {text}"


def answer_lines(answers: Answered) -> list[str]:
    """Return the main answers as lines of text, findings first."""
    lines = [f"! {caution}" for caution in answers.cautions]
    if answers.decision is not None:
        lines += decision_lines(answers)
    areas = answers.tables["areas"] if "areas" in answers.tables else pd.DataFrame()
    ranked = [
        f"{row['model']}, {class_text(row['class'])}: AUC {interval_text(row)}"
        for row in areas.to_dict("records")
        if row["measure"] == "AUC"
    ]
    rest = in_short(answers)
    return lines + (rest + ranked if answers.decision is None else ranked + rest)


def decision_lines(answers: Answered) -> list[str]:
    """Return question, recommendation and what it does as lines of text."""
    found = answers.decision
    if found is None:
        return []
    hits, missed, alarms, others = counts(found, found.advice)
    whole, saved = hits + missed + alarms + others, found.saved
    unit = _unit(found) or ", in your unit of cost"
    of_cost = f" ({_ends(saved, 'share')})" if found.serves else ""
    effects = [
        f"Of {whole:,} objects: {hits:,} {found.class_phrase} found, {missed:,} missed, "
        f"{count_text(alarms, 'false alarm')}; precision "
        f"{share_text(found.advice.precision.value)}.",
        f"Cost of {whole:,} objects, not rounded{unit}: {_cost(found)}.",
        f"Cost saved compared with no model ({found.without}): {share_text(saved.value)}{of_cost}.",
        HELD_OUT if found.serves else KNOWN,
    ]
    lines = [*effects, *kept_limits(answers), *in_use_lines(answers)]
    lines += [*group_lines(answers), *certainty(found, answers.asked.level)]
    return [question(found), *(f"  {line}" for line in [headline(found), *lines])]


def _cost(found: Decision) -> str:
    """Return the cost of the objects of the decision, with its interval where a model is used."""
    cost = found.advice.cost.times(found.base)
    return _text(cost.value, "") + (f" ({_ends(cost, '')})" if found.serves else "")


def question(found: Decision) -> str:
    """Return what is asked, as a sentence."""
    ratio = found.cost_fn / found.cost_fp
    if found.each_object is not None:
        price = (
            f"each object has its own costs (on average {number_text(found.cost_fp)} for a false "
            f"alarm and {number_text(found.cost_fn)} for a miss)"
        )
    elif ratio == 1:
        price = "a miss costs as much as a false alarm"
    elif ratio > 1:
        price = f"a miss costs {number_text(ratio)} times as much as a false alarm"
    else:
        price = f"a false alarm costs {number_text(1 / ratio)} times as much as a miss"
    default = "" if found.stated else " (the default, as no costs were given)"
    known = "" if found.in_use is None else f" ({found.in_use.in_words})"
    which = "which model, and which threshold?" if len(found.options) > 1 else "which threshold?"
    return (
        f"At {share_text(found.prior)} {found.class_phrase}{known}, where {price}{default}: {which}"
    )


def headline(found: Decision) -> str:
    """Return the recommendation; a class and its name stay on one line."""
    best, doubt = found.best, ""
    if found.in_use is not None and found.in_use.is_refuted:
        at = share_text(found.prior)
        doubt = f"The share in use is not known (OPC043). If it were {at}: "
    if not found.serves:
        what = "none" if found.without == "accept none" else "all"
        advice = f"Accept {what} of the objects: on held-out folds, no model costs less."
        return doubt + (f"a{advice[1:]}" if doubt else advice)
    unsure = [rival.model for rival in found.rivals if not rival.sure]
    use = ""
    if unsure:
        others = f"{len(unsure)} others" if len(unsure) > 2 else " or ".join(unsure)
        use = f"Use {best.model} or {others} (no clear difference). With {best.model}: "
    elif len(found.options) > 1:
        use = f"Use {best.model}: "
    called = found.class_phrase.replace("(class ", "(class\N{NO-BREAK SPACE}")
    sentence = f"{use}{rule_text(best.threshold)} as {called}."
    first = sentence[0].lower() if doubt else sentence[0].upper()
    return f"{doubt}{first}{sentence[1:]}"


def counts(found: Decision, option: Option) -> tuple[int, int, int, int]:
    """Return found, missed, false alarms and others among the objects of the decision."""
    base = found.base
    factor = base / THOUSAND
    positives = round(base * found.prior)
    hits = min(round(option.found.value * factor), positives)
    alarms = min(round(option.false_alarms.value * factor), base - positives)
    return hits, positives - hits, alarms, base - positives - alarms


def _icons(found: Decision) -> str:
    """Return an icon array with its legend; lines have a length, or PDF loses squares."""
    if (base := found.base) > MOST_ICONS:
        return ""
    numbers = counts(found, found.advice)
    kinds = ("found", "missed", "alarm", "right")
    alarms = "false alarm" if numbers[2] == 1 else "false alarms"
    names = ("found", "missed", alarms, "correctly cleared")
    columns = COLUMNS if base == THOUSAND else MORE_COLUMNS
    rows = base // columns
    used = f"with {found.best.model}" if len(found.options) > 1 else "at this threshold"
    used = used if found.serves else found.without
    paths, start = [], 0
    for kind, number in zip(kinds, numbers, strict=True):
        cells = range(start, start + number)
        spots = "".join(
            f"M{STEP * (cell // rows) + STEP // 2} {STEP * (cell % rows) + STEP // 2}h.1"
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
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><path class="{kind}" d="M5 5h.1"/>'
        + ('<path class="hole" d="M5 5h.1"/>' if kind == "missed" else "")
        + f"</svg>{number:,} {escape(name)}</li>"
        for kind, number, name in zip(kinds, numbers, names, strict=True)
    )
    return (
        f'<figure class="icons"><figcaption>Of {base:,} objects, {share_text(found.prior)} '
        f"{escape(found.class_phrase)}, {escape(used)} (rounded)</figcaption>"
        f'<svg viewBox="0 0 {columns * STEP} {rows * STEP}" role="img" '
        f'aria-label="Of {base:,} objects: {text}">{"".join(paths)}</svg>'
        f'<ul class="legend">{legend}</ul></figure>'
    )


def _facts(found: Decision, level: float) -> str:
    """Return the numbers of the recommendation with their intervals, as a table.

    Counts are whole, as in the dots.
    """
    advised, base = found.advice, found.base
    factor = base / THOUSAND
    hits, missed, alarms, _ = counts(found, advised)
    rows: list[tuple[str, str, Estimate, str]] = [
        (f"Found, of {base:,}", f"{hits:,}", advised.found.times(factor), "count"),
        (f"Missed, of {base:,}", f"{missed:,}", advised.missed.times(factor), "count"),
        (f"False alarms, of {base:,}", f"{alarms:,}", advised.false_alarms.times(factor), "count"),
        (f"Precision: share of {found.class_phrase} among the accepted",
         share_text(advised.precision.value), advised.precision, "share"),
        (f"Cost of {base:,} objects{_unit(found) or ', in your unit of cost'}",
         _text(advised.cost.times(base).value, ""), advised.cost.times(base), ""),
        (f"Cost saved compared with no model ({found.without})",
         share_text(found.saved.value), found.saved, "share"),
    ]  # fmt: skip
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{value}</td><td>{_ends(each, unit)}</td></tr>'
        for name, value, each, unit in rows
    )
    return (
        '<div class="scroll"><table class="facts"><caption class="hidden">What the recommendation '
        'does</caption><thead><tr><td></td><th scope="col">estimate</th><th scope="col">'
        f"interval, {100 * level:g} %</th></tr></thead><tbody>{body}</tbody></table></div>"
        f'<p class="aside">{HELD_OUT if found.serves else KNOWN} Counts are rounded, the cost '
        "is not.</p>"
    )


def _ends(found: Estimate, unit: str) -> str:
    ends = f"{_text(found.low, unit)} to {_text(found.high, unit)}"
    return ends if np.isfinite(found.value) else "–"


def _text(value: float, unit: str) -> str:
    if unit == "share":
        return share_text(value)
    if unit == "count":
        return f"{round(value):,}"
    return f"{value:,.1f}".replace("-", "−")


def _unit(found: Decision) -> str:
    """Return what a cost of one is, where it is a false alarm."""
    return "" if found.each_object or found.cost_fp != 1 else " (1 = one false alarm)"


def certainty(found: Decision, level: float) -> list[str]:
    """Return how sure the choice of model and of threshold is, a sentence each."""
    best, sentences = found.best, []
    unit = f" per {found.base:,} objects{_unit(found)}"
    if not found.serves:
        more = found.of_base(best.cost.plus(-found.trivial))
        costs = f"costs {more_text(more)}{unit} on held-out folds"
        if np.isinf(best.threshold):
            costs = f"is not used: its threshold would be to {threshold_text(best.threshold)}"
        return [f"Model: {best.model} {costs}.", *_least_on_sample(found, unit)]
    for rival in found.rivals:
        costs = f"costs {more_text(found.of_base(rival.more))}{unit}"
        if rival.sure:
            sentences.append(f"Model: {rival.model} {costs}. The choice is clear.")
        else:
            sentences.append(
                f"Model: the choice between {best.model} and {rival.model} is not sure; "
                f"{rival.model} {costs}."
            )
    low, high = quoted_threshold(best.threshold_low), quoted_threshold(best.threshold_high)
    chosen = f"a threshold {f'of {low}' if low == high else f'between {low} and {high}'}"
    sentences.append(f"Threshold: {100 * level:g} % of samples of this size would give {chosen}.")
    low, high = quoted_threshold(best.lowest), quoted_threshold(best.highest)
    dearest = f"the dearest costs {number_text(found.base * best.range_more)} more than it{unit}"
    same = best.range_more <= ROUNDING
    mean = "" if found.each_object is None else "at mean costs, "
    if same and best.sample_cost == 0:
        sentences.append(f"Cost: thresholds from {low} to {high} make no error on these scores.")
    elif best.lowest < best.highest:
        sentences.append(
            f"Cost: {mean}the thresholds that do not cost clearly more than the recommended one "
            f"lie between {low} and {high}; "
            f"{'all cost the same' if same else dearest} on these scores. "
            "Others between the two may cost more."
        )
    else:
        sentences.append("Cost: every other threshold costs clearly more.")
    if found.each_object is not None:
        sentences.append(_each_object(found))
    return sentences


def _least_on_sample(found: Decision, unit: str) -> list[str]:
    """Return what a threshold that is chosen on all scores does to the same scores."""
    best = found.best
    less = found.trivial - best.sample_cost
    if found.each_object is not None or not less > ROUNDING * found.trivial:
        return []
    return [
        f"Threshold: on these scores, at or above {threshold_text(best.sample_threshold)} costs "
        f"{number_text(found.base * less)} less{unit}. It was chosen on the same scores, and they "
        "are too few to show that it holds on others."
    ]


def _each_object(found: Decision) -> str:
    each = found.each_object
    if each is None:
        return ""
    clear = "" if each.more.high < 0 or each.more.low > 0 else ", no clear difference"
    return (
        f"Costs: a threshold for each object with {each.model} costs "
        f"{more_text(found.of_base(each.more))} per {found.base:,} objects{clear}; "
        "object-thresholds.csv lists them, and object-costs.csv has the coefficients of the rule."
    )


def _list(title: str, texts: list[str]) -> str:
    if not texts:
        return ""
    items = "".join(f"<li>{unbroken(text)}</li>" for text in texts)
    return f'<h2 class="plain">{title}</h2><ul class="plainly">{items}</ul>'


def unbroken(text: str) -> str:
    """Return text as HTML in which no line breaks between a number and its per cent sign."""
    return escape(text).replace(" %", "\N{NO-BREAK SPACE}%")


def findings_list(answers: Answered) -> str:
    """Return what to be careful about, by code."""
    if not answers.findings:
        return '<p class="careful">No problems found.</p>'
    texts = [_finding_item(each) for each in answers.findings]
    items = "".join(texts[:MOST])
    if len(texts) > MOST:
        more = f"<details><summary>{len(texts) - MOST} more</summary>"
        items += f"<li>{more}<ul>{''.join(texts[MOST:])}</ul></details></li>"
    return f'<h2 class="plain">Be careful</h2><ul class="standin">{items}</ul>'


def _finding_item(found: Finding) -> str:
    kind = KINDS[found.code]
    return (
        f"<li><strong>{found.code}</strong> {unbroken(found.text)}<details><summary>Explain"
        f"</summary><p><strong>{escape(kind.title)}.</strong> {escape(kind.detected)} "
        f"{escape(kind.matters)} {escape(kind.cure)}</p></details></li>"
    )
