"""Figures of the volume under the ROC hypersurface (Sec. 3.3)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures import style
from opchar_reproduction.study import figure


@figure("figure-3.8")
def known_densities(results: pd.DataFrame, curves: dict[str, pd.DataFrame]) -> Figure:
    """Draw the class densities of two of the known-distribution experiments (Figure 3.8)."""
    experiments = curves["densities"]["experiment"].unique()
    figure, panels = style.panels(1, len(experiments), height=2.2)
    errors = results.query("artefact == 'figure-3.8'").set_index("row")["value"]
    titles = []
    for panel, experiment in zip(panels, experiments, strict=True):
        shown = curves["densities"][curves["densities"]["experiment"] == experiment]
        for number, (name, curve) in enumerate(shown.astype({"class": int}).groupby("class")):
            label = rf"$\omega_{{{name}}}$"
            panel.plot(curve["x"], curve["density"], label=label, **style.series(number))
        panel.set(xlabel="$x$", ylabel=r"$p(x\,|\,\omega_i)$", ylim=(0, 0.5))
        error = errors[f"experiment {int(experiment)}"]
        titles.append(f"experiment {int(experiment)}, Bayes error {error:.3f}")
    style.letter(panels, titles)
    panels[0].legend(ncols=4, loc="upper center")
    return figure
