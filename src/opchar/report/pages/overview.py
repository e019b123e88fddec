"""The first screen: what replicates, publication by publication."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
from PIL import Image

from opchar.report.charts.bars import bar
from opchar.report.comparison.summaries import multiple_comparisons
from opchar.report.comparison.verdicts import COMPARED, REPRODUCED
from opchar.report.pages.chapters import Chapter
from opchar.report.pages.content import Content
from opchar.report.pages.parts.lines import Homes, counts
from opchar.report.pages.parts.marks import AGAINST

# What kind of evidence a reproduced value is: groups of the bases of `opchar.results.BASES`.
GROUPS = {
    "experiments": ("data", "simulation"),
    "definitions": ("exact",),
}
APART = "inputs, substitutes, illustrations"
PICTURES = 6
PICTURE_WIDTH = 240
FOLDER = "files/thumbnails"


def groups(ledger: pd.DataFrame) -> pd.Series:
    """Return for each line the kind of evidence that it is.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `opchar.report.comparison.ledger.build` returns it.

    Returns
    -------
    pandas.Series of str
        ``experiments`` (compared, and measured on the publication's own data or drawn from
        distributions that it states), ``definitions`` (compared, and follows by arithmetic) or
        `APART`.
    """
    found = pd.Series(APART, index=ledger.index, dtype=object)
    compared = ledger["verdict"].isin(COMPARED)
    for name, bases in GROUPS.items():
        found[compared & ledger["basis"].isin(bases)] = name
    return found


def tally(ledger: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Count what was compared, and what of it replicates.

    Parameters
    ----------
    ledger : pandas.DataFrame
        As `opchar.report.comparison.ledger.build` returns it.

    Returns
    -------
    dict of str to dict of str to int
        For each group of `GROUPS`, ``values`` and ``claims`` that were compared, and
        ``values_do`` and ``claims_do``, those of them that agree or hold.
    """
    kinds = groups(ledger)
    claim, do = ledger["kind"] == "claim", ledger["verdict"].isin(REPRODUCED)
    return {
        name: {
            "values": int(((kinds == name) & ~claim).sum()),
            "values_do": int(((kinds == name) & ~claim & do).sum()),
            "claims": int(((kinds == name) & claim).sum()),
            "claims_do": int(((kinds == name) & claim & do).sum()),
        }
        for name in GROUPS
    }


def publication(
    work: Mapping[Any, Any],
    content: Content,
    chapters: Sequence[Chapter],
    places: Homes,
    said: Homes,
) -> dict[str, Any]:
    """Return what the first page shows of a publication.

    Parameters
    ----------
    work : mapping
        Its row of ``data/published/papers.csv``, with ``short``.
    content : Content
    chapters : sequence of Chapter
        Its pages.
    places, said : mapping
        Address and name of each published label (`opchar.report.pages.chapters`).

    Returns
    -------
    dict
        ``work``, ``bars`` (name, number and drawing of each group), ``tally``, ``sentences``,
        ``worst`` (artefacts with most differences: name, address, number), ``wrong`` (numbers of
        values that are errors, and that contradict another place) and ``chapters``.
    """
    paper = work["paper"]
    ledger = content.ledger[content.ledger["paper"] == paper]
    kinds = groups(ledger)
    sizes = {name: int((kinds == name).sum()) for name in (*GROUPS, APART)}
    longest = max(sizes.values())
    bars = [
        {
            "name": name,
            "size": size,
            "drawing": bar(
                counts(ledger.loc[kinds == name, "verdict"]),
                longest,
                f"ledger.html#work={paper}&group={quote(name)}",
                f"{name} of {work['short']}",
            ),
        }
        for name, size in sizes.items()
        if size
    ]
    experimental = ledger[(kinds == "experiments") & ledger["verdict"].isin(("differs", "fails"))]
    labels = experimental["artefact"].value_counts(sort=False)
    most = sorted(labels.items(), key=lambda item: -item[1])[:3]
    verdicts = Counter(ledger["verdict"])
    chance = multiple_comparisons(content.ledger)
    own = chance[(chance["level"] == "work") & (chance["paper"] == paper)]
    return {
        "work": work,
        "bars": bars,
        "tally": tally(ledger),
        "significant": int(own["certain"].sum()),
        "worst": [
            {
                "name": said[paper, str(label)],
                "home": places[paper, str(label)],
                "count": int(count),
            }
            for label, count in most
        ],
        "wrong": {name: verdicts.get(name, 0) for name in ("erratum", "inconsistent")},
        "failed": int(((kinds == "experiments") & (ledger["verdict"] == "fails")).sum()),
        "replaced": int((ledger["basis"] == "stand-in").sum()),
        "chapters": chapters,
        "against": sum(verdicts[name] for name in AGAINST),
        "counts": counts(ledger["verdict"]),
    }


