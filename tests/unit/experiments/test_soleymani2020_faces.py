"""Figure 8: the face regions that were filmed are those that are drawn, in their order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opchar.datasets.features import FeatureTable
from opchar.figures.style import figure_style, save
from opchar_reproduction.publications.soleymani2020.section4.trajectory.draw import (
    trajectory as draw,
)
from opchar_reproduction.publications.soleymani2020.section4.trajectory.measure import trajectory
from opchar_reproduction.results import read_curves, read_results

DATA = "stand-in for cox-rois: noise"


@pytest.fixture
def filmed() -> FeatureTable:
    """Two persons of four frames each, neither persons nor frames in order."""
    rng = np.random.default_rng(0)
    return FeatureTable(
        rng.integers(0, 256, (8, 64 * 64)).astype(float),
        np.array([1, 0, 0, 1, 0, 1, 0, 1]),
        ("ann", "bob"),
        tuple(f"p{number}" for number in range(1, 64 * 64 + 1)),
        {"data": DATA, "part": "video-2"},
        {"frame": np.array([0, 2, 0, 1, 3, 2, 1, 3])},
    )


def test_the_first_person_in_the_order_of_the_frames(filmed: FeatureTable) -> None:
    results = trajectory(features={"cox-rois": filmed}, count=3)
    pixels = results.curves["pixels"]
    assert np.array_equal(pixels["grey"].to_numpy().reshape(3, -1), filmed.X[[2, 6, 1]])
    assert pixels["frame"].unique().tolist() == [1, 2, 3]
    seventieth = pixels.iloc[69]
    assert (seventieth["row"], seventieth["column"]) == (1, 5)
    lines = results.frame(DATA).set_index("column")
    assert lines.loc["face regions", "value"] == 3
    assert lines.loc["person", "note"] == "ann" and lines.loc["video", "note"] == "video 2"


def test_all_regions_when_there_are_fewer(filmed: FeatureTable) -> None:
    results = trajectory(features={"cox-rois": filmed}, count=21)
    assert results.frame().loc[0, "value"] == 4


def test_a_table_without_frames_is_refused(filmed: FeatureTable) -> None:
    with pytest.raises(ValueError, match="no frames"):
        trajectory(features={"cox-rois": replace(filmed, groups={})}, count=3)


def test_every_region_is_drawn_row_by_row_with_person_and_video(
    filmed: FeatureTable, tmp_path: Path
) -> None:
    trajectory(features={"cox-rois": filmed}, count=3).write(
        tmp_path / "t.csv", tmp_path / "t.parquet", DATA
    )
    results, curves = read_results(tmp_path / "t.csv"), read_curves(tmp_path / "t.parquet")
    with figure_style():
        figure = draw(results, curves, per_row=2)
        drawn = [panel for panel in figure.axes if panel.images]
        shown = [np.asarray(panel.images[0].get_array()).ravel() for panel in drawn]
        assert np.array_equal(shown, filmed.X[[2, 6, 1]])
        assert [panel.get_title() for panel in drawn] == ["1", "2", "3"]
        assert drawn[1].get_position().x0 > drawn[0].get_position().x0
        assert drawn[2].get_position().y0 < drawn[0].get_position().y0
        title = "person ann: 3 still images in place of the frames of a trajectory"
        assert figure.get_suptitle() == title
        save(figure, {"svg": tmp_path / "one.svg"}, note=DATA)
        save(draw(results, curves, per_row=2), {"svg": tmp_path / "other.svg"}, note=DATA)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
    assert DATA in (tmp_path / "one.svg").read_text(encoding="utf-8")
