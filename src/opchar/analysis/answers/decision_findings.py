"""What to be careful about in the decision."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from opchar.analysis.answers.decision import Decision
from opchar.analysis.answers.judging import Judged
from opchar.analysis.findings import Finding
from opchar.analysis.numbers import number_text, share_text


def decision_findings(found: Decision, areas: pd.DataFrame, judged: Judged) -> Iterator[Finding]:
    """Return what to be careful about in the decision."""
    best = found.best
    costs = f"{number_text(best.cost.value)} an object"
    if not found.serves:
        yield Finding(
            "OPC002",
            f"The best model, {best.model}, does not cost less than to {found.without} "
            f"({costs}, {number_text(found.trivial)}).",
        )
    elif best.cost.high >= found.trivial:
        yield Finding(
            "OPC003",
            f"{best.model} costs {costs} ({number_text(best.cost.low)} to "
            f"{number_text(best.cost.high)}); to {found.without} costs "
            f"{number_text(found.trivial)}.",
        )
    unsure = [rival.model for rival in found.rivals if not rival.sure]
    if unsure and found.serves:
        yield Finding(
            "OPC004", f"{best.model} and {', '.join(unsure)} have no clear difference in cost here."
        )
    area_of = areas[areas["measure"] == "AUC"].set_index("model")["value"]
    largest = str(area_of.idxmax())
    if area_of[largest] > area_of[best.model]:
        yield Finding(
            "OPC040",
            f"{largest} has the larger AUC ({area_of[largest]:.3f}; {best.model} "
            f"{area_of[best.model]:.3f}), {best.model} the lower cost.",
        )
    if found.prior < judged.prior / 2:
        precision = found.advice.precision
        there = (
            f"precision is {share_text(precision.value)} there ({share_text(precision.low)} to "
            f"{share_text(precision.high)})"
        )
        if np.isnan(precision.value):
            there = "nothing is accepted there"
        else:
            there += "; report this precision"
        yield Finding(
            "OPC041",
            f"{share_text(judged.prior)} of the scores are {found.class_phrase}, "
            f"{share_text(found.prior)} in use: {there}.",
        )
