"""One error fixed on a two-class ROC (Sec. 3.2.4, Figure 3.4)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import ndtri

from opchar.figures import style
from opchar.multiclass.gaussians import threshold_rates
from opchar.ranges import Rate
from opchar_reproduction.results import Results
from opchar_reproduction.study import figure, study

UNSTATED = "two Gaussian classes; the work names neither data nor classifier"


@study(
    "hypersurface-fixed-error",
    kind="vus",
    basis="illustration",
    nothing_open="""Neither data nor classifier are named. Every possible rate belongs to some pair
    of classes, so one number does not separate variants.""",
)
def fixed_false_negatives(
    *, means: list[float] = [0.0, 2.0], alpha: Rate = 0.1, nodes: int = 401
) -> Results:
    """Read the false positive rate at a fixed false negative rate from a two-class ROC (3.2.4).

    `means`: Means of the two unit-variance classes, ascending.
    `alpha`: The false negative rate xi_{1,2}.
    """
    results = Results()
    share = np.linspace(0, 1, nodes)
    recognised = threshold_rates(means, (means[0] - ndtri(share))[:, None])
    results.add_frame("roc", {"xi_12": share, "xi_21": 1 - recognised[:, 1]})
    at_alpha = threshold_rates(means, [[means[0] - ndtri(alpha)]])[0]
    row, other = f"xi_{{1,2}} fixed at {alpha:.2%}", 100 * (1 - at_alpha[1])
    note = f"unit-variance classes at {means[0]:g} and {means[1]:g}"
    results.number("figure-3.4", row, "xi_{2,1}", other, unit="%", data=UNSTATED, note=note)
    return results


@figure("figure-3.4")
def fixed_error(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw a two-class ROC with one error fixed (Figure 3.4)."""
    figure, (panel,) = style.panels(width=style.ONE_COLUMN, height=style.ONE_COLUMN)
    curve = curves["roc"]
    line = results[results["artefact"] == "figure-3.4"].iloc[0]
    alpha = float(line["row"].split("at ")[1].rstrip("%")) / 100
    other = line["value"] / 100
    panel.plot(curve["xi_12"], curve["xi_21"], **style.series(0))
    panel.plot([alpha, alpha, 0], [0, other, other], color=style.COLOURS[1], ls="--", lw=1)
    panel.plot(alpha, other, "o", color=style.COLOURS[1])
    said = rf"$\xi_{{1,2}} = {100 * alpha:g}\,\%$, $\xi_{{2,1}} = {100 * other:.1f}\,\%$"
    panel.annotate(said, (alpha + 0.03, other + 0.02))
    labels = r"$\xi_{1,2}$ (false negative rate)", r"$\xi_{2,1}$ (false positive rate)"
    style.unit_square(panel, *labels)
    return figure
