"""General claims asked of scores that are known to meet them, or not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from checkout import ROOT
from opchar.analysis.asking import Asked
from opchar.analysis.claims.asking import ask, judge_claims, measure_claims, rare_class
from opchar.analysis.claims.command import chosen_claims, published_findings, run
from opchar.analysis.claims.listing import packaged_claims, text_of
from opchar.analysis.tables.scored_sample import ScoredSample
from opchar.cli import main as command_line
from opchar.cli.parser import parser
from opchar.errors import OpcharError
from opchar.pipeline.configuration.studies import read_studies
from opchar.scores import ScoreTable, write_scores
from opchar.statements.general import general_of
from opchar.statements.judging import COLUMNS

OF_TWO = {
    *(f"mullick2020:00{number}" for number in (53, 54, 55, 56)),
    "landgrebe2007:0092",
}
OF_TWO_MODELS = {"landgrebe2007:0090", "soleymani2020:0077"}


def two_classes(rows: int = 240, models: int = 2) -> ScoredSample:
    rng = np.random.default_rng(0)
    y = (np.arange(rows) % 6 > 0).astype(int)
    scores = {f"m{m}": rng.normal(size=(rows, 1)) + 2.5 * (y == 0)[:, None] for m in range(models)}
    return ScoredSample(("rare", "common"), y, scores, 0)


def three_classes(errors: tuple[float, ...] = (0.2, 0.6, 2.0)) -> ScoredSample:
    rng = np.random.default_rng(1)
    y = np.arange(150) % 3
    found = {}
    for number, error in enumerate(errors):
        raw = np.exp(np.eye(3)[y] / error + rng.normal(size=(150, 3)))
        found[f"m{number}"] = raw / raw.sum(axis=1, keepdims=True)
    return ScoredSample(("a", "b", "c"), y, found, 0)


def test_what_is_shipped_is_what_the_statements_say() -> None:
    """Run ``python tools/general.py`` when this fails."""
    entries = read_studies(ROOT / "src/opchar").statements
    file = ROOT / "src/opchar/analysis/claims/general.json"
    assert file.read_text(encoding="utf-8") == text_of(general_of(entries))
    assert len(packaged_claims()) == 15


def test_precision_varies_most_and_what_lacks_its_scores_is_not_asked() -> None:
    found = ask({"own": two_classes(models=1)}, resamples=20)
    asked = found[found["holds"] != "not asked"].set_index("claim")
    assert set(asked.index) == OF_TWO
    assert set(asked.loc[["mullick2020:0053", "mullick2020:0054"], "holds"]) == {"holds"}
    assert asked.loc["landgrebe2007:0092", "holds"] == "holds"
    assert asked.loc["mullick2020:0053", "support"] > 0.5
    assert found.loc[found["holds"] == "not asked", "support"].isna().all()


def useless() -> ScoredSample:
    """Scores that say nothing of the class: no index moves as the classes' shares do."""
    data = two_classes(models=1)
    return ScoredSample(data.classes, data.y, {"constant": np.zeros((len(data.y), 1))}, 0)


def test_claims_fail_where_they_must() -> None:
    found = ask({"own": useless()}, resamples=5).set_index("claim")
    assert found.loc["mullick2020:0056", "holds"] == "fails"
    perfect = ScoredSample(("rare", "common"), two_classes().y, {}, 0)
    perfect.models["m"] = (perfect.y == 0).astype(float)[:, None]
    found = ask({"own": perfect}, resamples=5).set_index("claim")
    assert set(found.loc[["landgrebe2007:0092", "mullick2020:0053"], "holds"]) == {"fails"}


def test_every_claim_can_be_asked_and_its_control_fails() -> None:
    """A claim that holds also on its control says 'test cannot fail here'; none does here."""
    sets = {"two": two_classes(), "three": three_classes()}
    frames = measure_claims(sets, Asked())
    assert set(frames) == {claim.measure for claim in packaged_claims()}
    found = judge_claims(frames, Asked().spawn, 5)
    assert set(found["holds"]) <= {"holds", "fails"}
    assert (found["evidence"] != "").all()


def test_the_model_of_the_largest_area_may_move_most_with_the_prior() -> None:
    found = ask({"own": two_classes()}, resamples=5).set_index("claim")
    assert "best model by AUC and by AccSens" in found.loc["landgrebe2007:0090", "evidence"]
    twin = two_classes(models=1)
    twin.models["again"] = twin.models["m0"]
    found = ask({"own": twin}, resamples=5).set_index("claim")
    assert found.loc["landgrebe2007:0090", "holds"] == "fails"


def test_a_model_of_equal_members_gains_nothing_by_combining() -> None:
    data = two_classes(120, models=1)
    same = ScoredSample(data.classes, data.y, {"a": data.models["m0"], "b": data.models["m0"]}, 0)
    found = ask({"own": same}, resamples=10)
    combined = found[found["claim"] == "soleymani2020:0077"]
    assert set(combined["holds"]) == {"fails"}


