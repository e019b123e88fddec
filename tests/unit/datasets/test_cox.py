import hashlib
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from checkout import configured
from opchar.datasets.building import build
from opchar.datasets.features import FeatureTable
from opchar.datasets.images.cox import persons, read_video
from opchar.datasets.images.faces import Trajectories, generated
from opchar.datasets.images.lbp import lbp_histograms
from opchar.datasets.inventory import states
from opchar.datasets.sources.fetching import fetch
from opchar.errors import ConfigError, DataError
from opchar.files import read_json
from opchar.seeds import spawner

REGISTRY = configured("datasets")
IMAGES = REGISTRY["cox"]["images"]
MIRROR = os.environ.get("OPCHAR_MIRROR")
NAMES = ["20110319_0010", "20110319_0011", "20110320_0001"]


def small(name: str, registry: dict, root: Path, **options: object) -> FeatureTable:
    settings = {"policy": "offline", "mirrors": [], "user_folders": {}} | options
    fetch("cox", registry["cox"], folder=root / "cox", **settings)
    return build(name, registry, root / "cox", spawner(1, "features"))


def few(persons: int = 4, frames: int = 6) -> dict:
    """Return the registry with a smaller generated stand-in."""
    entry = REGISTRY["cox"]
    stand_in = entry["stand_in"] | {"options": {"persons": persons, "frames": frames}}
    return REGISTRY | {"cox": entry | {"stand_in": stand_in}}


def test_generated_faces_are_the_same_persons_in_another_light() -> None:
    left = generated(spawner(1), left=True, persons=3, frames=25)
    right = generated(spawner(1), left=False, persons=3, frames=25)
    assert left.rois.shape == (75, 64, 64) and left.rois.dtype == np.uint8
    assert left.person.tolist() == right.person.tolist()
    assert left.frame.tolist() == list(range(25)) * 3
    centre = slice(16, 48)
    half = left.rois[:, centre, 16:32].mean(), left.rois[:, centre, 32:48].mean()
    other = right.rois[:, centre, 16:32].mean(), right.rois[:, centre, 32:48].mean()
    assert half[0] > half[1] and other[0] < other[1]


def test_generated_trajectories_are_smooth_and_persons_differ() -> None:
    video = generated(spawner(1), left=True, persons=6, frames=25)
    rois = video.rois.reshape(6, 25, -1).astype(float)
    step = np.abs(np.diff(rois, axis=1)).mean()
    across = np.abs(rois[:, :1] - rois[:, -1:]).mean()
    between = np.abs(rois[0] - rois[1]).mean()
    assert step < 0.5 * across and step < 0.5 * between


def test_a_person_does_not_depend_on_how_many_there_are() -> None:
    two = generated(spawner(1), left=True, persons=2, frames=5)
    three = generated(spawner(1), left=True, persons=3, frames=5)
    assert np.array_equal(two.rois, three.rois[:10])


def test_generated_faces_are_recognised_across_videos_but_not_perfectly() -> None:
    left = generated(spawner(2), left=True, persons=30, frames=10)
    right = generated(spawner(2), left=False, persons=30, frames=10)
    train, test = lbp_histograms(left.rois), lbp_histograms(right.rois)
    middle = np.stack([train[left.person == name].mean(axis=0) for name in np.unique(left.person)])
    spread = train.std(axis=0) + 1e-9
    far = (((test[:, None] - middle) / spread) ** 2).sum(axis=2)
    right_one = far[np.arange(len(test)), np.repeat(np.arange(30), 10)]
    rank = (far < right_one[:, None]).sum(axis=1)
    assert 0.2 < rank.mean() / 29 < 0.45
    assert (rank == 0).mean() > 2 / 30


def test_views_of_the_generated_stand_in(tmp_path: Path) -> None:
    registry = few()
    one = small("cox-video-1", registry, tmp_path)
    two = small("cox-video-2", registry, tmp_path)
    assert one.X.shape == (24, 59) and one.classes == two.classes and len(one.classes) == 4
    assert one.X.sum(axis=1) == pytest.approx(np.ones(24)) and not np.array_equal(one.X, two.X)
    assert one.data == (
        "stand-in for cox-video-1: generated faces, 100 persons, 25 face regions in each of two "
        "videos"
    )
    assert one.groups["frame"].tolist() == list(range(6)) * 4
    assert one.provenance["part"] == "video-1" and one.provenance["set"] == "cox-video-1"
    both = small("cox-videos", registry, tmp_path)
    assert np.array_equal(both.X, np.concatenate([one.X, two.X]))
    assert np.array_equal(both.y, np.concatenate([one.y, two.y])) and both.classes == one.classes
    assert both.groups["video"].tolist() == ["video-1"] * 24 + ["video-2"] * 24
    rois = small("cox-rois", few(4, 25), tmp_path)
    assert rois.X.shape == (42, 64 * 64) and rois.X.max() > 100
    video = generated(
        lambda *names: spawner(1, "features")("cox", *names), left=False, persons=1, frames=25
    )
    assert np.array_equal(rois.X[:21].reshape(21, 64, 64), video.rois[:21])


