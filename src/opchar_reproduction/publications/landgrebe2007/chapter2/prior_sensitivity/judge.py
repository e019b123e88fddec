"""What Sec. 2.2.6 says of models on four data sets, by AUC, Sens and AccSens (Table 2.2)."""

import pandas as pd

from opchar.ranges import Rate
from opchar.statistics.differences import design_array, differences
from opchar_reproduction.publications.landgrebe2007.chapter2.significance_patterns import (
    BY_TITLE,
    Compared,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.variants import JUDGED
from opchar_reproduction.results import named_stand_ins
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement


def without_sensitivity(measured: Measurements) -> Measurements:
    """Remove the sensitivity from AccSens: put 1 - AUC in its place."""

    def replaced(table: pd.DataFrame) -> pd.DataFrame:
        area = table["measure"] == "AUC"
        kept = table[table["measure"] != "AccSens"]
        error = table[area].assign(measure="AccSens", value=1 - table.loc[area, "value"])
        return pd.concat([kept, error], ignore_index=True)

    return measured.with_frame("measured", replaced)


def pattern_is_found(
    measured: Measurements,
    *,
    title: str,
    pattern: str,
    measures: list[str],
    models: list[int],
    alpha: Rate = 0.005,
) -> Finding:
    """Tell whether a set shows a pattern of significance, with the means of some models."""
    of_set = measured.rows("measured", _of_title, title)
    by_measure = {}
    for name in JUDGED:
        part = of_set[of_set["measure"] == name]
        levels = part["model"].drop_duplicates().astype(int).tolist()
        values = design_array(part, ["model", "fold"])
        by_measure[name] = differences(values[None], levels, alpha)[0]
    evidence = []
    for name in measures:
        found = by_measure[name].restrict(models)
        means = ", ".join(f"{model}: {mean:.3f}" for model, mean in found.means.items())
        evidence.append(f"{name} {means} (differ: {found.in_words()})")
    parts = BY_TITLE[title][pattern](Compared(by_measure))
    return conjunction(parts, "; ".join(evidence), str(of_set["label"].iloc[0]))


@statement("0090", control=Control(without_sensitivity, "AccSens without sensitivity, 1 - AUC"))
def auc_alone_chooses_another_model(measured: Measurements) -> Finding:
    """Tell whether the best mean AUC and the best mean AccSens are, in some set, of two models."""
    frame = measured.frame("measured")
    chosen: dict[str, tuple[int, int]] = {}
    cases = []
    for title, of_set in frame.groupby("title", sort=False):
        area, both = (
            of_set[of_set["measure"] == name].groupby("model")["value"].mean()
            for name in ("AUC", "AccSens")
        )
        models = area.index.to_numpy(dtype=int)
        by_auc, by_both = models[area.to_numpy().argmax()], models[both.to_numpy().argmin()]
        chosen[str(title)] = int(by_auc), int(by_both)
        if by_auc != by_both:
            cases.append(str(of_set["label"].iloc[0]))
    real_sets = [label for label in cases if not named_stand_ins(label)]
    choices_text = ", ".join(f"{title} {one} and {two}" for title, (one, two) in chosen.items())
    return Finding(
        bool(cases),
        f"best model by AUC and by AccSens: {choices_text}",
        "; ".join(real_sets or cases or frame["label"].drop_duplicates()),
    )


def _of_title(frame: pd.DataFrame, title: str) -> pd.DataFrame:
    return frame[frame["title"] == title]
