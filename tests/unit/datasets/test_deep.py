from pathlib import Path

import cv2
import numpy as np
import pytest

from checkout import configured
from opchar.datasets.building import build
from opchar.datasets.images.deep import deep_features
from opchar.datasets.images.inception import extract, group_features, network, photographs
from opchar.datasets.problems import draw, multi_class, two_class
from opchar.datasets.sources.fetching import fetch
from opchar.errors import DataError
from opchar.seeds import spawner

REGISTRY = configured("datasets")
GROUPS = {"cat": ["n00000001", "n00000002"], "dog": ["n00000003"]}


def test_deep_features_look_like_an_average_pool() -> None:
    X, y = deep_features([300, 100, 200], np.random.default_rng(0), d=512, sparsity=0.35)
    assert X.shape == (600, 512) and X.dtype == np.float32 and X.min() == 0
    assert np.bincount(y).tolist() == [300, 100, 200]
    assert (X == 0).mean() == pytest.approx(0.35, abs=0.02)
    again, _ = deep_features([300, 100, 200], np.random.default_rng(0), d=512, sparsity=0.35)
    assert X.tobytes() == again.tobytes()


def test_their_intrinsic_dimension_is_low() -> None:
    X, _ = deep_features([400], np.random.default_rng(0), d=512, intrinsic=10, noise=0.0)
    variance = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    assert variance[:10].sum() / variance.sum() > 0.8


def nearest_mean_error(separation: float) -> float:
    X, y = deep_features(
        [200] * 5, np.random.default_rng(1), d=256, intrinsic=20, separation=separation
    )
    train = np.arange(len(y)) % 2 == 0
    means = np.stack([X[train & (y == label)].mean(axis=0) for label in range(5)])
    far = ((X[~train, None] - means) ** 2).sum(axis=2)
    return float((far.argmin(axis=1) != y[~train]).mean())


def test_separation_sets_the_overlap() -> None:
    errors = [nearest_mean_error(separation) for separation in (0.1, 0.6, 1.5)]
    assert errors[0] > errors[1] > errors[2] and errors[0] > 0.6 and errors[2] < 0.1


def test_the_twelve_groups_stand_in(tmp_path: Path) -> None:
    entry = REGISTRY["imagenet-inception"]
    small = entry | {"shape": [120, 64], "classes": dict.fromkeys(entry["classes"], 10)}
    registry = {"imagenet-inception": small}
    fetch(
        "imagenet-inception",
        small,
        policy="offline",
        mirrors=[],
        user_folders={},
        folder=tmp_path / "imagenet-inception",
    )
    table = build("imagenet-inception", registry, tmp_path / "imagenet-inception", spawner(1))
    assert table.X.shape == (120, 64) and table.classes == tuple(entry["images"]["groups"])
    assert table.data.startswith("stand-in for imagenet-inception: generated deep features")


def test_two_class_problems() -> None:
    y = np.repeat(np.arange(12), 800)
    problems = two_class(y, np.random.default_rng(0))
    assert len(problems) == 12 and len({problem.classes for problem in problems}) > 6
    for problem in problems:
        sizes = [int((y[problem.index] == label).sum()) for label in problem.classes]
        assert sizes[0] == 800 and sizes[0] / sizes[1] == problem.ratio
        assert 4.9 < problem.ratio < 42 and len(set(problem.index)) == len(problem.index)


def test_multi_class_problems() -> None:
    y = np.repeat(np.arange(12), 800)
    problems = multi_class(y, np.random.default_rng(0))
    assert [len(problem.classes) for problem in problems] == [3] * 4 + [5] * 3 + [10] * 3
    for problem in problems:
        sizes = [int((y[problem.index] == label).sum()) for label in problem.classes]
        assert sizes == sorted(sizes, reverse=True) and 19.5 < sizes[0] / sizes[-1] < 31
        steps = np.array(sizes[:-1]) / np.array(sizes[1:])
        assert steps == pytest.approx(problem.ratio ** (1 / (len(sizes) - 1)), rel=0.06)


