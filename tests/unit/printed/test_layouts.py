"""Layouts that people print, each with the table that is read from it.

The files in `layouts` have one case after another: a line ``%%% name``, the text, a line ``%%%``,
and what is read: headings with meaning and unit, rows with kind and numbers, sizes, questions.
"""

from pathlib import Path

import pytest

from opchar.printed import read_table

LAYOUTS = Path(__file__).parent / "layouts"


def described(table):
    """Return what was read of a table, as lines."""
    lines = [
        f"{name}: {table.taken[name] or '-'}{' %' * (table.units[name] == 'percent')}"
        for name in table.columns
    ]
    for label, row in table.rows.items():
        cells = []
        for name in table.columns:
            if (value := row.get(name)) is None:
                cells.append(".")
                continue
            text = value.text + (f" ± {value.spread}" if value.spread else "")
            if ends := table.intervals.get((label, name)):
                text += f" [{ends[0].text}, {ends[1].text}]"
            if counts := table.fractions.get((label, name)):
                text += f" {counts[0]}/{counts[1]}"
            cells.append(text)
        kind = table.kinds.get(label, "row")
        lines.append(f"{label} ({kind}) = {' | '.join(cells)}")
    lines += [f"stated {name} {size}" for name, size in sorted(table.stated.items())]
    lines += [f"asked: {name}" for name in table.questions]
    lines += [f"not read: {cell}" for cell in table.unread]
    return lines


def cases():
    """Yield name, text and expected lines of each case."""
    for path in sorted(LAYOUTS.glob("*.txt")):
        for part in path.read_text(encoding="utf-8").split("\n%%% "):
            head, _, expected = part.removeprefix("%%% ").partition("\n%%%\n")
            name, _, text = head.partition("\n")
            yield pytest.param(text, expected.rstrip("\n").split("\n"), id=f"{path.stem}: {name}")


@pytest.mark.parametrize(("text", "expected"), list(cases()))
def test_a_layout_is_read(text, expected):
    assert described(read_table(text)) == expected


def test_there_are_ten_layouts_of_each_kind():
    for path in LAYOUTS.glob("*.txt"):
        assert path.read_text(encoding="utf-8").count("\n%%%\n") >= 10, path.name
