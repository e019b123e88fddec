"""What Sec. 2.2.6 says of models on four data sets, by AUC, Sens and AccSens (Table 2.2)."""

from collections.abc import Callable, Sequence

import pandas as pd

from opchar.ranges import Rate
from opchar.statistics.differences import design_array, differences
from opchar_reproduction.publications.landgrebe2007.chapter2 import (
    significance_patterns as patterns,
)
from opchar_reproduction.publications.landgrebe2007.chapter2.variants import JUDGED
from opchar_reproduction.results import named_stand_ins
from opchar_reproduction.statements.exchange import exchanged, shift
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


MODEL_2_MOVED = shift("all measures of model 2 raised by one", "measured", "value", 1.0, model=2)
MODEL_3_MOVED = shift("all measures of model 3 raised by one", "measured", "value", 1.0, model=3)


@statement(
    "0083",
    control=exchanged(1, 2, "measured", "model", says="models 1 and 2 exchanged"),
    leaf_controls=[MODEL_2_MOVED],
)
def road_sign_1_and_2(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 1 and 2 are alike in AUC and 2 is significantly better in Sens and AccSens."""
    return _find_pattern(measured, "Road sign", patterns.road_sign_1_and_2, JUDGED, (1, 2), alpha)


@statement(
    "0084",
    control=exchanged(3, 4, "measured", "model", says="models 3 and 4 exchanged"),
    leaf_controls=[MODEL_3_MOVED],
)
def road_sign_3_and_4(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 3 is better in AUC, 4 in Sens, significantly, and both alike in AccSens."""
    return _find_pattern(measured, "Road sign", patterns.road_sign_3_and_4, JUDGED, (3, 4), alpha)


@statement(
    "0085",
    control=exchanged(1, 3, "measured", "model", says="models 1 and 3 exchanged"),
    leaf_controls=[MODEL_3_MOVED],
)
def road_sign_3_to_6(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 3 to 6 are alike in AccSens and each significantly better than 1 and 2."""
    return _find_pattern(
        measured, "Road sign", patterns.road_sign_3_to_6, ["AccSens"], range(1, 7), alpha
    )


@statement(
    "0086",
    control=exchanged(2, 3, "measured", "model", says="models 2 and 3 exchanged"),
    leaf_controls=[MODEL_3_MOVED],
)
def phoneme(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 3 competes in AUC, while 2 has less Sens and a significantly better AccSens."""
    return _find_pattern(measured, "Phoneme", patterns.phoneme, JUDGED, (1, 2, 3), alpha)


@statement("0087", control=exchanged(1, 2, "measured", "model", says="models 1 and 2 exchanged"))
def sonar(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 2 has the best mean AUC and the best mean Sens."""
    return _find_pattern(measured, "Sonar", patterns.sonar, ["AUC", "Sens"], range(1, 5), alpha)


@statement(
    "0088",
    control=exchanged(2, 4, "measured", "model", says="models 2 and 4 exchanged"),
    leaf_controls=[MODEL_2_MOVED],
)
def ionosphere_auc(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 1, 2 and 4 are alike in AUC and 2 has less Sens than 4, not significantly."""
    return _find_pattern(
        measured, "Ionosphere", patterns.ionosphere_auc, ["AUC", "Sens"], (1, 2, 4), alpha
    )


@statement(
    "0089",
    control=exchanged(2, 4, "measured", "model", says="models 2 and 4 exchanged"),
    leaf_controls=[MODEL_2_MOVED],
)
def ionosphere_acc_sens(measured: Measurements, *, alpha: Rate = 0.005) -> Finding:
    """Tell whether 1, 2 and 3 are each significantly better than 4 in AccSens."""
    return _find_pattern(
        measured, "Ionosphere", patterns.ionosphere_acc_sens, ["AccSens"], range(1, 5), alpha
    )


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


def _find_pattern(
    measured: Measurements,
    title: str,
    pattern: Callable[[patterns.Compared], patterns.Parts],
    names: Sequence[str],
    models: Sequence[int],
    alpha: float,
) -> Finding:
    """Look for a pattern of significance; say means and pairs that differ of some models."""
    of_set = measured.rows("measured", _of_title, title)
    by_measure = {}
    for name in JUDGED:
        part = of_set[of_set["measure"] == name]
        levels = part["model"].drop_duplicates().astype(int).tolist()
        values = design_array(part, ["model", "fold"])
        by_measure[name] = differences(values[None], levels, alpha)[0]
    evidence = []
    for name in names:
        found = by_measure[name].restrict(models)
        means = ", ".join(f"{model}: {mean:.3f}" for model, mean in found.means.items())
        evidence.append(f"{name} {means} (differ: {found.in_words()})")
    parts = pattern(patterns.Compared(by_measure))
    return conjunction(parts, "; ".join(evidence), str(of_set["label"].iloc[0]))
