"""What the renderers of chapters 1 and 2 draw, from small made-up curves."""

import numpy as np
import pandas as pd
import pytest

from opchar.figures import style
from opchar.publications.landgrebe2007.chapter1.design_chain.draw import design_chain
from opchar.publications.landgrebe2007.chapter1.weighted_outputs import two_operating_points
from opchar.publications.landgrebe2007.chapter2.case_study.draw import case_study
from opchar.publications.landgrebe2007.chapter2.skew.draw import accuracy_and_precision
from opchar.publications.landgrebe2007.chapter2.two_gaussians.draw import (
    two_error_types,
    two_points_on_the_roc,
)

LINES = ["artefact", "row", "column", "kind", "value"]


def lines(*rows):
    return pd.DataFrame(rows, columns=LINES)


def grid(**columns):
    x, y = (part.ravel() for part in np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9)))
    return pd.DataFrame({"x1": x, "x2": y} | {name: f(x, y) for name, f in columns.items()})


def labels(panel):
    return [text.get_text() for text in panel.texts]


@pytest.fixture(autouse=True)
def look():
    with style.figure_style():
        yield
        style.plt.close("all")


def test_both_errors_are_filled_up_to_the_boundary():
    x = np.linspace(-3, 3, 61)
    curves = pd.concat(
        [
            pd.DataFrame({"class": k, "x": x, "density": np.exp(-((x - m) ** 2))})
            for k, m in ((1, -1), (2, 1))
        ]
    )
    results = lines(
        ("figure-2.1", "theta_d", "boundary", "number", 0.5),
        ("figure-2.1", "theta_d", "FN_r", "number", 0.1),
        ("figure-2.1", "theta_d", "FP_r", "number", 0.2),
    )
    figure = two_error_types(results, {"densities": curves})
    panel = figure.axes[0]
    missed, alarmed = (filled.get_paths()[0].vertices[:, 0] for filled in panel.collections)
    assert missed.min() == pytest.approx(0.5)
    assert alarmed.max() == pytest.approx(0.5)
    written = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "$FN_r$ = 0.100" in written
    assert "$FP_r$ = 0.200" in written


def test_points_a_and_b_stand_where_the_lines_say():
    results = lines(
        *[
            ("figure-2.2", f"point {name}", rate, "number", value)
            for name, rate, value in (
                ("A", "FN_r", 0.2),
                ("A", "FP_r", 0.2),
                ("B", "FN_r", 0.4),
                ("B", "FP_r", 0.1),
            )
        ],
        ("figure-2.2", "points A and B", "", "claim", 1.0),
    )
    curves = {"roc": pd.DataFrame({"fpr": [0, 0.2, 1], "fnr": [1, 0.2, 0]})}
    panel = two_points_on_the_roc(results, curves).axes[0]
    assert labels(panel) == ["$FN_r = FP_r$", "A", "B"]
    assert [text.xy for text in panel.texts[1:]] == [(0.2, 0.2), (0.1, 0.4)]


def case_study_curves():
    roc = pd.DataFrame({"fpr": [0, 0.01, 0.03, 1], "fnr": [1, 0.08, 0.01, 0]})
    marks = {"mark": ["lo", "e", "hi"], "fpr": [0.0, 0.02, 0.05], "fnr": [0.1, 0.02, 0.0]}
    return {
        "objects": pd.DataFrame({"x1": [0, 1, 0.5], "x2": [0, 1, 0.2], "class": [1, 2, 1]}),
        "decisions": pd.concat(
            [
                grid(excess=lambda x, y: x - 0.5).assign(model="A"),
                grid(excess=lambda x, y: y - 0.5).assign(model="B"),
            ]
        ),
        "roc": pd.concat([roc.assign(model=name) for name in "AB"]),
        "marks": pd.concat([pd.DataFrame(marks).assign(model=name) for name in "AB"]),
    }


def test_the_case_study_marks_six_operating_points_inside_the_panel():
    figure = case_study(lines(), case_study_curves())
    left, right = figure.axes
    assert labels(right) == [f"${m}_{{{k}}}$" for m in "AB" for k in ("lo", "e", "hi")]
    low, high = right.get_xlim()
    assert all(low < text.xy[0] < high for text in right.texts)
    assert len(left.collections) == 2
    vertical, horizontal = (c.get_paths()[0].vertices for c in left.collections)
    assert vertical[:, 0] == pytest.approx(0.5)
    assert horizontal[:, 1] == pytest.approx(0.5)


def test_accuracy_and_precision_stand_beside_the_majority():
    results = lines(("figure-2.4", "linear discriminant", "TN_r", "number", 0.9))
    skew = pd.DataFrame({"skew": [1, 10], "accuracy": [0.8, 0.9], "precision": [0.7, 0.3]})
    panel = accuracy_and_precision(results, {"skew": skew}).axes[0]
    assert panel.get_xscale() == "log"
    assert panel.lines[2].get_ydata()[0] == 0.9
    assert labels(panel) == ["accuracy", "precision", "$TN_r$ = 0.900"]
    assert [line.get_ydata()[-1] for line in panel.lines[:2]] == [0.9, 0.3]


def test_two_operating_points_have_two_boundaries_each():
    objects = pd.DataFrame({"x1": [0, 1, 0.5], "x2": [0, 1, 0.2], "class": [1, 2, 3]})
    one = grid(
        margin_1=lambda x, y: 0.4 - x, margin_23=lambda x, y: np.where(x < 0.4, np.nan, y - 0.5)
    )
    decisions = pd.concat([one.assign(series=s) for s in ("equal weights", "weighted")])
    figure = two_operating_points(lines(), {"objects": objects, "decisions": decisions})
    assert len(figure.axes[0].collections) == 4
    written = [text.get_text() for text in figure.legends[0].get_texts()]
    assert written[-2:] == ["equal weights", "weighted"]


def test_words_of_the_design_chain_stay_inside_their_boxes():
    stages = pd.DataFrame(
        {
            "name": ["problem", "evaluation", "use"],
            "done": ["specifications and behaviour; an evaluation that fits them", "choice", "run"],
            "use": ["", "many operating points, ranges of priors and costs", ""],
        }
    )
    figure = design_chain(lines(), {"stages": pd.concat([stages, stages])})
    panel = figure.axes[0]
    figure.canvas.draw()
    boxes = [p.get_window_extent() for p in panel.patches if hasattr(p, "get_boxstyle")]
    boxes = [box for box in boxes if box.height > 20]
    assert len(boxes) == 7
    for text in panel.texts:
        words = text.get_window_extent()
        assert any(
            box.x0 <= words.x0 and words.x1 <= box.x1 and box.y0 <= words.y0 and words.y1 <= box.y1
            for box in boxes
        ), text.get_text()
