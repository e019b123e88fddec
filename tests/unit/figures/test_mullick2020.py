"""Figures of mullick2020 show what was measured."""

import numpy as np
import pandas as pd
import pytest

from measuring import entries, measure, parameters_of
from opchar.figures.style import figure_style
from opchar.publications.mullick2020.conditions.draw import groups
from opchar.publications.mullick2020.example.draw import example_1, two_distortions
from opchar.publications.mullick2020.test_sets import draw as test_sets

NONE = pd.DataFrame()
ARTEFACTS = entries("artefacts", "mullick2020")


@pytest.fixture(autouse=True)
def house_style():
    with figure_style():
        yield


def frames(address, folder):
    return dict(measure("mullick2020", address, folder).frames)


def test_figure_1_has_a_curve_for_each_setting(tmp_path):
    drawn = two_distortions(NONE, frames("mullick2020/distortions", tmp_path))
    left, right = drawn.axes
    lows = [line.get_ydata()[0] for line in right.lines if len(line.get_xdata()) > 50]
    assert np.allclose(lows, [0, 1 / 3, 4 / 9])
    assert left.get_legend().get_texts()[0].get_text() == "RRT = 1"


def test_figure_2_has_the_panels_of_the_example(tmp_path):
    drawn = example_1(NONE, frames("mullick2020/example-1", tmp_path))
    assert len(drawn.axes) == 6 and len(drawn.axes[2].lines) == 6


def test_figure_6_shows_the_verdicts():
    table = pd.DataFrame(
        {
            "index": ["good", "bad", "two"],
            "Condition 1": [1.0, 0.0, 1.0],
            "Condition 2": [1.0, 1.0, np.nan],
            "Condition 2, equal classes": [1.0, 0.0, np.nan],
            "Condition 3": [0.0, 1.0, np.nan],
            "Condition 3, epsilon = 1/C": [1.0, 1.0, np.nan],
        }
    )
    left, right = groups(NONE, {"conditions": table}).axes
    met, violated = left.lines
    assert len(met.get_xdata()) == 5 and len(violated.get_xdata()) == 2
    assert [label.get_text() for label in right.get_yticklabels()] == ["good"]


def deviations(names):
    return pd.DataFrame(
        [
            (f"{classes} classes, {number}", classes, name, 0.1 * place + 0.01 * number)
            for number, classes in enumerate((3, 5, 10), 1)
            for place, name in enumerate(names, 1)
        ],
        columns=["problem", "classes", "index", "deviation"],
    )


def test_figures_3_to_5_mark_every_index_of_every_problem():
    par = {name: parameters_of(entry) for name, entry in ARTEFACTS.items()}
    shown = par["mullick2020/figure-3"]
    averages = pd.concat([deviations(["a", "b"]).assign(averaging=a) for a in shown["averaging"]])
    two = test_sets.two_class(NONE, {"both averages": averages}, **shown)
    assert [len(panel.lines) for panel in two.axes] == [2, 2]
    assert two.axes[0].lines[1].get_ydata().tolist() == pytest.approx([0.21, 0.22, 0.23])
    many = deviations(["GMean", "ACSA", "nAUROC-OVA"])
    both = test_sets.multi_class(NONE, {"deviations": many})
    assert min(both.axes[1].lines[0].get_ydata()) == pytest.approx(1)
    assert both.axes[1].lines[0].get_marker() == both.axes[0].lines[1].get_marker()
    minima = many.rename(columns={"deviation": "minimum"})
    least = test_sets.least_values(NONE, {"minima": minima})
    labels = [label.get_text() for label in least.axes[0].get_xticklabels()]
    assert labels == ["1\n$C$ = 3", "2\n$C$ = 5", "3\n$C$ = 10"]


def test_sampling_and_stability_are_drawn_by_index():
    spread = pd.DataFrame(
        {"index": ["a", "a", "b"], "distortion": [0.0, 0.2, 0.1], "sampling": [0.1, 0.1, 0.3]}
    )
    bars = test_sets.sampling_share(NONE, {"sampling spread": spread}).axes[0].patches
    assert [bar.get_height() for bar in bars] == pytest.approx([0.1, 0.1, 0.1, 0.3])
    tau = pd.DataFrame({"index": ["a", "b", "b"], "tau": [1.0, 0.0, np.nan]})
    power = pd.DataFrame(
        {"index": ["a", "a", "b", "b"], "test set": ["x", "y"] * 2, "power": [0.1, 0.2, 0.3, 0.4]}
    )
    left, right = test_sets.stability(NONE, {"rank stability": tau, "power": power}).axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["a", "b"]
    assert right.lines[1].get_ydata().tolist() == [0.3, 0.4]
