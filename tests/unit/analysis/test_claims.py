"""General claims asked of scores that are known to meet them, or not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from opchar import cli
from opchar.analysis.claims import GENERAL, ask, published, read_sets
from opchar.analysis.reading import Scored
from opchar.functions import imported
from opchar.statements.judging import COLUMNS


def two_classes(rows: int = 240, models: int = 2) -> Scored:
    rng = np.random.default_rng(0)
    y = (np.arange(rows) % 6 > 0).astype(int)
    scores = {f"m{m}": rng.normal(size=(rows, 1)) + 2.5 * (y == 0)[:, None] for m in range(models)}
    return Scored(("rare", "common"), y, scores, 0)


def three_classes(errors: tuple[float, ...] = (0.2, 0.6, 2.0)) -> Scored:
    rng = np.random.default_rng(1)
    y = np.arange(150) % 3
    found = {}
    for number, error in enumerate(errors):
        raw = np.exp(np.eye(3)[y] / error + rng.normal(size=(150, 3)))
        found[f"m{number}"] = raw / raw.sum(axis=1, keepdims=True)
    return Scored(("a", "b", "c"), y, found, 0)


def test_functions_and_controls_are_there() -> None:
    for claim in GENERAL:
        assert callable(imported(claim.entry["function"]))
        assert callable(imported(claim.entry["control"]["function"]))


def test_precision_varies_most_and_what_lacks_its_scores_is_not_asked() -> None:
    found = ask({"own": two_classes(models=1)}, resamples=20)
    by_claim = found.drop_duplicates("claim").set_index("claim")
    assert by_claim.loc["mullick2020:0053", "holds"] == "holds"
    assert by_claim.loc["mullick2020:0053", "support"] > 0.5
    others = by_claim.drop(index="mullick2020:0053")
    assert set(others["holds"]) == {"not asked"}
    assert others["support"].isna().all()


def test_a_model_of_equal_members_gains_nothing_by_combining() -> None:
    data = two_classes(120, models=1)
    same = Scored(data.classes, data.y, {"a": data.models["m0"], "b": data.models["m0"]}, 0)
    found = ask({"own": same}, resamples=10)
    combined = found[found["claim"] == "soleymani2020:0077"]
    assert set(combined["holds"]) == {"fails"}


def test_claims_on_several_classes_are_asked_again_with_the_same_answer() -> None:
    sets = {"own": three_classes()}
    found = ask(sets, resamples=10)
    asked = found[found["holds"] != "not asked"]
    assert set(asked["claim"]) == {"landgrebe2007:0587", "landgrebe2007:0588", "landgrebe2007:1074"}
    volume = found[found["claim"] == "landgrebe2007:1074"].iloc[0]
    assert "the worse has the lower VUS in" in volume["evidence"]
    pd.testing.assert_frame_equal(found, ask(sets, resamples=10))


def test_files_of_the_same_objects_are_models_of_one_set(tmp_path: Path) -> None:
    data = two_classes(120)
    for name, score in data.models.items():
        pd.DataFrame({"y": data.y, "score": score[:, 0]}).to_csv(tmp_path / f"{name}.csv")
    other = three_classes()
    frame = pd.DataFrame(other.models["m0"], columns=list("abc"))
    frame.assign(y=np.array(list("abc"))[other.y]).to_csv(tmp_path / "wine.csv", index=False)
    sets = read_sets([tmp_path / f"{name}.csv" for name in ("m0", "wine", "m1")])
    assert list(sets) == ["m0+m1", "wine"]


def test_what_the_publications_sets_say_is_taken_from_a_run(tmp_path: Path) -> None:
    assert published(tmp_path).empty
    folder = tmp_path / "results/quick/statements"
    folder.mkdir(parents=True)
    line = dict.fromkeys(COLUMNS, "") | {"id": "w:1", "holds": True, "support": 0.75}
    pd.DataFrame([line | {"control_fails": True, "resamples": 4}]).to_csv(
        folder / "w.csv", index=False
    )
    inside = tmp_path / "deep"
    inside.mkdir()
    assert published(inside).loc["w:1", "support"] == 0.75


@pytest.mark.parametrize("output", [[], ["--output", "claims.csv"]])
def test_the_command(tmp_path: Path, monkeypatch, capsys, output: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    data = two_classes(120, models=1)
    pd.DataFrame({"y": data.y, "score": data.models["m0"][:, 0]}).to_csv("s.csv", index=False)
    assert cli.main(["ask", "s.csv", "--positive", "0", *output]) == 0
    said = capsys.readouterr().out
    assert "not asked: it needs three or more classes" in said
    assert "on the publication's sets: no run at hand" in said
    assert (tmp_path / "claims.csv").is_file() == bool(output)