def test_claims_on_several_classes_are_asked_again_with_the_same_answer() -> None:
    sets = {"own": three_classes()}
    found = ask(sets, resamples=10)
    asked = found[found["holds"] != "not asked"]
    assert set(asked["claim"]) == {
        *(f"landgrebe2007:{number}" for number in ("0586", "0587", "0588", "0589", "1074")),
        *("mullick2020:0057", "mullick2020:0058"),
    }
    volume = found[found["claim"] == "landgrebe2007:1074"].iloc[0]
    assert "the worse has the lower VUS in" in volume["evidence"]
    pd.testing.assert_frame_equal(found, ask(sets, resamples=10))


def test_what_the_publications_sets_say_is_taken_from_a_run(tmp_path: Path) -> None:
    assert published_findings(tmp_path).empty
    folder = tmp_path / "results/quick/statements"
    folder.mkdir(parents=True)
    line = dict.fromkeys(COLUMNS, "") | {"id": "w:1", "holds": True, "support": 0.75}
    pd.DataFrame([line | {"control_fails": True, "resamples": 4}]).to_csv(
        folder / "w.csv", index=False
    )
    inside = tmp_path / "deep"
    inside.mkdir()
    assert published_findings(inside).loc["w:1", "support"] == 0.75


def test_a_claim_is_asked_by_its_number() -> None:
    claims = chosen_claims(["soleymani2020:0077", "landgrebe2007:0092"])
    assert [claim.id for claim in claims] == ["landgrebe2007:0092", *["soleymani2020:0077"] * 2]
    found = ask({"own": two_classes(60)}, resamples=5, claims=claims[:1])
    assert list(found["claim"]) == ["landgrebe2007:0092"]
    assert chosen_claims([]) == list(packaged_claims())
    with pytest.raises(OpcharError, match=r"no general claim 'landgrebe2007:92'.*did you mean"):
        chosen_claims(["landgrebe2007:92"])


@pytest.mark.parametrize("sizes", [[30, 1], [20, 20, 1], [20, 20, 0]])
def test_a_set_with_a_class_of_less_than_two_objects_is_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sizes: list[int]
) -> None:
    """It ended in a traceback, and with it what is asked of the other sets."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(0)
    names = ("a", "b", "c")[: len(sizes)]
    scores = {f"m{m}": rng.dirichlet(np.ones(len(sizes)), len(y)) for m in range(3)}
    small = ScoredSample(names, y, scores, len(sizes) - 1)
    assert rare_class(small) == names[-1] and rare_class(two_classes()) == ""
    assert set(ask({"small": small}, resamples=5)["holds"]) == {"not asked"}
    beside = ask({"small": small, "own": two_classes()}, resamples=5)
    pd.testing.assert_frame_equal(beside, ask({"own": two_classes()}, resamples=5))
    table = ScoreTable(
        np.zeros(len(y), int),
        np.arange(len(y)),
        y,
        scores["m0"],
        names,
        {"data": "small", "model": "m0"},
    )
    write_scores(table, tmp_path / "m.parquet")
    arguments = parser().parse_args(["ask", "--data", "small", "--resamples", "5"])
    assert run(arguments, [tmp_path / "m.parquet"]) == 0
    said = capsys.readouterr().out
    assert f"classes; not asked: fewer than two objects of class '{names[-1]}'" in said


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--data", "sonar", "--seed", "-1"], 1, "seed"),
        (["--data", "sonar", "--resamples", "-3"], 1, "--resamples -3: give 0 or more"),
        (["--data", ","], 2, "',' names nothing"),
        (["--data", "sonar", "--models", ""], 2, "'' names nothing"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_trained(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int, said: str
) -> None:
    """A seed below zero was refused after the training; no names were all that a run makes."""
    try:
        found = command_line(["ask", *words])
    except SystemExit as left:
        found = left.code
    assert found == status
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("output", [[], ["--output", "claims.csv"]])
def test_the_command(tmp_path: Path, monkeypatch, capsys, output: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = np.arange(120) % 6 > 0
    scores = np.where(y, -1.0, 1.0)[:, None] * [1, -1] + rng.normal(size=(120, 2))
    provenance = {"data": "made", "model": "m"}
    table = ScoreTable(
        np.zeros(120, int), np.arange(120), y.astype(int), scores, ("a", "b"), provenance
    )
    write_scores(table, tmp_path / "m.parquet")
    words = ["ask", "landgrebe2007:0092", "landgrebe2007:0586", "--data", "made"]
    arguments = parser().parse_args([*words, "--resamples", "5", *output])
    assert run(arguments, [tmp_path / "m.parquet"]) == 0
    said = capsys.readouterr().out
    assert "not asked: it needs three or more classes" in said
    assert "on the publication's sets: no run at hand" in said
    assert "mullick2020:0053" not in said
    assert (tmp_path / "claims.csv").is_file() == bool(output)
