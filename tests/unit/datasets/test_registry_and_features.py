import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from checkout import configured
from opchar.datasets.building import build
from opchar.datasets.features import FeatureTable, read_features, write_features
from opchar.datasets.generators import generate
from opchar.datasets.inventory import states, verify
from opchar.datasets.registry import base_name, is_view, load
from opchar.datasets.sources.checksums import values_digest
from opchar.datasets.sources.fetching import fetch
from opchar.errors import ConfigError, DataError
from opchar.files import read_json, write_json
from opchar.seeds import spawner

ROOT = Path(__file__).parents[3]
REGISTRY = configured("datasets")
MIRROR = os.environ.get("OPCHAR_MIRROR")
needs_mirror = pytest.mark.skipif(not MIRROR, reason="OPCHAR_MIRROR is not set")
TABLES = [name for name, entry in REGISTRY.items() if "shape" in entry]
SETS = [name for name in TABLES if not is_view(REGISTRY[name])]
PUBLIC = [name for name in SETS if REGISTRY[name].get("files") and "reader" in REGISTRY[name]]


def offline(name: str, root: Path, mirrors: list[str]) -> FeatureTable:
    base = base_name(name, REGISTRY)
    fetch(
        base, REGISTRY[base], policy="offline", mirrors=mirrors, user_folders={}, folder=root / base
    )
    return build(name, REGISTRY, root / base, spawner(1, "stand-in"))


