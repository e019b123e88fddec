"""The main answers as lines of text, for the terminal and for Python."""

from __future__ import annotations

import pandas as pd

from opchar.analysis.answered import Answered
from opchar.analysis.answers.summary import in_short
from opchar.analysis.first_screen import decision_lines
from opchar.analysis.numbers import class_text, interval_text


def answer_lines(answers: Answered) -> list[str]:
    """Return the main answers as lines of text, findings first."""
    lines = [f"! {caution}" for caution in answers.cautions]
    if answers.decision is not None:
        lines += decision_lines(answers)
    areas = answers.tables["areas"] if "areas" in answers.tables else pd.DataFrame()
    ranked = [
        f"{row['model']}, {class_text(row['class'])}: AUC {interval_text(row)}"
        for row in areas.to_dict("records")
        if row["measure"] == "AUC"
    ]
    rest = in_short(answers)
    return lines + (rest + ranked if answers.decision is None else ranked + rest)
