"""Three classifiers with a reject option on generated data (Sec. 5.3.3)."""

from itertools import pairwise

import numpy as np
import pandas as pd

from opchar_reproduction.percent import per_cent
from opchar_reproduction.publications.landgrebe2007.paired_claims import standard_errors
from opchar_reproduction.statements.controls import exchange_columns
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import Control, statement

MODELS = ["LDC", "QDC", "MOGC"]


def _wide(measured: Measurements, frame: str, column: str, unit: str) -> pd.DataFrame:
    return measured.table(frame, column, index=unit, columns="model")


def _in_words(table: pd.DataFrame, name: str) -> str:
    return f"{name}: " + ", ".join(f"{model} {table[model].mean():.3f}" for model in MODELS)


@statement("0965")
def mixture_is_best_at_most_points(measured: Measurements, *, most: float = 0.5) -> Finding:
    """Ask whether MOGC has the best mean performance at most shares of accepted unseen objects."""
    table = measured.table("mean performance", "performance", index="fpr", columns="model")
    best = (table["MOGC"] > table["LDC"]) & (table["MOGC"] > table["QDC"])
    return Finding(
        bool(best.mean() > most),
        f"MOGC is best at {int(best.sum())} of {len(table)} levels of FP_r^r; "
        + _in_words(table, "mean over levels"),
    )


@statement("0966")
def only_low_thresholds_are_useful(measured: Measurements, *, low: float = 0.25) -> Finding:
    """Ask whether performance falls dearer for the same FP_r^r at large t_d than at low ones."""
    frame = measured.frame("by threshold")
    means = frame.groupby(["model", "step"])[["performance", "fpr"]].mean()
    steps = int(frame["step"].max())
    prices, falls = [], []
    for model in MODELS:
        part = means.loc[model]
        ends = part.loc[[0, round(low * steps), steps]].to_numpy(dtype=float)
        drops = -np.diff(ends, axis=0)
        falls.append(bool((drops > 0).all()))
        prices.append([float(p / f) if f > 0 else np.inf for p, f in drops])
    return conjunction(
        {
            "performance and FP_r^r fall as t_d grows": all(falls),
            "large t_d cost more performance": all(later > first for first, later in prices),
        },
        f"mean performance lost a unit of FP_r^r, in the lowest {per_cent(low)} of t_d and beyond: "
        + "; ".join(
            f"{model} {first:.2f}, {later:.2f}"
            for model, (first, later) in zip(MODELS, prices, strict=True)
        ),
    )


@statement("0976")
def volume_ranks_the_models(measured: Measurements) -> Finding:
    """Ask whether VUC and eps_rej order MOGC, QDC and LDC, MOGC and QDC significantly."""
    volume = _wide(measured, "volumes", "vuc", "fold")
    error = _wide(measured, "errors", "eps_rej", "set").mean()
    parts = {
        f"{better} has the larger VUC than {worse}": standard_errors(volume[better] - volume[worse])
        > 2
        for worse, better in pairwise(MODELS)
    }
    parts["eps_rej gives the same order"] = error["MOGC"] < error["QDC"] < error["LDC"]
    errors_text = ", ".join(f"{model} {error[model]:.3f}" for model in MODELS)
    return conjunction(parts, f"{_in_words(volume, 'VUC')}; eps_rej: {errors_text}")


@statement("0977")
def known_errors_do_not_separate(measured: Measurements, *, slight: float = 0.02) -> Finding:
    """Ask whether the errors of QDC and MOGC on the known classes alone are alike."""
    table = _wide(measured, "errors", "known", "set")
    apart = abs(float((table["QDC"] - table["MOGC"]).mean()))
    far = abs(float((table["LDC"] - table["MOGC"]).mean()))
    parts = {"QDC and MOGC are alike": apart < slight, "LDC is farther off": apart < far}
    return conjunction(parts, _in_words(table, "error on known classes"))


@statement(
    "0978",
    control=Control(
        exchange_columns,
        "errors with and without reject option exchanged",
        frame="errors",
        first="eps_rej",
        second="eps_norej",
    ),
)
def rejection_helps_each_model(measured: Measurements) -> Finding:
    """Ask whether each model errs significantly more without the reject option."""
    frame = measured.frame("errors")
    steps = {
        str(model): standard_errors(part["eps_norej"] - part["eps_rej"])
        for model, part in frame.groupby("model")
    }
    means = frame.groupby("model")[["eps_rej", "eps_norej"]].mean()
    return conjunction(
        {f"{model} is worse without reject option": step > 2 for model, step in steps.items()},
        "eps_rej and eps_norej: "
        + "; ".join(
            f"{model} {line['eps_rej']:.3f}, {line['eps_norej']:.3f}"
            for model, line in means.loc[MODELS].iterrows()
        ),
    )


@statement("0979")
def mixture_is_worse_without_rejection(measured: Measurements) -> Finding:
    """Ask whether MOGC errs significantly more than QDC when nothing is rejected."""
    table = _wide(measured, "errors", "eps_norej", "set")
    return Finding(
        standard_errors(table["MOGC"] - table["QDC"]) > 2,
        _in_words(table, "error without rejection"),
    )


@statement("1073")
def mixture_encloses_the_target(measured: Measurements, *, share: float = 0.25) -> Finding:
    """Ask whether MOGC accepts less of the unseen class, and no fewer targets, than the others."""
    frame = measured.frame("errors")
    means = frame.groupby("model")[["tpr", "unseen accepted"]].mean()
    mixture, others = means.loc["MOGC"], means.loc[["LDC", "QDC"]]
    fewer = mixture["unseen accepted"] < (1 - share) * others["unseen accepted"]
    return conjunction(
        {
            "MOGC accepts fewer unseen objects": fewer.all(),
            "MOGC accepts no fewer targets": (mixture["tpr"] >= others["tpr"]).all(),
        },
        "targets and unseen objects called target: "
        + "; ".join(
            f"{model} {line['tpr']:.3f}, {line['unseen accepted']:.3f}"
            for model, line in means.loc[MODELS].iterrows()
        ),
    )
