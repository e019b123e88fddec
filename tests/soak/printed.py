"""Damaged printed tables: refused in one line, or every row that is whole is possible."""

from pathlib import Path
from random import Random

from opchar.printed import Protocol, check, read_table
from soak.mutations import of_table
from soak.trials import Action

HEADINGS = ["method", "accuracy", "recall", "specificity"]
POSITIVES, NEGATIVES = 30, 50


def printed(chance: Random, folder: Path) -> tuple[str, Action]:
    """Return a damaged table of scores as publications print them."""
    right = {f"m{number}": _row(chance) for number in range(chance.randint(1, 4))}
    lines = [",".join(HEADINGS), *(",".join([name, *row]) for name, row in right.items())]
    text = of_table("\n".join(lines), chance)

    def look() -> str:
        protocol = Protocol(positives=POSITIVES, negatives=NEGATIVES, seconds=2.0)
        table = read_table(text)
        answers = check(table, protocol)
        given = text.split("\n")
        whole = {
            name for name, line in zip(right, lines[1:], strict=True) if given.count(line) == 1
        }
        if given[0] != lines[0] or "percent" in table.units.values():
            return ""  # another table
        names = [line.split(",")[0] for line in given]
        for name in whole:
            if names.count(name) == 1 and answers[name].status != "possible":
                return f"{name}: {answers[name].status}"
        return ""

    return f"printed: {text[:400]!r}", look


def _row(chance: Random) -> list[str]:
    """Return three scores of a confusion matrix as they are printed."""
    tp, tn = chance.randint(0, POSITIVES), chance.randint(0, NEGATIVES)
    values = (tp + tn) / (POSITIVES + NEGATIVES), tp / POSITIVES, tn / NEGATIVES
    return [f"{value:.3f}" for value in values]
