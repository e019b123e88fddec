"""Searches for class weights under costs (Secs. 4.2.4 to 4.2.6)."""

import pandas as pd

from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def same_weights(measured: Measurements) -> Measurements:
    """Remove the effect of the weights: equal ones on both sides."""

    def equal(table: pd.DataFrame) -> pd.DataFrame:
        kept = table[table["series"] == "equal weights"]
        return pd.concat([kept, kept.assign(series="Pairs")], ignore_index=True)

    return measured.with_frame("assigned", equal)


@statement("0398")
def losses_are_in_order(measured: Measurements, *, close: float = 0.1) -> Finding:
    """Ask whether Pairs is slightly below Greedy, both below Naive, and that below Default."""
    loss = measured.frame("example").groupby("algorithm")["loss"].mean()
    pairs, greedy, naive, default = loss[["Pairs", "Greedy", "Naive", "Default"]]
    return conjunction(
        {
            "Pairs loses no more than Greedy": pairs <= greedy,
            "Pairs and Greedy are about equal": pairs > (1 - close) * greedy,
            "Greedy loses less than Naive": greedy < naive,
            "Naive loses less than Default": naive < default,
        },
        f"mean losses: Pairs {pairs:.5f}, Greedy {greedy:.5f}, Naive {naive:.5f}, Default "
        f"{default:.5f}",
    )


@statement("0600", control=Control(same_weights, "equal weights on both sides"))
def boundary_changes(measured: Measurements, *, share: float = 0.01) -> Finding:
    """Ask whether more than a share of the test objects change class with the weights."""
    table = measured.frame("assigned").pivot_table("class", index="object", columns="series")
    changed = float((table["equal weights"] != table["Pairs"]).mean())
    return Finding(changed > share, f"{100 * changed:.1f} % of the test objects change class")
