"""Face regions of a trajectory (Figure 8)."""

import pandas as pd
from matplotlib.figure import Figure

from opchar.figures.style import TWO_COLUMNS, panels
from opchar_reproduction.results import named_stand_ins
from opchar_reproduction.study import figure


@figure("figure-8")
def trajectory(results: pd.DataFrame, curves: dict[str, pd.DataFrame], per_row: int = 7) -> Figure:
    """Show the face regions of one trajectory, row by row in the order of the frames (Figure 8)."""
    regions = list(curves["pixels"].groupby("frame"))
    rows = -(-len(regions) // per_row)
    figure, axes = panels(rows, per_row, height=0.4 + 1.14 * rows * TWO_COLUMNS / per_row)
    for panel in axes:
        panel.set_axis_off()
    for panel, (frame, pixels) in zip(axes, regions, strict=False):
        image = pixels["grey"].to_numpy().reshape(pixels["row"].nunique(), -1)
        panel.imshow(image, cmap="gray", vmin=0, vmax=255)
        panel.set_title(f"{frame:g}", fontsize=7, pad=2)
    figure.suptitle(_title(results, curves["trajectory"].iloc[0], len(regions)), fontsize=8)
    return figure


def _title(results: pd.DataFrame, shown: pd.Series, count: int) -> str:
    """Name the person, and frames only where the images are frames of a video."""
    person = f"person {shown['person']}"
    if any(named_stand_ins(label) for label in results["data"]):
        return f"{person}: {count} still images in place of the frames of a trajectory"
    return f"{shown['video']}, {person}: frames 1 to {count}"
