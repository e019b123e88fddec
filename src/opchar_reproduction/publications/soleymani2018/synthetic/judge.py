"""Sec. 4 and Figure 5: three classifiers on positives amid uniform negatives."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t

from opchar.spaces.cost import crossing_pc
from opchar.spaces.f_measure import crossing_prior
from opchar_reproduction.percent import per_cent
from opchar_reproduction.statements.measurements import Finding, Measurements, conjunction
from opchar_reproduction.study import statement

NAMES = ["C_1", "C_2", "C_3"]


@statement("0020")
def crossings_depend_on_weights(
    measured: Measurements,
    *,
    weights: list[float] = [0.1, 0.5, 0.9],
    low: float = 0.1,
    high: float = 0.9,
) -> Finding:
    """Judge: in each space some crisp curves cross for one weight and not for another."""
    rates = measured.frame("crisp-rates").groupby("series")[["tpr", "fpr"]].mean()
    found = {"F": [0] * len(weights), "EC": [0] * len(weights)}
    depends = {"F": False, "EC": False}
    for one, two in combinations(NAMES, 2):
        (tpr_i, fpr_i), (tpr_j, fpr_j) = rates.loc[[one, two]].to_numpy()
        pc = float(crossing_pc(tpr_i, fpr_i, tpr_j, fpr_j))
        condition_of = {
            "F": crossing_prior(tpr_i, fpr_i, tpr_j, fpr_j, weights),
            "EC": np.array([pc * m / (pc * m + (1 - pc) * (1 - m)) for m in weights]),
        }
        for space, at in condition_of.items():
            crosses = (at > low) & (at < high)
            depends[space] |= bool(crosses.any() and not crosses.all())
            found[space] = [n + int(yes) for n, yes in zip(found[space], crosses, strict=True)]
    evidence = "; ".join(
        f"{space}: " + ", ".join(f"{n} at {w:g}" for n, w in zip(counts, weights, strict=True))
        for space, counts in found.items()
    )
    parts = {f"crossings of {space} depend on the weight": yes for space, yes in depends.items()}
    return conjunction(parts, f"pairs that cross, by weight, in {evidence}")


@statement("0021")
def roc_does_not_move(
    measured: Measurements, *, limit: float = 0.01, confidence: float = 0.95
) -> Finding:
    """Judge: the AUC on test sets of any two P(+) differs by less than a limit, with confidence."""
    widest, who = 0.0, ""
    for name, change in _changes(measured, "auc"):
        margin = float(t.ppf((1 + confidence) / 2, len(change) - 1)) * _error(change)
        end = abs(float(change.mean())) + margin
        if not end <= widest:
            widest, who = end, name
    return Finding(
        widest < limit,
        f"mean AUC moves by at most {widest:.4f} ({who}), ends of {per_cent(confidence)} "
        "intervals over "
        "sets taken in",
    )


@statement("0022")
def precision_recall_moves(measured: Measurements, *, errors: float = 4) -> Finding:
    """Judge: the AUPRC of each classifier differs between any two P(+) by some standard errors."""
    ratios = {
        name: abs(float(change.mean())) / max(_error(change), 1e-300)
        for name, change in _changes(measured, "auprec")
    }
    least = min(ratios, key=ratios.__getitem__)
    return Finding(
        ratios[least] > errors,
        f"mean AUPRC moves by at least {ratios[least]:.1f} standard errors ({least})",
    )


@statement("0023")
def nearly_equal(measured: Measurements, *, limit: float = 0.02) -> Finding:
    """Judge: C_1 and C_3 have nearly equal mean envelopes at all P(+)."""
    mean = _mean_envelopes(measured)
    apart = {s: float((mean[f"{s} C_1"] - mean[f"{s} C_3"]).abs().max()) for s in ("cost", "F")}
    parts = {"nearly equal in EC": apart["cost"] <= limit, "nearly equal in F": apart["F"] <= limit}
    return conjunction(
        parts,
        f"mean envelopes of C_1 and C_3 are up to {apart['cost']:.3f} apart in EC and "
        f"{apart['F']:.3f} in F",
    )


@statement("0024")
def second_dominates(measured: Measurements) -> Finding:
    """Judge: C_2 has the lower mean cost and the higher mean F than both others at all P(+)."""
    mean = _mean_envelopes(measured)
    saved = mean[["cost C_1", "cost C_3"]].min(axis=1) - mean["cost C_2"]
    gained = mean["F C_2"] - mean[["F C_1", "F C_3"]].max(axis=1)
    parts = {"C_2 has the lower EC": saved.min() > 0, "C_2 has the higher F": gained.min() > 0}
    return conjunction(
        parts,
        f"C_2 saves {saved.min():.4f} to {saved.max():.4f} EC and gains {gained.min():.4f} to "
        f"{gained.max():.4f} F over the better of the others",
    )


def _error(values: np.ndarray) -> float:
    """Return the standard error of a mean."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def _changes(measured: Measurements, area: str) -> list[tuple[str, np.ndarray]]:
    """Return the change of an area between each two P(+), of each classifier, set by set."""
    table = measured.frame("areas").pivot_table(index="set", columns=["series", "at"], values=area)
    return [
        (f"{name}, P(+) {one:g} and {two:g}", (table[name][two] - table[name][one]).to_numpy(float))
        for name in NAMES
        for one, two in combinations(table[name].columns, 2)
    ]


def _mean_envelopes(measured: Measurements) -> pd.DataFrame:
    return measured.frame("envelopes").drop(columns="set").groupby("at").mean()
