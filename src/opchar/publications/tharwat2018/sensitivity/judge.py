"""Which indices change when the negative class grows at equal rates (slides 10 to 32)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from opchar.statements.controls import exchange_columns, exchange_levels
from opchar.statements.measurements import Finding, Measurements
from opchar.study import Control, statement


@statement(
    "0300",
    criterion="""With more negatives at equal rates each of the indices changes on some
        matrix of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "accuracy exchanged with TPR",
        frame="changes",
        column="index",
        first="Acc",
        second="TPR",
    ),
    parameters={"indices": ["Acc", "Err"], "limit": 1e-09},
)
@statement(
    "0303",
    criterion="""With more negatives at equal rates each of the indices changes on some
        matrix of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "precision exchanged with TPR",
        frame="changes",
        column="index",
        first="PPV",
        second="TPR",
    ),
    parameters={"indices": ["PPV", "NPV"], "limit": 1e-09},
)
@statement(
    "0306",
    criterion="""With more negatives at equal rates each of the indices changes on some
        matrix of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "MCC exchanged with YI",
        frame="changes",
        column="index",
        first="MCC",
        second="YI",
    ),
    parameters={"indices": ["MCC"], "limit": 1e-09},
)
@statement(
    "0309",
    criterion="""With more negatives at equal rates each of the indices changes on some
        matrix of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "MK exchanged with YI",
        frame="changes",
        column="index",
        first="MK",
        second="YI",
    ),
    parameters={"indices": ["MK"], "limit": 1e-09},
)
@statement(
    "0313",
    criterion="""With more negatives at equal rates each of the indices changes on some
        matrix of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "OP exchanged with BCR",
        frame="changes",
        column="index",
        first="OP",
        second="BCR",
    ),
    parameters={"indices": ["OP"], "limit": 1e-09},
)
@statement(
    "0314",
    criterion="""With more negatives at equal rates each of the indices changes on some
        matrix of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "Jaccard exchanged with TPR",
        frame="changes",
        column="index",
        first="Jaccard",
        second="TPR",
    ),
    parameters={"indices": ["Jaccard"], "limit": 1e-09},
)
def indices_change(measured: Measurements, *, indices: Sequence[str], limit: float) -> Finding:
    """Ask whether each of the indices is sensitive: on some matrix it changes."""
    changes = _changes(measured, indices)
    return Finding(bool((changes > limit).all()), _said(changes))


@statement(
    "0301",
    criterion="""With more negatives at equal rates none of the indices changes on any matrix
        of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "TPR exchanged with precision",
        frame="changes",
        column="index",
        first="TPR",
        second="PPV",
    ),
    parameters={"indices": ["TPR", "TNR"], "limit": 1e-09},
)
@statement(
    "0302",
    criterion="""With more negatives at equal rates none of the indices changes on any matrix
        of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "FPR exchanged with precision",
        frame="changes",
        column="index",
        first="FPR",
        second="PPV",
    ),
    parameters={"indices": ["FPR", "FNR"], "limit": 1e-09},
)
@statement(
    "0304",
    criterion="""With more negatives at equal rates none of the indices changes on any matrix
        of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "LR+ exchanged with precision",
        frame="changes",
        column="index",
        first="LR+",
        second="PPV",
    ),
    parameters={"indices": ["LR+", "LR-"], "limit": 1e-09},
)
@statement(
    "0307",
    criterion="""With more negatives at equal rates none of the indices changes on any matrix
        of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "DP exchanged with MCC",
        frame="changes",
        column="index",
        first="DP",
        second="MCC",
    ),
    parameters={"indices": ["DP"], "limit": 1e-09},
)
@statement(
    "0310",
    criterion="""With more negatives at equal rates none of the indices changes on any matrix
        of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "BCR exchanged with accuracy",
        frame="changes",
        column="index",
        first="BCR",
        second="Acc",
    ),
    parameters={"indices": ["BCR", "BER"], "limit": 1e-09},
)
@statement(
    "0311",
    criterion="""With more negatives at equal rates none of the indices changes on any matrix
        of the grid.""",
    decided="undated",
    control=Control(
        exchange_levels,
        "GM exchanged with AGM",
        frame="changes",
        column="index",
        first="GM",
        second="AGM",
    ),
    parameters={"indices": ["GM"], "limit": 1e-09},
)
def indices_stay(measured: Measurements, *, indices: Sequence[str], limit: float) -> Finding:
    """Ask whether none of the indices is sensitive: on no matrix it changes."""
    changes = _changes(measured, indices)
    return Finding(bool((changes <= limit).all()), _said(changes))


