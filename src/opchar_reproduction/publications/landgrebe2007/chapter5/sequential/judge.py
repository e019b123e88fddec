"""Discriminant, reject option and sequential combination (Sec. 5.2.5)."""

import pandas as pd

from opchar_reproduction.publications.landgrebe2007.paired_claims import of_problem, standard_errors
from opchar_reproduction.statements.measurements import (
    Finding,
    Measurements,
    conjunction,
    mean_table,
)
from opchar_reproduction.study import statement

REJECTION = ("rej1", "rej2")


def _areas(measured: Measurements, problem: str) -> tuple[pd.DataFrame, str]:
    """Return the areas of one problem by fold, columns (classifier, measure), and the data."""
    geo = problem.startswith("Geo")
    rows = measured.rows("areas of Geo" if geo else "areas", of_problem, problem)
    fold = "fold of Geo" if geo else "fold"
    table = mean_table(rows, "area", index=fold, columns=["classifier", "measure"])
    return table, str(rows["data set"].iloc[0])


def _gain(table: pd.DataFrame, one: str, other: str, measure: str) -> float:
    return float((table[other, measure] - table[one, measure]).mean())


def _in_words(table: pd.DataFrame) -> str:
    means = table.mean()
    return "AUC of clf, rej1, rej2: " + "; ".join(
        f"{name} " + ", ".join(f"{means[name, measure]:.3f}" for measure in ("clf", *REJECTION))
        for name in ("M", "R", "S")
    )


@statement("0948")
def discriminant_rejects_poorly(
    measured: Measurements, *, problem: str = "Face A", far: float = 0.2
) -> Finding:
    """Ask whether both rejection areas of M are far below its classification area."""
    table, data = _areas(measured, problem)
    apart = [float((table["M", "clf"] - table["M", name]).mean()) for name in REJECTION]
    parts = {
        f"{name} is far below clf": gap > far for name, gap in zip(REJECTION, apart, strict=True)
    }
    return conjunction(parts, _in_words(table), data)


@statement("0949")
def rejection_improves_at_a_small_loss(
    measured: Measurements,
    *,
    problem: str = "Face A",
    clear: float = 0.1,
    slight: float = 0.05,
    poor: float = 0.7,
) -> Finding:
    """Ask whether R gains much of rej1 for a small loss of clf, while rej2 stays poor."""
    table, data = _areas(measured, problem)
    lost = -_gain(table, "M", "R", "clf")
    parts = {
        "R clearly improves rej1": _gain(table, "M", "R", "rej1") > clear,
        "R loses a little of clf": 0 < lost < slight,
        "rej2 of R is poor": float(table["R", "rej2"].mean()) < poor,
    }
    return conjunction(parts, _in_words(table), data)


def combination_is_slightly_better(
    measured: Measurements, *, problem: str, measures: list[str], slight: float
) -> Finding:
    """Ask whether S is better than R by a little in the measures named."""
    table, data = _areas(measured, problem)
    gains = {measure: _gain(table, "R", "S", measure) for measure in measures}
    parts = {f"S is slightly better in {name}": 0 < gain < slight for name, gain in gains.items()}
    return conjunction(parts, _in_words(table), data)


@statement("0951")
def combination_rejects_better_at_some_loss(
    measured: Measurements, *, problem: str = "Face B", clear: float = 0.1
) -> Finding:
    """Ask whether S rejects much better than R, with some loss of classification."""
    table, data = _areas(measured, problem)
    parts = {
        f"S is much better in {measure}": _gain(table, "R", "S", measure) > clear
        for measure in REJECTION
    }
    parts["S loses some clf"] = _gain(table, "R", "S", "clf") < 0
    return conjunction(parts, _in_words(table), data)


@statement("0953")
def only_the_combination_rejects(
    measured: Measurements, *, problem: str = "Mfeat A", clear: float = 0.1, poor: float = 0.7
) -> Finding:
    """Ask whether R is not significantly better than M at rejection and S much better, rej2 low."""
    table, data = _areas(measured, problem)
    steps = [standard_errors(table["R", name] - table["M", name]) for name in REJECTION]
    parts = {
        "R rejects no better than M": max(steps) < 2,
        "S is much better in rej1": _gain(table, "R", "S", "rej1") > clear,
        "rej2 of S is low": float(table["S", "rej2"].mean()) < poor,
    }
    steps_text = f"; R above M by {steps[0]:.1f} and {steps[1]:.1f} standard errors"
    return conjunction(parts, _in_words(table) + steps_text, data)


@statement("0954")
def both_improve_and_the_combination_more(
    measured: Measurements, *, problem: str = "Geo A", clear: float = 0.1
) -> Finding:
    """Ask whether R and S improve rej1, and S is much better at rej2."""
    table, data = _areas(measured, problem)
    parts = {f"{name} improves rej1": _gain(table, "M", name, "rej1") > clear for name in "RS"}
    parts["S is much better than R in rej2"] = _gain(table, "R", "S", "rej2") > clear
    return conjunction(parts, _in_words(table), data)


@statement("0955")
def combination_is_clearly_better(measured: Measurements, *, problem: str = "Geo B") -> Finding:
    """Ask whether S rejects better than R by more than two standard errors in both measures."""
    table, data = _areas(measured, problem)
    steps = [standard_errors(table["S", name] - table["R", name]) for name in REJECTION]
    steps_text = f"; S above R by {steps[0]:.1f} and {steps[1]:.1f} standard errors"
    parts = {f"S is better in {n}": step > 2 for n, step in zip(REJECTION, steps, strict=True)}
    return conjunction(parts, _in_words(table) + steps_text, data)


@statement("0956")
def both_are_about_equal(
    measured: Measurements, *, problem: str = "Geo C", slight: float = 0.05
) -> Finding:
    """Ask whether S and R differ little in clf and rej1, and S is slightly better at rej2."""
    table, data = _areas(measured, problem)
    parts = {
        f"R and S are about equal in {name}": abs(_gain(table, "R", "S", name)) < slight
        for name in ("clf", "rej1")
    }
    parts["S is slightly better in rej2"] = 0 < _gain(table, "R", "S", "rej2") < slight
    return conjunction(parts, _in_words(table), data)


@statement("0960")
def one_model_gives_one_performance(measured: Measurements, *, slight: float = 0.05) -> Finding:
    """Ask whether S with one model in both stages performs like R."""
    frame = measured.frame("areas of one model")
    table = mean_table(frame, "area", index="fold", columns=["classifier", "measure"])
    parts = {
        f"R and S are alike in {name}": abs(_gain(table, "R", "S", name)) < slight
        for name in ("clf", *REJECTION)
    }
    return conjunction(parts, _in_words(table), str(frame["data set"].iloc[0]))


@statement("1079")
def some_cases_only(measured: Measurements) -> Finding:
    """Ask whether R trades classification for rejection, and S beats it in some problems only."""
    frame = measured.frame("areas")
    means = mean_table(frame, "area", index="problem", columns=["classifier", "measure"])
    rejection = {name: (means[name, "rej1"] + means[name, "rej2"]) / 2 for name in "MRS"}
    gains = rejection["R"] > rejection["M"]
    traded = (means["R", "clf"] < means["M", "clf"])[gains]
    rejects = rejection["S"] > rejection["R"]
    return conjunction(
        {
            "R trades classification for rejection": gains.any() and traded.all(),
            "S rejects better than R in some problems": rejects.any(),
            "S does not in all": not rejects.all(),
        },
        f"R rejects better than M in {int(gains.sum())} of {len(means)} problems and classifies "
        f"worse in {int(traded.sum())} of these; S rejects better than R in {int(rejects.sum())}",
    )
