"""One page of answers in plain words, which needs no server and no other file."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from importlib.resources import files

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from opchar import __version__
from opchar.analysis.answers.limits import ANEW
from opchar.analysis.answers.summary import in_short, number_text, threshold_text
from opchar.analysis.run import SAID, Answers

SHOWN = 30
POINTS = 400
WHOLE = ("areas", "thresholds", "limits", "rejecting", "area-differences", "better", "volumes",
         "weights", "needed")  # fmt: skip
HEADS = {"tpr": "TPR", "fpr": "FPR", "from pc": "from PC(+)", "to pc": "to PC(+)"}
LEFT = ' class="name"'
FIGURES = {
    "four-spaces": "envelopes",
    "differences": "cost-differences",
    "calibration": "calibration",
}
WORDS = {
    "areas": "AUC is the probability that an object of the class has a higher score than another. "
    "AUPREC is the area under precision over recall; it depends on the prior.",
    "thresholds": "Column <em>value</em> is what such thresholds reach on folds that they were not "
    "chosen on, with its interval; <em>optimistic</em> is what they reach on the objects that "
    "they were chosen on: do not report that one. <em>Trivial</em> is the better of accepting all "
    "and none. Costs are those of one object.",
    "envelopes": "Bands hold over all conditions at once. Thin lines are the optimistic figures. "
    "PC(+) weighs the prior with the costs: it is the prior when both errors cost the same.",
    "limits": "Errors are those on folds that the threshold was not chosen on. The <em>promised "
    "threshold</em> keeps the limit for all future objects of the same kind with the level of "
    "the intervals; where it is infinite, there are too few objects to promise anything. " + ANEW,
    "calibration": "Ten groups of equal size a model; bars are intervals.",
    "rejecting": "Objects whose largest posterior is below the threshold are rejected; errors are "
    "those of the others.",
    "area-differences": "DeLong's test on the same objects; the last column is adjusted for the "
    "number of pairs.",
    "cost-differences": "Both models with thresholds chosen on other folds. The light band holds "
    "for all pairs and all conditions at once; the dark one for each condition alone.",
    "better": "Where the band for all pairs and conditions lies on one side of zero. PC(+) is the "
    "prior of the class when both errors cost the same.",
    "volumes": "VUS is one for perfect and 1/C! for random order.",
    "weights": "Scores are multiplied with class weights. <em>With weights</em> is judged on folds "
    "that the weights were not chosen on; <em>no weights below</em> is proven for these objects.",
    "needed": "A statement is empty when its interval holds what no information would give. How "
    "many objects it takes is a guess from the width of the interval.",
}


def page(answers: Answers, drawn: dict[str, str]) -> str:
    """Return the page.

    Parameters
    ----------
    answers : Answers
    drawn : dict of str to str
        Figures by name, as SVG.
    """
    scored, asked = answers.scored, answers.asked
    folder = files("opchar") / "report" / "templates"
    style = (folder / "style.css").read_text(encoding="utf-8")
    # The numbers are those of the explorer of the report.
    parts = (folder / "explorer" / "two-classes.js", files("opchar") / "analysis" / "explorer.js")
    script = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    models = ", ".join(scored.models)
    sizes = np.bincount(scored.y)
    counts = ", ".join(f"{n} {escape(c)}" for c, n in zip(scored.classes, sizes, strict=True))
    shown = [
        f"<h1>What the scores of {escape(models)} say</h1>",
        f'<p class="lead">{len(scored.y)} rows: {counts}.{_positive(answers)} Intervals and bands '
        f"are for {100 * asked.level:g} %.</p>",
        _list("How the files were read", list(scored.notes), plain=True),
        _list("Before you read on", answers.cautions)
        or "<h2>Before you read on</h2>\n<p>Nothing to warn of was found.</p>",
        _list("In short", in_short(answers), plain=True),
        _explorer(answers),
        *(_section(answers, name, drawn) for name in SAID if name in answers.tables),
    ]
    data = json.dumps(_explored(answers), separators=(",", ":")).replace("<", "\\u003c")
    return _LAYOUT.format(
        title=escape(models),
        style=style,
        content="\n".join(part for part in shown if part),
        version=escape(__version__),
        data=data,
        script=script,
    )


_LAYOUT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · OpChar</title>
<link rel="icon" href="data:,">
<style>
{style}
ul.standin {{ padding-left: 2rem; }}
.explorer label {{ display: block; margin: .3rem 0; }}
.explorer input {{ width: min(24rem, 100%); vertical-align: middle; }}
.explorer output {{ font-variant-numeric: tabular-nums; }}
</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<main id="content" tabindex="-1">
{content}
</main>
<footer class="site"><p>Made by OpChar {version}.</p></footer>
<script type="application/json" id="explorer-data">{data}</script>
<script>
{script}
</script>
</body>
</html>
"""


def _positive(answers: Answers) -> str:
    if "thresholds" not in answers.tables:
        return " Each class is set against the rest."
    name = escape(answers.scored.classes[answers.scored.positive])
    rest = "" if len(answers.scored.classes) == 2 else " against the rest"
    return f" The positive class is <strong>{name}</strong>{rest}."


