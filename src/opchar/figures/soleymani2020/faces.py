"""Face regions of a trajectory (Figure 8)."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import TWO_COLUMNS, panels


def trajectory(results: pd.DataFrame, curves: dict[str, pd.DataFrame], per_row: int = 7) -> Figure:
    """Show the face regions of one trajectory, row by row in the order of the frames (Figure 8).

    Parameters
    ----------
    results : pandas.DataFrame
        Not needed.
    curves : dict of str to pandas.DataFrame
        ``trajectory``: person, video; ``pixels``: frame, row, column, grey from 0 to 255,
        row by row.
    per_row : int
        Face regions side by side.
    """
    regions = list(curves["pixels"].groupby("frame"))
    rows = -(-len(regions) // per_row)
    figure, axes = panels(rows, per_row, height=0.4 + 1.14 * rows * TWO_COLUMNS / per_row)
    for panel in axes:
        panel.set_axis_off()
    for panel, (frame, pixels) in zip(axes, regions, strict=False):
        image = pixels["grey"].to_numpy().reshape(pixels["row"].nunique(), -1)
        panel.imshow(image, cmap="gray", vmin=0, vmax=255)
        panel.set_title(f"{frame:g}", fontsize=7, pad=2)
    shown = curves["trajectory"].iloc[0]
    title = f"{shown['video']}, person {shown['person']}: frames 1 to {len(regions)}"
    figure.suptitle(title, fontsize=8)
    return figure