def chosen(chapters: Sequence[Chapter], content: Content) -> list[tuple[Chapter, Any]]:
    """Return the figures of a publication that its front shows, at most six.

    Parameters
    ----------
    chapters : sequence of Chapter
        Its pages.
    content : Content

    Returns
    -------
    list of (Chapter, Entry)
        In the order of the publication: first one of each page, then more of the pages in turn;
        of a page those that rest on no substitute data and show most published values.
    """
    own = content.ledger
    replaced = set(
        (own["paper"] + "/" + own["artefact"])[own["basis"].isin(("stand-in", "illustration"))]
    )
    sizes = Counter(own["paper"] + "/" + own["artefact"])

    def worth(entry: Any) -> tuple[bool, int]:
        addresses = [f"{entry.paper}/{label}" for label in entry.labels]
        return any(a in replaced for a in addresses), -sum(sizes[a] for a in addresses)

    queues = [
        [
            (chapter, entry)
            for entry in sorted(chapter.entries, key=worth)
            if "png" in content.figures.get(entry.address, {})
        ]
        for chapter in chapters
    ]
    picked: list[tuple[Chapter, Any]] = []
    while any(queues) and len(picked) < PICTURES:
        for queue in queues:
            if queue and len(picked) < PICTURES:
                picked.append(queue.pop(0))
    places = {entry.address: n for n, e in enumerate(chapters) for entry in e.entries}
    order = [entry.address for chapter in chapters for entry in chapter.entries]
    return sorted(picked, key=lambda pair: (places[pair[1].address], order.index(pair[1].address)))


def thumbnails(chapters: Sequence[Chapter], content: Content, folder: Path) -> list[dict[str, Any]]:
    """Write small pictures of the figures that the front shows.

    Returns
    -------
    list of dict
        ``src``, ``width``, ``height``, ``home`` and ``name`` of each.
    """
    found = []
    for chapter, entry in chosen(chapters, content):
        source = content.figures[entry.address]["png"]
        place = f"{FOLDER}/{entry.paper}-{entry.label}.webp"
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        with Image.open(source) as image:
            width, height = image.size
            height = max(1, round(height * PICTURE_WIDTH / width))
            small = image.convert("RGB").resize((PICTURE_WIDTH, height), Image.Resampling.LANCZOS)
            small.save(folder / place, quality=75, method=6)
        found.append(
            {
                "src": place,
                "width": PICTURE_WIDTH,
                "height": height,
                "home": f"{chapter.page}.html#{entry.label}",
                "name": f"{entry.name}: {entry.title}" if entry.title else entry.name,
            }
        )
    return found


def short_title(work: Mapping[Any, Any]) -> str:
    """Return authors and year of a publication.

    Examples
    --------
    >>> short_title({"authors": "Ann B. Lee; Bo Chi; Di Eng", "year": "2020"})
    'Lee et al. (2020)'
    >>> short_title({"authors": "Ann B. Lee; Bo Chi", "year": "2020"})
    'Lee and Chi (2020)'
    """
    names = [name.split()[-1] for name in str(work["authors"]).split("; ")]
    joined = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{joined} ({work['year']})"
