"""Tables of one split, judged as a whole: the rank of the print among our own splits."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal

import numpy as np
import pandas as pd

from opchar.statistics.one_split import splits_as_far
from opchar_reproduction.report.comparison.causes import RARE
from opchar_reproduction.report.comparison.samples import last_digit

CELL = ["artefact", "row", "column"]
COLUMNS = [*CELL, "repeat", "measured"]
# With fewer splits no rank of the print is rare.
LEAST = round(1 / RARE) - 1
NOT = "Not judged as a whole"
STATED = f"{NOT}: the publication states repeats, and their mean varies less than one split"
RESAMPLED = f"{NOT}: ours draws again from one sample, which varies less than new samples"
NOT_KEPT = f"{NOT}: the results keep no single splits of it"
AS_EXPECTED, BEYOND = "as expected of one split", "more than expected of one split"
Lines = pd.DataFrame


def whole_tables(ledger: Lines, repeats: Lines) -> dict[str, list[str]]:
    """Return the judgements of each table of a publication as a whole, by address.

    `repeats`: with `COLUMNS`. Cells on the same data with as many repeats share them. Values that
    the print repeats, and wrong ones, are left out.
    """
    measured: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for *key, value in repeats[[*CELL, "measured"]].itertuples(index=False, name=None):
        measured[tuple(key)].append(value)
    tested = ledger["verdict"].isin(["agrees", "agrees otherwise", "differs"])
    random = ledger[tested & (ledger["z"] != "") & (ledger["apart"] != "repeated")]
    said: dict[str, list[str]] = defaultdict(list)
    stated = random[random["spread"] == "both"]
    for address in dict.fromkeys(stated["paper"] + "/" + stated["artefact"]):
        said[address].append(STATED)
    own = random[(random["spread"] == "ours") & (random["n"] != "")]
    for (paper, data, n), lines in own.groupby(["paper", "data", "n"], sort=False):
        count = int(str(n))
        tables = list(lines.groupby("artefact", sort=False))
        for artefact, part in tables:
            if len(part) > 1:
                said[f"{paper}/{artefact}"].append(_judge(part, measured, count, str(data)))
            if len(tables) > 1 and count >= LEAST:
                about = f"{data}, with the other tables on these splits"
                said[f"{paper}/{artefact}"].append(_judge(lines, measured, count, about))
    return {address: list(dict.fromkeys(texts)) for address, texts in said.items()}


def _judge(
    lines: Lines, measured: Mapping[tuple[str, ...], Sequence[float]], n: int, about: str
) -> str:
    """Return the rank of the print in words, or why it is not ranked."""
    named = lines[CELL].itertuples(index=False, name=None)
    printed = dict(zip(named, lines["published"], strict=True))
    cells = [key for key in printed if key in measured]
    whole = [key for key in cells if len(measured[key]) == n > 1]
    if not whole:
        return RESAMPLED if cells else NOT_KEPT
    numbers = [Decimal(printed[key]) for key in whole]
    ours = [
        np.round(measured[key], -last_digit(number).adjusted())
        for key, number in zip(whole, numbers, strict=True)
    ]
    apart, far = splits_as_far(np.array(numbers, dtype=float), np.column_stack(ours))
    found = (
        f"As a whole ({about}): {apart} of {len(whole)} cells lie beyond two standard errors; "
        f"{far} of our own {n} splits, each taken for the print, have as many"
    )
    if n < LEAST:
        return f"{found}, too few splits to judge ({LEAST} are needed)"
    return f"{found}, {AS_EXPECTED if far >= RARE * n else BEYOND}"
