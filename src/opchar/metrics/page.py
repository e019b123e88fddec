"""The page of all indices on the documentation site."""

from __future__ import annotations

from opchar.metrics.entry import Index
from opchar.metrics.registry import INDICES

SECTIONS = (
    ("Of counts", "counts"),
    ("Of a whole matrix", "matrix"),
    ("Over several operating conditions", "conditions"),
)


def markdown() -> str:
    """Return the page of indices, one row per index."""
    head = (
        "# Indices of a confusion matrix\n\n"
        "Made from `opchar.metrics.INDICES`. Every index\n"
        "takes counts `tp, fn, fp, tn` (any shapes that broadcast) or matrices `(..., C, C)` with\n"
        "one row per true class; `opchar.metrics.evaluate` computes all of them over a stack, and\n"
        'takes `true_class="columns"` for matrices that are the other way round. The last section\n'
        "has rates and areas at several operating conditions.\n\n"
        "*Prior* says whether an index changes when one class is enlarged while each class keeps\n"
        "its rates. The defaults of beta and alpha are 1 and 1/2, of costs 1; priors are\n"
        "shares of the sample. [conditions.md](conditions.md) says which indices are distorted by\n"
        "class sizes or by the number of classes.\n"
    )
    columns = "| index | symbol | formula | range | prior | 0/0 | source |\n|" + " --- |" * 7
    sections = []
    for title, of in SECTIONS:
        rows = "\n".join(_row(entry) for entry in INDICES if entry.of == of)
        sections.append(f"## {title}\n\n{columns}\n{rows}\n")
    return "\n".join([head, *sections])


def _row(entry: Index) -> str:
    low, high = (f"{bound:g}".replace("inf", "∞") for bound in entry.range)
    cells = [
        f"`{entry.name}`",
        entry.symbol,
        "$" + entry.formula.replace("|", r"\vert ") + "$",
        f"{low} to {high}",
        "depends" if entry.depends_on_prior else "free",
        entry.undefined,
        entry.citation,
    ]
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print(markdown(), end="")
