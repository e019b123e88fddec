"""Shape and crossings of the F curves of crisp classifiers, measured on grids of rates."""

import numpy as np

from opchar.spaces.f_measure import crossing_prior, f_measure
from opchar_reproduction.publications.f_measure_space.repeats import add_cases
from opchar_reproduction.results import Results


def better_than_chance(rates: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return TPR and FPR of all pairs of rates with TPR > FPR."""
    tpr, fpr = (each.ravel() for each in np.meshgrid(rates, rates, indexing="ij"))
    return tpr[tpr > fpr], fpr[tpr > fpr]


def all_pairs(rates: list[float]) -> tuple[np.ndarray, ...]:
    """Return TPR_i, FPR_i, TPR_j and FPR_j of all pairs of classifiers with these rates."""
    return tuple(each.ravel() for each in np.meshgrid(rates, rates, rates, rates, indexing="ij"))


def add_shapes(results: Results, rates: list[float], weights: list[float], priors: int) -> None:
    """Add the frame ``shape``: ends, least rise and largest bend of F curves with TPR > FPR."""
    tpr, fpr = better_than_chance(rates)
    prior = np.linspace(0, 1, priors)
    for alpha in weights:
        value = f_measure(tpr[:, None], fpr[:, None], prior, alpha)
        add_cases(
            results,
            "shape",
            **{
                "tpr": tpr,
                "fpr": fpr,
                "alpha": alpha,
                "start": value[:, 0],
                "end": value[:, -1],
                "said end": tpr / (alpha * (tpr - 1) + 1),
                "least rise": np.diff(value).min(axis=1),
                "largest bend": np.diff(value, 2).max(axis=1),
            },
        )


def add_common_crossings(results: Results, rates: list[float], weights: list[float]) -> None:
    """Add the frame ``common-crossing``: F of all weights where they are said to cross, and beside.

    A classifier each row: tpr, lowest and highest F over alpha at P(+) = FPR/(FPR-TPR+1); the
    largest step of F with alpha below it, and the least above it.
    """
    tpr, fpr = better_than_chance(rates)
    crossing = fpr / (fpr - tpr + 1)
    alpha = np.asarray(weights)[:, None]
    at = f_measure(tpr, fpr, crossing, alpha)
    add_cases(
        results,
        "common-crossing",
        tpr=tpr,
        lowest=at.min(axis=0),
        highest=at.max(axis=0),
        below=np.diff(f_measure(tpr, fpr, 0.9 * crossing, alpha), axis=0).max(axis=0),
        above=np.diff(f_measure(tpr, fpr, 0.1 + 0.9 * crossing, alpha), axis=0).min(axis=0),
    )


def add_single_crossings(results: Results, rates: list[float], alpha: float) -> None:
    """Add the frame ``pairs``: whether two F curves cross where TPR and FPR are both larger.

    A pair each row: tpr_i, fpr_i, tpr_j, fpr_j, crosses, ratio falls (TPR/FPR is smaller for the
    one with the larger TPR), said and computed: F of both at P* of Eq. 11, NaN without one.
    """
    tpr_i, fpr_i, tpr_j, fpr_j = all_pairs(rates)
    both = (tpr_j > tpr_i) & (fpr_j > fpr_i)
    i, j = (tpr_i[both], fpr_i[both]), (tpr_j[both], fpr_j[both])
    at = crossing_prior(*i, *j, alpha)
    add_cases(
        results,
        "pairs",
        **{
            "tpr_i": i[0],
            "fpr_i": i[1],
            "tpr_j": j[0],
            "fpr_j": j[1],
            "crosses": np.isfinite(at).astype(float),
            "ratio falls": (i[0] * j[1] - j[0] * i[1] > 1e-12).astype(float),
            "said": f_measure(*i, at, alpha),
            "computed": f_measure(*j, at, alpha),
        },
    )
