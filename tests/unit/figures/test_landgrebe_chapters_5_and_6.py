"""What the renderers of chapters 5 and 6 draw, from small made-up curves."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.contour import ContourSet
from mpl_toolkits.mplot3d import proj3d

from opchar.figures import style
from opchar.publications.landgrebe2007 import operating_surfaces_figures as operating_surfaces
from opchar.publications.landgrebe2007.chapter5 import known_densities
from opchar.publications.landgrebe2007.chapter5.case_study import draw as case_study
from opchar.publications.landgrebe2007.chapter5.illustrations.draw import (
    block_diagram,
    two_models,
    unseen_class,
)
from opchar.publications.landgrebe2007.chapter5.planar_figures import NAMES
from opchar.publications.landgrebe2007.chapter5.sequential.draw import areas
from opchar.publications.landgrebe2007.chapter6.known_example import draw as example
from opchar.publications.landgrebe2007.chapter6.systems.draw import two_stages
from opchar.publications.studies.reject_curves import curves_with_bands
from opchar.publications.studies.two_stage_gain import gains
from opchar.publications.studies.vuc_and_loss import volume_and_loss

NOTHING = pd.DataFrame()
KINDS = ("target", "outlier", "unseen")


@pytest.fixture(autouse=True)
def look():
    with style.figure_style():
        yield
        style.plt.close("all")


def objects(part="train", number=5):
    rng = np.random.default_rng(1)
    frames = [
        pd.DataFrame(rng.normal(place, 1, (number, 2)), columns=["x", "y"]).assign(
            **{"class": name}
        )
        for place, name in enumerate(KINDS)
    ]
    return pd.concat(frames).assign(part=part)


def grid(edge, **more):
    x, y = (part.ravel() for part in np.meshgrid(np.linspace(-3, 3, 25), np.linspace(-3, 3, 25)))
    return pd.DataFrame({"x": x, "y": y, "margin": edge - x}).assign(**more)


def drawn(panel, label):
    """Return the coordinates of the line with a label."""
    (line,) = [line for line in panel.lines if line.get_label() == label]
    return np.column_stack([line.get_xdata(), line.get_ydata()])


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def titles(figure):
    return [panel.get_title(loc="left") for panel in figure.axes if panel.get_title(loc="left")]


def edges(panel):
    """Return the x coordinates of the lines where the margin of the target class is zero."""
    return [part.get_paths()[0].vertices[:, 0] for part in panel.collections]


def test_objects_and_boundary_of_the_unseen_class():
    both = pd.concat([objects("train").query("`class` != 'unseen'"), objects("test")])
    figure = unseen_class(NOTHING, {"scatter": both, "boundary": grid(0.0)})
    known, use = figure.axes
    shown = [line.get_label() for line in known.lines]
    assert shown == [NAMES["target"], NAMES["outlier"]]
    for name in KINDS:
        own = both[(both["part"] == "test") & (both["class"] == name)][["x", "y"]]
        drawn_here = drawn(use, NAMES[name])
        limit = len(own) if name != "unseen" else 200
        assert drawn_here == pytest.approx(own.to_numpy()[:limit])
    for panel in (known, use):
        assert edges(panel)[0] == pytest.approx(0.0, abs=1e-9)
    assert legend(figure) == [*NAMES.values(), "assigned to the target class"]


def test_each_model_has_its_own_region_and_object_a():
    curves = {
        "scatter": objects(),
        "boundary": pd.concat([grid(0.0, model="linear"), grid(1.0, model="mixture")]),
    }
    figure = two_models(NOTHING, curves, models=["linear", "mixture"], object_a=[0.5, 0.25])
    assert [edges(panel)[0].mean() for panel in figure.axes] == pytest.approx([0.0, 1.0], abs=1e-9)
    for panel in figure.axes:
        assert drawn(panel, "object A").tolist() == [[0.5, 0.25]]
        assert NAMES["unseen"] not in [line.get_label() for line in panel.lines]
    assert titles(figure) == ["(a) linear model", "(b) mixture model"]


def test_the_block_diagram_names_both_stages_and_four_ends():
    panel = block_diagram(NOTHING, {}).axes[0]
    said = [text.get_text() for text in panel.texts]
    assert ["OCC" in said[0], "MCC" in said[1]] == [True, True]
    assert said.count("outlier") == 2
    assert said.count("target") == 1


def test_areas_are_means_and_deviations_over_folds():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [
            ("A", classifier, measure, fold, rng.uniform(0.5, 1))
            for classifier in "MRS"
            for measure in ("clf", "rej1", "rej2")
            for fold in range(4)
        ],
        columns=["problem", "classifier", "measure", "fold", "area"],
    )
    panel = areas(NOTHING, {"areas": frame}, problems=["A"]).axes[0]
    table = frame.groupby(["classifier", "measure"])["area"]
    for container, name in zip(panel.containers, "MRS", strict=True):
        points, _, (bars,) = container.lines
        assert points.get_ydata() == pytest.approx(table.mean()[name].to_numpy())
        half = [np.ptp(segment[:, 1]) / 2 for segment in bars.get_segments()]
        assert half == pytest.approx(table.std()[name].to_numpy())
        assert container.get_label().startswith(name)


def surface(**more):
    t_d, theta = (part.ravel() for part in np.meshgrid(np.linspace(0, 1, 7), np.arange(9)))
    rate = theta / 8 * (1 - t_d / 2)
    frame = pd.DataFrame({"t_d": t_d, "theta": theta, "fpr_o": rate**2, "fpr_r": rate * (1 - t_d)})
    frame = frame.sort_values(["t_d", "theta"]).reset_index(drop=True)
    rate = frame["theta"] / 8 * (1 - frame["t_d"] / 2)
    return frame.assign(tpr=rate, mean_performance=(1 + rate - frame["fpr_o"]) / 2, **more)


def floor(cube):
    """Return the lines on the floor of a cube."""
    (lines,) = [part for part in cube.collections if isinstance(part, ContourSet)]
    return lines


def shown_heights(legend):
    return [float(text.get_text()) for text in legend.get_texts()]


def test_lines_on_the_floor_have_the_height_that_they_are_named_by():
    a, b = (part.ravel() for part in np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 5)))
    frame = pd.DataFrame({"a": a, "b": b, "x": a * b, "y": a * (1 - b), "height": a})
    frame = frame.sort_values(["a", "b"])
    figure, (flat,) = style.panels()
    cube = operating_surfaces.cube_in_place(figure, flat)
    levels = (0.3, 0.7)
    rates = ("x", "y", "height")
    operating_surfaces.surface_with_floor(cube, frame, ("a", "b"), rates, levels, {})
    assert figure.axes == [cube]
    lines = floor(cube)
    assert lines.levels.tolist() == list(levels)
    before = [path.vertices.copy() for path in lines.get_paths()]
    for level, points in zip(levels, before, strict=True):
        assert points.sum(axis=1) == pytest.approx(level)
        assert np.ptp(points[:, 0]) == pytest.approx(level)
    figure.canvas.draw()
    for points, path in zip(before, lines.get_paths(), strict=True):
        there = proj3d.proj_transform(*points.T, np.zeros(len(points)), cube.get_proj())
        assert path.vertices == pytest.approx(np.column_stack(there[:2]))
    handles = operating_surfaces.floor_lines(levels)
    assert [float(line.get_label()) for line in handles] == list(levels)
    assert handles[0].get_linestyle() != handles[1].get_linestyle()


def test_the_case_study_draws_a_boundary_and_a_curve_a_model():
    names = list(case_study.MODELS)
    curves = {
        "scatter": objects(),
        "boundary": pd.concat([grid(place, model=name) for place, name in enumerate(names)]),
        "surface": pd.concat([surface(model=name) for name in names]),
        "operating points": pd.DataFrame(
            {"model": names, "fold": 0, "fpr": 0.2, "performance": 0.9}
        ),
    }
    figure = case_study.boundaries(NOTHING, curves)
    train, use = figure.axes
    assert not train.collections
    assert [edge.mean() for edge in edges(use)] == pytest.approx([0.0, 1.0, 2.0], abs=1e-9)
    assert legend(figure)[-3:] == names
    figure = case_study.operating_characteristics(NOTHING, curves)
    lower = [
        panel for panel in figure.axes if panel.get_xlabel() == "$FP_r^r$" and panel.name != "3d"
    ]
    assert len(lower) == 3
    own = surface()
    for panel in lower:
        *lines, mark = panel.lines
        assert (*mark.get_xdata(), *mark.get_ydata()) == (0.2, 0.9)
        levels = own["t_d"].unique()[:-1:2]
        for line, level in zip(lines, levels, strict=True):
            part = own[own["t_d"] == level]
            assert line.get_xdata() == pytest.approx(part["fpr_r"].to_numpy())
            assert line.get_ydata() == pytest.approx(part["mean_performance"].to_numpy())
    cubes = [panel for panel in figure.axes if panel.name == "3d"]
    assert [cube.get_title(loc="left") for cube in cubes] == names
    assert [cube.get_zlabel() for cube in cubes] == ["$TP_r$"] * 3
    for cube in cubes:
        assert floor(cube).levels.tolist() == shown_heights(figure.legends[-1])
        for level, path in zip(floor(cube).levels, floor(cube).get_paths(), strict=True):
            assert path.vertices[:, 0] == pytest.approx(level**2, abs=0.005)


def test_known_densities_show_threshold_and_regions():
    x = np.linspace(-6, 9, 31)
    regions = pd.DataFrame({"t_d": [0.0, 0.15], "low": [-np.inf, -1.4], "high": [1.25, 1.25]})
    densities = [
        pd.DataFrame({"class": k, "x": x, "density": 0.1 * i}) for i, k in enumerate(KINDS)
    ]
    curves = {"densities": pd.concat(densities), "regions": regions}
    figure = known_densities.synthetic_example(NOTHING, curves)
    panel = figure.axes[0]
    for number, name in enumerate(KINDS):
        assert drawn(panel, known_densities.NAMES[name])[:, 1] == pytest.approx(0.1 * number)
    box = panel.patches[0]
    assert (box.get_x(), box.get_x() + box.get_width()) == pytest.approx((-1.4, 1.25))
    said = {text.get_text(): text.get_position()[0] for text in panel.texts}
    assert said["$t_d = 0.15$"] == pytest.approx(8.9)
    assert said["target"] == pytest.approx((-1.4 + 1.25) / 2)
    roc = surface().query("t_d in [0, 0.5, 1]")
    figure = known_densities.fixed_thresholds(NOTHING, {"roc": roc, "surface": surface()})
    flat = [panel for panel in figure.axes if panel.name != "3d"]
    columns = [("fpr_o", "tpr"), ("fpr_r", "tpr"), ("fpr_r", "mean_performance")]
    for panel, (first, second) in zip(flat, columns, strict=True):
        for level in (0, 0.5, 1):
            own = roc[roc["t_d"] == level][[first, second]].to_numpy()
            assert drawn(panel, f"$t_d$ = {level:g}") == pytest.approx(own)
    (cube,) = [panel for panel in figure.axes if panel.name == "3d"]
    assert floor(cube).levels.tolist() == shown_heights(cube.get_legend())


def test_bands_and_curves_are_those_of_the_frame():
    share = np.array([0.0, 0.1, 0.5])
    frame = pd.concat(
        [
            pd.DataFrame(
                {"share": share, "rate": share + 0.1, "low": share, "high": share + 0.2}
            ).assign(series=f"set / reject {model}", kind=kind)
            for model in ("ldc", "qdc")
            for kind in ("targets missed", "hidden class accepted")
        ]
    )
    panel = curves_with_bands(NOTHING, {"curves": frame}).axes[0]
    assert [line.get_label() for line in panel.lines] == [
        f"{model}: {kind}"
        for model in ("LDC", "QDC")
        for kind in ("targets missed", "hidden class accepted")
    ]
    for line, band in zip(panel.lines, panel.collections, strict=True):
        assert line.get_ydata() == pytest.approx(share + 0.1)
        heights = band.get_paths()[0].vertices[:, 1]
        assert (heights.min(), heights.max()) == pytest.approx((0.0, 0.7))


def test_a_point_a_model_stands_at_its_mean_volume_and_loss():
    frame = pd.DataFrame(
        [
            (data, model, number / 10 + fold / 100, 0.5 - number / 10)
            for data in ("one", "two")
            for number, model in enumerate(("reject ldc", "reject qdc"))
            for fold in range(3)
        ],
        columns=["data set", "model", "vuc", "loss"],
    )
    results = pd.DataFrame({"row": ["one", "two"], "column": "VUC and loss", "value": [-1.0, 0.25]})
    figure = volume_and_loss(results, {"vuc and loss": frame})
    for panel in figure.axes[:2]:
        assert drawn(panel, "LDC") == pytest.approx(np.array([[0.01, 0.5]]))
        assert drawn(panel, "QDC") == pytest.approx(np.array([[0.11, 0.4]]))
    assert titles(figure) == ["one\nSpearman -1.00", "two\nSpearman 0.25"]


def characteristic():
    theta_c = np.linspace(0, 1, 5)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "theta_d": d,
                    "theta_c": theta_c,
                    "eps_I": theta_c,
                    "eps_II": 1 - theta_c,
                    "fpr": d,
                }
            )
            for d in (0.01, 0.05, 0.13, 0.2, 0.3)
        ]
    )


def made_designs():
    return pd.DataFrame(
        {
            "role": ["H", "N", ""],
            "eps_I": [0.3, 0.2, 0.1],
            "eps_II": [0.2, 0.2, 0.2],
            "fpr": [0.2, 0.4, 0.5],
            "loss": [4.0163, 4.2292, 5.0],
        }
    )


def test_three_detectors_have_their_threshold_and_their_curve():
    x = np.linspace(-8, 8, 9)
    densities = [
        pd.DataFrame({"class": name, "x": x, "density": 0.1 * number})
        for number, name in enumerate(("first", "second", "outlier"))
    ]
    frame = characteristic().query("theta_d < 0.15")
    curves = {"densities": pd.concat(densities), "characteristic": frame}
    figure = example.fixed_detectors(NOTHING, curves)
    for column, level in enumerate((0.01, 0.05, 0.13)):
        upper, lower = figure.axes[column], figure.axes[3 + column]
        assert set(drawn(upper, r"$\theta_d$")[:, 1]) == {level}
        own = frame[frame["theta_d"] == level]
        points = lower.collections[0]
        assert np.asarray(points.get_offsets()) == pytest.approx(
            own[["eps_I", "eps_II"]].to_numpy()
        )
        assert np.asarray(points.get_array()) == pytest.approx(own["fpr"].to_numpy())
    assert legend(figure) == [*example.NAMES.values(), r"$\theta_d$"]


def test_designs_stand_where_their_rates_are():
    costs = np.array([0.0, 0.5, 1.0])
    second, outlier = (part.ravel() for part in np.meshgrid(costs, costs))
    differences = pd.DataFrame({"c_t2": second, "c_o": outlier, "difference": second - outlier})
    curves = {"surface": characteristic(), "designs": made_designs(), "differences": differences}
    figure = example.designs(NOTHING, curves)
    (cube,) = [panel for panel in figure.axes if panel.name == "3d"]
    assert floor(cube).levels.tolist() == shown_heights(cube.get_legend())
    section = next(panel for panel in figure.axes if panel.get_xlabel() == r"$\epsilon_I$")
    assert drawn(section, "N: loss 4.23").tolist() == [[0.2, 0.4]]
    assert drawn(section, "H: loss 4.02").tolist() == [[0.3, 0.2]]
    heat = next(panel for panel in figure.axes if panel.get_ylabel() == "$c_o$").collections[0]
    table = differences.pivot_table(index="c_o", columns="c_t2", values="difference")
    assert np.asarray(heat.get_array()) == pytest.approx(table.to_numpy())
    panel = example.nearness(NOTHING, {"designs": made_designs()}, printed=4.18).axes[0]
    assert panel.lines[0].get_ydata() == pytest.approx([4.0163, 4.2292, 5.0])
    assert set(drawn(panel, "published: 4.18")[:, 1]) == {4.18}


def test_both_stages_mark_what_passes_and_what_is_called_first():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(40, 2)), columns=["x", "y"])
    names = ["outlier", "target 1", "target 2", "outlier"]
    frame = frame.assign(**{"class": np.tile(names, 10), "passes": np.arange(40) % 3 > 0})
    frame = frame.assign(first=np.arange(40) % 5 > 2).astype({"passes": float, "first": float})
    figure = two_stages(NOTHING, {"passing": frame})
    detector, classifier = figure.axes
    passing = frame[frame["passes"] == 1]
    strong = [line for line in detector.lines if line.get_alpha() > 0.5]
    assert sum(len(line.get_xdata()) for line in strong) == len(passing)
    assert sum(len(line.get_xdata()) for line in detector.lines) == len(frame)
    filled = [
        line
        for line in classifier.lines
        if line.get_marker() != "+" and line.get_fillstyle() == "full"
    ]
    first = passing[(passing["class"] != "outlier") & (passing["first"] == 1)]
    assert sum(len(line.get_xdata()) for line in filled) == len(first)
    assert sorted(legend(figure)) == ["outlier", "target 1", "target 2"]


def test_gains_are_means_with_their_intervals():
    frame = pd.DataFrame(
        [
            ("set / ldc", prior, cost, prior * cost, prior * cost - 1, prior * cost + 2)
            for prior in (0.5, 0.1)
            for cost in (4.0, 0.25, 1.0)
        ],
        columns=["system", "prior", "c_t1", "mean", "low", "high"],
    )
    figure = gains(NOTHING, {"intervals": frame})
    panel = figure.axes[0]
    for line, band, prior in zip(panel.lines, panel.collections, (0.1, 0.5), strict=False):
        part = frame[frame["prior"] == prior].sort_values("c_t1")
        assert line.get_xdata() == pytest.approx(part["c_t1"].to_numpy())
        assert line.get_ydata() == pytest.approx(part["mean"].to_numpy())
        corners = band.get_paths()[0].vertices
        for cost, low, high in zip(part["c_t1"], part["low"], part["high"], strict=True):
            heights = corners[corners[:, 0] == cost][:, 1]
            assert (heights.min(), heights.max()) == pytest.approx((low, high))
    assert legend(figure) == ["$p(\\omega_o)$ = 0.1", "$p(\\omega_o)$ = 0.5"]
    assert panel.get_title(loc="left") == "set\nLDC"
