"""Wilcoxon's signed-rank test, exact also where differences tie."""

from __future__ import annotations

import numpy as np

from opchar.arguments import floats

_DIGITS = 12
# Larger differences have no digits there.
_ROUNDED = 1e15


def signed_rank_p(gain: np.ndarray) -> float:
    """Return the two-sided p of Wilcoxon's signed-rank test of no gain, exact also with ties.

    Parameters
    ----------
    gain : ndarray of float, shape (n,)
        Paired differences; those of 0 are left out.

    Returns
    -------
    float
        From all signs of the ranks at hand; 1 if nothing differs.

    Raises
    ------
    ValueError
        If a difference is NaN.
    """
    from scipy.stats import rankdata

    gain = floats(gain, "gain")
    if np.isnan(gain).any():
        raise ValueError("a difference is NaN; remove its pair")
    rounded = np.where(
        np.abs(gain) < _ROUNDED, np.round(np.clip(gain, -_ROUNDED, _ROUNDED), _DIGITS), gain
    )
    differences = rounded[rounded != 0]
    twice = np.rint(2 * rankdata(np.abs(differences))).astype(int)
    chance = np.zeros(int(twice.sum()) + 1)
    chance[0] = 1
    for rank in twice:
        chance[rank:] = (chance[rank:] + chance[: len(chance) - rank]) / 2
        chance[:rank] /= 2
    positive = int(twice[differences > 0].sum())
    tails = chance[: positive + 1].sum(), chance[positive:].sum()
    return min(2 * float(min(tails)), 1.0)