def test_too_many_classes() -> None:
    with pytest.raises(ValueError, match="13 classes are wanted and the set has 12"):
        draw(np.arange(12), 13, (5, 6), np.random.default_rng(0))


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def message(*fields: tuple[int, int | bytes]) -> bytes:
    """Encode numbers and bytes as a protocol buffer message."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def value_info(name: bytes, shape: list[int | bytes]) -> bytes:
    sizes = [message((1, size) if isinstance(size, int) else (2, size)) for size in shape]
    tensor = message((1, 1), (2, message(*[(1, size) for size in sizes])))
    return message((1, name), (2, message((1, tensor))))


def tiny_network(path: Path, *, pooled: bool = True) -> Path:
    """Write an ONNX network: the sum of colour and its square, averaged over the photograph."""
    square = message((1, b"x"), (1, b"x"), (2, b"s"), (4, b"Mul"))
    add = message((1, b"x"), (1, b"s"), (2, b"a" if pooled else b"y"), (4, b"Add"))
    pool = message((1, b"a"), (2, b"y"), (4, b"GlobalAveragePool"))
    nodes = [square, add, *([pool] if pooled else [])]
    side = 1 if pooled else 299
    graph = message(
        *[(1, node) for node in nodes],
        (2, b"tiny"),
        (11, value_info(b"x", [b"n", 3, 299, 299])),
        (12, value_info(b"y", [b"n", 3, side, side])),
    )
    path.write_bytes(message((1, 8), (7, graph), (8, message((1, b""), (2, 13)))))
    return path


def imagenet(folder: Path, size: int = 5) -> Path:
    """Write a user's folder of synsets with generated photographs and the tiny network."""
    rng = np.random.default_rng(0)
    for synset in [name for names in GROUPS.values() for name in names]:
        for number in range(size):
            path = folder / "train" / synset / f"{synset}_{number}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            colour = rng.integers(0, 256, (6, 8, 3)).astype(np.uint8)
            assert cv2.imwrite(str(path), cv2.resize(colour, (400, 350)))
    tiny_network(folder / "inception.onnx")
    return folder


@pytest.mark.parametrize("pooled", [True, False])
def test_the_network_sees_red_green_blue_between_minus_one_and_one(
    tmp_path: Path, pooled: bool
) -> None:
    blue_green_red = np.zeros((299, 299, 3), dtype=np.uint8)
    blue_green_red[:] = [255, 51, 0]
    assert cv2.imwrite(str(tmp_path / "one.png"), blue_green_red)
    model = tiny_network(tmp_path / "tiny.onnx", pooled=pooled)
    features = extract([tmp_path / "one.png"], model, tmp_path / "shards")
    expected = [value + value**2 for value in (-1.0, 51 / 127.5 - 1, 1.0)]
    assert features.shape == (1, 3) and features[0] == pytest.approx(expected, abs=1e-3)


def test_shards_resume_and_give_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = imagenet(tmp_path / "imagenet")
    paths = sorted(folder.rglob("*.png"))
    model = folder / "inception.onnx"
    whole = extract(paths, model, tmp_path / "a", batch=2, shard=4)
    extract(paths[:8], model, tmp_path / "b", batch=2, shard=4)
    finished = sorted((tmp_path / "b").iterdir())
    assert len(finished) == 2
    times = [path.stat().st_mtime_ns for path in finished]
    resumed = extract(paths, model, tmp_path / "b", batch=2, shard=4)
    assert resumed.tobytes() == whole.tobytes() and whole.shape == (15, 3)
    assert [path.stat().st_mtime_ns for path in finished] == times
    monkeypatch.setattr(
        "opchar.datasets.images.inception.network", lambda _: pytest.fail("the network ran again")
    )
    assert extract(paths, model, tmp_path / "b", batch=2, shard=4).tobytes() == whole.tobytes()


def test_features_of_a_users_folder(tmp_path: Path) -> None:
    folder = imagenet(tmp_path / "imagenet")
    entry = REGISTRY["imagenet-inception"]
    mine = entry | {"images": {"kind": "photographs", "most": 4, "groups": GROUPS}}
    fetch(
        "imagenet-inception",
        mine,
        policy="offline",
        mirrors=[],
        user_folders={"imagenet-inception": str(folder)},
        folder=tmp_path / "raw" / "imagenet-inception",
    )
    raw = tmp_path / "raw" / "imagenet-inception"
    table = build("imagenet-inception", {"imagenet-inception": mine}, raw, spawner(1))
    assert table.data == "imagenet-inception" and table.classes == ("cat", "dog")
    assert np.bincount(table.y).tolist() == [8, 4]
    X, y, _ = group_features(folder, mine["images"], tmp_path / "other")
    assert np.array_equal(table.X, X) and np.array_equal(table.y, y)


def test_what_is_wrong_in_a_users_folder_is_named(tmp_path: Path) -> None:
    folder = imagenet(tmp_path / "imagenet", size=1)
    with pytest.raises(DataError, match="no photographs of 'bird' in n00000009"):
        photographs(folder, {"bird": ["n00000009"]}, 5)
    (folder / "train" / "n00000003" / "n00000003_0.png").write_bytes(b"broken")
    images = {"groups": GROUPS, "most": 5}
    with pytest.raises(DataError, match=r"n00000003_0\.png: not a photograph"):
        group_features(folder, images, tmp_path / "shards")
    assert not list((tmp_path / "shards").glob("*"))
    (folder / "inception.onnx").write_bytes(b"broken")
    with pytest.raises(DataError, match=r"inception\.onnx: not an ONNX network"):
        network(folder / "inception.onnx")
    (folder / "inception.onnx").unlink()
    with pytest.raises(DataError, match=r"0 \.onnx files"):
        group_features(folder, images, tmp_path / "shards")
