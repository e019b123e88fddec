"""What the face regions of a trajectory look like (soleymani2020, Sec. 4 and Figure 8)."""

import numpy as np

from opchar.datasets.features import FeatureTable
from opchar.datasets.images.faces import SIZE
from opchar_reproduction.results import Results
from opchar_reproduction.study import study


@study("trajectory", features=["cox-rois"])
def trajectory(*, features: dict[str, FeatureTable], count: int = 21) -> Results:
    """Take the grey values of the first person's face regions (soleymani2020, Figure 8).

    features: One table of face regions: 64 x 64 grey values, row by row, with the person as class.
    count: Face regions to show, at least 1: the first ones of the trajectory, or all when there are
        fewer.
    """
    (table,) = features.values()
    if "frame" not in table.groups:
        raise ValueError("the table has no frames: it does not hold trajectories")
    frames = table.groups["frame"]
    person, video = table.classes[0], str(table.provenance["part"]).replace("-", " ")
    mine = np.flatnonzero((table.y == 0) & (frames < count))
    mine = mine[np.argsort(frames[mine])]
    row, column = np.divmod(np.arange(SIZE * SIZE), SIZE)
    results = Results()
    results.number("figure-8", "trajectory", "face regions", len(mine))
    results.text("figure-8", "trajectory", "person", person)
    results.text("figure-8", "trajectory", "video", video)
    results.add_frame("trajectory", {"person": [person], "video": [video]})
    pixels = {
        "frame": np.repeat(frames[mine] + 1, SIZE * SIZE),
        "row": np.tile(row, len(mine)),
        "column": np.tile(column, len(mine)),
        "grey": table.X[mine].ravel(),
    }
    results.add_frame("pixels", pixels)
    return results
