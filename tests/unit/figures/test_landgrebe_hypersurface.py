"""What the renderers of Sec. 3.2 draw, from small made-up curves."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.contour import ContourSet

from opchar.figures import style
from opchar_reproduction.publications.landgrebe2007.chapter3.five_classes import scatter


def test_boundaries_run_between_the_nodes_of_the_grid_and_classes_have_their_numbers():
    x, y = (part.ravel() for part in np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 6)))
    margin = x + 0.3 * y - 0.57
    decisions = pd.DataFrame({"x": x, "y": y, "margin_1": margin, "margin_2": -margin})
    objects = pd.DataFrame({"x": [0.9, 0.1], "y": [0.5, 0.5], "class": [1.0, 2.0]})
    with style.figure_style():
        figure = scatter(pd.DataFrame(), {"decisions": decisions, "objects": objects})
        panel = figure.axes[0]
        drawn = [part for part in panel.collections if isinstance(part, ContourSet)]
        lines = [part for part in drawn if not part.filled]
        assert len(lines) == 2 and len(drawn) == 4
        for line in lines:
            found = np.concatenate([path.vertices for path in line.get_paths()])
            assert len(found) > 5
            assert found @ [1, 0.3] == pytest.approx(np.full(len(found), 0.57))
        written = [text.get_text() for text in figure.legends[0].get_texts()]
        assert written == [r"$\omega_1$", r"$\omega_2$"]
