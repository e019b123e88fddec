"""Which threshold keeps the limits that are asked for, a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from opchar.analysis.answered import Answered
from opchar.analysis.answers.decision import Decision
from opchar.analysis.numbers import rule_text, share_text

# What a guarantee covers, in the sentence that gives it.
COVERED = "by the models of the folds; a retrained model is not covered"
COVERED_ONE = "by the model that made these scores; a retrained model is not covered"
UNWEIGHTED = "; rows count once each, without weights"
# A prior in use may differ by so much of itself from that of the scores.
CLOSE = 0.01


def kept_limits(answers: Answered) -> list[str]:
    """Return which threshold of the recommended model keeps the limits that are asked for."""
    if answers.decision is None or "promises" not in answers.tables:
        return []
    best, table, sentences = answers.decision.best.model, answers.tables["promises"], []
    limit = "Limit" if len(answers.scored.models) == 1 else f"Limit with {best}"
    own_folds = answers.scored.fold is not None and not answers.scored.counted
    covered = COVERED if own_folds else COVERED_ONE
    if answers.scored.weight is not None and not answers.scored.counted:
        covered += UNWEIGHTED
    sure = f"with {100 * answers.asked.level:g} % confidence, {covered}"
    for row in table[table["model"] == best].to_dict("records"):
        if row["kept"] and np.isneginf(row["threshold"]):
            sentences.append(
                f"{limit}, {row['limits']}: kept only by accepting all objects ({sure})."
            )
        elif row["kept"]:
            sentences.append(
                f"{limit}: {rule_text(row['threshold'])} for {row['limits']}, {sure}. On these "
                f"scores it finds {share_text(row['found'])} of the positives and accepts "
                f"{share_text(row['alerts'])} of all objects.{_at_prior(row, answers.decision)}"
            )
        else:
            sentences.append(f"{limit}, {row['limits']}: {row['why not']}.")
    return sentences


def _at_prior(row: Mapping[Any, Any], found: Decision) -> str:
    """Return what a limit on precision or alerts is at the prior in use, where it is another."""
    tpr, fpr, share = row["found"], row["false alarms"], row["precision"] * row["alerts"]
    here = share / tpr if tpr > 0 else np.nan
    if not ("precision" in row["limits"] or "alerts" in row["limits"]) or (
        not abs(here - found.prior) > CLOSE * found.prior
    ):
        return ""
    positives, alarms = found.prior * tpr, (1 - found.prior) * fpr
    precision = share_text(positives / (positives + alarms))
    return (
        f" It holds where {share_text(here)} are {found.class_phrase}, as here. Where "
        f"{share_text(found.prior)} are, the precision is {precision}, and "
        f"{share_text(positives + alarms)} of all objects are accepted."
    )
