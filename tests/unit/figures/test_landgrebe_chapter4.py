"""What the renderers of all algorithms for class weights draw, from small made-up gains."""

import numpy as np
import pandas as pd
import pytest

from opchar.figures import style
from opchar.publications.studies.optimism import draw as all_algorithms

NAMES = ("Simple", "Naive", "Greedy", "Lachiche", "Pairs", "PairsG", "Decomp", "DecompG")
SETS = ("Digits", "Letter")
SCENARIOS, SPLITS = 5, 3


@pytest.fixture(autouse=True)
def look():
    with style.figure_style():
        yield
        style.plt.close("all")


def gains(lachiche=0.0):
    """Return gains of each kind; with a number for Lachiche, its gains on Letter fall to that."""
    rng = np.random.default_rng(5)
    keys = pd.MultiIndex.from_product(
        [SETS, range(SPLITS), ("test", "train", "half"), NAMES, range(SCENARIOS)],
        names=["data set", "fold", "found on", "algorithm", "scenario"],
    )
    table = pd.DataFrame({"gain": rng.uniform(-0.01, 0.03, len(keys))}, index=keys).reset_index()
    if lachiche:
        table.loc[(table["algorithm"] == "Lachiche") & (table["scenario"] == 0), "gain"] = lachiche
    return table


def by_hand(table, data, place, name):
    """Return the median over the splits of each scenario, in percent."""
    chosen = table[
        (table["data set"] == data) & (table["found on"] == place) & (table["algorithm"] == name)
    ]
    return np.array(
        [100 * np.median(chosen["gain"][chosen["scenario"] == s]) for s in range(SCENARIOS)]
    )


def marks(panel, place):
    """Return the points that are drawn with the mark of a place, in the order of drawing."""
    marker = all_algorithms.PLACES[place]["marker"]
    lines = [line.get_xydata() for line in panel.lines if line.get_marker() == marker]
    return np.vstack(lines)


def bars(panel, place):
    """Return both ends of each bar of quartiles of a place."""
    colour = all_algorithms.PLACES[place]["color"]
    return [
        line.get_xydata()
        for line in panel.lines
        if line.get_marker() == "None" and line.get_color() == colour
    ]


def titles(figure):
    return [panel.get_title(loc="left")[4:] for panel in figure.axes]


def test_each_algorithm_has_a_panel_with_every_scenario():
    table = gains()
    figure = all_algorithms.each_scenario(None, {"gains by set": table}, data="Letter")
    assert titles(figure) == list(NAMES)
    best = np.max([by_hand(table, "Letter", "test", name) for name in NAMES], axis=0)
    order = np.argsort(best, kind="stable")
    for panel, name in zip(figure.axes, NAMES, strict=True):
        (line,) = [one for one in panel.lines if one.get_label().startswith("largest")]
        assert line.get_ydata() == pytest.approx(best[order])
        for place in ("test", "train"):
            own = by_hand(table, "Letter", place, name)
            drawn = marks(panel, place)[:, 1]
            assert drawn == pytest.approx([*own[order], np.median(own)])
            (bar,) = bars(panel, place)
            assert bar[:, 1] == pytest.approx(np.quantile(own, [0.25, 0.75]))
    assert figure.get_suptitle() == "Letter"
    assert figure.axes[0].get_yscale() == "linear"


def test_another_data_set_is_drawn_where_the_one_asked_for_is_not_measured():
    table = gains()
    fewer = table[table["data set"] == "Digits"]
    figure = all_algorithms.each_scenario(None, {"gains by set": fewer}, data="Letter")
    assert figure.get_suptitle() == "Digits (Letter was not measured)"


def test_losses_far_beyond_the_gains_do_not_flatten_these():
    table = gains(lachiche=-0.2)
    figure = all_algorithms.each_scenario(None, {"gains by set": table}, data="Letter")
    for panel in figure.axes:
        assert panel.get_yscale() == "symlog"
        low, high = panel.get_ylim()
        assert low < -20 < 0 < high
        at = panel.transData.transform([(0, low), (0, 0), (0, high)])[:, 1]
        assert (at[2] - at[1]) / (at[2] - at[0]) > 0.3
        ticks = panel.get_yticks()
        assert (np.diff(ticks) > 0).all()
        assert min(ticks) < -high


def test_medians_and_quartiles_of_every_algorithm_on_each_data_set():
    table = gains()
    figure = all_algorithms.median_gains_of_sets(None, {"gains by set": table})
    assert titles(figure) == list(NAMES)
    for panel, name in zip(figure.axes, NAMES, strict=True):
        for place in ("test", "train"):
            own = [by_hand(table, data, place, name) for data in SETS]
            assert marks(panel, place)[:, 0] == pytest.approx(np.median(own, axis=1))
            drawn = [bar[:, 0] for bar in bars(panel, place)]
            assert np.array(drawn) == pytest.approx(np.quantile(own, [0.25, 0.75], axis=1).T)
        assert panel.get_ylim()[0] > panel.get_ylim()[1]
    for panel in (figure.axes[0], figure.axes[4]):
        assert [label.get_text() for label in panel.get_yticklabels()] == list(SETS)
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == [
        "equal weights (Default)",
        "weights found on the test objects",
        "weights found on the training objects",
    ]
