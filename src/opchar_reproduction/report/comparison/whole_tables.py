"""Tables of one split, judged as a whole: the rank of the print among our own splits."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from decimal import Decimal

import numpy as np
import pandas as pd

from opchar.statistics.one_split import splits_as_far
from opchar_reproduction.report.comparison.causes import RARE
from opchar_reproduction.report.comparison.samples import last_digit

CELL = ["artefact", "row", "column"]
# With fewer splits no rank of the print is rare.
LEAST = round(1 / RARE) - 1
NOT = "Not judged as a whole"
STATED = f"{NOT}: the publication states repeats, and their mean varies less than one split"
RESAMPLED = f"{NOT}: ours draws again from one sample, which varies less than new samples"
NOT_KEPT = f"{NOT}: the results keep no single splits of it"
AS_EXPECTED, BEYOND = "as expected of one split", "more than expected of one split"
Lines = pd.DataFrame
Repeats = Mapping[str, Mapping[tuple[str, ...], Sequence[float]]]


def whole_tables(ledger: Lines, repeats: Repeats, wanted: Set[str]) -> dict[str, list[str]]:
    """Return the judgements of tables of a publication as a whole, by label.

    `repeats`: of each cell of a table, by label. Cells on the same data with as many repeats share
    them. Values that the print repeats, and wrong ones, are left out.
    """
    tested = ledger["verdict"].isin(["agrees", "agrees otherwise", "differs"])
    random = ledger[tested & (ledger["z"] != "") & (ledger["apart"] != "repeated")]
    said: dict[str, list[str]] = defaultdict(list)
    stated = random[random["spread"] == "both"]
    for label in dict.fromkeys(stated["artefact"]):
        said[label].append(STATED)
    own = random[(random["spread"] == "ours") & (random["n"] != "")]
    for (data, n), lines in own.groupby(["data", "n"], sort=False):
        tables, count = {str(k): v for k, v in lines.groupby("artefact", sort=False)}, int(str(n))
        for label in (label for label in tables if label in wanted):
            if len(tables[label]) > 1:
                said[label].append(_judge(tables[label], repeats, count, str(data)))
            if len(tables) > 1 and count >= LEAST:
                about = f"{data}, with the other tables on these splits"
                said[label].append(_judge(lines, repeats, count, about))
    return {label: list(dict.fromkeys(texts)) for label, texts in said.items()}


def _judge(lines: Lines, repeats: Repeats, n: int, about: str) -> str:
    """Return the rank of the print in words, or why it is not ranked."""
    named = lines[CELL].itertuples(index=False, name=None)
    printed = dict(zip(named, lines["published"], strict=True))
    measured = {key: repeats.get(key[0], {}).get(key, ()) for key in printed}
    cells = [key for key in printed if len(measured[key])]
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
