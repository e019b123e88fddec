"""What a figure says of itself, and that its marks are what its counts say."""

import numpy as np
import pandas as pd
import pytest

from opchar.figures import style
from opchar_reproduction.jobs.showing.figure import notes
from opchar_reproduction.publications.landgrebe2007.chapter4.section3.perturbation import (
    draw_slices,
)
from opchar_reproduction.publications.landgrebe2007.vus_figures import cloud_of_rates
from opchar_reproduction.publications.soleymani2020.section3.cost_curves.draw import _trivial_costs
from opchar_reproduction.publications.soleymani2020.section4.trajectory import draw as faces
from opchar_reproduction.publications.tharwat2018 import layouts
from opchar_reproduction.publications.tharwat2018.thresholds import draw as thresholds


@pytest.fixture(autouse=True)
def look():
    with style.figure_style():
        yield


def lines(basis="exact", data="none (analytic)"):
    return pd.DataFrame({"artefact": ["figure-1", "figure-2"], "basis": ["exact", basis],
                         "data": ["none (analytic)", data]})  # fmt: skip


def test_an_illustration_says_so_and_its_neighbour_does_not():
    ours = lines(basis="illustration")
    assert notes({"lines": ["figure-1"]}, ours) == []
    said = notes({"lines": ["figure-1", "figure-2"]}, ours)
    assert said == ["Illustration: parameters chosen for this reproduction."]


def test_a_figure_may_say_which_part_was_chosen():
    said = notes({"lines": ["figure-1"], "illustration": "the sample of (b)"}, lines())
    assert said == ["Illustration: the sample of (b) chosen for this reproduction."]


def test_equal_stand_ins_share_one_line():
    data = "stand-in for a: faces; stand-in for b: faces"
    assert notes({"lines": ["figure-2"]}, lines(data=data)) == ["stand-in for a and b: faces"]


def test_a_figure_names_only_the_stand_ins_of_its_own_lines():
    given = lines(data="stand-in for a: faces")
    assert notes({"lines": ["figure-1"]}, given) == []
    assert notes({"lines": []}, given) == ["stand-in for a: faces"]


def sweep(scores, positive, threshold):
    scores, positive = np.array(scores), np.array(positive)
    reached = scores >= threshold
    counts = {
        "tp": (reached & positive).sum(), "fn": (~reached & positive).sum(),
        "fp": (reached & ~positive).sum(), "tn": (~reached & ~positive).sum(),
    }  # fmt: skip
    shown = pd.DataFrame({"number": [1], "threshold": [threshold]} | counts)
    return {"samples": pd.DataFrame({"score": scores, "positive": positive}), "shown": shown}


@pytest.mark.parametrize("threshold", [np.inf, 0.8, 0.5, 0.0])
def test_as_many_marks_as_counts(threshold):
    made = sweep([0.8, 0.79, 0.5, 0.5, 0.1], [True, False, True, False, False], threshold)
    panel = thresholds.at_threshold(pd.DataFrame(), made, number=1).axes[0]
    shown = made["shown"].iloc[0]
    drawn = dict.fromkeys(("tp", "fn", "fp", "tn"), 0)
    for line in panel.lines:
        shape, filled = line.get_marker(), line.get_markerfacecolor() != "white"
        if line.get_linestyle() == "None" and shape in ("o", "s"):
            cell = {("o", True): "tp", ("o", False): "fn", ("s", True): "fp", ("s", False): "tn"}
            drawn[cell[shape, filled]] += len(line.get_xdata())
    assert drawn == {name: shown[name] for name in drawn}


def test_samples_of_nearly_equal_scores_do_not_cover_each_other():
    score = pd.Series([0.1, 0.11, 0.12, 0.2])
    level = thresholds._stack_levels(score)
    assert level.tolist() == [0, 1, 2, 0]


def test_complements_differ_in_what_is_deep():
    accuracy = {"numerator": "tp tn", "right": "tp tn", "wrong": "fp fn"}
    error = accuracy | {"numerator": "fp fn"}
    for region in ("tp", "fp", "fn", "tn"):
        assert layouts._look(region, accuracy) != layouts._look(region, error)


def pair(name, first, second):
    x = np.linspace(0, 1, 101)
    return pd.concat([
        pd.DataFrame({"panel": name, "series": series, "x": x, "y": (1 - x) * fpr + x * (1 - tpr)})
        for series, (tpr, fpr) in (("C1", first), ("C2", second))
    ])  # fmt: skip


def test_shade_covers_exactly_where_a_trivial_classifier_is_as_cheap():
    _, (panel,) = style.panels()
    _trivial_costs(panel, pair("a", (0.8, 0.2), (0.5, 0.4)))
    vertices = np.concatenate([path.vertices for path in panel.collections[0].get_paths()])
    inside = vertices[(vertices[:, 0] > 0.21) & (vertices[:, 0] < 0.79)]
    assert len(inside) == 0
    assert vertices[:, 0].min() == 0
    assert vertices[:, 0].max() == 1


def test_stills_are_not_called_frames():
    shown = pd.Series({"person": "01", "video": "video 2"})
    stills = pd.DataFrame({"data": ["stand-in for cox-rois: photographs"]})
    assert "frames 1 to 21" in faces._title(pd.DataFrame({"data": ["cox-rois"]}), shown, 21)
    assert "video 2" not in faces._title(stills, shown, 21)


def test_a_cloud_shows_every_point_from_aside_and_from_above():
    cloud = pd.DataFrame(np.random.default_rng(1).random((30, 3)), columns=["a", "b", "c"])
    figure = cloud_of_rates(cloud, {"a": "a", "b": "b", "c": "c"})
    cube = next(panel for panel in figure.axes if panel.name == "3d")
    above = next(panel for panel in figure.axes if panel.get_title(loc="left").startswith("(b)"))
    inside = np.asarray(cube.collections[0]._offsets3d).T
    assert sorted(map(tuple, inside)) == sorted(map(tuple, cloud.to_numpy()))
    drawn = np.asarray(above.collections[0].get_offsets())
    assert sorted(map(tuple, drawn)) == sorted(map(tuple, cloud[["a", "b"]].to_numpy()))


def test_slices_show_changes_and_leave_out_the_weight_that_changes_nothing():
    rates = {"default": (0.9, 0.1), "phi_1 = 1": (0.9, 0.1), "phi_1 = 10": (1.0, 0.0)}
    table = pd.DataFrame([
        {"series": name, "true": 1, "assigned": k, "rate": rate}
        for name, row in rates.items() for k, rate in enumerate(row, start=1)
    ])  # fmt: skip
    figure = draw_slices(pd.DataFrame(), {"confusion": table})
    assert [panel.get_title() for panel in figure.axes] == [r"$\phi_1$ = 10"]
    assert [text.get_text() for text in figure.axes[0].texts] == ["+0.100", "−0.100"]
