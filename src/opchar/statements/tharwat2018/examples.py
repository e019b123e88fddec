"""What the worked examples of the tutorial show (slides 36 and 37)."""

from __future__ import annotations

import pandas as pd

from opchar.statements.measurements import Finding, Measurements

BALANCED, ENLARGED = "example-binary", "example-imbalanced"
NAMED = {"Acc", "PPV", "NPV", "Err", "OP", "F-measure", "Jaccard"}


def only_the_named_indices_change(measured: Measurements, *, limit: float) -> Finding:
    """Ask whether seven indices change with the negative class, and the others stay."""
    table = measured.frame("indices")
    shown = table[table["in the example"].astype(bool)]
    values = shown.pivot_table("value", index="index", columns="sample")
    changed = set(values.index[(values[ENLARGED] - values[BALANCED]).abs() > limit])
    return Finding(
        changed == NAMED,
        f"{len(changed)} of {len(values)} indices change: {', '.join(sorted(changed)) or 'none'}",
    )


def without_enlargement(measured: Measurements) -> Measurements:
    """Control: the second sample is the first one again."""

    def repeated(table: pd.DataFrame) -> pd.DataFrame:
        first = table[table["sample"] == BALANCED].set_index("index")["value"]
        return table.assign(value=table["index"].map(first))

    return measured.with_frame("indices", repeated)