def _list(title: str, texts: list[str], *, plain: bool = False) -> str:
    if not texts:
        return ""
    items = "\n".join(f"<li>{escape(text)}</li>" for text in texts)
    mark = "" if plain else ' class="standin"'
    return f"<h2>{title}</h2>\n<ul{mark}>\n{items}\n</ul>"


def _explorer(answers: Answers) -> str:
    """Return the part in which a reader moves priors, costs and alpha."""
    if "thresholds" not in answers.tables:
        return ""
    prior = float(answers.scored.is_positive.mean())
    ratio = answers.asked.cost[1] / answers.asked.cost[0]
    sliders = (
        ("prior", "Prior of the positive class", -4.0, -0.0045, np.log10(prior), 0.005),
        ("ratio", "Cost of a miss over that of a false alarm", -3.0, 3.0, np.log10(ratio), 0.01),
        ("alpha", "Weight of precision in F", 0.0, 1.0, answers.asked.alphas[0], 0.01),
    )
    rows = "\n".join(
        f'<label>{text}: <output id="{name}-said"></output><br><input type="range" id="{name}" '
        f'min="{low}" max="{high}" step="{step}" value="{value:.4f}"></label>'
        for name, text, low, high, value, step in sliders
    )
    return (
        '<h2>Try other conditions</h2>\n<div class="explorer" hidden>\n'
        f"{rows}\n"
        '<p class="aside">Chosen and judged on the same objects, so optimistic.</p>\n'
        '<div class="scroll"><table class="numbers"><thead><tr>'
        '<th class="name">model</th><th class="name">aim</th>'
        "<th>threshold</th><th>value</th><th>TPR</th><th>FPR</th></tr></thead>"
        '<tbody id="explored"></tbody></table></div>\n</div>'
    )


def _explored(answers: Answers) -> dict[str, list[list[float | str]]]:
    """Return the points of each model that are best somewhere, for the script."""
    if "every-threshold" not in answers.tables:
        return {}
    table = answers.tables["every-threshold"]
    found = {}
    for model, part in table.groupby("model", sort=False):
        points = part.drop_duplicates(["tpr", "fpr"]).sort_values("fpr").head(POINTS)
        found[str(model)] = [
            [_threshold(threshold), round(float(tpr), 9), round(float(fpr), 9)]
            for threshold, tpr, fpr in points[["threshold", "tpr", "fpr"]].to_numpy(dtype=float)
        ]
    return found


def _threshold(value: float) -> float | str:
    number = float(value)
    if np.isinf(number):
        return "accept all" if number < 0 else "accept none"
    return number


def _section(answers: Answers, name: str, drawn: dict[str, str]) -> str:
    """Return the answer to one question."""
    table = answers.tables[name]
    figures = [figure for figure, question in FIGURES.items() if question == name]
    parts = [f'<h2 class="section" id="{name}">{escape(SAID[name])}</h2>']
    if name in WORDS:
        parts.append(f'<p class="aside">{WORDS[name]}</p>')
    for figure in figures:
        if figure in drawn:
            coded = b64encode(drawn[figure].encode()).decode()
            parts.append(
                f'<figure><img alt="{escape(SAID[name])}" src="data:image/svg+xml;base64,{coded}">'
                f'<figcaption><a href="{figure}.pdf">PDF</a>, <a href="{figure}.png">PNG</a>'
                "</figcaption></figure>"
            )
    if name == "better" and table.empty:
        parts.append("<p>Nowhere: the band holds zero at all conditions, for all pairs.</p>")
    elif name in WHOLE:
        parts.append(_table(table.head(SHOWN), SAID[name]))
    hidden = len(table) - SHOWN if name in WHOLE else len(table)
    counted = f"{hidden} more rows" if name in WHOLE else f"{hidden} rows"
    more = f" ({counted})" if hidden > 0 else ""
    parts.append(f'<p class="aside"><a href="{name}.csv">{name}.csv</a>{more}</p>')
    return "\n".join(parts)


def _table(table: pd.DataFrame, caption: str) -> str:
    head = "".join(
        f'<th scope="col"{"" if is_numeric_dtype(table[name]) else LEFT}>'
        f"{escape(HEADS.get(str(name), str(name)))}</th>"
        for name in table.columns
    )
    rows = "\n".join(
        "<tr>" + "".join(map(_cell, table.columns, row)) + "</tr>"
        for row in table.itertuples(index=False)
    )
    return (
        f'<div class="scroll"><table class="numbers"><caption class="hidden">{escape(caption)}'
        f"</caption><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(column: object, value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, float | np.floating):
        text = threshold_text if "threshold" in str(column) else number_text
        return f'<td class="number">{text(float(value))}</td>'
    if isinstance(value, int | np.integer):
        return f'<td class="number">{value}</td>'
    return f'<td class="name">{escape(str(value))}</td>'