@pytest.mark.skipif(not MIRROR, reason="OPCHAR_MIRROR is not set")
def test_yale_b_stands_in_when_a_mirror_has_it(tmp_path: Path) -> None:
    one = small("cox-video-1", REGISTRY, tmp_path, mirrors=[str(MIRROR)])
    two = small("cox-video-2", REGISTRY, tmp_path, mirrors=[str(MIRROR)])
    assert one.X.shape == two.X.shape == (38 * 25, 59) and one.classes == two.classes
    assert "Extended Yale B" in one.data and one.data.startswith("stand-in for cox-video-1: ")
    said = read_json(tmp_path / "cox" / "PROVENANCE.json")
    assert said["citation"].endswith("Extended Yale Face Database B.")
    assert said["licence"].startswith("free for research")
    with np.load(Path(str(MIRROR)) / "yale-b" / "YaleB_64x64.npz") as archive:
        mine = (archive["subject"] == 1) & (archive["azimuth"] < 0)
        known = {row.tobytes() for row in lbp_histograms(archive["X"][mine])}
    assert {row.tobytes() for row in one.X[:25]} <= known
    (tmp_path / "cox" / "YaleB_64x64.npz").write_bytes(b"x")
    with pytest.raises(DataError, match="changed since"):
        build("cox-video-1", REGISTRY, tmp_path / "cox", spawner(1))


@pytest.mark.parametrize("policy", ["auto", "offline"])
def test_a_real_set_that_stands_in_stays_without_its_mirror(tmp_path: Path, policy: str) -> None:
    content = b"faces"
    file = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    stand_in = REGISTRY["cox"]["stand_in"] | {"files": {"faces.npz": file}, "folder": "faces"}
    entry = REGISTRY["cox"] | {"stand_in": stand_in}
    (tmp_path / "mirror/faces").mkdir(parents=True)
    (tmp_path / "mirror/faces/faces.npz").write_bytes(content)
    folder = tmp_path / "cox"

    def fetch_faces(*mirrors: str) -> dict:
        return fetch("cox", entry, policy=policy, mirrors=mirrors, user_folders={}, folder=folder)

    assert fetch_faces()["files"] == {}
    real = fetch_faces(str(tmp_path / "mirror"))
    assert fetch_faces() == real == read_json(folder / "PROVENANCE.json")
    assert (folder / "faces.npz").read_bytes() == content
    (folder / "faces.npz").write_bytes(b"faked")
    assert fetch_faces()["files"] == {} and not (folder / "faces.npz").exists()


def test_the_set_of_images_itself_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cox-video-1"):
        small("cox", few(), tmp_path)


def test_real_refuses_the_stand_in(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"ask for the set \(http.*under folders: cox"):
        fetch(
            "cox",
            REGISTRY["cox"],
            policy="real",
            mirrors=[str(MIRROR)] if MIRROR else [],
            user_folders={},
            folder=tmp_path / "cox",
        )
    (state,) = [
        state
        for state in states(REGISTRY, raw_root=tmp_path, policy="auto", mirrors=[], user_folders={})
        if state.name == "cox"
    ]
    assert state.state == "licensed: put it here" and "folders: cox" in state.action


def cox(folder: Path, layout: list[str], frames: int = 27) -> tuple[Path, Trajectories]:
    """Write generated faces as a user's COX folder, the frames numbered without leading zeros."""
    videos = [generated(spawner(9), left=left, persons=3, frames=frames) for left in (True, False)]
    for place, video in zip(layout, videos, strict=True):
        for roi, person, frame in zip(video.rois, video.person, video.frame, strict=True):
            path = folder / place / NAMES[int(person) - 1] / f"frame_{frame}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            assert cv2.imwrite(str(path), cv2.cvtColor(roi, cv2.COLOR_GRAY2BGR))
    return folder, videos[0]


LAYOUTS = [["COX-S2V-Video/video1", "COX-S2V-Video/video2"], ["camera1", "camera3"]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_users_folder_in_either_layout(tmp_path: Path, layout: list[str]) -> None:
    folder, video = cox(tmp_path / "COX", layout)
    table = small("cox-video-1", REGISTRY, tmp_path, user_folders={"cox": str(folder)})
    assert table.data == "cox-video-1" and table.classes == tuple(NAMES)
    said = read_json(tmp_path / "cox" / "PROVENANCE.json")
    assert "never redistributed" in said["licence"]
    assert np.bincount(table.y).tolist() == [25, 25, 25]
    assert np.array_equal(table.X, lbp_histograms(video.first(None, 25).rois))
    assert table.groups["frame"].tolist() == list(range(25)) * 3
    assert not list((tmp_path / "cox").glob("*.png"))


def test_only_persons_in_both_videos_count(tmp_path: Path) -> None:
    folder, _ = cox(tmp_path, LAYOUTS[0], frames=2)
    for path in (folder / LAYOUTS[0][1] / NAMES[1]).iterdir():
        path.unlink()
    (folder / LAYOUTS[0][1] / NAMES[1]).rmdir()
    assert persons(folder, IMAGES) == [NAMES[0], NAMES[2]]


def test_other_sizes_are_brought_to_64(tmp_path: Path) -> None:
    folder, _ = cox(tmp_path, LAYOUTS[0], frames=2)
    for path in folder.rglob("*.png"):
        assert cv2.imwrite(str(path), cv2.resize(cv2.imread(str(path)), (90, 120)))
    assert read_video(folder, "video-1", IMAGES, count=25).rois.shape == (6, 64, 64)


def test_a_damaged_image_is_named(tmp_path: Path) -> None:
    folder, _ = cox(tmp_path / "COX", LAYOUTS[0], frames=2)
    (folder / LAYOUTS[0][0] / NAMES[0] / "frame_1.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(DataError, match=r"frame_1\.png: not an image"):
        small("cox-video-1", REGISTRY, tmp_path, user_folders={"cox": str(folder)})


def test_a_folder_without_videos_is_passed_over_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    provenance = fetch(
        "cox",
        few()["cox"],
        policy="offline",
        mirrors=[],
        user_folders={"cox": str(tmp_path / "empty")},
        folder=tmp_path / "raw" / "cox",
    )
    assert provenance["source"] == "stand-in"
    assert "no folder COX-S2V-Video/video1 or video1" in provenance["passed_over"][0]["reason"]
