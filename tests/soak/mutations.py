"""Small damages to right inputs: of bytes, of texts, of trees."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

# Texts that have broken readers somewhere.
TEXTS = [
    *["", " ", "\t", "\r", "\x00", "\x1b[31m", "\u202e", "\ufeff", "é", "日本", "💥", "a" * 5000],
    *["nan", "NaN", "NA", "None", "null", "inf", "-inf", "1e999", "1e-400", "-0.0", "0x1p3"],
    *["1_000", "١٢", "1,5", "1.5.2", "true", "-1", "0", "2", "1e3", "99999999999999999999"],
    *["../../etc/passwd", "/dev/zero", "C:\\x", "%s%n", "{0}", "${HOME}", "'", '"', "`id`", "; ls"],
    *["<script>alert(1)</script>", "=1+1", "#", "%", "@data", "@attribute", "---"],
    "!!python/name:os",
]
VALUES: list[Any] = [
    *[None, True, False, 0, -1, 1, 2, 10**12, 10**400, -(10**400), 0.5, -0.0, 1e308, 5e-324],
    *[float("nan"), float("inf"), float("-inf"), [], {}, [[]], [None], {"a": None}, [1, [2]]],
    *[{"1": 1}, {1: 1}, {None: 1}, {True: 2}, ["a", "a"], [0.9, 0.1], [0.1, 0.9, 0.5]],
    *TEXTS,
]


def of_bytes(content: bytes, chance: Random) -> bytes:
    """Return bytes with one to four damages: flipped, cut, doubled, moved, put in, set to zero."""
    found = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        size = len(found)
        place = chance.randrange(size + 1)
        until = min(size, place + chance.choice([1, 2, 8, 64, 1024]))
        match chance.randrange(8):
            case 0 if place < size:
                found[place] ^= 1 << chance.randrange(8)
            case 1:
                del found[place:]
            case 2:
                del found[place:until]
            case 3:
                found[place:place] = found[place:until]
            case 4:
                found[place:place] = chance.randbytes(chance.choice([1, 4, 32]))
            case 5:
                found[place:until] = bytes(until - place)
            case 6:
                found[place:place] = chance.choice(TEXTS).encode()
            case 7 if place < size:
                found[place] = chance.choice(b"\x00\xff\x7f\x80\n,;\"'")
    return bytes(found)


def of_table(text: str, chance: Random, separator: str = ",") -> str:
    """Return a text table with one to three damages to cells, rows or columns."""
    rows = [line.split(separator) for line in text.split("\n")]
    for _ in range(chance.randint(1, 3)):
        row = chance.randrange(len(rows))
        column = chance.randrange(len(rows[row])) if rows[row] else 0
        match chance.randrange(11):
            case 0 | 1 | 2 if rows[row]:
                rows[row][column] = str(chance.choice(VALUES))
            case 3 if rows[0]:
                rows[0][chance.randrange(len(rows[0]))] = chance.choice(TEXTS)
            case 4 if rows[row]:
                del rows[row][column]
            case 5:
                rows[row].insert(column, str(chance.choice(VALUES)))
            case 6 if len(rows) > 1:
                del rows[row]
            case 7:
                rows.insert(row, list(chance.choice(rows)))
            case 8:
                value = str(chance.choice(VALUES))
                for line in rows[1:]:
                    if column < len(line):
                        line[column] = value
            case 9 if rows[0]:
                rows[0][chance.randrange(len(rows[0]))] = chance.choice(rows[0])
            case 10:
                rows = rows[: row + 1]
    return "\n".join(separator.join(line) for line in rows)


def of_tree(tree: Any, chance: Random) -> tuple[Any, str]:
    """Return a copy of nested mappings and lists with one damage, and what was damaged."""
    tree = copy.deepcopy(tree)
    holder, key = chance.choice(places(tree))
    where = f"{key!r}: {holder[key]!r}"[:120]
    return tree, f"{where} {chance.choice(_DAMAGES)(holder, key, chance)}"


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Return every place in a tree as what holds it and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])
    return found


def _replaced(holder: Any, key: Any, chance: Random) -> str:
    holder[key] = copy.deepcopy(chance.choice(VALUES))
    return f"became {holder[key]!r}"[:100]


def _gone(holder: Any, key: Any, chance: Random) -> str:
    del holder[key]
    return "is gone"


def _renamed(holder: Any, key: Any, chance: Random) -> str:
    if not isinstance(holder, dict):
        return _replaced(holder, key, chance)
    new = chance.choice([chance.choice(TEXTS), f"{key}x", str(key)[:-1], 7, None])
    holder[new] = holder.pop(key)
    return f"is called {new!r}"[:100]


def _bent(holder: Any, key: Any, chance: Random) -> str:
    """Change a value by a little: what a slip of the hand makes."""
    value = holder[key]
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return _replaced(holder, key, chance)
    if isinstance(value, int | float):
        holder[key] = chance.choice([-value, value * 10**6, value + 0.5, str(value), [value]])
    else:
        text = str(value)
        place = chance.randrange(len(text) + 1)
        letter = chance.choice(["", "x", " ", "/", ":", ".", "..", "é", "\n"])
        holder[key] = text[:place] + letter + text[place + 1 :]
    return f"became {holder[key]!r}"[:100]


def _wrapped(holder: Any, key: Any, chance: Random) -> str:
    holder[key] = chance.choice([[holder[key]], {"a": holder[key]}, [holder[key]] * 2])
    return "is wrapped"


_DAMAGES: list[Callable[[Any, Any, Random], str]]
_DAMAGES = [_replaced, _gone, _renamed, _bent, _wrapped, _bent]
