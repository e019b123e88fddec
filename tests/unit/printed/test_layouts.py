"""Layouts that people print, each with the table that is read from it.

The files in `layouts` have one case after another: a line ``%%% name``, the text, a line ``%%%``,
and what is read: headings with meaning and unit, rows with kind and numbers, sizes, questions.
"""

from pathlib import Path
from random import Random

import pytest

from opchar.errors import DataError
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


def damaged(text, chance):
    """Return a text with lines lost, doubled, cut, or with a stray sign."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        place = chance.randrange(len(lines[at]) + 1)
        sign = chance.choice("|,;\t&%()[]-.0 a:=")
        lines[at] = chance.choice([lines[at][:place], lines[at][:place] + sign + lines[at][place:]])
        lines[at:at] = chance.choice([[], [lines[at]], [""]])
    return "\n".join(lines)


def test_damaged_layouts_are_read_or_refused_in_one_line():
    chance = Random(5)
    read = 0
    for case in list(cases()) * 2:
        text = damaged(case.values[0], chance)
        try:
            read_table(text)
            read += 1
        except DataError as error:
            assert "\n" not in str(error), text
    assert read > 100
