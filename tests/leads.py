"""Suspected errors of the works, as ``data/published/leads.csv`` decides them."""

from __future__ import annotations

import pandas as pd

from checkout import ROOT

LEADS = pd.read_csv(ROOT / "data/published/leads.csv", dtype=str, keep_default_na=False)


def decide(lead: str, decision: str, evidence: str) -> None:
    """Check that a lead is decided as computed, with the computed evidence.

    Parameters
    ----------
    lead : str
    decision : {"error", "inconsistent", "notation", "correct"}
        False by the work's own definitions; two places of the work contradict each other;
        ambiguous print that holds when read as meant; no error.
    evidence : str
        What the test found, with its numbers.
    """
    row = LEADS.set_index("lead").loc[lead]
    assert (row["decision"], row["evidence"]) == (decision, evidence)