def test_registry_is_what_the_schema_says() -> None:
    schema = json.loads((ROOT / "config/schemas/datasets.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(REGISTRY)] == []


def test_schema_refuses_a_misspelt_field() -> None:
    schema = json.loads((ROOT / "config/schemas/datasets.schema.json").read_text(encoding="utf-8"))
    wrong = {"sonar": {**REGISTRY["sonar"], "licens": "x"}}
    assert list(Draft202012Validator(schema).iter_errors(wrong))


@needs_mirror
@pytest.mark.parametrize("name", PUBLIC)
def test_public_sets_load_from_the_mirror(name: str, tmp_path: Path) -> None:
    table = offline(name, tmp_path, [str(MIRROR)])
    data = load(name, REGISTRY[name])
    assert table.data == name and "licence" not in table.provenance
    assert read_json(tmp_path / data.name / "PROVENANCE.json")["licence"] == data.licence
    assert table.X.shape == data.shape and np.isfinite(table.X).all()
    assert dict(zip(table.classes, np.bincount(table.y), strict=True)) == data.classes
    assert all(item.fault is None for item in verify(REGISTRY, raw_root=tmp_path))


@needs_mirror
def test_values_and_order_of_known_objects(tmp_path: Path) -> None:
    satellite = offline("statlog-satimage", tmp_path, [str(MIRROR)])
    assert satellite.X[0, :4].tolist() == [92, 115, 120, 94]
    assert satellite.classes[satellite.y[0]] == "grey soil"
    letters = offline("letter-recognition", tmp_path, [str(MIRROR)])
    assert "".join(letters.classes[label] for label in letters.y[:7]) == "TIDNGSB"
    assert letters.X[0].tolist() == [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8]
    digits = offline("mfeat-fou", tmp_path, [str(MIRROR)])
    assert digits.y.tolist() == np.repeat(np.arange(10), 200).tolist()


@needs_mirror
def test_cotton_and_damp_grey_soil(tmp_path: Path) -> None:
    table = offline("satellite-cotton-damp", tmp_path, [str(MIRROR)])
    assert table.data == "satellite-cotton-damp" and table.classes == ("positive", "rest")
    assert np.bincount(table.y).tolist() == [1329, 5106]
    whole = offline("statlog-satimage", tmp_path, [str(MIRROR)])
    assert np.array_equal(table.y == 0, np.isin(whole.y, [1, 3]))


@needs_mirror
def test_delve_leaves_out_three_features(tmp_path: Path) -> None:
    table = offline("delve-segmentation", tmp_path, [str(MIRROR)])
    assert table.X.shape == (2310, 16) and "REGION-PIXEL-COUNT" not in table.names
    assert (table.X.std(axis=0) > 0).all()


@needs_mirror
def test_the_same_numbers_in_another_spacing_are_accepted(tmp_path: Path) -> None:
    text = (Path(str(MIRROR)) / "mfeat" / "mfeat-zer").read_text(encoding="utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mfeat-zer").write_text(text.replace(" ", "   "), encoding="utf-8")
    provenance = fetch(
        "mfeat-zer",
        REGISTRY["mfeat-zer"],
        policy="offline",
        mirrors=[],
        user_folders={"mfeat-zer": str(tmp_path / "mine")},
        folder=tmp_path / "raw" / "mfeat-zer",
    )
    assert provenance["source"] == "user folder"
    build("mfeat-zer", REGISTRY, tmp_path / "raw" / "mfeat-zer", spawner(1))
    changed = text.replace("1", "2", 1)
    (tmp_path / "mine" / "mfeat-zer").write_text(changed.replace(" ", "   "), encoding="utf-8")
    with pytest.raises(DataError, match="wrong checksum"):
        fetch(
            "mfeat-zer",
            REGISTRY["mfeat-zer"],
            policy="real",
            mirrors=[],
            user_folders={"mfeat-zer": str(tmp_path / "mine")},
            folder=tmp_path / "raw2" / "mfeat-zer",
            timing={"connect_timeout": 0.01},
            state=down(tmp_path),
        )


def down(folder: Path) -> Path:
    """Return a state folder that says that there is no network."""
    (folder / ".network-down").write_text("in this test", encoding="utf-8")
    return folder


# A set of each function that makes objects; the check makes all in its run without a mirror.
KINDS = {
    (entry.get("generator") or entry["stand_in"])[key]: name
    for name, entry in REGISTRY.items()
    for key in ("function", "generator")
    if name != "cox" and key in (entry.get("generator") or entry.get("stand_in", {}))
}


@pytest.mark.parametrize("name", [*KINDS.values(), "mfeat-fou-26"])
def test_a_set_of_each_kind_stands_in_offline(tmp_path: Path, name: str) -> None:
    table = offline(name, tmp_path, [])
    entry = REGISTRY[name]
    assert np.isfinite(table.X).all()
    assert list(table.X.shape) == entry["shape"]
    assert dict(zip(table.classes, np.bincount(table.y), strict=True)) == entry["classes"]
    synthetic = "generator" in entry
    assert table.data == name if synthetic else table.data.startswith(f"stand-in for {name}: ")


def test_a_view_shows_the_objects_of_its_stand_in(tmp_path: Path) -> None:
    whole = offline("statlog-satimage", tmp_path, [])
    view = offline("satellite-cotton-damp", tmp_path, [])
    assert np.array_equal(whole.X, view.X)
    assert np.array_equal(view.y == 0, np.isin(whole.y, [1, 3]))


@needs_mirror
def test_changed_raw_bytes_are_noticed(tmp_path: Path) -> None:
    offline("sonar", tmp_path, [str(MIRROR)])
    path = tmp_path / "sonar" / "sonar.all-data"
    path.write_bytes(path.read_bytes().replace(b"0.0200", b"0.0201", 1))
    with pytest.raises(DataError, match=r"changed since .*; delete .*sonar and run again"):
        build("sonar", REGISTRY, tmp_path / "sonar", spawner(1))
    (checked,) = verify(REGISTRY, raw_root=tmp_path)
    assert checked.name == "sonar" and "changed" in str(checked.fault)


def test_missing_provenance_names_the_cure(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"delete .* and run again"):
        build("sonar", REGISTRY, tmp_path / "sonar", spawner(1))


def test_unknown_set_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'sonar'"):
        build("sonnar", REGISTRY, "raw", spawner(1))


@needs_mirror
def test_states(tmp_path: Path) -> None:
    offline("sonar", tmp_path, [str(MIRROR)])
    known = {
        policy: {
            state.name: state
            for state in states(
                REGISTRY, raw_root=tmp_path, policy=policy, mirrors=mirrors, user_folders={}
            )
        }
        for policy, mirrors in [("auto", [str(MIRROR)]), ("offline", [])]
    }
    assert known["auto"]["sonar"].state == "have" and known["offline"]["sonar"].state == "have"
    assert known["auto"]["phoneme"].state == "can fetch"
    assert known["offline"]["phoneme"].state == "stand-in"
    assert "OPCHAR_MIRROR" in known["offline"]["phoneme"].action
    assert known["auto"]["road-sign"].state == "stand-in"
    assert "never published" in known["auto"]["road-sign"].action
    assert known["offline"]["prtools8"].state == "have"
    assert len(known["offline"]) == len(SETS) + 1


def test_features_read_back_to_the_same_bits(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = FeatureTable(
        rng.standard_normal((7, 2)), np.array([2, 0, 1, 0, 1, 2, 2]), ("c", "a", "b"), ("u", "v"),
        {"data": "toy"},
    )  # fmt: skip
    write_features(table, tmp_path / "toy.parquet")
    first = (tmp_path / "toy.parquet").read_bytes()
    back = read_features(tmp_path / "toy.parquet")
    assert np.array_equal(back.X, table.X) and np.array_equal(back.y, table.y)
    assert back.classes == table.classes and back.names == table.names and back.data == "toy"
    write_features(back, tmp_path / "toy.parquet")
    assert (tmp_path / "toy.parquet").read_bytes() == first


def test_frames_are_kept_apart_from_the_features(tmp_path: Path) -> None:
    path = tmp_path / "faces.parquet"
    table = FeatureTable(
        np.eye(3),
        np.array([0, 0, 1]),
        ("a", "b"),
        ("u", "v", "w"),
        {},
        {"frame": np.array([0, 1, 0])},
    )
    write_features(table, path)
    assert pd.read_parquet(path).columns.tolist() == ["u", "v", "w", "frame", "y"]
    back = read_features(path)
    assert back.groups["frame"].tolist() == [0, 1, 0]
    assert back.names == table.names and np.array_equal(back.X, table.X)
    pd.read_parquet(path).drop(columns="frame").to_parquet(path)
    with pytest.raises(DataError, match=r"column 'frame' of .* is missing"):
        read_features(path)


@given(
    rows=st.lists(
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2),
        min_size=2,
        max_size=6,
    ),
    blanks=st.sampled_from([" ", "   ", "\t", ",", " , "]),
)
def test_the_digest_of_numbers_does_not_see_their_spacing(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[float]], blanks: str
) -> None:
    folder = tmp_path_factory.mktemp("digest")
    texts = {
        "one": "\n".join(" ".join(map(repr, row)) for row in rows),
        "other": "\n\n".join(blanks.join(map(repr, row)) + " " for row in rows) + "\n",
        "changed": "\n".join(" ".join(map(repr, row)) for row in [[1.5, 2.5], *rows]),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert values_digest(folder / "one") == values_digest(folder / "other")
    assert values_digest(folder / "one") != values_digest(folder / "changed")


def test_no_digest_of_what_is_no_table(tmp_path: Path) -> None:
    for text in ["", "1 2\n3\n", "1 x\n"]:
        (tmp_path / "t").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError):
            values_digest(tmp_path / "t")


def test_a_users_own_csv(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("u,y,v\n1,b,2\n3,a,4\n", encoding="utf-8")
    table = read_features(path)
    assert table.classes == ("a", "b") and table.y.tolist() == [1, 0]
    assert table.names == ("u", "v") and table.data == "features given by the user"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("u,v\n1,2\n", "column 'y' is missing"),
        ("u,y\n1,a\nx,b\n", "row 2, column 'u': 'x' is not a finite number"),
        ("u,y\n1,a\ninf,b\n", "row 2, column 'u'"),
        ("u,y\n1,a\n2,\n", "row 2, column 'y': no class"),
        ("u,y\n1,a\n2,a\n", "only the class 'a'"),
        ("u,y\n", "no objects"),
        ("", "not a readable feature table"),
    ],
)
def test_a_wrong_table_names_row_and_column(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_features(path)
    assert message in str(error.value) and str(path) in str(error.value)


def test_a_stranger_in_place_of_the_provenance(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("u,y\n1,a\n2,b\n", encoding="utf-8")
    (tmp_path / "own.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(DataError, match=r"own\.json: not the provenance of own\.csv"):
        read_features(tmp_path / "own.csv")


def test_single_precision_is_kept_only_when_it_loses_nothing(tmp_path: Path) -> None:
    for value, kind in [(0.5, "float32"), (0.1, "float64")]:
        X = np.array([[value], [2.0]])
        write_features(
            FeatureTable(X, np.array([0, 1]), ("a", "b"), ("u",)), tmp_path / "t.parquet"
        )
        assert str(pd.read_parquet(tmp_path / "t.parquet")["u"].dtype) == kind
        assert np.array_equal(read_features(tmp_path / "t.parquet").X, X)


def test_no_table_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such feature table"):
        read_features(tmp_path / "none.parquet")


DRAWN = {
    "title": "Two Gaussian classes, drawn three times",
    "licence": "synthetic",
    "citation": "nobody",
    "shape": [54, 2],
    "classes": {"a": 36, "b": 18},
    "generator": {
        "function": "opchar.datasets.generators:highleyman",
        "draws": 3,
        "parts": {"train": {"a": 4, "b": 2}, "test": {"a": 8, "b": 4}},
    },
}


def test_a_set_of_several_draws_has_columns_for_draw_and_part(tmp_path) -> None:
    write_json({"licence": "l", "citation": "c"}, tmp_path / "PROVENANCE.json")
    spawn = spawner(1, "features")
    table = build("mine", {"mine": DRAWN}, tmp_path, spawn)
    assert table.groups["draw"].tolist() == [0] * 18 + [1] * 18 + [2] * 18
    assert table.groups["part"].tolist() == (["train"] * 6 + ["test"] * 12) * 3
    rows = np.flatnonzero((table.groups["draw"] == 1) & (table.groups["part"] == "test"))
    X, y = generate(DRAWN["generator"]["function"], [8, 4], spawn("mine", "test", 1), {})
    assert np.array_equal(table.X[rows], X) and np.array_equal(table.y[rows], y)
    write_features(table, tmp_path / "mine.parquet")
    read = read_features(tmp_path / "mine.parquet")
    assert read.names == table.names
    for name, values in table.groups.items():
        assert read.groups[name].tolist() == values.tolist()
    wrong = DRAWN | {"classes": {"a": 30, "b": 24}}
    with pytest.raises(
        ConfigError, match=r"says .*\[30, 24\] and its generator makes .*\[36, 18\]"
    ):
        build("mine", {"mine": wrong}, tmp_path, spawn)
    odd = DRAWN["generator"] | {"part_options": {"test": {"spread": 2.0}}}
    with pytest.raises(ConfigError, match=r"'mine', generator .*spread"):
        build("mine", {"mine": DRAWN | {"generator": odd}}, tmp_path, spawn)
    clash = replace(table, groups={"x1": table.y})
    with pytest.raises(DataError, match="'x1' is both a group column and a feature"):
        write_features(clash, tmp_path / "clash.parquet")
