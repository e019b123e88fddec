"""Figures of the thesis' Sec. 2.3."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import TWO_COLUMNS, letter, panels, series, unit_square


def characteristics(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw an ROC curve and its precision-recall characteristics, one for each prior.

    Parameters
    ----------
    results : pandas.DataFrame
        Not drawn; all renderers have it.
    curves : dict of str to pandas.DataFrame
        ``roc`` with ``fpr`` and ``tpr``; ``precision-recall`` with ``prior``, ``recall`` and
        ``precision``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, (left, right) = panels(1, 2, width=TWO_COLUMNS, height=3.4)
    left.plot(curves["roc"]["fpr"], curves["roc"]["tpr"], **series(0))
    left.plot([0, 1], [0, 1], color="#777777", linewidth=0.6, linestyle=":")
    unit_square(left, "$FP_r$", "$TP_r$")
    by_prior = curves["precision-recall"].groupby("prior", sort=False)
    for number, (prior, curve) in enumerate(by_prior):
        label = rf"$\pi_p$ = {prior:g}"
        right.plot(curve["recall"], curve["precision"], label=label, **series(number))
    unit_square(right, "recall, $TP_r$", "precision")
    right.legend(loc="lower left")
    letter([left, right], ["ROC", "precision-recall"])
    return figure