@statement(
    "0305",
    criterion="""With more negatives at equal rates YI changes on no matrix of the grid, and
        on none it lies outside [0, 1].""",
    decided="undated",
    control=Control(
        exchange_levels,
        "YI exchanged with MCC",
        frame="changes",
        column="index",
        first="YI",
        second="MCC",
    ),
)
def youden_stays_and_lies_between_zero_and_one(
    measured: Measurements, *, limit: float = 1e-09
) -> Finding:
    """Ask whether YI is not sensitive, and ranges from zero to one."""
    row = _table(measured).loc["YI"]
    inside = row["least"] >= 0 and row["most"] <= 1
    return Finding(
        bool(row["largest change"] <= limit and inside),
        f"largest change {row['largest change']:.1e}; values from {row['least']:.2f} to "
        f"{row['most']:.2f}",
    )


@statement(
    "0308",
    criterion="""With more negatives at equal rates F changes on some matrix of the grid, and
        on every one it has the value of the printed form.""",
    decided="undated",
    control=Control(
        exchange_columns,
        "the negative class is not enlarged",
        frame="f under alpha",
        first="by counting",
        second="unchanged",
    ),
)
def f_measure_changes_as_printed(measured: Measurements, *, limit: float = 1e-09) -> Finding:
    """Ask whether F is sensitive, and equals 2TP/(2TP + alpha FP + alpha FN)."""
    table = measured.frame("f under alpha")
    change = (table["by counting"] - table["unchanged"]).abs().max()
    gap = (table["by counting"] - table["as printed"]).abs().max()
    return Finding(
        bool(change > limit and gap <= limit),
        f"largest change {change:.2g}; the printed form is off by up to {gap:.2g}, because FN "
        "belongs to the positives",
    )


@statement(
    "0312",
    criterion="""AGM of the worked example changes when the negatives are ten times as many,
        and by less than every other index that the tutorial calls sensitive.""",
    decided="after",
    control=Control(
        exchange_levels,
        "AGM exchanged with accuracy",
        frame="changes",
        column="index",
        first="AGM",
        second="Acc",
    ),
)
def adjusted_g_mean_changes_least(
    measured: Measurements,
    *,
    others: Sequence[str] = ["Acc", "Err", "PPV", "NPV", "MCC", "F-measure", "MK", "OP", "Jaccard"],
    limit: float = 1e-09,
) -> Finding:
    """Ask whether AGM changes slightly: in the example by less than the other indices."""
    table = _table(measured)
    moved = (table["example after"] - table["example before"]).abs()
    rival = min(others, key=lambda name: float(moved[name]))
    before, after = (float(table[f"example {when}"]["AGM"]) for when in ("before", "after"))
    return Finding(
        bool(limit < moved["AGM"] < moved[rival]),
        f"AGM {before:.5f} to {after:.5f}; the next smallest change is that of {rival}, "
        f"{moved[rival]:.4f}; largest change of AGM over the grid "
        f"{table['largest change']['AGM']:.2f}",
    )


def _table(measured: Measurements) -> pd.DataFrame:
    return measured.frame("changes").set_index("index")


def _changes(measured: Measurements, indices: Sequence[str]) -> pd.Series:
    return _table(measured)["largest change"][list(indices)]


def _said(changes: pd.Series) -> str:
    return "largest change " + ", ".join(f"{name} {value:.2g}" for name, value in changes.items())
