"""The first screen: what replicates, publication by publication."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any
from urllib.parse import quote

import pandas as pd

from opchar_reproduction.report.comparison.outcomes import (
    count_outcomes,
    details,
    evidence,
)
from opchar_reproduction.report.content import Content
from opchar_reproduction.report.drawing import draw
from opchar_reproduction.report.explorer.tables import opening_place
from opchar_reproduction.report.marks import AGAINST, shown_verdict
from opchar_reproduction.report.pages.chapters import Chapter
from opchar_reproduction.report.pages.explorer_page import with_model_in_words
from opchar_reproduction.report.pages.parts.items import Picture
from opchar_reproduction.report.pages.parts.lines import Homes, counts

PICTURE_WIDTH = 1200
# The bars of a publication, with the words before their numbers.
BARS = {
    ("experiment", "values"): "values from experiments",
    ("experiment", "claims"): "claims about experiments",
    ("formula", "values"): "values from formulas",
    ("formula", "claims"): "claims about formulas",
}


def longest_bar(table: pd.DataFrame) -> int:
    """Return the number of values of the longest bar: the one scale of all bars of the report."""
    tested = table.loc[(table["paper"] != "all") & (table["evidence"] != ""), "tested"]
    return int(tested.max()) if len(tested) else 1


def rows_in_order(counts: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of a tally by publication: as the bars have them, then the untested."""
    kinds = [*BARS, ("", "values"), ("", "claims")]
    papers = list(counts["paper"].unique())
    return sorted(
        counts.to_dict("records"),
        key=lambda row: (papers.index(row["paper"]), kinds.index((row["evidence"], row["kind"]))),
    )


def teaser(explored: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the operating points that the first page offers, at most a hundred."""
    if not explored.get("two"):
        return None
    table = explored["two"][opening_place(explored)]
    wrong, right = ([0, *accumulate(table[name])] for name in ("fp", "tp"))
    count = min(100, len(wrong))
    indices = [round(k * (len(wrong) - 1) / (count - 1)) for k in range(count)]
    points = [
        (round(wrong[k] / table["negatives"], 4), round(right[k] / table["positives"], 4))
        for k in indices
    ]
    return {"name": f"{table['data']}, {with_model_in_words(table)['model']}", "points": points}


def publication(
    work: Mapping[Any, Any],
    content: Content,
    chapters: Sequence[Chapter],
    addresses: Homes,
    spoken: Homes,
) -> dict[str, Any]:
    """Return the entry of a publication on the first page."""
    paper = work["paper"]
    ledger = content.ledger[content.ledger["paper"] == paper]
    table, longest = content.counts, longest_bar(content.counts)
    found = {pair: count_outcomes(table, paper, *pair) for pair in BARS}
    bars = [
        {
            "said": said,
            "size": found[pair]["tested"],
            "drawing": draw(
                "bar",
                counts=found[pair],
                longest=longest,
                address=f"ledger.html#work={paper}&evidence={quote(' '.join(pair))}",
                what=f"{work['short']}, {said}",
            ),
        }
        for pair, said in BARS.items()
        if found[pair]["tested"]
    ]
    experimental = ledger[(evidence(ledger) == "experiment") & (ledger["outcome"] == "differs")]
    verdicts = Counter(ledger["verdict"])
    marks = Counter(counts(map(shown_verdict, ledger.to_dict("records"))))
    chance = content.chance
    of_paper = chance[(chance["level"] == "work") & (chance["paper"] == paper)]
    return {
        "work": work,
        "bars": bars,
        "found": {"all": count_outcomes(table, paper)} | {" ".join(k): v for k, v in found.items()},
        "untested": details(ledger, "not testable"),
        "significant": int(of_paper["certain"].sum()),
        "worst": [
            {"name": spoken[paper, label], "home": addresses[paper, label], "count": count}
            for label, count in Counter(experimental["artefact"]).most_common(3)
        ],
        "wrong": {name: verdicts.get(name, 0) for name in ("erratum", "inconsistent")},
        "chapters": chapters,
        "against": sum(marks[name] for name in AGAINST),
        "counts": marks,
    }


def lead_figure(chapters: Sequence[Chapter], content: Content) -> tuple[Chapter, Any] | None:
    """Return the figure of a publication that the first page shows."""
    addressed = content.ledger["paper"] + "/" + content.ledger["artefact"]
    replaced = set(addressed[content.ledger["basis"].isin(("stand-in", "illustration"))])
    sizes = Counter(addressed)
    chosen = dict(zip(content.papers["paper"], content.papers["front"], strict=True))

    def worth(pair: tuple[Chapter, Any]) -> tuple[bool, bool, int]:
        entry = pair[1]
        addresses = [f"{entry.paper}/{label}" for label in entry.labels]
        return (
            entry.label != chosen.get(entry.paper),
            any(address in replaced for address in addresses),
            -sum(sizes[address] for address in addresses),
        )

    entries = ((chapter, entry) for chapter in chapters for entry in chapter.entries)
    drawn = [pair for pair in entries if "png" in content.figures.get(pair[1].address, {})]
    return min(drawn, key=worth, default=None)


def picture(chapters: Sequence[Chapter], content: Content, write: Picture) -> dict[str, Any] | None:
    """Let the picture of a publication be written that the first page shows."""
    found = lead_figure(chapters, content)
    if found is None:
        return None
    chapter, entry = found
    name = f"{entry.paper}-{entry.label}"
    shown = write(content.figures[entry.address]["png"], name, PICTURE_WIDTH)
    return shown | {
        "home": f"{chapter.page}.html#{entry.label}",
        "name": f"{entry.name}: {entry.title}" if entry.title else entry.name,
    }


def margin_of_rates(ledger: pd.DataFrame) -> str:
    """Return the margin of a rate as the ledger has it; empty where none was compared."""
    margins = ledger.loc[(ledger["unit"] == "fraction") & (ledger["margin"] != ""), "margin"]
    return str(margins.iloc[0]) if len(margins) else ""
