"""Tables of scores as people have them, and what every reader must take them for."""

import csv
import io
import json
from pathlib import Path

import numpy as np

CASES = json.loads(Path(__file__).with_name("reader_cases.json").read_text(encoding="utf-8"))
# By text: classes, the positive one, and scores by model (of the positive class).
READ: dict[str, tuple[list[str], str, dict[str, list[float]]]] = {
    text: tuple(case) for text, *case in CASES["read"]
}
# By text: what is said, whatever comes before and after it.
REFUSED: dict[str, str] = CASES["refused"]

# How people write a number, of the number to two places and the whole one.
_HANDS = {
    "plain": lambda x: f"{x:.2f}",
    "comma": lambda x: f"{x:.2f}".replace(".", ","),
    "percent": lambda x: f"{x:.2f} %",
    "percent, comma": lambda x: f"{x:.2f}%".replace(".", ","),
    "thousands": lambda x: f"{x:,.2f}",
    "thousands, whole": lambda x: f"{x:,.0f}",
    "points": lambda x: f"{x:,.2f}".translate(str.maketrans(",.", ".,")),
    "blanks": lambda x: f"{x:,.2f}".replace(",", "\u00a0"),
    "apostrophes": lambda x: f"{x:,.2f}".replace(",", "'"),
    "minus": lambda x: f"{x:.2f}".replace("-", "\u2212"),
}


def random_tables(count: int) -> dict[str, list[float] | None]:
    """Return tables as many hands write them, with their numbers; None where two hands mix."""
    rng = np.random.default_rng(7)
    found: dict[str, list[float] | None] = {}
    for _ in range(count):
        hand, other = rng.choice(list(_HANDS), 2)
        numbers = np.round(rng.normal(size=6) * 10.0 ** rng.integers(0, 5), 2) + 0.0
        cells = [_HANDS[hand](x) for x in numbers]
        mixed = hand != other and rng.random() < 0.3
        cells[-1] = _HANDS[other](numbers[-1]) if mixed else cells[-1]
        lines = io.StringIO()
        mark = str(rng.choice([",", ";", "\t", "|"]))
        rows = csv.writer(lines, delimiter=mark, quoting=int(rng.integers(2)))
        names = [str(rng.choice(["True class", "ACTUAL", "y"])), "model A"]
        rows.writerows([names, *([k % 2, cell] for k, cell in enumerate(cells))])
        kept = np.round(numbers) if hand == "thousands, whole" else numbers
        values = (kept / 100 if hand.startswith("percent") else kept).tolist()
        found[lines.getvalue()] = None if mixed else values
    return found
